/** What was left out stays left out and what was told is told once, in an n8n that stores state with items and at activation only. */
import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import type { Row } from '../../../sandbox';
import { logAction } from '../../../sandbox/base/actionLog';
import { countHistories } from '../../cases';
import { loadNodes, openCompany } from '../../support/activeTrigger';
import { createStoringN8n } from '../../support/storingN8n';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** A change may become readable this long after its time stamp, so this much is looked at again. */
const OVERLAP = 5 * MINUTE;
/** A trigger that only left changes out has its place stored once in this time. */
const DAY = 24 * HOUR;

const TYPES = ['PickUp', 'Start', 'Stop'] as const;
const TRIGGERS = ['A', 'B'] as const;

interface Settings {
	types: readonly string[];
	/** Whether only actions of marked orders count. */
	marked: boolean;
	limit: number;
	delivery: 'once' | 'atLeastOnce';
	/** Fields that change nothing in what counts. */
	minor: INodeParameters;
	/** Two custom fields: one that every order has, and one that none has. */
	descriptors: readonly number[];
}

const toParameters = ({ types, marked, limit, minor, delivery, descriptors }: Settings) => {
	// The node itself checks these custom fields.
	const [floor, nothing] = descriptors.map((id) => `CustomFields.${id}`);
	const conditions = {
		values: [
			{ property: 'PoNumber', operator: 'Equal', value: 'marked' },
			{ property: floor, operator: 'Equal', value: '4' },
			{ property: nothing, operator: 'Null' },
		],
	};
	return {
		event: 'workOrderAction',
		returns: 'event',
		actionTypes: [...types],
		...minor,
		options: { batchSize: limit, delivery, ...(minor.options as INodeParameters) },
		...(marked ? { searchBy: 'conditions', match: 'all', conditions } : { searchBy: 'filters' }),
	} as INodeParameters;
};

type Step =
	| { do: 'act'; which: number; type: (typeof TYPES)[number] }
	| { do: 'burst'; type: (typeof TYPES)[number] }
	| { do: 'mark'; which: number }
	| { do: 'pass'; ms: number }
	| { do: 'poll'; name: (typeof TRIGGERS)[number]; overlaps: boolean }
	| { do: 'kill'; name: (typeof TRIGGERS)[number]; to: number }
	| { do: 'clock'; aheadMs: number }
	| { do: 'edit'; name: (typeof TRIGGERS)[number]; edits: Partial<Settings> }
	| { do: 'restart'; to: number; isTakeover: boolean };

const type = fc.constantFrom(...TYPES);
const name = fc.constantFrom(...TRIGGERS);
const which = fc.nat(4);

const edits = fc.oneof(
	fc.constantFrom<Partial<Settings>>(
		{},
		{ types: [] },
		{ types: ['PickUp'] },
		{ types: ['PickUp', 'Start'] },
		{ types: ['Start', 'PickUp'] },
		{ types: ['Stop', 'Start'] },
		{ marked: true },
		{ marked: false },
	),
	fc.record({ limit: fc.constantFrom(2, 5000) }),
	fc.record({
		minor: fc.constantFrom<INodeParameters>(
			{},
			{ returns: 'both' },
			{ simplify: false },
			{ options: { lag: true } },
		),
	}),
);

const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 4, arbitrary: fc.record({ do: fc.constant('act' as const), which, type }) },
	fc.record({ do: fc.constant('burst' as const), type }),
	{ weight: 2, arbitrary: fc.record({ do: fc.constant('mark' as const), which }) },
	{
		weight: 3,
		arbitrary: fc.record({
			do: fc.constant('pass' as const),
			ms: fc.constantFrom(0, SECOND, 90 * SECOND, 20 * MINUTE, 7 * HOUR, 30 * HOUR),
		}),
	},
	{
		weight: 4,
		arbitrary: fc.record({ do: fc.constant('poll' as const), name, overlaps: fc.boolean() }),
	},
	fc.record({ do: fc.constant('kill' as const), name, to: fc.nat(2) }),
	fc.record({
		do: fc.constant('clock' as const),
		aheadMs: fc.constantFrom(0, 20 * MINUTE, 2 * HOUR),
	}),
	{ weight: 2, arbitrary: fc.record({ do: fc.constant('edit' as const), name, edits }) },
	fc.record({ do: fc.constant('restart' as const), to: fc.nat(2), isTakeover: fc.boolean() }),
);

/** The processes of n8n, of which each keeps what it knows while another one polls. */
const processes: Array<Awaited<ReturnType<typeof loadNodes>>> = [];

beforeAll(async () => {
	while (processes.length < 3) processes.push(await loadNodes());
});

const RUNS = countHistories(15, 200);
jest.setTimeout(60_000 + RUNS * 20_000);

const toMs = ({ SystemDateUtc }: Row) => Date.parse(`${String(SystemDateUtc).slice(0, 19)}Z`);

