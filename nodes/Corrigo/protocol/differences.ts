import { belongsToOne, entityNamed, fieldType } from '../catalogue/entities';
import { isEnumerationName } from '../catalogue/enumerations';
import { isBlank, isObject, type JsonObject } from './checks';
import { CUSTOM_ROW_PATHS, hasCustomValue } from './customFields';
import { kindOf, memberNamed, withMember, rowType } from './kinds';
import { normalize, instantOf } from './values';

export interface Difference {
	/** Members to write, in the format of the input. */
	members: JsonObject;
	/** The paths of the properties that change. */
	changed: string[];
}

interface Change {
	value: unknown;
	/** Paths are relative to the member, which itself is the empty path. */
	paths: string[];
}

/** These members say which record or version is meant. */
export const isIdentity = (name: string) => /^(Concurrency)?Id$/i.test(name);

/** `IsNew` marks a row as new. */
export const isNewMark = (name: string) => /^IsNew$/i.test(name);

/** Answers never contain these members, so only creates and explicit updates set them. */
const WRITE_ONLY = ['Employee.Password', 'Location.ParentId'];

export const isWriteOnly = (type: string, name: string) => WRITE_ONLY.includes(`${type}.${name}`);

const isCompared = (type: string, name: string, value: unknown) =>
	value !== undefined && !isIdentity(name) && !isNewMark(name) && !isWriteOnly(type, name);

/** Members that the record already has in this form need no write. */
export function differences(type: string, stored: JsonObject, given: JsonObject): Difference {
	const members: JsonObject = {};
	const changed: string[] = [];
	for (const [name, value] of Object.entries(given)) {
		if (!isCompared(type, name, value)) continue;
		const inner = fieldType(type, name) ?? rowType(type, name) ?? '';
		const change = changeOf(inner, memberNamed(stored, name), value);
		if (change === undefined) continue;
		members[name] = change.value;
		changed.push(...change.paths.map((path) => (path === '' ? name : `${name}.${path}`)));
	}
	return { members, changed };
}

/** A reference points to another record and is written as a whole. */
export const isReference = (type: string) => entityNamed(type) !== undefined && !belongsToOne(type);

/** Compares only the members of an object or row that the input has. */
export function changeOf(type: string, stored: unknown, given: unknown): Change | undefined {
	if (Array.isArray(given)) return childrenChange(type.replace('[]', ''), stored, given);
	const whole: Change = { value: given, paths: [''] };
	if (!isObject(given)) return isSame(type, stored, given) ? undefined : whole;
	const before = isObject(stored) ? stored : {};
	const { members, changed } = differences(type, before, given);
	if (isReference(type)) return changed.length > 0 || idsDiffer(before, given) ? whole : undefined;
	if (changed.length === 0) return undefined;
	// The service needs an amount together with its currency.
	if (type === 'MoneyValue') return { value: { ...before, ...given }, paths: [''] };
	return { value: members, paths: changed };
}

const idOf = (row: JsonObject): unknown => memberNamed(row, 'Id');

const idsDiffer = (stored: JsonObject, given: JsonObject) =>
	!isSame('integer', idOf(stored), idOf(given));

/**
 * Rows with an Id are compared with the row of that Id, rows of a kind with the row of that kind.
 * Any other row counts as stored if a stored row has all of its members; otherwise each run would
 * add it again.
 */
function childrenChange(type: string, stored: unknown, given: unknown[]): Change | undefined {
	if (!given.every(isObject))
		return isSame(type, stored, given) ? undefined : { value: given, paths: [''] };
	const take = rowPool(stored);
	// Rows without differences leave the pool first, so that no other row is compared with them.
	const open = given.filter((child) => !take((row) => isMatch(type, row, child)));
	const rows = open.flatMap((child) => {
		const kind = kindOf(type, child);
		const row = take((one) =>
			isBlank(idOf(child))
				? kind !== undefined && kindOf(type, one) === kind
				: !idsDiffer(one, child),
		);
		// A row to be deleted that is missing is already deleted.
		if (row === undefined && isDeletion(child)) return [];
		return [{ sent: completeRow(row, child), path: kind ?? '' }];
	});
	if (rows.length === 0) return undefined;
	return { value: rows.map(({ sent }) => sent), paths: [...new Set(rows.map(({ path }) => path))] };
}

