import { enumerations, isEnumerationName, type EnumerationName } from '../catalogue/enumerations';
import { getMemberLabel } from '../catalogue/enumerations/labels';
import { isBlank, isObject, fail } from './checks';

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
	if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1) {
		fail(field, value, 'a positive whole number', advice);
	}
	return id;
}

/** Users may pass a whole record, or a reference to one, in place of its Id. */
export const toRecordId = (value: unknown): unknown =>
	isObject(value) && 'Id' in value ? value.Id : value;

export function parseInteger(field: string, value: unknown, min: number, max: number): number {
	const number = typeof value === 'string' && !isBlank(value) ? Number(value) : (value as number);
	if (typeof number !== 'number' || !Number.isInteger(number) || number < min || number > max) {
		const range = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`;
		fail(field, value, `a whole number, ${range}`);
	}
	return number;
}

export function parseNumber(field: string, value: unknown): number {
	const number = typeof value === 'string' && !isBlank(value) ? Number(value) : value;
	if (typeof number !== 'number' || !Number.isFinite(number)) fail(field, value, 'a number');
	return number;
}

/** Expressions may return text. */
export const parseBoolean = (field: string, value: unknown): boolean =>
	parseChoice(field, normalize(value ?? ''), ['true', 'false']) === 'true';

export function parseText(field: string, value: unknown): string {
	if (typeof value === 'object') fail(field, value, 'a text');
	return String(value);
}

const TIMESTAMP =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

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
	return utc.replace(':00.000Z', `${seconds}Z`);
}

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
		getLabel !== undefined && [one, getLabel(one)].some((name) => equalsIgnoringCase(value, name));
	const found = allowed.find((one) => one === value) ?? allowed.find(isLike);
	return found ?? fail(field, value, `one of ${allowed.join(', ')}`);
}

/** The service ignores case and surrounding blanks. */
export const normalize = (value: unknown): string => String(value).trim().toLowerCase();

/** Labels match regardless of case, blanks and punctuation. */
const toLetters = (text: string) => text.toLowerCase().replace(/[^\p{L}\d]/gu, '');

const equalsIgnoringCase = (value: unknown, name: string) =>
	typeof value === 'string' && toLetters(value) === toLetters(name);

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
