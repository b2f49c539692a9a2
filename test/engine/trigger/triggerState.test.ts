/** State that is foreign, broken or from the future does no damage, and the trigger reports it. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { CorrigoTrigger } from '../../../nodes/Corrigo/CorrigoTrigger.node';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { actAsColleague, workOrderShape } from '../../../sandbox/desktop';
import { activate } from '../../support/activeTrigger';
import { byName, connectEngine, idsOf, jsonOf } from '../../support/company';
import type { Engine } from '../../support/engine';

const NOW = Date.UTC(2026, 0, 15, 12);
const MINUTE = 60_000;
const STARTS_OVER = [expect.stringContaining('starts over') as unknown];

let now = NOW;
let sandbox: Sandbox;
let engine: Engine;

beforeAll(async () => {
	sandbox = await startSandbox({ workOrders: 20, strict: true, now: () => now });
	engine = connectEngine(sandbox, { corrigoTrigger: CorrigoTrigger });
});

beforeEach(() => {
	now = NOW;
	// Time passes for n8n, too.
	jest.spyOn(Date, 'now').mockImplementation(() => now);
	sandbox.world.reset();
	sandbox.forgetRequests();
});

afterAll(async () => await sandbox.close());

const orders = { event: 'workOrderUpdated', output: 'selected', properties: 'Id' };
const contacts = { event: 'record', entity: byName('Contact') };

let polls = 0;

/** Polls as another process of n8n, which remembers nothing of the node with this name. */
const poll = async (staticData: unknown, parameters: INodeParameters = orders) =>
	await engine.poll('corrigoTrigger', {
		parameters,
		staticData: staticData as IDataObject,
		settings: { name: `Trigger ${++polls}` },
	});

/** A poll that has to succeed. */
async function polled(staticData: unknown, parameters?: INodeParameters) {
	const { items, staticData: state, error, warnings } = await poll(staticData, parameters);
	expect(error).toBeUndefined();
	return { ids: idsOf(jsonOf(items ?? [])), state, warnings };
}

/** Changes an order as a person would, minutes after the last change. */
function change(index: number, minutes = 1): number {
	now += minutes * MINUTE;
	const { Id } = sandbox.store.rows('WorkOrder')[index];
	actAsColleague(sandbox.world, workOrderShape.parse({ id: Id, note: 'changed' }));
	return Id;
}

/** The state of a trigger that has returned one change. */
async function running(parameters?: INodeParameters) {
	const { state } = await polled({}, parameters);
	change(0);
	return (await polled(state, parameters)).state;
}

/** Expects that each further change is returned once. */
async function expectToWork(state: IDataObject, parameters?: INodeParameters) {
	const id = change(3, 10);
	const next = await polled(state, parameters);
	expect(next).toMatchObject({ ids: [id], warnings: [] });
	expect(await polled(next.state, parameters)).toMatchObject({ ids: [], warnings: [] });
}

// Promise: Broken state stops no trigger
it.each<[string, (state: IDataObject) => unknown]>([
	[
		'of another event',
		(state) => ({ ...state, feed: '["Sandbox Facilities","WoNote","Id","now"]' }),
	],
	['of another node', () => ({ lastItemDate: '2026-01-01', seen: [1, 2] })],
	['of an unknown version', ({ feed }) => ({ feed, version: 9, place: { time: 1, id: 2 } })],
	['with places that are none', (state) => ({ ...state, edge: 'x', newest: 7, known: null })],
	[
		'with a place of the other kind',
		(state) => ({ ...state, edge: '12', newest: '12', known: '' }),
	],
	[
		'with days that are none',
		(state) => ({ ...state, edge: '1 2026-13-41T25:00:00.0000000', newest: {}, known: '' }),
	],
	['of 10 MB of something else', () => ({ junk: 'x'.repeat(10_000_000) })],
])(
	'a trigger with a state %s starts over, warns, and drops the old state',
	async (_what, spoil) => {
		const state = spoil(await running());
		const old = change(1);
		const restarted = await polled(state);

		expect(restarted).toMatchObject({ ids: [], warnings: STARTS_OVER });
		const members = 'edge feed known lead newest polled process revision selection'.split(' ');
		expect(Object.keys(restarted.state).sort()).toEqual(members);
		expect(JSON.stringify(restarted.state)).toContain(String(old));
		await expectToWork(restarted.state);
	},
);

it('a trigger with the state of another node starts at the given start time', async () => {
	const given = { ...orders, startFrom: 'time', startTime: '2026-01-15T12:00:00' };
	const ids = [change(0), change(1)];
	const restarted = await polled({ lastItemDate: '2026-01-01' }, given);

	expect(restarted).toMatchObject({ ids, warnings: STARTS_OVER });
	await expectToWork(restarted.state, given);
});

it('a trigger continues, warns and misses nothing when a part of its state is broken', async () => {
	const state = await running();
	const id = change(1);
	const next = await polled({ ...state, known: 'all' });

	// Orders of the last minutes before the activation may come again as well.
	expect(next.ids.slice(-2)).toEqual([50_001, id]);
	expect(next.warnings[0]).toContain('cannot be read');
	await expectToWork(next.state);
});

it.each(['{"edge":', 'null', '7', 7, null, { edge: 1 }])(
	'a trigger continues when what it has delivered last is stored as %p',
	async (last) => {
		const again = { ...orders, options: { delivery: 'atLeastOnce' } };
		const state = await running(again);
		const id = change(1);
		const next = await polled({ ...state, process: 'another', last }, again);
		expect(next.ids).toEqual([id]);
	},
);

describe('a cursor in 2090', () => {
	const ahead = '1 2090-01-01T00:00:00.0000000';

	it('is moved back to a few minutes ago, once', async () => {
		const state = { ...(await running()), edge: ahead };
		const id = change(1);
		// Both clocks agree.
		const { ids, warnings, state: back } = await polled(state);
		expect(ids).toEqual([]);
		expect(warnings).toEqual([expect.stringContaining("ahead of Corrigo's clock")]);
		const found = await polled(back);
		expect(found).toMatchObject({ ids: [id], warnings: [] });
		await expectToWork(found.state);
	});

	it('does not result from a single record with such a date', async () => {
		const { state } = await polled({});
		const { Id } = sandbox.store.rows('WorkOrder')[5];
		sandbox.store.change('WorkOrder', Id, { LastActionDateUtc: '2090-01-01T00:00:00Z' });
		const first = await polled(state);
		expect(first).toMatchObject({ ids: [Id], warnings: [] });
		await expectToWork(first.state);
	});
});

it.each([
	['a text', 'state'],
	['a list', ['a']],
	['a number', 7],
	['nothing', null],
])('a trigger rejects %s as its state, and says to rename the node', async (_what, staticData) => {
	const { error, items } = await poll(staticData);
	expect(items).toBeNull();
	expect(error?.message).toContain('not a trigger state');
	expect(error?.description).toContain('Rename the node');
	expect(sandbox.requestsTo('api')).toEqual([]);
});

it('goes on from the newest record of a restored Company, whose IDs are lower', async () => {
	const { poll: pollFirst, state, load, insert } = await activate(contacts);
	expect(await pollFirst()).toEqual([]);
	const { revision, ...stored } = state();
	expect(revision).toBeDefined();
	const ahead = { ...stored, edge: '900000', newest: '900100', known: '900100' };
	const again = load({ staticData: ahead });
	// One answer proves nothing.
	expect([await again(), await again()]).toEqual([[], []]);
	const Id = insert('Contact', { LastName: 'New' });
	expect(await again()).toMatchObject([{ Id }]);
	expect(await again()).toEqual([]);
});
