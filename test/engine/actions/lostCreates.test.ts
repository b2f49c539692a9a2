/**
 * Work orders with an external number whose create was sent but not answered: the order is looked up
 * by the number, without any option, and nobody else's order is returned for it.
 */
import type { IDataObject } from 'n8n-workflow';

import type { Fault, SandboxOptions } from '../../../sandbox';
import {
	type Company,
	hintsOf,
	itemsOf,
	jsonOf,
	openCompany,
	rejection,
	some,
	withShortPauses,
} from '../../support/company';
import type { Run } from '../../support/run';

const CREATE = '/WoCreateCommand';
const lost = (more: Partial<Fault> = {}): Fault => ({
	match: { pathIncludes: CREATE },
	kind: 'resetAfter',
	...more,
});
const notDone = (more: Partial<Fault> = {}) => lost({ kind: 'resetBefore', ...more });

interface Scenario {
	faults: Fault[];
	/** External numbers of the items. */
	numbers?: string[];
	before?: (company: Company, number: string) => void;
	output?: string;
	options?: IDataObject;
	retry?: true;
	sandbox?: SandboxOptions;
}

/** An order like the new ones, with an equal number, created this many seconds ago. */
const older =
	(seconds: number, more: IDataObject = {}) =>
	({ sandbox: { store, world } }: Company, XNumber: string) => {
		const [{ Id }] = store.rows('WorkOrder');
		const [item] = store.children('WoItem', 'WorkOrderId', Id);
		const made = new Date(world.clock.now() - seconds * 1000).toISOString();
		store.change('WorkOrder', Id, {
			Customer: { Id: store.rows('Customer')[0].Id },
			SubType: { Id: 24 },
			CreatedDateUtc: made.slice(0, 19),
			...more,
		});
		store.change('WoItem', item.Id, {
			Asset: { Id: store.rows('Location')[0].Id },
			Task: { Id: store.rows('Task')[0].Id },
		});
		store.change('WoLastAction', Id, { XNumber });
	};

/** The order is looked up and found. */
const found = {
	'was carried out': { faults: [lost()] },
	'was carried out, with an older order of its number': { faults: [lost()], before: older(5) },
	'was carried out, after one of its number': {
		faults: [lost({ after: 1 })],
		numbers: ['N', 'N'],
	},
	'was carried out, and is found a little later': {
		faults: [lost(), { match: { pathIncludes: '/query/' }, kind: 'status', status: 400 }],
	},
	'was carried out, by a clock that is ahead': {
		faults: [lost()],
		before: older(5),
		sandbox: { clockOffsetSeconds: 3600 },
	},
	'was carried out, by a clock that is behind': {
		faults: [lost()],
		before: older(5),
		sandbox: { clockOffsetSeconds: -3600 },
	},
	'was carried out, with more orders of its number than a page may have': {
		faults: [lost()],
		before: ({ sandbox, records: { ids, change } }, XNumber) => {
			for (const id of ids('WorkOrder')) change('WoLastAction', id, { XNumber });
			sandbox.set({ mostRows: 100 });
		},
		sandbox: { workOrders: 110 },
	},
} satisfies Record<string, Scenario>;

/** Nothing shows that an order is that of the create. */
const doubted = {
	'was not carried out': { faults: [notDone()], retry: true },
	'was not carried out, with an older order of its number': {
		faults: [notDone()],
		before: older(5),
	},
	'was not carried out, with an older order, by a clock that is ahead': {
		faults: [notDone()],
		before: older(5),
		sandbox: { clockOffsetSeconds: 3600 },
	},
	'was not carried out, with an order of its number for another customer': {
		faults: [notDone()],
		before: older(-2, { Customer: { Id: 102 } }),
	},
	'was not carried out, after one of its number': {
		faults: [notDone({ after: 1 })],
		numbers: ['N', 'N'],
	},
	'was carried out or not, with another one lost at the same time': {
		faults: [notDone(), lost()],
		numbers: ['N', 'n'],
		options: { advanced: { parallelRequests: 2 } },
	},
	'was carried out, after one of its number that was lost and was not': {
		faults: [notDone(), lost()],
		numbers: ['N', 'N'],
	},
	'was carried out, where Corrigo does not say what time it is': {
		faults: [
			lost(),
			rejection('/query/', { Entities: [] }, { status: 200, headers: { date: 'today' }, times: 2 }),
		],
	},
} satisfies Record<string, Scenario>;

type Name = keyof typeof found | keyof typeof doubted;

interface Result {
	run: Run;
	creates: number;
	lookUps: number;
	/** Number of orders that were added. */
	made: number;
	newest: number;
}

