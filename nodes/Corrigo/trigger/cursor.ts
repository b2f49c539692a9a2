/**
 * Which change of which record. Times are UTC text of one length, so that they compare as text with
 * all the seven digits the service has; feeds by Id leave the time empty.
 */
export interface Key {
	time: string;
	id: number;
}

/** Where a trigger stands between two ticks: a high-water mark with an overlap below it. */
export interface Cursor {
	/** Everything up to here is settled: it was handed out, or never will be. */
	edge: Key;
	/** The newest change handed out. */
	newest: Key;
	/** What was handed out above the edge, ascending. */
	known: Key[];
}

/** How much above the edge is looked through again for what was committed late. */
export interface Overlap {
	seconds: number;
	/** The same for feeds by Id. */
	ids: number;
	/** Most keys that are kept: the edge follows when there are more. */
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

/** The instant, without what is below a second. */
export const toTheSecond = (time: string) => Date.parse(`${time.slice(0, 19)}Z`);

export const shifted = (time: string, ms: number) =>
	`${secondText(toTheSecond(time) + ms)}.0000000`;

export const secondOf = ({ time }: Key) => time.slice(0, 19);

export const startingAfter = (edge: Key): Cursor => ({ edge, newest: edge, known: [] });

export function compare(a: Key, b: Key): number {
	if (a.time !== b.time) return a.time < b.time ? -1 : 1;
	return a.id - b.id;
}

export const later = (a: Key, b: Key): Key => (compare(a, b) < 0 ? b : a);
const earlier = (a: Key, b: Key): Key => (compare(a, b) < 0 ? a : b);

export const keyText = ({ time, id }: Key) => (time === '' ? String(id) : `${id} ${time}`);

const KEY = /^\d{1,15}( \d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{7})?$/;

/** Nothing for what is no key. */
export function keyFrom(text: unknown): Key | undefined {
	if (typeof text !== 'string' || !KEY.test(text)) return undefined;
	const [id, time = ''] = text.split(' ');
	return utcText(time) === time || time === '' ? { id: Number(id), time } : undefined;
}

/** Tells the changes that are still to be handed out. */
export function newTo({ edge, known }: Cursor): (key: Key) => boolean {
	const texts = new Set(known.map(keyText));
	return (key) => compare(key, edge) > 0 && !texts.has(keyText(key));
}

/** The end of the overlap: what is stamped before it has long been committed when `key` is. */
export function overlapBefore({ time, id }: Key, { seconds, ids }: Overlap = OVERLAP): Key {
	if (time === '') return { time, id: Math.max(0, id - ids) };
	return { time: shifted(time, -seconds * 1000), id: 0 };
}

/** What one tick has found. */
export interface Progress {
	/** The newest change that had been handed out when the tick began. */
	began: Key;
	/** Up to where the tick has read; left out when it came to the end. */
	reached?: Key;
	keys: readonly Key[];
	/** What the clock of the service said then, as the time of a key. */
	clock?: string;
}

/**
 * Brings what a tick has found into the cursor as it is now: another tick may have moved it since.
 * `mine` are the changes this tick hands out.
 *
 * The edge goes by what was newest *before* the tick, not by what the tick found: everything stamped
 * earlier than the overlap before it was committed when the tick began to read, however long it read.
 * A row that is stamped in the future says nothing about that: there the clock of the service counts.
 */
export function advance(
	now: Cursor,
	{ began, reached, keys, clock }: Progress,
	overlap: Overlap = OVERLAP,
): { cursor: Cursor; mine: Key[] } {
	const mine = keys.filter(newTo(now));
	const settled = overlapBefore(nowAtMost(began, clock), overlap);
	const edge = later(now.edge, reached === undefined ? settled : earlier(settled, reached));
	const all = [...now.known, ...mine].sort(compare);
	const known = all.filter((key) => compare(key, edge) > 0);
	const surplus = Math.max(0, known.length - overlap.keys);
	return {
		mine,
		cursor: {
			edge: surplus > 0 ? known[surplus - 1] : edge,
			newest: mine.reduce(later, now.newest),
			known: known.slice(surplus),
		},
	};
}

/** What two know that went on from the same place. */
export function merge(one: Cursor, other: Cursor): Cursor {
	const edge = later(one.edge, other.edge);
	const known = new Map([...one.known, ...other.known].map((key) => [keyText(key), key]));
	return {
		edge,
		newest: later(one.newest, other.newest),
		known: [...known.values()].filter((key) => compare(key, edge) > 0).sort(compare),
	};
}

const nowAtMost = (key: Key, clock?: string): Key =>
	clock === undefined ? key : earlier(key, { time: clock, id: 0 });

const DAY_MS = 86_400_000;

/**
 * An edge that is far in the future hides whatever comes until then. 0.1.0 could write one; of this
 * version only so many changes stamped in the future can, and those are not handed out again.
 */
export function clampToClock(cursor: Cursor, clock?: string, overlap: Overlap = OVERLAP): Cursor {
	const { edge, known } = cursor;
	if (clock === undefined || known.length >= overlap.keys) return cursor;
	return toTheSecond(edge.time) - toTheSecond(clock) > DAY_MS
		? { ...cursor, edge: overlapBefore({ time: clock, id: 0 }, overlap) }
		: cursor;
}

/** The cursor before which the changes that are there already count as old. */
export function startingWith(
	present: readonly Key[],
	beginning: Key,
	overlap = OVERLAP,
	clock?: string,
): Cursor {
	const newest = present.reduce(later, beginning);
	return advance(startingAfter(beginning), { began: newest, keys: present, clock }, overlap).cursor;
}
