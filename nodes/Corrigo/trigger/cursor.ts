/**
 * Identifies a change by its record and time. Times are UTC text of one length, so that they compare
 * as text with all seven digits that the service has; feeds by Id leave the time empty.
 */
export interface Key {
	time: string;
	id: number;
}

/** The state of a trigger between two polls: a high-water mark with an overlap below it. */
export interface Cursor {
	/** Everything up to here is settled: it was delivered, or never will be. */
	edge: Key;
	/** The newest change delivered. */
	newest: Key;
	/** All changes above the edge that were delivered, ascending. */
	known: Key[];
}

/** How much is read again at each poll, to find changes that were committed late. */
export interface Overlap {
	seconds: number;
	/** For feeds by Id, in place of seconds. */
	ids: number;
	/** Most keys that are kept; the edge moves up when there are more. */
	keys: number;
}

export const OVERLAP: Overlap = { seconds: 300, ids: 100, keys: 1000 };

const TIME =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,7})\d*)?)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/** Times without a zone are UTC: older rows of the service have none. */
export function utcText(value: unknown): string | undefined {
	const parts = typeof value === 'string' ? TIME.exec(value.trim()) : null;
	if (parts === null) return undefined;
	const [, day, minutes = '00:00', seconds = '00', fraction = '', zone = 'Z'] = parts;
	const instant = Date.parse(`${day}T${minutes}:${seconds}${zone}`);
	if (Number.isNaN(instant)) return undefined;
	return `${secondText(instant)}.${fraction.padEnd(7, '0')}`;
}

const secondText = (instant: number) => new Date(instant).toISOString().slice(0, 19);

/** Milliseconds since 1970, with fractions of a second dropped. */
export const millisOf = (time: string) => Date.parse(`${time.slice(0, 19)}Z`);

export const addMs = (time: string, ms: number) => `${secondText(millisOf(time) + ms)}.0000000`;

export const secondOf = ({ time }: Key) => time.slice(0, 19);

export const isWholeSecond = ({ time }: Key) => /\.0*$/.test(time);

export const startingAfter = (edge: Key): Cursor => ({ edge, newest: edge, known: [] });

export function compare(a: Key, b: Key): number {
	if (a.time !== b.time) return a.time < b.time ? -1 : 1;
	return a.id - b.id;
}

export const later = (a: Key, b: Key): Key => (compare(a, b) < 0 ? b : a);
const earlier = (a: Key, b: Key): Key => (compare(a, b) < 0 ? a : b);

export const keyText = ({ time, id }: Key) => (time === '' ? String(id) : `${id} ${time}`);

const KEY = /^\d{1,15}( \d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{7})?$/;

/** Returns undefined for a text that is no key. */
export function parseKey(text: unknown): Key | undefined {
	if (typeof text !== 'string' || !KEY.test(text)) return undefined;
	const [id, time = ''] = text.split(' ');
	return utcText(time) === time || time === '' ? { id: Number(id), time } : undefined;
}

/** Returns a test for changes that are still to be delivered. */
export function isNewTo({ edge, known }: Cursor): (key: Key) => boolean {
	const seen = new Set(known.map(keyText));
	return (key) => compare(key, edge) > 0 && !seen.has(keyText(key));
}

/** Changes stamped before the overlap were committed long before `key` was. */
export function overlapStart({ time, id }: Key, { seconds, ids }: Overlap = OVERLAP): Key {
	if (time === '') return { time, id: Math.max(0, id - ids) };
	return { time: addMs(time, -seconds * 1000), id: 0 };
}

/** The result of one poll. */
interface Progress {
	/** The newest change that had been delivered when the poll began. */
	newestBefore: Key;
	/** Where the poll stopped reading; undefined if it came to the end. */
	reached?: Key;
	keys: readonly Key[];
	/** The clock of the service when the poll began, as the time of a key. */
	clock?: string;
}

/**
 * Moves the cursor as it is by now, which an overlapping poll may have moved since this one began.
 * `claimed` are the changes that are left for this poll to deliver.
 *
 * The edge follows the change that was newest *before* the poll, not those that the poll found: all
 * changes stamped earlier than the overlap before it were committed when the poll began to read,
 * however long it read. A row stamped in the future proves nothing of the kind, so the edge also stays
 * an overlap behind the clock of the service.
 */
export function advance(
	current: Cursor,
	{ newestBefore, reached, keys, clock }: Progress,
	overlap: Overlap = OVERLAP,
): { cursor: Cursor; claimed: Key[] } {
	const claimed = keys.filter(isNewTo(current));
	const settled = overlapStart(capAtClock(newestBefore, clock), overlap);
	const edge = later(current.edge, reached === undefined ? settled : earlier(settled, reached));
	const newest = claimed.reduce(later, current.newest);
	const known = [...current.known, ...claimed];
	return { claimed, cursor: cursorAt(edge, newest, known, overlap.keys) };
}

/** Forgets the keys up to the edge, which moves up if there are more than are kept. */
export function cursorAt(edge: Key, newest: Key, keys: Key[], maxKeys = Infinity): Cursor {
	const known = keys.filter((key) => compare(key, edge) > 0).sort(compare);
	const surplus = Math.max(0, known.length - maxKeys);
	return {
		edge: surplus > 0 ? known[surplus - 1] : edge,
		newest,
		known: known.slice(surplus),
	};
}

/** Joins two cursors that went on from the same one. */
export function merge(one: Cursor, other: Cursor): Cursor {
	const known = new Map([...one.known, ...other.known].map((key) => [keyText(key), key]));
	return cursorAt(later(one.edge, other.edge), later(one.newest, other.newest), [
		...known.values(),
	]);
}

const capAtClock = (key: Key, clock?: string): Key =>
	clock === undefined ? key : earlier(key, { time: clock, id: 0 });

const DAY_MS = 86_400_000;

/**
 * Moves an edge back that is more than a day in the future, as it would hide all changes until then.
 * An edge that moved up since more keys were known than are kept stays, so that none comes twice.
 */
export function clampToClock(cursor: Cursor, clock?: string, overlap: Overlap = OVERLAP): Cursor {
	const { edge, known } = cursor;
	if (clock === undefined || known.length >= overlap.keys) return cursor;
	return millisOf(edge.time) - millisOf(clock) > DAY_MS
		? { ...cursor, edge: overlapStart({ time: clock, id: 0 }, overlap) }
		: cursor;
}

/** A cursor to which all changes that are there already are old. */
export function startingAfterAll(
	present: readonly Key[],
	beginning: Key,
	overlap = OVERLAP,
	clock?: string,
): Cursor {
	const newest = present.reduce(later, beginning);
	return advance(startingAfter(beginning), { newestBefore: newest, keys: present, clock }, overlap)
		.cursor;
}
