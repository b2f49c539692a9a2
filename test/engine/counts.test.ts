import { ExecuteContext } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { countingTraffic } from '../../bench/traffic';
import { CorrigoApi } from '../../credentials/CorrigoApi.credentials';
import { CorrigoTrigger } from '../../nodes/Corrigo/CorrigoTrigger.node';
import { byId, itemsOf, jsonOf, openDesk, type Desk, rejection, eachId } from './desk';
import { createEngine } from './engine';

const ORDERS = 5500;

let desk: Desk;

beforeAll(async () => {
	desk = await openDesk({ workOrders: ORDERS });
});

beforeEach(() => {
	desk.sandbox.clearFaults();
	desk.sandbox.forgetRequests();
	desk.store({ accessToken: '' });
});

afterAll(async () => {
	await desk.close();
});

const ids = (count: number) => itemsOf(...desk.sandbox.store.ids('WorkOrder').slice(0, count));
const numbers = (count: number) =>
	itemsOf(
		...desk
			.rows('WorkOrder')
			.slice(0, count)
			.map(({ Number: number }) => number),
	);
const nothing = (count: number) => itemsOf(...Array.from({ length: count }, (_, index) => index));

const byNumber = { __rl: true, mode: 'number', value: '={{ $json.x }}' } as INodeParameters;
const ONE_SESSION = { tokens: 1, discoveries: 1 };

/** The required members of `WoCreateCommand`, from the seeded data. */
function newOrder(): INodeParameters {
	const { store } = desk.sandbox;
	const [space] = store.rows('Space');
	const [task] = store.rows('Task');
	const subType = store.rows('WorkOrderType').find(({ IsDefSR }) => IsDefSR === true);
	const asset = (space.Asset as { Id: number }).Id;
	return {
		typeCategory: 'Request',
		subType: byId(subType?.Id),
		customer: byId(space.CustomerId),
		items: { values: [{ asset: byId(asset), task: byId(task.Id), comment: 'Counted' }] },
	};
}

const change: INodeParameters = {
	id: eachId,
	fieldsJson: '={{ ({ PoNumber: `PO ${$json.x}` }) }}',
};
const inParallel = (parallelRequests: number): INodeParameters => ({
	options: { advanced: { parallelRequests } },
});

interface Count {
	operation: string;
	parameters: () => INodeParameters;
	items?: () => ReturnType<typeof itemsOf>;
	results: number;
	requests: number;
	/** Maximum number of concurrent requests. */
	atOnce: number;
}

const all: INodeParameters = { returnAll: true, properties: 'Id,Number' };

