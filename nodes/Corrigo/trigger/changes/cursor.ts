/**
 * Identifies a change by its record and time. Times are UTC text of a fixed length, so they compare
 * as text with all seven digits that Corrigo sends. The time is empty in feeds by ID.
 */
export interface Key {
	time: string;
	id: number;
}

/** The state of a trigger between two polls: a high-water mark with an overlap below it. */
export interface Cursor {
	/** Everything up to here is settled: it was delivered, or never will be. */
	edge: Key;
	/** The newest change that was delivered. */
	newest: Key;
	/** Delivered changes above the edge, in ascending order. */
	known: Key[];
}

/** Every poll reads this much again to find changes that were committed late. */
export interface Overlap {
	seconds: number;
	/** Replaces the seconds in feeds by ID. */
	ids: number;
	/** Maximum number of keys to keep. If there are more, the edge moves up. */
	keys: number;
}

export const OVERLAP: Overlap = { seconds: 300, ids: 100, keys: 1000 };

const TIME =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,7})\d*)?)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/** Times without a zone are UTC, as in older rows of Corrigo. */
export function toUtcText(value: unknown): string | undefined {
	const parts = typeof value === 'string' ? TIME.exec(value.trim()) : null;
	if (parts === null) return undefined;
	const [, day, minutes = '00:00', seconds = '00', fraction = '', zone = 'Z'] = parts;
	const instant = Date.parse(`${day}T${minutes}:${seconds}${zone}`);
	if (Number.isNaN(instant)) return undefined;
	return `${toSecondText(instant)}.${fraction.padEnd(7, '0')}`;
}

const toSecondText = (instant: number) => new Date(instant).toISOString().slice(0, 19);

/** Returns milliseconds since 1970 and drops fractions of a second. */
export const toMillis = (time: string) => Date.parse(`${time.slice(0, 19)}Z`);

export const addMs = (time: string, ms: number) => `${toSecondText(toMillis(time) + ms)}.0000000`;

export const getSecond = ({ time }: Key) => time.slice(0, 19);

export const isWholeSecond = ({ time }: Key) => /\.0*$/.test(time);

export const startCursor = (edge: Key): Cursor => ({ edge, newest: edge, known: [] });

export function compareKeys(a: Key, b: Key): number {
	if (a.time !== b.time) return a.time < b.time ? -1 : 1;
	return a.id - b.id;
}

export const later = (a: Key, b: Key): Key => (compareKeys(a, b) < 0 ? b : a);
const earlier = (a: Key, b: Key): Key => (compareKeys(a, b) < 0 ? a : b);

export const toKeyText = ({ time, id }: Key) => (time === '' ? String(id) : `${id} ${time}`);

const KEY = /^\d{1,15}( \d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{7})?$/;

/** Returns undefined if the text is not a key. */
export function parseKey(text: unknown): Key | undefined {
	if (typeof text !== 'string' || !KEY.test(text)) return undefined;
	const [id, time = ''] = text.split(' ');
	return toUtcText(time) === time || time === '' ? { id: Number(id), time } : undefined;
}

/** Returns a predicate for changes that have not been delivered yet. */
export function isNewTo({ edge, known }: Cursor): (change: { key: Key }) => boolean {
	return ({ key }) => compareKeys(key, edge) > 0 && !includesKey(known, key);
}

/** Changes stamped before the overlap were committed long before `key` was. */
export function getOverlapStart({ time, id }: Key, { seconds, ids }: Overlap = OVERLAP): Key {
	if (time === '') return { time, id: Math.max(0, id - ids) };
	return { time: addMs(time, -seconds * 1000), id: 0 };
}

/** Searches keys in ascending order. */
function includesKey(keys: readonly Key[], wanted: Key): boolean {
	let from = 0;
	let to = keys.length;
	while (from < to) {
		const middle = (from + to) >>> 1;
		if (compareKeys(keys[middle], wanted) < 0) from = middle + 1;
		else to = middle;
	}
	return from < keys.length && compareKeys(keys[from], wanted) === 0;
}

/** Describes what one poll has read. */
interface Progress<T> {
	/** The newest change that had been delivered when the poll began. */
	newestBefore: Key;
	/** The poll stopped reading here; undefined if it read to the end. */
	reached?: Key;
	changes: readonly T[];
	/** Corrigo's clock when the poll began, as the time of a key. */
	clock?: string;
}

/**
 * Moves `current`, the latest cursor, because an overlapping poll may have moved it since this poll
 * began. `claimed` holds the changes that this poll still has to deliver.
 *
 * The edge follows the change that was newest *before* the poll, not those that the poll found: all
 * changes stamped earlier than the overlap before it were committed when the poll began to read,
 * however long it read. A row stamped in the future proves nothing of the kind, so the edge also
 * stays an overlap behind the clock of the service.
 */
export function advance<T extends { key: Key }>(
	current: Cursor,
	{ newestBefore, reached, changes, clock }: Progress<T>,
	overlap: Overlap = OVERLAP,
): { cursor: Cursor; claimed: T[] } {
	const claimed = changes.filter(isNewTo(current));
	const keys = claimed.map(({ key }) => key);
	const settled = getOverlapStart(capAtClock(newestBefore, clock), overlap);
	const edge = later(current.edge, reached === undefined ? settled : earlier(settled, reached));
	const newest = keys.reduce(later, current.newest);
	const known = [...current.known, ...keys];
	return { claimed, cursor: buildCursor(edge, newest, known, overlap.keys) };
}

/** Forgets the keys up to the edge. The edge moves up if more than `maxKeys` are left. */
export function buildCursor(edge: Key, newest: Key, keys: Key[], maxKeys = Infinity): Cursor {
	const known = keys.filter((key) => compareKeys(key, edge) > 0).sort(compareKeys);
	const surplus = Math.max(0, known.length - maxKeys);
	return { edge: surplus > 0 ? known[surplus - 1] : edge, newest, known: known.slice(surplus) };
}

/** Merges two cursors that started from the same one. */
export function mergeCursors(one: Cursor, other: Cursor): Cursor {
	const known = new Map([...one.known, ...other.known].map((key) => [toKeyText(key), key]));
	return buildCursor(later(one.edge, other.edge), later(one.newest, other.newest), [
		...known.values(),
	]);
}

const capAtClock = (key: Key, clock?: string): Key =>
	clock === undefined ? key : earlier(key, { time: clock, id: 0 });

const DAY_MS = 86_400_000;

/**
 * Moves back an edge that is more than a day in the future, because it would hide all changes until
 * then. An edge that moved up because there were too many keys stays, so no change is delivered
 * twice.
 */
export function clampToClock(cursor: Cursor, clock?: string, overlap: Overlap = OVERLAP): Cursor {
	const { edge, known } = cursor;
	if (clock === undefined || known.length >= overlap.keys) return cursor;
	return toMillis(edge.time) - toMillis(clock) > DAY_MS
		? { ...cursor, edge: getOverlapStart({ time: clock, id: 0 }, overlap) }
		: cursor;
}
