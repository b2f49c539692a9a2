import fc from 'fast-check';

import {
	compareKeys,
	compareTimes,
	advance,
	startCursor,
	toKeyText,
	toUtcText,
	type Cursor,
	type Key,
	type Overlap,
} from '../../nodes/Corrigo/trigger/feed/cursor';
import { getBeginning, readKey, type Feed } from '../../nodes/Corrigo/trigger/feed/feed';
import { fetchPresentCursor } from '../../nodes/Corrigo/trigger/service';
import { pollChanges } from '../../nodes/Corrigo/trigger/feed/feed';
import { fetchWindow } from '../../nodes/Corrigo/actions/workOrder/read/replay';
import { happen, player, roundsOf, step, type Round, type Step } from './history';
import { endsBelow, Service, timeText, unitsOf } from './service';
import { cases } from '../cases';

const SECOND = 10_000_000;
const byTime: Feed = { entity: 'Thing', time: 'At', properties: ['*'] };
const byId: Feed = { entity: 'Thing', properties: ['*'] };

interface Sizes {
	overlap: Overlap;
	limit: number;
	page: number;
	/** No page below this length is cut off. */
	min: number;
	/** The Company cuts its pages at so many rows. */
	most: number;
	/** The filters exclude all other records. */
	every: number;
	/** The digits of a fraction that answers show. */
	digits: number;
}

const passes = ({ id }: Pick<Key, 'id'>, { every }: Sizes) => id % every === 0;

/** A trigger as n8n keeps it: state in memory, saved when a poll ends well, polls side by side. */
class Trigger {
	private cursor: Cursor | undefined;
	private saved: string | undefined;
	readonly delivered: Key[] = [];
	readonly batches: Key[][] = [];

	constructor(
		private readonly service: Service,
		private readonly feed: Feed,
		private readonly sizes: Sizes,
		private readonly fromNow: boolean,
	) {}

	async poll(between: () => Promise<void> | void, pages: number): Promise<void> {
		const { feed, service, sizes } = this;
		let requests = 0;
		let isCut = false;
		let clock: string | undefined;
		const read = async (expression: Parameters<Service['answer']>[0]) => {
			isCut = true;
			await between();
			isCut = ++requests >= pages;
			clock ??= service.clock();
			return service.answer(expression).slice(0, sizes.most);
		};
		const cursor = this.cursor ?? (await this.first(read, () => clock));
		if (cursor === undefined) return;
		const { changes, reached } = await pollChanges(
			feed,
			cursor,
			{
				read,
				complete: async (rows) =>
					rows.map((row) =>
						passes({ id: row.Id as number }, sizes) ? readKey(feed, row) : undefined,
					),
				...endsBelow(sizes.min),
				hasTime: () => requests < pages,
				clock: () => clock,
			},
			sizes,
		);
		const passed = changes.filter(({ item }) => item !== undefined);
		const isShort = reached !== undefined && passed.length !== sizes.limit;
		if (isShort && !isCut) throw new Error('The poll ended below its limit');
		const found = { newestBefore: cursor.newest, reached, changes, clock };
		const { cursor: next, claimed } = advance(this.cursor ?? cursor, found, sizes.overlap);
		const items = claimed.map(({ item }) => item).filter((item) => item !== undefined);
		this.save(next, items.length > 0);
		this.delivered.push(...items);
		if (items.length > 0) this.batches.push(items);
	}

	private async first(
		read: (expression: Parameters<Service['answer']>[0]) => Promise<Array<{ Id: number }>>,
		clock: () => string | undefined,
	): Promise<Cursor | undefined> {
		const { feed, sizes } = this;
		if (!this.fromNow) return startCursor(getBeginning(feed));
		const reader = { read, clock, ...endsBelow(sizes.min) };
		const present = await fetchPresentCursor(feed, reader, sizes.overlap);
		if (this.cursor === undefined) this.save(present, true);
		return undefined;
	}

