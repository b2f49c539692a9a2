import { getEntity, isReadOnly, parts } from '../catalogue/entities';
import { findMemberType } from '../catalogue/members';
import {
	isObject,
	parseJsonArray,
	parseJsonObject,
	parseList,
	parseJson,
	ValidationError,
	quote,
	type JsonObject,
} from '../values/checks';
import { buildColumn, isScalar, type Cell, type Column, type Verb } from './column';
import { isNamed, resolveTarget, type IdResolver, type MemberContext } from '../values/names';
import { getRowColumns } from './rowColumns';
import { isTimeZone, toZoneIndex } from '../values/timeZones';
import { parseId, parseValue } from '../values/values';

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
export function listColumns(entity: string, verb: Verb, input: JsonObject = {}): Column[] {
	const { fields = {}, required = [] } = getEntity(entity) ?? {};
	const mandatory = verb === 'update' ? [] : required;
	return sortColumns(
		Object.entries(fields)
			.filter(([name]) => !isReadOnly(entity, name))
			// `CustomerId` and `Customer` are one reference, so one column is enough.
			.filter(([name]) => !(`${name}Id` in fields))
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

export interface Mapping {
	mappingMode?: unknown;
	value?: unknown;
	schema?: unknown;
}

/** Values are filled in by hand, or taken from the input item under the names of the columns. */
export function readCells(
	columns: readonly Column[],
	{ mappingMode, value, schema }: Mapping,
	item: JsonObject,
): Cell[] {
	const known = new Map<string, Omit<Cell, 'value'>>(
		[...columns, ...readSchemaColumns(schema)].map(({ id, label, type }) => [
			id,
			{ id, label, type },
		]),
	);
	const references = new Set(columns.filter((one) => one.isReference).map(({ id }) => id));
	const cells =
		mappingMode === 'autoMapInputData'
			? [...known.values()].map((column) => ({ ...column, value: findValue(item, column) }))
			: Object.entries(isObject(value) ? value : {}).map(([id, one]) => ({
					...(known.get(id) ?? { id, label: id }),
					value: one,
				}));
	return cells.filter(({ id, value: one, type }) =>
		isSet(one, references.has(id) ? undefined : type),
	);
}

/** n8n passes `null` for a field left empty, which changes nothing; an empty text clears a text. */
const isSet = (value: unknown, type: string | undefined) =>
	value !== undefined && value !== null && (value !== '' || type === 'string');

/** n8n saves the columns as they were when the form was filled in. */
const readSchemaColumns = (schema: unknown): Cell[] =>
	(Array.isArray(schema) ? schema : []).filter(isObject).map(({ id, displayName, type }) => ({
		id: String(id),
		label: String(displayName),
		type: String(type),
		value: undefined,
	}));

/**
 * Items hold values under dotted paths or in nested objects, and custom fields under their names.
 */
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

/** The service expects each value in the type of its member. */
export function buildMembers(
	owner: string,
	field: string,
	cells: readonly Cell[],
	resolveId: IdResolver,
): JsonObject {
	const values = new Map(cells.map(({ id, value }) => [id, value]));
	const getSibling = (path: string) => values.get(path);
	const members = Object.fromEntries(
		cells.map((cell) => [cell.id, toTypedValue(owner, field, cell, { resolveId, getSibling })]),
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

function toTypedValue(
	owner: string,
	field: string,
	{ id, label, value }: Cell,
	{ resolveId, getSibling }: { resolveId: IdResolver } & Pick<MemberContext, 'getSibling'>,
): unknown {
	const fieldLabel = `${field} > ${label}`;
	const type = findMemberType(owner, id);
	if (type === undefined) {
		throw new ValidationError(
			`'${field}' has the column ${quote(id)}, which ${owner} does not have`,
			"Open the node and refresh the columns, or set 'Input Mode' to JSON.",
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
			type.replace('[]', ''),
			isTimeZone(id, type) ? toZoneIndex(fieldLabel, each) : each,
		);
	};
	if (isScalar(type)) return convert(value);
	if (isScalar(type.replace('[]', ''))) return parseList(fieldLabel, value).map(convert);
	if (!type.endsWith('[]')) return parseJsonObject(fieldLabel, value);
	return parseJsonArray(
		fieldLabel,
		typeof value === 'string' ? parseJson(fieldLabel, value) : value,
	);
}
