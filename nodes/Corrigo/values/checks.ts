import { enumerations, isEnumerationName, type EnumerationName } from '../catalogue/enumerations';
import { getMemberLabel } from '../catalogue/enumerations/labels';
import { findRowKinds } from '../catalogue/members';
import { findLostJson, isExactNumber, isExactText, type LostJson } from './exactJson';

/** The input cannot be sent. The message names the field and its value; the node adds the item. */
export class ValidationError extends Error {
	constructor(
		message: string,
		readonly advice?: string,
	) {
		super(message);
		this.name = 'ValidationError';
	}
}

export const addArticle = (noun: string): string =>
	`${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;

const MAX_QUOTE_LENGTH = 80;

export function quote(value: unknown): string {
	if (value === undefined || value === null || value === '') return 'empty';
	const text = isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value);
	return `"${text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH)}…` : text}"`;
}

export function fail(field: string, value: unknown, expected: string, advice?: string): never {
	throw new ValidationError(`'${field}' must be ${expected}, but it is ${quote(value)}`, advice);
}

export const isBlank = (value: unknown) =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Names become a path segment, and are looked up in objects that inherit names such as `constructor`. */
export function parseIdentifier(field: string, value: unknown): string {
	const name = typeof value === 'string' ? value.trim() : value;
	if (typeof name !== 'string' || !/^[A-Za-z][A-Za-z0-9_]*$/.test(name) || name in {}) {
		fail(field, value, 'a name of Corrigo, made of letters, digits and underscores');
	}
	return name;
}

/** Commands have a full name (WoCreateCommand); some have a short form (WorkZone/Create). */
export function parseCommandClass(field: string, value: unknown): string {
	if (typeof value !== 'string') return parseIdentifier(field, value);
	const segments = value.trim().split('/');
	if (segments.length > 2) {
		fail(field, value, 'the name of a command, such as WoCancelCommand or WorkZone/Create');
	}
	return segments.map((segment) => parseIdentifier(field, segment)).join('/');
}

/** Accepts a path such as `Customer.DisplayAs`, or a wildcard such as `*` or `Items.*`. */
export function parsePropertyPath(field: string, value: unknown, allowWildcard = false): string {
	const path = typeof value === 'string' ? value.trim() : '';
	if (PROPERTY_PATH.test(path) || (allowWildcard && WILDCARD.test(path))) return path;
	const examples = allowWildcard ? 'Number, Customer.DisplayAs, Items.*, *' : 'Number, Customer.Id';
	return fail(field, value, 'a field name or a dotted path', `Examples: ${examples}`);
}

const PROPERTY_PATH = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/;
const WILDCARD = /^([A-Za-z_]\w*\.)*\*$/;

/**
 * Accepts a comma-separated list or an array, and returns each path once. An empty list means all
 * own properties.
 */
export function parsePropertyList(field: string, value: unknown): string[] {
	const entries = isBlank(value) ? [] : parseList(field, value);
	const paths = entries.map((path) => parsePropertyPath(field, path, true));
	return paths.length === 0 ? ['*'] : [...new Set(paths)];
}

export type JsonObject = Record<string, unknown>;

/** Expressions pass dates as Date or luxon objects, which count as single values. */
export const isObject = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value) && !isDateObject(value);

/** A value that is not a list has no rows. */
export const toRows = (value: unknown): JsonObject[] =>
	Array.isArray(value) ? value.filter(isObject) : [];

export interface LocatorValue {
	mode: string;
	value: unknown;
	/** Text that the list showed for the chosen value. */
	cachedResultName?: string;
}

/** n8n leaves out its mark `__rl` in a new field that a language model fills in. */
export const isLocator = (input: unknown): input is LocatorValue =>
	isObject(input) && typeof input.mode === 'string' && 'value' in input;

/** Fields other than resource locators hold their value directly. */
export const unwrapLocator = (input: unknown): unknown => (isLocator(input) ? input.value : input);

const MAX_DEPTH = 100;

/** n8n's HTTP client silently drops members with these names. */
const LOST_NAMES = ['__proto__', 'constructor', 'prototype'];

/**
 * Refuses JSON that would not arrive unchanged. A loop replaces recursion, because JSON may be
 * nested to any depth.
 */
function checkJson(field: string, json: unknown): void {
	let level: Array<{ place: string[]; value: unknown }> = [{ place: [], value: json }];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > MAX_DEPTH) {
			throw new ValidationError(`'${field}' is nested more than ${MAX_DEPTH} levels deep`);
		}
		level = level.flatMap(({ place, value }) => {
			if (typeof value === 'number' && !isExactNumber(value)) {
				throw createLostError(field, { place: place.join(' > '), number: String(value) });
			}
			if (!isObject(value) && !Array.isArray(value)) return [];
			const lost = LOST_NAMES.find((name) => Object.hasOwn(value, name));
			if (lost !== undefined) {
				throw new ValidationError(`'${field}' has ${quote(lost)}, which is not a field name`);
			}
			return Object.entries(value).map(([name, one]) => ({ place: [...place, name], value: one }));
		});
	}
}

const createLostError = (field: string, { place, number }: LostJson): ValidationError =>
	number === undefined
		? new ValidationError(`'${field}' has "${place}" more than once`, 'Remove all but one of them.')
		: new ValidationError(
				`'${field}' has the number ${quote(number)}${place && ` at "${place}"`}, which cannot be sent unchanged`,
				'Give a number with fewer digits, or a text in double quotes.',
			);

/** Expressions pass objects, and people enter text. */
export function parseJsonObject(field: string, value: unknown): JsonObject {
	const parsed = typeof value === 'string' ? parseJson(field, value) : value;
	checkJson(field, parsed);
	if (!isObject(parsed)) fail(field, value, 'a JSON object, such as { "Name": "value" }');
	return parsed;
}

export function parseJson(field: string, text: string): unknown {
	const parsed = tryJson(text);
	if ('value' in parsed) {
		const lost = findLostJson(text);
		if (lost === undefined) return parsed.value;
		throw createLostError(field, lost);
	}
	throw new ValidationError(
		`'${field}' is not valid JSON: ${parsed.reason}`,
		'Names and texts need double quotes, and the last entry has no comma after it.',
	);
}

export function tryJson(text: string): { value: unknown } | { reason: string } {
	if (text.trim() === '') return { value: {} };
	try {
		return { value: JSON.parse(text) };
	} catch (error) {
		return { reason: (error as Error).message };
	}
}

export function parseJsonArray(field: string, value: unknown): unknown[] {
	checkJson(field, value);
	if (Array.isArray(value)) return value as unknown[];
	throw new ValidationError(`'${field}' must be an array, but it is ${quote(value)}`);
}

/** A list may be an array, JSON text of an array, or comma-separated text. */
export function parseList(field: string, value: unknown): unknown[] {
	if (Array.isArray(value)) return value as unknown[];
	if (typeof value !== 'string') return [value];
	if (value.trim().startsWith('[')) return parseJsonArray(field, parseJson(field, value));
	return value
		.split(',')
		.map((part) => part.trim())
		.filter((part) => part !== '');
}

/** Converts an input to the type that the catalogue has for it. */
export function parseValue(field: string, type: string | undefined, value: unknown): unknown {
	if (type !== undefined && isEnumerationName(type)) return parseMember(field, value, type);
	switch (type) {
		case 'integer':
			return parseInteger(field, value, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
		case 'number':
			return parseNumber(field, value);
		case 'boolean':
			return parseBoolean(field, value);
		case 'datetime':
			return parseDateTime(field, value);
		default:
			return parseText(field, value);
	}
}

/** Numbers beyond 2^53 would lose digits in JSON. A text with leading zeros is not an Id. */
export function parseId(field: string, input: unknown, advice?: string): number {
	const value = toRecordId(input);
	const id =
		typeof value === 'string' && /^\s*[1-9]\d*\s*$/.test(value) ? Number(value) : (value as number);
	if (Number.isSafeInteger(id) && id > 0) return id;
	const expected = Array.isArray(value) ? 'one value, not a list' : 'a positive whole number';
	return fail(field, value, expected, advice);
}

/** Digits are an ID; any other text is a name. */
export const isName = (value: unknown): value is string =>
	typeof value === 'string' && !isBlank(value) && Number.isNaN(Number(value));

/** Users may pass a whole record, or a reference to one, in place of its Id. */
export const toRecordId = (value: unknown): unknown =>
	isObject(value) && 'Id' in value ? value.Id : value;

export function parseInteger(field: string, value: unknown, min: number, max: number): number {
	const number = typeof value === 'string' && !isBlank(value) ? Number(value) : (value as number);
	if (Number.isInteger(number) && number >= min && number <= max) return number;
	const range = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`;
	return fail(field, value, `a whole number, ${range}`);
}