	/** n8n stores the state of a poll with its items. */
	private save(next: Cursor, isStored: boolean): void {
		const before = this.cursor;
		if (before !== undefined) {
			const back =
				compareKeys(next.edge, before.edge) < 0 || compareKeys(next.newest, before.newest) < 0;
			if (back) throw new Error('The cursor went back');
		}
		this.cursor = next;
		if (isStored) this.saved = JSON.stringify(next);
	}

	restart(): void {
		this.cursor = this.saved === undefined ? undefined : (JSON.parse(this.saved) as Cursor);
	}

	get started(): boolean {
		return this.cursor !== undefined;
	}
}

type Happening = Step<'add' | 'touch' | 'remove' | 'pass' | 'burst' | 'addAhead'>;

/** Delays stay within the overlap of three seconds, often at its very edge. */
const delays = fc.oneof(
	{ weight: 3, arbitrary: fc.constant(0) },
	fc.integer({ min: 1, max: 3 * SECOND }),
	fc.constant(3 * SECOND),
);

/** Rows of a feed by Id do not change. */
const stepsOf = ({ time }: Feed, delay = delays): Array<fc.Arbitrary<Happening>> => [
	fc.oneof(
		step('add', delay),
		time === undefined ? step('add', delay) : step('touch', fc.nat(30), delay),
		step('remove', fc.nat(30)),
	),
	// Many of nothing: changes with one and the same time.
	step('pass', fc.constantFrom(0, 1, 9, SECOND, 4 * SECOND)),
	step('burst', fc.oneof(fc.integer({ min: 2, max: 5 }), fc.constant(30))),
];

async function play(
	rounds: Array<Round<Happening>>,
	feed: Feed,
	sizes: Sizes,
	fromNow: boolean,
): Promise<{ service: Service; trigger: Trigger; startedAt: number }> {
	const service = new Service();
	service.digits = sizes.digits;
	const trigger = new Trigger(service, feed, sizes, fromNow);
	let startedAt = fromNow ? Infinity : -1;
	const { play: playAll, settle } = player<Happening>(
		trigger,
		(one) => happen(service, one),
		() => {
			if (trigger.started && startedAt === Infinity) startedAt = service.now;
		},
	);
	await playAll(rounds);
	// All late changes arrive before the last polls.
	service.pass(4 * SECOND);
	await settle();
	// A first poll from now delivers nothing.
	await settle();
	return { service, trigger, startedAt };
}

const seen = (keys: Key[]) => keys.map(toKeyText);

const roomy: Overlap = { seconds: 3, ids: 100, keys: 100_000 };
const cuts = fc.oneof(
	fc.record({ min: fc.constantFrom(1, 2, Infinity), most: fc.constant(Infinity) }),
	fc.record({ min: fc.constantFrom(1, 2), most: fc.integer({ min: 2, max: 9 }) }),
);
const sizes = fc
	.tuple(
		fc.record({
			overlap: fc.constant(roomy),
			limit: fc.integer({ min: 2, max: 12 }),
			every: fc.constantFrom(1, 1, 2, 5),
			digits: fc.constantFrom(7, 2, 0),
			page: fc.integer({ min: 2, max: 9 }),
		}),
		cuts,
	)
	.map(([some, cut]) => ({ ...some, ...cut }));

const tight = fc
	.tuple(sizes, fc.integer({ min: 1, max: 4 }))
	.map(([some, keys]): Sizes => ({ ...some, overlap: { ...roomy, keys } }));

const parameters = { numRuns: cases(100, 1_000), seed: 20260131 };

