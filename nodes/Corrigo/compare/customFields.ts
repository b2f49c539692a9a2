import { ATTRIBUTE_PATHS } from '../catalogue/summaries';
import { defineRows, type RowSource } from '../catalogue/targets';
import { addType, type Column } from '../columns/columns';
import { createEmptyError, quote, ValidationError, formatNames } from '../values/errors';
import {
	type JsonObject,
	append,
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

/** Returns the names under which a record shows the values of its rows. */
export type RowNamer = (rows: readonly JsonObject[]) => string[];

/**
 * Names rows as a write takes the names. Records keep rows of definitions that were removed, which are
 * not among the present ones.
 */
export function createRowNamer(present: readonly JsonObject[] = []): RowNamer {
	const presentNames = new Map<string, string>();
	return (rows) => {
		const held = rows.map(({ Descriptor }) => Descriptor).filter(isObject);
		const removedNames = new Map<string, string>();
		return rows.map(({ Descriptor }) => {
			const id = String(getMember(Descriptor, 'Id'));
			const definition = findById(present, id);
			const names = definition ? presentNames : removedNames;
			const name =
				names.get(id) ??
				(definition
					? nameDefinition(definition, present)
					: nameDefinition({ Id: id, Name: getMember(Descriptor, 'Name') }, present, held));
			names.set(id, name);
			return name;
		});
	};
}

export const flattenCustomFields = (record: JsonObject, nameRows = createRowNamer()): JsonObject =>
	nameValues(record, 'CustomFields', nameRows);

const listNamedRows = (record: JsonObject, member: string): JsonObject[] =>
	toRows(record[member]).filter((row) => !isBlank(readPath(row, 'Descriptor.Name')));

/** Lists the custom fields of which a record has other values than the one that is shown. */
export function listHiddenValues(record: JsonObject, nameRows: RowNamer): string[] {
	const names = nameRows(listNamedRows(record, 'CustomFields'));
	const last = new Map(names.map((name, index) => [name, index]));
	return names.filter((name, index) => last.get(name) !== index);
}

/** Turns rows into `{ name: value }`. The newest row of a definition counts. */
function nameValues(record: JsonObject, member: string, nameRows: RowNamer): JsonObject {
	if (!Array.isArray(record[member])) return record;
	const rows = listNamedRows(record, member).sort((a, b) => Number(a.Id) - Number(b.Id));
	const names = nameRows(rows);
	return {
		...record,
		[member]: Object.fromEntries(rows.map((row, index) => [names[index], toValue(row)])),
	};
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
	const find = (source: RowSource) => {
		const [first = [], ...others] = types.map((type) => findRows(source, type));
		// A list that stays the same is indexed once.
		return others.length === 0 ? first : [...first, ...others.flat()];
	};
	return {
		noun: 'custom field',
		present: find(CUSTOM_FIELD_ROWS),
		findRemoved: () => find(includeRemoved(CUSTOM_FIELD_ROWS)).filter(isRemoved),
	};
}

/** Records keep the values of a field that was removed, which are compared by its type. */
export function requireFieldType(
	label: string,
	entity: string,
	descriptor: number,
	findRows: RecordFinder,
): FieldType {
	// The fields of other records cannot be listed.
	if (getActorTypes(entity).length === 0) return { type: undefined, isChoice: false };
	const definitions = getCustomFields(entity, findRows);
	const definition = requireDefinition(label, { id: descriptor }, definitions);
	return { type: definition.Type, isChoice: hasClosedChoices(definition) };
}

export const isRemoved = ({ IsRemoved }: JsonObject): boolean => IsRemoved === true;

/** A text that stands for a name may be an ID as well; a choice from a list and a path are an ID. */
export type DefinitionReference = { id: unknown } | { nameOrId: unknown };

/** Lists can be long, as can the names in them, so no definition is compared with all others. */
interface DefinitionIndex {
	byId: ReadonlyMap<string, JsonObject>;
	byName: ReadonlyMap<string, JsonObject[]>;
}

const indexes = new WeakMap<readonly JsonObject[], DefinitionIndex>();

function getIndex(all: readonly JsonObject[]): DefinitionIndex {
	const known = indexes.get(all);
	if (known !== undefined) return known;
	const byId = new Map<string, JsonObject>();
	const byName = new Map<string, JsonObject[]>();
	for (const one of all) {
		const id = String(one.Id);
		if (byId.has(id)) continue;
		byId.set(id, one);
		append(byName, normalize(one.Name), one);
	}
	const index = { byId, byName };
	indexes.set(all, index);
	return index;
}

const findById = (all: readonly JsonObject[], id: unknown): JsonObject | undefined =>
	getIndex(all).byId.get(String(id).trim());

/** Names that two definitions share are written with their Ids, perhaps several times: Floor (ID 12). */
function findNumbered(all: readonly JsonObject[], wanted: string): JsonObject | undefined {
	const [suffix, id] = / \(id ([^()]*)\)$/.exec(wanted) ?? [];
	const found = suffix === undefined ? undefined : findById(all, id);
	if (suffix === undefined || found === undefined) return undefined;
	const isMeant = (name: string) => {
		const count = (wanted.length - name.length) / suffix.length;
		return Number.isInteger(count) && count > 0 && wanted === name + suffix.repeat(count);
	};
	// A name may end with a blank, which then is in front of the Id.
	const { Name } = found;
	const names = [normalize(Name), String(Name).trimStart().toLowerCase()];
	return names.some(isMeant) ? found : undefined;
}

const DEFINITION_PATH = /^(?:Attributes|CustomFields)\.(\d+)$/;

function* findMeant(
	all: readonly JsonObject[],
	reference: DefinitionReference,
): Generator<JsonObject> {
	if ('id' in reference) {
		yield* toList(findById(all, reference.id));
		return;
	}
	const { nameOrId } = reference;
	const wanted = normalize(nameOrId);
	const named = getIndex(all).byName.get(wanted) ?? [];
	const numbered = toList(findNumbered(all, wanted));
	yield* named;
	yield* numbered;
	// A path such as `CustomFields.724` has an ID, as it has in a key and in a condition.
	const [, id] = DEFINITION_PATH.exec(String(nameOrId).trim()) ?? [];
	if (id !== undefined) yield* toList(findById(all, id));
	else if (named.length + numbered.length === 0) yield* toList(findById(all, nameOrId));
}

const toList = <T>(value: T | undefined): T[] => (value === undefined ? [] : [value]);

/** Returns a name that means this definition and no other one in the lists. */
export function nameDefinition(
	{ Id, Name }: JsonObject,
	...lists: ReadonlyArray<readonly JsonObject[]>
): string {
	const meansOther = (nameOrId: string) => {
		for (const all of lists) {
			for (const one of findMeant(all, { nameOrId })) {
				if (String(one.Id) !== String(Id)) return true;
			}
		}
		return false;
	};
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
	const found = [...new Set(findMeant(present, reference))];
	const [given] = Object.values(reference) as unknown[];
	if (found.length === 1) return found[0];
	if (found.length > 1) {
		throw new ValidationError(
			`'${label}': more than one ${noun} is named ${quote(given)}`,
			`To say which one is meant, give its ID: ${found.map(({ Id }) => Id).join(', ')}.`,
		);
	}
	const [removed] = findMeant(findRemoved(), reference);
	if (removed !== undefined) return { ...removed, IsRemoved: true };
	const names = present.map((one) => nameDefinition(one, present)).sort();
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
		? parseStoredChoice(label, descriptor.Type, text, getOptions(descriptor))
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
export const nameAttributes = (record: JsonObject, nameRows = createRowNamer()): JsonObject =>
	nameValues(record, 'Attributes', nameRows);

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
