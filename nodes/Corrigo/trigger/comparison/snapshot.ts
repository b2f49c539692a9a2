import { createHash } from 'node:crypto';

/** Records with their versions, in ascending order of ID. */
export interface Records {
	readonly ids: readonly number[];
	/** Two versions of a record differ; 0 marks a record that may be unknown. */
	readonly versions: readonly number[];
}

/** A snapshot holds the records that a trigger knows, to compare them range by range. */
export interface Snapshot extends Records {
	/** Counts how often all records have been compared. The first pass only learns them. */
	passes: number;
	/** Records up to this ID have been compared in the current pass. */
	position: number;
	/** The texts that are kept of the fields of records, by ID. */
	fields: ReadonlyMap<number, string>;
}

/** Some tables begin with a row of ID 0, so the beginning is below 0. */
export const BEGINNING = -1;

export const createSnapshot = (): Snapshot => ({
	passes: 0,
	position: BEGINNING,
	ids: [],
	versions: [],
	fields: new Map(),
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
export class RecordList implements Records {
	readonly ids: number[] = [];
	readonly versions: number[] = [];

	add(id: number, version: number): void {
		this.ids.push(id);
		this.versions.push(version);
	}

	/** Adds records from one index up to another. */
	addAll({ ids, versions }: Records, from: number, to = ids.length): void {
		for (let index = from; index < to; index++) this.add(ids[index], versions[index]);
	}
}

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
		merged.addAll(records, at, isKnown ? index - 1 : index);
		at = index;
		if (version !== undefined) merged.add(id, version);
	}
	merged.addAll(records, at);
	return merged;
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

/** Separates the texts of records, which do not hold it. */
const SEPARATOR = '\0';

/**
 * Packs a snapshot as text because n8n stores JSON. A checksum, the passes and the position come
 * first. The records follow, each as the distance from the ID before, and the version. If anything is
 * kept of their fields, a distance of 0 and the texts of all records come last.
 */
export function pack(snapshot: Snapshot): string {
	const numbers = 3 + 2 * snapshot.ids.length;
	const texts = snapshot.ids.map((id) => snapshot.fields.get(id) ?? '');
	const kept = Buffer.from(texts.some((text) => text !== '') ? texts.join(SEPARATOR) : '');
	const bytes = Buffer.allocUnsafe(CHECKSUM_BYTES + numbers * MAX_NUMBER_BYTES + kept.length);
	let end = CHECKSUM_BYTES;
	const write = (number: number) => {
		let left = number;
		for (; left >= BASE; left = Math.floor(left / BASE)) bytes[end++] = (left % BASE) + BASE;
		bytes[end++] = left;
	};
	write(snapshot.passes);
	write(snapshot.position - BEGINNING);
	let last = BEGINNING;
	for (const [index, id] of snapshot.ids.entries()) {
		write(id - last);
		write(snapshot.versions[index]);
		last = id;
	}
	if (kept.length > 0) {
		write(0);
		end += kept.copy(bytes, end);
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
	const records = new RecordList();
	const { ids, versions } = records;
	let texts: string[] = [];
	for (let id = BEGINNING; at < bytes.length; ) {
		const distance = read();
		if (distance === 0) {
			texts = bytes.toString('utf8', at).split(SEPARATOR);
			break;
		}
		id += distance;
		records.add(id, read());
	}
	const fields = new Map(texts.flatMap((text, index) => (text === '' ? [] : [[ids[index], text]])));
	return { passes, position, ids, versions, fields };
}
