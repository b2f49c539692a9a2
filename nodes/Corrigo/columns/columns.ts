import { getCommand } from '../catalogue/commands';
import {
	getEntity,
	getMemberTypes,
	isReadOnlyMember,
	parts,
	entities,
	isCollection,
	isReference,
	toRowType,
	findEntityMemberType,
} from '../catalogue/entities';
import {
	findMemberType,
	findRowKinds,
	findTypeMember,
	findDescriptorEntity,
	getSiblingName,
	getWrittenType,
	isSecret,
	isWriteOnly,
	splitPath,
} from '../catalogue/members';
import { ValidationError, createEmptyError, extendLabel, quote, toLabel } from '../values/errors';
import { findRowKind, getKind, isDeletion, sortNewestFirst } from '../values/rows';
import { readMembers, type ValueReader } from '../values/members';
import { spellPath } from '../values/memberNames';
import { isBlank, normalize, parsePropertyPath } from '../values/input';
import { parseList } from '../values/json';
import { findRecordName, isId, toRecordId } from '../values/references';
import { suggestEntities, suggestNames } from '../values/spellings';
import {
	type JsonObject,
	append,
	getMember,
	isObject,
	mapMembers,
	readPath,
	stableStringify,
	toRows,
} from '../values/objects';
import { listEnumerationOptions, isEnumerationName, isUnset } from '../catalogue/enumerations';
import { getMemberLabel } from '../catalogue/enumerations/labels';
import {
	hasShortList,
	findMemberTarget,
	findActorTarget,
	getNameProperties,
	type Target,
	findLink,
	isLink,
} from '../catalogue/targets';
import { isTimeZone, timeZones } from '../catalogue/times';
import { getNoun } from '../catalogue/views';
import { createTable } from '../catalogue/table';

/** A value of a record or command that a form can set. */
export interface Column {
	/** Path of the property. */
	id: string;
	label: string;
	/** Lists and objects are entered as JSON. */
	type: 'array' | 'boolean' | 'dateTime' | 'number' | 'object' | 'options' | 'string';
	required: boolean;
	options?: Array<{ name: string; value: number | string }>;
	/** The field accepts the name, number or ID of another record. */
	isReference?: true;
	/** Records to choose from, if there are few enough for a list. */
	table?: Target;
	/** Records can be matched only on columns with a single value, which Corrigo returns. */
	notMatchable?: true;
}

export interface Cell {
	id: string;
	label: string;
	value: unknown;
	type?: string;
	/** Choices that the column had when the form was filled in. */
	options?: readonly string[];
}

export type Verb = 'create' | 'update' | 'upsert';

/** Types of inputs for the types of the catalogue that have a single value. */
export const PRIMITIVES = createTable<'boolean' | 'dateTime' | 'number' | 'string'>({
	boolean: 'boolean',
	datetime: 'dateTime',
	integer: 'number',
	number: 'number',
	string: 'string',
});

/** Objects and lists are not scalar. */
const isScalar = (type: string): boolean => type in PRIMITIVES || isEnumerationName(type);

const entityNames = entities.map(({ name, label }) => ({ name: label, value: name }));

const zones = Object.entries(timeZones)
	.map(([index, name = '']) => ({ name, value: Number(index) }))
	.sort((a, b) => (a.name < b.name ? -1 : 1));

export function buildColumn(
	owner: string,
	path: string,
	{ required = false, input = {} }: { required?: boolean; input?: JsonObject } = {},
): Column {
	const type = findMemberType(owner, path) ?? '';
	const base = {
		...{ id: path, label: toColumnLabel(owner, path), required },
		...(isWriteOnly(owner, path) && { notMatchable: true as const }),
	};
	if (isEnumerationName(type))
		return { ...base, type: 'options', options: listEnumerationOptions(type) };
	if (isTimeZone(path, type)) return { ...base, type: 'options', options: zones };
	if (path === 'EntityType') return { ...base, type: 'options', options: entityNames };
	const typeMember = findTypeMember(owner, path);
	const target =
		typeMember === undefined
			? findMemberTarget(owner, path)
			: findActorTarget(String(input[typeMember] ?? ''));
	if (typeMember === undefined && !target?.ways.length) return { ...base, type: PRIMITIVES[type] };
	return {
		...base,
		label: toColumnLabel(owner, path.replace(/\.Id$/, '')).replace(/ ID$/, ''),
		type: 'string',
		isReference: true,
		...(target && hasShortList(target) ? { table: target } : {}),
	};
}

