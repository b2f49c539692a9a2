import { getKeyProperties } from '../catalogue/entities';
import { batches } from '../values/tools';
import { isObject, type JsonObject, normalize } from '../values/checks';
import { joinCriteria, isIn, or, type Criteria } from '../wire/criteria';
import { loadAllRows } from './query';
import { emptyIfForbidden } from '../transport/errors';
import type { Caller, SendOptions } from '../transport/send';

export interface Requester {
	readonly caller: Caller;
	readonly sendOptions?: SendOptions;
}

export interface LookUp {
	entity: string;
	/** Any of these properties may match; paths may lead through references and collections. */
	by: readonly string[];
	/** Rows include these properties in addition to those that are compared. */
	properties?: readonly string[];
	where?: Criteria;
	distinct?: boolean;
}

/** Keys are normalized values, because Corrigo ignores case. */
export type RowsByValue = Map<string, JsonObject[]>;

/**
 * Finds all records that have one of the values in one of the properties, with few requests for many
 * values.
 */
export async function lookUp(
	{ caller, sendOptions }: Requester,
	{ entity, by, properties = [], where, distinct }: LookUp,
	values: Iterable<unknown>,
): Promise<RowsByValue> {
	const wanted = new Map([...values].map((value) => [normalize(value), value]));
	const read = properties.includes('*') ? properties : ['Id', ...by, ...properties];
	const isById = by.join() === 'Id' && getKeyProperties(entity)?.join() === 'Id';
	const found: RowsByValue = new Map();
	for (const some of batches(wanted.values())) {
		const criteria = joinCriteria(or(...by.map((property) => isIn(property, some))), where);
		// An Id has one record at most, so no further page is needed once each Id has its row.
		const options = { ...sendOptions, distinct, limit: isById ? some.length : Infinity };
		const rows = await loadAllRows(caller, entity, criteria, [...new Set(read)], options);
		for (const row of rows) addRow(found, wanted, by, row);
	}
	return found;
}

/** A service user who may not read the records gets none, and no error. */
export const lookUpIfAllowed = async (
	requester: Requester,
	by: LookUp,
	values: Iterable<unknown>,
): Promise<RowsByValue> =>
	await lookUp(requester, by, values).catch(
		(failure: unknown): RowsByValue => new Map(emptyIfForbidden(failure)),
	);

export async function loadRecordsById(
	requester: Requester,
	entity: string,
	ids: Iterable<number>,
	more: Omit<LookUp, 'entity' | 'by'>,
): Promise<Map<number, JsonObject>> {
	const found = await lookUp(requester, { ...more, entity, by: ['Id'] }, ids);
	return new Map([...found.values()].map(([row]) => [Number(row.Id), row]));
}

/** Ignores rows that were not asked for, because Corrigo may compare less strictly. */
function addRow(
	found: RowsByValue,
	wanted: ReadonlyMap<string, unknown>,
	by: readonly string[],
	row: JsonObject,
): void {
	for (const key of new Set(by.flatMap((path) => collectValues(row, path)).map(normalize))) {
		if (!wanted.has(key)) continue;
		const same = found.get(key) ?? [];
		found.set(key, same);
		same.push(row);
	}
}

/** The database of Corrigo may ignore case and accents. */
export const equalsIgnoringAccents = (one: string, other: string) =>
	letterCollator.compare(one, other) === 0;

const letterCollator = new Intl.Collator('en', { sensitivity: 'base' });

/** A path through a collection leads to several values. */
export function collectValues(record: unknown, path: string): unknown[] {
	let values: unknown[] = [record];
	for (const name of path.split('.')) {
		values = values.flatMap((one) => (isObject(one) ? one[name] : undefined));
	}
	return values.filter((value) => value !== undefined && value !== null);
}
