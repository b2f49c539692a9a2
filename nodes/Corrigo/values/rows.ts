import { isEnumerationName, isUnset } from '../catalogue/enumerations';
import {
	findDescriptorEntity,
	findMemberType,
	findRowKinds,
	getWrittenType,
	isIdentity,
} from '../catalogue/members';
import { isOfCurrency } from '../catalogue/targets';
import { ValidationError, quote } from './errors';
import {
	type JsonObject,
	filterMembers,
	getMember,
	isObject,
	readPath,
	replaceMember,
} from './objects';
import { findMember, isBlank, normalize } from './input';

/**
 * A record that is named twice is linked once, and not deleted as well; links with Ids are in Corrigo
 * already.
 */
export function omitLinksGivenTwice(
	linked: string,
	rows: unknown[],
	fieldLabel: string,
): unknown[] {
	const links = rows.filter(isObject).filter((row) => !isDeletion(row));
	const stored = links.filter((row) => !isBlank(row.Id)).map((row) => String(row[linked]));
	const known = new Set<string>();
	for (const one of stored) {
		if (one !== 'undefined' && known.has(one)) throw createTwiceError(fieldLabel, one);
		known.add(one);
	}
	const given = new Set(links.map((row) => String(row[linked])));
	const both = rows
		.filter(isObject)
		.find((row) => isDeletion(row) && isBlank(row.Id) && given.has(String(row[linked])));
	if (both !== undefined) throw createTwiceError(fieldLabel, both[linked]);
	return rows.filter(
		(row) =>
			!isObject(row) ||
			isDeletion(row) ||
			!isBlank(row.Id) ||
			known.size < known.add(String(row[linked])).size,
	);
}

/**
 * A row is given once, and a new one has a kind or a currency of its own. Rows with Ids are in Corrigo
 * already, perhaps several of a kind.
 */
export function refuseRepeated(type: string, rows: readonly unknown[], fieldLabel: string): void {
	const known = new Map<unknown, boolean>();
	const ids = new Set<string>();
	for (const row of rows.filter(isObject)) {
		const id = getMember(row, 'Id');
		const hasId = !isBlank(id);
		if (hasId && ids.size === ids.add(String(id)).size) {
			throw createTwiceError(fieldLabel, `the row with the Id ${String(id)}`);
		}
		const kind = isOfCurrency(type) ? row.CurrencyTypeId : getKind(type, row);
		if (isBlank(kind) || (isDeletion(row) && hasId)) continue;
		const isStored = known.get(kind);
		if (isStored === false || (isStored === true && !hasId)) {
			throw createTwiceError(fieldLabel, kind);
		}
		known.set(kind, hasId);
	}
}

export const createTwiceError = (label: string, kind: unknown): ValidationError =>
	new ValidationError(
		`'${label}' is ${quote(kind)}, which is given more than once`,
		'Remove all but one of them.',
	);

/**
 * A row of a kind without a value changes nothing, as where the collection is given by its kinds. An empty
 * text is a value: it clears that of a row which the record has.
 */
export function completeKind(type: string, row: JsonObject): JsonObject[] {
	if (findRowKinds(type) === undefined) return [row];
	const whole = omitEmptyValue(type, row);
	if (isNothingButKind(type, whole, isUndefined)) return [];
	return [isBlank(getMember(row, 'Id')) ? addFallback(type, whole) : whole];
}

/** Names the kind of a new row that names none, if its collection has a kind for such rows. */
export function addFallback(type: string, row: JsonObject): JsonObject {
	const { by = '', fallback } = findRowKinds(type) ?? {};
	return fallback !== undefined && isBlank(getMember(row, by)) ? { ...row, [by]: fallback } : row;
}

/** A row that Corrigo does not have, and that would be added without content. */
export const addsNothing = (type: string, row: JsonObject): boolean =>
	isDeletion(row) ||
	(getKind(type, row) !== undefined &&
		(isNothingButKind(type, row) || (isBlank(row.Id) && lacksAddress(type, row))));

/** The other members of a row belong to its email address or phone number. */
function lacksAddress(type: string, row: JsonObject): boolean {
	const { value = '', fallback } = findRowKinds(type) ?? {};
	return hasNamedKinds(type) && fallback === undefined && isBlank(getMember(row, value));
}

const isUndefined = (value: unknown): boolean => value === undefined;

/** Members that identify a row or its version, or say what happens to it, are not content. */
export const isContent = (name: string) =>
	!isIdentity(name) && !/^(IsNew|PerformDeletion)$/i.test(name);

