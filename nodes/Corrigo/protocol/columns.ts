import { entityNamed, fieldType, isKept, parts } from '../catalogue/entities';
import { enumerationOptions, isEnumerationName } from '../catalogue/enumerations';
import { memberLabel } from '../catalogue/enumerations/labels';
import { targetOf } from '../catalogue/targets';
import { isBlank, isObject, Refusal, show, type JsonObject } from './checks';
import { isNamed, plainId, type IdOf } from './names';
import { plainText, positiveId, valueOf } from './values';

/** One thing of a record that a form can set. */
export interface Column {
	/** Path of the property. */
	id: string;
	label: string;
	type: 'boolean' | 'dateTime' | 'number' | 'options' | 'string';
	required: boolean;
	options?: Array<{ name: string; value: string }>;
}

/** A value given for a column. */
export interface Cell {
	id: string;
	label: string;
	value: unknown;
	type?: string;
}

const PRIMITIVES: Readonly<Record<string, Column['type']>> = {
	boolean: 'boolean',
	datetime: 'dateTime',
	integer: 'number',
	number: 'number',
	string: 'string',
};

/** Many times faster than `localeCompare`, which finds the rules of the language anew each time. */
const english = new Intl.Collator('en');

export type Verb = 'create' | 'update' | 'upsert';

/** Everything of an entity that a form can set; collections of others are left to JSON. */
export function columnsOf(entity: string, verb: Verb): Column[] {
	const { fields = {}, required = [] } = entityNamed(entity) ?? {};
	const mandatory = verb === 'update' ? [] : required;
	return (
		Object.entries(fields)
			.filter(([name]) => !isKept(entity, name))
			// The same record, once as a number and once as a reference.
			.filter(([name]) => !(`${name}Id` in fields))
			.flatMap(([name, type]) =>
				// To write one of them, what is there has to be known.
				verb === 'upsert' && type === `${ADDRESS}[]`
					? addressColumns(name)
					: pathsOf(name, type).map((path) => columnOf(entity, path, mandatory.includes(name))),
			)
			.sort((a, b) => Number(b.required) - Number(a.required) || english.compare(a.label, b.label))
	);
}

const ADDRESS = 'ContactInfo';

/** Of e-mail addresses and phone numbers a record has one of each kind. */
const addressColumns = (name: string): Column[] =>
	enumerationOptions('ContactAddrType')
		.filter(({ value }) => value !== 'Unknown')
		.map(({ name: label, value }) => ({
			id: `${name}.${value}`,
			label,
			type: 'string',
			required: false,
		}));

function pathsOf(name: string, type: string): string[] {
	if (type in parts) return parts[type].map((part) => `${name}.${part}`);
	if (type in PRIMITIVES || isEnumerationName(type)) return [name];
	return entityNamed(type) === undefined ? [] : [`${name}.Id`];
}

function columnOf(entity: string, path: string, required: boolean): Column {
	const type = fieldType(entity, path) ?? '';
	const base = { id: path, label: labelOf(path, type), required };
	return isEnumerationName(type)
		? { ...base, type: 'options', options: enumerationOptions(type) }
		: { ...base, type: PRIMITIVES[type] };
}

/** The label of one member by itself. */
export const memberName = (member: string, type: string): string => labelOf(member, type);

/** `DtDue`, `Customer.Id`, `VendorNte.Value` and `Info.TagId` as a person reads them. */
function labelOf(path: string, type: string): string {
	const words = path
		.replace(/^Dt(?=[A-Z])/, '')
		.replace(/^Info\./, '')
		.replace(/\.Value$/, '')
		.replace('.CurrencyTypeId', 'Currency')
		.replace('.AddrTypeId', 'TypeId')
		.replace('Address.Address', 'Address')
		.replace('.', '');
	const name = isEnumerationName(type) ? words.replace(/I[dD]$/, '') : words;
	return memberLabel('', name).replace(/\b(Dba|Mime|Po|Zip)\b/g, (short) => short.toUpperCase());
}

