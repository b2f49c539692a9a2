import { and, lessThan } from '../wire/criteria';
import { MAX_PAGE_SIZE } from '../wire/paging';
import {
	addMs,
	advance,
	compareKeys,
	earlier,
	endOfSecond,
	getSecond,
	later,
	MAX_OPEN_KEYS,
	OVERLAP,
	startCursor,
	type Cursor,
	type Key,
} from './cursor';
import {
	buildLastRowQuery,
	buildNewestQuery,
	fetchPage,
	getBeginning,
	narrowFeed,
	readKey,
	type ChangeSource,
	type Feed,
	type PageSource,
	type FeedPosition,
} from './feed';

/** Reads the keys of the newest rows, or of those with the greatest IDs in one second. */
async function loadNewestKeys(feed: Feed, source: PageSource, total: number, second?: Key) {
	const keys: Key[] = [];
	const position = second && { after: second, dense: true };
	let isWhole = false;
	while (!isWhole && keys.length < total) {
		const count = Math.min(total - keys.length, MAX_PAGE_SIZE);
		const last = second && keys.at(-1);
		const rest = last === undefined ? feed : narrowFeed(feed, and(lessThan('Id', last.id)));
		const skip = second === undefined ? keys.length : 0;
		const options = { count, keysOnly: true, skip, position };
		const rows = await source.load(buildNewestQuery(rest, options));
		keys.push(...rows.map((row) => readKey(feed, row)));
		isWhole = await source.isLastPage({ length: rows.length, count });
	}
	return { keys, isWhole };
}

/** Reads about as many keys from a position on. */
async function loadKeys(
	feed: Feed,
	source: PageSource,
	begin: FeedPosition,
	count: number,
): Promise<Key[]> {
	const keys: Key[] = [];
	let from: FeedPosition | undefined = begin;
	while (from !== undefined && keys.length < count) {
		const { rows, next } = await fetchPage(feed, source, from, { count, keysOnly: true });
		keys.push(...rows.map(({ key }) => key));
		from = next;
	}
	return keys;
}

/**
 * Creates a cursor that treats all rows of the entity as old, including those that the filters
 * exclude, because filters may be widened later. If more rows are stamped in the future than can be
 * kept, those that are nearest are old, and the others wait as they do in every poll.
 */
export async function fetchPresentCursor(
	{ entity, time, properties }: Feed,
	source: PageSource & Pick<ChangeSource<unknown>, 'clock'>,
	overlap = OVERLAP,
): Promise<Cursor> {
	const feed: Feed = { entity, time, properties };
	const total = (time === undefined ? overlap.ids : overlap.keys) + 1;
	const beginning = getBeginning(feed);
	const start = (keys: Key[], edge = beginning) => {
		const newestBefore = keys.reduce(later, edge);
		const changes = keys.map((key) => ({ key }));
		const progress = { newestBefore, changes, settledAt: source.clock?.() };
		return advance(startCursor(edge), progress, overlap).cursor;
	};
	let { keys, isWhole } = await loadNewestKeys(feed, source, total);
	const clock = source.clock?.();
	const next: Key = { time: clock === undefined ? '' : addMs(clock, 1000), id: 0 };
	let ahead: Key[] = [];
	if (!isWhole && time !== undefined && clock && keys.some((key) => key.time >= next.time)) {
		const past = narrowFeed(feed, and(lessThan(time, getSecond(next))));
		({ keys, isWhole } = await loadNewestKeys(past, source, total));
		const begin = { after: next, dense: false };
		ahead = await loadKeys(feed, source, begin, overlap.keys);
	}
	const cursor = start([...keys, ...ahead]);
	if (isWhole || time === undefined) return cursor;
	// Some rows of the oldest second are missing, which matters unless all of it is settled.
	const oldest = keys.reduce(earlier);
	if (compareKeys(cursor.edge, endOfSecond(oldest)) >= 0) return cursor;
	const begin = { time: addMs(oldest.time, 0), id: 0 };
	const newer = keys.filter((key) => getSecond(key) !== getSecond(oldest));
	// A cursor has no room for more keys, so the rows with lower IDs are settled.
	const room = overlap.keys + MAX_OPEN_KEYS;
	const rest = await loadNewestKeys(feed, source, room, begin);
	const first = rest.keys.reduce(earlier, endOfSecond(begin));
	const edge = rest.isWhole ? begin : { ...begin, id: first.id - 1 };
	return start([...rest.keys, ...newer, ...ahead], edge);
}

/** Returns undefined if the start is at a time that has not come yet. */
export async function fetchFirstCursor(
	{ feed, since }: { feed: Feed; since?: string },
	source: PageSource & Pick<ChangeSource<unknown>, 'clock'>,
): Promise<Cursor | undefined> {
	if (since === undefined) return await fetchPresentCursor(feed, source);
	if (feed.timestamp === undefined) return startCursor({ time: since, id: 0 });
	const [last] = await source.load(buildLastRowQuery(feed, feed.timestamp, since));
	if (since > (source.clock?.() ?? since)) return undefined;
	return startCursor(last === undefined ? getBeginning(feed) : readKey(feed, last));
}
