/** Histories of a table whose rows are changes: what happens between requests, and polls that fail, overlap or are lost. */
import fc from 'fast-check';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import {
	compareKeys,
	compareTimes,
	OVERLAP,
	parseKey,
	toKeyText,
	toUtcText,
	type Key,
} from '../../nodes/Corrigo/feed/cursor';
import { readKey, type Feed } from '../../nodes/Corrigo/feed/feed';
import { fetchWindow } from '../../nodes/Corrigo/actions/workOrder/read/replay';
import { readClocks } from '../../nodes/Corrigo/feed/lead';
import type { JsonObject } from '../../nodes/Corrigo/values/objects';
import { ServiceClock } from '../../nodes/Corrigo/values/times';
import type { QueryExpression } from '../../nodes/Corrigo/wire/requests';
import { countHistories } from '../cases';
import { CALM, happen, player, roundsOf, step, type Round, type Step } from './history';
import { CREDENTIALS, N8n } from './n8n';
import { createAnswers, createPlan } from './plan';
import { endsBelow, Service, timeText, unitsOf } from './service';

const SECOND = 10_000_000;
const DAY = 86_400 * SECOND;
const byTime: Feed = { entity: 'Thing', time: 'At', properties: ['*'] };
const byId: Feed = { entity: 'Thing', properties: ['*'], timestamp: 'At' };

interface Sizes {
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
	/** Whether the database rounds the fractions in conditions. */
	rounds: boolean;
	/** Changes that are stamped later wait if there are so many. */
	keysAhead: number;
	atLeastOnce: boolean;
	fromNow: boolean;
}

const passes = ({ id }: Pick<Key, 'id'>, { every }: Sizes) => id % every === 0;

/** The clock of n8n agrees with that of the service. */
const BEGUN = Date.parse(`${timeText(0)}Z`);

/** An answer that lacks all rows. */
const ALL = 1_000_000;

const REGULAR = { skew: 0, hidden: 0 };

/** Whether a history may bring about this warning. Few keys do not reach below the newest rows. */
const isExpected = (warning: string) =>
	/far behind|in the future|has gained|was ahead of/.test(warning) ||
	(OVERLAP.keys < OVERLAP.ids && warning.includes('lower ID'));

/** A trigger in an n8n that publishes the workflow, restarts or is killed, with polls side by side. */
class Trigger {
	private readonly n8n = new N8n();
	private isRunning = false;
	/** Whether the last whole poll had answers as they should be. */
	private isSettled = false;
	private next = REGULAR;
	private edits = 0;
	/** How the answers of the running poll are odd. */
	private odd = REGULAR;
	/** The items of each poll that n8n has taken. */
	readonly batches: Key[][] = [];
	/** The items of polls that overlapped, in each process. */
	readonly lives: Key[][][] = [[]];

	constructor(
		private readonly service: Service,
		private readonly feed: Feed,
		private readonly sizes: Sizes,
	) {}

	/** The next poll has answers with another `Date`, or that lack the newest rows. */
	beOdd(skew: number, hidden: number): void {
		this.next = { skew, hidden: this.feed.time === undefined || hidden === ALL ? hidden : 0 };
	}

	async poll(between: () => Promise<void>, pages: number): Promise<void> {
		const { isRunning, next, edits } = this;
		// One answer proves nothing, but a second one does.
		const isOdd = this.isSettled && next.skew + next.hidden !== 0;
		const { odd } = this;
		// A second poll that runs at the same time would confirm an odd answer.
		this.answerOddly(isOdd && !isRunning ? next : REGULAR);
		if (!isRunning) {
			this.isSettled &&= !isOdd;
			this.next = REGULAR;
			this.lives.at(-1)?.push([]);
		}
		this.isRunning = true;
		try {
			await this.pollOnce(between, pages);
			if (!isRunning && this.started) this.isSettled = !isOdd && edits === this.edits;
		} finally {
			this.isRunning = isRunning;
			this.answerOddly(odd);
		}
	}

	private answerOddly(odd: typeof REGULAR): void {
		this.odd = odd;
		this.service.answerOddly(odd);
	}

