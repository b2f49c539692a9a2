import { batches, MAX_NAMES } from '../protocol/batches';
import { isObject, type JsonObject } from '../protocol/checks';
import { allOf, and, isIn, or, type Criteria } from '../protocol/criteria';
import { normalize } from '../protocol/values';
import { allRows } from './query';
import type { Caller, SendOptions } from '../transport/send';

/** The context and options of the requests. */
export interface Requester {
	readonly caller: Caller;
	readonly sendOptions?: SendOptions;
}

export interface LookUp {
	entity: string;
	/** The properties to compare, including paths through references and collections. */
	by: readonly string[];
	/** More properties to read. */
	properties?: readonly string[];
	where?: Criteria;
}

/** Records by their normalized value. */
export type RowsByValue = Map<string, JsonObject[]>;

/**
 * Finds all records that have one of the values in one of the properties, with few requests for many
 * values.
 */
export async function lookUp(
	{ caller, sendOptions }: Requester,
	{ entity, by, properties = [], where }: LookUp,
	values: Iterable<unknown>,
): Promise<RowsByValue> {
	const wanted = new Map([...values].map((value) => [normalize(value), value]));
	const read = [...new Set(['Id', ...by, ...properties])];
	const found: RowsByValue = new Map();
	for (const some of batches(wanted.values(), { maxValues: MAX_NAMES })) {
		const criteria = allOf(or(...by.map((property) => isIn(property, some))), where);
		const rows = await allRows(caller, entity, criteria, read, sendOptions);
		for (const row of rows) addRow(found, wanted, by, row);
	}
	return found;
}

interface RecordsOptions {
	where?: Criteria;
	distinct?: boolean;
}

/** The records with these Ids. As there is one for each at most, as many rows as Ids are all. */
export async function recordsById(
	{ caller, sendOptions }: Requester,
	entity: string,
	ids: Iterable<number>,
	properties: readonly string[],
	{ where, distinct }: RecordsOptions = {},
): Promise<Map<number, JsonObject>> {
	const read = properties.includes('*') ? [...properties] : [...new Set(['Id', ...properties])];
	const found = new Map<number, JsonObject>();
	for (const some of batches(ids)) {
		const options = { ...sendOptions, distinct, limit: some.length };
		const criteria = allOf(and(isIn('Id', some)), where);
		const rows = await allRows(caller, entity, criteria, read, options);
		for (const row of rows) found.set(Number(row.Id), row);
	}
	return found;
}

/** Ignores rows that were not asked for: the service may compare less strictly. */
function addRow(
	found: RowsByValue,
	wanted: ReadonlyMap<string, unknown>,
	by: readonly string[],
	row: JsonObject,
): void {
	for (const key of new Set(by.flatMap((path) => valuesAt(row, path)).map(normalize))) {
		if (!wanted.has(key)) continue;
		const same = found.get(key) ?? [];
		found.set(key, same);
		same.push(row);
	}
}

/** The database of the service may ignore case and accents. */
export const equalsIgnoringAccents = (one: string, other: string) =>
	byLetters.compare(one, other) === 0;

const byLetters = new Intl.Collator('en', { sensitivity: 'base' });

/** The values at the end of a path: several if it leads through a collection. */
export function valuesAt(record: unknown, path: string): unknown[] {
	let values: unknown[] = [record];
	for (const name of path.split('.')) {
		values = values.flatMap((one) => (isObject(one) ? one[name] : undefined));
	}
	return values.filter((value) => value !== undefined && value !== null);
}
