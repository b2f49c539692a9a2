import fc from 'fast-check';

import {
	compareKeys,
	compareTimes,
	toKeyText,
	later,
	startCursor,
	type Cursor,
	type Key,
} from '../../../nodes/Corrigo/feed/cursor';
import {
	commit,
	createRule,
	getWindow,
	pollDeadlines,
	type DeadlineWindow,
	type DeadlineRule,
} from '../../../nodes/Corrigo/trigger/deadlines/deadlines';
import { getBeginning, readKey, type Feed } from '../../../nodes/Corrigo/feed/feed';
import type { QueryExpression } from '../../../nodes/Corrigo/wire/requests';
import { happen, player, roundsOf, step, type Round, type Step } from '../history';
import { answerTo, endsBelow, timeText, type Row } from '../service';
import { countHistories } from '../../cases';

const SECOND = 10_000_000;
const AGE = 20;
const SLACK = 3;
const feed: Feed = { entity: 'Thing', time: 'At', properties: ['*'] };

interface Order extends Row {
	counts: boolean;
	/** Rises with every change. */
	version: number;
	/** The date before this one. */
	before: string;
}

/** A Company whose orders have one deadline each; it knows nothing of cursors. */
class Orders {
	/** Units since the beginning, which is long enough ago for every date of a history. */
	now = 1000 * SECOND;
	private skew = 0;
	private cut = Infinity;
	readonly all = new Map<number, Order>();
	private pending: Array<{ due: number; happen: () => void }> = [];
	private lastId = 0;

	clock = () => timeText(Math.floor((this.now + this.skew) / SECOND) * SECOND);

	private at = (ahead: number) => timeText(this.now + ahead);

	private later(delay: number, happen: () => void): void {
		if (delay === 0) happen();
		else this.pending.push({ due: this.now + delay, happen });
	}

	/** An order that is due `ahead` of now and can be read after `delay`. */
	add(ahead: number, delay: number): void {
		const Id = ++this.lastId;
		const At = this.at(ahead);
		const order = { Id, At, counts: true, version: 0, before: At };
		this.later(delay, () => this.all.set(Id, order));
	}

	private change(which: number, delay: number, changes: (order: Order) => Partial<Order>): void {
		const ids = [...this.all.keys()];
		if (ids.length === 0) return;
		const id = ids[which % ids.length];
		this.later(delay, () => {
			const order = this.all.get(id) as Order;
			this.all.set(id, { ...order, ...changes(order), version: order.version + 1 });
		});
	}

	move(which: number, ahead: number, delay: number): void {
		const At = this.at(ahead);
		this.change(which, delay, (order) => ({ At, before: order.At }));
	}

	moveBack(which: number, delay: number): void {
		this.change(which, delay, ({ At, before }) => ({ At: before, before: At }));
	}

	toggle(which: number, delay: number): void {
		this.change(which, delay, ({ counts }) => ({ counts: !counts }));
	}

	burst(count: number, ahead: number): void {
		for (let index = 0; index < count; index++) this.add(ahead, 0);
	}

	/** How far the clock in answers is ahead from now on. */
	skewBy(units: number): void {
		this.skew = units;
	}

	/** The longest page from now on. */
	cutTo(length: number): void {
		this.cut = length;
	}

	pass(units: number): void {
		this.now += units;
		const due = this.pending.filter((one) => one.due <= this.now).sort((a, b) => a.due - b.due);
		this.pending = this.pending.filter((one) => one.due > this.now);
		for (const { happen } of due) happen();
	}

	counting = () => [...this.all.values()].filter(({ counts }) => counts);

	answer(expression: QueryExpression): Row[] {
		const rows = this.counting().map(({ Id, At }) => ({ Id, At }));
		return answerTo(rows, expression).slice(0, this.cut);
	}
}

interface Sizes {
	limit: number;
	page: number;
	/** No page below this length is cut off. */
	min: number;
	maxKeys: number;
	offsetSeconds: number;
}

/** A trigger as n8n keeps it: state in memory, saved when a poll has items, polls side by side. */
class Trigger {
	private cursor: Cursor = startCursor(getBeginning(feed));
	private saved = JSON.stringify(this.cursor);
	readonly delivered: Key[] = [];
	readonly batches: Key[][] = [];
	/** Deadlines that a poll should have delivered and did not. */
	readonly missed: string[] = [];
	largestState = 0;