	private async pollOnce(between: () => Promise<void>, pages: number): Promise<void> {
		const { feed, service, sizes } = this;
		let requests = 0;
		const clock = new ServiceClock();
		let wasRight = false;
		let own: IPollFunctions | undefined;
		const load = async (expression: QueryExpression) => {
			await between();
			requests += 1;
			if (clock.first === undefined) wasRight = service.isRight();
			clock.onDate(`${service.clock()}Z`);
			return service.answer(expression).slice(0, sizes.most);
		};
		const answers = {
			load,
			complete: async (rows: JsonObject[]) =>
				rows.map((row) => {
					const key = readKey(feed, row);
					const json: IDataObject = { ...(row as IDataObject), key: toKeyText(key) };
					const result = {
						entity: 'Thing',
						item: { json },
						changeKey: toKeyText(key),
						at: key.time,
					};
					return passes(key, sizes) ? result : undefined;
				}),
			...endsBelow(sizes.min),
			hasTime: () => requests < pages,
			...readClocks(clock),
		};
		const plan = createPlan({
			...sizes,
			...{ selection: `thing ${this.edits}`, feed },
			since: sizes.fromNow ? undefined : timeText(-DAY),
		});
		const warn = (message: string) => {
			if (!isExpected(message)) throw new Error(message);
		};
		const items = await this.n8n.poll(async (caller, isStored) => {
			own = caller;
			return await plan.strategy.watch(plan, {
				...{ caller, credentials: CREDENTIALS, warn, isStored },
				service: createAnswers(caller, answers),
				activation: caller,
			});
		});
		if (wasRight && this.n8n.isActive(own)) service.noteSeen();
		// An execution without items only stores the state.
		if (items === undefined || items.length === 0) return;
		if (items.length > sizes.limit) throw new Error('The poll returned more than its limit');
		const batch = readItems(items);
		this.batches.push(batch);
		this.lives
			.at(-1)
			?.at(-1)
			?.push(...batch);
	}

	/** Publishes other settings by which the same changes count. */
	edit(): void {
		this.edits += 1;
		// An answer without rows after an edit says that none match.
		this.isSettled = false;
		this.publish(true);
	}

	publish(isSaved: boolean): void {
		if (this.started) this.n8n.publish(isSaved);
	}

	/** Only with delivery at least once, nothing is missed after a kill. */
	restart(kills: boolean): void {
		this.n8n.restart(kills && this.sizes.atLeastOnce);
		// A start that was not stored is the first once more.
		this.isSettled &&= this.started;
		this.lives.push([]);
	}

	/** The items of all executions. */
	get delivered(): Key[] {
		return this.n8n.executed.flatMap(readItems);
	}

	/** All items that were delivered. */
	get items() {
		return this.n8n.executed.flatMap((some) => some.map(({ json }) => json));
	}

	get started(): boolean {
		return this.n8n.state.edge !== undefined;
	}

	/** A first poll by n8n itself that fails stores nothing, and neither does the next one. */
	get isStored(): boolean {
		return this.n8n.isStored('edge');
	}
}

const readItems = (items: readonly INodeExecutionData[]): Key[] =>
	items.map(({ json }) => parseKey(json.key) as Key);

type Happening = Step<
	'add' | 'touch' | 'remove' | 'pass' | 'burst' | 'addAhead' | 'setAhead' | 'beOdd' | 'edit'
>;

const MAX_DELAY = OVERLAP.seconds * SECOND;

/** Delays stay within the overlap, often at its very edge. */
const delays = fc.oneof(
	{ weight: 3, arbitrary: fc.constant(0) },
	fc.integer({ min: 1, max: MAX_DELAY }),
	fc.constant(MAX_DELAY),
);

/** Rows of a feed by Id do not change. */
const listSteps = ({ time }: Feed, delay = delays): Array<fc.Arbitrary<Happening>> => [
	fc.oneof(
		step('add', delay),
		time === undefined ? step('add', delay) : step('touch', fc.nat(30), delay),
		step('remove', fc.nat(30)),
	),
	// Many of nothing: changes with one and the same time.
	step('pass', fc.constantFrom(0, 1, 9, SECOND, 100 * SECOND, 290 * SECOND, 1000 * SECOND)),
	step('burst', fc.constantFrom(2, 3, 5, 30, 60)),
];

