import { isObject } from '../../values/checks';
import type { WriteRequest } from '../../wire/requests';

/** Bodies can contain whole files, which nobody reads in an item. */
const MAX_TEXT = 2000;
const SHOWN_CHARACTERS = 100;

export function describeRequest({
	method,
	path,
	query,
	headers = {},
	body,
}: WriteRequest<unknown>) {
	return {
		method,
		path: query === undefined ? path : `${path}?${new URLSearchParams(query)}`,
		...(Object.keys(headers).length > 0 ? { headers } : {}),
		...(body === undefined ? {} : { body: truncateTexts(body) }),
	};
}

export function truncateTexts(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(truncateTexts);
	if (isObject(value)) {
		return Object.fromEntries(
			Object.entries(value).map(([name, one]) => [name, truncateTexts(one)]),
		);
	}
	if (typeof value !== 'string' || value.length <= MAX_TEXT) return value;
	return `${value.slice(0, SHOWN_CHARACTERS)}… (${value.length} characters)`;
}
