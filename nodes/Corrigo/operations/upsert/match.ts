import {
	carriesCustomFields,
	findEntityMemberType,
	isReadOnlyMember,
	isReference,
} from '../../catalogue/entities';
import { enumerations } from '../../catalogue/enumerations';
import {
	findDescriptorEntity,
	findRowKinds,
	findRowType,
	isIdentity,
	isWriteOnly,
} from '../../catalogue/members';
import {
	createEmptyError,
	extendLabel,
	formatList,
	quote,
	toLabel,
	ValidationError,
} from '../../values/errors';
import {
	type JsonObject,
	getMember,
	isObject,
	readPath,
	replaceMember,
	toRows,
} from '../../values/objects';
import { parsePropertyPath, isBlank } from '../../values/input';
import {
	equal,
	isIn,
	type Condition,
	type Criteria,
	batches,
	collectPaths,
	joinCriteria,
	and,
	excludeRemoved,
} from '../../wire/criteria';
import { getAttributes, getCustomFields } from '../../compare/customFields';
import { toComparable } from '../../compare/differences';
import { isComparedHere, toTypedKey } from '../../values/typedTexts';
import { COMPANY_DEFAULT, isNoCurrency } from '../amounts';
import { requireKeyDefinition } from '../write/described';
import { getDecidingParts } from '../write/settling';
import { translateKeyTimes } from '../write/zones';
import { findRowKind, getKind } from '../../values/rows';
import { spellPath } from '../../values/memberNames';
import { getNoun } from '../../catalogue/views';
import type { ItemContext, ResolvingForm } from '../../run/context';
import {
	addCleared,
	describeInput,
	isMappedByName,
	isPasted,
	readMapping,
	type RecordInput,
} from '../write/record';
import {
	completeRecords,
	getExtent,
	loadCustomFields,
	getUnknownPaths,
	type Extent,
} from '../write/stored';
import { getColumnLabel } from '../../columns/columns';
import { MATCH_LABELS, matchOnField } from '../../form/fields';
import { createRunRegistry, type DedupeRules } from './registry';
import { getNameProperty } from '../../records/names';
import { loadAllRows, type Requester } from '../../records/query';

/** A property whose values identify records. */
export interface KeyColumn {
	/** A path, such as TenantCode, WorkZone.Id, ContactAddresses.PrimEmail or CustomFields.17. */
	id: string;
	/** Replaces the ID in messages. */
	label?: string;
	/** The type decides how values are compared. */
	type: string;
	/** Set if the value is in a collection that has one row of each kind. */
	row?: { collection: string; type: string; kind: string };
	/** Type of the text of a custom field or an attribute. */
	textType?: unknown;
	/** The definition of a custom field or an attribute that is a record of its own. */
	definition?: number;
}

const EXAMPLES = 'Examples: TenantCode, WorkZone.Id, ContactAddresses.PrimEmail, CustomFields.17';

export function parseKeyColumn(field: string, entity: string, input: unknown): KeyColumn {
	const id = spellPath(entity, String(input ?? '').trim());
	const [collection, given, ...more] = id.split('.');
	const type = findRowType(entity, collection);
	if (type !== undefined) {
		const kind = findRowKind(type, given) ?? '';
		if (more.length === 0 && isKind(type, kind)) {
			return {
				id: `${collection}.${kind}`,
				type: 'string',
				row: { collection, type, kind },
			};
		}
		throw new ValidationError(
			`'${field}' has ${quote(id)}, which does not name a single value of a record`,
			EXAMPLES,
		);
	}
	if (isIdentity(id) || isReadOnlyMember(entity, id)) {
		throw new ValidationError(
			`'${field}' has ${quote(id)}, which Corrigo gives to a new record itself`,
			"Choose a field that you give. With the ID of the record, use 'Update'.",
		);
	}
	if (isWriteOnly(entity, id)) {
		throw new ValidationError(
			`'${field}' has ${quote(id)}, which Corrigo never returns`,
			'Choose a field that it returns. Otherwise, each run would create the record again.',
		);
	}
	const path = parsePropertyPath(field, id);
	const own = findEntityMemberType(entity, path) ?? '';
	return isReference(own) ? { id: `${path}.Id`, type: 'integer' } : { id: path, type: own };
}

const isKind = (type: string, kind: string) =>
	findDescriptorEntity(type) !== undefined
		? /^[1-9]\d*$/.test(kind)
		: type === 'ContactInfo' && enumerations.ContactAddrType.some((one) => one === kind);