const oddities = step(
	'beOdd',
	fc.constantFrom(0, -20 * DAY, 20 * DAY),
	fc.constantFrom(0, 1, 5, 150, ALL),
);

async function play(
	rounds: Array<Round<Happening>>,
	feed: Feed,
	sizes: Sizes,
	{ before = [], staysRight = false }: { before?: Happening[]; staysRight?: boolean } = {},
) {
	const service = new Service();
	service.staysRight = staysRight;
	// Time passes for n8n, too.
	jest.spyOn(Date, 'now').mockImplementation(() => BEGUN + service.now / 10_000);
	const { digits, rounds: isRounding } = sizes;
	const hasVersions = feed.followsChanges === true;
	Object.assign(service, {
		digits,
		rounds: isRounding,
		now: isRounding ? 1_234_567 : 0,
		hasVersions,
	});
	const trigger = new Trigger(service, feed, sizes);
	let startedAt = sizes.fromNow ? Infinity : -1;
	const happenOnce = (one: Happening) => {
		if (one.do === 'beOdd') trigger.beOdd(one.with[0], one.with[1]);
		else if (one.do === 'edit') trigger.edit();
		else happen<Exclude<Happening['do'], 'beOdd' | 'edit'>>(service, { ...one, do: one.do });
	};
	const { play: playAll, settle } = player<Happening>(trigger, happenOnce, () => {
		if (trigger.isStored && startedAt === Infinity) startedAt = service.now;
	});
	before.forEach(happenOnce);
	await playAll(rounds);
	trigger.beOdd(0, 0);
	service.setAhead(0);
	// All late changes arrive before the last polls, and all times that were ahead have come.
	service.pass(1000 * SECOND);
	// A first poll from now delivers nothing, and neither does one after an odd answer.
	for (let polls = 0; polls < 3; polls++) {
		const before = trigger.batches.length;
		await settle();
		// A poll that has time reads up to its limit, or to the end.
		const early = trigger.batches.slice(before, -1).filter(({ length }) => length < sizes.limit);
		expect(early).toEqual([]);
	}
	return { service, trigger, startedAt };
}

const seen = (keys: Key[]) => keys.map(toKeyText);

const cuts = fc.oneof(
	fc.record({ min: fc.constantFrom(1, 2, Infinity), most: fc.constant(Infinity) }),
	fc.record({ min: fc.constantFrom(1, 2), most: fc.integer({ min: 2, max: 9 }) }),
);
const sizes: fc.Arbitrary<Sizes> = fc
	.tuple(
		fc.record({
			limit: fc.integer({ min: 2, max: 12 }),
			every: fc.constantFrom(1, 1, 2, 5),
			digits: fc.constantFrom(7, 2, 0),
			rounds: fc.boolean(),
			page: fc.integer({ min: 2, max: 9 }),
			keysAhead: fc.constantFrom(1, 3, OVERLAP.keys),
			atLeastOnce: fc.boolean(),
			fromNow: fc.boolean(),
		}),
		cuts,
	)
	.map(([some, cut]) => ({ ...some, ...cut }));

const one = (name: Happening['do'], ...given: number[]): Happening => ({ do: name, with: given });
const AHEAD = { ...CALM, steps: [[one('addAhead', 900 * SECOND)]] };
const LATER = one('pass', 1000 * SECOND);
const LATE = one('add', 290 * SECOND);
const APART = [one('pass', SECOND), one('add', 0)];
const TWO: Sizes = {
	...{ limit: 2, page: 2, min: 2, most: Infinity, every: 1, digits: 7, keysAhead: 3 },
	...{ atLeastOnce: false, fromNow: false, rounds: false },
};

/** What random steps rarely do: a row that was stamped ahead, and changes before it that are left over. */
const LEFT_OVER: Array<[Array<Round<Happening>>, Sizes]> = [
	// One answer is empty.
	[
		[
			AHEAD,
			{ ...CALM, steps: [[one('burst', 9)]] },
			{ ...CALM, steps: [[LATER]] },
			{ ...CALM, steps: [[], [one('beOdd', 0, ALL)]] },
			CALM,
		],
		TWO,
	],
	// A later poll begins and ends during a poll that gets a wrong date.
	[
		[
			AHEAD,
			{ ...CALM, steps: [[LATE, LATE, LATE, ...APART, ...APART], [one('beOdd', 20 * DAY, 0)]] },
			{ ...CALM, steps: [[], [LATER]], overlapAt: 1 },
		],
		TWO,
	],
];

