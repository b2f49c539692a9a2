import type { JsonObject } from '../protocol/checks';
import { MAX_PAGE } from '../protocol/paging';
import {
	isLastPage,
	nextPosition,
	pageOf,
	readPages,
	SMALL_PAGE,
	type Change,
	type ChangeSource,
} from './changeReader';
import { compare, isNewTo, keyText, later, type Cursor, type Key } from './cursor';
import { earlierBy, SLACK_MS, windowAt, type DeadlineRule, type Window } from './deadlines';
import { pageAfter, type Feed, type Position } from './feed';

interface DeadlineSource<T> extends ChangeSource<T> {
	/** The clock of Corrigo, once it has answered. */
	clock(): string | undefined;
}

interface Sizes {
	/** Most orders that are handed out in one poll. */
	limit: number;
	page?: number;
	smallPage?: number;
	slackMs?: number;
}

interface PassedDeadlines<T> {
	changes: Array<Change<T>>;
	window: Window;
	/** How many passed too long ago to be handed out; there may be more of them. */
	tooOld: number;
	/** Whether there are more than were read. */
	hasMore: boolean;
}

/**
 * Reads the deadlines that have passed and were not handed out yet. Every poll checks anew whether an
 * order counts, so one that counts late (committed late, moved, taken off hold) comes with the next
 * poll. The query has no upper bound, as only the answer tells the time by the clock of Corrigo.
 */
export async function pollDeadlines<T>(
	feed: Feed,
	cursor: Cursor,
	source: DeadlineSource<T>,
	rule: DeadlineRule,
	{ limit, page = MAX_PAGE, smallPage = SMALL_PAGE, slackMs = SLACK_MS }: Sizes,
): Promise<PassedDeadlines<T>> {
	const sizes = { limit, page, smallPage, slackMs };
	const reader = new DeadlineReader(feed, cursor, source, rule, sizes);
	const rest = await readPages(reader, reader.begin());
	const changes = reader.changes.sort((a, b) => compare(a.key, b.key));
	const { tooOld, window } = reader;
	return { changes, window: window as Window, tooOld, hasMore: rest !== undefined };
}

class DeadlineReader<T> {
	readonly changes: Array<Change<T>> = [];
	window?: Window;
	tooOld = 0;
	private readonly seen = new Set<string>();
	private readonly isNewToCursor: (key: Key) => boolean;

	constructor(
		private readonly feed: Feed,
		private readonly cursor: Cursor,
		private readonly source: DeadlineSource<T>,
		private readonly rule: DeadlineRule,
		private readonly sizes: Required<Sizes>,
	) {
		this.isNewToCursor = isNewTo(cursor);
	}

	/** Begins with the window of the poll before, as the clock is not known yet. */
	begin(): Position {
		return this.startingAt(earlierBy(this.cursor.newest, this.rule.ageMs + this.sizes.slackMs));
	}

	private startingAt(key: Key): Position {
		return { after: later(this.cursor.edge, key), dense: false };
	}

	canContinue(): boolean {
		const { length } = this.changes;
		return length === 0 || (length < this.sizes.limit && this.source.hasTime());
	}

	async readPage(from: Position): Promise<Position | undefined> {
		const isFirst = this.window === undefined;
		const { smallPage, page } = this.sizes;
		// In most polls nothing new has passed: the known rows and the next few are enough.
		const count = isFirst ? this.cursor.known.length + smallPage : page;
		const rows = await this.source.read(pageAfter(this.feed, from, { count }));
		const window = (this.window ??= windowAt(this.source.clock(), this.rule));
		const begin = this.startingAt(window.after);
		const wasClockSetBack = isFirst && compare(begin.after, from.after) < 0;
		if (wasClockSetBack) return begin;
		const { keys, fresh } = pageOf(this.feed, rows, this.isNew);
		if (isFirst) this.tooOld = this.countTooOld(fresh, window);
		const passed = fresh.filter(
			({ key }) => compare(key, window.after) > 0 && compare(key, window.until) <= 0,
		);
		const fitting = passed.slice(0, this.sizes.limit - this.changes.length);
		await this.add(fitting);
		if (fitting.length < passed.length) {
			return { after: fitting[fitting.length - 1].key, dense: false };
		}
		const isEnd =
			isLastPage(rows, count, smallPage) || compare(keys[keys.length - 1], window.until) > 0;
		if (isEnd) return undefined;
		const next = nextPosition(from, keys);
		return compare(next.after, begin.after) < 0 ? begin : next;
	}

	private readonly isNew = (key: Key) => this.isNewToCursor(key) && !this.seen.has(keyText(key));

	/** Orders that have changed since they were read are left to the next poll. */
	private async add(found: Array<{ key: Key; row: JsonObject }>): Promise<void> {
		const items = await this.source.complete(found.map(({ row }) => row));
		found.forEach(({ key }, index) => {
			const item = items[index];
			if (item !== undefined) this.changes.push({ key, item });
			this.seen.add(keyText(key));
		});
	}

	/** Counts the deadlines that have become too old since the last poll. */
	private countTooOld(found: Array<{ key: Key }>, { after }: Window): number {
		const before = earlierBy(this.cursor.newest, this.rule.ageMs);
		return found.filter(({ key }) => compare(key, before) > 0 && compare(key, after) <= 0).length;
	}
}
