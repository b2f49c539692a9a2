import { createHash } from 'node:crypto';

import { type JsonObject, isObject } from '../../values/objects';

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

/** Returns the differences between the known and the found versions in ascending order of ID. */
export function compareVersions(
	known: ReadonlyMap<number, number>,
	found: ReadonlyMap<number, number>,
): Difference[] {
	const differences: Difference[] = [];
	const note = (change: ChangeName, id: number, version: number) =>
		differences.push({ id, version: version || ANY_VERSION, change });
	for (const [id, version] of found) {
		const earlier = known.get(id);
		if (earlier !== version) note(earlier ? 'edited' : 'added', id, version);
	}
	for (const [id, version] of known) if (!found.has(id)) note('deleted', id, version);
	return differences.sort((a, b) => a.id - b.id);
}

const CHECKSUM_BYTES = 4;
export const MAX_NUMBER_BYTES = 8;
const BASE = 128;

const getChecksum = (bytes: Uint8Array) =>
	createHash('sha256').update(bytes).digest().subarray(0, CHECKSUM_BYTES);

/**
 * Packs a snapshot as text because n8n stores JSON. A checksum, the passes and the position come
 * first; each record follows as the distance from the previous ID and its version.
 */
export function pack(snapshot: Snapshot): string {
	const { passes, position, versions } = snapshot;
	const bytes = Buffer.alloc(CHECKSUM_BYTES + (2 + 2 * versions.size) * MAX_NUMBER_BYTES);
	let end = CHECKSUM_BYTES;
	const write = (number: number) => {
		let left = number;
		for (; left >= BASE; left = Math.floor(left / BASE)) bytes[end++] = (left % BASE) + BASE;
		bytes[end++] = left;
	};
	write(passes);
	write(position - BEGINNING);
	let last = BEGINNING;
	for (const id of sortIds(snapshot)) {
		write(id - last);
		write(versions.get(id) ?? 0);
		last = id;
	}
	getChecksum(bytes.subarray(CHECKSUM_BYTES, end)).copy(bytes);
	return bytes.toString('base64', 0, end);
}

/** Returns undefined if the text is not a packed snapshot. */
export function unpack(text: unknown): Snapshot | undefined {
	if (typeof text !== 'string') return undefined;
	const all = Buffer.from(text, 'base64');
	const bytes = all.subarray(CHECKSUM_BYTES);
	if (!getChecksum(bytes).equals(all.subarray(0, CHECKSUM_BYTES))) return undefined;
	let at = 0;
	/** Numbers use seven bits per byte, lowest first. The eighth bit says that more bytes follow. */
	const read = (): number => {
		let number = 0;
		let weight = 1;
		for (; bytes[at] >= BASE; weight *= BASE) number += (bytes[at++] - BASE) * weight;
		return number + bytes[at++] * weight;
	};
	const passes = read();
	const position = BEGINNING + read();
	const versions = new Map<number, number>();
	for (let id = BEGINNING; at < bytes.length; ) {
		id += read();
		versions.set(id, read());
	}
	return { passes, position, versions };
}

/** Returns the number of bytes that a packed number takes. */
export const countBytes = (number: number): number =>
	number < BASE ? 1 : 1 + countBytes(Math.floor(number / BASE));