/** A poll is discarded because the workflow is published, and then the settings are edited. */
const DISCARDED: [Array<Round<Happening>>, Sizes] = [
	[
		CALM,
		{ ...CALM, steps: [[one('add', 0), LATER]], publishAt: 0 },
		{ ...CALM, steps: [[one('edit')]] },
		CALM,
	],
	TWO,
];

/** This machine sleeps for 1,000 s before the first answer of a poll, and then the settings are edited. */
const ASLEEP: [Array<Round<Happening>>, Sizes] = [
	[{ ...CALM, steps: [[one('add', 0), LATER], [one('edit')]] }, CALM],
	TWO,
];

/** A poll sees that the clock is right, n8n restarts, and the clock is ahead again. */
const RIGHT_FOR_A_POLL: [Array<Round<Happening>>, Sizes, number] = [
	[
		{ ...CALM, steps: [[one('setAhead', 0), LATE]], restart: true },
		{ ...CALM, steps: [[one('setAhead', 30 * DAY)]] },
		{ ...CALM, steps: [[LATER]] },
	],
	TWO,
	400 * SECOND,
];

/** The clock of the Company is two hours ahead for three polls. */
const WRONG_FOR_A_WHILE: Array<Round<Happening>> = [
	{ ...CALM, steps: [[one('setAhead', 7200 * SECOND), one('add', 0)]] },
	{ ...CALM, steps: [[one('pass', 100 * SECOND)]] },
	{ ...CALM, steps: [[one('pass', 100 * SECOND)]] },
	{ ...CALM, steps: [[one('setAhead', 0), one('add', 0)]] },
];

/** The clock is ahead for a week, and n8n restarts meanwhile. */
const wrongForDays = (ahead: number): Array<Round<Happening>> => [
	{ ...CALM, steps: [[one('setAhead', ahead), one('add', 0)]] },
	...Array.from({ length: 60 }, (_, index) => ({
		...CALM,
		steps: [[one('pass', 3 * 3600 * SECOND), one('add', 0)]],
		restart: index % 50 === 0,
	})),
	{ ...CALM, steps: [[one('setAhead', 0), one('add', 0)]] },
	{ ...CALM, steps: [[...APART]] },
];

/** n8n is killed before the execution of the last change, after polls without news were stored. */
const KILLED = [
	// The workflow was published when its state with the change was not stored yet.
	[{ ...CALM, steps: [[one('add', 0)]], publishAt: 9, isSaved: false }],
	// The workflow was published during a poll that found another change, which is gone.
	[
		{ ...CALM, steps: [[one('add', 0)]] },
		{ ...CALM, steps: [[one('add', 0)], [], [], [], [one('remove', 1)]], publishAt: 0 },
	],
	// The settings were edited after the change.
	[{ ...CALM, steps: [[one('add', 0)]] }, { ...CALM, steps: [[one('edit')]] }, CALM],
].map((rounds): [Array<Round<Happening>>, Sizes] => [
	// The first answer after n8n has started lacks the newest rows.
	[...rounds, { ...CALM, restart: true, kills: true, steps: [[one('beOdd', 0, 150)]] }, CALM],
	{ ...TWO, atLeastOnce: true },
]);

const keepOneKey = () => void jest.replaceProperty(OVERLAP, 'keys', 1);

/** A poll that gets a date in the past ends after one that has moved the edge. */
const BEHIND: [Array<Round<Happening>>, Sizes, () => void] = [
	[
		{ ...CALM, steps: [[one('burst', 2), one('beOdd', -20 * DAY, 0)]] },
		{ ...CALM, steps: [[one('pass', SECOND)]], publishAt: 1, overlapAt: 0 },
	],
	{ ...TWO, most: 2 },
	keepOneKey,
];

