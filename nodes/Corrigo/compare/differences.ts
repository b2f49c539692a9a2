import { findEntityMemberType, isReference, toRowType } from '../catalogue/entities';
import {
	type JsonObject,
	getMember,
	isAbsent,
	isObject,
	filterMembers,
	mapMembers,
	replaceMember,
	toRows,
} from '../values/objects';
import { addsNothing, getKind, isDeletion, sortNewestFirst } from '../values/rows';
import { kindsByType } from '../values/kinds';
import { HIDDEN, ValidationError } from '../values/errors';
import { hideSecrets } from '../values/secrets';
import { isBlank, findMember, normalize } from '../values/input';
import { CUSTOM_ROW_PATHS, hasCustomValue } from './customFields';
import {
	findDescriptorEntity,
	findRowType,
	getWrittenType,
	isIdentity,
	isWriteOnly,
	findRowKinds,
} from '../catalogue/members';
import { isKnownByIds, isLink } from '../catalogue/targets';
import type { PlannedWrite } from '../wire/requests';
import { isEnumerationName } from '../catalogue/enumerations';
import { toInstant } from '../values/times';

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

const isCompared = (type: string, name: string, value: unknown) =>
	value !== undefined && !isIdentity(name) && !/^IsNew$/i.test(name) && !isWriteOnly(type, name);

/** Members that the record already has in this form need no write. */
export function findDifferences(type: string, stored: JsonObject, input: JsonObject): Difference {
	const members: JsonObject = {};
	const changed: string[] = [];
	for (const [name, value] of Object.entries(input)) {
		if (!isCompared(type, name, value)) continue;
		const change = findChange(getWrittenType(type, name), getMember(stored, name), value);
		if (change === undefined) continue;
		members[name] = change.value;
		changed.push(...change.paths.map((path) => (path === '' ? name : `${name}.${path}`)));
	}
	return { members, changed };
}

/** Compares only the members of an object or row that the input has. */
export function findChange(type: string, stored: unknown, input: unknown): Change | undefined {
	if (Array.isArray(input)) return findRowsChange(toRowType(type), stored, input);
	const whole: Change = { value: input, paths: [''] };
	if (!isObject(input)) return isSame(type, stored, input) ? undefined : whole;
	const before = isObject(stored) ? stored : {};
	const { members, changed } = findDifferences(type, before, input);
	if (isReference(type)) return changed.length > 0 || !hasSameId(before, input) ? whole : undefined;
	if (changed.length === 0) return undefined;
	// The service needs an amount together with its currency.
	if (type === 'MoneyValue') return { value: { ...before, ...input }, paths: [''] };
	return { value: members, paths: changed };
}

export const getId = (row: unknown): unknown => getMember(row, 'Id');

const hasId = (row: unknown): boolean => !isBlank(getId(row));

/** An Id says which stored row is meant, so no other row may replace that one. */
const sortNamedFirst = <Row>(rows: readonly Row[]): Row[] =>
	[...rows].sort((a, b) => Number(hasId(b)) - Number(hasId(a)));

/** A row without an Id is added, unless it only says what to delete. */
export const isNewRow = (row: JsonObject): boolean => !hasId(row) && !isDeletion(row);

const hasSameId = (stored: JsonObject, input: JsonObject) =>
	isSame('integer', getId(stored), getId(input));

/** A new record has no row that could be removed, or completed. */
export function omitRemovedRows(entity: string, members: JsonObject): JsonObject {
	const isOmitted = (name: string) => (row: unknown) =>
		isObject(row) && addsNothing(findRowType(entity, name) ?? '', row);
	const isRemoved = (name: string, value: unknown) =>
		Array.isArray(value) && value.length > 0 && value.every(isOmitted(name));
	return mapMembers(
		filterMembers(members, (name, value) => !isRemoved(name, value)),
		(name, value) => (Array.isArray(value) ? value.filter((row) => !isOmitted(name)(row)) : value),
	);
}

/**
 * A row with neither an Id nor a kind counts as stored if a stored row has all of its members;
 * otherwise each run would add it again.
 */
