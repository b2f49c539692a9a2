import { addToTree } from '../base/assetTree';
import type { Store } from '../store/store';
import { seedAttributes, seedCustomerField } from './customFields';
import { FIRST_ID, SERVICE_USER } from './lookups';
import { Random } from './random';
import { CUSTOMER_NAMES, FIRST_NAMES, LAST_NAMES, MODELS, STREETS, ZONES } from './sampleData';

/** A space with its customer, contact and equipment, from which orders are seeded. */
export interface Place {
	customer: number;
	zone: number;
	contact: number;
	contactName: string;
	space: number;
	unit: string;
	/** One asset per model. */
	equipment: number[];
}

export const TASK_IDS_BY_MODEL = MODELS.map(({ tasks }, model) => {
	const before = MODELS.slice(0, model).reduce((sum, other) => sum + other.tasks.length, 0);
	return tasks.map((_, index) => FIRST_ID.task + before + index);
});

/** Ids of the models of places follow those of equipment. */
const PLACE_MODELS: Readonly<Record<string, number>> = {
	Community: FIRST_ID.model + MODELS.length,
	Building: FIRST_ID.model + MODELS.length + 1,
	Unit: FIRST_ID.model + MODELS.length + 2,
};

export function seedModels(store: Store): void {
	for (const [index, { name, tasks, specialty }] of MODELS.entries()) {
		const ModelId = FIRST_ID.model + index;
		store.insert('Model', { Id: ModelId, DisplayAs: name, AssetCategoryId: 'Equipment' });
		for (const [at, DisplayAs] of tasks.entries()) {
			store.insert('Task', {
				Id: TASK_IDS_BY_MODEL[index][at],
				ModelId,
				DisplayAs,
				Corrective: at === 0,
				Routine: at !== 0,
				CompletionTime: 60 * (at + 1),
				Specialty: { Id: specialty + 1 },
				Priority: { Id: 1 + ((index + at) % 4) },
			});
		}
	}
	for (const [AssetCategoryId, Id] of Object.entries(PLACE_MODELS)) {
		store.insert('Model', { Id, DisplayAs: AssetCategoryId, AssetCategoryId });
	}
}

/** Adds assets and their place in the tree. */
class Assets {
	constructor(private readonly store: Store) {}

	add(members: Record<string, unknown>, parent = 0): number {
		const { Id } = this.store.insert('Location', { ...members, Orphan: false });
		addToTree(this.store, Id, parent);
		return Id;
	}

	equipment(model: number, unit: number): number {
		const Id = this.add(
			{ Name: MODELS[model].name, ModelId: FIRST_ID.model + model, TypeId: 'Equipment' },
			unit,
		);
		this.store.insert('AssetInfo', {
			Id,
			AssetId: Id,
			SerialNumber: `SN-${Id}`,
			TagId: `TAG${Id}`,
		});
		seedAttributes(this.store, Id, unit);
		return Id;
	}
}

export function seedPlaces(store: Store, random: Random, customers: number): Place[] {
	const assets = new Assets(store);
	store.insert('Location', { Id: FIRST_ID.location, Name: 'Unit Templates', IsTemplate: true });
	const template = assets.add({
		Name: 'Standard Unit',
		TypeId: 'Unit',
		ModelId: PLACE_MODELS.Unit,
		IsTemplate: true,
	});
	for (const model of [0, 1, 2]) {
		assets.add(
			{
				Name: MODELS[model].name,
				ModelId: FIRST_ID.model + model,
				TypeId: 'Equipment',
				IsTemplate: true,
			},
			template,
		);
	}
	store.insert('AssetTemplate', { Id: 1, DisplayAs: 'Standard Unit', RootAssetId: template });
	const zones = ZONES.map((zone, index) => seedZone(store, assets, zone, index));
	return Array.from({ length: customers }, (_, index) =>
		seedCustomer(store, assets, random, zones[index % zones.length], index),
	);
}

interface Zone {
	id: number;
	root: number;
	buildings: number[];
	city: string;
	state: string;
}

