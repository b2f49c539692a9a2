import { type EnumerationName, enumerations, listMembers } from '../catalogue/enumerations';
import { getMemberLabel } from '../catalogue/enumerations/labels';
import { fail, quote } from './errors';
import { createInexactError, isExactNumber, isExactText } from './json';
import { formatDateObject, isDateObject, isObject } from './objects';

export const isBlank = (value: unknown) =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** The service ignores case and surrounding blanks. */
export const normalize = (value: unknown): string => String(value).trim().toLowerCase();

/** A text is a number if it has decimal digits, none of which get lost. */
const toNumber = (value: unknown): number => {
	if (typeof value === 'string') return isExactText(value) ? Number(value) : NaN;
	return typeof value === 'number' && isExactNumber(value) ? value : NaN;
};

export function parseInteger(field: string, value: unknown, min: number, max: number): number {
	const number = toNumber(value);
	if (Number.isInteger(number) && number >= min && number <= max) return number;
	const upTo = max === Number.MAX_SAFE_INTEGER ? 'or more' : `to ${max}`;
	const range = min === Number.MIN_SAFE_INTEGER ? '' : `, ${min} ${upTo}`;
	return fail(field, value, `a whole number${range}`);
}

export function parseNumber(field: string, value: unknown): number {
	const number = toNumber(value);
	return Number.isNaN(number) ? fail(field, value, 'a number') : number;
}

/** Expressions may return text. */
export const parseBoolean = (field: string, value: unknown): boolean =>
	parseChoice(field, isObject(value) ? value : normalize(value ?? ''), ['true', 'false']) ===
	'true';

/** JavaScript makes these texts of values that are none. */
const NO_VALUES = ['NaN', 'Invalid Date', 'Invalid DateTime', '[object Object]'];

/** A time becomes its text in ISO 8601. */
export function parseText(field: string, value: unknown): string {
	const text = isDateObject(value) ? formatDateObject(value) || 'Invalid DateTime' : value;
	if (typeof text === 'object' || NO_VALUES.includes(String(text).trim())) {
		fail(field, text, 'a text', 'If an expression calculates it, what it reads may be missing.');
	}
	// A number that has lost digits would become the text of another one, such as that of another order.
	if (typeof value === 'number' && !isExactNumber(value)) {
		throw createInexactError(field, `the number ${quote(value, field)}`);
	}
	return String(text);
}

/** Values that have labels are also accepted by label, in any case. */
export const parseChoice = <T extends string>(
	field: string,
	value: unknown,
	allowed: readonly T[],
	getLabel?: (one: T) => string,
): T => findChoice(value, allowed, getLabel) ?? fail(field, value, `one of ${allowed.join(', ')}`);

function findChoice<T extends string>(
	value: unknown,
	allowed: readonly T[],
	getLabel?: (one: T) => string,
): T | undefined {
	const exact = allowed.find((one) => one === value);
	if (exact !== undefined || typeof value !== 'string' || getLabel === undefined) return exact;
	const letters = toLetters(value);
	return allowed.find((one) => [one, getLabel(one)].map(toLetters).includes(letters));
}

/**
 * Labels match regardless of case, blanks and punctuation, as people write `in progress` for `InProgress`.
 * Nothing is lost, because no two choices of an enumeration or of a dropdown have the same letters, which a
 * test holds. Choices that a Company defines do not come here: those may differ in punctuation alone.
 */
const toLetters = (text: string) => text.toLowerCase().replace(/[^\p{L}\d]/gu, '');

type Member<Name extends EnumerationName> = (typeof enumerations)[Name][number];

/** A member may be written as the service does, as the dropdowns show it, or by its number. */
export function findMember<Name extends EnumerationName>(
	value: unknown,
	enumeration: Name,
): Member<Name> | undefined {
	const members: ReadonlyArray<Member<Name>> = enumerations[enumeration];
	const isNumber =
		typeof value === 'number' || (typeof value === 'string' && /^\s*\d+\s*$/.test(value));
	// Members are numbered in their order.
	if (isNumber) return members[Number(value)];
	return findChoice(value, members, (member) => getMemberLabel(enumeration, member));
}

export const parseMember = <Name extends EnumerationName>(
	field: string,
	value: unknown,
	enumeration: Name,
): Member<Name> =>
	findMember(value, enumeration) ??
	fail(field, value, `one of ${listMembers(enumeration).join(', ')}`);

/** Names become a path segment or a part of a message, and are looked up in objects that inherit names such as `constructor`. */
export function parseIdentifier(field: string, value: unknown): string {
	const name = typeof value === 'string' ? value.trim() : value;
	if (typeof name !== 'string' || !/^[A-Za-z]\w{0,99}$/.test(name) || name in {}) {
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

const PROPERTY_PATH = /^[A-Za-z_]\w{0,99}(\.[A-Za-z_]\w{0,99}){0,19}$/;
const WILDCARD = /^([A-Za-z_]\w{0,99}\.){0,19}\*$/;

/** Two texts are the same whatever their line ends and the blanks around them are. */
export const isSameText = (one: unknown, other: unknown): boolean =>
	toPlainText(one) === toPlainText(other);

/** Unicode sorts the accents of a letter, which takes very long if one has thousands of them. */
const HAS_MANY_ACCENTS = /\p{M}{31}/u;

const compose = (text: string): string => (HAS_MANY_ACCENTS.test(text) ? text : text.normalize());

/** Leaves out what nobody sees at the ends of a text and of its lines. */
export const toPlainText = (text: unknown): string =>
	compose(String(text ?? ''))
		.replace(/\r\n?/g, '\n')
		.trim();
