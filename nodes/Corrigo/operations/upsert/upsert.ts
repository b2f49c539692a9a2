import type { INodeExecutionData } from 'n8n-workflow';

import { type EntityName, carriesCustomFields } from '../../catalogue/entities';
import { getNoun } from '../../catalogue/views';
import { optionFields } from '../../form/options';
import { getRecordKey, type Specifier } from '../../wire/answers';
import { createEmptyError, quote, ValidationError } from '../../values/errors';
import { type JsonObject, toRows } from '../../values/objects';
import { isBlank } from '../../values/scalars';
import { applyMembers, findDifferences } from '../../compare/differences';
import { toItem, oncePerRun, type ItemContext } from '../../run/context';
import type { Operation } from '../../run/operation';
import { findAttributeName } from '../write/attributes';
import {
	createOutputBuilder,
	getWriteFields,
	addCleared,
	toSpecifier,
	updateRecord,
	buildNewRecord,
	createFromInput,
	describeInput,
	isMappedByName,
	isPasted,
	readInput,
	readMapping,
	getAllMembers,
	type RecordInput,
	requireSupport,
} from '../write/record';
import {
	completeRecords,
	getExtent,
	loadCustomFields,
	getUnknownPaths,
	type Extent,
} from '../write/stored';
import { readMissingRule, skipIfChanged, updateCurrent } from '../write/versions';
import { translateRecordTimes } from '../write/zones';
import { getColumnLabel } from '../../columns/columns';
import { buildColumnFields, MATCH_LABELS, matchOnField } from '../../form/fields';
import type { Subject } from '../../form/subjects';
import {
	parseKeyColumn,
	type KeyColumn,
	toComparableKey,
	buildKeyConditions,
	readKeys,
	requireKeyValue,
	omitKeys,
	trimKeys,
} from '../../compare/keys';
import { getEntityFields } from '../subject';
import { createRunRegistry, type DedupeRules } from './registry';
import {
	type Condition,
	batches,
	joinCriteria,
	and,
	isIn,
	excludeRemoved,
} from '../../wire/criteria';
import type { CustomValue } from '../../compare/customFields';
import { getNameProperty } from '../../records/names';
import { loadAllRows } from '../../records/query';
import { NOT_CREATED } from '../../wire/requests';
import type { Form } from '../../form/form';

/** Form whose items describe a record to create or update. */
interface UpsertDefinition extends Pick<Operation, 'action' | 'description' | 'fields'> {
	/** Undefined if the user chooses the entity in the form. */
	entity: EntityName | undefined;
	describe: (context: ItemContext) => RecordDescription;
	/** Fails an item that lacks required values of a new record. */
	checkNew: (match: Match) => Promise<unknown>;
	/** Creates the record; its request must be sent through `once`, which prevents duplicates. */
	create: (match: Match, once: Once) => Promise<Specifier>;
}

type Once = (send: () => Promise<object>) => Promise<Specifier>;

export function buildFormUpsert({
	entity,
	describe,
	fields,
	checkNew,
	create,
	...texts
}: UpsertDefinition): Operation {
	const matches = createMatchRegistry(describe);
	return {
		name: 'Create or Update',
		value: 'upsert',
		...texts,
		fields: [
			...fields,
			...getWriteFields(entity, [
				...(['expectedVersion', 'fieldsToClear', 'ifChanged'] as const),
				...(['returnBefore', 'updateOnly'] as const),
			]),
		],
		changes: matches.getKeys,
		check: async (context) => await check(await matches.of(context), checkNew),
		each: async (context) => await upsert(await matches.of(context), create),
	};
}

/** Keys of the records that will exist after the items checked so far have run. */
const getCreatedKeys = oncePerRun(() => new Set<string>());

/** Required values matter only for new records, so only an incomplete item looks for its record. */
async function check(match: Match, checkNew: UpsertDefinition['checkNew']): Promise<void> {
	const { context, wanted } = match;
	if (readMissingRule(context, wanted.entity) !== 'create') return;
	const created = getCreatedKeys(context);
	await checkNew(match).then(
		() => created.add(wanted.key),
		async (failure: unknown) => {
			if (!created.has(wanted.key) && (await findMatch(match)) === undefined) throw failure;
		},
	);
}

