import type { JsonObject } from '../protocol/checks';
import { MAX_PAGE } from '../protocol/paging';
import type { QueryExpression } from '../protocol/requests';
import { compare, keyText, later, newTo, secondOf, type Cursor, type Key } from './cursor';
import { keyOf, pageAfter, type Feed, type Place } from './feed';

/**
 * A Company may send shorter pages than were asked for, but none shorter than this: they are the last.
 * So many records that were handed out before are read in full once more, to save a request.
 */
export const FEW = 50;

export interface Source<T> {
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

interface Catch<T> {
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
 * for one tick.
 */
export async function pollChanges<T>(
	feed: Feed,
	cursor: Cursor,
	service: Source<T>,
	{ limit, page = MAX_PAGE, few = FEW }: Sizes,
): Promise<Catch<T>> {
	const reading = new ChangeReader(feed, cursor, service, { limit, page, few });
	const left = await readOn(reading, await reading.begin());
	// A change that was committed late may turn up while a later page is read.
	const taken = reading.taken.sort((a, b) => compare(a.key, b.key));
	return { taken, ...(left === undefined ? {} : { reached: left.after }) };
}

interface Reader {
	readonly taken: readonly unknown[];
	mayGoOn(): boolean;
	/** One page, and where the next one begins; nowhere, if it was the last one. */
	take(from: Place): Promise<Place | undefined>;
}

/**
 * Takes page after page, and says where more may be left. A page that fails after others came through
 * ends the tick: the next one meets the fault first thing, and reports it.
 */
export async function readOn(reader: Reader, begin?: Place): Promise<Place | undefined> {
	let place = begin;
	while (place !== undefined && reader.mayGoOn()) {
		const taken: { next?: Place } | undefined = await reader.take(place).then(
			(next) => ({ next }),
			async (failure: unknown) =>
				reader.taken.length === 0 ? await Promise.reject(failure) : undefined,
		);
		if (taken === undefined) break;
		place = taken.next;
	}
	return place;
}

/** What one tick has read and taken so far. */
class ChangeReader<T> implements Reader {
	readonly taken: Array<Taken<T>> = [];
	private readonly texts = new Set<string>();
	private readonly wasNew: (key: Key) => boolean;
	/** So many rows that are known already are on the first page. */
	private readonly again: number;

	constructor(
		private readonly feed: Feed,
		private readonly cursor: Cursor,
		private readonly service: Source<T>,
		private readonly sizes: Required<Sizes>,
	) {
		const { length } = cursor.known;
		this.wasNew = newTo(cursor);
		this.again = length > sizes.few ? 0 : length;
	}

	/** Where to take from; nowhere, if there is nothing new. */
	async begin(): Promise<Place | undefined> {
		const edge: Place = { after: this.cursor.edge, dense: false };
		if (this.again === this.cursor.known.length) return edge;
		// Mostly nothing has happened since: their keys alone say so.
		const { fresh, next } = await this.look(edge, this.sizes.page, true);
		return fresh.length > 0 ? justBefore(fresh[0].key) : next;
	}

	/** The first page is always read; the others while there is time, and room for them. */
	mayGoOn(): boolean {
		const { length } = this.taken;
		return length === 0 || (length < this.sizes.limit && this.service.mayGoOn());
	}

	async take(from: Place): Promise<Place | undefined> {
		const { limit, page, few } = this.sizes;
		const room = limit - this.taken.length;
		// Pages begin with the second in which the one before ended.
		const count = Math.min(page, this.again + room + few);
		const { fresh, next } = await this.look(from, count, false);
		const fitting = fresh.slice(0, room);
		const items = await this.service.finish(fitting.map(({ row }) => row));
		fitting.forEach(({ key }, index) => {
			this.taken.push({ key, item: items[index] });
			this.texts.add(keyText(key));
		});
		if (fitting.length === fresh.length) return next;
		return { after: fitting[fitting.length - 1].key, dense: false };
	}

	private async look(from: Place, count: number, keysOnly: boolean): Promise<Page> {
		const rows = await this.service.read(pageAfter(this.feed, from, { count, keysOnly }));
		const isNew = (key: Key) => this.wasNew(key) && !this.texts.has(keyText(key));
		const page = pageOf(this.feed, rows, isNew);
		return isLast(rows, count, this.sizes.few) ? page : { ...page, next: nextOf(from, page) };
	}
}

/** A page that was not asked to be longer, or that may have been cut, is not the last one. */
export const isLast = ({ length }: readonly unknown[], count: number, few: number) =>
	length < Math.min(count, few);

const justBefore = ({ time, id }: Key): Place => ({
	after: { time, id: id - 1 },
	dense: false,
});

interface Page {
	/** All of its rows, each once, ascending. */
	keys: Key[];
	fresh: Array<{ key: Key; row: JsonObject }>;
	/** Left out when this was the last one. */
	next?: Place;
}

export function pageOf(
	feed: Feed,
	rows: readonly JsonObject[],
	isNew: (key: Key) => boolean,
): Page {
	const all = rows
		.map((row) => ({ key: keyOf(feed, row), row }))
		.sort((a, b) => compare(a.key, b.key))
		.filter(({ key }, index, sorted) => index === 0 || compare(key, sorted[index - 1].key) !== 0);
	return { keys: all.map(({ key }) => key), fresh: all.filter(({ key }) => isNew(key)) };
}

export function nextOf(from: Place, { keys }: Page): Place {
	const last = keys[keys.length - 1];
	const dense = secondOf(keys[0]) === secondOf(last);
	const mayRepeat = dense && !from.dense;
	if (!mayRepeat && compare(last, from.after) <= 0) {
		throw new TypeError('Corrigo sent the same rows a second time, so reading was stopped');
	}
	return { after: later(from.after, last), dense };
}