/** Cells of addresses as the rows that they are, and the others. Nothing given leaves an address as it is. */
export function sortAddresses(
	entity: string,
	cells: readonly Cell[],
): { rows: JsonObject; others: Cell[] } {
	const rows: Record<string, JsonObject[]> = {};
	const others = cells.filter((cell) => {
		const [name, AddrTypeId] = cell.id.split('.');
		if (fieldType(entity, name) !== `${ADDRESS}[]`) return true;
		if (isBlank(cell.value)) return false;
		const Address = plainText(cell.label, cell.value);
		rows[name] = [...(rows[name] ?? []), { AddrTypeId, Address }];
		return false;
	});
	return { rows, others };
}

export interface Mapping {
	mappingMode?: unknown;
	value?: unknown;
	schema?: unknown;
}

/**
 * What was filled in, or found in the input item under the names of the columns. Nothing chosen is
 * `null` in the form of n8n, so empty means "leave it as it is"; an empty text from an expression
 * does empty a text.
 */
export function cellsOf(
	columns: readonly Column[],
	{ mappingMode, value, schema }: Mapping,
	item: JsonObject,
): Cell[] {
	const known = new Map<string, Omit<Cell, 'value'>>(
		[...columns, ...columnsIn(schema)].map(({ id, label, type }) => [id, { id, label, type }]),
	);
	const cells =
		mappingMode === 'autoMapInputData'
			? [...known.values()].map((column) => ({ ...column, value: valueAt(item, column) }))
			: Object.entries(isObject(value) ? value : {}).map(([id, one]) => ({
					...(known.get(id) ?? { id, label: id }),
					value: one,
				}));
	return cells.filter(({ value: one, type }) => isGiven(one, type));
}

const isGiven = (value: unknown, type: string | undefined) =>
	value !== undefined && value !== null && (value !== '' || type === 'string');

/** The columns as they were when the form was filled in. */
const columnsIn = (schema: unknown): Cell[] =>
	(Array.isArray(schema) ? schema : []).filter(isObject).map(({ id, displayName, type }) => ({
		id: String(id),
		label: String(displayName),
		type: String(type),
		value: undefined,
	}));

/** Under its path written out or as objects in each other; custom fields under their names. */
function valueAt(item: JsonObject, { id, label }: Omit<Cell, 'value'>): unknown {
	if (id in item) return item[id];
	const [owner, member] = id.split('.');
	const inner = member === undefined ? undefined : item[owner];
	if (!isObject(inner)) return undefined;
	return member in inner ? inner[member] : owner === 'CustomFields' ? inner[label] : undefined;
}

/** The members of a record for the cells of its columns, each of the type that the service wants. */
export function memberValues(
	entity: string,
	field: string,
	cells: readonly Cell[],
	idOf: IdOf = plainId,
): JsonObject {
	const members = Object.fromEntries(
		cells.map((cell) => [cell.id, typed(entity, field, cell, idOf)]),
	);
	for (const { id, label } of cells) {
		const [owner, part] = id.split('.');
		if (part === 'Value' && !(`${owner}.CurrencyTypeId` in members)) {
			throw new Refusal(
				`'${field}' sets '${label}' without its currency`,
				`An amount is written together with its currency: set '${label} Currency' as well.`,
			);
		}
	}
	return members;
}

function typed(entity: string, field: string, { id, label, value }: Cell, idOf: IdOf): unknown {
	const what = `${field} > ${label}`;
	const type = fieldType(entity, id);
	if (type === undefined) {
		throw new Refusal(
			`'${field}' has the column ${show(id)}, which ${entity} does not have`,
			"Open the node and refresh the columns, or set 'Fields Mode' to JSON.",
		);
	}
	const target = targetOf(entity, id);
	if (target !== undefined && isNamed(value)) return idOf(what, value, target);
	return id.endsWith('.Id') ? positiveId(what, value) : valueOf(what, type, value);
}
