import { fieldType } from '../catalogue/entities';
import type { Changes } from './changes';
import { isBlank, isObject, type JsonObject } from './checks';
import { isSame } from './differences';
import { valueAt } from './kinds';
import type { WriteRequest } from './requests';

/** Bodies can contain whole files, which nobody reads in an item. */
const MAX_TEXT = 2000;
const SHOWN_CHARACTERS = 100;

/** The request as it would be sent. */
export function wouldSend({ method, path, query, headers = {}, body }: WriteRequest<unknown>) {
	return {
		method,
		path: query === undefined ? path : `${path}?${new URLSearchParams(query)}`,
		...(Object.keys(headers).length > 0 ? { headers } : {}),
		...(body === undefined ? {} : { body: truncated(body) }),
	};
}

function truncated(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(truncated);
	if (isObject(value)) {
		return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, truncated(one)]));
	}
	if (typeof value !== 'string' || value.length <= MAX_TEXT) return value;
	return `${value.slice(0, SHOWN_CHARACTERS)}… (${value.length} characters)`;
}

/** The properties that an update would change, with old and new values. */
export const wouldChange = (
	entity: string,
	{ Properties, Entity }: Changes,
	record: JsonObject,
): JsonObject =>
	Object.fromEntries(
		Properties.map((path) => path.replace(/\.\*$/, '')).flatMap((path) => {
			const [from, to] = [valueAt(record, path), valueAt(Entity, path)];
			const stays = isUnchanged(fieldType(entity, path) ?? '', from, to);
			return stays ? [] : [[path, { From: from ?? null, To: truncated(to) }]];
		}),
	);

/** Compares only the members of an object or row that are written. */
function isUnchanged(type: string, from: unknown, to: unknown): boolean {
	if (isBlank(from) || isBlank(to)) return isBlank(from) && isBlank(to);
	if (Array.isArray(to)) {
		const rows: unknown[] = Array.isArray(from) ? from : [];
		return to.every((row) => rows.some((one) => isUnchanged(type, one, row)));
	}
	if (isObject(to) && isObject(from)) {
		return Object.keys(to).every((name) =>
			isUnchanged(fieldType(type.replace('[]', ''), name) ?? '', valueAt(from, name), to[name]),
		);
	}
	return isSame(type, from, to);
}
