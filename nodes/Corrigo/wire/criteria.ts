import { getEntity } from '../catalogue/entities';
import { getInnerType } from '../catalogue/members';
import { findLocalPath } from '../catalogue/times';
import { operators, type Operator, type OperatorName } from '../catalogue/operators';
import { getNoun } from '../catalogue/views';
import { ValidationError, fail, quote } from '../values/errors';
import { parseJsonArray, parseJsonObject, parseList } from '../values/json';
import { unwrapLocator, isDateObject, isObject, type JsonObject } from '../values/objects';
import { parsePropertyPath, isBlank, parseChoice, parseText } from '../values/input';
import { isZoned, parseDateTime } from '../values/times';
import { parseSingle, type MemberContext } from '../values/kinds';
import { spellPath } from '../values/memberNames';
import type { IdResolver } from '../values/references';
import {
	type FieldType,
	HAS_TEXT,
	isComparedHere,
	listTests,
	parseTypedText,
	passesTest,
	type TextTest,
} from '../values/typedTexts';
import { checkOperator, requireMeantOperator } from './comparisons';

export interface Condition {
	PropertyName: string;
	Operator: OperatorName;
	Values: unknown[];
}

export interface Criteria {
	FilterOperator: 'And' | 'Or';
	Conditions?: Condition[];
	Filters?: Criteria[];
}

export interface ConditionInput {
	property?: unknown;
	operator?: unknown;
	value?: unknown;
	/** The other end of a range. */
	valueTo?: unknown;
	/** Used by operators that take several values. */
	values?: unknown;
}

const FIELD = 'Conditions';

/** What conditions need to know of the Company. */
export interface ConditionNames {
	resolveId: IdResolver;
	/** Finds a custom field by the Id of its definition, and refuses one that does not exist. */
	getTextType: (label: string, descriptor: number) => FieldType;
	/** Lists all values of a custom field, each with its record. Conditions that are only inspected have none. */
	listValues?: (descriptor: number) => JsonObject[];
}

/** The field that holds conditions on an entity. */
interface Source extends ConditionNames {
	entity: string;
	field: string;
}

/** A value may need the value of another condition to be understood, such as its record type. */
type Group = Source & Pick<MemberContext, 'getSibling'>;

/** A condition whose names and values have not been checked. */
interface ConditionParts {
	property: unknown;
	operator: unknown;
	values: unknown[];
}

/** With Match All, one condition can set the record type for another. */
function createGroup(source: Source, all: boolean, conditions: readonly ConditionParts[]): Group {
	const equals = conditions.filter(({ operator }) => all && operator === 'Equal');
	const values = new Map(
		equals.map((one) => [unwrapLocator(one.property), unwrapLocator(one.values[0])]),
	);
	return { ...source, getSibling: (path) => values.get(path) };
}

/** Names match in any case, but they decide how a condition is built, and what its search is about. */
const spellProperty = (entity: string, property: unknown): unknown =>
	typeof property === 'string' ? spellPath(entity, property.trim()) : property;

type Match = 'all' | 'any';

/** Conditions on the one row of a custom field. */
interface CustomConditions {
	/** What the service compares. */
	criteria: Criteria;
	/** What the node compares. */
	tests: TextTest[];
}

/**
 * Conditions of a form: those on custom fields are apart, because each is about a row of its own. A
 * custom field without a value has no row.
 */
function readForm(
	entity: string,
	match: Match,
	rows: readonly ConditionInput[],
	names: ConditionNames,
): { own: Condition[]; custom: CustomConditions[]; absent: Criteria[] } {
	const conditions = rows.map((row) => ({
		property: spellProperty(entity, row.property),
		operator: row.operator,
		values: readValues(row),
	}));
	const group = createGroup({ entity, field: FIELD, ...names }, match === 'all', conditions);
	const own: Condition[] = [];
	const absent: Criteria[] = [];
	const custom = new Map<unknown, CustomConditions>();
	for (const parts of conditions) {
		if (!isCustomField(parts.property)) {
			own.push(buildOwnCondition(group, parts));
			continue;
		}
		const [owner, descriptor] = parts.property.split('.');
		const isDescriptor = equal(`${owner}.Descriptor.Id`, Number(descriptor));
		if (parts.operator === 'Null') {
			if (!isCheckable(entity)) {
				throw new ValidationError(
					`'${FIELD}' asks whether ${parts.property} is empty, but ${getNoun(entity)} records have no custom fields`,
				);
			}
			absent.push(and(isDescriptor));
			continue;
		}
		// All conditions on one field are about its one row.
		const key = match === 'all' ? descriptor : parts;
		const known = custom.get(key) ?? { criteria: and(isDescriptor), tests: [] };
		const { test, ...condition } = buildTextCondition(group, parts.property, parts);
		custom.set(
			key,
			test === undefined
				? { ...known, criteria: and(...(known.criteria.Conditions ?? []), condition) }
				: { ...known, tests: [...known.tests, test] },
		);
	}
	return { own, custom: [...custom.values()].sort(byTests), absent };
}