/** What a trigger has to do, and what it may do. */
class Expected {
	readonly must = new Set<number>();
	readonly may = new Set<number>();
	/** When each action happened, and when a poll has looked at it. */
	private readonly looked = new Map<number, { at: number; lookedAt: number }>();
	/** Items of the last poll that had some, which another process may return again. */
	last: number[] = [];
	readonly mayRepeat = new Set<number>();
	/** The last poll looked at everything up to this time. */
	private polledAt = 0;
	private lastPoll = 0;

	constructor(public settings: Settings) {}

	/** A poll looks at the actions in order, up to its limit, and never again at those it has seen. */
	poll(actions: Row[], isMarked: (action: Row) => boolean, now: number): void {
		const { types, marked, limit } = this.settings;
		let items = 0;
		this.polledAt = now;
		this.lastPoll = now;
		const unseen = actions.filter(({ Id }) => !this.looked.has(Id));
		for (const action of unseen.sort((a, b) => toMs(a) - toMs(b) || a.Id - b.Id)) {
			if (items === limit) break;
			const isOfType = types.length === 0 || types.includes(String(action.TypeId));
			const at = toMs(action);
			this.looked.set(action.Id, { at, lookedAt: now });
			if (!isOfType || (marked && !isMarked(action))) continue;
			this.must.add(action.Id);
			items += 1;
			if (items === limit) this.polledAt = Math.min(at, now);
		}
	}

	/** Lets what was left out come after all, if it happened, or was looked at, since then. */
	allowLeftOut(since: number, which: 'at' | 'lookedAt'): void {
		for (const [id, one] of this.looked) {
			if (one[which] >= since && !this.must.has(id)) this.may.add(id);
		}
	}

	/** Its place was stored within the day before the last poll. */
	restart(): void {
		if (this.settings.delivery === 'atLeastOnce') this.last.forEach((id) => this.mayRepeat.add(id));
		this.allowLeftOut(this.lastPoll - DAY, 'lookedAt');
	}

	edit(edits: Partial<Settings>): void {
		const isSame = JSON.stringify(edits.types) === JSON.stringify(this.settings.types);
		if (edits.types !== undefined && !isSame) this.allowLeftOut(this.polledAt - OVERLAP, 'at');
		this.settings = { ...this.settings, ...edits };
	}
}

async function play(steps: Step[], delivery: Settings['delivery']) {
	// The clocks of Corrigo and of this machine agree at first.
	const { sandbox, store, now, pass, setClock } = await openCompany({ workOrders: 5 }, Date.now());
	const seeded = store.ids('WoActionLog').at(-1) ?? 0;
	const actions = () => store.rows('WoActionLog').filter(({ Id }) => Id > seeded);
	const isMarked = ({ WorkOrderId: id }: Row) =>
		store.existing('WorkOrder', Number(id)).PoNumber === 'marked';
	const orders = store.rows('WorkOrder');
	const descriptors = ['Floor', 'Nothing'].map((Name) =>
		Number(store.insert('CustomFieldDescriptor', { ActorTypeId: 'WO', Name, Type: 'String' }).Id),
	);
	for (const { Id } of orders) {
		const [Floor] = descriptors;
		store.insert('CustomField2', {
			...{ Descriptor: { Id: Floor }, ObjectId: Id, ObjectTypeId: 'WO', Value: '4' },
		});
	}
	const begin: Settings = {
		...{ types: ['PickUp'], marked: true, limit: 5000, delivery, minor: {} },
		descriptors,
	};
	const expected = new Map(TRIGGERS.map((one) => [one, new Expected(begin)]));
	const delivered = new Map(TRIGGERS.map((one) => [one, [] as number[]]));
	const n8n = createStoringN8n(
		sandbox,
		Object.fromEntries(TRIGGERS.map((one) => [one, toParameters(begin)])),
	);
	let passed = 0;
	let ahead = 0;
	/** Processes that were not killed, and the one that polls. */
	let alive = processes;
	let [current] = processes;
	const note = (
		found: Record<string, Array<Record<string, unknown>>>,
		{ isKilled = false } = {},
	) => {
		for (const one of TRIGGERS) {
			if (found[one] === undefined) continue;
			const own = expected.get(one) as Expected;
			own.poll(actions(), isMarked, now() - ahead);
			const ids = found[one].map(({ Id }) => Number(Id));
			if (ids.length > 0) own.last = ids;
			if (!isKilled) delivered.get(one)?.push(...ids);
			else if (delivery === 'once') ids.forEach((id) => own.must.delete(id));
		}
	};
	async function happen(one: Step): Promise<void> {
		if (one.do === 'pass') {
			pass(one.ms);
			passed += one.ms;
		}
		if (one.do === 'act' || one.do === 'burst') {
			const some = one.do === 'act' ? [orders[one.which]] : [...orders, ...orders];
			for (const order of some) logAction(sandbox.world, order, { TypeId: one.type });
		}
		if (one.do === 'mark') {
			const order = orders[one.which];
			const PoNumber = order.PoNumber === 'marked' ? 'other' : 'marked';
			store.change('WorkOrder', order.Id, { PoNumber });
		}
		if (one.do === 'clock') {
			setClock(one.aheadMs - ahead);
			ahead = one.aheadMs;
		}
		if (one.do === 'poll') {
			const polls = one.overlaps ? [one.name, one.name] : [one.name];
			const found = await Promise.all(polls.map(async (name) => await n8n.poll(name)));
			note({ [one.name]: found.flat() });
		}
		if (one.do === 'kill') {
			// n8n has saved what the poll left, and has no execution yet.
			if (alive.length === 1) return;
			note({ [one.name]: await n8n.poll(one.name) }, { isKilled: true });
			alive = alive.filter((some) => some !== current);
			await happen({ do: 'restart', to: one.to, isTakeover: false });
		}
		if (one.do === 'edit') {
			const own = expected.get(one.name) as Expected;
			own.edit(one.edits);
			note(await n8n.publish(one.name, toParameters(own.settings)));
		}
		if (one.do === 'restart') {
			for (const own of expected.values()) own.restart();
			current = alive[one.to % alive.length];
			note(await n8n.start(current, one.isTakeover ? 'leadershipChange' : 'init'));
		}
	}
	try {
		note(await n8n.start(processes[0], 'activate'));
		for (const one of steps) await happen(one);
		// What waits behind Batch Size follows, and all times that were ahead have come.
		await happen({ do: 'clock', aheadMs: 0 });
		await happen({ do: 'pass', ms: 3 * HOUR });
		for (const own of TRIGGERS) {
			const found = delivered.get(own) ?? [];
			let before = -1;
			while (before < found.length) {
				before = found.length;
				await happen({ do: 'poll', name: own, overlaps: false });
			}
		}
		expect(n8n.takeEmpty()).toBeLessThanOrEqual(TRIGGERS.length * Math.floor(passed / DAY));
		return TRIGGERS.map((one) => ({
			...{ name: one, delivered: delivered.get(one) ?? [] },
			expected: expected.get(one) as Expected,
		}));
	} finally {
		await sandbox.close();
	}
}