/** `DisplayAs` is the name of a record, unless the entity has other names as well. */
const getNameWord = (owner: string, path: string): string =>
	['Name', 'FirstName'].some((other) => other in getMemberTypes(splitPath(owner, path).owner))
		? 'DisplayName'
		: 'Name';

/** Makes paths such as `DtDue`, `Customer.Id`, `VendorNte.Value` and `Info.TagId` readable. */
export function toColumnLabel(owner: string, path: string): string {
	const words = path
		.replace(/^[Dd]t(Utc)?(?=[A-Z])(.*)/, '$2$1')
		.replace(/^Info\./, '')
		.replace(/\bDisplayAs$/, () => getNameWord(owner, path))
		.replace(/\.Value$/, '')
		.replace('.CurrencyTypeId', 'Currency')
		.replace('.AddrTypeId', 'TypeId')
		.replace('Address.Address', 'Address')
		// The contract spells one member with a lowercase i.
		.replace(/Orderid$/, 'OrderId')
		.replace('.', '');
	const isChoice = isEnumerationName(findMemberType(owner, path) ?? '');
	const name = isChoice ? words.replace(/I[dD]$/, '') : words;
	return getMemberLabel('', name);
}

const createTextColumn = (id: string, label: string) =>
	({ id, label, type: 'string', required: false }) satisfies Column;

function getRowColumns(owner: string, name: string, verb: Verb): Column[] {
	const type = findMemberType(owner, name) ?? '';
	if (type === 'ContactInfo[]') {
		return listEnumerationOptions('ContactAddrType').map((kind) =>
			createTextColumn(`${name}.${kind.value}`, kind.name),
		);
	}
	if (type === 'Address2[]') {
		// Forms set the primary street address only; other kinds need JSON.
		return parts.Address2.filter((part) => part !== 'TypeId').map((part) => ({
			...createTextColumn(`${name}.Primary.${part}`, toColumnLabel(owner, `Address.${part}`)),
			notMatchable: true,
		}));
	}
	if (findLink(owner, toRowType(type)) === undefined) return [];
	const label = getMemberLabel('', name);
	// Existing links stay, so an update can only add.
	return [
		{ ...createTextColumn(name, verb === 'create' ? label : `Add ${label}`), notMatchable: true },
	];
}

/** A collator is many times faster than `localeCompare`, which loads the rules on each call. */
const byLabel = new Intl.Collator('en');

const sortColumns = (columns: Column[]): Column[] =>
	columns.sort(
		(a, b) => Number(b.required) - Number(a.required) || byLabel.compare(a.label, b.label),
	);

/** Some columns depend on what is filled in. Parts of collections without a column need JSON. */
export function listColumns(entity: string, verb: Verb, input: JsonObject = {}): Column[] {
	const { fields = {}, required = [] } = getEntity(entity) ?? {};
	const mandatory = verb === 'update' ? [] : required;
	return sortColumns(
		Object.entries(fields)
			// `CustomerId` and `Customer` are one reference, so one column is enough.
			.filter(([name]) => !isReadOnlyMember(entity, name) && !(`${name}Id` in fields))
			.flatMap(([name, type]) => [
				...getRowColumns(entity, name, verb),
				...listColumnPaths(name, type).map((path) =>
					buildColumn(entity, path, { required: mandatory.includes(name), input }),
				),
			]),
	);
}

export function listColumnPaths(name: string, type: string): string[] {
	if (type in parts) return parts[type].map((part) => `${name}.${part}`);
	if (isScalar(type)) return [name];
	return getEntity(type) === undefined ? [] : [`${name}.Id`];
}

