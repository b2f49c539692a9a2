import { Store } from '../store/store';
import { seedBilling } from './billing';
import { seedAttributeDescriptors, seedCustomFieldDescriptors } from './customFields';
import { seedLookups } from './lookups';
import { seedOffice, seedTimeCards } from './office';
import { seedPeople } from './people';
import { seedModels, seedPlaces } from './places';
import { seedProcedures } from './procedures';
import { seedPurchasing } from './purchasing';
import { Random } from './random';
import { seedScheduling } from './scheduling';
import { seedVendors } from './vendors';
import { seedWorkOrders } from './workOrders';

export interface SeedOptions {
	workOrders?: number;
	customers?: number;
	seed?: number;
	/** The time at which the data lives: its history ends then, and its plans lie ahead. Fixed by default. */
	until?: number;
}

/** Tests find the same data every day. */
const FIXED_TIME = Date.UTC(2025, 5, 30, 12);

/** Equal options give equal data, so the data of the last few options is kept, to be copied. */
const kept = new Map<string, Store>();
const MAX_KEPT = 3;

/** The data of a Company. */
export function seed({
	workOrders = 2000,
	customers = 60,
	seed: start = 1,
	until = FIXED_TIME,
}: SeedOptions): Store {
	const options = JSON.stringify({ workOrders, customers, start, until });
	const store = kept.get(options) ?? create(workOrders, customers, start, until);
	kept.delete(options);
	kept.set(options, store);
	const [oldest] = kept.keys();
	if (kept.size > MAX_KEPT) kept.delete(oldest);
	return new Store(store);
}

function create(workOrders: number, customers: number, start: number, until: number): Store {
	const store = new Store();
	const random = new Random(start);
	seedLookups(store);
	seedModels(store);
	seedCustomFieldDescriptors(store);
	seedAttributeDescriptors(store);
	const places = seedPlaces(store, random, customers);
	const staff = seedPeople(store, random);
	seedWorkOrders({ store, random, places, staff }, workOrders, until);
	for (const add of [
		seedPurchasing,
		seedVendors,
		seedScheduling,
		seedOffice,
		seedTimeCards,
		seedBilling,
		seedProcedures,
	]) {
		add(store, until);
	}
	return store.freeze();
}
