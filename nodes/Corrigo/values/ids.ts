import { fail } from './errors';
import { isObject } from './objects';
import { isBlank } from './scalars';

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