/** An empty value would identify no record, so it is refused. */
export function requireKeyValue(
	field: string,
	column: KeyColumn,
	members: JsonObject,
	advice = 'Give each item a value there, or leave out items without one.',
): unknown {
	const value = readValues(column, members)[0];
	const { label = column.id } = column;
	if (isBlank(value)) {
		const missing =
			column.label === undefined
				? `'${field}' has no value for ${quote(label)}`
				: `This item has no value for '${toLabel(column.label)}'`;
		throw new ValidationError(`${missing}, which identifies the record`, advice);
	}
	if (typeof value === 'object') {
		throw new ValidationError(
			`'${field}' has ${quote(value, label)} for ${quote(label)}, which is not a single value`,
		);
	}
	return trimKey(column.type, value);
}

function readValues({ id, row }: KeyColumn, record: JsonObject): unknown[] {
	if (row === undefined) return [readPath(record, id)];
	return toRows(getMember(record, row.collection))
		.filter((one) => getKind(row.type, one) === row.kind)
		.map((one) => getMember(one, findRowKinds(row.type)?.value ?? ''));
}

/** The database of the service ignores case. */
const toKeyText = ({ type, row, textType }: KeyColumn, value: unknown): string => {
	const trimmed = trimKey(type, value);
	const isRow = row !== undefined && findDescriptorEntity(row.type) !== undefined;
	return (
		isRow || textType !== undefined ? toTypedKey(textType, trimmed) : toComparable(type, trimmed)
	).toLowerCase();
};

/**
 * Keys of tables and web pages may end in white space, by which nobody tells records apart. The service
 * stores times in hundredths of a second, so a key with more digits would never be found again.
 */
function trimKey(type: string, value: unknown): unknown {
	if (typeof value !== 'string') return value;
	return type === 'datetime' ? value.trim().replace(/(\.\d\d)\d+/, '$1') : value.trimEnd();
}

export const toComparableKey = (
	columns: readonly KeyColumn[],
	values: readonly unknown[],
): string => JSON.stringify(columns.map((column, index) => toKeyText(column, values[index])));

/** A record with several rows of one kind has several keys. */
export const readKeys = (columns: readonly KeyColumn[], record: JsonObject): string[] => {
	const combined = columns.reduce<unknown[][]>(
		(before, column) =>
			before.flatMap((values) => readValues(column, record).map((value) => [...values, value])),
		[[]],
	);
	return [...new Set(combined.map((values) => toComparableKey(columns, values)))];
};

/** White space at the end of a text, without the blanks that the database ignores. */
const getEnd = (value: unknown): string =>
	typeof value === 'string' ? value.slice(value.trimEnd().length).replace(/ +$/, '') : '';

/**
 * The conditions compare single columns, so some of the records found have none of the keys. The
 * service may look for two columns of a collection in one row, and find nothing, so the first counts.
 */
export const buildKeyConditions = (
	columns: readonly KeyColumn[],
	keys: ReadonlyArray<readonly unknown[]>,
): Condition[] =>
	columns.flatMap((column, index) => {
		const values = new Map(
			keys.map(({ [index]: value }) => [toKeyText(column, value) + getEnd(value), value]),
		);
		const sent = [...values.values()];
		const { row, definition } = column;
		// Corrigo compares texts alone, so all values of the definition are read.
		if (definition !== undefined) return [equal('Descriptor.Id', definition)];
		const kind = findRowKinds(row?.type ?? '');
		if (row === undefined || kind === undefined) return [isIn(column.id, sent)];
		const isFirst = columns.find((one) => one.row?.collection === row.collection) === column;
		if (!isFirst) return [];
		const sentKind = findDescriptorEntity(row.type) === undefined ? row.kind : Number(row.kind);
		return [
			isIn(`${row.collection}.${kind.value}`, sent),
			equal(`${row.collection}.${kind.by}`, sentKind),
		];
	});

/** An amount has its currency next to it. */
function listCurrencies({ id, row }: KeyColumn, record: JsonObject): unknown[] {
	const [last, ...outer] = id.split('.').reverse();
	const holders =
		row !== undefined
			? toRows(getMember(record, row.collection)).filter(
					(one) => getKind(row.type, one) === row.kind,
				)
			: last === 'Value'
				? [outer.length === 0 ? record : readPath(record, outer.reverse().join('.'))]
				: [];
	return holders.map((one) => getMember(one, 'CurrencyTypeId')).filter((one) => !isNoCurrency(one));
}

