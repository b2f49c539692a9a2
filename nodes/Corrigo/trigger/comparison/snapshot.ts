import { createHash } from 'node:crypto';

import { isObject, type JsonObject } from '../../values/checks';

/** A snapshot holds the record versions that a trigger knows, to compare them range by range. */
export interface Snapshot {
	/** Counts how often all records have been compared. The first pass only learns them. */
	passes: number;
	/** Records up to this ID have been compared in the current pass. */
	position: number;
	/** Versions by ID. Two versions of a record differ; 0 marks one that may be unknown. */
	versions: Map<number, number>;
}

/** Some tables begin with a row of ID 0, so the beginning is below 0. */
export const BEGINNING = -1;

export const createSnapshot = (): Snapshot => ({
	passes: 0,
	position: BEGINNING,
	versions: new Map(),
});

/** Returns the known IDs in ascending order. */
export const sortIds = ({ versions }: Snapshot): Float64Array =>
	new Float64Array([...versions.keys()]).sort();

/** A known record has this version if any other counts as an edit. */
export const ANY_VERSION = Number.MAX_SAFE_INTEGER;

/** Digests fit into five bytes of seven bits each. */
const MAX_DIGEST = 2 ** 35 - 1;

/** Returns a version for records that Corrigo does not version itself. */
export function getDigest(record: JsonObject): number {
	const hash = createHash('sha256')
		.update(JSON.stringify(sortAll(record)))
		.digest();
	return (hash.readUIntBE(0, 6) % MAX_DIGEST) + 1;
}

/** Corrigo returns members, and the rows of a collection, in any order. */
function sortAll(value: unknown): unknown {
	if (Array.isArray(value)) return value.map((row) => JSON.stringify(sortAll(row))).sort();
	if (!isObject(value)) return value;
	const names = Object.keys(value).sort();
	return Object.fromEntries(names.map((name) => [name, sortAll(value[name])]));
}

export const CHANGES = ['added', 'edited', 'deleted'] as const;

export type ChangeName = (typeof CHANGES)[number];

export interface Difference {
	id: number;
	change: ChangeName;
	/** The current version, or the last known one if the record was deleted. */
	version: number;
}

/** Compares the found and the known records of a range: IDs above `from`, up to `to`. */
export function compareVersions(
	known: ReadonlyMap<number, number>,
	found: ReadonlyMap<number, number>,
	[from, to]: [from: number, to: number],
): Difference[] {
	const differences: Difference[] = [];
	for (const [id, version] of found) {
		const earlier = known.get(id);
		if (id <= from || id > to || earlier === version) continue;
		const change = earlier ? 'edited' : 'added';
		differences.push({ id, version: version || ANY_VERSION, change });
	}
	for (const [id, version] of known) {
		if (id <= from || id > to || found.has(id)) continue;
		differences.push({ id, version: version || ANY_VERSION, change: 'deleted' });
	}
	return differences.sort((a, b) => a.id - b.id);
}
