import { ValidationError, fail, quote } from './errors';
import { type JsonObject, copyDateObject, isDateObject, isObject, mapMembers } from './objects';

const MAX_DEPTH = 100;

/** n8n's HTTP client silently drops members with the first three names. */
const REFUSED_NAMES = ['__proto__', 'constructor', 'prototype', 'toString'];

/** JavaScript makes no text of an object whose member `toString` is data. Corrigo has no such member. */
const IS_UNSAFE = /toString|\\u00[567]/;

/** Reads what Corrigo has answered. */
export const parseAnswer = (text: string): unknown =>
	JSON.parse(text, IS_UNSAFE.test(text) ? omitToString : undefined);

const omitToString = (name: string, value: unknown) => (name === 'toString' ? undefined : value);

function refuseNames(field: string, value: object): void {
	const refused = REFUSED_NAMES.find((name) => Object.hasOwn(value, name));
	if (refused === undefined) return;
	throw new ValidationError(`'${field}' has ${quote(refused)}, which is not a field name`);
}

/**
 * Refuses JSON that would not arrive unchanged. A loop replaces recursion, because JSON may be
 * nested to any depth.
 */
function checkJson(field: string, json: unknown): void {
	let level: Array<{ place: string[]; depth: number; value: unknown }> = [
		{ place: [], depth: 0, value: json },
	];
	while (level.length > 0) {
		level = level.flatMap(({ place, depth, value }) => {
			if (depth > MAX_DEPTH) throw createDepthError(field);
			if (typeof value === 'number' && !isExactNumber(value)) {
				throw createInexactError(field, `the number ${quote(value)}${at(place.join(' > '))}`);
			}
			if (!isObject(value) && !Array.isArray(value)) return [];
			refuseNames(field, value);
			const enter = (name: string, one: unknown, levels: number) => ({
				place: [...place, name],
				depth: depth + levels,
				value: one,
			});
			// Rows are numbered from 1 on. A name may be a path, each part of which becomes a level.
			return Array.isArray(value)
				? value.map((one: unknown, index) => enter(String(index + 1), one, 1))
				: Object.entries(value).map(([name, one]) => enter(name, one, name.split('.').length));
		});
	}
}

const createDepthError = (field: string): ValidationError =>
	new ValidationError(`'${field}' is nested more than ${MAX_DEPTH} levels deep`);

/**
 * Copies the data of what an expression gives. Code of an author may give an object that becomes other
 * JSON each time, so that a dry run would show another request than the one that is sent.
 */
export function copyData(field: string, value: unknown, depth = 0): unknown {
	if (typeof value === 'function') return undefined;
	if (typeof value !== 'object' || value === null) return value;
	if (isDateObject(value)) return copyDateObject(value);
	if (depth > MAX_DEPTH) throw createDepthError(field);
	refuseNames(field, value);
	const copyInner = (inner: unknown) => copyData(field, inner, depth + 1);
	const { toJSON } = value as { toJSON?: unknown };
	if (typeof toJSON === 'function') return copyInner(toJSON.call(value));
	return Array.isArray(value)
		? Array.from(value, copyInner)
		: mapMembers(value as JsonObject, (_, one) => copyInner(one));
}

const at = (place: string): string => place && ` at ${quote(place)}`;

/** The digits may be those of a secret. */
const createLostError = (field: string, { place, isNumber }: LostJson): ValidationError =>
	isNumber
		? createInexactError(field, `a number${at(place)}`)
		: new ValidationError(
				`'${field}' has ${quote(place)} more than once`,
				'Remove all but one of them.',
			);

export const createInexactError = (field: string, number: string): ValidationError =>
	new ValidationError(
		`'${field}' has ${number}, which cannot be sent unchanged`,
		'Give a number with fewer digits, or a text in double quotes.',
	);

/** A longer path would nest objects more deeply than functions can follow. */
const PATH = /^[A-Za-z]\w*(\.[A-Za-z]\w*){0,19}$/;