function findRowsChange(type: string, stored: unknown, input: unknown[]): Change | undefined {
	if (!input.every(isObject))
		return isSame(type, stored, input) ? undefined : { value: input, paths: [''] };
	const left = new RowIndex(type, sortNewestFirst(type, toRows(stored)));
	const given = deleteLinksStoredTwice(type, left.rows, input);
	// An Id says which stored row is meant, so that row is compared with nothing else.
	const named = new Map(given.filter(hasId).map((child) => [child, left.takeSame(child)]));
	// Rows without differences are taken first, so that no other row is compared with them.
	const open = given.filter((child) => {
		const row = named.get(child);
		return row === undefined ? left.takeMatch(child) === undefined : !isMatch(type, row, child);
	});
	const rows = open.flatMap((child) => {
		const row = named.get(child) ?? left.takeSame(child);
		if (row === undefined && addsNothing(type, child)) return [];
		return [{ sent: completeRow(row, child), path: getKind(type, child) ?? '' }];
	});
	if (rows.length === 0) return undefined;
	return { value: rows.map(({ sent }) => sent), paths: [...new Set(rows.map(({ path }) => path))] };
}

/** A link that would become equal to another one goes instead: the other row says already what it would say. */
function deleteLinksStoredTwice(
	type: string,
	stored: readonly JsonObject[],
	input: readonly JsonObject[],
): JsonObject[] {
	if (!isLink(type)) return [...input];
	const given = new RowIndex(type, input);
	const present = new RowIndex(type, stored);
	const others = new RowIndex(
		type,
		stored.filter((row) => given.findSame({ Id: getId(row) }) === undefined),
	);
	return input.map((child) => {
		if (!hasId(child) || present.findMatch(child) !== undefined) return child;
		const isRepeated = others.findMatch(replaceMember(child, 'Id', undefined)) !== undefined;
		return isRepeated ? { Id: getId(child), PerformDeletion: true } : child;
	});
}

/** About as many comparisons as a second allows. */
const MAX_COMPARISONS = 50_000;

/** Finds rows of a collection by what identifies them, so that none is compared with all others. */
export class RowIndex {
	private readonly left: Set<JsonObject>;
	private readonly groups = new Map<string, ReadonlyMap<string, Set<JsonObject>>>();
	private comparisons = 0;

	constructor(
		private readonly type: string,
		rows: readonly JsonObject[],
	) {
		this.left = new Set(rows);
	}

	/** Rows that were not taken. */
	get rows(): JsonObject[] {
		return [...this.left];
	}

	/**
	 * A row with an Id means the stored row of that Id, one without means the row of its kind or currency,
	 * or that links the same.
	 */
	findSame(input: JsonObject): JsonObject | undefined {
		const [first] = this.iterateSame(input);
		return first;
	}

	listSame(input: JsonObject): JsonObject[] {
		return [...this.iterateSame(input)];
	}

	/** No row is taken twice. Of several rows of one kind, the one that `isMatch` is meant. */
	takeSame(input: JsonObject): JsonObject | undefined {
		return this.take(this.findMatch(input) ?? this.findSame(input));
	}

	/** Finds the first row that `isMatch` of the input. */
	findMatch(input: JsonObject): JsonObject | undefined {
		const [first] = this.iterateMatches(input);
		return first;
	}

	takeMatch(input: JsonObject): JsonObject | undefined {
		return this.take(this.findMatch(input));
	}

	private iterateSame(input: JsonObject): Iterable<JsonObject> {
		if (hasId(input)) return this.iterateGroup('Id', toIdKey, input);
		return isKnownByIds(this.type)
			? this.iterateMatches(pickEnds(input))
			: this.iterateGroup('kind', (row) => getKind(this.type, row), input);
	}

	private *iterateMatches(input: JsonObject): Iterable<JsonObject> {
		if (isDeletion(input)) return;
		const parts = listMatchedParts(this.type, input);
		const name = JSON.stringify(parts.map(({ path }) => path));
		const getKey = (row: JsonObject) => JSON.stringify(parts.map(({ read }) => read(row)));
		for (const row of this.iterateGroup(name, getKey, input)) {
			this.count(1);
			if (isMatch(this.type, row, input)) yield row;
		}
	}

	/** Rows that differ in times or in their own rows alone are compared each with each. */
	private count(comparisons: number): void {
		this.comparisons += comparisons;
		if (this.comparisons <= MAX_COMPARISONS) return;
		throw new ValidationError(
			`There are too many rows of ${this.type} to compare with those that Corrigo has`,
			'Write fewer rows at a time.',
		);
	}

