import { createHash } from 'node:crypto';

import { BEGINNING, sortIds, type Snapshot } from './snapshot';

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
