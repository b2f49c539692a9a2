/** What was left out stays left out and what was told is told once, in an n8n that stores state with items and at activation only. */
import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import type { Row } from '../../../sandbox';
import { logAction } from '../../../sandbox/base/actionLog';
import { cases } from '../../cases';
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
	/** Fields that change nothing in what counts. */
	minor: INodeParameters;
	/** A custom field that no order has. */
	descriptor: number;
}

const toParameters = ({ types, marked, limit, minor, descriptor }: Settings) => {
	// The node itself checks that the custom field is empty.
	const conditions = {
		values: [
			{ property: 'PoNumber', operator: 'Equal', value: 'marked' },
			{ property: `CustomFields.${descriptor}`, operator: 'Null' },
		],
	};
	return {
		event: 'workOrderAction',
		returns: 'event',
		actionTypes: [...types],
		...minor,
		options: { batchSize: limit, ...(minor.options as INodeParameters) },
		...(marked ? { searchBy: 'conditions', match: 'all', conditions } : { searchBy: 'filters' }),
	} as INodeParameters;
};

type Step =
	| { do: 'act'; which: number; type: (typeof TYPES)[number] }
	| { do: 'burst'; type: (typeof TYPES)[number] }
	| { do: 'mark'; which: number }
	| { do: 'pass'; ms: number }
	| { do: 'poll'; name: (typeof TRIGGERS)[number] }
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
			{ options: { delivery: 'once' } },
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
	{ weight: 4, arbitrary: fc.record({ do: fc.constant('poll' as const), name }) },
	{ weight: 2, arbitrary: fc.record({ do: fc.constant('edit' as const), name, edits }) },
	fc.record({ do: fc.constant('restart' as const), to: fc.nat(2), isTakeover: fc.boolean() }),
);

/** The processes of n8n, of which each keeps what it knows while another one polls. */
const processes: Array<Awaited<ReturnType<typeof loadNodes>>> = [];

beforeAll(async () => {
	while (processes.length < 3) processes.push(await loadNodes());
});

const RUNS = Number(process.env.HISTORIES ?? cases(15, 200));
jest.setTimeout(60_000 + RUNS * 20_000);

/** What a trigger has to do, and what it may do. */
class Expected {
	readonly must = new Set<number>();
	readonly may = new Set<number>();
	private readonly looked = new Map<number, number>();
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
		for (const action of actions.filter(({ Id }) => !this.looked.has(Id))) {
			if (items === limit) break;
			const isOfType = types.length === 0 || types.includes(String(action.TypeId));
			const at = Date.parse(`${String(action.SystemDateUtc).slice(0, 19)}Z`);
			this.looked.set(action.Id, at);
			if (!isOfType || (marked && !isMarked(action))) continue;
			this.must.add(action.Id);
			items += 1;
			if (items === limit) this.polledAt = at;
		}
	}

	/** What was left out since then may come. */
	allowSince(time: number): void {
		for (const [id, at] of this.looked) if (at >= time && !this.must.has(id)) this.may.add(id);
	}

	/** Its place was stored within the day before the last poll. */
	restart(): void {
		this.allowSince(this.lastPoll - DAY - OVERLAP);
	}

	edit(edits: Partial<Settings>): void {
		const isSame = JSON.stringify(edits.types) === JSON.stringify(this.settings.types);
		if (edits.types !== undefined && !isSame) this.allowSince(this.polledAt - OVERLAP);
		this.settings = { ...this.settings, ...edits };
	}
}

async function play(steps: Step[]) {
	const { sandbox, store, now, pass } = await openCompany({ workOrders: 5 });
	const seeded = store.ids('WoActionLog').at(-1) ?? 0;
	const actions = () => store.rows('WoActionLog').filter(({ Id }) => Id > seeded);
	const isMarked = ({ WorkOrderId: id }: Row) =>
		store.existing('WorkOrder', Number(id)).PoNumber === 'marked';
	const orders = store.rows('WorkOrder');
	const { Id: descriptor } = store.insert('CustomFieldDescriptor', {
		...{ ActorTypeId: 'WO', Name: 'Nothing', Type: 'String' },
	});
	const begin: Settings = {
		...{ types: ['PickUp'], marked: true, limit: 5000, minor: {} },
		descriptor: Number(descriptor),
	};
	const expected = new Map(TRIGGERS.map((one) => [one, new Expected(begin)]));
	const delivered = new Map(TRIGGERS.map((one) => [one, [] as number[]]));
	const n8n = createStoringN8n(
		sandbox,
		Object.fromEntries(TRIGGERS.map((one) => [one, toParameters(begin)])),
	);
	let passed = 0;
	const note = (found: Record<string, Array<Record<string, unknown>>>) => {
		for (const one of TRIGGERS) {
			if (found[one] === undefined) continue;
			expected.get(one)?.poll(actions(), isMarked, now());
			delivered.get(one)?.push(...found[one].map(({ Id }) => Number(Id)));
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
		if (one.do === 'poll') note({ [one.name]: await n8n.poll(one.name) });
		if (one.do === 'edit') {
			const own = expected.get(one.name) as Expected;
			own.edit(one.edits);
			note(await n8n.publish(one.name, toParameters(own.settings)));
		}
		if (one.do === 'restart') {
			for (const own of expected.values()) own.restart();
			note(await n8n.start(processes[one.to], one.isTakeover ? 'leadershipChange' : 'init'));
		}
	}
	try {
		note(await n8n.start(processes[0], 'activate'));
		for (const one of steps) await happen(one);
		// What waits behind Batch Size follows.
		for (const own of TRIGGERS) {
			const found = delivered.get(own) ?? [];
			let before = -1;
			while (before < found.length) {
				before = found.length;
				await happen({ do: 'poll', name: own });
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

const repeated = (ids: number[]) => ids.filter((id, index) => ids.indexOf(id) < index);

// Promise: What was left out stays left out, and what was told is told once
it('tells each action once, and none that was left out, through edits and restarts of two triggers', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
			for (const { name: own, delivered, expected } of await play(steps)) {
				const all = new Set(delivered);
				expect({
					own,
					repeated: repeated(delivered),
					missed: [...expected.must].filter((id) => !all.has(id)),
					leftOut: delivered.filter((id) => !expected.must.has(id) && !expected.may.has(id)),
				}).toEqual({ own, repeated: [], missed: [], leftOut: [] });
			}
		}),
		{ numRuns: RUNS, endOnFailure: !process.env.SHRINK },
	);
});