export function listCommandColumns(command: string): Column[] {
	const { fields = {}, required = [] } = getCommand(command) ?? {};
	return sortColumns(listMemberColumns(command, fields, required));
}

/** Objects have columns for their members, or one for JSON if nothing is known of these. */
function listMemberColumns(
	owner: string,
	fields: Readonly<Record<string, string>>,
	mandatory: readonly string[] = [],
): Column[] {
	return Object.entries(fields).flatMap(([member, type]): Column[] => {
		const required = mandatory.includes(member);
		if (isScalar(type) || type in parts) {
			return listColumnPaths(member, type).map((path) => buildColumn(owner, path, { required }));
		}
		const column = { id: member, label: toColumnLabel(owner, member), required };
		// Names or IDs are entered as a comma-separated list.
		if (isScalar(toRowType(type))) return [{ ...column, type: 'string' }];
		const isNew = getCommand(owner)?.creates === true;
		const inside = isCollection(type) ? [] : listInnerColumns(type, isNew);
		if (inside.length === 0) return [buildJsonColumn(column, type)];
		return inside.map((one) => ({
			...one,
			id: `${member}.${one.id}`,
			label: `${column.label} > ${one.label}`,
			required: required && one.required,
		}));
	});
}

const buildJsonColumn = (column: Omit<Column, 'type'>, type: string): Column => ({
	...column,
	label: `${column.label} (JSON)`,
	type: isCollection(type) ? 'array' : 'object',
});

/** Required members of objects inside commands. */
const REQUIRED = createTable<readonly string[]>({
	EntitySpecifier: ['EntityType', 'Id'],
	PropertySet: ['Properties'],
});

/** A command may refer to an existing record by its Id. Collections of a record are entered as JSON. */
function listInnerColumns(type: string, isNew: boolean): Column[] {
	const entity = getEntity(type);
	if (entity === undefined) return listMemberColumns(type, getMemberTypes(type), REQUIRED[type]);
	const collections = Object.entries(entity.fields).filter(
		([name, inner]) =>
			isCollection(inner) &&
			!isReadOnlyMember(type, name) &&
			getRowColumns(type, name, 'create').length === 0,
	);
	return [
		...(isNew ? [] : [buildColumn(type, 'Id')]),
		...listColumns(type, 'create'),
		...collections.map(([name, inner]) =>
			buildJsonColumn({ id: name, label: toColumnLabel(type, name), required: false }, inner),
		),
	];
}

/** Values are filled in by hand, or taken from the input item under the names of the columns. */
export function readCells(
	owner: string,
	columns: readonly Column[],
	{ mappingMode, value, schema }: JsonObject,
	input: JsonObject,
): Cell[] {
	const known = new Map<string, Omit<Cell, 'value'>>();
	for (const { id, label, type } of columns) known.set(id, { id, label, type });
	// n8n saves the columns as they were when the form was filled in.
	for (const { id, displayName, type, options } of toRows(schema)) {
		const choices = toRows(options).map(({ value: one }) => String(one));
		const column = { id: String(id), label: String(displayName), type: String(type) };
		known.set(column.id, choices.length > 0 ? { ...column, options: choices } : column);
	}
	const references = new Set(columns.filter((one) => one.isReference).map(({ id }) => id));
	const isMapped = mappingMode === 'autoMapInputData';
	const item = isMapped ? readNames(owner, [...known.values()], input) : undefined;
	const cells: Cell[] = item
		? [...known.values()].map((column) => ({
				...column,
				value: findValue(owner, item, column, references.has(column.id)),
			}))
		: Object.entries(isObject(value) ? value : {}).map(([id, one]) => ({
				...(known.get(id) ?? { id, label: id }),
				value: one,
			}));
	// An item may remove what the Company has defined. In the form, a number left empty decides nothing.
	const isCleared = ({ id, label, type }: Cell): boolean =>
		type === 'string' ? !references.has(id) : isMapped && isDefined({ id, label });
	for (const cell of cells) refuseDeletions(owner, cell);
	// n8n passes `null` for a field left empty, which changes nothing; an empty text clears a text.
	return cells.filter((cell) =>
		cell.value === '' ? isCleared(cell) : cell.value !== undefined && cell.value !== null,
	);
}

