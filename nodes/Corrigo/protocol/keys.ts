import { fieldType } from '../catalogue/entities';
import { enumerations, isEnumerationName } from '../catalogue/enumerations';
import { kindsOf } from '../catalogue/kinds';
import { isBlank, isObject, propertyPath, ValidationError, quote, type JsonObject } from './checks';
import { equal, isIn, type Condition } from './criteria';
import { isReference } from './differences';
import { kindOf, memberNamed, withMember, rowType, valueAt } from './kinds';
import { dateTime, instantOf } from './values';

/** An ID is unique within its entity only, so the key includes the entity. */
export const keyOfRecord = (entity: string, id: unknown) => `${entity} ${String(id)}`;

/** A property whose values identify records. */
export interface KeyColumn {
	/** A path, such as TenantCode, WorkZone.Id, ContactAddresses.PrimEmail or CustomFields.17. */
	id: string;
	/** Replaces the ID in messages. */
	label?: string;
	/** The type decides how values are compared. */
	type: string;
	/** Set if the value is in a collection that has one row of each kind. */
	row?: { collection: string; type: string; kind: string };
}

const EXAMPLES = 'Examples: TenantCode, WorkZone.Id, ContactAddresses.PrimEmail, CustomFields.17';

export function keyColumn(field: string, entity: string, given: unknown): KeyColumn {
	const id = String(given ?? '').trim();
	const [collection, kind, ...more] = id.split('.');
	const type = rowType(entity, collection);
	if (type !== undefined) {
		if (more.length === 0 && isKind(type, kind)) {
			return { id, type: 'string', row: { collection, type, kind } };
		}
		throw new ValidationError(
			`'${field}' has ${quote(id)}, which names no one value of a record`,
			EXAMPLES,
		);
	}
	if (/^(Id|ConcurrencyId)$/i.test(id)) {
		throw new ValidationError(
			`'${field}' has ${quote(id)}, which Corrigo gives to a new record itself`,
			"Choose a property that you give. With the ID of the record, use 'Update'.",
		);
	}
	const path = propertyPath(field, id);
	const own = fieldType(entity, path) ?? '';
	return isReference(own) ? { id: `${path}.Id`, type: 'integer' } : { id: path, type: own };
}

const isKind = (type: string, kind: string) =>
	type === 'CustomField2'
		? /^[1-9]\d*$/.test(kind)
		: type === 'ContactInfo' && enumerations.ContactAddrType.some((one) => one === kind);

/** An empty value would identify no record, so it is refused. */
export function keyValue(field: string, column: KeyColumn, members: JsonObject): unknown {
	const value = valuesOf(column, members)[0];
	if (isBlank(value)) {
		throw new ValidationError(
			`'${field}' has no value for ${quote(column.id)}, which identifies the record`,
			'Give each item a value there, or leave out items without one.',
		);
	}
	if (typeof value === 'object' && column.type !== 'datetime') {
		throw new ValidationError(
			`'${field}' has ${quote(value)} for ${quote(column.id)}, which is no one value`,
		);
	}
	return column.type === 'datetime' ? dateTime(`${field} > ${column.id}`, value) : value;
}

function valuesOf({ id, row }: KeyColumn, record: JsonObject): unknown[] {
	if (row === undefined) return [valueAt(record, id)];
	const rows = memberNamed(record, row.collection);
	return (Array.isArray(rows) ? rows : [])
		.filter(isObject)
		.filter((one) => kindOf(row.type, one) === row.kind)
		.map((one) => memberNamed(one, kindsOf(row.type)?.value ?? ''));
}

/** The database of the service ignores case and trailing blanks. */
function comparable({ type }: KeyColumn, value: unknown): string {
	if (type === 'datetime') return String(instantOf(value));
	if (type === 'integer' || type === 'number') return String(Number(value));
	return String(value).trimEnd().toLowerCase();
}

export const comparableKey = (columns: readonly KeyColumn[], values: readonly unknown[]): string =>
	JSON.stringify(columns.map((column, index) => comparable(column, values[index])));

/** A record with several rows of one kind has several keys. */
export const keysOf = (columns: readonly KeyColumn[], record: JsonObject): string[] => {
	const combined = columns.reduce<unknown[][]>(
		(before, column) =>
			before.flatMap((values) => valuesOf(column, record).map((value) => [...values, value])),
		[[]],
	);
	return [...new Set(combined.map((values) => comparableKey(columns, values)))];
};

/** The conditions compare single columns, so some of the records found have none of the keys. */
export const keyConditions = (
	columns: readonly KeyColumn[],
	keys: ReadonlyArray<readonly unknown[]>,
): Condition[] =>
	columns.flatMap((column, index) => {
		const values = new Map(keys.map((key) => [comparable(column, key[index]), key[index]]));
		const given = [...values.values()].map((value) => valueToSend(column, value));
		const { row } = column;
		const kind = kindsOf(row?.type ?? '');
		if (row === undefined || kind === undefined) return [isIn(column.id, given)];
		const of = row.type === 'CustomField2' ? Number(row.kind) : row.kind;
		return [
			isIn(`${row.collection}.${kind.value}`, given),
			equal(`${row.collection}.${kind.by}`, of),
		];
	});

const valueToSend = ({ type }: KeyColumn, value: unknown): unknown =>
	type === 'string' || isEnumerationName(type) ? String(value).trimEnd() : value;

/** Keys identify the record, so a write must not change them. */
export const withoutKeys = (columns: readonly KeyColumn[], members: JsonObject): JsonObject =>
	columns.reduce((left, { id, row }) => {
		if (row === undefined) return withoutPath(left, id.split('.'));
		const rows = memberNamed(left, row.collection);
		if (!Array.isArray(rows)) return left;
		const others = rows.filter((one) => !isObject(one) || kindOf(row.type, one) !== row.kind);
		return withMember(left, row.collection, others.length === 0 ? undefined : others);
	}, members);

function withoutPath(members: JsonObject, [name, ...rest]: string[]): JsonObject {
	const value = memberNamed(members, name);
	if (rest.length === 0 || !isObject(value)) return withMember(members, name, undefined);
	const left = withoutPath(value, rest);
	return withMember(members, name, Object.keys(left).length === 0 ? undefined : left);
}
