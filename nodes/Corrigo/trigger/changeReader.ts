import type { JsonObject } from '../protocol/checks';
import { MAX_PAGE } from '../protocol/paging';
import type { QueryExpression } from '../protocol/requests';
import { compare, isNewTo, keyText, later, secondOf, type Cursor, type Key } from './cursor';
import { keyOf, pageAfter, type Feed, type Position } from './feed';

/**
 * A Company may send shorter pages than were asked for, but none shorter than this, so a shorter page
 * is the last one. Known changes that fit into such a page are read again in full, to save a request.
 */
export const SMALL_PAGE = 50;

export interface ChangeSource<T> {
	read(expression: QueryExpression): Promise<JsonObject[]>;
	/** Makes an item of each row; undefined for rows that the filters leave out. */
	complete(rows: JsonObject[]): Promise<Array<T | undefined>>;
	/** Whether there is time for one more page. */
	hasTime(): boolean;
}

export interface Change<T> {
	key: Key;
	item?: T;
}

interface Sizes {
	/** Most changes that one poll takes. */
	limit: number;
	page?: number;
	smallPage?: number;
}

/**
 * Reads on from the cursor, page by page, until nothing is left, time runs out, or the limit is
 * reached. `reached` is where the next poll goes on; undefined if nothing is left.
 */
export async function pollChanges<T>(
	feed: Feed,
	cursor: Cursor,
	source: ChangeSource<T>,
	{ limit, page = MAX_PAGE, smallPage = SMALL_PAGE }: Sizes,
): Promise<{ changes: Array<Change<T>>; reached?: Key }> {
	const reader = new ChangeReader(feed, cursor, source, { limit, page, smallPage });
	const rest = await readPages(reader, await reader.begin());
	// A change that was committed late may turn up while a later page is read.
	const changes = reader.changes.sort((a, b) => compare(a.key, b.key));
	return { changes, reached: rest?.after };
}

interface PageReader {
	readonly changes: readonly unknown[];
	canContinue(): boolean;
	/** Reads one page and returns where the next one begins; undefined after the last one. */
	readPage(from: Position): Promise<Position | undefined>;
}

/**
 * Reads page after page and returns where more may be left. A page that fails after others came through
 * ends the poll: the next poll begins with that page, and reports the failure if it is still there.
 */
export async function readPages(
	reader: PageReader,
	begin?: Position,
): Promise<Position | undefined> {
	let position = begin;
	while (position !== undefined && reader.canContinue()) {
		const page: { next?: Position } | undefined = await reader.readPage(position).then(
			(next) => ({ next }),
			async (failure: unknown) =>
				reader.changes.length === 0 ? await Promise.reject(failure) : undefined,
		);
		if (page === undefined) break;
		position = page.next;
	}
	return position;
}

class ChangeReader<T> implements PageReader {
	readonly changes: Array<Change<T>> = [];
	private readonly seen = new Set<string>();
	private readonly isNewToCursor: (key: Key) => boolean;
	/** How many known rows the first page has, where they are read in full. */
	private readonly rereadCount: number;

	constructor(
		private readonly feed: Feed,
		private readonly cursor: Cursor,
		private readonly source: ChangeSource<T>,
		private readonly sizes: Required<Sizes>,
	) {
		const { length } = cursor.known;
		this.isNewToCursor = isNewTo(cursor);
		this.rereadCount = length > sizes.smallPage ? 0 : length;
	}

	/** Where to read from; undefined if nothing is new. */
	async begin(): Promise<Position | undefined> {
		const edge: Position = { after: this.cursor.edge, dense: false };
		if (this.rereadCount === this.cursor.known.length) return edge;
		// Most polls find nothing new, which the keys alone show.
		const { fresh, next } = await this.fetchPage(edge, this.sizes.page, true);
		return fresh.length > 0 ? justBefore(fresh[0].key) : next;
	}

	/** The first page is always read; later ones only while there is time, and room in the limit. */
	canContinue(): boolean {
		const { length } = this.changes;
		return length === 0 || (length < this.sizes.limit && this.source.hasTime());
	}

	async readPage(from: Position): Promise<Position | undefined> {
		const { limit, page, smallPage } = this.sizes;
		const room = limit - this.changes.length;
		// Pages begin with the second in which the page before ended, whose rows come once more.
		const count = Math.min(page, this.rereadCount + room + smallPage);
		const { fresh, next } = await this.fetchPage(from, count, false);
		const fitting = fresh.slice(0, room);
		const items = await this.source.complete(fitting.map(({ row }) => row));
		fitting.forEach(({ key }, index) => {
			this.changes.push({ key, item: items[index] });
			this.seen.add(keyText(key));
		});
		if (fitting.length === fresh.length) return next;
		return { after: fitting[fitting.length - 1].key, dense: false };
	}

	private async fetchPage(from: Position, count: number, keysOnly: boolean) {
		const rows = await this.source.read(pageAfter(this.feed, from, { count, keysOnly }));
		const isNew = (key: Key) => this.isNewToCursor(key) && !this.seen.has(keyText(key));
		const page = pageOf(this.feed, rows, isNew);
		const next = isLastPage(rows, count, this.sizes.smallPage)
			? undefined
			: nextPosition(from, page.keys);
		return { ...page, next };
	}
}

/** Whether a page is shorter than asked for, and too short to have been cut. */
export const isLastPage = ({ length }: readonly unknown[], count: number, smallPage: number) =>
	length < Math.min(count, smallPage);

const justBefore = ({ time, id }: Key): Position => ({
	after: { time, id: id - 1 },
	dense: false,
});

/** The keys of a page, each once and ascending, and the rows that are new. */
export function pageOf(
	feed: Feed,
	rows: readonly JsonObject[],
	isNew: (key: Key) => boolean,
): { keys: Key[]; fresh: Array<{ key: Key; row: JsonObject }> } {
	const all = rows
		.map((row) => ({ key: keyOf(feed, row), row }))
		.sort((a, b) => compare(a.key, b.key))
		.filter(({ key }, index, sorted) => index === 0 || compare(key, sorted[index - 1].key) !== 0);
	return { keys: all.map(({ key }) => key), fresh: all.filter(({ key }) => isNew(key)) };
}

export function nextPosition(from: Position, keys: readonly Key[]): Position {
	const last = keys[keys.length - 1];
	const dense = secondOf(keys[0]) === secondOf(last);
	const mayRepeat = dense && !from.dense;
	if (!mayRepeat && compare(last, from.after) <= 0) {
		throw new TypeError('Corrigo sent the same rows a second time, so reading was stopped');
	}
	return { after: later(from.after, last), dense };
}