/** A field of links adds them only. */
function refuseDeletions(owner: string, { id, label, value }: Cell): void {
	if (!isLink(findInner(owner, id)) || !parseList(label, value).some(isDeletion)) return;
	throw new ValidationError(
		`'${label}' has PerformDeletion, but this field only adds records`,
		"To remove one, use 'Fields (JSON)'.",
	);
}

const isDefined = ({ id }: NamedColumn): boolean => NAMED.includes(id.split('.')[0]);

type NamedColumn = Pick<Cell, 'id' | 'label'>;

/** A custom field of another type than the main one of an entity shows its type. */
export const addType = (name: string, type: string): string => `${name} (${type})`;

/** Finds columns by what an item calls them. */
export function createColumnFinder<T extends NamedColumn>(owner: string, columns: readonly T[]) {
	const own = new Map<string, T[]>();
	const ids = new Map<string, T[]>();
	const defined = new Map<string, T[]>();
	const shortened = new Map<string, T[]>();
	for (const column of columns) {
		const keys = new Set([column.id, column.label].map(normalize));
		if (!isDefined(column)) for (const key of keys) append(own, key, column);
		else {
			const [label, ...shorter] = listNames(owner, column);
			append(ids, normalize(column.id), column);
			append(defined, label, column);
			for (const name of shorter) append(shortened, name, column);
		}
	}
	// A field may be named as another one is shown: "Zone (ID 2)".
	const getDefined = (key: string) => defined.get(key) ?? shortened.get(key);
	/** An entry of `CustomFields` or `Attributes` has a name, or else an ID. */
	function findEntry(list: string, name: string): T[] {
		const key = normalize(name);
		const named = (getDefined(key) ?? []).filter(({ id }) => id.startsWith(`${list}.`));
		return named.length > 0 ? named : (ids.get(normalize(`${list}.${key}`)) ?? []);
	}
	/** A sheet names an entry by its path, such as `CustomFields.Floor`. A number in a path is an ID. */
	function findByPath(path: string): T[] {
		const list = NAMED.find((one) => path.startsWith(normalize(`${one}.`)));
		if (list === undefined || /\.\d+$/.test(path)) return [];
		return findEntry(list, path.slice(list.length + 1));
	}
	/** Columns of the record itself come before those that the Company has defined. */
	function findNamed(name: string): T[] {
		const key = normalize(name);
		return own.get(key) ?? ids.get(key) ?? getDefined(key) ?? findByPath(key);
	}
	return {
		findEntry,
		findNamed,
		/** A sheet has an amount in two columns, such as `CustomFields.Fee.Value` and its currency. */
		findAmountPart(name: string): { path: string; part: string } | undefined {
			const names = name.trim().split('.');
			const part = names.pop() ?? '';
			const path = names.join('.');
			const isPart = parts.MoneyValue.includes(part) && findNamed(name).length === 0;
			return isPart && findByPath(normalize(path)).length > 0 ? { path, part } : undefined;
		},
	};
}

/** Fields that share a name have their IDs behind it, and those of other types their types. */
function listNames(owner: string, { id, label }: NamedColumn): Set<string> {
	const [, ...otherTypes] = getEntity(owner)?.actorTypes ?? [];
	const ends = [`(ID ${id.split('.')[1]})`, ...otherTypes.map((one) => addType('', one))].map(
		normalize,
	);
	const names = new Set([normalize(label)]);
	for (const name of names) {
		for (const end of ends) if (name.endsWith(end)) names.add(name.slice(0, -end.length).trim());
	}
	return names;
}

/** A value of the item, and the name under which it has it. */
interface Source {
	name: string;
	value: unknown;
}