/** Corrigo finds fewer records by conditions that it compares itself, so those come first. */
const byTests = (a: CustomConditions, b: CustomConditions) => a.tests.length - b.tests.length;

/** Builds a condition on the text of a custom field, and its test if the service cannot compare such texts. */
function buildTextCondition(
	group: Group,
	property: string,
	parts: ConditionParts,
): Condition & { test?: TextTest } {
	const [owner] = property.split('.');
	const condition = buildCondition(group, { ...parts, property: `${owner}.Value` });
	const test = buildTextTest(group, property, condition);
	return isComparedHere(test.type) ? { ...condition, test } : condition;
}

function buildTextTest(
	{ field, getTextType }: Group,
	property: string,
	{ Operator, Values }: Condition,
): TextTest {
	const fieldType = getTextType(`${field} > ${property}`, Number(property.split('.')[1]));
	const { type, isChoice } = fieldType;
	const fieldLabel = `${field} > Value of ${property}`;
	const kind = isChoice ? 'with a list of choices' : `of the type ${String(type)}`;
	requireMeantOperator(fieldLabel, Operator, `a custom field ${kind}`, listTests(fieldType));
	const isPattern = Operator === 'Like' || Operator === 'NotLike';
	const values = Values.map((one) =>
		isPattern ? String(one) : parseTypedText(fieldLabel, type, one),
	);
	return { type: String(type), operator: Operator, values };
}

/** The criteria may find more than the conditions ask for: see `buildFormChecks`. */
export function buildFormCriteria(
	entity: string,
	match: Match,
	rows: readonly ConditionInput[],
	names: ConditionNames,
): Criteria | undefined {
	if (rows.length === 0) return undefined;
	const { own, custom: all, absent } = readForm(entity, match, rows, names);
	const custom = all.map(({ criteria }) => criteria);
	// Corrigo cannot search for what is not there, so all records are read, and then checked.
	if (absent.length > 0 && (match === 'any' || own.length + custom.length === 0)) return undefined;
	if (match === 'any') return omitEmpty(or(...own, ...custom));
	// The service may look for two custom fields in one row, and find nothing.
	return omitEmpty(and(...own, ...(isCheckable(entity) ? custom.slice(0, 1) : custom)));
}

/** A query of rows, whose members lead to the record that they belong to. */
export interface RowQuery {
	entity: string;
	/** Property of the rows that holds the Id of the record. */
	owner: string;
	criteria: Criteria;
	/** Tests that the text of the row has to pass. */
	tests?: readonly TextTest[];
	/** A record passes if it has such a row, or if it has none. */
	passes: 'withRow' | 'withoutRow';
}

/**
 * Conditions on a collection are about one row of it. The service may compare each of them with any
 * row, so the records that it finds pass only if queries of the rows find them as well.
 */
export interface RowCheck {
	match: Match;
	queries: readonly RowQuery[];
}

/** Custom fields can be queried only for records of known types. */
const isCheckable = (entity: string) => getEntity(entity)?.actorTypes !== undefined;

export function buildFormChecks(
	entity: string,
	match: Match,
	rows: readonly ConditionInput[],
	names: ConditionNames,
): RowCheck[] {
	const { own, custom, absent } = readForm(entity, match, rows, names);
	if (custom.length + absent.length === 0 || !isCheckable(entity)) return [];
	const isOfEntity = isIn('ObjectTypeId', getEntity(entity)?.actorTypes);
	const createQuery = (
		passes: RowQuery['passes'],
		criteria: Criteria,
		tests: readonly TextTest[] = [],
	): RowQuery => ({
		entity: 'CustomField2',
		owner: 'ObjectId',
		criteria: and(
			isOfEntity,
			mapPaths(criteria, (path) => path.replace('CustomFields.', '')),
		),
		tests: [HAS_TEXT, ...tests],
		passes,
	});
	const queries = [
		...custom.map(({ criteria, tests }) => createQuery('withRow', criteria, tests)),
		...absent.map((criteria) => createQuery('withoutRow', criteria)),
	];
	const others: RowQuery = { entity, owner: 'Id', criteria: or(...own), passes: 'withRow' };
	return [{ match, queries: match === 'any' && own.length > 0 ? [...queries, others] : queries }];
}