async function perform(scenario: Scenario, nth: number): Promise<Result> {
	const { faults, numbers = ['N'], before, output = 'simplified', options = {} } = scenario;
	const company = await openCompany({ workOrders: 6, ...scenario.sandbox });
	try {
		const { store } = company.sandbox;
		before?.(company, `N ${nth}`);
		for (const fault of faults) company.requests.fault(fault);
		const count = store.count('WorkOrder');
		const form = { additionalFields: { externalNumber: '={{ $json.x }}' }, output, options };
		const run = await withShortPauses(
			async () =>
				await company.n8n.run('workOrder:create', company.records.newOrder(form), {
					items: itemsOf(...numbers.map((number) => `${number} ${nth}`)),
					onError: 'continueErrorOutput',
					settings: scenario.retry ? { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 } : {},
				}),
			(ms) => (company.sandbox.world.clock.offset += ms),
		);
		const countSent = (part: string) =>
			company.requests.sent().filter(({ path }) => path.includes(part)).length;
		return {
			run,
			creates: countSent(CREATE),
			lookUps: countSent('/query/WorkOrder'),
			made: store.count('WorkOrder') - count,
			newest: store.ids('WorkOrder').at(-1) ?? 0,
		};
	} finally {
		await company.close();
	}
}

const results = new Map<string, Result>();
const getResult = (name: Name) => results.get(name) as Result;

// The node remembers numbers across runs, so each case has its own.
beforeAll(async () => {
	for (const [name, scenario] of Object.entries<Scenario>({ ...found, ...doubted })) {
		results.set(name, await perform(scenario, results.size));
	}
});

it.each(Object.entries<Scenario>(found))(
	'a lost create is the output, once, where it %s',
	(name, { numbers = ['N'] }) => {
		const { run, creates, lookUps, made, newest } = getResult(name as Name);
		expect(run.errorItems).toEqual([]);
		expect(jsonOf(run.items).at(-1)).toMatchObject({ Id: newest, Status: 'New' });
		expect(jsonOf(run.items).at(-1)).not.toHaveProperty('AlreadyExisted');
		expect([creates, made]).toEqual([numbers.length, numbers.length]);
		expect(new Set(jsonOf(run.items).map(({ Id }) => Id)).size).toBe(numbers.length);
		if (!name.includes('a page')) expect(lookUps).toBe(name.includes('a little later') ? 2 : 1);
		expect(hintsOf(run).join()).toMatch(
			/lost, but their records were found: an order with the external number "N \d+" that can only be its own/,
		);
	},
);

it('a lost create is found where another Company has an equal order', async () => {
	await perform({ faults: [] }, 97);
	const { run, newest } = await perform({ faults: [lost()], sandbox: { company: 'Copy' } }, 97);
	expect(jsonOf(run.items)).toEqual([some({ Id: newest })]);
});

it('a lost create has the usual form in the raw output', async () => {
	const { run, newest } = await perform({ faults: [lost()], output: 'raw' }, 98);
	expect(jsonOf(run.items)).toEqual([{ CommandResult: { Wo: some({ Id: newest }) } }]);
});

// Promise: A create without an answer is looked up
it.each(Object.entries<Scenario>(doubted))(
	'a lost create remains in doubt, and is not sent again, where it %s',
	(name, { numbers = ['N'] }) => {
		const { run, creates } = getResult(name as Name);
		expect(creates).toBe(numbers.length);
		expect(run.errorItems.length).toBeGreaterThan(0);
		for (const { json } of run.errorItems) {
			expect(json.message).toMatch(/may have been carried out/);
			expect(json.message).toMatch(
				/An order with the external number "[Nn] \d+" that can only be its own was not there 5 seconds later; it may still appear\./,
			);
		}
	},
);

it('a lost create is not matched with an order of its number that the run created before', () => {
	const { run, made } = getResult('was not carried out, after one of its number');
	expect([run.items.length, run.errorItems.length, made]).toEqual([1, 1, 1]);
});

it.each<Name>([
	'was carried out or not, with another one lost at the same time',
	'was carried out, after one of its number that was lost and was not',
])('an order is matched with neither of two lost creates, where it %s', (name) => {
	const { run, made } = getResult(name);
	expect([run.items.length, run.errorItems.length, made]).toEqual([0, 2, 1]);
});

it('a create that is not lost takes no further request', async () => {
	const { run, creates, lookUps } = await perform({ faults: [], numbers: ['A', 'B', 'A'] }, 99);
	expect([run.items.length, creates, lookUps]).toEqual([3, 3, 0]);
});

it('a create that provably did not run is not looked up', async () => {
	const refused = lost({ kind: 'status', status: 400 });
	const { run, creates, lookUps } = await perform({ faults: [refused], numbers: ['A', 'A'] }, 100);
	expect([run.items.length, run.errorItems.length, creates, lookUps]).toEqual([1, 1, 2, 0]);
});

it('a lost create is found where an earlier one of its number was rejected', async () => {
	const faults = [lost({ kind: 'status', status: 400 }), lost()];
	const { run, creates, made, newest } = await perform({ faults, numbers: ['A', 'A'] }, 101);
	expect([run.errorItems.length, creates, made]).toEqual([1, 2, 1]);
	expect(jsonOf(run.items)).toEqual([some({ Id: newest })]);
});
