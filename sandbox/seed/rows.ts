import type { Store, Values } from '../store/store';
import { FIRST_ID } from './lookups';

/** Adds rows to tables, in the order given. */
export function addRows(store: Store, tables: Readonly<Record<string, readonly Values[]>>): void {
	for (const [entity, rows] of Object.entries(tables)) {
		for (const row of rows) store.insert(entity, { ...row });
	}
}

/** Rows with rising Ids that are known by a name. */
export const named = (first: number, ...names: string[]): Values[] =>
	names.map((DisplayAs, index) => ({ Id: first + index, DisplayAs }));

const DAY = 86_400_000;

/** The full hour of a day, counted from the day of a time. */
export const formatDay = (time: number, days: number, hour = 0): string =>
	`${new Date(time + days * DAY).toISOString().slice(0, 10)}T${String(hour).padStart(2, '0')}:00:00`;

export const usd = (Value: number) => ({ CurrencyTypeId: 'USD', Value });

/** The first people and places, which every Company has. */
export const TECHNICIAN = FIRST_ID.employee;
export const PROVIDER = FIRST_ID.employee + 24;
export const ZONE = FIRST_ID.zone;
export const PORTFOLIO = 1;

/** The Ids of the first records; a small Company has none of some. */
export const firstIds = (store: Store, entity: string, count = 1): number[] =>
	store.ids(entity).slice(0, count);
