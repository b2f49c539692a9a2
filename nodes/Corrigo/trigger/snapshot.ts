import { createHash } from 'node:crypto';

import type { JsonObject } from '../protocol/checks';
import { stableText } from '../protocol/stableText';

/** The versions that a trigger knows of the records of an entity, to compare range by range. */
export interface Snapshot {
	/** How many times all records have been compared; the first time, they are only learned. */
	passes: number;
	/** Records up to this Id have been compared in the present pass. */
	position: number;
	/** By Id; two versions of a record differ, and none is 0. */
	versions: Map<number, number>;
}

/** Lower than any Id: some tables begin with a row of Id 0. */
export const BEGINNING = -1;

export const emptySnapshot = (): Snapshot => ({
	passes: 0,
	position: BEGINNING,
	versions: new Map(),
});

/** Fits into five bytes of seven bits. */
const DIGESTS = 2 ** 35 - 1;

/** The version of a record of an entity where Corrigo counts none. */
export function digestOf(record: JsonObject): number {
	const hash = createHash('sha256').update(stableText(record)).digest();
	return (hash.readUIntBE(0, 6) % DIGESTS) + 1;
}

export const CHANGES = ['added', 'edited', 'deleted'] as const;

export type ChangeName = (typeof CHANGES)[number];

export interface Difference {
	id: number;
	change: ChangeName;
	/** That of the record as it is now, or as it was. */
	version: number;
}

/** Compares the records that were found with the known ones of a range: Ids above `from`, up to `to`. */
export function differencesIn(
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

/** A snapshot before changes: 0 stands for the version of a record that was not known. */
export function undo(snapshot: Snapshot, before: Snapshot): Snapshot {
	const versions = new Map([...snapshot.versions, ...before.versions]);
	for (const [id, version] of before.versions) if (version === 0) versions.delete(id);
	return { ...before, versions };
}

const CHECKSUM_BYTES = 4;
const MAX_NUMBER_BYTES = 8;
const BASE = 128;

const checksumOf = (bytes: Uint8Array) =>
	createHash('sha256').update(bytes).digest().subarray(0, CHECKSUM_BYTES);

/**
 * Packs a snapshot as text, as n8n stores JSON: a checksum, and for each record the distance from the Id
 * before and the version.
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
	checksumOf(bytes.subarray(CHECKSUM_BYTES, end)).copy(bytes);
	return bytes.toString('base64', 0, end);
}

/** Returns undefined for a text that is no packed snapshot. */
export function unpack(text: unknown): Snapshot | undefined {
	if (typeof text !== 'string') return undefined;
	const all = Buffer.from(text, 'base64');
	const bytes = all.subarray(CHECKSUM_BYTES);
	if (!checksumOf(bytes).equals(all.subarray(0, CHECKSUM_BYTES))) return undefined;
	const [passes, distance, ...rest] = numbersIn(bytes);
	const versions = new Map<number, number>();
	let id = BEGINNING;
	for (let index = 0; index < rest.length; index += 2) {
		id += rest[index];
		versions.set(id, rest[index + 1]);
	}
	return { passes, position: BEGINNING + distance, versions };
}

/** Numbers have seven bits a byte, the lowest first; the eighth bit says that more follow. */
function numbersIn(bytes: Uint8Array): number[] {
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