/** Renames the properties that criteria compare, in groups within groups, too. */
export const mapPaths = (
	{ FilterOperator, Conditions = [], Filters = [] }: Criteria,
	rename: (path: string) => string,
): Criteria => ({
	FilterOperator,
	Conditions: Conditions.map((one) => ({ ...one, PropertyName: rename(one.PropertyName) })),
	Filters: Filters.map((one) => mapPaths(one, rename)),
});

/** A condition names a custom field of the Company by its descriptor's Id: `CustomFields.12`. */
export const isCustomField = (property: unknown): property is string =>
	typeof property === 'string' && /^CustomFields\.\d+$/.test(property);

/** The JSON has nested criteria in the service's own format, and every condition is checked. */
export function parseCriteria(
	entity: string,
	field: string,
	value: unknown,
	names: ConditionNames,
): Criteria | undefined {
	// A language model passes null for no criteria.
	if (value === null) return undefined;
	const json = parseJsonObject(field, value);
	return Object.keys(json).length === 0 ? undefined : parseGroup({ entity, field, ...names }, json);
}

const createComparison = (Operator: OperatorName) => (PropertyName: string, value: unknown) =>
	({ PropertyName, Operator, Values: [value] }) satisfies Condition;

export const equal = createComparison('Equal');
export const greaterThan = createComparison('GreaterThan');
export const atLeast = createComparison('GreaterOrEqual');
export const lessThan = createComparison('LessThan');
export const atMost = createComparison('LessOrEqual');
export const like = createComparison('Like');

/**
 * The service documents % as the wildcard of Like, but no way to escape it. A text still finds
 * itself: % and _ also match themselves, and [, which begins a set in the database, is sent as %.
 */
export const containsText = (property: string, text: string): Condition =>
	like(property, `%${text.replace(/\[/g, '%')}%`);

const createListComparison =
	(Operator: OperatorName) =>
	(PropertyName: string, values: readonly unknown[] = []): Condition => ({
		PropertyName,
		Operator,
		Values: [...values],
	});

export const isIn = createListComparison('In');
export const notIn = createListComparison('NotIn');
export const isNull = createListComparison('Null');

const combine = (
	FilterOperator: Criteria['FilterOperator'],
	parts: Array<Condition | Criteria>,
) => {
	const filters = parts.filter((part) => 'FilterOperator' in part);
	return {
		FilterOperator,
		Conditions: parts.filter((part) => 'PropertyName' in part),
		...(filters.length > 0 ? { Filters: filters } : {}),
	} satisfies Criteria;
};

const omitEmpty = ({ Conditions = [], ...others }: Criteria): Criteria =>
	Conditions.length > 0 ? { ...others, Conditions } : others;

export const and = (...parts: Array<Condition | Criteria>): Criteria => combine('And', parts);
export const or = (...parts: Array<Condition | Criteria>): Criteria => combine('Or', parts);

/** Properties that criteria compare, in groups within groups, too. */
export const collectPaths = ({
	Conditions = [],
	Filters = [],
}: Partial<Criteria> = {}): string[] => [
	...Conditions.map(({ PropertyName }) => PropertyName),
	...Filters.flatMap(collectPaths),
];

/** The service keeps deleted records in its tables; users do not expect them in results. */
export const excludeRemoved = (entity: string): Criteria | undefined =>
	getEntity(entity)?.softDelete ? and(equal('IsRemoved', false)) : undefined;

/** Joins the groups with And; missing groups are ignored. */
export function joinCriteria(...groups: Array<Criteria | undefined>): Criteria | undefined {
	const present = groups.filter((one) => one !== undefined);
	if (present.length < 2) return present[0];
	return { FilterOperator: 'And', Filters: present };
}

const GROUP_KEYS = ['FilterOperator', 'Conditions', 'Filters'] as const;
const CONDITION_KEYS = ['PropertyName', 'Operator', 'Values'] as const;
const FILTER_OPERATORS = ['And', 'Or'] as const;

const operatorNames = operators.map(({ name }) => name);
const operatorsByName: ReadonlyMap<unknown, Operator> = new Map(
	operators.map((operator) => [operator.name, operator]),
);

/** The service accepts names in any case, as its examples do. Unknown names stay unchanged. */
const findIgnoringCase = (names: readonly string[], value: unknown): unknown =>
	typeof value === 'string'
		? (names.find((name) => name.toLowerCase() === value.toLowerCase()) ?? value)
		: value;

