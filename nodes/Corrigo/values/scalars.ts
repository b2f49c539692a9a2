import { type EnumerationName, enumerations, isEnumerationName } from '../catalogue/enumerations';
import { getMemberLabel } from '../catalogue/enumerations/labels';
import { fail } from './errors';
import { isExactNumber, isExactText } from './exactJson';
import { isObject } from './objects';
import { parseDateTime } from './times';

export const isBlank = (value: unknown) =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** The service ignores case and surrounding blanks. */
export const normalize = (value: unknown): string => String(value).trim().toLowerCase();

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
