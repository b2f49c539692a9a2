import { findMatchingKeys, createRunRegistry, type DedupeRules } from './registry';
import { batches } from '../../values/tools';
import { isBlank, ValidationError, quote, type JsonObject } from '../../values/checks';
import { joinCriteria, and, isIn, excludeRemoved, type Condition } from '../../wire/criteria';
import { carriesCustomFields } from '../../compare/customFields';
import {
	toComparableKey,
	buildKeyConditions,
	readKeys,
	requireKeyValue,
	omitKeys,
	type KeyColumn,
} from '../../compare/keys';
import { getNameProperty } from '../../records/names';
import { loadAllRows } from '../../records/query';
import type { ItemContext } from '../../run/context';
import { getAllMembers, type RecordInput } from '../write/record';
import {
	completeRecords,
	getExtent,
	loadCustomFields,
	getUnknownPaths,
	type Extent,
} from '../write/stored';

/** Record that an item describes, and the columns that identify it. */
export interface RecordDescription {
	entity: string;
	input: RecordInput;
	columns: readonly KeyColumn[];
	/** Other properties of the record to read. */
	read?: readonly string[];
}

interface KeyedRecord extends RecordDescription, Extent {
	/** Values of the columns, as entered. */
	values: readonly unknown[];
	/** Text that is equal for all items that describe the same record. */
	key: string;
	/** Members of a new record. */
	all: JsonObject;
	/** Members that an existing record is compared with. */
	members: JsonObject;
}

function toKeyedRecord(context: ItemContext, described: RecordDescription): KeyedRecord {
	const { entity, input, columns, read = [] } = described;
	const { field, utc } = input;
	const all = getAllMembers(input);
	const values = columns.map((column) => requireKeyValue(field, column, all));
	const extent = getExtent(context, entity, { members: all, utc });
	return {
		...described,
		values,
		key: buildKey(entity, columns, toComparableKey(columns, values)),
		all,
		members: omitKeys(columns, all),
		...extent,
		paths: [...extent.paths, ...read],
	};
}

const buildKey = (entity: string, columns: readonly KeyColumn[], text: string) =>
	[entity, ...columns.map(({ id }) => id), text].join();

/** Messages show the key in words: `TenantCode "N-1"`. */
export const formatKey = ({ columns, values }: KeyedRecord): string =>
	columns.map(({ id, label = id }, index) => `${label} ${quote(values[index])}`).join(' and ');

const BY_COLUMNS: DedupeRules<KeyedRecord> = {
	key: ({ key }) => key,
	group: ({ entity, columns, paths }) =>
		[entity, ...columns.map(({ id }) => id), ...getUnknownPaths(entity, paths)].join(),
	read: async (context, wanted) => {
		const rows: JsonObject[] = [];
		for (const conditions of await loadConditions(context, wanted)) {
			rows.push(...(await readRecords(context, wanted, ...conditions)));
		}
		return rows;
	},
	reread: async (context, wanted, id) => await readRecords(context, [wanted], isIn('Id', [id])),
	matchKeys: (row, [{ entity, columns }], wantedKeys) => {
		const keys = readKeys(columns, row).map((text) => buildKey(entity, columns, text));
		const found = findMatchingKeys(keys, wantedKeys);
		// Conditions on several columns or on rows also find records that have none of the keys.
		const isExact = columns.length === 1 && columns[0].row === undefined;
		return found.length === 0 && isExact ? undefined : found;
	},
	describe: (wanted) => `a record with ${formatKey(wanted)}`,
	unexpected: [
		'Corrigo answered the look-up of records with one that was not asked for',
		'Nothing was written. Match on another property.',
	],
};

/** Items of a run share requests that find the records to create or update. */
export const createMatchRegistry = (describe: (context: ItemContext) => RecordDescription) =>
	createRunRegistry(BY_COLUMNS, (context) => toKeyedRecord(context, describe(context)));

export type Match = Awaited<ReturnType<ReturnType<typeof createMatchRegistry>['of']>>;

const MAX_SHOWN = 10;

export async function findMatch({
	context,
	registry,
	wanted,
}: Match): Promise<JsonObject | undefined> {
	const rows = await registry.findRecords(context, wanted);
	if (rows.length < 2) return rows[0];
	const name = getNameProperty(wanted.entity) ?? '';
	const ids = rows
		.slice(0, MAX_SHOWN)
		.map((row) => (isBlank(row[name]) ? row.Id : `${String(row[name])} (ID ${String(row.Id)})`));
	throw new ValidationError(
		`There are ${rows.length} ${wanted.entity} records with ${formatKey(wanted)}: ${ids.join(', ')}${rows.length > MAX_SHOWN ? ', …' : ''}`,
		'Nothing was written. Match on what only one of them has, or change the others in Corrigo.',
	);
}

/**
 * Custom fields that are separate records are searched first, and their owners' IDs become the
 * condition.
 */
async function loadConditions(
	context: ItemContext,
	wanted: readonly KeyedRecord[],
): Promise<Condition[][]> {
	const [{ entity, columns }] = wanted;
	const isApart = ({ row }: KeyColumn) =>
		row?.type === 'CustomField2' && !carriesCustomFields(entity);
	const own = buildKeyConditions(
		columns.filter((column) => !isApart(column)),
		wanted.map(({ values }) => values.filter((_, index) => !isApart(columns[index]))),
	);
	let conditions = [own];
	for (const [index, column] of columns.entries()) {
		if (!isApart(column)) continue;
		const values = new Set(wanted.map((one) => String(one.values[index])));
		const kind = Number(column.row?.kind);
		const rows = await loadCustomFields(context, entity, [kind], isIn('Value', [...values]));
		const ids = new Set(rows.map(({ ObjectId }) => ObjectId));
		conditions = conditions.flatMap((before) =>
			batches(ids).map((some) => [...before, isIn('Id', some)]),
		);
	}
	return conditions;
}

/** A record is returned once, even if several of its rows meet the conditions. */
async function readRecords(
	context: ItemContext,
	wanted: readonly KeyedRecord[],
	...conditions: Condition[]
): Promise<JsonObject[]> {
	const [{ entity }] = wanted;
	const { caller, sendOptions } = context;
	const properties = [...new Set(wanted.flatMap(({ paths }) => paths))];
	const criteria = joinCriteria(and(...conditions), excludeRemoved(entity));
	const all = await loadAllRows(caller, entity, criteria, properties, sendOptions);
	const rows = new Map(all.map((row) => [row.Id, row]));
	return await completeRecords(context, entity, rows, wanted);
}
