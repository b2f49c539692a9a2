import { ATTRIBUTE_PATHS } from '../catalogue/summaries';
import { defineRows, type RowSource } from '../catalogue/targets';
import { addType, type Column } from '../columns/columns';
import { createEmptyError, quote, ValidationError, formatNames } from '../values/errors';
import {
	type JsonObject,
	filterMembers,
	getMember,
	isAbsent,
	isLocator,
	isObject,
	readPath,
	toRows,
} from '../values/objects';
import { type RecordFinder, isName, parseId, toRecordId } from '../values/references';
import { isBlank, normalize } from '../values/input';
import {
	type FieldType,
	getColumnType,
	hasOrder,
	isSameTypedText,
	parseStoredChoice,
	parseTypedText,
	passesTest,
	readTypedText,
	toPlainUrl,
} from '../values/typedTexts';
import { getEntity } from '../catalogue/entities';
import type { Specifier } from '../wire/answers';
import { and, equal, isIn, type Condition, type Criteria } from '../wire/criteria';
import {
	buildCreateRequest,
	buildDeleteRequest,
	buildUpdateRequest,
	type PlannedWrite,
	type WriteRequest,
} from '../wire/requests';

/** An entity can have several types: providers are employees of a different type. */
const getActorTypes = (entity: string): readonly string[] => getEntity(entity)?.actorTypes ?? [];

const ATTRIBUTES = 'Attributes.';
const CUSTOM_FIELDS = 'CustomFields.';

/** Paths of a row that `toValue` and a `RowNamer` need. */
export const VALUE_PATHS = ATTRIBUTE_PATHS.map((path) => path.slice(ATTRIBUTES.length));

/** Paths that `flattenCustomFields` needs. */
export const CUSTOM_FIELD_PATHS = VALUE_PATHS.map((path) => `${CUSTOM_FIELDS}${path}`);

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

/** The type of a custom field is shown if records of the entity have several types. */
export function buildCustomColumns(entity: string, descriptors: readonly JsonObject[]): Column[] {
	const [, ...otherTypes] = getActorTypes(entity);
	return descriptors.map((descriptor) => {
		const name = nameDefinition(descriptor, descriptors);
		const type = otherTypes.find((one) => one === descriptor.ActorTypeId);
		const label = type === undefined ? name : addType(name, type);
		return buildDescribedColumn(`${CUSTOM_FIELDS}${String(descriptor.Id)}`, label, descriptor);
	});
}

/** The descriptor of a custom field, or of an attribute, has its type and its options. */
function buildDescribedColumn(id: string, label: string, descriptor: JsonObject): Column {
	const options = getOptions(descriptor).map((value) => ({ name: value, value }));
	const column = { id, label, required: false };
	return options.length > 0
		? { ...column, type: 'options', options }
		: { ...column, type: getColumnType(descriptor.Type) };
}

const getOptions = ({ Options }: JsonObject): string[] =>
	toRows(Options)
		.filter(({ Value }) => typeof Value === 'string' && Value !== '')
		.sort((a, b) => Number(a.Idx ?? 0) - Number(b.Idx ?? 0))
		.map(({ Value }) => String(Value));

/**
 * Builds a row of custom fields, or of attributes: the service takes every value as text. Without a
 * value, there is no row.
 */
export const buildValueRow = (
	descriptor: unknown,
	value: unknown,
	currency?: unknown,
): JsonObject => ({
	Descriptor: { Id: descriptor },
	...(value === '' ? { PerformDeletion: true } : { Value: value }),
	...(currency === undefined ? {} : { CurrencyTypeId: currency }),
});

/** Paths of rows that are read separately, to compare them. */
export const CUSTOM_ROW_PATHS = ['*', 'Descriptor.Id', 'Descriptor.Type'];

/** Some records do not carry their custom fields, so these are found by their owner. */
export const buildCustomCriteria = (entity: string, ...conditions: Condition[]): Criteria =>
	and(isIn('ObjectTypeId', getActorTypes(entity)), ...conditions);

/** The definition that was read with a stored row says how its texts compare. */
export const hasCustomValue = ({ Descriptor, Value }: JsonObject, wanted: unknown): boolean =>
	isSameTypedText(getMember(Descriptor, 'Type'), Value, wanted);