describe.each([
	['by time', byTime],
	['by Id', byId],
])('a feed %s', (_, feed) => {
	const written = (key: Key) => toKeyText(feed.time === undefined ? { time: '', id: key.id } : key);
	const ahead =
		feed.time === undefined ? [] : [step('addAhead', fc.constantFrom(SECOND, 900 * SECOND))];
	const histories = roundsOf(fc.oneof(...stepsOf(feed), ...ahead));

	/** The changes that are still there in the end. */
	const lastingIn = ({ changes }: Service, some: Sizes) =>
		[...changes.values()].filter(
			({ key, replacedAt }) => replacedAt === Infinity && passes(key, some),
		);

	const expectOnce = ({ delivered }: Trigger) =>
		expect(new Set(seen(delivered)).size).toBe(delivered.length);

	it('delivers every lasting change exactly once, and each batch in order', async () => {
		await fc.assert(
			fc.asyncProperty(histories, sizes, fc.boolean(), async (rounds, some, fromNow) => {
				const { service, trigger, startedAt } = await play(rounds, feed, some, fromNow);
				expectOnce(trigger);
				const delivered = seen(trigger.delivered);
				const real = new Set([...service.changes.values()].map(({ key }) => written(key)));
				expect(delivered.filter((text) => !real.has(text))).toEqual([]);
				const expected = lastingIn(service, some).filter(
					({ readableAt }) => readableAt > startedAt,
				);
				const got = new Set(delivered);
				expect(expected.filter(({ key }) => !got.has(written(key)))).toEqual([]);
				const { batches } = trigger;
				expect(batches.map((keys) => seen([...keys].sort(compareTimes)))).toEqual(
					batches.map(seen),
				);
				expect(batches.filter(({ length }) => length > some.limit)).toEqual([]);
			}),
			parameters,
		);
	});

	// Promise: *Get Changes* returns what the trigger returned
	it('replays what was delivered and has lasted, of any time', async () => {
		const end = fc.record({ which: fc.nat(60), units: fc.constantFrom(-1, 0, 1) });
		const ends = fc.tuple(end, fc.option(end, { nil: undefined }));
		await fc.assert(
			fc.asyncProperty(histories, sizes, ends, async (rounds, some, [first, last]) => {
				const { service, trigger } = await play(rounds, feed, some, false);
				const lasting = lastingIn(service, some)
					.map(({ key }) => key)
					.sort(compareKeys);
				/** A time at the change, or just before or after it. */
				const getTime = ({ which, units }: { which: number; units: number }) => {
					const { time } = lasting[which % lasting.length] ?? { time: timeText(which) };
					const fraction = Number(time.slice(20)) + units;
					return timeText(unitsOf(time) + fraction);
				};
				const from = getTime(first);
				const until = last && getTime(last);
				const found = await fetchWindow(
					{ from, until },
					{ ...feed, timestamp: feed.time === undefined ? 'At' : undefined },
					{
						read: async (expression) => service.answer(expression).slice(0, some.most),
						...endsBelow(some.min),
						complete: async (rows) =>
							rows.map(({ Id, At }) =>
								passes({ id: Id as number }, some) ? { at: toUtcText(At) } : undefined,
							),
					},
					some,
				);
				const expected = lasting
					.filter(({ time }) => time >= from && (until === undefined || time < until))
					.map(written);
				expect(seen(found.map(({ key }) => key)).sort()).toEqual(expected.sort());
				const got = new Set(seen(trigger.delivered));
				expect(expected.filter((key) => !got.has(key))).toEqual([]);
			}),
			{ numRuns: cases(30, 1_000), seed: 9 },
		);
	});

	it('never delivers a change twice, however few keys it may keep', async () => {
		await fc.assert(
			fc.asyncProperty(histories, tight, fc.boolean(), async (rounds, some, fromNow) => {
				const { trigger } = await play(rounds, feed, some, fromNow);
				expectOnce(trigger);
			}),
			{ numRuns: cases(30, 1_000), seed: 7 },
		);
	});

	it('misses no change with few keys when none is committed late', async () => {
		// Time moves on, as a change with the time of one that was read already is a late one.
		const prompt = fc
			.oneof(...stepsOf(feed, fc.constant(0)))
			.map((one): Happening[] => [one, { do: 'pass', with: [1] }]);
		const promptly = roundsOf(prompt).map((all) =>
			all.map((one) => ({ ...one, steps: one.steps.map((steps) => steps.flat()) })),
		);
		await fc.assert(
			fc.asyncProperty(promptly, tight, async (rounds, some) => {
				const { service, trigger } = await play(rounds, feed, some, false);
				const got = new Set(seen(trigger.delivered));
				const missed = lastingIn(service, some).filter(({ key }) => !got.has(written(key)));
				expect(missed).toEqual([]);
			}),
			{ numRuns: cases(30, 1_000), seed: 8 },
		);
	});
});