interface NamedItem {
	byName: ReadonlyMap<string, readonly Source[]>;
	/** Values of columns that the Company has defined: those of the record, and those inside lists. */
	defined: Record<'top' | 'inside', Map<string, Source[]>>;
}

/** A name that two fields share is refused. */
function readNames(owner: string, columns: readonly NamedColumn[], input: JsonObject): NamedItem {
	const byName = new Map<string, Source[]>();
	const defined: NamedItem['defined'] = { top: new Map(), inside: new Map() };
	const finder = createColumnFinder(owner, columns);
	const take = (
		place: keyof typeof defined,
		found: NamedColumn[],
		name: string,
		source: Source,
	) => {
		const [column, other] = found.filter(isDefined);
		if (other !== undefined) throw createSharedError(name, column, other);
		if (column !== undefined) append(defined[place], column.id, source);
	};
	for (const [name, value] of joinAmounts(finder.findAmountPart, input)) {
		const source = { name, value };
		// An Id may be given where a field takes the record, and the other way round.
		const named = finder.findNamed(name);
		append(byName, normalize(named.length > 0 ? name : spellPath(owner, name.trim())), source);
		const list = NAMED.find((one) => normalize(one) === normalize(name));
		if (list === undefined && hasValue(source)) take('top', named, name, source);
		if (list === undefined || !isObject(value)) continue;
		for (const [entry, inner] of Object.entries(value)) {
			const own = { name, value: inner };
			if (hasValue(own)) take('inside', finder.findEntry(list, entry), entry, own);
		}
	}
	return { byName, defined };
}

/** Puts the columns of an amount together; an amount with neither changes nothing. */
function joinAmounts(
	findAmountPart: (name: string) => { path: string; part: string } | undefined,
	input: JsonObject,
): Array<[name: string, value: unknown]> {
	const amounts = new Map<string, JsonObject>();
	const others = Object.entries(input).filter(([name, value]) => {
		const found = findAmountPart(name);
		if (found === undefined) return true;
		const key = normalize(found.path);
		if (!isBlank(value)) amounts.set(key, { ...amounts.get(key), [found.part]: value });
		return false;
	});
	return [...others, ...amounts];
}

const createSharedError = (name: string, column: NamedColumn, other: NamedColumn) =>
	new ValidationError(
		`The input has ${quote(name)}, which is the name of two fields: ${column.id} and ${other.id}`,
		'Rename the field of the input to one of these, or map each field below.',
	);

/**
 * Items hold values under dotted paths or in objects, in any case, and those of the Company under
 * their names. A sheet may have the names that the form shows. Two values for one field are refused.
 */
