import { ATTRIBUTE_PATHS } from '../catalogue/summaries';
import { defineRows } from '../catalogue/targets';
import type { Column, Cell } from '../columns/columns';
import { createEmptyError, quote, ValidationError } from '../values/errors';
import { type JsonObject, getMember, readPath, toRows, isObject } from '../values/objects';
import { type RecordFinder, toRecordId } from '../values/references';
import { isBlank, normalize, parseChoice } from '../values/input';
import { getEntity } from '../catalogue/entities';
import type { Specifier } from '../wire/answers';
import { parseKind, type KindName } from '../values/members';
import { and, equal, isCustomField, isIn, type Condition, type Criteria } from '../wire/criteria';
import {
	buildCreateRequest,
	buildDeleteRequest,
	buildUpdateRequest,
	type PlannedWrite,
	type WriteRequest,
} from '../wire/requests';

/** An entity can have several types: providers are employees of a different type. */
const getActorTypes = (entity: string) => getEntity(entity)?.actorTypes ?? [];

/** Paths that `flattenCustomFields` needs. */
export const CUSTOM_FIELD_PATHS = ['CustomFields.Value', 'CustomFields.Descriptor.Name'] as const;

export const DESCRIPTOR_PROPERTIES = [
	'Name',
	'Type',
	'ActorTypeId',
	'Options.Idx',
	'Options.Value',
];

/** Finds the Company's custom fields for an entity; `undefined` if it cannot have any. */
export function buildDescriptorCriteria(entity: string): Criteria | undefined {
	const types = getActorTypes(entity);
	if (types.length === 0) return undefined;
	return and(isIn('ActorTypeId', types), equal('IsRemoved', false));
}

interface ValueType {
	column: Column['type'];
	kind: KindName;
}

/** Custom fields and attributes of any other type are texts. */
const TYPES: Readonly<Partial<Record<string, ValueType>>> = {
	Boolean: { column: 'boolean', kind: 'switch' },
	Date: { column: 'dateTime', kind: 'day' },
	Decimal: { column: 'number', kind: 'number' },
	Integer: { column: 'number', kind: 'wholeNumber' },
	Money: { column: 'number', kind: 'number' },
};

const getValueType = (descriptor: unknown): ValueType =>
	TYPES[String(getMember(descriptor, 'Type'))] ?? { column: 'string', kind: 'text' };

const CUSTOM_FIELDS = 'CustomFields.';

export function buildCustomColumns(entity: string, descriptors: readonly JsonObject[]): Column[] {
	const [mainType] = getActorTypes(entity);
	return buildDescribedColumns(CUSTOM_FIELDS, descriptors, ({ Name, ActorTypeId }) =>
		ActorTypeId === mainType ? String(Name) : `${String(Name)} (${String(ActorTypeId)})`,
	);
}

/** Definitions that share a name are told apart by their Ids. */
function buildDescribedColumns(
	prefix: string,
	descriptors: readonly JsonObject[],
	getLabel: (descriptor: JsonObject) => string,
): Column[] {
	const labels = descriptors.map(getLabel);
	return descriptors.map((descriptor, index) => {
		const id = String(descriptor.Id);
		const label = labels[index];
		const isShared = labels.filter((one) => normalize(one) === normalize(label)).length > 1;
		return buildDescribedColumn(
			`${prefix}${id}`,
			isShared ? `${label} (ID ${id})` : label,
			descriptor,
		);
	});
}

/** The descriptor of a custom field, or of an attribute, has its type and its options. */
function buildDescribedColumn(id: string, label: string, descriptor: JsonObject): Column {
	const options = getOptions(descriptor).map((value) => ({ name: value, value }));
	const column = { id, label, required: false };
	return options.length > 0
		? { ...column, type: 'options', options }
		: { ...column, type: getValueType(descriptor).column };
}

const getOptions = ({ Options }: JsonObject): string[] =>
	toRows(Options)
		.filter(({ Value }) => typeof Value === 'string' && Value !== '')
		.sort((a, b) => Number(a.Idx ?? 0) - Number(b.Idx ?? 0))
		.map(({ Value }) => String(Value));

