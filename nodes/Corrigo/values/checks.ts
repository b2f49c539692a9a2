/**
 * The input cannot be sent. The message names the field and its value, and the node adds the item.
 */
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

/** Entity names become a path segment, so only plain names are safe. */
export function parseIdentifier(field: string, value: unknown): string {
	const name = typeof value === 'string' ? value.trim() : value;
	if (typeof name !== 'string' || !/^[A-Za-z][A-Za-z0-9_]*$/.test(name)) {
		fail(field, value, 'a name made of letters, digits and underscores');
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

/**
 * Accepts a path to one property, such as `Customer.DisplayAs`, or a wildcard, such as `*` or
 * `Items.*`.
 */
export function parsePropertyPath(field: string, value: unknown, allowWildcard = false): string {
	const path = typeof value === 'string' ? value.trim() : '';
	if (PROPERTY_PATH.test(path) || (allowWildcard && WILDCARD.test(path))) return path;
	const examples = allowWildcard ? 'Number, Customer.DisplayAs, Items.*, *' : 'Number, Customer.Id';
	return fail(field, value, 'a property name or a dotted path', `Examples: ${examples}`);
}

const PROPERTY_PATH = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/;
const WILDCARD = /^([A-Za-z_]\w*\.)*\*$/;

/**
 * Accepts a comma-separated list or an array, and returns each path once. An empty list means all
 * own properties.
 */
export function parsePropertyList(field: string, value: unknown): string[] {
	const entries = Array.isArray(value)
		? (value as unknown[])
		: isBlank(value)
			? []
			: typeof value === 'string'
				? value.split(',').filter((part) => part.trim() !== '')
				: fail(field, value, 'a comma-separated list or an array of property names');
	const paths = entries.map((path) => parsePropertyPath(field, path, true));
	return paths.length === 0 ? ['*'] : [...new Set(paths)];
}

export type JsonObject = Record<string, unknown>;

/** Expressions pass dates as Date or luxon objects, which count as single values. */
export const isObject = (value: unknown): value is JsonObject =>
	typeof value === 'object' &&
	value !== null &&
	!Array.isArray(value) &&
	!(value instanceof Date) &&
	typeof (value as JsonObject).toISO !== 'function';

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
	let level = [json];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > MAX_DEPTH) {
			throw new ValidationError(`'${field}' is nested more than ${MAX_DEPTH} levels deep`);
		}
		level = level.flatMap((value): unknown[] => {
			if (Array.isArray(value)) return value;
			if (!isObject(value)) return [];
			const lost = LOST_NAMES.find((name) => Object.hasOwn(value, name));
			if (lost === undefined) return Object.values(value);
			throw new ValidationError(`'${field}' has ${quote(lost)}, which is not a property name`);
		});
	}
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
	if ('value' in parsed) return parsed.value;
	throw new ValidationError(
		`'${field}' is not valid JSON: ${parsed.reason}`,
		'Names and texts need double quotes, and there is no comma after the last entry.',
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