/** Writes one custom field of a record that does not carry them. A row with its Id is one of `stored`. */
export const buildCustomFieldRequest = (
	entity: string,
	id: number,
	row: JsonObject,
	stored: readonly JsonObject[],
	requestId: string,
): WriteRequest<Specifier> => {
	const owner = { ObjectId: id, ObjectTypeId: getActorTypes(entity)[0] };
	const { Id, Value, CurrencyTypeId } = row;
	const Properties = ['Value', ...(CurrencyTypeId === undefined ? [] : ['CurrencyTypeId'])];
	const change = { Properties, Entity: pick(row, ['Id', ...Properties]) };
	const request =
		Id === undefined
			? buildCreateRequest('CustomField2', { ...row, ...owner }, requestId)
			: isAbsent(Value) || row.PerformDeletion === true
				? buildDeleteRequest('CustomField2', Number(Id), { ignoresMissing: true })
				: buildUpdateRequest('CustomField2', change, requestId);
	// Users see the custom field as part of its record, so the dry run shows an update of the record.
	const plannedWrite: PlannedWrite = {
		does: 'update',
		entity,
		changes: {
			Properties: ['CustomFields.*'],
			Entity: { Id: id, CustomFields: [pick(row, WRITTEN_PARTS)] },
		},
		record: { Id: id, CustomFields: stored },
	};
	return { ...request, dryRun: { ...request.dryRun, Outcome: 'wouldUpdate', plannedWrite } };
};

const WRITTEN_PARTS = ['Id', 'Descriptor', 'Value', 'CurrencyTypeId', 'PerformDeletion'];

const pick = (row: JsonObject, names: readonly string[]): JsonObject =>
	filterMembers(row, (name) => names.includes(name));

/** Returns the name under which a record shows the value of a row; `rows` are all of the record. */
export type RowNamer = (row: JsonObject, rows: readonly JsonObject[]) => string;

/**
 * Names rows as a write takes the names. Records keep rows of definitions that were removed, which are
 * not among the present ones.
 */
export function createRowNamer(present: readonly JsonObject[] = []): RowNamer {
	const names = new Map<unknown, string>();
	return ({ Descriptor }, rows) => {
		const id = getMember(Descriptor, 'Id');
		const known = names.get(id);
		if (known !== undefined) return known;
		const definition = present.find(({ Id }) => String(Id) === String(id));
		if (definition === undefined) {
			const removed = { Id: id, Name: getMember(Descriptor, 'Name') };
			return nameDefinition(removed, present, rows.map((row) => row.Descriptor).filter(isObject));
		}
		const name = nameDefinition(definition, present);
		names.set(id, name);
		return name;
	};
}

export const flattenCustomFields = (record: JsonObject, getName = createRowNamer()): JsonObject =>
	nameValues(record, 'CustomFields', getName);

const listNamedRows = (record: JsonObject, member: string): JsonObject[] =>
	toRows(record[member]).filter((row) => !isBlank(readPath(row, 'Descriptor.Name')));

/** No record has more, and each is compared with all others. */
const MAX_NAMED_ROWS = 1_000;

const hasTooMany = (rows: unknown): boolean => Array.isArray(rows) && rows.length > MAX_NAMED_ROWS;

/** Lists the custom fields of which a record has other values than the one that is shown. */
export function listHiddenValues(record: JsonObject, getName: RowNamer): string[] {
	if (hasTooMany(record.CustomFields)) return [];
	const rows = listNamedRows(record, 'CustomFields');
	const names = rows.map((row) => getName(row, rows));
	return names.filter((name, index) => names.indexOf(name) < index);
}

/** Turns rows into `{ name: value }`. The newest row of a definition counts. */
function nameValues(record: JsonObject, member: string, getName: RowNamer): JsonObject {
	if (!Array.isArray(record[member]) || hasTooMany(record[member])) return record;
	const rows = listNamedRows(record, member).sort((a, b) => Number(a.Id) - Number(b.Id));
	const values = rows.map((row): [string, unknown] => [getName(row, rows), toValue(row)]);
	return { ...record, [member]: Object.fromEntries(values) };
}

/**
 * Attributes are custom fields of assets. A form and a key name one by the Id of its descriptor:
 * `Attributes.601`.
 */
export const isAttribute = (property: unknown): property is string =>
	typeof property === 'string' && /^Attributes\.\d+$/.test(property);

/** Returns the Id of the definition in the path of a custom field or an attribute. */
export const getDescriptor = (path: string): number => Number(path.split('.')[1]);

/** Properties of a descriptor, which names and types an attribute. */
export const ATTRIBUTE_PROPERTIES = [
	'Name',
	'Type',
	'IsHistory',
	'Options.Idx',
	'Options.Value',
] as const;