export function parseNumber(field: string, value: unknown): number {
	const isText = typeof value === 'string' && !isBlank(value);
	const number = isText ? Number(value) : value;
	if (typeof number !== 'number' || !(isText ? isExactText(value) : isExactNumber(number))) {
		fail(field, value, 'a number');
	}
	return number;
}

/** Expressions may return text. */
export const parseBoolean = (field: string, value: unknown): boolean =>
	parseChoice(field, isObject(value) ? value : normalize(value ?? ''), ['true', 'false']) ===
	'true';

export function parseText(field: string, value: unknown): string {
	if (typeof value === 'object') fail(field, value, 'a text');
	return String(value);
}

const TIMESTAMP =
	/^(\d{4}-\d{2}-\d{2})(?:[T ]((?:[01]\d|2[0-3]):\d{2})(:\d{2}(?:\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/** A time with a zone is an instant; other times depend on where they are read. */
export const isZoned = (value: unknown): boolean =>
	isDateObject(value) ||
	(typeof value === 'string' && TIMESTAMP.exec(value.trim())?.[4] !== undefined);

/**
 * Times without a zone stay as they are, because the service reads them in the time zone of the
 * work zone. Other zones are converted to UTC, because the service documents none.
 */
export function parseDateTime(field: string, value: unknown): string {
	const parts = TIMESTAMP.exec(toIsoText(value)) ?? [];
	const [, day = '', minutes = '00:00', seconds = ':00', zone = ''] = parts;
	const time = `${day}T${minutes}${seconds}${zone.toUpperCase()}`;
	if (!isOnCalendar(day) || Number.isNaN(Date.parse(time))) {
		fail(field, value, 'a date and time', 'Use ISO 8601, such as 2026-01-31T17:30:00');
	}
	if (zone === '' || zone.toUpperCase() === 'Z') return time;
	// Zones differ by whole minutes; a Date would cut the seconds after the third digit.
	const utc = new Date(`${day}T${minutes}:00${zone}`).toISOString();
	if (!/^\d{4}-/.test(utc)) fail(field, value, 'a date and time', YEAR_ADVICE);
	return utc.replace(':00.000Z', `${seconds}Z`);
}

export const YEAR_ADVICE =
	'In another time zone, its year is before 1 or after 9999: give the time without a zone.';

/** Expressions return Date objects and luxon DateTimes as well as text. */
function toIsoText(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
	return isLuxon(value) ? (value.toISO() ?? '') : '';
}

const isLuxon = (value: unknown): value is { toISO: () => string | null } =>
	typeof (value as { toISO?: unknown } | null | undefined)?.toISO === 'function';

export const isDateObject = (value: unknown): boolean => value instanceof Date || isLuxon(value);

/** The service returns times in UTC with and without a Z. */
export function toInstant(value: unknown): number {
	const text = isDateObject(value) ? parseDateTime('', value) : String(value).trim();
	return Date.parse(isZoned(text) ? text : `${text}Z`);
}

/** `Date.parse` accepts the 30th of February. */
function isOnCalendar(day: string): boolean {
	const date = new Date(`${day}T00:00:00Z`);
	return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** Values that have labels are also accepted by label, in any case. */
export function parseChoice<T extends string>(
	field: string,
	value: unknown,
	allowed: readonly T[],
	getLabel?: (one: T) => string,
): T {
	const isLike = (one: T) =>
		typeof value === 'string' &&
		getLabel !== undefined &&
		[one, getLabel(one)].map(toLetters).includes(toLetters(value));
	const found = allowed.find((one) => one === value) ?? allowed.find(isLike);
	return found ?? fail(field, value, `one of ${allowed.join(', ')}`);
}

/** The service ignores case and surrounding blanks. */
export const normalize = (value: unknown): string => String(value).trim().toLowerCase();

/** Labels match regardless of case, blanks and punctuation. */
const toLetters = (text: string) => text.toLowerCase().replace(/[^\p{L}\d]/gu, '');

type Member<Name extends EnumerationName> = (typeof enumerations)[Name][number];

/** Users may write a member as the service does, or as the dropdowns show it. */
export const parseMember = <Name extends EnumerationName>(
	field: string,
	value: unknown,
	enumeration: Name,
): Member<Name> =>
	parseChoice<Member<Name>>(field, value, enumerations[enumeration], (member) =>
		getMemberLabel(enumeration, member),
	);

/** A row has a kind if its collection has one row of each kind. */
export function getKind(type: string, row: JsonObject): string | undefined {
	const { by, fallback } = findRowKinds(type) ?? {};
	const kind = by === undefined ? undefined : readPath(row, by);
	const isKnown = kind !== undefined && kind !== null && !(fallback && kind === 'Unknown');
	return isKnown ? String(kind) : fallback;
}

/** Follows a path through references. Names match in any case, as in the service. */
export function readPath(row: unknown, path: string): unknown {
	return path.split('.').reduce<unknown>((value, name) => getMember(value, name), row);
}

export function getMember(row: unknown, name: string): unknown {
	if (!isObject(row)) return undefined;
	const names = Object.keys(row);
	const found = names.includes(name)
		? name
		: names.find((one) => one.toLowerCase() === name.toLowerCase());
	return found === undefined ? undefined : row[found];
}

export const mapMembers = (
	members: JsonObject,
	map: (name: string, value: unknown) => unknown,
): JsonObject =>
	Object.fromEntries(Object.entries(members).map(([name, value]) => [name, map(name, value)]));

export const filterMembers = (
	members: JsonObject,
	keep: (name: string, value: unknown) => boolean,
): JsonObject =>
	Object.fromEntries(Object.entries(members).filter(([name, value]) => keep(name, value)));

/** Returns a copy; the value `undefined` removes the member. */
export const replaceMember = (members: JsonObject, name: string, value: unknown): JsonObject =>
	Object.fromEntries(
		Object.entries(members)
			.map(([one, old]) => [one, one.toLowerCase() === name.toLowerCase() ? value : old] as const)
			.filter(([, one]) => one !== undefined),
	);
