import type { JsonObject } from '../../values/checks';
import { ANY_LIMIT, isLastPage, MAX_PAGE_SIZE, type PageLimits } from '../../wire/paging';
import type { QueryExpression } from '../../wire/requests';
import { compareKeys, toKeyText, later, getSecond, type Cursor, type Key } from './cursor';
import { readKey, buildPageQuery, type Feed, type Position } from './feed';

/** Items are built from `Row`. */
export interface ChangeSource<T, Row = JsonObject> {
	read(expression: QueryExpression): Promise<JsonObject[]>;
	/** Builds an item from each row, or undefined for rows that the filters exclude. */
	complete(rows: Row[]): Promise<Array<T | undefined>>;
	/** Returns whether there is time for another page. */
	hasTime(): boolean;
}

export interface Change<T> {
	key: Key;
	item?: T;
}

export interface Sizes {
	/** Maximum number of changes per poll. */
	limit: number;
	page?: number;
	limits?: PageLimits;
}

interface KeyedRow<Row = JsonObject> {
	key: Key;
	row: Row;
}

/** Reads pages of a feed and collects the changes that the cursor does not know. */
export abstract class PageReader<T, Row = JsonObject> {
	protected readonly changes: Array<Change<T>> = [];
	protected readonly sizes: Required<Sizes>;
	private readonly seen: Set<string>;

	constructor(
		private readonly feed: Feed,
		protected readonly cursor: Cursor,
		protected readonly source: ChangeSource<T, Row>,
		{ limit, page = MAX_PAGE_SIZE, limits = ANY_LIMIT }: Sizes,
	) {
		this.sizes = { limit, page, limits };
		this.seen = new Set(cursor.known.map(toKeyText));
	}

	/** Reads one page and returns where the next one begins, or undefined after the last page. */
	protected abstract readPage(from: Position): Promise<Position | undefined>;

	/**
	 * Reads page after page; more changes may be left after `rest`. If a page fails after others
	 * succeeded, the poll ends: the next poll begins with that page and reports the failure if it
	 * persists.
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
		return { changes: this.changes.sort((a, b) => compareKeys(a.key, b.key)), rest };
	}

	/** The first page is always read. Later pages are read only while time and the limit allow. */
	protected canContinue(): boolean {
		const { length } = this.changes;
		return length === 0 || (length < this.sizes.limit && this.source.hasTime());
	}

	/** Returns the distinct keys of a page in ascending order, and the rows that are new. */
	protected async fetchPage(from: Position, count: number, keysOnly = false) {
		const rows = await this.source.read(buildPageQuery(this.feed, from, { count, keysOnly }));
		const all = rows
			.map((row): KeyedRow => ({ key: readKey(this.feed, row), row }))
			.sort((a, b) => compareKeys(a.key, b.key))
			.filter(
				({ key }, index, sorted) => index === 0 || compareKeys(key, sorted[index - 1].key) !== 0,
			);
		return {
			keys: all.map(({ key }) => key),
			fresh: all.filter(({ key }) => this.isNew(key)),
			isLast: isLastPage(rows.length, count, this.sizes.limits),
		};
	}

	private isNew(key: Key): boolean {
		return compareKeys(key, this.cursor.edge) > 0 && !this.seen.has(toKeyText(key));
	}

	/**
	 * Adds rows up to the limit and returns where the remaining ones begin, or undefined if none are
	 * left.
	 */
	protected async take(
		found: Array<KeyedRow<Row>>,
		isKept: (item?: T) => boolean = () => true,
	): Promise<Position | undefined> {
		const fitting = found.slice(0, this.sizes.limit - this.changes.length);
		const items = await this.source.complete(fitting.map(({ row }) => row));
		fitting.forEach(({ key }, index) => {
			const item = items[index];
			if (isKept(item)) this.changes.push({ key, item });
			this.seen.add(toKeyText(key));
		});
		if (fitting.length === found.length) return undefined;
		return { after: fitting[fitting.length - 1].key, dense: false };
	}
}

export function getNextPosition(from: Position, keys: readonly Key[]): Position {
	const last = keys[keys.length - 1];
	const dense = getSecond(keys[0]) === getSecond(last);
	const mayRepeat = dense && !from.dense;
	if (!mayRepeat && compareKeys(last, from.after) <= 0) {
		throw new TypeError('Corrigo sent the same rows a second time, so reading was stopped');
	}
	return { after: later(from.after, last), dense };
}