function seedZone(
	store: Store,
	assets: Assets,
	{ name, prefix, zone, city, state }: (typeof ZONES)[number],
	index: number,
): Zone {
	const place = (Name: string, TypeId: string, parent?: number): number =>
		assets.add({ Name, TypeId, ModelId: PLACE_MODELS[TypeId] }, parent);
	const root = place(name, 'Community');
	const buildings = [1, 2].map((number) => place(`${name}, Building ${number}`, 'Building', root));
	const { Id: id } = store.insert('WorkZone', {
		Id: FIRST_ID.zone + index,
		DisplayAs: name,
		Number: String(100 + index),
		WoNumberPrefix: prefix,
		WoNumberDigits: 7,
		TimeZone: zone,
		LanguageId: 1,
		CurrencyTypeId: 'USD',
		Asset: { Id: root },
		AutoAssignEnabled: true,
		IsOffline: false,
	});
	store.insert('LinkPortfolioAndWorkZone', {
		WorkZoneId: id,
		PortfolioId: zone === 35 ? 1 : 2,
		IsPrimary: true,
	});
	return { id, root, buildings, city, state };
}

function seedCustomer(
	store: Store,
	assets: Assets,
	random: Random,
	zone: Zone,
	index: number,
): Place {
	const repeat = Math.floor(index / CUSTOMER_NAMES.length);
	const name =
		CUSTOMER_NAMES[index % CUSTOMER_NAMES.length] + (repeat > 0 ? ` #${repeat + 1}` : '');
	const { Id: customer } = store.insert('Customer', {
		Id: FIRST_ID.customer + index,
		DisplayAs: name,
		Name: name,
		Dba: name,
		TenantCode: `T${String(1000 + index)}`,
		TaxExempt: index % 9 === 0,
		Instructions: index % 5 === 0 ? 'Call 30 minutes ahead.' : undefined,
		WorkZone: { Id: zone.id },
	});
	seedCustomerField(store, customer);
	const contact = seedContact(store, random, customer, index);
	if (index % 3 === 0) seedNote(store, 'CommLease', customer);
	if (index % 5 === 0) seedNote(store, 'LeaseUser', contact.id);
	const building = zone.buildings[index % zone.buildings.length];
	const unit = `Suite ${100 + index}`;
	const asset = assets.add({ Name: unit, TypeId: 'Unit', ModelId: PLACE_MODELS.Unit }, building);
	const { Id: space } = store.insert('Space', {
		Id: FIRST_ID.space + index,
		CustomerId: customer,
		Asset: { Id: asset },
		WorkZone: { Id: zone.id },
		StatusId: 'Current',
		StartDate: '2021-01-01T00:00:00',
	});
	seedAddress(store, random, zone, space);
	const equipment = MODELS.map((_, model) => assets.equipment(model, asset));
	return {
		customer,
		zone: zone.id,
		contact: contact.id,
		contactName: contact.name,
		space,
		unit,
		equipment,
	};
}

function seedAddress(store: Store, random: Random, zone: Zone, space: number): void {
	store.insert('Address2', {
		ActorTypeId: 'CommLeaseSpace',
		ActorId: space,
		TypeId: 'Primary',
		Street: `${1 + random.below(900)} ${random.pick(STREETS)}`,
		City: zone.city,
		State: zone.state,
		Zip: String(10_000 + random.below(80_000)),
		Country: 'US',
	});
}

function seedNote(store: Store, ActorTypeId: string, ActorId: number): void {
	const at = '2021-02-01T09:00:00';
	store.insert('Note', {
		...{ ActorTypeId, ActorId, NoteTypeLookup: { Id: 1 }, NoteText: 'Prefers calls to mails' },
		...{ CreatedAt: at, CreatedBy: SERVICE_USER, UpdatedAt: at, UpdatedBy: SERVICE_USER },
	});
}

function seedContact(store: Store, random: Random, customer: number, index: number) {
	const FirstName = random.pick(FIRST_NAMES);
	const LastName = random.pick(LAST_NAMES);
	const name = `${FirstName} ${LastName}`;
	const { Id: id } = store.insert('Contact', {
		Id: FIRST_ID.contact + index,
		FirstName,
		LastName,
		DisplayAs: name,
		TypeId: 'Primary',
		CustomerId: customer,
		CanCreateRequest: true,
		PriorityThreshold: 255,
		Number: `C-${index}`,
	});
	const addresses = [
		['PrimEmail', `contact${index}@example.org`],
		['PrimPhone', `+1 555 01${String(index % 100).padStart(2, '0')}`],
	];
	for (const [AddrTypeId, Address] of addresses) {
		store.insert('ContactInfo', { ActorTypeId: 'LeaseUser', ActorId: id, AddrTypeId, Address });
	}
	return { id, name };
}
