import { createHash } from 'node:crypto';

import { BEGINNING, type Snapshot } from './snapshot';

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