function findValue(
	entity: string,
	{ byName, defined }: NamedItem,
	column: Omit<Cell, 'value'>,
	isReference: boolean,
): unknown {
	const { id, label } = column;
	const [owner, ...members] = id.split('.');
	const type = findInner(entity, owner);
	const get = (name: string) => byName.get(normalize(name)) ?? [];
	const holders = get(owner).filter(({ value }) => !isDefined(column) || !isObject(value));
	const inside = holders.map(({ name, value: outer }): Source => {
		const inner = follow(type, outer, members);
		// A reference may be a name, or a record that has one; an amount may be its value alone.
		const outerPath = members.slice(0, -1);
		const outerType = outerPath.reduce(findInner, type);
		const around = follow(type, outer, outerPath);
		const isMain = outerType === 'MoneyValue' && members.at(-1) === 'Value' && isSingle(around);
		const hasName = isObject(around) && findRecordName(outerType, around) !== undefined;
		const isNamed = isReference && (inner === undefined || (isBlank(inner) && hasName));
		if (isNamed) return { name, value: around };
		return { name, value: inner ?? (isMain ? around : undefined) };
	});
	const isOtherMember = getWrittenType(entity, spellPath(entity, label.trim())) !== '';
	// A label may be the name of another member, whose parts or rows are no value of this one.
	const takes = ({ name, value }: Source) => name === id || !isOtherMember || isSingle(value);
	const named = (members.length > 0 ? get(id) : []).filter(takes);
	const labeled = (isDefined(column) ? (defined.top.get(id) ?? []) : get(label)).filter(takes);
	const entries = [...inside, ...(defined.inside.get(id) ?? [])];
	const given = [...named.filter(({ name }) => name === id), ...entries, ...named].filter(hasValue);
	const isExplained = getSiblingName(id).toLowerCase() === normalize(label);
	const others = labeled.filter(hasValue);
	const getId = (value: unknown) => (isReference ? toRecordId(value) : value);
	// What a record that was read has under a label may explain its ID, or be another member.
	const isSaid = ({ value }: Source) =>
		!isOtherMember && (!isExplained || (isReference && isId(getId(value))));
	const own = given.length > 0 ? [...given, ...others.filter(isSaid)] : others;
	// Next to the ID, the name of a record explains it.
	const isOpen = isReference && own.every(({ value }) => isBlank(value));
	const record = isOpen ? readNamedRecord(entity, id, get) : undefined;
	const all = record === undefined ? own : [record];
	const [first] = all;
	const other = all.find(
		({ name, value }) => name !== first.name && !isEqual(getId(value), getId(first.value)),
	);
	if (other === undefined) {
		const links =
			isLink(type) && Array.isArray(first?.value) ? (first.value as unknown[]) : undefined;
		// A field of links adds them only.
		return links?.filter((row) => !isDeletion(row)) ?? first?.value;
	}
	throw new ValidationError(
		`The input has ${quote(first.name)} and ${quote(other.name)}, which are two values of one field: ${label}`,
		'Remove one of them, or map each field below.',
	);
}

/** A sheet may have the names of a record under paths, such as Priority.DisplayAs. */
export function listNamePaths(entity: string, id: string): Array<{ path: string; name: string }> {
	const [owner, ...members] = id.split('.');
	if (members.length > 1) return [];
	const record = members.length > 0 ? owner : getSiblingName(owner);
	const target = findMemberTarget(entity, id);
	const names = target === undefined ? [] : getNameProperties(target.entity);
	return names.map((name) => ({ path: `${record}.${name}`, name }));
}

function readNamedRecord(
	entity: string,
	id: string,
	get: (name: string) => readonly Source[],
): Source | undefined {
	const names = listNamePaths(entity, id).flatMap(({ path, name }) =>
		get(path)
			.filter(({ value }) => isSingle(value) && !isBlank(value))
			.map(({ value }): [string, unknown] => [name, value]),
	);
	return names.length > 0 ? { name: id, value: Object.fromEntries(names) } : undefined;
}

const hasValue = ({ value }: Source) => value !== undefined && value !== null;

const isEqual = (one: unknown, other: unknown): boolean =>
	isSingle(one) && isSingle(other)
		? String(one).trim() === String(other).trim()
		: stableStringify(one) === stableStringify(other);

/** Rows are found by their kind; a path that ends there means what the row holds. */
function follow(type: string, value: unknown, [name, ...names]: readonly string[]): unknown {
	if (name === undefined || value === undefined) return value;
	const { value: main = '' } = findRowKinds(type) ?? {};
	if (Array.isArray(value)) {
		const rows = sortNewestFirst(type, toRows(value));
		const row = rows.find((one) => getKind(type, one) === name && !isDeletion(one));
		return names.length > 0 || row === undefined
			? readPath(row, names.join('.'))
			: readContent(type, row);
	}
	const inner = getMember(value, name) ?? getByKind(type, value, name);
	const isMain = main !== '' && names.join('.') === main && !isObject(inner);
	return isMain ? inner : follow(findInner(type, name), inner, names);
}