function parseGroup(source: Source, json: unknown): Criteria {
	const { field } = source;
	const {
		FilterOperator = 'And',
		Conditions = [],
		Filters = [],
	} = checkKeys(field, json, GROUP_KEYS);
	const entries = parseJsonArray(`${field}.Conditions`, Conditions).map((one) => {
		const { PropertyName, Operator, Values = [] } = checkKeys(field, one, CONDITION_KEYS);
		const values = parseJsonArray(`${field}.Values of ${quote(PropertyName)}`, Values);
		const operator = findIgnoringCase(operatorNames, Operator);
		return { property: spellProperty(source.entity, PropertyName), operator, values };
	});
	const filterOperator = findIgnoringCase(FILTER_OPERATORS, FilterOperator);
	const group = createGroup(source, filterOperator === 'And', entries);
	const conditions = entries.map((one) => buildJsonCondition(group, one));
	const filters = parseJsonArray(`${field}.Filters`, Filters).map((one) => parseGroup(source, one));
	if (conditions.length + filters.length === 0) {
		throw new ValidationError(`'${field}' has a group without 'Conditions' and 'Filters'`);
	}
	const operator = parseChoice(`${field}.FilterOperator`, filterOperator, FILTER_OPERATORS);
	return omitEmpty(combine(operator, [...conditions, ...filters]));
}

/** A condition on a custom field may be in any group, so its records are found by their Ids. */
function buildJsonCondition(group: Group, parts: ConditionParts): Condition | Criteria {
	const { property } = parts;
	if (!isCustomField(property)) return buildOwnCondition(group, parts);
	const descriptor = Number(property.split('.')[1]);
	const types = getEntity(group.entity)?.actorTypes ?? [];
	const condition = buildCondition(group, { ...parts, property: 'CustomFields.Value' });
	if (group.listValues === undefined) return condition;
	const rows = group
		.listValues(descriptor)
		.filter(({ ObjectTypeId }) => types.some((one) => one === ObjectTypeId));
	const isAbsent = condition.Operator === 'Null';
	const test = isAbsent ? HAS_TEXT : buildTextTest(group, property, condition);
	const passing = rows.filter(({ Value }) => passesTest(test, Value));
	const ids = new Set(passing.map(({ ObjectId }) => ObjectId));
	// No record has the Id 0.
	const listed = batches(ids.size > 0 ? ids : [0]);
	return isAbsent
		? and(...listed.map((some) => notIn('Id', some)))
		: or(...listed.map((some) => isIn('Id', some)));
}

/** The service ignores unknown keys, so a query with a misspelled key would find too much. */
function checkKeys<K extends string>(field: string, json: unknown, known: readonly K[]) {
	if (!isObject(json)) {
		throw new ValidationError(
			`'${field}' has ${quote(json)} where an object with ${known.join(', ')} belongs`,
		);
	}
	const unknownKey = Object.keys(json).find((key) => !known.includes(key as K));
	if (unknownKey !== undefined) {
		throw new ValidationError(
			`'${field}' has the key ${quote(unknownKey)}; known are ${known.join(', ')}`,
		);
	}
	return json as Partial<Record<K, unknown>>;
}

/** Fields that the operator does not take are ignored: they may be left over from another one. */
function readValues({ operator, value, valueTo, values }: ConditionInput): unknown[] {
	switch (operatorsByName.get(operator)?.values) {
		case 'none':
			return [];
		case 'one':
			return Array.isArray(value) ? (value as unknown[]) : [value];
		case 'two':
			return isBlank(valueTo) ? parseList(FIELD, value) : [value, valueTo];
		default:
			return [values, value].flatMap((list) => parseList(FIELD, list ?? ''));
	}
}

function buildCondition(
	{ entity, field, resolveId, getSibling }: Group,
	{ property, operator, values }: ConditionParts,
): Condition {
	const PropertyName = parsePropertyPath(`${field} > Field`, property);
	const name = parseChoice(`${field} > Operator`, operator, operatorNames);
	const fieldLabel = `${field} > Value of ${PropertyName}`;
	const member = { owner: entity, path: PropertyName, fieldLabel, getSibling };
	const Values = values.map((value) =>
		name === 'Like' || name === 'NotLike'
			? parsePattern(fieldLabel, value)
			: parseCompared(member, value, resolveId),
	);
	checkCount(fieldLabel, name, Values.length);
	return {
		PropertyName: findComparedPath(entity, PropertyName, fieldLabel, Values),
		Operator: name,
		Values,
	};
}