/** The service takes the new value of every custom field as text. */
export interface CustomValue {
	descriptor: number;
	label: string;
	value: string;
}

export function splitCells(cells: readonly Cell[]): { own: Cell[]; custom: CustomValue[] } {
	return {
		own: cells.filter(({ id }) => !isCustomField(id)),
		custom: cells
			.filter(({ id }) => isCustomField(id))
			.map((cell) => ({
				descriptor: Number(cell.id.slice(CUSTOM_FIELDS.length)),
				label: cell.label,
				value: toCustomText(cell.label, cell),
			})),
	};
}

/** A column does not say whether its number is a whole one. */
const toCustomText = (fieldLabel: string, { type, value }: Cell): string =>
	toStoredText(fieldLabel, value, Object.values(TYPES).find((one) => one?.column === type)?.kind);

/** The service stores every value as text, a day without its time. */
function toStoredText(label: string, value: unknown, kind: KindName = 'text'): string {
	const text = String(parseKind(kind, label, value));
	return kind === 'day' ? text.slice(0, 10) : text;
}

/** Builds a row of custom fields, or of attributes. Without a value, there is no row. */
const buildValueRow = (descriptor: unknown, value: string): JsonObject => ({
	Descriptor: { Id: descriptor },
	...(value === '' ? { PerformDeletion: true } : { Value: value }),
});

const buildCustomField = ({ descriptor, value }: CustomValue): JsonObject =>
	buildValueRow(descriptor, value);

export const buildCustomFields = (values: readonly CustomValue[]): JsonObject[] =>
	values.map(buildCustomField);

/** Paths of rows that are read separately, to compare them. */
export const CUSTOM_ROW_PATHS = ['*', 'Descriptor.Id', 'Descriptor.Type'];

/** Some records do not carry their custom fields, so these are found by their owner. */
export const buildCustomCriteria = (entity: string, ...conditions: Condition[]): Criteria =>
	and(isIn('ObjectTypeId', getActorTypes(entity)), ...conditions);

export function hasCustomValue({ Descriptor, Value }: JsonObject, wanted: unknown): boolean {
	const [stored, expected] = [Value, wanted].map((one) => toTypedValue(Descriptor, one));
	return stored === expected || String(toPlainUrl(Value) ?? '') === String(wanted ?? '');
}

/** Equal values may be stored as different texts: a number with more zeros, a day with a time. */
function toTypedValue(descriptor: unknown, value: unknown): number | string {
	const text = String(toPlainUrl(value) ?? '');
	if (isBlank(text)) return text;
	switch (getValueType(descriptor).column) {
		case 'boolean':
			return text.toLowerCase();
		case 'dateTime':
			return text.slice(0, 10);
		case 'number':
			return Number(text);
		default:
			return text;
	}
}

const findStoredRow = (stored: readonly JsonObject[], { descriptor }: CustomValue) =>
	stored.find(({ Descriptor }) => isObject(Descriptor) && Descriptor.Id === descriptor);

/** An empty value removes a custom field, so there is nothing to write if the record has none. */
export const omitAbsent = (values: readonly CustomValue[], stored: readonly JsonObject[]) =>
	values.filter((one) => one.value !== '' || findStoredRow(stored, one) !== undefined);

/**
 * Builds the member `CustomFields` for an update of the record, so that the service writes all or
 * nothing. It would add rows without an Id to the existing ones, so the Ids are looked up first.
 * Rows are sent complete, because it is not documented what happens to members that
 * `CustomFields.*` names and a row lacks. Rows that are not sent stay: removing one needs
 * `PerformDeletion`.
 */
export const buildChangedCustomFields = (
	values: readonly CustomValue[],
	stored: readonly JsonObject[],
): JsonObject[] =>
	values.map((wanted) => ({ ...findStoredRow(stored, wanted), ...buildCustomField(wanted) }));