const ATTRIBUTE_ROWS = defineRows('AttributeDescriptor', 'IsRemoved', ATTRIBUTE_PROPERTIES);
const CUSTOM_FIELD_ROWS = defineRows('CustomFieldDescriptor', 'ActorTypeId', [
	...(['Name', 'Type', 'IsRemoved', 'Options.Idx', 'Options.Value'] as const),
]);

const includeRemoved = (source: RowSource): RowSource => ({ ...source, includeRemoved: true });

/** What the Company has defined for the records of an entity. */
export interface Definitions {
	noun: 'attribute' | 'custom field';
	present: readonly JsonObject[];
	/** Records keep the values of a definition after it was removed. */
	findRemoved: () => readonly JsonObject[];
}

/** Definitions of all attributes are read once for the run. */
export const getAttributes = (findRows: RecordFinder): Definitions => ({
	noun: 'attribute',
	present: findRows(ATTRIBUTE_ROWS, false),
	findRemoved: () => findRows(includeRemoved(ATTRIBUTE_ROWS), true),
});

export function getCustomFields(
	entity: string,
	findRows: RecordFinder,
	types = getActorTypes(entity),
): Definitions {
	const find = (source: RowSource) => types.flatMap((type) => findRows(source, type));
	return {
		noun: 'custom field',
		present: find(CUSTOM_FIELD_ROWS),
		findRemoved: () => find(includeRemoved(CUSTOM_FIELD_ROWS)).filter(isRemoved),
	};
}

/** Records keep the values of a field that was removed, which are compared by its type. */
export function getFieldType(
	entity: string,
	descriptor: number,
	findRows: RecordFinder,
): FieldType {
	const { present, findRemoved } = getCustomFields(entity, findRows);
	const isMeant = ({ Id }: JsonObject) => Id === descriptor;
	const definition = present.find(isMeant) ?? findRemoved().find(isMeant) ?? {};
	return { type: definition.Type, isChoice: hasClosedChoices(definition) };
}

export const isRemoved = ({ IsRemoved }: JsonObject): boolean => IsRemoved === true;

/** A text that stands for a name may be an ID as well; a choice from a list and a path are an ID. */
export type DefinitionReference = { id: unknown } | { nameOrId: unknown };

/** Names that two definitions share are written with their Ids, perhaps several times: Floor (ID 12). */
function listNamed(all: readonly JsonObject[], given: unknown): JsonObject[] {
	const wanted = normalize(given);
	return all.filter(({ Id, Name }) => {
		const suffix = ` (id ${String(Id)})`;
		const isMeant = (name: string) => {
			const count = (wanted.length - name.length) / suffix.length;
			return Number.isInteger(count) && count >= 0 && wanted === name + suffix.repeat(count);
		};
		// A name may end with a blank, which then is in front of the Id.
		return isMeant(normalize(Name)) || isMeant(String(Name).trimStart().toLowerCase());
	});
}

const DEFINITION_PATH = /^(?:Attributes|CustomFields)\.(\d+)$/;

const listWithId = (all: readonly JsonObject[], id: unknown): JsonObject[] =>
	all.filter(({ Id }) => String(Id) === String(id).trim());

function listMeant(all: readonly JsonObject[], reference: DefinitionReference): JsonObject[] {
	if ('id' in reference) return listWithId(all, reference.id);
	const named = listNamed(all, reference.nameOrId);
	// A path such as `CustomFields.724` has an ID, as it has in a key and in a condition.
	const [, id] = DEFINITION_PATH.exec(String(reference.nameOrId).trim()) ?? [];
	if (id !== undefined) return [...named, ...listWithId(all, id)];
	return named.length > 0 ? named : listWithId(all, reference.nameOrId);
}

/** Returns a name that means this definition and no other one in the lists. */
export function nameDefinition(
	{ Id, Name }: JsonObject,
	...lists: ReadonlyArray<readonly JsonObject[]>
): string {
	const meansOther = (nameOrId: string) =>
		lists.some((all) => listMeant(all, { nameOrId }).some((one) => String(one.Id) !== String(Id)));
	let name = String(Name);
	while (meansOther(name)) name = `${name} (ID ${String(Id)})`;
	return name;
}

