import { entityNamed, isReadOnly, parts } from '../catalogue/entities';
import { memberType } from '../catalogue/members';
import {
	isObject,
	jsonArray,
	jsonObject,
	parseList,
	parseJson,
	ValidationError,
	quote,
	type JsonObject,
} from './checks';
import { columnOf, isScalar, type Cell, type Column, type Verb } from './column';
import { isNamed, targetAt, type IdOf, type Place } from './names';
import { rowColumns } from './rowColumns';
import { isTimeZone, zoneIndex } from './timeZones';
import { positiveId, valueOf } from './values';

/**
 * A collator is many times faster than `localeCompare`, which loads the language rules on each
 * call.
 */
const byLabel = new Intl.Collator('en');

export const sortColumns = (columns: Column[]): Column[] =>
	columns.sort(
		(a, b) => Number(b.required) - Number(a.required) || byLabel.compare(a.label, b.label),
	);

/**
 * Some columns depend on the values already filled in. Parts of collections without a column need
 * JSON.
 */
export function columnsOf(entity: string, verb: Verb, filledIn: JsonObject = {}): Column[] {
	const { fields = {}, required = [] } = entityNamed(entity) ?? {};
	const mandatory = verb === 'update' ? [] : required;
	return sortColumns(
		Object.entries(fields)
			.filter(([name]) => !isReadOnly(entity, name))
			// `CustomerId` and `Customer` are one reference, so one column is enough.
			.filter(([name]) => !(`${name}Id` in fields))
			.flatMap(([name, type]) => [
				...rowColumns(entity, name, verb),
				...columnPathsOf(name, type).map((path) =>
					columnOf(entity, path, mandatory.includes(name), filledIn),
				),
			]),
	);
}

export function columnPathsOf(name: string, type: string): string[] {
	if (type in parts) return parts[type].map((part) => `${name}.${part}`);
	if (isScalar(type)) return [name];
	return entityNamed(type) === undefined ? [] : [`${name}.Id`];
}

export interface Mapping {
	mappingMode?: unknown;
	value?: unknown;
	schema?: unknown;
}

/** Values are filled in by hand, or taken from the input item under the names of the columns. */
export function cellsOf(
	columns: readonly Column[],
	{ mappingMode, value, schema }: Mapping,
	item: JsonObject,
): Cell[] {
	const known = new Map<string, Omit<Cell, 'value'>>(
		[...columns, ...schemaColumns(schema)].map(({ id, label, type }) => [id, { id, label, type }]),
	);
	const references = new Set(columns.filter((one) => one.isReference).map(({ id }) => id));
	const cells =
		mappingMode === 'autoMapInputData'
			? [...known.values()].map((column) => ({ ...column, value: valueAt(item, column) }))
			: Object.entries(isObject(value) ? value : {}).map(([id, one]) => ({
					...(known.get(id) ?? { id, label: id }),
					value: one,
				}));
	return cells.filter(({ id, value: one, type }) =>
		isGiven(one, references.has(id) ? undefined : type),
	);
}

/** n8n passes `null` for a field left empty, which changes nothing; an empty text clears a text. */
const isGiven = (value: unknown, type: string | undefined) =>
	value !== undefined && value !== null && (value !== '' || type === 'string');

/** n8n saves the columns as they were when the form was filled in. */
const schemaColumns = (schema: unknown): Cell[] =>
	(Array.isArray(schema) ? schema : []).filter(isObject).map(({ id, displayName, type }) => ({
		id: String(id),
		label: String(displayName),
		type: String(type),
		value: undefined,
	}));

/**
 * Items hold values under dotted paths or in nested objects, and custom fields under their names.
 */
function valueAt(item: JsonObject, { id, label }: Omit<Cell, 'value'>): unknown {
	if (id in item) return item[id];
	const [owner, ...members] = id.split('.');
	const inner = item[owner];
	const found = members.reduce<unknown>(
		(value, name) => (isObject(value) ? value[name] : undefined),
		inner,
	);
	return found === undefined && owner === 'CustomFields' && isObject(inner) ? inner[label] : found;
}

/** The service expects each value in the type of its member. */
export function memberValues(
	owner: string,
	field: string,
	cells: readonly Cell[],
	idOf: IdOf,
): JsonObject {
	const given = new Map(cells.map(({ id, value }) => [id, value]));
	const siblingAt = (path: string) => given.get(path);
	const members = Object.fromEntries(
		cells.map((cell) => [cell.id, typedValue(owner, field, cell, { idOf, siblingAt })]),
	);
	for (const { id, label } of cells) {
		const currency = id.replace(/\.Value$/, '.CurrencyTypeId');
		if (!(currency in members)) {
			throw new ValidationError(
				`'${field}' sets '${label}' without its currency`,
				`An amount is written together with its currency: set '${label} Currency' as well.`,
			);
		}
	}
	return members;
}

function typedValue(
	owner: string,
	field: string,
	{ id, label, value }: Cell,
	{ idOf, siblingAt }: { idOf: IdOf } & Pick<Place, 'siblingAt'>,
): unknown {
	const fieldLabel = `${field} > ${label}`;
	const type = memberType(owner, id);
	if (type === undefined) {
		throw new ValidationError(
			`'${field}' has the column ${quote(id)}, which ${owner} does not have`,
			"Open the node and refresh the columns, or set 'Input Mode' to JSON.",
		);
	}
	const one = (each: unknown) => {
		const target = targetAt({ owner, path: id, fieldLabel, siblingAt }, each);
		if (target !== undefined && isNamed(each)) {
			const record = idOf(fieldLabel, each, target);
			// The service expects some Ids as text.
			return type === 'string' ? String(record) : record;
		}
		if (id.endsWith('.Id')) return positiveId(fieldLabel, each);
		return valueOf(
			fieldLabel,
			type.replace('[]', ''),
			isTimeZone(id, type) ? zoneIndex(fieldLabel, each) : each,
		);
	};
	if (isScalar(type)) return one(value);
	if (isScalar(type.replace('[]', ''))) return parseList(fieldLabel, value).map(one);
	if (!type.endsWith('[]')) return jsonObject(fieldLabel, value);
	return jsonArray(fieldLabel, typeof value === 'string' ? parseJson(fieldLabel, value) : value);
}
