import type { JsonObject } from '../protocol/checks';
import type { QueryExpression } from '../protocol/requests';
import { compare, later, newTo, secondOf, keyText, type Cursor, type Key } from './cursor';
import { keyOf, pageAfter, type Feed, type Place } from './feed';

const FULL_PAGE = 2000;

/** So many records that were handed out before are read in full once more, to save a request. */
const FEW = 50;

export interface Service<T> {
	read(expression: QueryExpression): Promise<JsonObject[]>;
	/** What is handed out for each row; nothing for rows that fall through the filters. */
	finish(rows: JsonObject[]): Promise<Array<T | undefined>>;
	/** Whether there is time for one more page. */
	mayGoOn(): boolean;
}

interface Taken<T> {
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
 * for one tick. A page that fails after others came through ends the tick: the next one meets the
 * fault first thing, and reports it.
 */
export async function catchUp<T>(
	feed: Feed,
	cursor: Cursor,
	service: Service<T>,
	{ limit, page = FULL_PAGE, few = FEW }: Sizes,
): Promise<Catch<T>> {
	const reading = new Reading(feed, cursor, service, { limit, page, few });
	let place = await reading.begin();
	while (place !== undefined && reading.mayGoOn()) {
		try {
			place = await reading.take(place);
		} catch (failure) {
			if (reading.taken.length === 0) throw failure;
			break;
		}
	}
	// A change that was committed late may turn up while a later page is read.
	const taken = reading.taken.sort((a, b) => compare(a.key, b.key));
	return { taken, ...(place === undefined ? {} : { reached: place.after }) };
}

/** What one tick has read and taken so far. */
class Reading<T> {
	readonly taken: Array<Taken<T>> = [];
	private readonly texts = new Set<string>();
	private readonly wasNew: (key: Key) => boolean;
	/** So many rows that are known already are on the first page. */
	private readonly again: number;

	constructor(
		private readonly feed: Feed,
		private readonly cursor: Cursor,
		private readonly service: Service<T>,
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

	/** One page, and where the next one begins; nowhere, if it was the last one. */
	async take(from: Place): Promise<Place | undefined> {
		const { limit, page, few } = this.sizes;
		const room = limit - this.taken.length;
		// Pages begin with the second in which the one before ended.
		const { fresh, next } = await this.look(from, Math.min(page, this.again + room + few), false);
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
		return pageOf(this.feed, from, count, rows, isNew);
	}
}

const justBefore = ({ time, id }: Key): Place => ({
	after: { time, id: id - 1 },
	dense: false,
});

interface Page {
	fresh: Array<{ key: Key; row: JsonObject }>;
	/** Left out when this was the last one. */
	next?: Place;
}

function pageOf(
	feed: Feed,
	from: Place,
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
