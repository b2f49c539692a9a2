import { DAY_MS } from '../values/times';

/**
 * Identifies a change by its record and time, as Corrigo shows it. Times are UTC text of a fixed
 * length. The time is empty in feeds by ID.
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
	/**
	 * Digests by key of delivered rows that are looked at once more, as they may change again without
	 * another time. A row without a digest is delivered again.
	 */
	open?: ReadonlyMap<string, number>;
}

/** Shows whether a row has changed while its time stayed the same. */
export interface Look {
	key: Key;
	digest: number;
	/** The digest of the delivered row. */
	before?: number;
	/** True if the second of the row may not have been over. */
	isOpen: boolean;
}

/** Every poll reads this much again to find changes that were committed late. */
export interface Overlap {
	seconds: number;
	/** Replaces the seconds in feeds by ID. */
	ids: number;
	/** Maximum number of keys to keep. If there are more, the edge moves up. */
	keys: number;
}

/** No page limit can cut off an answer with the IDs that are read again. */
export const OVERLAP: Overlap = { seconds: 300, ids: 90, keys: 1000 };

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

/** The texts of all times between these have one length. */
const MIN_MILLIS = Date.parse('0000-01-01T00:00:00Z');
const MAX_MILLIS = Date.parse('9999-12-31T23:59:59Z');

const toSecondText = (instant: number) =>
	new Date(Math.min(Math.max(instant, MIN_MILLIS), MAX_MILLIS)).toISOString().slice(0, 19);

/** Returns milliseconds since 1970 and drops fractions of a second. */
export const toMillis = (time: string) => Date.parse(`${time.slice(0, 19)}Z`);

export const addMs = (time: string, ms: number) => `${toSecondText(toMillis(time) + ms)}.0000000`;

export const getSecond = ({ time }: Key) => time.slice(0, 19);

export const startCursor = (edge: Key): Cursor => ({ edge, newest: edge, known: [] });

/**
 * Orders changes by second and ID. Corrigo may store more digits of a fraction than it shows, so the
 * order of its rows within a second is unknown, and such a second can only be read by ID.
 */
export function compareKeys(a: Key, b: Key): number {
	if (a.time === b.time) return a.id - b.id;
	const order = a.time < b.time ? -1 : 1;
	return a.time.startsWith(getSecond(b)) ? a.id - b.id || order : order;
}

/** Orders changes as they are delivered. */
export const compareTimes = (a: Key, b: Key): number =>
	a.time === b.time ? a.id - b.id : a.time < b.time ? -1 : 1;

/** The last key that a second may have. */
export const endOfSecond = (key: Key): Key => ({ time: `${getSecond(key)}.9999999`, id: MAX_ID });

export const later = (a: Key, b: Key): Key => (compareKeys(a, b) < 0 ? b : a);
export const earlier = (a: Key, b: Key): Key => (compareKeys(a, b) < 0 ? a : b);

export const toKeyText = ({ time, id }: Key) => (time === '' ? String(id) : `${id} ${time}`);

const MAX_ID = 999_999_999_999_999;

/** Tells whether a key may have this Id. */
export const isKeyId = (id: unknown): id is number =>
	Number.isInteger(id) && Math.abs(Number(id)) <= MAX_ID;

const KEY = /^-?\d{1,15}( \d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{7})?$/;

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

/** Returns the index of the first of ascending keys that `isReached` accepts, as it does all others. */
function findFirst(keys: readonly Key[], isReached: (key: Key) => boolean): number {
	let from = 0;
	let to = keys.length;
	while (from < to) {
		const middle = (from + to) >>> 1;
		if (isReached(keys[middle])) to = middle;
		else from = middle + 1;
	}
	return from;
}

function includesKey(keys: readonly Key[], wanted: Key): boolean {
	const index = findFirst(keys, (key) => compareKeys(key, wanted) >= 0);
	return index < keys.length && compareKeys(keys[index], wanted) === 0;
}

/** Adds keys to ascending ones. */
export function addKeys(known: readonly Key[], added: readonly Key[]): Key[] {
	const sorted = [...added].sort(compareKeys);
	if (sorted.length === 0) return [...known];
	const from = findFirst(known, (key) => compareKeys(key, sorted[0]) > 0);
	const to = findFirst(known, (key) => compareKeys(key, sorted[sorted.length - 1]) > 0);
	return replaceKeys(known, from, to, [...known.slice(from, to), ...sorted].sort(compareKeys));
}

/** Replaces ascending keys, and only their texts, as a push changes few of many keys. */
function replaceKeys(keys: readonly Key[], from: number, to: number, added: readonly Key[]): Key[] {
	const all = keys.slice(0, from).concat(added, keys.slice(to));
	const tokens = tokensOf.get(keys);
	if (tokens === undefined) return all;
	// The first key after the replaced ones now follows another one.
	const changed = listTokens(all, from, from + added.length + 1);
	tokensOf.set(all, tokens.slice(0, from).concat(changed, tokens.slice(to + 1)));
	return all;
}

