import { findEntityMemberType } from '../catalogue/entities';
import { enumerations } from '../catalogue/enumerations';
import { findDescriptorEntity, findRowKinds, findRowType, isIdentity } from '../catalogue/members';
import { ValidationError, quote } from '../values/errors';
import {
	type JsonObject,
	getMember,
	isObject,
	readPath,
	replaceMember,
	toRows,
} from '../values/objects';
import { parsePropertyPath, isBlank } from '../values/scalars';
import { equal, isIn, type Condition } from '../wire/criteria';
import { isReference, getKind, toComparable } from './differences';

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

export function parseKeyColumn(field: string, entity: string, input: unknown): KeyColumn {
	const id = String(input ?? '').trim();
	const [collection, kind, ...more] = id.split('.');
	const type = findRowType(entity, collection);
	if (type !== undefined) {
		if (more.length === 0 && isKind(type, kind)) {
			return { id, type: 'string', row: { collection, type, kind } };
		}
		throw new ValidationError(
			`'${field}' has ${quote(id)}, which does not name a single value of a record`,
			EXAMPLES,
		);
	}
	if (isIdentity(id)) {
		throw new ValidationError(
			`'${field}' has ${quote(id)}, which Corrigo gives to a new record itself`,
			"Choose a field that you give. With the ID of the record, use 'Update'.",
		);
	}
	const path = parsePropertyPath(field, id);
	const own = findEntityMemberType(entity, path) ?? '';
	return isReference(own) ? { id: `${path}.Id`, type: 'integer' } : { id: path, type: own };
}

const isKind = (type: string, kind: string) =>
	findDescriptorEntity(type) !== undefined
		? /^[1-9]\d*$/.test(kind)
		: type === 'ContactInfo' && enumerations.ContactAddrType.some((one) => one === kind);

/** An empty value would identify no record, so it is refused. */
export function requireKeyValue(
	field: string,
	column: KeyColumn,
	members: JsonObject,
	advice = 'Give each item a value there, or leave out items without one.',
): unknown {
	const value = readValues(column, members)[0];
	const { label = column.id } = column;
	if (isBlank(value)) {
		const missing =
			column.label === undefined
				? `'${field}' has no value for ${quote(label)}`
				: `This item has no '${column.label}'`;
		throw new ValidationError(`${missing}, which identifies the record`, advice);
	}
	if (typeof value === 'object') {
		throw new ValidationError(
			`'${field}' has ${quote(value)} for ${quote(label)}, which is not a single value`,
		);
	}
	return trimKey(value);
}

function readValues({ id, row }: KeyColumn, record: JsonObject): unknown[] {
	if (row === undefined) return [readPath(record, id)];
	return toRows(getMember(record, row.collection))
		.filter((one) => getKind(row.type, one) === row.kind)
		.map((one) => getMember(one, findRowKinds(row.type)?.value ?? ''));
}

/** The database of the service ignores case. */
const toKeyText = ({ type }: KeyColumn, value: unknown): string =>
	toComparable(type, trimKey(value)).toLowerCase();

/** Keys of tables and web pages may end in white space, by which nobody tells records apart. */
const trimKey = (value: unknown): unknown => (typeof value === 'string' ? value.trimEnd() : value);

export const toComparableKey = (
	columns: readonly KeyColumn[],
	values: readonly unknown[],
): string => JSON.stringify(columns.map((column, index) => toKeyText(column, values[index])));

/** A record with several rows of one kind has several keys. */
export const readKeys = (columns: readonly KeyColumn[], record: JsonObject): string[] => {
	const combined = columns.reduce<unknown[][]>(
		(before, column) =>
			before.flatMap((values) => readValues(column, record).map((value) => [...values, value])),
		[[]],
	);
	return [...new Set(combined.map((values) => toComparableKey(columns, values)))];
};

/**
 * The conditions compare single columns, so some of the records found have none of the keys. The
 * service may look for two columns of a collection in one row, and find nothing, so the first counts.
 */
export const buildKeyConditions = (
	columns: readonly KeyColumn[],
	keys: ReadonlyArray<readonly unknown[]>,
): Condition[] =>
	columns.flatMap((column, index) => {
		const values = new Map(keys.map((key) => [toKeyText(column, key[index]), key[index]]));
		const sent = [...values.values()];
		const { row } = column;
		const kind = findRowKinds(row?.type ?? '');
		if (row === undefined || kind === undefined) return [isIn(column.id, sent)];
		const isFirst = columns.find((one) => one.row?.collection === row.collection) === column;
		if (!isFirst) return [];
		const sentKind = findDescriptorEntity(row.type) === undefined ? row.kind : Number(row.kind);
		return [
			isIn(`${row.collection}.${kind.value}`, sent),
			equal(`${row.collection}.${kind.by}`, sentKind),
		];
	});

/** Keys identify the record, so a write must not change them. */
export const omitKeys = (columns: readonly KeyColumn[], members: JsonObject): JsonObject =>
	columns.reduce((left, { id, row }) => {
		if (row === undefined) return replacePath(left, id.split('.'), () => undefined);
		const rows = getMember(left, row.collection);
		if (!Array.isArray(rows)) return left;
		const others = rows.filter((one) => !isObject(one) || getKind(row.type, one) !== row.kind);
		return replaceMember(left, row.collection, others.length === 0 ? undefined : others);
	}, members);

/** The trimmed key is both looked up and stored, so that the next run finds it. */
export const trimKeys = (columns: readonly KeyColumn[], members: JsonObject): JsonObject =>
	columns.reduce((all, { id, row }) => {
		if (row === undefined) return replacePath(all, id.split('.'), trimKey);
		const rows = getMember(all, row.collection);
		const { value = '' } = findRowKinds(row.type) ?? {};
		const trim = (one: unknown) =>
			isObject(one) && getKind(row.type, one) === row.kind
				? replaceMember(one, value, trimKey(getMember(one, value)))
				: one;
		return Array.isArray(rows) ? replaceMember(all, row.collection, rows.map(trim)) : all;
	}, members);

function replacePath(
	members: JsonObject,
	[name, ...rest]: string[],
	replace: (value: unknown) => unknown,
): JsonObject {
	const value = getMember(members, name);
	if (rest.length === 0 || !isObject(value)) return replaceMember(members, name, replace(value));
	const left = replacePath(value, rest, replace);
	return replaceMember(members, name, Object.keys(left).length === 0 ? undefined : left);
}
