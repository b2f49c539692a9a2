import { matchingKeys, registryPerRun, type DedupeKey } from '../../once/registry';
import { batches } from '../../protocol/batches';
import { isBlank, ValidationError, quote, type JsonObject } from '../../protocol/checks';
import { allOf, and, isIn, notRemoved, type Condition } from '../../protocol/criteria';
import { carriesCustomFields } from '../../protocol/customFields';
import {
	comparableKey,
	keyConditions,
	keysOf,
	keyValue,
	withoutKeys,
	type KeyColumn,
} from '../../protocol/keys';
import { nameProperty } from '../../protocol/withNames';
import { allRows } from '../../records/query';
import type { ItemContext } from '../../run/context';
import { allMembers, type Given } from './given';
import { completeRecords, extentOf, fieldsApart, unknownPaths, type Extent } from './stored';

/** Record that an item describes, and the columns that identify it. */
export interface Described {
	entity: string;
	given: Given;
	columns: readonly KeyColumn[];
	/** Other properties of the record to read. */
	read?: readonly string[];
}

interface Wanted extends Described, Extent {
	/** Values of the columns, as entered. */
	values: readonly unknown[];
	/** Text that is equal for all items that describe the same record. */
	key: string;
	/** Members of a new record. */
	all: JsonObject;
	/** Members that an existing record is compared with. */
	members: JsonObject;
}

function wantedBy(context: ItemContext, described: Described): Wanted {
	const { entity, given, columns, read = [] } = described;
	const { field, utc } = given;
	const all = allMembers(given);
	const values = columns.map((column) => keyValue(field, column, all));
	const extent = extentOf(context, entity, { members: all, utc });
	return {
		...described,
		values,
		key: keyIn(entity, columns, comparableKey(columns, values)),
		all,
		members: withoutKeys(columns, all),
		...extent,
		paths: [...extent.paths, ...read],
	};
}

const keyIn = (entity: string, columns: readonly KeyColumn[], text: string) =>
	[entity, ...columns.map(({ id }) => id), text].join();

/** Messages show the key in words: `TenantCode "N-1"`. */
export const keyText = ({ columns, values }: Wanted): string =>
	columns.map(({ id, label = id }, index) => `${label} ${quote(values[index])}`).join(' and ');

const BY_COLUMNS: DedupeKey<Wanted> = {
	key: ({ key }) => key,
	group: ({ entity, columns, paths }) =>
		[entity, ...columns.map(({ id }) => id), ...unknownPaths(entity, paths)].join(),
	read: async (context, wanted) => {
		const rows: JsonObject[] = [];
		for (const conditions of await conditionsFor(context, wanted)) {
			rows.push(...(await read(context, wanted, ...conditions)));
		}
		return rows;
	},
	reread: async (context, wanted, id) => await read(context, [wanted], isIn('Id', [id])),
	keysIn: (row, [{ entity, columns }], wantedKeys) => {
		const keys = keysOf(columns, row).map((text) => keyIn(entity, columns, text));
		const found = matchingKeys(keys, wantedKeys);
		// Conditions on several columns or on rows also find records that have none of the keys.
		const isExact = columns.length === 1 && columns[0].row === undefined;
		return found.length === 0 && isExact ? undefined : found;
	},
	describe: (wanted) => `a record with ${keyText(wanted)}`,
	unexpected: [
		'Corrigo answered the look-up of records with one that was not asked for',
		'Nothing was written. Match on another property.',
	],
};

/** Items of a run share requests that find the records to create or update. */
export const matchesOf = (describe: (context: ItemContext) => Described) =>
	registryPerRun(BY_COLUMNS, (context) => wantedBy(context, describe(context)));

export type Match = Awaited<ReturnType<ReturnType<typeof matchesOf>['of']>>;

const MAX_SHOWN = 10;

export async function matchOf({
	context,
	registry,
	wanted,
}: Match): Promise<JsonObject | undefined> {
	const rows = await registry.records(context, wanted);
	if (rows.length < 2) return rows[0];
	const name = nameProperty(wanted.entity) ?? '';
	const ids = rows
		.slice(0, MAX_SHOWN)
		.map((row) => (isBlank(row[name]) ? row.Id : `${String(row[name])} (ID ${String(row.Id)})`));
	throw new ValidationError(
		`There are ${rows.length} ${wanted.entity} records with ${keyText(wanted)}: ${ids.join(', ')}${rows.length > MAX_SHOWN ? ', …' : ''}`,
		'Nothing was written. Match on what only one of them has, or change the others in Corrigo.',
	);
}

/**
 * Custom fields that are separate records are searched first, and their owners' IDs become the
 * condition.
 */
async function conditionsFor(
	context: ItemContext,
	wanted: readonly Wanted[],
): Promise<Condition[][]> {
	const [{ entity, columns }] = wanted;
	const isApart = ({ row }: KeyColumn) =>
		row?.type === 'CustomField2' && !carriesCustomFields(entity);
	const own = keyConditions(
		columns.filter((column) => !isApart(column)),
		wanted.map(({ values }) => values.filter((_, index) => !isApart(columns[index]))),
	);
	let conditions = [own];
	for (const [index, column] of columns.entries()) {
		if (!isApart(column)) continue;
		const values = new Set(wanted.map((one) => String(one.values[index])));
		const kind = Number(column.row?.kind);
		const rows = await fieldsApart(context, entity, [kind], isIn('Value', [...values]));
		const ids = new Set(rows.map(({ ObjectId }) => ObjectId));
		conditions = conditions.flatMap((before) =>
			batches(ids).map((some) => [...before, isIn('Id', some)]),
		);
	}
	return conditions;
}

/** A record is returned once, even if several of its rows meet the conditions. */
async function read(
	context: ItemContext,
	wanted: readonly Wanted[],
	...conditions: Condition[]
): Promise<JsonObject[]> {
	const [{ entity }] = wanted;
	const { caller, sendOptions } = context;
	const properties = [...new Set(wanted.flatMap(({ paths }) => paths))];
	const criteria = allOf(and(...conditions), notRemoved(entity));
	const all = await allRows(caller, entity, criteria, properties, sendOptions);
	const rows = new Map(all.map((row) => [row.Id, row]));
	return await completeRecords(context, entity, rows, wanted);
}