/** A row means what the value of its kind would mean: a single value, or an object that says more of it. */
function readContent(type: string, row: JsonObject): unknown {
	const { value = '', details = [] } = findRowKinds(type) ?? {};
	const main = getMember(row, value);
	const said = details
		.map((name): [string, unknown] => [name, getMember(row, name)])
		.filter(([, one]) => !isBlank(one) && !isUnset(one));
	// The alerts of an address may change without it. A currency without an amount says nothing.
	const isWhole = !isBlank(main) || findDescriptorEntity(type) === undefined;
	return isWhole && said.length > 0 ? { [value]: main, ...Object.fromEntries(said) } : main;
}

/** A collection may be given by its kinds, each written as in JSON. */
function getByKind(type: string, value: unknown, kind: string): unknown {
	if (!isObject(value) || findRowKinds(type) === undefined) return undefined;
	return Object.entries(value).find(([name]) => findRowKind(type, name) === kind)?.[1];
}

const findInner = (owner: string, name: string) => toRowType(getWrittenType(owner, name));

const NAMED = ['Attributes', 'CustomFields'];

const isSingle = (value: unknown) => !isObject(value) && !Array.isArray(value);

export const JSON_ADVICE = "Check 'Entity', or set 'Input Mode' to JSON.";

/** A name that the catalogue lacks is likely to be misspelled. */
export function requirePublished(entity: string, advice = "Check 'Entity'."): void {
	if (Object.keys(getEntity(entity)?.fields ?? {}).length > 0) return;
	throw new ValidationError(
		`Corrigo publishes no fields of ${entity}`,
		suggestEntities(entity) ?? advice,
	);
}

/** Builds the members of a record or command from its cells; a row of a kind may have several cells. */
export function buildMembers(
	owner: string,
	cells: readonly Cell[],
	reader: ValueReader,
): JsonObject {
	const unknown = cells.find(({ id }) => !hasColumn(owner, id));
	if (unknown !== undefined) {
		if (getCommand(owner) === undefined) requirePublished(owner, JSON_ADVICE);
		throw new ValidationError(
			`${owner} has no field ${quote(unknown.id)}`,
			"Open the node and refresh the fields, or set 'Input Mode' to JSON.",
		);
	}
	const labels = new Map(cells.map(({ id, label }) => [id, label]));
	const input = cells.reduce<JsonObject>(
		(members, { id, value }) => nest(members, id.split('.'), value),
		{},
	);
	return readMembers(owner, input, {
		getLabel: (path) => getLabel(owner, labels, path),
		...reader,
	});
}

/** Columns of members that can be without a value: an enumeration, a switch and a password always have one. */
export const listClearable = (
	entity: string,
	columns: readonly Column[] = listColumns(entity, 'update'),
): Column[] =>
	columns.filter(({ id, type }) => {
		const isChosen = ['array', 'boolean', 'options'].includes(type);
		const isAlways = isChosen || isCurrency(id) || isSecret(id);
		const isLinks = isCollection(findMemberType(entity, id) ?? '');
		const isNeeded = getEntity(entity)?.required?.includes(id.split('.')[0]) === true;
		return !isAlways && !isLinks && !isNeeded;
	});

const isCurrency = (id: string) => id.endsWith('.CurrencyTypeId');

/**
 * Builds the members that an update empties. A reference is emptied by its Id, an amount as a whole,
 * and a row that is its value alone is removed. Of an entity without columns, every member is taken.
 */
export function buildCleared(
	field: string,
	entity: string,
	columns: readonly Column[],
	names: readonly string[],
): JsonObject {
	const cleared = names.reduce<JsonObject>((members, name) => {
		const id = findCleared(field, entity, columns, name);
		return nest(members, id.replace(/\.Value$/, '').split('.'), null);
	}, {});
	return emptyMembers(entity, cleared);
}

const emptyMembers = (owner: string, cleared: JsonObject): JsonObject =>
	mapMembers(cleared, (name, value) => {
		const type = findMemberType(owner, name) ?? '';
		if (!isObject(value)) return type === 'string' ? '' : null;
		if (!isCollection(type)) return emptyMembers(type, value);
		const rowType = toRowType(type);
		const { by = '' } = findRowKinds(rowType) ?? {};
		return Object.entries(value).map(([kind, parts]) => ({
			[by]: kind,
			...(isObject(parts) ? emptyMembers(rowType, parts) : { PerformDeletion: true }),
		}));
	});

