import { isObject } from './objects';

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