async function upsert(
	match: Match,
	create: UpsertDefinition['create'],
): Promise<INodeExecutionData[]> {
	const { context, registry, wanted } = match;
	const { entity, columns, values } = wanted;
	const missing = readMissingRule(context, entity);
	const find = () => findMatch(match);
	const row = await find();
	const updated =
		row &&
		(await registry.inTurn(
			row,
			find,
			async (record) => record && updateCurrent(record, find, (now) => update(match, now)),
		));
	if (updated !== undefined) return updated;
	if (missing === 'create') return await createMissing(match, create);
	if (missing === 'error') {
		throw new ValidationError(
			`There is no ${getNoun(entity)} with ${formatKey(wanted)}`,
			context.options.updateOnly === undefined
				? 'It was deleted, or got another key, since it was read. None was made.'
				: `'${optionFields.updateOnly.displayName}' is on, so none was made.`,
		);
	}
	const key = Object.fromEntries(
		columns.map(({ id, label = id }, index) => [label, values[index]]),
	);
	return [toItem({ Outcome: 'missing', ...key })];
}

async function createMissing(
	match: Match,
	create: UpsertDefinition['create'],
): Promise<INodeExecutionData[]> {
	const { context, registry, wanted } = match;
	const { entity, all } = wanted;
	const buildOutput = createOutputBuilder(context, entity);
	const specifier = await create(match, async (send) => {
		const record = await registry.create(context, wanted, async () => ({
			...all,
			...(await send()),
		}));
		context.run.names.noteRecord(entity, record);
		return toSpecifier(entity, record);
	});
	context.run.versions.note(entity, specifier);
	return await buildOutput(specifier, all, { Outcome: 'created' });
}

/** Changes that a dry run has planned so far, by record. */
const getPlanned = oncePerRun(() => new Map<unknown, JsonObject[]>());

async function update(
	{ context, registry, wanted }: Match,
	stored: JsonObject,
): Promise<INodeExecutionData[]> {
	const { entity, input, all } = wanted;
	const id = stored.Id === NOT_CREATED ? wanted.key : getRecordKey(entity, Number(stored.Id));
	const planned = getPlanned(context).get(id) ?? [];
	const row = planned.reduce((record, changes) => applyMembers(entity, record, changes), stored);
	const buildOutput = createOutputBuilder(context, entity);
	const described = { ...input, members: wanted.members };
	const wantedMembers = await translateRecordTimes(context, entity, described, row);
	const { members, changed } = findDifferences(entity, row, wantedMembers);
	const before = toSpecifier(entity, row);
	if (changed.length === 0) return await buildOutput(before, all, { Outcome: 'unchanged' }, row);
	const skipped = skipIfChanged(context, entity, row, members);
	if (skipped !== undefined) return skipped;
	if (context.isDryRun) getPlanned(context).set(id, [...planned, members]);
	const specifier = await registry.update(context, wanted, row, async () =>
		updateRecord(context, before, {
			field: input.field,
			members,
			custom: wanted.custom.filter(({ descriptor }) => changed.includes(toCustomPath(descriptor))),
			record: row,
		}),
	);
	context.run.versions.note(entity, specifier, row.ConcurrencyId);
	const Changed = changed.map(
		(path) =>
			wanted.custom.find(({ descriptor }) => path === toCustomPath(descriptor))?.label ??
			findAttributeName(context, path) ??
			path,
	);
	return await buildOutput(specifier, all, { Outcome: 'updated', Changed });
}

const toCustomPath = (descriptor: number) => `CustomFields.${descriptor}`;

export const buildUpsertOperation = (subject: Subject): Operation =>
	buildFormUpsert({
		entity: subject.entity,
		action: `Create or update ${subject.noun}`,
		description: 'Create a new record, or update the current one if it already exists (upsert)',
		fields: [...getEntityFields(subject), ...buildColumnFields('upsert', subject.entity)],
		describe: (context) => {
			const entity = requireSupport(context.entity(subject), 'update');
			if (readMissingRule(context, entity) === 'create') requireSupport(entity, 'create');
			const input = readInput(context, entity, 'upsert');
			return { entity, input, columns: readMatchColumns(context, entity) };
		},
		checkNew: async ({ wanted: { entity, input } }) => buildNewRecord(entity, input),
		create: async ({ context, wanted: { entity, input } }, once) =>
			await createFromInput(context, entity, input, (request) => once(() => context.send(request))),
	});

function readMatchColumns(form: Form, entity: string): KeyColumn[] {
	const { matchingColumns, schema } = readMapping(form);
	const [field, input] = isPasted(form)
		? [matchOnField.displayName, form.read(matchOnField).split(',')]
		: [MATCH_LABELS.title, matchingColumns];
	const ids = (Array.isArray(input) ? input : []).filter((id) => String(id).trim() !== '');
	if (ids.length === 0) {
		throw createEmptyError(
			field,
			'Choose what identifies a record, such as its TenantCode or Number.',
		);
	}
	const labels = new Map(toRows(schema).map(({ id, displayName }) => [id, String(displayName)]));
	return ids.map((id) => {
		const column = parseKeyColumn(field, entity, id);
		if (isPasted(form)) return column;
		return { ...column, label: labels.get(id) ?? getColumnLabel(entity, column.id) };
	});
}

