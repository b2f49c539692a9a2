import { fieldType } from '../catalogue/entities';
import { kindsOf } from '../catalogue/kinds';
import { isBlank, isObject, rowsIn, type JsonObject } from './checks';
import { hasCustomValue, plainUrl } from './customFields';
import {
	changeOf,
	differences,
	isIdentity,
	isNewMark,
	isReference,
	isWriteOnly,
} from './differences';
import { kindOf, memberNamed, rowType } from './kinds';

/** A property that is not restored, with its current value. */
interface NotRestored {
	Property: string;
	Now: unknown;
	Reason: string;
}

interface Part {
	/** The value to write; undefined if nothing is to be restored. */
	value?: unknown;
	/** The paths of restored values. */
	changed: string[];
	left: NotRestored[];
}

/** A value before a write, as written, and now. */
interface Versions {
	before: unknown;
	written: unknown;
	now: unknown;
}

const NOTHING: Part = { changed: [], left: [] };

const left = (Property: string, Reason: string, Now: unknown = null): Part => ({
	changed: [],
	left: [{ Property, Now, Reason }],
});

const CHANGED = 'It was changed since';
const REMOVED = 'It was removed since';
const NOT_SHOWN = 'Corrigo does not show it';

/** Restores what a write has changed, unless somebody else has changed it since. */
export function restoration(
	entity: string,
	before: JsonObject,
	written: JsonObject,
	now: JsonObject,
): Part & { value: JsonObject } {
	const { value, ...rest } = membersPart(entity, '', { before, written, now });
	return { value: isObject(value) ? value : {}, ...rest };
}

function membersPart(owner: string, prefix: string, { before, written, now }: Versions): Part {
	const members: JsonObject = {};
	const parts = Object.keys(isObject(written) ? written : {}).map((name) => {
		const versions = {
			before: memberNamed(before, name) ?? null,
			written: memberNamed(written, name),
			now: memberNamed(now, name) ?? null,
		};
		const part = memberPart(owner, name, prefix + name, versions);
		if (part.value !== undefined) members[name] = part.value;
		return part;
	});
	const changed = parts.flatMap((part) => part.changed);
	return {
		...(changed.length > 0 ? { value: members } : {}),
		changed,
		left: parts.flatMap((part) => part.left),
	};
}

function memberPart(owner: string, name: string, path: string, versions: Versions): Part {
	const { before, written, now } = versions;
	if (isWriteOnly(owner, name)) return left(path, NOT_SHOWN);
	const type = fieldType(owner, name) ?? rowType(owner, name) ?? '';
	if (Array.isArray(written) && written.every(isObject)) {
		return rowsPart(type.replace('[]', ''), path, written, rowsIn(before), rowsIn(now));
	}
	if (isObject(written) && type !== 'MoneyValue' && !isReference(type)) {
		return membersPart(type, `${path}.`, versions);
	}
	const isSame = (one: unknown, other: unknown) => changeOf(type, one, other) === undefined;
	const none = isReference(type) ? { Id: null } : null;
	return valuePart(path, versions, isSame, before ?? none) ?? left(path, CHANGED, now);
}

/** Returns undefined if somebody else has changed the value since. */
function valuePart(
	path: string,
	{ before, written, now }: Versions,
	isSame: (one: unknown, other: unknown) => boolean,
	value: unknown,
): Part | undefined {
	if (isSame(before, written) || isSame(now, before)) return NOTHING;
	return isSame(now, written) ? { value, changed: [path], left: [] } : undefined;
}

const idOf = (row: JsonObject) => memberNamed(row, 'Id');
const isDeletion = (row: JsonObject) => memberNamed(row, 'PerformDeletion') === true;

function rowsPart(
	type: string,
	path: string,
	written: readonly JsonObject[],
	before: readonly JsonObject[],
	now: readonly JsonObject[],
): Part {
	const added = now.filter((row) => !before.some((one) => idOf(one) === idOf(row)));
	const parts = written.map((row): Part => {
		const kind = kindOf(type, row);
		const isIt = (one: JsonObject) =>
			isBlank(idOf(row))
				? kind !== undefined && kindOf(type, one) === kind
				: idOf(one) === idOf(row);
		const versions = { written: row, before: before.find(isIt), now: now.find(isIt) };
		const own = kind === undefined ? path : `${path}.${kind}`;
		if (type === 'CustomField2') return customPart(own, versions);
		if (isDeletion(row)) return deletedPart(type, own, versions);
		if (versions.before !== undefined) return changedPart(type, own, versions);
		const rows = kind === undefined && isBlank(idOf(row)) ? added : [versions.now].filter(isObject);
		return addedPart(type, own, row, rows);
	});
	const value = parts.flatMap((part) => part.value ?? []);
	return {
		...(value.length > 0 ? { value } : {}),
		changed: [...new Set(parts.flatMap((part) => part.changed))],
		left: parts.flatMap((part) => part.left),
	};
}

type RowVersions = Record<'before' | 'now', JsonObject | undefined> & { written: JsonObject };

/** A custom field without a value may have no row. */
function customPart(path: string, { before, written, now }: RowVersions): Part {
	const row = now ?? { Descriptor: written.Descriptor };
	const isSame = (one: unknown, other: unknown) =>
		hasCustomValue({ ...row, Value: one }, plainUrl(other));
	const values = { before: before?.Value, written: written.Value, now: now?.Value };
	const Value = plainUrl(before?.Value) ?? '';
	// Corrigo refuses an empty value, so the row is deleted.
	const value = Value === '' ? { ...row, PerformDeletion: true } : { ...row, Value };
	return valuePart(path, values, isSame, value) ?? left(path, CHANGED, now?.Value);
}

/** Adds a deleted row again. */
function deletedPart(type: string, path: string, { before, now }: RowVersions): Part {
	if (before === undefined) return NOTHING;
	const members = Object.entries(before).filter(([name]) => !isIdentity(name));
	const value = Object.fromEntries(members);
	if (now === undefined) return { value, changed: [path], left: [] };
	return differences(type, now, value).changed.length === 0 ? NOTHING : left(path, CHANGED, now);
}

/** Deletes an added row, unless somebody else has changed it since. */
function addedPart(type: string, path: string, written: JsonObject, rows: JsonObject[]): Part {
	const index = rows.findIndex((one) => differences(type, one, written).changed.length === 0);
	if (index >= 0) {
		const [row] = rows.splice(index, 1);
		return { value: { Id: idOf(row), PerformDeletion: true }, changed: [path], left: [] };
	}
	return rows.length === 0 ? NOTHING : left(path, CHANGED, rows.length === 1 ? rows[0] : rows);
}

function changedPart(type: string, path: string, versions: RowVersions): Part {
	const { written, now } = versions;
	if (now === undefined) return left(path, REMOVED);
	const by = kindsOf(type)?.by.split('.')[0];
	const members = Object.entries(written).filter(
		([name]) => name !== by && !isIdentity(name) && !isNewMark(name),
	);
	const part = membersPart(type, `${path}.`, { ...versions, written: Object.fromEntries(members) });
	// The service may reset members that a row lacks, so the whole row is sent.
	return isObject(part.value)
		? { value: { ...now, ...part.value }, changed: [path], left: part.left }
		: part;
}
