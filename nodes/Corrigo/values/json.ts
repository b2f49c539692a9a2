import { ValidationError, fail, quote } from './errors';
import { type LostJson, findLostJson, isExactNumber } from './exactJson';
import { type JsonObject, isObject } from './objects';

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