/** Corrigo ignores what is not the name of a member, or a path of such names. */
export function requireName(field: string, path: string): void {
	if (PATH.test(path)) return;
	throw new ValidationError(`'${field}' has ${quote(path)}, which is not a field name`);
}

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
		return { reason: describeFault(text, (error as Error).message) };
	}
}

const QUOTE = /(?:\.{3})?"(.*)"(?:\.{3})? is not valid JSON$/s;

/** Number of characters that the parser quotes before and after a fault, as far as there are as many. */
const QUOTED = 10;
const PADDING = ' '.repeat(2 * QUOTED);

/** The parser quotes a part of the text, which may be that of a password, instead of its position. */
function describeFault(text: string, message: string): string {
	if (!QUOTE.test(message)) return message;
	const padded = PADDING + text + PADDING;
	const [, quoted = ''] = QUOTE.exec(readFault(padded)) ?? [];
	const position = padded.indexOf(quoted) + QUOTED - PADDING.length;
	return `Unexpected character in JSON near position ${position}`;
}

function readFault(text: string): string {
	try {
		JSON.parse(text);
	} catch (error) {
		return (error as Error).message;
	}
	return '';
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

/** Digits and exponent of a decimal number; equal numbers give equal texts. */
export function normalizeDecimal(text: string): string | undefined {
	const parts = /^([+-]?)(?=\.?\d)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text.trim());
	if (parts === null) return undefined;
	const [, sign, whole, fraction, exponent = '0'] = parts;
	const digits = (whole + fraction).replace(/^0+/, '');
	// A regular expression for the zeros at the end takes quadratic time.
	let end = digits.length;
	while (digits[end - 1] === '0') end--;
	if (end === 0) return '0';
	const power = Number(exponent) - fraction.length + digits.length - end;
	return `${sign === '-' ? '-' : ''}${digits.slice(0, end)}e${power}`;
}

/** Other numbers lose digits, or become null or zero. */
export const isExactNumber = (value: number): boolean =>
	Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));

/** Returns true if a number is sent with the digits of its text. */
export const isExactText = (text: string): boolean =>
	isExactNumber(Number(text)) && normalizeDecimal(text) === normalizeDecimal(String(Number(text)));

/** A pattern for whole strings would overflow the stack on long ones. */
const TOKENS = /\\.|"|-?\d[\d.eE+-]*|[[\]{},:]/gs;

/** An open object or list, with the name, or the number from 1 on, of what is being read. */
interface Container {
	names?: Set<string>;
	at: number | string;
}

interface LostJson {
	place: string;
	/** False for a name that is not the first of its object. */
	isNumber: boolean;
}

/** Finds a number or name of valid JSON that `JSON.parse` silently changes or drops. */
export function findLostJson(text: string): LostJson | undefined {
	const open: Container[] = [];
	const getPlace = () => open.map(({ at }) => at).join(' > ');
	let start: number | undefined;
	let string = '';
	for (const { 0: token, index } of text.matchAll(TOKENS)) {
		const inner = open.at(-1);
		if (start !== undefined) {
			if (token !== '"') continue;
			string = text.slice(start, index + 1);
			start = undefined;
		} else if (token === '"') start = index;
		else if (token === '{') open.push({ names: new Set(), at: '' });
		else if (token === '[') open.push({ at: 1 });
		else if (token === '}' || token === ']') open.pop();
		else if (token === ',') {
			if (typeof inner?.at === 'number') inner.at++;
		} else if (token !== ':') {
			if (!isExactText(token)) return { place: getPlace(), isNumber: true };
		} else if (inner?.names) {
			inner.at = JSON.parse(string) as string;
			if (inner.names.size === inner.names.add(inner.at).size) {
				return { place: getPlace(), isNumber: false };
			}
		}
	}
	return undefined;
}

const [BRACE, BRACKET, COMMA] = Buffer.from('{[,');

/** Small values take many times their size in memory, which ends the process when it is full. */
export function hasTooManyValues(body: Buffer, max: number): boolean {
	if (body.length <= max) return false;
	let values = 0;
	for (const byte of body) if (byte === COMMA || byte === BRACE || byte === BRACKET) values++;
	return values > max;
}
