import { getEntity } from '../catalogue/entities';
import type { Specifier } from '../wire/answers';
import { type JsonObject, getMember, isObject, readPath, toRows } from '../values/objects';
import { parseKind, type KindName } from '../values/members';
import { isBlank } from '../values/scalars';
import type { Cell, Column } from '../columns/columns';
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

export const getValueType = (descriptor: unknown): ValueType =>
	TYPES[String(getMember(descriptor, 'Type'))] ?? { column: 'string', kind: 'text' };

const PREFIX = 'CustomFields.';

export function buildCustomColumns(entity: string, descriptors: readonly JsonObject[]): Column[] {
	const [mainType] = getActorTypes(entity);
	return descriptors.map((descriptor) => {
		const { Id, Name, ActorTypeId } = descriptor;
		const label =
			ActorTypeId === mainType ? String(Name) : `${String(Name)} (${String(ActorTypeId)})`;
		return buildDescribedColumn(`${PREFIX}${String(Id)}`, label, descriptor);
	});
}

/** The descriptor of a custom field, or of an attribute, has its type and its options. */
export function buildDescribedColumn(id: string, label: string, descriptor: JsonObject): Column {
	const options = getOptions(descriptor).map((value) => ({ name: value, value }));
	const column = { id, label, required: false };
	return options.length > 0
		? { ...column, type: 'options', options }
		: { ...column, type: getValueType(descriptor).column };
}

export const getOptions = ({ Options }: JsonObject): string[] =>
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
				descriptor: Number(cell.id.slice(PREFIX.length)),
				label: cell.label,
				value: toCustomText(cell.label, cell),
			})),
	};
}

/** A column does not say whether its number is a whole one. */
const toCustomText = (fieldLabel: string, { type, value }: Cell): string =>
	toStoredText(fieldLabel, value, Object.values(TYPES).find((one) => one?.column === type)?.kind);

/** The service stores every value as text, a day without its time. */
export function toStoredText(label: string, value: unknown, kind: KindName = 'text'): string {
	const text = String(parseKind(kind, label, value));
	return kind === 'day' ? text.slice(0, 10) : text;
}

/** Builds a row of custom fields, or of attributes. Without a value, there is no row. */
export const buildValueRow = (descriptor: unknown, value: string): JsonObject => ({
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
	const [stored, expected] = [Value, wanted].map((one) => toComparable(Descriptor, one));
	return stored === expected || String(toPlainUrl(Value) ?? '') === String(wanted ?? '');
}

/** Equal values may be stored as different texts: a number with more zeros, a day with a time. */
export function toComparable(descriptor: unknown, value: unknown): number | string {
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
export function nameValues(
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
