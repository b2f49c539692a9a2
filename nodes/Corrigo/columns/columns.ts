import { getCommand } from '../catalogue/commands';
import {
	getEntity,
	getMemberTypes,
	isReadOnly,
	parts,
	entities,
	isCollection,
	toRowType,
} from '../catalogue/entities';
import { findMemberType, findTypeMember, findRowKinds, getInnerType } from '../catalogue/members';
import { ValidationError, fail, quote } from '../values/errors';
import { isName, parseId } from '../values/ids';
import { parseJson, parseJsonArray, parseJsonObject, parseList } from '../values/json';
import { type JsonObject, isObject, toRows } from '../values/objects';
import { isBlank, normalize, parseText, parseValue } from '../values/scalars';
import { isNamed, resolveTarget, type IdResolver, type MemberContext } from '../values/names';
import { listEnumerationOptions, isEnumerationName } from '../catalogue/enumerations';
import { getMemberLabel } from '../catalogue/enumerations/labels';
import {
	hasShortList,
	findMemberTarget,
	findActorTarget,
	type Target,
	isLink,
} from '../catalogue/targets';
import { timeZones } from '../catalogue/times';

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
	/** Records can be matched only on columns with a single value. */
	notMatchable?: true;
}

export interface Cell {
	id: string;
	label: string;
	value: unknown;
	type?: string;
}

export type Verb = 'create' | 'update' | 'upsert';

/** Types of inputs for the types of the catalogue that have a single value. */
export const PRIMITIVES: Readonly<Record<string, 'boolean' | 'dateTime' | 'number' | 'string'>> = {
	boolean: 'boolean',
	datetime: 'dateTime',
	integer: 'number',
	number: 'number',
	string: 'string',
};

/** Objects and lists are not scalar. */
const isScalar = (type: string): boolean => type in PRIMITIVES || isEnumerationName(type);

const entityNames = entities.map(({ name, label }) => ({ name: label, value: name }));

const zones = Object.entries(timeZones)
	.map(([index, name = '']) => ({ name, value: Number(index) }))
	.sort((a, b) => (a.name < b.name ? -1 : 1));

export function buildColumn(
	owner: string,
	path: string,
	required: boolean,
	input: JsonObject = {},
): Column {
	const type = findMemberType(owner, path) ?? '';
	const base = { id: path, label: toColumnLabel(path, type), required };
	if (isEnumerationName(type))
		return { ...base, type: 'options', options: listEnumerationOptions(type) };
	if (isTimeZone(path, type)) return { ...base, type: 'options', options: zones };
	if (path === 'EntityType') return { ...base, type: 'options', options: entityNames };
	const typeMember = findTypeMember(owner, path);
	const target =
		typeMember === undefined
			? findMemberTarget(owner, path)
			: findActorTarget(String(input[typeMember] ?? ''));
	if (typeMember === undefined && !target?.by.length) return { ...base, type: PRIMITIVES[type] };
	return {
		...base,
		label: base.label.replace(/ ID$/, ''),
		type: 'string',
		isReference: true,
		...(target && hasShortList(target) ? { table: target } : {}),
	};
}

/** Makes paths such as `DtDue`, `Customer.Id`, `VendorNte.Value` and `Info.TagId` readable. */
export function toColumnLabel(path: string, type: string): string {
	const words = path
		.replace(/^[Dd]t(?=[A-Z])/, '')
		.replace(/^Info\./, '')
		.replace(/\bDisplayAs$/, 'DisplayName')
		.replace(/\.Value$/, '')
		.replace('.CurrencyTypeId', 'Currency')
		.replace('.AddrTypeId', 'TypeId')
		.replace('Address.Address', 'Address')
		// The contract spells one member with a lowercase i.
		.replace(/Orderid$/, 'OrderId')
		.replace('.', '');
	const name = isEnumerationName(type) ? words.replace(/I[dD]$/, '') : words;
	return getMemberLabel('', name);
}

/** The contract types zone numbers as plain integers, so the name of the member decides. */
export const isTimeZone = (path: string, type: string): boolean =>
	type === 'integer' && /(^|\.)TimeZone(Id)?$/.test(path);

/** Accepts the number of a zone or its IANA name. */
export function toZoneIndex(field: string, value: unknown): unknown {
	if (!isName(value)) return value;
	const found = zones.find(({ name }) => normalize(name) === normalize(value));
	return found?.value ?? fail(field, value, 'a time zone such as America/New_York');
}

const createTextColumn = (id: string, label: string) =>
	({ id, label, type: 'string', required: false }) satisfies Column;

