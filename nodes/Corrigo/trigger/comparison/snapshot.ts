import { createHash } from 'node:crypto';

import type { JsonObject } from '../../values/checks';
import { stableStringify } from '../../values/tools';

/** A snapshot holds the record versions that a trigger knows, to compare them range by range. */
export interface Snapshot {
	/** Counts how often all records have been compared. The first pass only learns them. */
	passes: number;
	/** Records up to this ID have been compared in the current pass. */
	position: number;
	/** Versions by ID. Two versions of a record differ, and no version is 0. */
	versions: Map<number, number>;
}

/** Some tables begin with a row of ID 0, so the beginning is below 0. */
export const BEGINNING = -1;

export const createSnapshot = (): Snapshot => ({
	passes: 0,
	position: BEGINNING,
	versions: new Map(),
});

/** Digests fit into five bytes of seven bits each. */
const MAX_DIGEST = 2 ** 35 - 1;

/** Returns a version for records that Corrigo does not version itself. */
export function getDigest(record: JsonObject): number {
	const hash = createHash('sha256').update(stableStringify(record)).digest();
	return (hash.readUIntBE(0, 6) % MAX_DIGEST) + 1;
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
	const isInRange = ([id]: [number, number]) => id > from && id <= to;
	const here = [...found]
		.filter(isInRange)
		.filter(([id, version]) => known.get(id) !== version)
		.map(([id, version]): Difference => {
			return { id, version, change: known.has(id) ? 'edited' : 'added' };
		});
	const gone = [...known]
		.filter(isInRange)
		.filter(([id]) => !found.has(id))
		.map(([id, version]): Difference => ({ id, version, change: 'deleted' }));
	return [...here, ...gone].sort((a, b) => a.id - b.id);
}

/** Restores the snapshot before the changes. In `before`, 0 marks a record that was unknown. */
export function undo(snapshot: Snapshot, before: Snapshot): Snapshot {
	const versions = new Map([...snapshot.versions, ...before.versions]);
	for (const [id, version] of before.versions) if (version === 0) versions.delete(id);
	return { ...before, versions };
}

const CHECKSUM_BYTES = 4;
const MAX_NUMBER_BYTES = 8;
const BASE = 128;

const getChecksum = (bytes: Uint8Array) =>
	createHash('sha256').update(bytes).digest().subarray(0, CHECKSUM_BYTES);

/**
 * Packs a snapshot as text because n8n stores JSON. A checksum, the passes and the position come
 * first; each record follows as the distance from the previous ID and its version.
 */
export function pack({ passes, position, versions }: Snapshot): string {
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
	for (const [id, version] of [...versions].sort(([a], [b]) => a - b)) {
		write(id - last);
		write(version);
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
	const [passes, distance, ...rest] = parseNumbers(bytes);
	const versions = new Map<number, number>();
	let id = BEGINNING;
	for (let index = 0; index < rest.length; index += 2) {
		id += rest[index];
		versions.set(id, rest[index + 1]);
	}
	return { passes, position: BEGINNING + distance, versions };
}

/** Numbers use seven bits per byte, lowest first. The eighth bit says that more bytes follow. */
function parseNumbers(bytes: Uint8Array): number[] {
	const numbers = [];
	let number = 0;
	let weight = 1;
	for (const byte of bytes) {
		number += (byte % BASE) * weight;
		weight *= BASE;
		if (byte >= BASE) continue;
		numbers.push(number);
		number = 0;
		weight = 1;
	}
	return numbers;
}