const counts: Record<string, Count> = {
	'one work order by its ID: one GET': {
		operation: 'workOrder:get',
		parameters: () => ({ id: eachId }),
		items: () => ids(1),
		results: 1,
		requests: 1,
		atOnce: 1,
	},
	'1,000 work orders by ID: two queries': {
		operation: 'workOrder:get',
		parameters: () => ({ id: eachId }),
		items: () => ids(1000),
		results: 1000,
		requests: 2,
		atOnce: 2,
	},
	'1,000 work orders by number: three queries more': {
		operation: 'workOrder:get',
		parameters: () => ({ id: byNumber }),
		items: () => numbers(1000),
		results: 1000,
		requests: 5,
		atOnce: 2,
	},
	'50 of many: one page': {
		operation: 'workOrder:getMany',
		parameters: () => ({ limit: 50 }),
		results: 50,
		requests: 1,
		atOnce: 1,
	},
	'all of 5,500: pages of 4,000 and 1,500, and the newest ID': {
		operation: 'workOrder:getMany',
		parameters: () => all,
		results: ORDERS,
		requests: 3,
		atOnce: 2,
	},
	'all of 5,500 one after the other: no look for the newest ID': {
		operation: 'workOrder:getMany',
		parameters: () => ({ ...all, ...inParallel(1) }),
		results: ORDERS,
		requests: 2,
		atOnce: 1,
	},
	'names from other records: no request more': {
		operation: 'workOrder:getMany',
		parameters: () => ({ ...all, properties: 'Number,Customer.DisplayAs,WorkZone.DisplayAs' }),
		results: ORDERS,
		requests: 3,
		atOnce: 2,
	},
	// Each range ends with its last possible ID; the final range ends with a look for more rows.
	'all of 5,500 in pages of 500, four at a time: eleven, the newest ID, and a look for more': {
		operation: 'workOrder:getMany',
		parameters: () => ({ ...all, options: { advanced: { pageSize: 500 } } }),
		results: ORDERS,
		requests: 13,
		atOnce: 4,
	},
	'a count of 5,500: what reading them takes': {
		operation: 'workOrder:getMany',
		parameters: () => ({ return: 'count' }),
		results: 1,
		requests: 3,
		atOnce: 2,
	},
	'a count of 5,500 by customer, one page after the other': {
		operation: 'workOrder:getMany',
		parameters: () => ({ return: 'groups', groupBy: 'Customer', ...inParallel(1) }),
		results: 60,
		requests: 2,
		atOnce: 1,
	},
	'50 new work orders: one after the other': {
		operation: 'workOrder:create',
		parameters: newOrder,
		items: () => nothing(50),
		results: 50,
		requests: 50,
		atOnce: 1,
	},
	'50 new work orders: ten at a time': {
		operation: 'workOrder:create',
		parameters: () => ({ ...newOrder(), ...inParallel(10) }),
		items: () => nothing(50),
		results: 50,
		requests: 50,
		atOnce: 10,
	},
	'100 changed work orders: ten at a time': {
		operation: 'workOrder:update',
		parameters: () => ({ ...change, ...inParallel(10) }),
		items: () => ids(100),
		results: 100,
		requests: 100,
		atOnce: 10,
	},
};

/** Delay that is long enough for concurrent requests to overlap. */
const LATENCY_MS = 10;

it('a field without an expression is evaluated once, however many items there are', async () => {
	const context = ExecuteContext.prototype as unknown as Record<'_getNodeParameter', () => void>;
	const asked = jest.spyOn(context, '_getNodeParameter');
	await desk.run('workOrder:get', { id: eachId }, { items: ids(100) });
	const times: Record<string, number> = {};
	for (const [name] of asked.mock.calls as unknown as string[][]) {
		times[name] = (times[name] ?? 0) + 1;
	}
	asked.mockRestore();
	const { id, resource, operation, ...others } = times;
	expect(id).toBe(100);
	// The node evaluates these two once to select the operation.
	expect([resource, operation]).toEqual([1, 1]);
	expect(new Set(Object.values(others))).toEqual(new Set([1]));
});

describe('requests for', () => {
	it.each(Object.entries(counts))('%s', async (_name, count) => {
		const { operation, parameters, items, results, requests, atOnce } = count;
		desk.sandbox.set({ latencyMs: atOnce > 1 ? LATENCY_MS : 0 });
		const { result, traffic } = await countingTraffic(
			async () => await desk.run(operation, parameters(), items ? { items: items() } : {}),
		);
		expect(result.error).toBeUndefined();
		expect(result.items).toHaveLength(results);
		expect(desk.sent()).toHaveLength(requests);
		expect(desk.sessions()).toEqual(ONE_SESSION);
		const probes = desk.sandbox.requestsTo('api').length - requests;
		expect(probes).toBeLessThanOrEqual(1);
		expect(traffic).toEqual({ requests: requests + probes + 2, mostAtOnce: atOnce });
	});

	it('a search in a list takes one request', async () => {
		const { results } = await desk.engine.listSearch('searchWorkOrders', { filter: 'a' });
		expect(results).toHaveLength(100);
		expect(desk.sent()).toHaveLength(1);
		expect(desk.sessions()).toEqual(ONE_SESSION);
	});

	it('a poll with 5,000 changes takes two pages', async () => {
		const { store } = desk.engine;
		const engine = createEngine({
			nodes: { corrigoTrigger: CorrigoTrigger },
			credentialTypes: [CorrigoApi],
			credentials: { corrigoApi: { id: '1', data: desk.stored() as IDataObject } },
			store,
		});
		const { items } = await engine.poll('corrigoTrigger', {
			parameters: {
				event: 'workOrderAction',
				returns: 'event',
				startFrom: 'time',
				startTime: '2000-01-01T00:00:00Z',
			},
		});
		expect(items).toHaveLength(5000);
		expect(desk.sent()).toHaveLength(2);
		expect(desk.sessions()).toEqual(ONE_SESSION);
	});
});