	/** Rows are grouped when the first group of a name is needed. */
	private *iterateGroup(
		name: string,
		getKey: (row: JsonObject) => string | undefined,
		input: JsonObject,
	): Iterable<JsonObject> {
		const key = getKey(input);
		let groups = this.groups.get(name);
		if (groups === undefined) {
			this.count(this.left.size / 10);
			groups = groupRows(this.left, getKey);
			this.groups.set(name, groups);
		}
		const group = key === undefined ? undefined : groups.get(key);
		for (const row of group ?? []) {
			if (this.left.has(row)) yield row;
			else group?.delete(row);
		}
	}

	take(row: JsonObject | undefined): JsonObject | undefined {
		if (row !== undefined) this.left.delete(row);
		return row;
	}
}

/** Picks what a link links, or the currency of amounts, whatever else the row says about that. */
function pickEnds(input: JsonObject): JsonObject {
	const ends = filterMembers(input, (name) => /Id$/i.test(name) && !isIdentity(name));
	const named = Object.keys(ends).length > 0 ? ends : input;
	return replaceMember(named, 'PerformDeletion', undefined);
}

/** Rows without a key are in no group. */
function groupRows(
	rows: Iterable<JsonObject>,
	getKey: (row: JsonObject) => string | undefined,
): ReadonlyMap<string, Set<JsonObject>> {
	const groups = new Map<string, Set<JsonObject>>();
	for (const row of rows) {
		const key = getKey(row);
		if (key === undefined) continue;
		const group = groups.get(key);
		if (group === undefined) groups.set(key, new Set([row]));
		else group.add(row);
	}
	return groups;
}

const toIdKey = (row: JsonObject): string | undefined =>
	isAbsent(getId(row)) ? undefined : toKey('integer', getId(row));

interface MatchedPart {
	path: readonly string[];
	read: (row: JsonObject) => string;
}

/** Parts in which each row that matches the input has the same text as the input. */
function listMatchedParts(type: string, input: JsonObject): MatchedPart[] {
	const id = hasId(input) ? [createPart('integer', ['Id'])] : [];
	if (findDescriptorEntity(type) === undefined) return [...id, ...listContentParts(type, input)];
	return [...id, { path: ['kind'], read: (row) => String(getKind(type, row)) }];
}

function listContentParts(
	type: string,
	input: JsonObject,
	prefix: readonly string[] = [],
): MatchedPart[] {
	return Object.keys(input)
		.sort()
		.flatMap((name): MatchedPart[] => {
			const value = input[name];
			const path = [...prefix, name];
			const inner = getWrittenType(type, name);
			if (!isCompared(type, name, value) || name.toLowerCase() === 'performdeletion') return [];
			if (isObject(value)) {
				const id = isReference(inner) ? [createPart('integer', [...path, 'Id'])] : [];
				return [...id, ...listContentParts(inner, value, path)];
			}
			// Times may differ a little, and rows may have more than is compared.
			return (typeof value === 'object' && value !== null) || inner === 'datetime'
				? []
				: [createPart(inner, path)];
		});
}

const createPart = (type: string, path: readonly string[]): MatchedPart => ({
	path,
	read: (row) =>
		toKey(
			type,
			path.reduce<unknown>((value, name) => getMember(value, name), row),
		),
});

/** Corrigo keeps rows that an update does not send, so they are part of the result. */
export function mergeRows(
	type: string,
	stored: readonly JsonObject[],
	input: readonly unknown[],
): unknown[] {
	const rows: unknown[] = [...stored];
	const newest = new RowIndex(type, sortNewestFirst(type, [...stored]));
	const places = new Map(stored.map((row, index) => [row, index]));
	for (const row of sortNamedFirst(input)) {
		const before = isObject(row) ? newest.take(newest.findSame(row)) : undefined;
		if (before === undefined) rows.push(row);
		else rows[places.get(before) ?? -1] = { ...before, ...(row as JsonObject) };
	}
	return rows.filter((row) => !isDeletion(row));
}

/** Returns a record as it is after a write of the members that `findDifferences` has returned. */
export const applyMembers = (type: string, stored: JsonObject, members: JsonObject): JsonObject =>
	Object.entries(members).reduce((record, [name, value]) => {
		const inner = getWrittenType(type, name);
		const before = getMember(record, name);
		const after = Array.isArray(value)
			? mergeRows(toRowType(inner), toRows(before), value)
			: isObject(value) && isObject(before) && !isReference(inner)
				? applyMembers(inner, before, value)
				: value;
		return { ...replaceMember(record, name, undefined), [name]: after };
	}, stored);