/** A poll after a long time leaves out an action, which matches when n8n starts again. */
const LEFT_OUT_LATE: Step[] = [
	{ do: 'act', which: 3, type: 'PickUp' },
	{ do: 'pass', ms: 30 * HOUR },
	{ do: 'poll', name: 'A', overlaps: false },
	{ do: 'mark', which: 3 },
	{ do: 'restart', to: 1, isTakeover: false },
];

/** Corrigo's clock is ahead when an action is left out, and right for more than a day afterwards. */
const LEFT_OUT_AHEAD: Step[] = [
	{ do: 'clock', aheadMs: 2 * HOUR },
	{ do: 'act', which: 3, type: 'PickUp' },
	{ do: 'poll', name: 'A', overlaps: false },
	{ do: 'clock', aheadMs: 0 },
	{ do: 'pass', ms: 25 * HOUR },
	{ do: 'act', which: 2, type: 'PickUp' },
	{ do: 'poll', name: 'A', overlaps: false },
	{ do: 'mark', which: 3 },
	{ do: 'restart', to: 1, isTakeover: false },
];

/** An action is left out, and 20 minutes later its type is chosen. */
const LEFT_OUT_BEFORE_EDIT: Step[] = [
	{ do: 'mark', which: 0 },
	{ do: 'act', which: 0, type: 'Start' },
	{ do: 'pass', ms: 20 * MINUTE },
	{ do: 'poll', name: 'A', overlaps: false },
	{ do: 'edit', name: 'A', edits: { types: [] } },
];

/** B is published alone, so it stores an older state of A together with its own items. */
const OLDER_COPY: Step[] = [
	{ do: 'mark', which: 0 },
	{ do: 'edit', name: 'B', edits: {} },
	{ do: 'act', which: 0, type: 'PickUp' },
	{ do: 'poll', name: 'A', overlaps: false },
	{ do: 'poll', name: 'B', overlaps: false },
	{ do: 'restart', to: 1, isTakeover: false },
];

const repeated = (ids: number[]) => ids.filter((id, index) => ids.indexOf(id) < index);

const histories = fc.array(step, { minLength: 10, maxLength: 30 });
const deliveries = fc.constantFrom<Settings['delivery']>('once', 'atLeastOnce');

// Promise: What was left out stays left out, and what was delivered is delivered once
it('tells each action once, and none that was left out, through edits and restarts of two triggers', async () => {
	await fc.assert(
		fc.asyncProperty(histories, deliveries, async (steps, delivery) => {
			for (const { name: own, delivered, expected } of await play(steps, delivery)) {
				const all = new Set(delivered);
				expect({
					own,
					repeated: repeated(delivered).filter((id) => !expected.mayRepeat.has(id)),
					missed: [...expected.must].filter((id) => !all.has(id)),
					leftOut: delivered.filter((id) => !expected.must.has(id) && !expected.may.has(id)),
				}).toEqual({ own, repeated: [], missed: [], leftOut: [] });
			}
		}),
		{
			numRuns: RUNS,
			endOnFailure: !process.env.SHRINK,
			examples: [
				[LEFT_OUT_LATE, 'once'],
				[LEFT_OUT_AHEAD, 'once'],
				[LEFT_OUT_BEFORE_EDIT, 'once'],
				[OLDER_COPY, 'once'],
			],
		},
	);
});