describe('concurrent writes', () => {
	const [first, second] = [0, 1].map((index) => () => desk.sandbox.store.ids('WorkOrder')[index]);
	const update = async (...changes: Array<[id: number, number: string]>) =>
		await countingTraffic(
			async () =>
				await desk.run(
					'workOrder:update',
					{
						// A number for some items and a text for others: both mean one record.
						id: byId('={{ $itemIndex % 2 ? $json.x[0] : String($json.x[0]) }}'),
						fieldsJson: '={{ ({ PoNumber: $json.x[1] }) }}',
						...inParallel(10),
					},
					{ items: itemsOf(...changes) },
				),
		);
	const written = () =>
		desk.sent().map(({ body }) => {
			const { Entity } = body as { Entity: { Id: number; PoNumber: string } };
			return [Entity.Id, Entity.PoNumber];
		});

	beforeEach(() => {
		desk.sandbox.set({ latencyMs: LATENCY_MS });
	});

	it('to one record run one by one, in item order', async () => {
		const changes = ['1', '2', '3', '4', '5'].map((po): [number, string] => [first(), po]);
		const { result, traffic } = await update(...changes);
		expect(result.items).toHaveLength(5);
		expect(written()).toEqual(changes);
		expect(traffic.mostAtOnce).toBe(1);
	});

	it('by commands to one order run one by one, in item order', async () => {
		const comments = ['1', '2', '3', '4', '5'];
		const { result, traffic } = await countingTraffic(
			async () =>
				await desk.run(
					'invoice:changeApStatus',
					{
						id: byId(first()),
						apStatus: byId(2),
						additionalFields: { comment: '={{ $json.x }}' },
						...inParallel(10),
					},
					{ items: itemsOf(...comments) },
				),
		);
		expect(result.items).toHaveLength(5);
		const sent = desk.sent().map(({ body }) => (body as { Command: IDataObject }).Command.Comment);
		expect(sent).toEqual(comments);
		expect(traffic.mostAtOnce).toBe(1);
	});

	it('to two records run concurrently, and their output is in item order', async () => {
		const changes = ['1', '2', '3'].flatMap(
			(po): Array<[number, string]> => [
				[first(), po],
				[second(), po],
			],
		);
		const { result, traffic } = await update(...changes);
		expect(jsonOf(result.items).map(({ Id }) => Id)).toEqual(changes.map(([id]) => id));
		for (const id of [first(), second()]) {
			expect(written().filter(([one]) => one === id)).toEqual([
				[id, '1'],
				[id, '2'],
				[id, '3'],
			]);
		}
		expect(traffic.mostAtOnce).toBe(2);
	});

	it.each([1, 5])('stop at the first failure, %d at a time', async (parallelRequests) => {
		desk.fault(
			rejection(
				{ server: 'api' },
				{ ErrorCode: 'INCORRECT_MODEL', ErrorMessage: 'No' },
				{ times: parallelRequests },
			),
		);
		const run = await desk.run(
			'workOrder:update',
			{ ...change, ...inParallel(parallelRequests) },
			{ items: ids(50) },
		);
		expect(run.error?.message).toContain('No');
		expect(desk.sent()).toHaveLength(parallelRequests);
	});

	it('all run with Continue On Fail', async () => {
		desk.fault(rejection({ server: 'api' }, { ErrorCode: 'INCORRECT_MODEL', ErrorMessage: 'No' }));
		const run = await desk.run(
			'workOrder:update',
			{ ...change, ...inParallel(5) },
			{ items: ids(50), onError: 'continueErrorOutput' },
		);
		expect(run.errorItems).toHaveLength(1);
		expect(run.items).toHaveLength(49);
		expect(desk.sent()).toHaveLength(50);
	});
});