	private rule: DeadlineRule;

	constructor(
		private readonly orders: Orders,
		private readonly sizes: Sizes,
	) {
		this.rule = createRule('due', sizes.offsetSeconds * 1000, AGE * 1000);
	}

	/** Edits the form. A poll that runs goes on with the former settings. */
	edit(offsetSeconds: number, ageSeconds: number): void {
		this.rule = createRule('due', offsetSeconds * 1000, ageSeconds * 1000);
	}

	async poll(between: () => Promise<void>, pages: number): Promise<void> {
		const { orders, sizes, rule } = this;
		let requests = 0;
		let clock: string | undefined;
		let atFirst = new Map<number, Order>();
		const { cursor } = this;
		const { changes, window, hasMore } = await pollDeadlines(
			feed,
			cursor,
			{
				load: async (expression) => {
					await between();
					if (requests++ === 0) {
						clock = orders.clock();
						atFirst = new Map(orders.all);
					}
					return orders.answer(expression);
				},
				complete: async (rows) => {
					if (rows.length > 0) await between();
					return rows.map((row) => {
						const order = orders.all.get(Number(row.Id)) as Order;
						return order.counts && order.At === row.At ? readKey(feed, row) : undefined;
					});
				},
				...endsBelow(sizes.min),
				hasTime: () => requests < pages,
				clock: () => clock,
			},
			rule,
			{ ...sizes, slackMs: SLACK * 1000 },
		);
		const progress = { window, changes };
		const { cursor: next, claimed } = commit(this.cursor, progress, sizes.maxKeys);
		const items = claimed.map(({ item }) => item as Key);
		this.cursor = next;
		this.largestState = Math.max(this.largestState, next.known.length);
		if (items.length > 0) {
			this.saved = JSON.stringify(next);
			this.batches.push(items);
		}
		this.delivered.push(...items);
		if (!hasMore) this.missed.push(...this.missing(atFirst, window, rule));
	}

	/** Deadlines that counted throughout a poll that came to its end, and are not too old by then. */
	private missing(
		atFirst: Map<number, Order>,
		{ after: then, until }: DeadlineWindow,
		rule: DeadlineRule,
	): string[] {
		const after = later(then, getWindow(this.orders.clock(), rule).after);
		const got = new Set(this.delivered.map(toKeyText));
		return this.orders
			.counting()
			.filter(({ Id, version }) => atFirst.get(Id)?.version === version)
			.map((order) => readKey(feed, { ...order }))
			.filter((key) => compareKeys(key, after) > 0 && compareKeys(key, until) <= 0)
			.map(toKeyText)
			.filter((text) => !got.has(text));
	}

	restart(): void {
		this.cursor = JSON.parse(this.saved) as Cursor;
	}
}

type Happening = Step<
	'add' | 'move' | 'moveBack' | 'toggle' | 'burst' | 'pass' | 'skewBy' | 'cutTo' | 'edit'
>;

const often = (arbitrary: fc.Arbitrary<Happening>, weight = 3) => ({ weight, arbitrary });
const which = fc.nat(30);
const several = fc.integer({ min: 2, max: 5 });
// Outages, too: polls that would have been in between.
const time = fc.constantFrom(0, 1, SECOND, 4 * SECOND, 15 * SECOND, 50 * SECOND);
const ahead = fc.oneof(
	fc.constantFrom(0, SECOND, 5 * SECOND, -5 * SECOND, -AGE * SECOND),
	fc.integer({ min: -25 * SECOND, max: 25 * SECOND }),
);
const delay = fc.oneof(
	{ weight: 3, arbitrary: fc.constant(0) },
	fc.integer({ min: 1, max: 12 * SECOND }),
);

const steps = fc.oneof<Array<fc.MaybeWeightedArbitrary<Happening>>>(
	often(step('add', ahead, delay)),
	often(step('move', which, ahead, delay), 2),
	often(fc.oneof(step('moveBack', which, delay), step('toggle', which, delay))),
	often(step('pass', time)),
	step('burst', several, ahead),
	step('skewBy', fc.constantFrom(0, SECOND, -SECOND, SLACK * SECOND)),
	often(step('edit', fc.constantFrom(-30, -7, 0, 4, 25), fc.constantFrom(0, AGE, 60)), 2),
);

