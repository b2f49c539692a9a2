import { compareKeys, isWholeSecond, type Cursor, type Key } from '../feed/cursor';
import { moveBack, SLACK_MS, getWindow, type DeadlineRule, type DeadlineWindow } from './deadlines';
import type { Feed, Position } from '../feed/feed';
import {
	getNextPosition,
	PageReader,
	type Change,
	type ChangeSource,
	type Sizes,
} from '../feed/pageReader';

interface DeadlineSource<T> extends ChangeSource<T> {
	/** Returns Corrigo's clock once it has answered. */
	clock(): string | undefined;
}

interface PassedDeadlines<T> {
	changes: Array<Change<T>>;
	window: DeadlineWindow;
	/** Counts the deadlines that passed too long ago to be delivered; there may be more of them. */
	tooOld: number;
	/** True if there are more deadlines than were read. */
	hasMore: boolean;
}

/**
 * Reads deadlines that have passed and were not delivered yet. Every poll checks again whether a
 * work order counts, so one that qualifies late (committed late, rescheduled, taken off hold) comes
 * with the next poll. The query has no upper bound because only the answer tells Corrigo's time.
 */
export async function pollDeadlines<T>(
	feed: Feed,
	cursor: Cursor,
	source: DeadlineSource<T>,
	rule: DeadlineRule,
	{ slackMs = SLACK_MS, ...sizes }: Sizes & { slackMs?: number },
): Promise<PassedDeadlines<T>> {
	const reader = new DeadlineReader(feed, cursor, source, sizes, rule);
	const { changes, rest } = await reader.readPages(reader.getStart(slackMs));
	const { tooOld, window } = reader;
	return { changes, window: window as DeadlineWindow, tooOld, hasMore: rest !== undefined };
}

class DeadlineReader<T> extends PageReader<T> {
	window?: DeadlineWindow;
	tooOld = 0;

	constructor(
		feed: Feed,
		cursor: Cursor,
		protected override readonly source: DeadlineSource<T>,
		sizes: Sizes,
		private readonly rule: DeadlineRule,
	) {
		super(feed, cursor, source, sizes);
	}

	/** Begins with the window of the previous poll, because the clock is not known yet. */
	getStart(slackMs: number): Position {
		return this.toPosition(moveBack(this.cursor.newest, this.rule.ageMs + slackMs));
	}

	/**
	 * One second may hold more deadlines than there are keys to keep. Such a second is read from the
	 * edge on if the edge has no fraction, which a database might round.
	 */
	private toPosition(key: Key): Position {
		const { edge } = this.cursor;
		if (compareKeys(edge, key) <= 0) return { after: key, dense: false };
		return { after: edge, dense: isWholeSecond(edge) };
	}

	protected async readPage(from: Position): Promise<Position | undefined> {
		const isFirst = this.window === undefined;
		const { limits, page } = this.sizes;
		// Most polls find no deadline that has newly passed, so the known rows and the next few
		// suffice.
		const count = isFirst ? this.cursor.known.length + limits.min : page;
		const { keys, fresh, isLast } = await this.fetchPage(from, count);
		const window = (this.window ??= getWindow(this.source.clock(), this.rule));
		const begin = this.toPosition(window.after);
		const wasClockSetBack = isFirst && compareKeys(begin.after, from.after) < 0;
		if (wasClockSetBack) return begin;
		if (isFirst) this.tooOld = this.countTooOld(fresh, window);
		const passed = fresh.filter(
			({ key }) => compareKeys(key, window.after) > 0 && compareKeys(key, window.until) <= 0,
		);
		// Work orders that have changed since they were read are left to the next poll.
		const rest = await this.take(passed, (item) => item !== undefined);
		if (rest !== undefined) return rest;
		if (isLast || compareKeys(keys[keys.length - 1], window.until) > 0) return undefined;
		const next = getNextPosition(from, keys);
		return compareKeys(next.after, begin.after) < 0 ? begin : next;
	}

	/** Counts the deadlines that have become too old since the last poll. */
	private countTooOld(found: Array<{ key: Key }>, { after }: DeadlineWindow): number {
		const before = moveBack(this.cursor.newest, this.rule.ageMs);
		return found.filter(({ key }) => compareKeys(key, before) > 0 && compareKeys(key, after) <= 0)
			.length;
	}
}