/** Finds the field that is meant by its label or its path; a reference and an amount may be named as a whole. */
function findCleared(
	field: string,
	entity: string,
	columns: readonly Column[],
	name: string,
): string {
	if (columns.length === 0) return parsePropertyPath(field, name);
	const [named] = createColumnFinder(entity, columns).findNamed(name);
	const path = named?.id ?? spellPath(entity, name);
	const clearable = listClearable(entity, columns).map(({ id }) => id);
	// The form has one field for `FlagId` and `Flag`.
	const ids = [path, `${path}.Id`, `${path}.Value`, path.replace(/(\.Id)?$/, 'Id')];
	const found = clearable.find((id) => ids.includes(id));
	if (found !== undefined) return found;
	const [member, ...inner] = path.split('.');
	const isOther = inner.length > 0 && isReference(findMemberType(entity, member) ?? '');
	if (findMemberType(entity, path) !== undefined && !isOther) {
		throw new ValidationError(`'${field}' has ${quote(path)}, which cannot be empty`);
	}
	throw new ValidationError(
		`'${field}' has ${quote(name)}, which ${getNoun(entity)} records do not have`,
		suggestNames(name, clearable),
	);
}

const nest = (members: JsonObject, [name, ...rest]: string[], value: unknown): JsonObject => {
	const inner = members[name];
	return {
		...members,
		[name]: rest.length === 0 ? value : nest(isObject(inner) ? inner : {}, rest, value),
	};
};

/** A value inside the JSON of a column is named by the column and the path in it. */
function getLabel(owner: string, labels: ReadonlyMap<string, string>, path: string): string {
	const names = path.split('.');
	for (let end = names.length; end > 0; end--) {
		const label = labels.get(names.slice(0, end).join('.'));
		if (label !== undefined) return extendLabel(toLabel(label), ...names.slice(end));
	}
	return toColumnLabel(owner, path);
}

function hasColumn(owner: string, id: string): boolean {
	if (findMemberType(owner, id) !== undefined) return true;
	const names = id.split('.');
	return names.some((name, index) => {
		const before = names.slice(0, index).join('.');
		const rowOwner = index === 0 ? owner : (findMemberType(owner, before) ?? '');
		const columns = getRowColumns(rowOwner, name, 'create');
		return columns.some((column) => column.id === names.slice(index).join('.'));
	});
}

/** The service treats zero as a missing value. */
const isMissing = (value: unknown): boolean => {
	if (Array.isArray(value)) return value.length === 0;
	return isObject(value) ? Object.values(value).every(isMissing) : isBlank(value) || value === 0;
};

/** A missing yes/no member counts as off, so a new record may lack it. */
export const getMissingMembers = (entity: string, record: JsonObject): string[] =>
	(getEntity(entity)?.required ?? []).filter(
		(name) =>
			findEntityMemberType(entity, name) !== 'boolean' &&
			Object.entries(record).every(
				([one, value]) => one.toLowerCase() !== name.toLowerCase() || isMissing(value),
			),
	);

export function getColumnLabel(entity: string, member: string): string {
	const [path = member] = listColumnPaths(member, findEntityMemberType(entity, member) ?? '');
	return buildColumn(entity, path).label;
}

/** One error names all empty fields, so that a user can fill in all of them at once. */
export function createEmptyFieldsError(labels: readonly string[], noun: string): ValidationError {
	if (labels.length === 1)
		return createEmptyError(labels[0], `A new ${noun} needs a value for it.`);
	const quoted = labels.map((label) => `'${label}'`);
	const last = quoted.pop();
	return new ValidationError(
		`${quoted.join(', ')}${quoted.length > 1 ? ',' : ''} and ${last} are empty`,
		`A new ${noun} needs a value for each of them.`,
		{ emptyFields: labels },
	);
}