/** A row with two references links its owner to the other record; only that record is selected. */
function findLink(owner: string, row: string): { member: string; target: Target } | undefined {
	const members = Object.keys(getEntity(row)?.fields ?? {});
	if (!isLink(row) || members.length !== 2) return undefined;
	return members
		.flatMap((member) => {
			const target = findMemberTarget(row, member);
			return target === undefined ? [] : [{ member, target }];
		})
		.find(({ target }) => target.entity !== owner);
}

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
			...createTextColumn(`${name}.Primary.${part}`, toColumnLabel(`Address.${part}`, '')),
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
			.filter(([name]) => !isReadOnly(entity, name) && !(`${name}Id` in fields))
			.flatMap(([name, type]) => [
				...getRowColumns(entity, name, verb),
				...listColumnPaths(name, type).map((path) =>
					buildColumn(entity, path, mandatory.includes(name), input),
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
			return listColumnPaths(member, type).map((path) => buildColumn(owner, path, required));
		}
		const column = { id: member, label: toColumnLabel(member, type), required };
		// Names or IDs are entered as a comma-separated list.
		if (isScalar(toRowType(type))) return [{ ...column, type: 'string' }];
		const inside = isCollection(type) ? [] : listInnerColumns(type);
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
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
	EntitySpecifier: ['EntityType', 'Id'],
	PropertySet: ['Properties'],
};

/** A command may refer to an existing record by its Id. Its collections are entered as JSON. */
function listInnerColumns(type: string): Column[] {
	const entity = getEntity(type);
	if (entity === undefined) return listMemberColumns(type, getMemberTypes(type), REQUIRED[type]);
	const collections = Object.entries(entity.fields ?? {}).filter(
		([name, inner]) =>
			isCollection(inner) &&
			!isReadOnly(type, name) &&
			getRowColumns(type, name, 'create').length === 0,
	);
	return [
		buildColumn(type, 'Id', false),
		...listColumns(type, 'create'),
		...collections.map(([name, inner]) =>
			buildJsonColumn({ id: name, label: toColumnLabel(name, inner), required: false }, inner),
		),
	];
}

/** Values are filled in by hand, or taken from the input item under the names of the columns. */
export function readCells(
	columns: readonly Column[],
	{ mappingMode, value, schema }: JsonObject,
	item: JsonObject,
): Cell[] {
	const known = new Map<string, Omit<Cell, 'value'>>();
	for (const { id, label, type } of columns) known.set(id, { id, label, type });
	// n8n saves the columns as they were when the form was filled in.
	for (const { id, displayName, type } of toRows(schema)) {
		known.set(String(id), { id: String(id), label: String(displayName), type: String(type) });
	}
	const references = new Set(columns.filter((one) => one.isReference).map(({ id }) => id));
	const byName = new Map(
		Object.entries(item).map(([name, one]) => [name.trim().toLowerCase(), one]),
	);
	const cells: Cell[] =
		mappingMode === 'autoMapInputData'
			? [...known.values()].map((column) => ({
					...column,
					value: findValue(item, column) ?? findNamedValue(byName, column),
				}))
			: Object.entries(isObject(value) ? value : {}).map(([id, one]) => ({
					...(known.get(id) ?? { id, label: id }),
					value: one,
				}));
	// n8n passes `null` for a field left empty, which changes nothing; an empty text clears a text.
	return cells.filter(({ id, value: one, type }) =>
		one === '' ? type === 'string' && !references.has(id) : one !== undefined && one !== null,
	);
}

/** Items hold values under dotted paths or in objects, and custom fields under their names. */
function findValue(item: JsonObject, { id, label }: Omit<Cell, 'value'>): unknown {
	if (id in item) return item[id];
	const [owner, ...members] = id.split('.');
	const inner = item[owner];
	const found = members.reduce<unknown>(
		(value, name) => (isObject(value) ? value[name] : undefined),
		inner,
	);
	return found === undefined && owner === 'CustomFields' && isObject(inner) ? inner[label] : found;
}

/** A sheet may have the names that the form shows, or others in capitals. */
const findNamedValue = (
	byName: ReadonlyMap<string, unknown>,
	{ id, label }: Omit<Cell, 'value'>,
): unknown =>
	[id, label]
		.map((name) => byName.get(name.toLowerCase()))
		.find((value) => value !== undefined && value !== null && typeof value !== 'object');

/** The service expects each value in the type of its member, and rows for the cells of row columns. */
export function buildMembers(
	owner: string,
	cells: readonly Cell[],
	resolveId: IdResolver,
): { members: JsonObject; rows: Record<string, JsonObject[]> } {
	const { rows, others } = splitRows(owner, cells, resolveId);
	const values = new Map(others.map(({ id, value }) => [id, value]));
	const getSibling = (path: string) => values.get(path);
	const members = Object.fromEntries(
		others.map((cell) => [cell.id, toTypedValue(owner, cell, resolveId, getSibling)]),
	);
	for (const { id, label } of others) {
		const currency = id.replace(/\.Value$/, '.CurrencyTypeId');
		if (!(currency in members)) {
			throw new ValidationError(
				`'${label}' has no currency`,
				`An amount is written together with its currency: set '${label} Currency' as well.`,
			);
		}
	}
	return { members, rows };
}

function toTypedValue(
	owner: string,
	{ id, label: fieldLabel, value }: Cell,
	resolveId: IdResolver,
	getSibling: MemberContext['getSibling'],
): unknown {
	const type = findMemberType(owner, id);
	if (type === undefined) {
		throw new ValidationError(
			`${owner} has no field ${quote(id)}`,
			"Open the node and refresh the fields, or set 'Input Mode' to JSON.",
		);
	}
	const convert = (each: unknown) => {
		const target = resolveTarget({ owner, path: id, fieldLabel, getSibling }, each);
		if (target !== undefined && isNamed(each)) {
			const record = resolveId(fieldLabel, each, target);
			// The service expects some Ids as text.
			return type === 'string' ? String(record) : record;
		}
		if (id.endsWith('.Id')) return parseId(fieldLabel, each);
		return parseValue(
			fieldLabel,
			toRowType(type),
			isTimeZone(id, type) ? toZoneIndex(fieldLabel, each) : each,
		);
	};
	if (isScalar(type)) return convert(value);
	if (isScalar(toRowType(type))) return parseList(fieldLabel, value).map(convert);
	if (!isCollection(type)) return parseJsonObject(fieldLabel, value);
	return parseJsonArray(
		fieldLabel,
		typeof value === 'string' ? parseJson(fieldLabel, value) : value,
	);
}

/**
 * Builds the rows of a column inside a collection; undefined for other columns. Each row comes with
 * its kind or, if it is a link, with the ID of the linked record.
 */
function buildRows(
	owner: string,
	{ id, label, value }: Cell,
	resolveId: IdResolver,
): { collection: string; rows: Array<[kind: string, row: JsonObject]> } | undefined {
	const names = id.split('.');
	const getPath = (end: number) => names.slice(0, end).join('.');
	const end = names.findIndex((_, index) =>
		isCollection(findMemberType(owner, getPath(index + 1))),
	);
	const rowOwner = end < 1 ? owner : (findMemberType(owner, getPath(end)) ?? '');
	const known = getRowColumns(rowOwner, names[end] ?? '', 'create');
	if (!known.some((column) => column.id === names.slice(end).join('.'))) return undefined;
	const collection = getPath(end + 1);
	const type = getInnerType(rowOwner, names[end]);
	const link = findLink(rowOwner, type);
	if (link !== undefined) {
		const linked = parseList(label, value).map((one) => resolveId(label, one, link.target));
		return { collection, rows: linked.map((one) => [String(one), { [link.member]: one }]) };
	}
	const [kind, part = 'Address'] = names.slice(end + 1);
	const row = { [findRowKinds(type)?.by ?? '']: kind, [part]: parseText(label, value) };
	return { collection, rows: [[kind, row]] };
}

const hasValue = ([kind, row]: [string, JsonObject]): boolean =>
	Object.values(row).some((value) => !isBlank(value) && value !== kind);

/** Converts cells of row columns to rows and returns the other cells. Empty cells change nothing. */
export function splitRows(owner: string, cells: readonly Cell[], resolveId: IdResolver) {
	const found = new Map<string, Map<string, JsonObject>>();
	const others: Cell[] = [];
	for (const cell of cells) {
		const built = buildRows(owner, cell, resolveId);
		if (built === undefined) {
			others.push(cell);
			continue;
		}
		const rows = found.get(built.collection) ?? new Map<string, JsonObject>();
		found.set(built.collection, rows);
		for (const [kind, row] of built.rows) rows.set(kind, { ...rows.get(kind), ...row });
	}
	const rows = [...found]
		.map(([name, kinds]) => [name, [...kinds].filter(hasValue).map(([, row]) => row)] as const)
		.filter(([, some]) => some.length > 0);
	return { rows: Object.fromEntries(rows), others };
}