/** Writes one custom field of a record that does not carry them. An empty value deletes its row. */
export const buildCustomFieldRequest = (
	entity: string,
	id: number,
	wanted: CustomValue,
	stored: readonly JsonObject[],
	requestId: string,
): WriteRequest<Specifier> => {
	const row = findStoredRow(stored, wanted);
	const owner = { ObjectId: id, ObjectTypeId: getActorTypes(entity)[0] };
	const change = { Properties: ['Value'], Entity: { Id: row?.Id, Value: wanted.value } };
	const request =
		row === undefined
			? buildCreateRequest('CustomField2', { ...buildCustomField(wanted), ...owner }, requestId)
			: wanted.value === ''
				? buildDeleteRequest('CustomField2', Number(row.Id), { ignoresMissing: true })
				: buildUpdateRequest('CustomField2', change, requestId);
	// Users see the custom field as part of its record, so the dry run shows an update of the record.
	const plannedWrite: PlannedWrite = {
		does: 'update',
		entity,
		changes: {
			Properties: ['CustomFields.*'],
			Entity: { Id: id, CustomFields: [{ Id: row?.Id, ...buildCustomField(wanted) }] },
		},
		record: { Id: id, CustomFields: stored },
	};
	return { ...request, dryRun: { ...request.dryRun, Outcome: 'wouldUpdate', plannedWrite } };
};

export const flattenCustomFields = (record: JsonObject): JsonObject =>
	nameValues(record, 'CustomFields', ({ Value }) => toPlainUrl(Value));

/** Turns rows into `{ name: value }`; repeated names become `Name (2)` and so on. */
function nameValues(
	record: JsonObject,
	member: string,
	read: (row: JsonObject) => unknown,
): JsonObject {
	const rows = record[member];
	if (!Array.isArray(rows)) return record;
	const values = new Map<string, unknown>();
	for (const row of toRows(rows)) {
		const name = String(readPath(row, 'Descriptor.Name') ?? '');
		if (name !== '') values.set(toUniqueName(values, name), read(row));
	}
	return { ...record, [member]: Object.fromEntries(values) };
}

/** A name that is taken gets a number: Floor, Floor (2), Floor (3). */
export function toUniqueName(taken: ReadonlyMap<string, unknown>, name: string): string {
	let free = name;
	for (let count = 2; taken.has(free); count += 1) free = `${name} (${count})`;
	return free;
}