const runs = (few: number) => ({
	numRuns: countHistories(few, 1_000),
	endOnFailure: !process.env.SHRINK,
});

afterEach(() => jest.restoreAllMocks());

/** Lets a trigger keep few keys. */
const fewKeys = fc
	.integer({ min: 1, max: 4 })
	.map((keys) => () => void jest.replaceProperty(OVERLAP, 'keys', keys));

/** A row changes once more within its second, while as many rows as are kept have times ahead. */
const CHANGED_AHEAD: [Array<Round<Happening>>, Sizes] = [
	[
		{ ...CALM, steps: [[one('add', 0)]] },
		{ ...CALM, steps: [[one('touch', 0, 0)]] },
	],
	{ ...TWO, keysAhead: 1, rounds: true },
];

// Promise: A second change within the second that Corrigo shows for the first one is delivered
it('tells the last change of each row once, also if it came within the second of one that was told', async () => {
	const feed: Feed = { ...byTime, followsChanges: true };
	const prompt = roundsOf(fc.oneof(...listSteps(feed, fc.constant(0))));
	await fc.assert(
		fc.asyncProperty(prompt, sizes, async (rounds, given) => {
			const some = { ...given, every: 1, fromNow: false };
			const { service, trigger } = await play(rounds, feed, some);
			const { items } = trigger;
			const latest = new Map(items.map((one) => [one.Id, one.Version]));
			expect(service.list().filter(({ Id, Version }) => latest.get(Id) !== Version)).toEqual([]);
			const texts = items.map((one) => JSON.stringify(one));
			if (!some.atLeastOnce) expect(new Set(texts).size).toBe(texts.length);
		}),
		{ ...runs(100), examples: [CHANGED_AHEAD] },
	);
});

/** A trigger that keeps one key starts from now, when three rows are stamped in the future. */
const MANY_AHEAD: [Happening[], Array<Round<Happening>>, Sizes, () => void] = [
	[1, 2, 3].map((minutes) => one('addAhead', 300 * minutes * SECOND)),
	[{ ...CALM, steps: [[...APART, one('addAhead', 100 * SECOND)]] }],
	TWO,
	keepOneKey,
];

/** The rows that were ahead are more than the keys that are kept, and older rows wait to be read. */
const AHEAD_OF_A_BACKLOG: typeof MANY_AHEAD = [
	[one('burst', 2)],
	[
		{ ...CALM, steps: [[one('addAhead', SECOND)], [one('addAhead', SECOND)]] },
		CALM,
		{ ...CALM, steps: [[one('burst', 30)]] },
		{ ...CALM, steps: [[one('add', 1)]] },
	],
	TWO,
	keepOneKey,
];

// Promise: A change is missed only if a trigger reads more later changes before it than it keeps
it('misses no change that is committed late among few later ones, and returns none from before, wherever a first poll begins', async () => {
	const late = fc.oneof(
		...listSteps(byTime).filter((_, index) => index !== 0),
		step('add', delays),
		step('addAhead', fc.constantFrom(SECOND, 300 * SECOND, 900 * SECOND)),
	);
	const before = fc.array(late, { minLength: 1, maxLength: 12 });
	await fc.assert(
		fc.asyncProperty(
			before,
			roundsOf(late),
			sizes,
			fewKeys,
			async (steps, rounds, given, keepFew) => {
				keepFew();
				const some = { ...given, every: 1, fromNow: true };
				const earlier = [...steps, one('pass', 1)];
				const played = await play([CALM, ...rounds], byTime, some, { before: earlier });
				const { service, trigger, startedAt } = played;
				const delivered = new Set(seen(trigger.delivered));
				const changes = [...service.changes.values()];
				const missed = changes.filter(({ key, readableAt }) => {
					// Rows that are still ahead then are kept on their own.
					const later = changes.filter(
						(one) =>
							compareKeys(one.key, key) > 0 &&
							one.readableAt < readableAt &&
							one.key.time <= timeText(readableAt),
					);
					const isPromised = readableAt > startedAt && later.length <= OVERLAP.keys;
					return isPromised && !delivered.has(toKeyText(key));
				});
				expect(missed).toEqual([]);
				// What was there when the trigger began is old, except for dates that wait.
				const start = timeText(startedAt);
				const old = changes.filter(({ key, readableAt }) => {
					const isOld = readableAt < startedAt && key.time <= start;
					return isOld && delivered.has(toKeyText(key));
				});
				expect(old).toEqual([]);
			},
		),
		{ ...runs(100), examples: [MANY_AHEAD, AHEAD_OF_A_BACKLOG] },
	);
});

