import { createHash } from 'node:crypto';

/** Records with their versions, in ascending order of ID. They are never changed. */
export interface Records {
	readonly ids: Float64Array;
	/** Two versions of a record differ; 0 marks a record that may be unknown. */
	readonly versions: Float64Array;
}

/** A snapshot holds the records that a trigger knows, to compare them range by range. */
export interface Snapshot extends Records {
	/** Counts how often all records have been compared. The first pass only learns them. */
	passes: number;
	/** Records up to this ID have been compared in the current pass. */
	position: number;
}

/** Some tables begin with a row of ID 0, so the beginning is below 0. */
export const BEGINNING = -1;

const EMPTY = new Float64Array(0);

export const createSnapshot = (): Snapshot => ({
	passes: 0,
	position: BEGINNING,
	ids: EMPTY,
	versions: EMPTY,
});

/** Returns the number of known IDs up to this one. */
export function countIds({ ids }: Records, id: number): number {
	let from = 0;
	let to = ids.length;
	while (from < to) {
		const middle = (from + to) >>> 1;
		if (ids[middle] <= id) from = middle + 1;
		else to = middle;
	}
	return from;
}

/** Collects records in ascending order of ID. */
export class RecordList {
	private records: Records = { ids: new Float64Array(64), versions: new Float64Array(64) };
	length = 0;

	add(id: number, version: number): void {
		if (this.length === this.records.ids.length) this.reserve(this.length);
		this.records.ids[this.length] = id;
		this.records.versions[this.length++] = version;
	}

	addAll({ ids, versions }: Records): void {
		this.reserve(ids.length);
		this.records.ids.set(ids, this.length);
		this.records.versions.set(versions, this.length);
		this.length += ids.length;
	}

	private reserve(more: number): void {
		const { ids, versions } = this.records;
		const size = this.length + more;
		if (size <= ids.length) return;
		this.records = { ids: new Float64Array(size), versions: new Float64Array(size) };
		this.records.ids.set(ids);
		this.records.versions.set(versions);
	}

	end(): Records {
		return getRange(this.records, 0, this.length);
	}
}

/** Returns the records from one index up to another, without copying them. */
export const getRange = ({ ids, versions }: Records, from: number, to?: number): Records => ({
	ids: ids.subarray(from, to),
	versions: versions.subarray(from, to),
});

/** Returns the records with other versions; undefined removes a record. */
export function applyVersions(
	records: Records,
	updates: ReadonlyMap<number, number | undefined>,
): Records {
	if (updates.size === 0) return records;
	const merged = new RecordList();
	let at = 0;
	for (const [id, version] of [...updates].sort(([a], [b]) => a - b)) {
		const index = countIds(records, id);
		const isKnown = records.ids[index - 1] === id;
		merged.addAll(getRange(records, at, isKnown ? index - 1 : index));
		at = index;
		if (version !== undefined) merged.add(id, version);
	}
	merged.addAll(getRange(records, at));
	return merged.end();
}

/** A known record has this version if any other counts as an edit. */
export const ANY_VERSION = Number.MAX_SAFE_INTEGER;

export const CHANGES = ['added', 'edited', 'deleted'] as const;

export type ChangeName = (typeof CHANGES)[number];

export interface VersionChange {
	id: number;
	change: ChangeName;
	/** The current version, or the last known one if the record was deleted. */
	version: number;
	/** The known version; undefined if the record was unknown. */
	earlier?: number;
}

/**
 * Walks through known and found records in order of ID. `note` gets each one with its known version,
 * and with a difference if its versions differ.
 */
export function compareVersions(
	known: Records,
	found: Records,
	note: (id: number, earlier: number | undefined, difference?: VersionChange) => void,
): void {
	let at = 0;
	const noteDeletions = (end: number) => {
		for (; known.ids[at] < end; at++) {
			const [id, earlier] = [known.ids[at], known.versions[at]];
			note(id, earlier, { id, change: 'deleted', version: earlier || ANY_VERSION, earlier });
		}
	};
	for (let index = 0; index < found.ids.length; index++) {
		const [id, version] = [found.ids[index], found.versions[index]];
		noteDeletions(id);
		const earlier = known.ids[at] === id ? known.versions[at++] : undefined;
		if (earlier === version) note(id, earlier);
		else note(id, earlier, { id, change: earlier ? 'edited' : 'added', version, earlier });
	}
	noteDeletions(Infinity);
}

const CHECKSUM_BYTES = 4;
const MAX_NUMBER_BYTES = 8;
const BASE = 128;

const getChecksum = (bytes: Uint8Array) =>
	createHash('sha256').update(bytes).digest().subarray(0, CHECKSUM_BYTES);

/** Lists the numbers that records are packed as: the distance from the ID before, and the version. */
function forEachNumber({ ids, versions }: Records, note: (number: number) => void): void {
	let last = BEGINNING;
	for (let index = 0; index < ids.length; index++) {
		note(ids[index] - last);
		note(versions[index]);
		last = ids[index];
	}
}

/**
 * Packs a snapshot as text because n8n stores JSON. A checksum, the passes and the position come
 * first, and the records follow.
 */
export function pack(snapshot: Snapshot): string {
	const numbers = 2 + 2 * snapshot.ids.length;
	const bytes = Buffer.allocUnsafe(CHECKSUM_BYTES + numbers * MAX_NUMBER_BYTES);
	let end = CHECKSUM_BYTES;
	const write = (number: number) => {
		let left = number;
		for (; left >= BASE; left = Math.floor(left / BASE)) bytes[end++] = (left % BASE) + BASE;
		bytes[end++] = left;
	};
	write(snapshot.passes);
	write(snapshot.position - BEGINNING);
	forEachNumber(snapshot, write);
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
	// Each record takes two bytes at least.
	const ids = new Float64Array((bytes.length - at) >>> 1);
	const versions = new Float64Array(ids.length);
	let end = 0;
	for (let id = BEGINNING; at < bytes.length; end++) {
		id += read();
		ids[end] = id;
		versions[end] = read();
	}
	return { passes, position, ids: ids.slice(0, end), versions: versions.slice(0, end) };
}

/** Returns the number of bytes that a packed number takes. */
export const countBytes = (number: number): number =>
	number < BASE ? 1 : 1 + countBytes(Math.floor(number / BASE));

/** Returns the number of bytes that packed records take. */
export function countSize(records: Records): number {
	let bytes = 0;
	forEachNumber(records, (number) => (bytes += countBytes(number)));
	return bytes;
}

/** Returns the characters of a packed snapshot whose records take this number of bytes. */
export function getPackedLength({ passes, position }: Snapshot, bytes: number): number {
	const place = countBytes(passes) + countBytes(position - BEGINNING);
	return Math.ceil((CHECKSUM_BYTES + place + bytes) / 3) * 4;
}
