import type { JsonObject } from '../protocol/checks';
import { ANY_LIMIT, isLastPage, MAX_PAGE, type PageLimits } from '../protocol/paging';
import type { QueryExpression } from '../protocol/requests';
import { compare, keyText, later, secondOf, type Cursor, type Key } from './cursor';
import { keyOf, pageAfter, type Feed, type Position } from './feed';

/** `Row` is what an item is made of. */
export interface ChangeSource<T, Row = JsonObject> {
	read(expression: QueryExpression): Promise<JsonObject[]>;
	/** Makes an item of each row; undefined for rows that the filters leave out. */
	complete(rows: Row[]): Promise<Array<T | undefined>>;
	/** Whether there is time for one more page. */
	hasTime(): boolean;
}

export interface Change<T> {
	key: Key;
	item?: T;
}

export interface Sizes {
	/** Most changes that one poll takes. */
	limit: number;
	page?: number;
	limits?: PageLimits;
}

interface KeyedRow<Row = JsonObject> {
	key: Key;
	row: Row;
}

/** Reads pages of a feed, and collects the changes that the cursor does not know. */
export abstract class PageReader<T, Row = JsonObject> {
	protected readonly changes: Array<Change<T>> = [];
	protected readonly sizes: Required<Sizes>;
	private readonly seen: Set<string>;

	constructor(
		private readonly feed: Feed,
		protected readonly cursor: Cursor,
		protected readonly source: ChangeSource<T, Row>,
		{ limit, page = MAX_PAGE, limits = ANY_LIMIT }: Sizes,
	) {
		this.sizes = { limit, page, limits };
		this.seen = new Set(cursor.known.map(keyText));
	}

	/** Reads one page and returns where the next one begins; undefined after the last one. */
	protected abstract readPage(from: Position): Promise<Position | undefined>;

	/**
	 * Reads page after page; `rest` is where more may be left. A page that fails after others came through
	 * ends the poll: the next poll begins with that page, and reports the failure if it is still there.
	 */
	async readPages(begin?: Position): Promise<{ changes: Array<Change<T>>; rest?: Position }> {
		let rest = begin;
		const readAll = async () => {
			while (rest !== undefined && this.canContinue()) rest = await this.readPage(rest);
		};
		await readAll().catch((failure: unknown) => {
			if (this.changes.length === 0) throw failure;
		});
		// A change that was committed late may turn up while a later page is read.
		return { changes: this.changes.sort((a, b) => compare(a.key, b.key)), rest };
	}

	/** The first page is always read; later ones only while there is time, and room in the limit. */
	protected canContinue(): boolean {
		const { length } = this.changes;
		return length === 0 || (length < this.sizes.limit && this.source.hasTime());
	}

	/** The keys of a page, each once and ascending, and the rows that are new. */
	protected async fetchPage(from: Position, count: number, keysOnly = false) {
		const rows = await this.source.read(pageAfter(this.feed, from, { count, keysOnly }));
		const all = rows
			.map((row): KeyedRow => ({ key: keyOf(this.feed, row), row }))
			.sort((a, b) => compare(a.key, b.key))
			.filter(({ key }, index, sorted) => index === 0 || compare(key, sorted[index - 1].key) !== 0);
		return {
			keys: all.map(({ key }) => key),
			fresh: all.filter(({ key }) => this.isNew(key)),
			isLast: isLastPage(rows.length, count, this.sizes.limits),
		};
	}

	private isNew(key: Key): boolean {
		return compare(key, this.cursor.edge) > 0 && !this.seen.has(keyText(key));
	}

	/** Adds rows up to the limit, and returns where the others begin, if there are any. */
	protected async take(
		found: Array<KeyedRow<Row>>,
		isKept: (item?: T) => boolean = () => true,
	): Promise<Position | undefined> {
		const fitting = found.slice(0, this.sizes.limit - this.changes.length);
		const items = await this.source.complete(fitting.map(({ row }) => row));
		fitting.forEach(({ key }, index) => {
			const item = items[index];
			if (isKept(item)) this.changes.push({ key, item });
			this.seen.add(keyText(key));
		});
		if (fitting.length === found.length) return undefined;
		return { after: fitting[fitting.length - 1].key, dense: false };
	}
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