/** The service finds an amount in any currency. One without a currency means that of the record. */
export function requireKeyCurrency({ columns, input }: KeyedRecord, record: JsonObject): void {
	for (const column of columns) {
		const given = listCurrencies(column, input.members).find((one) => one !== COMPANY_DEFAULT);
		const stored = listCurrencies(column, record);
		if (given === undefined || stored.length === 0 || stored.includes(given)) continue;
		const { label = column.id } = column;
		throw new ValidationError(
			`'${toLabel(label)}' is an amount in ${String(given)}, but that of the record that was found is in ${stored.join(' and ')}`,
			'Nothing was written. Match on another field, or leave the currency out.',
		);
	}
}

/** Keys identify the record, so a write must not change them. */
export const omitKeys = (columns: readonly KeyColumn[], members: JsonObject): JsonObject =>
	columns.reduce((left, { id, row }) => {
		if (row === undefined) return replacePath(left, id.split('.'), () => undefined);
		const rows = getMember(left, row.collection);
		if (!Array.isArray(rows)) return left;
		const others = rows.flatMap((one: unknown) =>
			isObject(one) && getKind(row.type, one) === row.kind ? omitKey(row.type, one) : [one],
		);
		return replaceMember(left, row.collection, others.length === 0 ? undefined : others);
	}, members);

/** An address may come with more than what identifies the record, such as whether it gets alerts. */
function omitKey(type: string, row: JsonObject): JsonObject[] {
	const { by, value = '' } = findRowKinds(type) ?? {};
	if (findDescriptorEntity(type) !== undefined) return [];
	const others = replaceMember(row, value, undefined);
	return Object.keys(others).every((name) => name === by || isIdentity(name)) ? [] : [others];
}

/** The trimmed key is both looked up and stored, so that the next run finds it. */
export const trimKeys = (columns: readonly KeyColumn[], members: JsonObject): JsonObject =>
	columns.reduce((all, { id, row, type }) => {
		const trimValue = (value: unknown) => trimKey(type, value);
		if (row === undefined) return replacePath(all, id.split('.'), trimValue);
		const rows = getMember(all, row.collection);
		const { value = '' } = findRowKinds(row.type) ?? {};
		const trim = (one: unknown) =>
			isObject(one) && getKind(row.type, one) === row.kind
				? replaceMember(one, value, trimValue(getMember(one, value)))
				: one;
		return Array.isArray(rows) ? replaceMember(all, row.collection, rows.map(trim)) : all;
	}, members);

function replacePath(
	members: JsonObject,
	[name, ...rest]: string[],
	replace: (value: unknown) => unknown,
): JsonObject {
	const value = getMember(members, name);
	if (rest.length === 0 || !isObject(value)) return replaceMember(members, name, replace(value));
	const left = replacePath(value, rest, replace);
	return replaceMember(members, name, Object.keys(left).length === 0 ? undefined : left);
}

/** The definition of a custom field or an attribute says which of its texts are equal. */
function addTextType(
	form: ResolvingForm,
	field: string,
	entity: string,
	column: KeyColumn,
): KeyColumn {
	const { row, id } = column;
	if (row === undefined || findDescriptorEntity(row.type) === undefined) return column;
	const label = extendLabel(field, id);
	return { ...column, textType: requireKeyDefinition(form.run, entity, label, id).Type };
}

export function readMatchColumns(form: ResolvingForm, entity: string): KeyColumn[] {
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
		const column = addTextType(form, field, entity, parseKeyColumn(field, entity, id));
		if (isPasted(form)) return column;
		return { ...column, label: labels.get(id) ?? getColumnLabel(entity, column.id) };
	});
}

/** Record that an item describes, and the columns that identify it. */
export interface RecordDescription {
	entity: string;
	input: RecordInput;
	columns: readonly KeyColumn[];
	/** Other properties of the record to read. */
	read?: readonly string[];
}

interface KeyedRecord extends RecordDescription, Extent {
	/** Values of the columns, without white space at their ends. */
	values: readonly unknown[];
	/** Has the same values as they came in, if they differ. */
	untrimmed: ReadonlyArray<readonly unknown[]>;
	/** Text that is equal for all items that describe the same record. */
	key: string;
	/** Items of a group share queries. */
	group: string;
	/** Members that an existing record is compared with. */
	members: JsonObject;
}