/** Rows without an Id have to be matched with those of the record. */
export const getMatchedRows = (entity: string, members: JsonObject): Record<string, JsonObject[]> =>
	filterMembers(
		members,
		(name, value) =>
			isMatched(findRowType(entity, name) ?? '') &&
			toRows(value).some((row) => !hasId(row) || isLink(findRowType(entity, name) ?? '')),
	) as Record<string, JsonObject[]>;

/** Rows that are known by their kind or currency, or by what they link. */
export const isMatched = (type: string): boolean =>
	findRowKinds(type) !== undefined || isKnownByIds(type);

/** An update sends existing kinds complete and with their Ids, and links only if they change. */
export function buildRows(
	entity: string,
	stored: JsonObject,
	input: Readonly<Record<string, readonly JsonObject[]>>,
): Record<string, JsonObject[]> {
	const written: Record<string, JsonObject[]> = {};
	for (const [name, rows] of Object.entries(input)) {
		const type = findRowType(entity, name) ?? '';
		const left = new RowIndex(type, sortNewestFirst(type, toRows(getMember(stored, name))));
		const given = deleteLinksStoredTwice(type, left.rows, rows);
		const toWrite = sortNamedFirst(given).flatMap((child) => {
			const isSent = getKind(type, child) !== undefined || isDeletion(child);
			if (!isSent && left.takeMatch(child) !== undefined) return [];
			const row = left.takeSame(child);
			return row === undefined && addsNothing(type, child) ? [] : [completeRow(row, child)];
		});
		if (toWrite.length > 0) written[name] = toWrite;
	}
	return written;
}

/** A stored row matches if it has all members of the input. */
export function isMatch(type: string, stored: JsonObject, input: JsonObject): boolean {
	if (isDeletion(input) || (hasId(input) && !hasSameId(stored, input))) return false;
	const members = replaceMember(input, 'PerformDeletion', undefined);
	if (findDescriptorEntity(type) === undefined)
		return findDifferences(type, stored, members).changed.length === 0;
	const { CurrencyTypeId: currency = stored.CurrencyTypeId } = input;
	return (
		getKind(type, stored) === getKind(type, input) &&
		hasCustomValue(stored, input.Value) &&
		isSame('CurrencyType', stored.CurrencyTypeId, currency)
	);
}

/** The service may reset members that a row lacks, so a row without an Id is sent complete. */
function completeRow(stored: JsonObject | undefined, input: JsonObject): JsonObject {
	if (stored === undefined || hasId(input)) return input;
	return { ...stored, ...input, Id: getId(stored) };
}

/** A record is compared with the input by these properties, so they have to be read. */
export function listComparedPaths(type: string, input: JsonObject, prefix = ''): string[] {
	return Object.entries(input).flatMap(([name, value]) => {
		const path = prefix + name;
		if (!isCompared(type, name, value)) return [];
		const inner = findEntityMemberType(type, name) ?? '';
		if (Array.isArray(value)) {
			const rowType = findRowType(type, name) ?? '';
			// The model of an asset decides about its attributes.
			const owner = rowType === 'AssetAttribute' ? [`${prefix}ModelId`] : [];
			return [...owner, ...listRowPaths(rowType, path, value)];
		}
		if (inner === 'MoneyValue') return [path];
		if (isReference(inner))
			return [...new Set([`${path}.Id`, ...listInnerPaths(inner, value, path)])];
		if (!isObject(value)) return [path];
		const own = hasId(value) ? [`${path}.Id`] : [];
		return [...own, ...listInnerPaths(inner, value, path)];
	});
}

const listInnerPaths = (type: string, value: unknown, path: string) =>
	isObject(value) ? listComparedPaths(type, value, `${path}.`) : [];

/** `Rows.*` has all members except those of references, which have to be named. */
function listRowPaths(type: string, path: string, rows: readonly unknown[]): string[] {
	if (findDescriptorEntity(type) !== undefined) {
		return CUSTOM_ROW_PATHS.map((one) => `${path}.${one}`);
	}
	const inside = rows
		.flatMap((row) => listInnerPaths(type, row, path))
		.filter((one) => one.slice(path.length + 1).includes('.'));
	return [...new Set([`${path}.*`, ...inside])];
}