/** Finds the definition that a person means; a removed one only if no other is meant. */
export function requireDefinition(
	label: string,
	reference: DefinitionReference,
	{ noun, present, findRemoved }: Definitions,
): JsonObject {
	const found = listMeant(present, reference);
	const [given] = Object.values(reference) as unknown[];
	if (found.length === 1) return found[0];
	if (found.length > 1) {
		throw new ValidationError(
			`'${label}': more than one ${noun} is named ${quote(given)}`,
			`To say which one is meant, give its ID: ${found.map(({ Id }) => Id).join(', ')}.`,
		);
	}
	const [removed] = listMeant(findRemoved(), reference);
	if (removed !== undefined) return { ...removed, IsRemoved: true };
	const names = present.map(({ Name }) => String(Name)).sort();
	const has = 'id' in reference ? 'has the ID' : 'is named';
	throw new ValidationError(
		`'${label}': no ${noun} ${has} ${quote(given)}`,
		names.length > 0 ? `The ${noun}s are: ${formatNames(names)}.` : 'Your Company has none.',
	);
}

/** Finds the attribute that a field for one holds. */
export function requireAttribute(
	label: string,
	input: unknown,
	findRows: RecordFinder,
): JsonObject {
	const attribute = toRecordId(input);
	if (isBlank(attribute)) {
		throw createEmptyError(label.split(' > ').at(-1) ?? label, 'Choose an attribute.');
	}
	const isId = isLocator(input) && (input.mode === 'list' || input.mode === 'id');
	const reference =
		isId && !isName(attribute) ? { id: parseId(label, attribute) } : { nameOrId: attribute };
	const found = requireDefinition(label, reference, getAttributes(findRows));
	if (!isRemoved(found)) return found;
	throw createRemovedError(label, found);
}

export const createRemovedError = (label: string, { Name }: JsonObject): ValidationError =>
	new ValidationError(
		`'${label}' is ${quote(Name)}, whose definition was removed in Corrigo`,
		'Leave it out, or restore the definition.',
	);

/** Other operations add the values of an attribute that keeps a history. */
export const keepsHistory = ({ IsHistory }: JsonObject): boolean => IsHistory === true;

export const buildAttributeColumns = (descriptors: readonly JsonObject[]): Column[] =>
	descriptors
		.filter((one) => !keepsHistory(one))
		.map((one) =>
			buildDescribedColumn(`${ATTRIBUTES}${String(one.Id)}`, nameDefinition(one, descriptors), one),
		);

/** Reads what a person has written for a custom field or an attribute. An empty text removes it. */
export function parseDescribed(label: string, descriptor: JsonObject, value: unknown): string {
	if (isAbsent(value)) return '';
	const text = parseTypedText(label, descriptor.Type, value);
	return hasClosedChoices(descriptor)
		? parseStoredChoice(label, text, getOptions(descriptor))
		: text;
}

/** People may add a value that an autocompleted list lacks. */
const hasClosedChoices = (descriptor: JsonObject): boolean =>
	descriptor.Type !== 'StringAutocomplete' && getOptions(descriptor).length > 0;

export const isMoney = (descriptor: unknown): boolean => getMember(descriptor, 'Type') === 'Money';

/** Returns the value by its type; an amount is an object with its currency. */
export function toValue({ Value, CurrencyTypeId, Descriptor }: JsonObject): unknown {
	const value = readTypedText(getMember(Descriptor, 'Type'), Value);
	return isMoney(Descriptor) && typeof value === 'number'
		? { Value: value, CurrencyTypeId }
		: value;
}

/** An attribute may keep its earlier values. */
export const nameAttributes = (record: JsonObject, getName = createRowNamer()): JsonObject =>
	nameValues(record, 'Attributes', getName);

type Comparison = 'atLeast' | 'atMost' | 'contains' | 'is';

/** Less and more have a meaning for numbers, dates and times, and a part of the value for the others. */
export const canCompare = ({ Type }: JsonObject, comparison: Comparison): boolean =>
	comparison === 'is' || hasOrder(Type) === (comparison !== 'contains');

const OPERATORS = { atLeast: 'GreaterOrEqual', atMost: 'LessOrEqual', is: 'Equal' } as const;

/** Corrigo stores values as texts, whose order is not that of numbers, so the node compares them. */
export function matches(
	{ Type }: JsonObject,
	{ Value }: JsonObject,
	comparison: Comparison,
	wanted: string,
): boolean {
	if (comparison === 'contains')
		return normalize(toPlainUrl(Value) ?? '').includes(normalize(wanted));
	const test = { type: String(Type), operator: OPERATORS[comparison], values: [wanted] };
	return passesTest(test, Value);
}