describe.each([
	['by time', byTime],
	['by Id', byId],
])('a feed %s', (_, feed) => {
	const isTimed = feed.time !== undefined;
	const written = (key: Key) => toKeyText(isTimed ? key : { time: '', id: key.id });
	const ahead = isTimed ? [step('addAhead', fc.constantFrom(SECOND, 900 * SECOND))] : [];
	const turn = step('setAhead', fc.constantFrom(0, 1200 * SECOND, 7200 * SECOND, 30 * DAY));
	const edit = step('edit');
	const histories = roundsOf(fc.oneof(...listSteps(feed), ...ahead, oddities, edit));

	/** The changes that are still there in the end. */
	const listLasting = ({ changes }: Service, some: Sizes) =>
		[...changes.values()].filter(
			({ key, replacedAt }) => replacedAt === Infinity && passes(key, some),
		);

	/** The changes that are still there in the end, and that no trigger may miss. */
	const listPromised = (service: Service, some: Sizes) =>
		listLasting(service, some).filter(({ behind }) => isTimed || behind < OVERLAP.ids);

	/** Another process may repeat the last items of the one before, and has to if they were lost. */
	const expectOnce = ({ delivered, lives }: Trigger) => {
		let mayRepeat = new Set<string>();
		const earlier = new Set<string>();
		for (const polls of lives.map((life) => life.map(seen))) {
			const own = new Set(polls.flat());
			expect(own.size).toBe(polls.flat().length);
			const repeated = [...own].filter((key) => earlier.has(key));
			expect(repeated.filter((key) => !mayRepeat.has(key))).toEqual([]);
			const last = polls.findLast(({ length }) => length > 0) ?? [];
			mayRepeat = new Set([...last, ...[...mayRepeat].filter((key) => !own.has(key))]);
			own.forEach((key) => earlier.add(key));
		}
		return new Set(seen(delivered));
	};

	it('delivers every lasting change once, and each batch in order', async () => {
		await fc.assert(
			fc.asyncProperty(histories, sizes, async (rounds, some) => {
				const { service, trigger, startedAt } = await play(rounds, feed, some);
				const delivered = expectOnce(trigger);
				if (!some.atLeastOnce) expect(delivered.size).toBe(trigger.delivered.length);
				const real = new Set([...service.changes.values()].map(({ key }) => written(key)));
				expect([...delivered].filter((text) => !real.has(text))).toEqual([]);
				const expected = listPromised(service, some).filter(
					({ readableAt }) => readableAt > startedAt,
				);
				expect(expected.filter(({ key }) => !delivered.has(written(key)))).toEqual([]);
				const { batches } = trigger;
				expect(batches.map((keys) => seen([...keys].sort(compareTimes)))).toEqual(
					batches.map(seen),
				);
			}),
			{ ...runs(100), examples: isTimed ? [...LEFT_OVER, DISCARDED, ASLEEP, ...KILLED] : KILLED },
		);
	});

	// Promise: A clock of the Company that is ahead for a while hides nothing
	it('misses nothing and repeats nothing while the clock of the Company is ahead, and afterwards', async () => {
		const turning = roundsOf(fc.oneof(...listSteps(feed), ...ahead, turn, edit));
		await fc.assert(
			// A trigger that is published while the clock is wrong cannot know it.
			fc.asyncProperty(turning, sizes, async (rounds, given) => {
				const some = { ...given, fromNow: false, keysAhead: OVERLAP.keys };
				const { service, trigger } = await play([CALM, ...rounds], feed, some);
				const delivered = expectOnce(trigger);
				const missed = listPromised(service, some).filter(
					({ key }) => !delivered.has(written(key)),
				);
				expect(missed).toEqual([]);
			}),
			{
				...runs(60),
				examples: [
					[WRONG_FOR_A_WHILE, TWO],
					[wrongForDays(7200 * SECOND), TWO],
					[wrongForDays(30 * DAY), TWO],
				],
			},
		);
	});

	// Promise: A clock of the Company that is ahead when a trigger is published hides nothing afterwards
	it('misses nothing where a trigger was published while the clock was ahead', async () => {
		const turning = roundsOf(fc.oneof(...listSteps(feed), turn, edit));
		const leads = fc.constantFrom(400 * SECOND, 1200 * SECOND, 7200 * SECOND);
		await fc.assert(
			fc.asyncProperty(turning, sizes, leads, async (rounds, given, lead) => {
				const some = { ...given, fromNow: false, keysAhead: OVERLAP.keys };
				const begun = { ...CALM, steps: [[one('setAhead', lead), one('add', 0)]] };
				// What is stamped by a right clock that no poll has seen may lie before the place.
				const all = { staysRight: true };
				const { service, trigger } = await play([begun, ...rounds], feed, some, all);
				const delivered = new Set(seen(trigger.delivered));
				const missed = listPromised(service, some).filter(
					({ key }) => !delivered.has(written(key)),
				);
				expect(missed).toEqual([]);
			}),
			{ ...runs(60), examples: [RIGHT_FOR_A_POLL] },
		);
	});

	// Promise: *Get Changes* returns what the trigger returned
	it('replays what was delivered and has lasted, of any time', async () => {
		const end = fc.record({ which: fc.nat(60), units: fc.constantFrom(-1, 0, 1) });
		const ends = fc.tuple(end, fc.option(end, { nil: undefined }));
		const promptly = roundsOf(fc.oneof(...listSteps(feed), ...ahead));
		await fc.assert(
			fc.asyncProperty(promptly, sizes, ends, async (rounds, given, [first, last]) => {
				const some = { ...given, fromNow: false };
				const { service, trigger } = await play(rounds, feed, some);
				service.answerOddly({ skew: 0, hidden: 0 });
				const lasting = listLasting(service, some)
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
					feed,
					{
						load: async (expression) => service.answer(expression).slice(0, some.most),
						...endsBelow(some.min),
						complete: async (rows) =>
							rows.map(({ Id, At }) =>
								passes({ id: Id as number }, some) ? { at: toUtcText(At) } : undefined,
							),
					},
					some,
				);
				const isWithin = ({ time }: Key) => time >= from && (until === undefined || time < until);
				const expected = lasting.filter(isWithin).map(written);
				expect(seen(found.map(({ key }) => key)).sort()).toEqual(expected.sort());
				const delivered = new Set(seen(trigger.delivered));
				const missed = listPromised(service, some)
					.filter(({ key }) => isWithin(key) && !delivered.has(written(key)))
					.map(({ key }) => key);
				expect(missed).toEqual([]);
			}),
			runs(30),
		);
	});

	it('never delivers a change twice, however few keys it may keep', async () => {
		await fc.assert(
			fc.asyncProperty(histories, sizes, fewKeys, async (rounds, some, keepFew) => {
				keepFew();
				const { trigger } = await play(rounds, feed, some);
				expectOnce(trigger);
			}),
			{ ...runs(30), examples: [BEHIND] },
		);
	});

	it('misses no change with few keys when none is committed late', async () => {
		// Time moves on, as a change with the time of one that was read already is a late one.
		const prompt = fc
			.oneof(...listSteps(feed, fc.constant(0)))
			.map((one): Happening[] => [one, { do: 'pass', with: [1] }]);
		const promptly = roundsOf(prompt).map((all) =>
			all.map((one) => ({ ...one, steps: one.steps.map((steps) => steps.flat()) })),
		);
		await fc.assert(
			fc.asyncProperty(promptly, sizes, fewKeys, async (rounds, given, keepFew) => {
				keepFew();
				const some = { ...given, fromNow: false };
				const { service, trigger } = await play(rounds, feed, some);
				const delivered = new Set(seen(trigger.delivered));
				const missed = listPromised(service, some).filter(
					({ key }) => !delivered.has(written(key)),
				);
				expect(missed).toEqual([]);
			}),
			runs(30),
		);
	});
});