type PlannedUpdate = Extract<PlannedWrite, { does: 'update' }>;

/**
 * Returns the members that an item has written, as they were read before, and their new values in
 * `Written`. There is nothing to return for a record that the item has created or must not read.
 */
export function buildBeforeState(writes: readonly PlannedWrite[]): JsonObject | undefined {
	const updates = writes.filter((write): write is PlannedUpdate => write.does === 'update');
	const [first] = updates;
	if (first?.record === undefined || updates.length < writes.length) return undefined;
	const { entity, record } = first;
	const { Id, ConcurrencyId } = record;
	const Written: JsonObject = {};
	const members: JsonObject = {};
	for (const { changes, record: stored } of updates) {
		for (const [name, value] of Object.entries(changes.Entity)) {
			if (isIdentity(name)) continue;
			// Custom fields may be written one by one, so their rows are collected.
			const before = Written[name];
			Written[name] = isWriteOnly(entity, name)
				? HIDDEN
				: Array.isArray(before) && Array.isArray(value)
					? [...(before as unknown[]), ...(value as unknown[])]
					: value;
			members[name] = getStoredValue(entity, name, getMember(stored, name), Written[name]);
		}
	}
	const version = ConcurrencyId === undefined ? {} : { ConcurrencyId };
	return { EntityType: entity, Id, ...version, ...members, Written: hideSecrets(Written) };
}

/** Returns the stored values of the members that a write concerns. */
export const getStoredMembers = (
	entity: string,
	record: JsonObject,
	written: JsonObject,
): JsonObject =>
	Object.fromEntries(
		Object.entries(written)
			.filter(([name]) => !isIdentity(name))
			.map(([name, value]) => [name, getStoredValue(entity, name, getMember(record, name), value)]),
	);

/** Returns the part of a stored value that a write of `written` concerns; null if there is none. */
function getStoredValue(owner: string, name: string, stored: unknown, written: unknown): unknown {
	const type = getWrittenType(owner, name);
	if (Array.isArray(written)) return getStoredRows(toRowType(type), stored, written);
	if (!isObject(written) || !isObject(stored) || isReference(type)) return stored ?? null;
	return mapMembers(written, (part, value) =>
		getStoredValue(type, part, getMember(stored, part), value),
	);
}

/** If a collection has one row of each kind, only rows of the written kinds concern the write. */
function getStoredRows(type: string, stored: unknown, written: readonly unknown[]): unknown[] {
	if (findRowKinds(type) === undefined) return Array.isArray(stored) ? stored : [];
	const rows = toRows(stored);
	const index = new RowIndex(type, rows);
	const concerned = toRows(written)
		.map((row) => index.findSame(row))
		.filter(isObject);
	// A row of the kind that is not among these was added later.
	const kinds = new Set(concerned.map((row) => getKind(type, row)));
	return rows.filter((row) => kinds.has(getKind(type, row)));
}

/** The service stores times in hundredths of a second. */
const TIME_PRECISION_MS = 10;

/** Equal values of a type have equal texts. */
export function toComparable(type: string, value: unknown): string {
	if (isEnumerationName(type)) return normalize(findMember(value, type) ?? value);
	if (type === 'datetime') return String(toInstant(value));
	if (type === 'integer' || type === 'number') return String(Number(value));
	return String(value);
}

/** The service stores a missing value and an empty text alike, so they count as equal. */
export function isSame(type: string, stored: unknown, input: unknown): boolean {
	if (stored === input) return true;
	if (isAbsent(stored) || isAbsent(input)) {
		// The service stores zero for a number that is emptied.
		return isAbsent(input) && (isAbsent(stored) || (stored === 0 && isNumeric(type)));
	}
	if (type === 'datetime')
		return Math.abs(toInstant(stored) - toInstant(input)) < TIME_PRECISION_MS;
	return typeof input === 'object'
		? JSON.stringify(stored) === JSON.stringify(input)
		: toKey(type, stored) === toKey(type, input);
}

/** Values other than times that are the same have the same text. */
function toKey(type: string, value: unknown): string {
	if (isAbsent(value)) return isNumeric(type) ? '0' : '';
	if (type === 'boolean') return normalize(value);
	return type in kindsByType || isEnumerationName(type)
		? toComparable(type, value)
		: JSON.stringify(value);
}

const isNumeric = (type: string): boolean => type === 'integer' || type === 'number';