/** The value of a custom field or an attribute that is a record of its own has the type of its definition. */
function typeOwnValue(
	form: ResolvingForm,
	{ entity, input: { members }, columns }: RecordDescription,
): readonly KeyColumn[] {
	const kind = findDescriptorEntity(entity) && getKind(entity, members);
	if (kind === undefined || !columns.some(({ id }) => id === 'Value')) return columns;
	const { findRows } = form.run.resolver;
	const { present, findRemoved } =
		entity === 'AssetAttribute'
			? getAttributes(findRows)
			: getCustomFields('', findRows, [members.ObjectTypeId].map(String));
	const definition = Number(kind);
	const textType = [...present, ...findRemoved()].find(({ Id }) => Id === definition)?.Type;
	if (!isComparedHere(textType)) return columns;
	return columns.map((one) => (one.id === 'Value' ? { ...one, textType, definition } : one));
}

function toKeyedRecord(form: ResolvingForm, given: RecordDescription): KeyedRecord {
	const described = { ...given, columns: typeOwnValue(form, given) };
	const { entity, columns, read = [] } = described;
	const input = trimInput(form, described);
	const { field, utc } = input;
	const advice = isMappedByName(form) ? describeInput(form) : undefined;
	const values = columns.map((column) => requireKeyValue(field, column, input.members, advice));
	const asGiven = columns.map((column, index) => {
		const [value] = column.type === 'datetime' ? [] : readValues(column, described.input.members);
		return typeof value === 'string' ? value : values[index];
	});
	const cleared = addCleared(form, entity, input);
	const changes = cleared.members;
	const extent = getExtent(form, entity, { ...getDecidingParts(entity, changes), utc });
	const paths = [...extent.paths, ...read];
	return {
		...described,
		input,
		values,
		untrimmed: asGiven.every((value, index) => value === values[index]) ? [] : [asGiven],
		group: [entity, ...columns.map(identify), ...getUnknownPaths(entity, paths)].join(),
		key: buildKey(entity, columns, toComparableKey(columns, values)),
		members: omitKeys(columns, changes),
		...extent,
		paths,
	};
}

/** Keys are looked up and stored as they are compared. */
function trimInput(
	form: ResolvingForm,
	{ entity, input, columns }: RecordDescription,
): RecordInput {
	const paths = columns.filter(({ row }) => row === undefined).map(({ id }) => id);
	return {
		...input,
		members: translateKeyTimes(form.run, entity, trimKeys(columns, input.members), paths),
	};
}

const buildKey = (entity: string, columns: readonly KeyColumn[], text: string) =>
	[entity, ...columns.map(identify), text].join();

const identify = ({ id, definition }: KeyColumn): string => `${id}${definition ?? ''}`;

/** Messages show the key in words: `TenantCode "N-1"`. */
export const formatKey = ({ columns, values }: KeyedRecord): string =>
	columns
		.map(({ id, label = id }, index) => `${label} ${quote(values[index], label)}`)
		.join(' and ');

/** The database ignores blanks at the end of a text, but no tabs and line ends, so both texts are looked up. */
const listKeys = (wanted: readonly KeyedRecord[]): Array<readonly unknown[]> =>
	wanted.flatMap(({ values, untrimmed }) => [values, ...untrimmed]);

const BY_COLUMNS: DedupeRules<KeyedRecord> = {
	key: ({ key }) => key,
	values: ({ key, untrimmed }) => [key, ...untrimmed],
	group: ({ group }) => group,
	load: async (context, wanted) => {
		const rows: JsonObject[] = [];
		for (const conditions of await loadConditions(context, wanted)) {
			rows.push(...(await loadRecords(context, wanted, ...conditions)));
		}
		return rows;
	},
	reload: async (context, wanted, id) => await loadRecords(context, [wanted], isIn('Id', [id])),
	readKeys: (row, [{ entity, columns }]) =>
		readKeys(columns, row).map((text) => buildKey(entity, columns, text)),
	// Conditions on several columns or on rows also find records that have none of the keys.
	mayFind: (_row, [{ columns }]) =>
		columns.length > 1 || (columns[0].row ?? columns[0].definition) !== undefined,
	describe: (wanted) => `a record with ${formatKey(wanted)}`,
	unexpected: [
		'Corrigo answered the look-up of records with one that was not asked for',
		'Nothing was written. Match on another field.',
	],
};

