import type { JsonObject } from '../protocol/checks';
import { MAX_PAGE } from '../protocol/paging';
import { compare, keyText, later, newTo, type Cursor, type Key } from './cursor';
import { earlierBy, SLACK_MS, windowAt, type Window, type DeadlineRule } from './deadlines';
import { pageAfter, type Feed, type Place } from './feed';
import { FEW, isLast, nextOf, pageOf, readOn, type Source, type Taken } from './changeReader';

interface Clocked<T> extends Source<T> {
	/** Of Corrigo, once it has answered. */
	clock(): string | undefined;
}

interface Sizes {
	/** Most orders that are handed out in one poll. */
	limit: number;
	page?: number;
	few?: number;
	slackMs?: number;
}

interface Passed<T> {
	taken: Array<Taken<T>>;
	window: Window;
	/** How many passed too long ago, and nobody was told of; there may be more of them. */
	leftOut: number;
	/** Whether there are more than were taken. */
	hasMore: boolean;
}

/**
 * Reads which deadlines have passed that were not handed out yet. Whether an order counts is seen
 * anew by every poll, so what is late to count (committed late, moved, taken off hold) comes with the
 * next one. The query has no upper bound, as the clock of Corrigo stands in its answer only.
 */
export async function pollDeadlines<T>(
	feed: Feed,
	cursor: Cursor,
	service: Clocked<T>,
	deadline: DeadlineRule,
	{ limit, page = MAX_PAGE, few = FEW, slackMs = SLACK_MS }: Sizes,
): Promise<Passed<T>> {
	const reading = new DeadlineReader(feed, cursor, service, deadline, {
		limit,
		page,
		few,
		slackMs,
	});
	const left = await readOn(reading, reading.begin());
	const taken = reading.taken.sort((a, b) => compare(a.key, b.key));
	const { leftOut, window } = reading;
	return { taken, window: window as Window, leftOut, hasMore: left !== undefined };
}

/** What one poll has read and taken so far. */
class DeadlineReader<T> {
	readonly taken: Array<Taken<T>> = [];
	window?: Window;
	leftOut = 0;
	private readonly seen = new Set<string>();
	private readonly wasNew: (key: Key) => boolean;

	constructor(
		private readonly feed: Feed,
		private readonly cursor: Cursor,
		private readonly service: Clocked<T>,
		private readonly deadline: DeadlineRule,
		private readonly sizes: Required<Sizes>,
	) {
		this.wasNew = newTo(cursor);
	}

	/** Where the last poll would begin: mostly, this one has to begin a little later. */
	begin(): Place {
		return this.from(earlierBy(this.cursor.newest, this.deadline.ageMs + this.sizes.slackMs));
	}

	private from(key: Key): Place {
		return { after: later(this.cursor.edge, key), dense: false };
	}

	mayGoOn(): boolean {
		const { length } = this.taken;
		return length === 0 || (length < this.sizes.limit && this.service.mayGoOn());
	}

	async take(from: Place): Promise<Place | undefined> {
		const isFirst = this.window === undefined;
		const { few, page } = this.sizes;
		// Mostly nothing has passed since: what is known, and a little of what is to come.
		const count = isFirst ? this.cursor.known.length + few : page;
		const rows = await this.service.read(pageAfter(this.feed, from, { count }));
		const window = (this.window ??= windowAt(this.service.clock(), this.deadline));
		const begin = this.from(window.after);
		// The clock was set back.
		if (isFirst && compare(begin.after, from.after) < 0) return begin;
		const { keys, fresh } = pageOf(this.feed, rows, this.isNew);
		if (isFirst)
			this.leftOut = this.countLeftOut(
				fresh.map(({ key }) => key),
				window,
			);
		const passed = fresh.filter(
			({ key }) => compare(key, window.after) > 0 && compare(key, window.until) <= 0,
		);
		const fitting = passed.slice(0, this.sizes.limit - this.taken.length);
		await this.add(fitting);
		if (fitting.length < passed.length) {
			return { after: fitting[fitting.length - 1].key, dense: false };
		}
		if (isLast(rows, count, few) || compare(keys[keys.length - 1], window.until) > 0) {
			return undefined;
		}
		const next = nextOf(from, { keys, fresh });
		return compare(next.after, begin.after) < 0 ? begin : next;
	}

	private readonly isNew = (key: Key) => this.wasNew(key) && !this.seen.has(keyText(key));

	/** An order that has changed meanwhile is looked at anew by the next poll. */
	private async add(found: Array<{ key: Key; row: JsonObject }>): Promise<void> {
		const items = await this.service.finish(found.map(({ row }) => row));
		found.forEach(({ key }, index) => {
			const item = items[index];
			if (item !== undefined) this.taken.push({ key, item });
			this.seen.add(keyText(key));
		});
	}

	/** What has become too old since the last poll. */
	private countLeftOut(keys: Key[], { after }: Window): number {
		const before = earlierBy(this.cursor.newest, this.deadline.ageMs);
		return keys.filter((key) => compare(key, before) > 0 && compare(key, after) <= 0).length;
	}
}