/** Builds a condition on a member that the contract describes. */
function buildOwnCondition(group: Group, parts: ConditionParts): Condition {
	const { entity, field } = group;
	const condition = buildCondition(group, parts);
	const { PropertyName: path, Operator } = condition;
	checkOperator(entity, path, Operator, `${field} > Value of ${path}`);
	return condition;
}

/** The records of a search are in many time zones: an instant is compared with the UTC member. */
export function findComparedPath(
	entity: string,
	property: string,
	fieldLabel: string,
	values: unknown[],
): string {
	const local = findLocalPath(entity, property);
	if (local === undefined || !values.some(isZoned)) return property;
	if (local.utc !== undefined && values.every(isZoned)) return local.utc;
	throw new ValidationError(
		`'${fieldLabel}' has a time zone, but the field shows the clock of each record's work zone`,
		local.utc === undefined
			? 'Give the time without a zone, such as 2026-01-31T17:30:00.'
			: 'Give all of the times with a zone, or none.',
	);
}

const COUNTS = {
	none: { fits: (count: number) => count === 0, words: 'no value' },
	one: { fits: (count: number) => count === 1, words: 'exactly one value' },
	two: { fits: (count: number) => count === 2, words: 'exactly two values' },
	many: { fits: (count: number) => count > 0, words: 'at least one value' },
};

function checkCount(fieldLabel: string, name: OperatorName, count: number): void {
	const takes = operatorsByName.get(name)?.values ?? 'one';
	if (!COUNTS[takes].fits(count)) {
		throw new ValidationError(
			`'${fieldLabel}': the operator ${name} takes ${COUNTS[takes].words}, but ${count} given`,
		);
	}
}

/** Whole texts can be compared with an empty text, but a pattern must not be empty. */
function parsePattern(field: string, value: unknown): string {
	const text = isDateObject(value) ? parseDateTime(field, value) : parseText(field, value ?? '');
	return text === '' ? fail(field, text, 'a text to look for') : text;
}

/** A reference, or a member that the catalogue lacks, is compared with any single value. */
function parseCompared(member: MemberContext, value: unknown, resolveId: IdResolver): unknown {
	const { owner, path, fieldLabel } = member;
	const isRead = isSingle(value) || isObject(value);
	const read = isRead && parseSingle(member, getInnerType(owner, path), value, resolveId);
	if (!isRead || !isSingle(read)) {
		throw new ValidationError(
			`'${fieldLabel}' must be text, a number, a date or true/false, but it is ${quote(value, fieldLabel)}`,
		);
	}
	return isDateObject(read) ? parseDateTime(fieldLabel, read) : read;
}

/** JSON would change anything else, including NaN, into another value. */
const isSingle = (value: unknown) =>
	['string', 'boolean'].includes(typeof value) || Number.isFinite(value) || isDateObject(value);

/** The service accepts at most this number of values in one condition. */
export const MAX_VALUES = 500;

/** An answer with one record for each value is shorter than a page limit of 500, so it is not read on. */
export const MAX_NAMES = MAX_VALUES - 1;

interface BatchOptions<T> {
	/** The values that an item adds to a request; equal values count once. */
	values?: (item: T) => readonly unknown[];
	/** Items with equal keys may share a request; an item without a key gets its own. */
	key?: (item: T) => string | undefined;
	maxValues?: number;
}

/** Values are compared only where the number of all of them is above the limit. */
function countTogether(some: ReadonlySet<unknown>, more: readonly unknown[], limit: number) {
	if (some.size + more.length <= limit) return some.size + more.length;
	return some.size + new Set(more.filter((value) => !some.has(value))).size;
}

/** Splits items in order into batches of at most `maxValues` different values, or of one item. */
export function batches<T>(
	items: Iterable<T>,
	{ values = (item) => [item], key = () => '', maxValues = MAX_VALUES }: BatchOptions<T> = {},
): T[][] {
	const open = new Map<string, { values: Set<unknown>; items: T[] }>();
	const all: T[][] = [];
	for (const item of items) {
		const name = key(item);
		if (name === undefined) {
			all.push([item]);
			continue;
		}
		const own = values(item);
		let batch = open.get(name);
		if (batch === undefined || countTogether(batch.values, own, maxValues) > maxValues) {
			batch = { values: new Set(), items: [] };
			open.set(name, batch);
			all.push(batch.items);
		}
		for (const value of own) batch.values.add(value);
		batch.items.push(item);
	}
	return all;
}