/** Ids say which row is meant. A custom field or an attribute has nothing without a value. */
function isNothingButKind(type: string, row: JsonObject, isNothing = isBlank): boolean {
	if (isDeletion(row)) return false;
	if (isDefined(type)) {
		const isKnown = (name: string) => name !== 'Value' && getWrittenType(type, name) !== '';
		return Object.keys(row).every((name) => isIdentity(name) || isKnown(name));
	}
	const { by } = findRowKinds(type) ?? {};
	// A row that is known by its Id may get another kind.
	const hasId = !isBlank(getMember(row, 'Id'));
	const isValue = (name: string) => (name === by ? hasId : isContent(name) && !/Id$/i.test(name));
	return Object.entries(row).every(([name, one]) => !isValue(name) || isNothing(one));
}

/**
 * A custom field, or an attribute, without a value has no row. An email address or a phone number is not
 * emptied.
 */
function omitEmptyValue(type: string, row: JsonObject): JsonObject {
	const { value = '' } = findRowKinds(type) ?? {};
	if (isDefined(type) ? row[value] !== '' : !lacksAddress(type, row)) return row;
	const others = filterMembers(row, (name) => name !== value);
	return isDefined(type) ? { ...others, PerformDeletion: true } : others;
}

/** A sheet has `true` as a text. */
export const isDeletion = (row: unknown) =>
	normalize(getMember(row, 'PerformDeletion') ?? '') === 'true';

/** Refuses a deletion that does not say what to delete; an Id of zero is that of no record. */
export function requireDeletable(label: string, row: JsonObject, others: unknown[] = []): void {
	const isKnown = [Number(row.Id) === 0 ? undefined : row.Id, ...others].some(
		(one) => !isBlank(one),
	);
	if (!isDeletion(row) || isKnown) return;
	throw new ValidationError(
		`'${label}' has PerformDeletion, but no Id`,
		'Give the Id of the row or record to delete.',
	);
}

/** Refuses a write that would delete a record, which is a mistake. Rows are deleted with what they belong to. */
export function refuseDeletion(label: string, record: JsonObject): void {
	if (!isDeletion(record)) return;
	throw new ValidationError(
		`'${label}' has PerformDeletion, which would delete the record itself`,
		"Leave it out. To delete a record, use 'Delete'.",
	);
}

/**
 * A row has a kind if its collection has one row of each kind. Corrigo always returns the kind of an
 * address, so a row without it that has an Id is one that a person gives by its Id alone.
 */
export function getKind(type: string, row: JsonObject): string | undefined {
	const given = readPath(row, findRowKinds(type)?.by ?? '');
	const isKnownById = given === undefined && !isBlank(getMember(row, 'Id'));
	return isKnownById ? undefined : findRowKind(type, given);
}

/** The newest of several rows of one definition has its value. */
export const sortNewestFirst = (type: string, rows: JsonObject[]): JsonObject[] =>
	isDefined(type) ? [...rows].sort((a, b) => Number(b.Id) - Number(a.Id)) : rows;

/** Finds the kind that a person means by its name, its label or its number. */
export function findRowKind(type: string, given: unknown): string | undefined {
	const { by, fallback } = findRowKinds(type) ?? {};
	if (by === undefined) return undefined;
	const enumeration = findMemberType(type, by) ?? '';
	const kind = (isEnumerationName(enumeration) && findMember(given, enumeration)) || given;
	const isKnown = kind !== undefined && kind !== null && !(fallback && isUnset(kind));
	return isKnown ? String(kind) : fallback;
}

/** The kinds of custom fields and attributes are the IDs of their descriptors. */
export const hasNamedKinds = (type: string): boolean =>
	findRowKinds(type) !== undefined && !isDefined(type);

/** The Company defines custom fields and attributes. */
export const isDefined = (type: string): boolean => findDescriptorEntity(type) !== undefined;

/** A row that is given by its kind may name the kind itself, too, but no other one. */
export function nameKind(label: string, type: string, kind: string, row: JsonObject): JsonObject {
	const { by = '' } = findRowKinds(type) ?? {};
	const own = getMember(row, by);
	const isOpen = isBlank(own) || isUnset(own);
	if (!isOpen && findRowKind(type, own) !== findRowKind(type, kind)) {
		throw new ValidationError(
			`'${label}' has a row whose '${by}' is ${quote(own)}`,
			`Leave '${by}' out, or give the row under this name.`,
		);
	}
	return { [by]: kind, ...replaceMember(row, by, undefined) };
}

/** No form shows an email address or a phone number of no kind. Rows with Ids are in Corrigo already. */
export function requireKinds(label: string, type: string, rows: JsonObject[]): JsonObject[] {
	const { by = '' } = findRowKinds(type) ?? {};
	const isOpen = ({ [by]: kind, Id }: JsonObject) =>
		(isBlank(kind) || isUnset(kind)) && (isBlank(Id) || Number(Id) === 0);
	if (!hasNamedKinds(type) || !rows.some(isOpen)) return rows;
	throw new ValidationError(
		`'${label}' has a row that does not say of which kind it is`,
		`Give its '${by}'.`,
	);
}