/** Record that an item describes, and the columns that identify it. */
interface RecordDescription {
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
	/** Items of a group share queries. */
	group: string;
	/** Members of a new record. */
	all: JsonObject;
	/** Members that an existing record is compared with, and its custom fields. */
	members: JsonObject;
	custom: readonly CustomValue[];
}

function toKeyedRecord(context: ItemContext, described: RecordDescription): KeyedRecord {
	const { entity, columns, read = [] } = described;
	const input = trimInput(described.input, columns);
	const { field, utc } = input;
	const all = getAllMembers(input);
	const advice = isMappedByName(context) ? describeInput(context) : undefined;
	const values = columns.map((column) => requireKeyValue(field, column, all, advice));
	const cleared = addCleared(context, entity, input);
	const changes = getAllMembers(cleared);
	const extent = getExtent(context, entity, { members: changes, utc });
	const paths = [...extent.paths, ...read];
	return {
		...described,
		input,
		values,
		group: [entity, ...columns.map(({ id }) => id), ...getUnknownPaths(entity, paths)].join(),
		key: buildKey(entity, columns, toComparableKey(columns, values)),
		all,
		members: omitKeys(columns, changes),
		custom: cleared.custom,
		...extent,
		paths,
	};
}

function trimInput(input: RecordInput, columns: readonly KeyColumn[]): RecordInput {
	const isKey = ({ descriptor }: CustomValue) =>
		columns.some(({ id }) => id === toCustomPath(descriptor));
	return {
		...input,
		members: trimKeys(columns, input.members),
		custom: input.custom.map((one) => (isKey(one) ? { ...one, value: one.value.trimEnd() } : one)),
	};
}

const buildKey = (entity: string, columns: readonly KeyColumn[], text: string) =>
	[entity, ...columns.map(({ id }) => id), text].join();

/** Messages show the key in words: `TenantCode "N-1"`. */
const formatKey = ({ columns, values }: KeyedRecord): string =>
	columns.map(({ id, label = id }, index) => `${label} ${quote(values[index])}`).join(' and ');

const BY_COLUMNS: DedupeRules<KeyedRecord> = {
	key: ({ key }) => key,
	group: ({ group }) => group,
	read: async (context, wanted) => {
		const rows: JsonObject[] = [];
		for (const conditions of await loadConditions(context, wanted)) {
			rows.push(...(await readRecords(context, wanted, ...conditions)));
		}
		return rows;
	},
	reread: async (context, wanted, id) => await readRecords(context, [wanted], isIn('Id', [id])),
	readKeys: (row, [{ entity, columns }]) =>
		readKeys(columns, row).map((text) => buildKey(entity, columns, text)),
	// Conditions on several columns or on rows also find records that have none of the keys.
	mayFind: (_row, [{ columns }]) => columns.length > 1 || columns[0].row !== undefined,
	describe: (wanted) => `a record with ${formatKey(wanted)}`,
	unexpected: [
		'Corrigo answered the look-up of records with one that was not asked for',
		'Nothing was written. Match on another field.',
	],
};

/** Items of a run share requests that find the records to create or update. */
const createMatchRegistry = (describe: (context: ItemContext) => RecordDescription) =>
	createRunRegistry(BY_COLUMNS, (context) => toKeyedRecord(context, describe(context)));

type Match = Awaited<ReturnType<ReturnType<typeof createMatchRegistry>['of']>>;

const MAX_SHOWN = 10;

async function findMatch({ context, registry, wanted }: Match): Promise<JsonObject | undefined> {
	const rows = await registry.findRecords(context, wanted);
	if (rows.length < 2) return rows[0];
	const name = getNameProperty(wanted.entity) ?? '';
	const ids = rows
		.slice(0, MAX_SHOWN)
		.map((row) => (isBlank(row[name]) ? row.Id : `${String(row[name])} (ID ${String(row.Id)})`));
	throw new ValidationError(
		`There are ${rows.length} ${getNoun(wanted.entity)} records with ${formatKey(wanted)}: ${ids.join(', ')}${rows.length > MAX_SHOWN ? ', …' : ''}`,
		'Nothing was written. Match on what only one of them has, or change the others in Corrigo.',
	);
}

/** Custom fields that are separate records are searched first, for the IDs of their owners. */
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
	const properties = [...new Set(wanted.flatMap(({ paths }) => paths))];
	const criteria = joinCriteria(and(...conditions), excludeRemoved(entity));
	const all = await loadAllRows(context, entity, criteria, properties);
	const rows = new Map(all.map((row) => [row.Id, row]));
	return await completeRecords(context, entity, rows, wanted);
}