const ANCHOR = /^\s*<a\s[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')[^>]*>/i;

const ENTITIES: Readonly<Record<string, string>> = {
	'&#39;': "'",
	'&amp;': '&',
	'&gt;': '>',
	'&lt;': '<',
	'&quot;': '"',
};

/** The service returns fields of type Url as HTML. */
export function toPlainUrl(value: unknown): unknown {
	const anchor = typeof value === 'string' ? ANCHOR.exec(value) : null;
	if (anchor === null) return value ?? null;
	return (anchor[1] ?? anchor[2]).replace(/&(#39|amp|gt|lt|quot);/g, (code) => ENTITIES[code]);
}

const ATTRIBUTES = 'Attributes.';

/**
 * Attributes are custom fields of assets. A form and a key name one by the Id of its descriptor:
 * `Attributes.601`.
 */
export const isAttribute = (property: unknown): property is string =>
	typeof property === 'string' && /^Attributes\.\d+$/.test(property);

/** Returns the Id, or else the name, in the path of an attribute. */
export const getAttribute = (path: string): string => path.slice(ATTRIBUTES.length);

/** Properties of a descriptor, which names and types an attribute. */
export const ATTRIBUTE_PROPERTIES = [
	'Name',
	'Type',
	'IsHistory',
	'Options.Idx',
	'Options.Value',
] as const;

const DESCRIPTORS = defineRows('AttributeDescriptor', 'IsRemoved', ATTRIBUTE_PROPERTIES);

/** Finds an attribute by its name or ID; all of the Company are read once for the run. */
export function requireAttribute(
	label: string,
	input: unknown,
	findRows: RecordFinder,
): JsonObject {
	const attribute = toRecordId(input);
	if (isBlank(attribute)) {
		throw createEmptyError(label.split(' > ').at(-1) ?? label, 'Choose an attribute.');
	}
	const all = findRows(DESCRIPTORS, false);
	const named = all.filter(({ Name }) => normalize(Name) === normalize(attribute));
	const found = named.length > 0 ? named : all.filter(({ Id }) => String(Id) === String(attribute));
	if (found.length === 1) return found[0];
	if (found.length > 1) {
		throw new ValidationError(
			`'${label}': more than one attribute is named ${quote(attribute)}`,
			`To say which one is meant, give its ID: ${found.map(({ Id }) => Id).join(', ')}.`,
		);
	}
	const names = all.map(({ Name }) => String(Name)).sort();
	throw new ValidationError(
		`'${label}': no attribute is named ${quote(attribute)}`,
		names.length > 0 ? `The attributes are: ${names.join(', ')}.` : 'Your Company has none.',
	);
}

/** Other operations add the values of an attribute that keeps a history. */
export const keepsHistory = ({ IsHistory }: JsonObject): boolean => IsHistory === true;

export const buildAttributeColumns = (descriptors: readonly JsonObject[]): Column[] =>
	buildDescribedColumns(
		ATTRIBUTES,
		descriptors.filter((one) => !keepsHistory(one)),
		({ Name }) => String(Name),
	);

/** Reads what a person has written for an attribute. */
export function parseAttribute(label: string, descriptor: JsonObject, value: unknown): string {
	if (isBlank(value)) return '';
	const text = toStoredText(label, value, getValueType(descriptor).kind);
	// People may add a value that such a list lacks.
	const options = descriptor.Type === 'StringAutocomplete' ? [] : getOptions(descriptor);
	return options.length === 0 ? text : parseChoice(label, text, options, (one) => one);
}

/** An amount comes with its currency; an empty value removes the attribute from its asset. */
export const buildAttribute = (id: unknown, text: string, currency?: unknown): JsonObject => ({
	...buildValueRow(id, text),
	...(currency === undefined ? {} : { CurrencyTypeId: currency }),
});

export const isMoney = (descriptor: unknown): boolean => getMember(descriptor, 'Type') === 'Money';

/** Paths that `toValue` and `nameAttributes` need. */
export const VALUE_PATHS = ATTRIBUTE_PATHS.map(getAttribute);

/** Returns the value by its type; an amount is an object with its currency. */
export function toValue({ Value, CurrencyTypeId, Descriptor }: JsonObject): unknown {
	const plain = toPlainUrl(Value);
	const value = toTypedValue(Descriptor, plain);
	if (getValueType(Descriptor).kind === 'switch' && /^(true|false)$/.test(String(value)))
		return value === 'true';
	if (typeof value === 'string' || Number.isNaN(value)) return plain;
	return isMoney(Descriptor) ? { Value: value, CurrencyTypeId } : value;
}

/** Turns `Attributes` into `{ name: value }`, with the newest value of a history. */
export function nameAttributes(record: JsonObject): JsonObject {
	if (!Array.isArray(record.Attributes)) return record;
	const rows = toRows(record.Attributes).sort((a, b) => Number(a.Id) - Number(b.Id));
	const newest = new Map(rows.map((row) => [readPath(row, 'Descriptor.Id') ?? row, row]));
	return nameValues({ ...record, Attributes: [...newest.values()] }, 'Attributes', toValue);
}

type Compare = (stored: number | string, wanted: number | string) => boolean;

const COMPARISONS = {
	atLeast: (stored, wanted) => stored >= wanted,
	atMost: (stored, wanted) => stored <= wanted,
	contains: (stored, wanted) => String(stored).includes(String(wanted)),
	is: (stored, wanted) => stored === wanted,
} satisfies Record<string, Compare>;

type Comparison = keyof typeof COMPARISONS;

/** Less and more have a meaning for numbers and dates, and a part of the value for the others. */
export const canCompare = (descriptor: JsonObject, comparison: Comparison): boolean =>
	comparison === 'is' ||
	/dateTime|number/.test(getValueType(descriptor).column) === (comparison !== 'contains');

/** Corrigo stores values as texts, whose order is not that of numbers, so the node compares them. */
export function matches(
	descriptor: JsonObject,
	{ Value }: JsonObject,
	comparison: Comparison,
	wanted: string,
): boolean {
	const [stored, compared] = [Value, wanted]
		.map((one) => toTypedValue(descriptor, one))
		.map((one) => (typeof one === 'string' ? normalize(one) : one));
	return stored !== '' && COMPARISONS[comparison](stored, compared);
}
