import { createHash } from 'node:crypto';

import { isObject, type JsonObject } from '../values/objects';

/** Digests fit into five bytes of seven bits each. */
const MAX_DIGEST = 2 ** 35 - 1;

/** Returns a version for records that Corrigo does not version itself. */
export function getDigest(record: JsonObject): number {
	return (hash(record).readUIntBE(0, 6) % MAX_DIGEST) + 1;
}

/** Two values rarely have the same one: once in 260,000. */
export const getFieldDigest = (value: unknown): string =>
	hash(value).toString('base64', 0, 3).slice(0, 3);

const hash = (value: unknown) => createHash('sha256').update(toSortedText(value)).digest();

export const toSortedText = (value: unknown): string => JSON.stringify(sortAll(value));

/** Corrigo returns members, and the rows of a collection, in any order. */
function sortAll(value: unknown): unknown {
	if (Array.isArray(value)) return value.map((row) => JSON.stringify(sortAll(row))).sort();
	if (!isObject(value)) return value;
	const names = Object.keys(value).sort();
	return Object.fromEntries(names.map((name) => [name, sortAll(value[name])]));
}

/**
 * Returns whether two answers about one record show the same values in the members that both have. The
 * rows of a collection are only counted, as their members and order may differ.
 */
export function agree(one: unknown, other: unknown): boolean {
	if (one === other) return true;
	if (Array.isArray(one) && Array.isArray(other)) return one.length === other.length;
	if (!isObject(one) || !isObject(other)) return false;
	return Object.keys(one).every((name) => !(name in other) || agree(one[name], other[name]));
}