/**
 * Returns the changes that are still to be delivered, all known keys with theirs, and the rows to look
 * at once more.
 */
export function claimChanges<T extends { key: Key; look?: Look }>(
	current: Cursor,
	changes: readonly T[],
	unchanged: readonly Look[] = [],
) {
	const isUndelivered = isNewTo(current);
	const isChanged = (look?: Look) => look?.before !== undefined && isCurrent(current, look);
	const claimed = changes.filter((one) => isUndelivered(one) || isChanged(one.look));
	const keys = claimed.filter(isUndelivered).map(({ key }) => key);
	const looks = [...unchanged, ...claimed.flatMap(({ look }) => look ?? [])];
	return { claimed, known: addKeys(current.known, keys), rows: noteLooks(current, looks) };
}

/** An overlapping poll may have looked at the same row meanwhile. */
const isCurrent = ({ open }: Cursor, { key, before }: Look): boolean =>
	open?.get(toKeyText(key)) === before;

/** Limits the rows that a later poll looks at once more. */
const MAX_OPEN = 100;

function noteLooks(current: Cursor, looks: readonly Look[]): Pick<Cursor, 'open'> {
	const open = new Map(current.open);
	for (const look of looks.filter((one) => isCurrent(current, one))) {
		const text = toKeyText(look.key);
		open.delete(text);
		if (look.isOpen) open.set(text, look.digest);
	}
	return limitOpen(open);
}

/** No row has this digest, so each row differs from it. */
export const NO_DIGEST = 0;

function limitOpen(rows: ReadonlyMap<string, number>): Pick<Cursor, 'open'> {
	const isRepeated = ([, digest]: [string, number]) => digest === NO_DIGEST;
	const open = [...rows].filter((one) => !isRepeated(one)).slice(-MAX_OPEN);
	const all = [...rows].filter(isRepeated).concat(open);
	return all.length === 0 ? {} : { open: new Map(all) };
}

/** Lets rows be delivered again that differ from these digests. */
export const repeatRows = (
	cursor: Cursor,
	rows: ReadonlyArray<readonly [string, number]>,
): Cursor => ({ ...cursor, ...limitOpen(new Map([...(cursor.open ?? []), ...rows])) });

/** Lists the rows that are still to be delivered again. */
export const listRepeated = ({ open = new Map() }: Cursor): Key[] =>
	[...open].flatMap(([text, digest]) => (digest === NO_DIGEST ? (parseKey(text) ?? []) : []));

