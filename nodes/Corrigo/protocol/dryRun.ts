import { fieldType } from '../catalogue/entities';
import type { Changes } from './changes';
import { isBlank, isObject, type JsonObject } from './checks';
import { changeOf } from './differences';
import { valueAt } from './kinds';
import type { WriteRequest } from './requests';

/** Bodies can contain whole files, which nobody reads in an item. */
const MAX_TEXT = 2000;
const SHOWN_CHARACTERS = 100;

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
			const isChanged =
				!(isBlank(from) && isBlank(to)) &&
				changeOf(fieldType(entity, path) ?? '', from, to) !== undefined;
			return isChanged ? [[path, { From: from ?? null, To: truncated(to) }]] : [];
		}),
	);