/** Returns a function that finds a row and removes it, so that no row is compared twice. */
function rowPool(stored: unknown) {
	const left = (Array.isArray(stored) ? stored : []).filter(isObject);
	return (fits: (row: JsonObject) => boolean): JsonObject | undefined => {
		const index = left.findIndex(fits);
		return index < 0 ? undefined : left.splice(index, 1)[0];
	};
}

/** An update sends existing kinds complete and with their Ids, and links only if they are new. */
export function rowsToWrite(
	entity: string,
	stored: JsonObject,
	given: Readonly<Record<string, readonly JsonObject[]>>,
): Record<string, JsonObject[]> {
	const written: Record<string, JsonObject[]> = {};
	for (const [name, rows] of Object.entries(given)) {
		const type = rowType(entity, name) ?? '';
		const take = rowPool(memberNamed(stored, name));
		const toWrite = rows.flatMap((child) => {
			const kind = kindOf(type, child);
			if (kind === undefined) return take((row) => isMatch(type, row, child)) ? [] : [child];
			const row = take((one) => kindOf(type, one) === kind);
			return [completeRow(row, child)];
		});
		if (toWrite.length > 0) written[name] = toWrite;
	}
	return written;
}

const isDeletion = (child: JsonObject) => memberNamed(child, 'PerformDeletion') === true;

function isMatch(type: string, stored: JsonObject, given: JsonObject): boolean {
	if (isDeletion(given) || (!isBlank(idOf(given)) && idsDiffer(stored, given))) return false;
	const members = withMember(given, 'PerformDeletion', undefined);
	if (type !== 'CustomField2') return differences(type, stored, members).changed.length === 0;
	return kindOf(type, stored) === kindOf(type, given) && hasCustomValue(stored, given.Value);
}

/** The service may reset members that a row lacks, so a row without an Id is sent complete. */
function completeRow(stored: JsonObject | undefined, given: JsonObject): JsonObject {
	if (stored === undefined || !isBlank(idOf(given))) return given;
	return { ...stored, ...given, Id: idOf(stored) };
}

/** The service stores times in hundredths of a second. */
const TIME_PRECISION_MS = 10;

/** The service stores a missing value and an empty text alike, so they count as equal. */
export function isSame(type: string, stored: unknown, given: unknown): boolean {
	if (stored === given) return true;
	if (isEmpty(stored) || isEmpty(given)) return isEmpty(stored) && isEmpty(given);
	if (isEnumerationName(type) || type === 'boolean') return normalize(stored) === normalize(given);
	switch (type) {
		case 'datetime':
			return Math.abs(instantOf(stored) - instantOf(given)) < TIME_PRECISION_MS;
		case 'integer':
		case 'number':
			return Number(stored) === Number(given);
		case 'string':
			return String(stored) === String(given);
		default:
			return JSON.stringify(stored) === JSON.stringify(given);
	}
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === '';

/** A record is compared with the input by these properties, so they have to be read. */
export function comparedPathsOf(type: string, given: JsonObject, prefix = ''): string[] {
	return Object.entries(given).flatMap(([name, value]) => {
		const path = prefix + name;
		if (!isCompared(type, name, value)) return [];
		const inner = fieldType(type, name) ?? '';
		if (Array.isArray(value)) return rowPaths(rowType(type, name) ?? '', path, value);
		if (inner === 'MoneyValue') return [path];
		if (isReference(inner)) return [...new Set([`${path}.Id`, ...innerPaths(inner, value, path)])];
		return isObject(value) ? innerPaths(inner, value, path) : [path];
	});
}

const innerPaths = (type: string, value: unknown, path: string) =>
	isObject(value) ? comparedPathsOf(type, value, `${path}.`) : [];

/** `Rows.*` has all members except those of references, which have to be named. */
function rowPaths(type: string, path: string, rows: readonly unknown[]): string[] {
	const inside = rows
		.flatMap((row) => innerPaths(type, row, path))
		.filter((one) => one.slice(path.length + 1).includes('.'));
	const own = type === 'CustomField2' ? CUSTOM_ROW_PATHS : ['*'];
	return [...new Set([...own.map((one) => `${path}.${one}`), ...inside])];
}