/** Describes what one poll has read. */
interface Progress<T> {
	/** The newest change that had been delivered when the poll began. */
	newestBefore: Key;
	/** The poll stopped reading here; undefined if it read to the end. */
	reached?: Key;
	changes: readonly T[];
	/** The time that Corrigo's clock showed at least when the poll began, as it may be wrong. */
	settledAt?: string;
	/** Keys that every poll reads again, as their records may match later. */
	passedOver?: readonly Key[];
	/** The looks at rows that have not changed. */
	looks?: readonly Look[];
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
export function advance<T extends { key: Key; look?: Look }>(
	current: Cursor,
	{ newestBefore, reached, changes, settledAt, ...progress }: Progress<T>,
	overlap: Overlap = OVERLAP,
): { cursor: Cursor; claimed: T[] } {
	const { passedOver = [], looks = [] } = progress;
	const { claimed, known, rows } = claimChanges(current, changes, looks);
	const settled = getOverlapStart(capAtClock(newestBefore, settledAt), overlap);
	const oldest = addKeys([], passedOver).at(-overlap.keys - 1) ?? current.edge;
	const limit = capAtClock(oldest, settledAt);
	const last = later(settled, limit);
	const edge = later(current.edge, reached === undefined ? last : earlier(last, reached));
	const newest = claimed.reduce((last, { key }) => later(last, key), current.newest);
	const clock = settledAt === undefined ? undefined : { time: addMs(settledAt, 0), id: 0 };
	const open = clock && reached ? earlier(clock, reached) : (clock ?? reached);
	return {
		claimed,
		cursor: { ...buildCursor(edge, newest, known, overlap.keys, open), ...rows },
	};
}

/** Limits the keys that are kept above `open`. */
export const MAX_OPEN_KEYS = 10_000;

/**
 * Forgets the ascending keys up to the edge. If more than `maxKeys` are left, the edge moves up, but
 * not beyond `open`: seconds that are not over, and rows that were not read, would be hidden.
 */
export function buildCursor(
	edge: Key,
	newest: Key,
	keys: Key[],
	maxKeys = Infinity,
	open?: Key,
): Cursor {
	const first = findFirst(keys, (key) => compareKeys(key, edge) > 0);
	const closed = findFirst(keys, (key) => open !== undefined && compareKeys(key, open) > 0);
	const kept = Math.max(first, closed - maxKeys, keys.length - maxKeys - MAX_OPEN_KEYS);
	const known = kept === 0 ? keys : replaceKeys(keys, 0, kept, []);
	return { edge: kept > first ? keys[kept - 1] : edge, newest, known };
}

/** Merges two cursors that started from the same one. What `other` has delivered is not repeated. */
export function mergeCursors(one: Cursor, other: Cursor): Cursor {
	const known = new Map([...one.known, ...other.known].map((key) => [toKeyText(key), key]));
	const keys = addKeys([], [...known.values()]);
	const [edge, newest] = [later(one.edge, other.edge), later(one.newest, other.newest)];
	const isNew = isNewTo(other);
	const isKept = ([text, digest]: [string, number]) =>
		digest !== NO_DIGEST || isNew({ key: parseKey(text) as Key });
	const open = [...(other.open ?? []), ...[...(one.open ?? [])].filter(isKept)];
	return { ...buildCursor(edge, newest, keys), ...limitOpen(new Map(open)) };
}

const capAtClock = (key: Key, clock?: string): Key =>
	clock === undefined ? key : earlier(key, { time: clock, id: 0 });

/** Shows where an edge may be at most. */
interface Clock {
	/** Corrigo's clock. */
	now: string;
	/** True if the clock is known to be right. */
	isSure: boolean;
	/** The right time of the last poll, if Corrigo's clock was wrong then. */
	polledAt?: string;
	/** The time at which the trigger starts. */
	since?: string;
}

/**
 * An edge in the future would hide all changes until then. Returns the cursor with one that does not,
 * but not behind what was delivered unless the clock is sure. Undefined if the edge is right.
 */
export function lowerEdge(cursor: Cursor, { now, isSure, polledAt, since = '' }: Clock) {
	const { edge, newest } = cursor;
	const time = polledAt !== undefined && polledAt < now ? polledAt : now;
	const start = getOverlapStart({ time, id: 0 });
	const last =
		polledAt === undefined ? toMillis(now) + (isSure ? 0 : DAY_MS) : toMillis(start.time);
	if (edge.time === '' || toMillis(edge.time) <= last) return undefined;
	const lowered = later(start, isSure ? { time: since, id: 0 } : earlier(edge, newest));
	return compareKeys(lowered, edge) < 0 ? { ...cursor, edge: lowered } : undefined;
}

/** Skips the changes up to a time at which another event was watched. */
export const skipChanges = (cursor: Cursor, time: string): Cursor => ({
	...cursor,
	...buildCursor(later(cursor.edge, getOverlapStart({ time, id: 0 })), cursor.newest, cursor.known),
});

/** The texts of ascending keys. */
const tokensOf = new WeakMap<readonly Key[], readonly string[]>();

const listTokens = (keys: readonly Key[], from = 0, to = keys.length): string[] =>
	keys.slice(from, to).map((key, index) => toToken(key, keys[from + index - 1]));

const EPOCH: Key = { time: '1970-01-01T00:00:00', id: 0 };

/** Returns seconds since 1970, fraction and ID; seconds and ID are counted from the key before. */
function toToken({ time, id }: Key, before?: Key): string {
	const [sign, from] = before === undefined ? [' ', EPOCH] : [',', before];
	const distance = id - from.id;
	if (time === '') return `${sign}${distance}`;
	const seconds = (toMillis(time) - toMillis(from.time)) / 1000;
	return `${sign}${seconds.toString(36)}.${time.slice(20).replace(/0+$/, '')}:${distance}`;
}

/** n8n reads and writes all of a state, and wraps each value of a list: the keys are one short text. */
export function packKeys(keys: readonly Key[]): string {
	const tokens = tokensOf.get(keys) ?? listTokens(keys);
	tokensOf.set(keys, tokens);
	return tokens.join('');
}

const TOKEN = /^([ ,]?)(?:(-?[\da-z]{1,8})\.(\d{0,7}):)?(-?\d{1,16})$/;

/** Returns the keys of a packed text, and whether all of it could be read. */
export function unpackKeys(text: unknown): { keys: Key[]; isWhole: boolean } {
	if (typeof text !== 'string') return { keys: [], isWhole: false };
	const tokens = text.split(/(?=[ ,])/).filter((token) => token.trim() !== '');
	let last: { seconds: number; id: number } | undefined;
	const keys = tokens.flatMap((token): Key[] => {
		const [, sign, second, fraction = '', distance] = TOKEN.exec(token) ?? [];
		const before = sign === ',' ? last : { seconds: 0, id: 0 };
		last = undefined;
		if (distance === undefined || before === undefined) return [];
		const id = before.id + Number(distance);
		const seconds = before.seconds + parseInt(second ?? '0', 36);
		const isTime = seconds * 1000 >= MIN_MILLIS && seconds * 1000 <= MAX_MILLIS;
		if (!isKeyId(id) || !isTime) return [];
		last = { seconds, id };
		if (second === undefined) return [{ time: '', id }];
		return [{ time: `${toSecondText(seconds * 1000)}.${fraction.padEnd(7, '0')}`, id }];
	});
	return { keys: keys.sort(compareKeys), isWhole: keys.length === tokens.length };
}
