import type { JsonObject } from '../protocol/checks';
import type { QueryExpression } from '../protocol/requests';
import { compare, later, newTo, secondOf, textOf, type Cursor, type Key } from './cursor';
import { keyOf, pageAfter, type Feed, type Position } from './feed';

export const LARGEST_PAGE = 2000;

/** So many records that were handed out before are read in full once more, to save a request. */
const FEW = 50;

export interface Service<T> {
	read(expression: QueryExpression): Promise<JsonObject[]>;
	/** What is handed out for each row; nothing for rows that fall through the filters. */
	finish(rows: JsonObject[]): Promise<Array<T | undefined>>;
	/** Whether there is time for one more page. */
	mayGoOn(): boolean;
}

export interface Taken<T> {
	key: Key;
	item?: T;
}

export interface Catch<T> {
	taken: Array<Taken<T>>;
	/** Up to where everything was read; left out when there was no more. */
	reached?: Key;
}

interface Sizes {
	/** Most changes that are dealt with in one tick. */
	limit: number;
	page?: number;
	few?: number;
}

/**
 * Reads on from the cursor, page by page, until nothing is left, time runs out, or there is enough
 * for one tick. A page that fails after others came through ends the tick: the next one meets the
 * fault first thing, and reports it.
 */
export async function catchUp<T>(
	feed: Feed,
	cursor: Cursor,
	service: Service<T>,
	{ limit, page: largest = LARGEST_PAGE, few = FEW }: Sizes,
): Promise<Catch<T>> {
	const taken: Array<Taken<T>> = [];
	const seen = newTo(cursor);
	const texts = new Set<string>();
	const isNew = (key: Key) => seen(key) && !texts.has(textOf(key));

	const look = async (from: Position, count: number, keysOnly: boolean): Promise<Page> => {
		const rows = await service.read(pageAfter(feed, from, { count, keysOnly }));
		return pageOf(feed, from, count, rows, isNew);
	};

	const take = async (from: Position): Promise<Position | undefined> => {
		const room = limit - taken.length;
		// Pages begin with the second in which the one before ended.
		const count = Math.min(largest, again + room + few);
		const page = await look(from, count, false);
		const fresh = page.fresh.slice(0, room);
		const items = await service.finish(fresh.map(({ row }) => row));
		fresh.forEach(({ key }, index) => {
			taken.push({ key, item: items[index] });
			texts.add(textOf(key));
		});
		return fresh.length < page.fresh.length
			? { after: fresh[fresh.length - 1].key, dense: false }
			: page.next;
	};

	let position: Position | undefined = { after: cursor.edge, dense: false };
	let again = cursor.known.length;
	if (again > few) {
		// Mostly nothing has happened since: their keys alone say so.
		again = 0;
		const glance = await look(position, largest, true);
		position = glance.fresh.length > 0 ? justBefore(glance.fresh[0].key) : glance.next;
	}
	while (position !== undefined) {
		const from: Position = position;
		const failed: { failure: unknown } | undefined = await take(from).then(
			(next) => {
				position = next;
				return undefined;
			},
			(failure: unknown) => ({ failure }),
		);
		if (failed !== undefined && taken.length === 0) throw failed.failure;
		if (failed !== undefined || taken.length >= limit) break;
		if (taken.length > 0 && !service.mayGoOn()) break;
	}
	// A change that was committed late may turn up while a later page is read.
	taken.sort((a, b) => compare(a.key, b.key));
	return { taken, ...(position === undefined ? {} : { reached: position.after }) };
}

const justBefore = ({ time, id }: Key): Position => ({
	after: { time, id: id - 1 },
	dense: false,
});

interface Page {
	fresh: Array<{ key: Key; row: JsonObject }>;
	/** Left out when this was the last one. */
	next?: Position;
}

function pageOf(
	feed: Feed,
	from: Position,
	count: number,
	rows: readonly JsonObject[],
	isNew: (key: Key) => boolean,
): Page {
	const all = rows
		.map((row) => ({ key: keyOf(feed, row), row }))
		.sort((a, b) => compare(a.key, b.key))
		.filter(({ key }, index, sorted) => index === 0 || compare(key, sorted[index - 1].key) !== 0);
	const fresh = all.filter(({ key }) => isNew(key));
	if (rows.length < count) return { fresh };
	const last = all[all.length - 1].key;
	const dense = secondOf(all[0].key) === secondOf(last);
	const mayRepeat = dense && !from.dense && feed.time !== undefined;
	if (!mayRepeat && compare(last, from.after) <= 0) {
		throw new TypeError('Corrigo sent the same rows a second time, so reading was stopped');
	}
	return { fresh, next: { after: later(from.after, last), dense } };
}