async function play(rounds: Array<Round<Happening>>, sizes: Sizes): Promise<Trigger> {
	const orders = new Orders();
	const trigger = new Trigger(orders, sizes);
	const { play: playAll, settle } = player<Happening>(trigger, (one) => {
		if (one.do === 'edit') trigger.edit(one.with[0], one.with[1]);
		else happen<Exclude<Happening['do'], 'edit'>>(orders, { ...one, do: one.do });
	});
	await playAll(rounds);
	// The last polls find the deadlines that are still to come, too.
	for (let count = 0; count < 10; count++) {
		await settle();
		orders.pass(4 * SECOND);
	}
	return trigger;
}

const sizes = fc.record({
	limit: fc.integer({ min: 1, max: 12 }),
	page: fc.integer({ min: 2, max: 9 }),
	min: fc.constantFrom(1, 2, Infinity),
	maxKeys: fc.constant(100_000),
	offsetSeconds: fc.constantFrom(-7, 0, 4),
});
const rounds = roundsOf(steps);

const isOnce = ({ delivered }: Trigger) =>
	expect(new Set(delivered.map(toKeyText)).size).toBe(delivered.length);

// Promise: Each deadline is delivered once
it('delivers every deadline that passes exactly once, and each batch in order', async () => {
	await fc.assert(
		fc.asyncProperty(rounds, sizes, async (some, size) => {
			const trigger = await play(some, size);
			isOnce(trigger);
			expect(trigger.missed).toEqual([]);
			for (const batch of trigger.batches) {
				expect([...batch].sort(compareTimes)).toEqual(batch);
				expect(batch.length).toBeLessThanOrEqual(size.limit);
			}
		}),
		{ numRuns: countHistories(100, 3_000) },
	);
});

it('delivers every deadline that passes exactly once where the Company cuts its pages', async () => {
	const cutRounds = roundsOf(
		fc.oneof(often(steps, 4), step('cutTo', fc.integer({ min: 2, max: 6 }))),
	);
	const mins = fc.constantFrom(1, 2);
	await fc.assert(
		fc.asyncProperty(cutRounds, sizes, mins, async (some, size, min) => {
			const trigger = await play(some, { ...size, min });
			isOnce(trigger);
			expect(trigger.missed).toEqual([]);
		}),
		{ numRuns: countHistories(40, 1_000) },
	);
});

it('delivers no deadline twice, however wrong the clock of Corrigo is for a while', async () => {
	const skew = fc.constantFrom(-500 * SECOND, -40 * SECOND, 0, 40 * SECOND, 500 * SECOND);
	const wrongRounds = roundsOf(fc.oneof(often(steps, 4), step('skewBy', skew)));
	await fc.assert(
		fc.asyncProperty(wrongRounds, sizes, async (some, size) => isOnce(await play(some, size))),
		{ numRuns: countHistories(40, 1_000) },
	);
});

const fewKeys = fc.integer({ min: 1, max: 4 });

it('delivers no deadline twice, however few keys it may keep', async () => {
	await fc.assert(
		fc.asyncProperty(rounds, sizes, fewKeys, async (some, size, maxKeys) => {
			const trigger = await play(some, { ...size, maxKeys });
			isOnce(trigger);
			expect(trigger.largestState).toBeLessThanOrEqual(maxKeys);
		}),
		{ numRuns: countHistories(40, 1_000) },
	);
});

it('misses no deadline with few keys where dates are in the future when they are set', async () => {
	// Deadlines later than the clock shows, and than all deadlines that were delivered.
	const future = ahead.map((units) => Math.abs(units) + 10 * SECOND);
	const atOnce = fc.constant(0);
	const prompt = fc.oneof(
		often(step('add', future, atOnce)),
		often(step('move', which, future, atOnce), 2),
		often(step('pass', time)),
		step('burst', several, future),
	);
	await fc.assert(
		fc.asyncProperty(roundsOf(prompt), sizes, fewKeys, async (some, size, maxKeys) => {
			const trigger = await play(some, { ...size, maxKeys });
			isOnce(trigger);
			expect(trigger.missed).toEqual([]);
		}),
		{ numRuns: countHistories(40, 1_000) },
	);
});