/** Items of a run share requests that find the records to create or update. */
export const createMatchRegistry = (describe: (form: ResolvingForm) => RecordDescription) =>
	createRunRegistry(BY_COLUMNS, (form) => toKeyedRecord(form, describe(form)));

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
	const ids = rows.map((row) =>
		isBlank(row[name]) ? row.Id : `${quote(row[name])} (ID ${String(row.Id)})`,
	);
	throw new ValidationError(
		`There are ${rows.length} ${getNoun(wanted.entity)} records with ${formatKey(wanted)}: ${formatList(ids, MAX_SHOWN)}`,
		'Nothing was written. Match on what only one of them has, or change the others in Corrigo.',
	);
}

/**
 * Corrigo compares texts alone, so rows whose texts have other spellings are searched first, for the IDs
 * of their owners, and so are custom fields that are separate records.
 */
const isApart = (entity: string, { row, textType }: KeyColumn): boolean =>
	row !== undefined &&
	(isComparedHere(textType) || (row.type === 'CustomField2' && !carriesCustomFields(entity)));

async function loadConditions(
	requester: Requester,
	wanted: readonly KeyedRecord[],
): Promise<Condition[][]> {
	const [{ entity, columns }] = wanted;
	const own = columns.map((column) => !isApart(entity, column));
	let conditions = [
		buildKeyConditions(
			columns.filter((_, index) => own[index]),
			listKeys(wanted).map((values) => values.filter((_, index) => own[index])),
		),
	];
	for (const [index, column] of columns.entries()) {
		if (own[index]) continue;
		const owners = await findOwners(
			requester,
			entity,
			column,
			listKeys(wanted).map((values) => values[index]),
		);
		conditions = conditions.flatMap((before) =>
			batches(owners).map((some) => [...before, isIn('Id', some)]),
		);
	}
	return conditions;
}

async function findOwners(
	requester: Requester,
	entity: string,
	column: KeyColumn,
	values: readonly unknown[],
): Promise<Set<unknown>> {
	const { row, textType } = column;
	const kind = Number(row?.kind);
	const sent = [...new Set(values.map(String))];
	const isAnyText = isComparedHere(textType);
	const rows =
		row?.type === 'AssetAttribute'
			? await loadAllRows(requester, row.type, and(equal('Descriptor.Id', kind)), ATTRIBUTE_ROWS)
			: await loadCustomFields(requester, entity, [kind], isAnyText ? [] : [isIn('Value', sent)]);
	const keys = new Set(values.map((value) => toKeyText(column, value)));
	return new Set(
		rows
			.filter(({ Value }) => !isAnyText || keys.has(toKeyText(column, Value)))
			.map(({ AssetId, ObjectId }) => AssetId ?? ObjectId),
	);
}

const ATTRIBUTE_ROWS = ['AssetId', 'Value'];

/** Lists the collections of which more than the row of one key is compared. */
const listComparedRows = (wanted: readonly KeyedRecord[]): string[] =>
	wanted.flatMap(({ entity, columns, members }) => {
		const keys = columns.flatMap(({ row }) => row?.collection ?? []);
		const written = Object.keys(members).filter((name) => findRowType(entity, name) !== undefined);
		return [...written, ...keys.filter((name, index) => keys.indexOf(name) < index)];
	});

/** A record is returned once, even if several of its rows meet the conditions. */
async function loadRecords(
	context: ItemContext,
	wanted: readonly KeyedRecord[],
	...conditions: Condition[]
): Promise<JsonObject[]> {
	const [{ entity }] = wanted;
	const properties = [...new Set(wanted.flatMap(({ paths }) => paths))];
	const criteria = joinCriteria(and(...conditions), excludeRemoved(entity));
	const load = async (one: Criteria | undefined, paths: readonly string[]) =>
		new Map((await loadAllRows(context, entity, one, paths)).map((row) => [row.Id, row]));
	// Corrigo may return of a collection only the rows that meet the conditions on it.
	const compared = collectPaths(and(...conditions)).map((path) => path.split('.')[0]);
	const isCut = listComparedRows(wanted).some((name) => compared.includes(name));
	if (!isCut) {
		return await completeRecords(context, entity, await load(criteria, properties), wanted);
	}
	const ids = [...(await load(criteria, ['Id'])).keys()];
	const rows = new Map<unknown, JsonObject>();
	for (const some of batches(ids)) {
		for (const [id, row] of await load(and(isIn('Id', some)), properties)) rows.set(id, row);
	}
	return await completeRecords(context, entity, rows, wanted);
}
