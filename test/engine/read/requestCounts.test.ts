import { ExecuteContext } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';

import { countingTraffic } from '../../../bench/traffic';
import { CorrigoTrigger } from '../../../nodes/Corrigo/CorrigoTrigger.node';
import {
	byId,
	byName,
	itemsOf,
	jsonOf,
	rejection,
	eachId,
	byNumber,
	connectEngine,
	idsOf,
	shareCompany,
} from '../../support/company';

const ORDERS = 4500;

const company = shareCompany({ workOrders: ORDERS });

beforeEach(() => company.n8n.store({ accessToken: '' }));

const ids = (count: number) => itemsOf(...company.records.ids('WorkOrder', count));
const numbers = (count: number) =>
	itemsOf(...idsOf(company.records.rows('WorkOrder').slice(0, count), 'Number'));
const nothing = (count: number) => itemsOf(...Array.from({ length: count }, (_, index) => index));

const ONE_SESSION = { tokens: 1, discoveries: 1 };

const change: INodeParameters = {
	id: eachId,
	fieldsJson: '={{ ({ PoNumber: `PO ${$json.x}` }) }}',
};
const inParallel = (parallelRequests: number): INodeParameters => ({
	options: { advanced: { parallelRequests } },
});

const all: INodeParameters = { returnAll: true, properties: 'Id,Number' };

interface Count {
	parameters: () => INodeParameters;
	items?: () => ReturnType<typeof itemsOf>;
	/** How many results and requests there are, and how many requests run at once. */
	expected: [results: number, requests: number, atOnce: number];
	/** Set if one request more finds out whether the page limit has cut off an answer. */
	probes?: 1;
}

const reading = (count: number): Count => ({
	parameters: () => ({ id: eachId }),
	items: () => ids(count),
	expected: [count, Math.ceil(count / 500), count > 500 ? 2 : 1],
});

const listing = (parameters: INodeParameters, expected: Count['expected']): Count => ({
	parameters: () => parameters,
	expected,
});

const creating = (atOnce: number): Count => ({
	parameters: () => ({ ...company.records.newOrder(), ...inParallel(atOnce) }),
	items: () => nothing(20),
	expected: [20, 20, atOnce],
});

const counts: Record<string, Record<string, Count>> = {
	'workOrder:get': {
		'one work order by its ID: one GET': reading(1),
		'1,000 work orders by ID, 100 of them twice: two queries': {
			...reading(1000),
			items: () => ids(1000).flatMap((one, index) => (index % 10 === 0 ? [one, one] : [one])),
			expected: [1100, 2, 2],
		},
		'500 work orders with their items: two queries, as their answers are long': {
			...reading(500),
			parameters: () => ({ id: eachId, output: 'selected', properties: 'Number,Items.*' }),
			expected: [500, 2, 1],
		},
		'1,000 work orders by number: three queries more': {
			parameters: () => ({ id: byNumber('={{ $json.x }}') }),
			items: () => numbers(1000),
			expected: [1000, 5, 2],
			probes: 1,
		},
	},
	'customer:get': {
		'one customer by its name: two requests': {
			parameters: () => ({ id: byName(String(company.records.rows('Customer')[1].DisplayAs)) }),
			expected: [1, 2, 1],
		},
	},
	'customer:upsert': {
		'one customer that is created or updated: two requests': {
			parameters: () => {
				const [, { TenantCode }] = company.records.rows('Customer');
				return { fieldsJson: JSON.stringify({ TenantCode, Dba: 'Nine' }), matchOn: 'TenantCode' };
			},
			expected: [1, 2, 1],
		},
	},
	'workOrder:pickUp': {
		'one work order by its number: two requests': {
			parameters: () => {
				const order = company.records.rows('WorkOrder').find(({ StatusId }) => StatusId === 'New');
				return { id: byNumber(String(order?.Number)) };
			},
			expected: [1, 2, 1],
		},
	},
	'workOrder:getMany': {
		'all of 15: one page': {
			parameters: () => {
				const Id = company.records.ids('WorkOrder')[14];
				const values = [{ property: 'Id', operator: 'LessOrEqual', value: String(Id) }];
				return { ...all, conditions: { values } };
			},
			expected: [15, 1, 1],
		},
		'50 of many: one page': listing({ limit: 50 }, [50, 1, 1]),
		'all of 4,500: pages of 4,000 and 500, and the newest ID': listing(all, [ORDERS, 3, 2]),
		'names from other records: no request more': listing(
			{ ...all, properties: 'Number,Customer.DisplayAs,WorkZone.DisplayAs' },
			[ORDERS, 3, 2],
		),
		'a count of 4,500: what reading them takes': listing({ return: 'count' }, [1, 3, 2]),
		'a count of 4,500 by customer, one page after the other': listing(
			{ return: 'groups', groupBy: 'Customer', ...inParallel(1) },
			[60, 2, 1],
		),
	},
	'note:create': {
		'a note that is read back: its write, itself, and the number of its order': {
			parameters: () => ({
				...{ workOrder: byId(company.records.ids('WorkOrder')[0]), body: 'x', type: 'Public' },
				options: { returnRecord: true },
			}),
			expected: [1, 3, 1],
		},
	},
	'workOrder:create': {
		'20 new work orders: one after the other': {
			...creating(1),
			parameters: () => company.records.newOrder(),
		},
		'20 new work orders: ten at a time': creating(10),
	},
	'workOrder:update': {
		'20 changed work orders: ten at a time': {
			parameters: () => ({ ...change, ...inParallel(10) }),
			items: () => ids(20),
			expected: [20, 20, 10],
		},
	},
};

/** Delay that is long enough for concurrent requests to overlap. */
const LATENCY_MS = 10;

it('a field without an expression is evaluated once, however many items there are', async () => {
	const context = ExecuteContext.prototype as unknown as Record<'_getNodeParameter', () => void>;
	const asked = jest.spyOn(context, '_getNodeParameter');
	const evaluated = jest.spyOn(ExecuteContext.prototype, 'evaluateExpression');
	await company.n8n.run('workOrder:get', { id: eachId }, { items: ids(20) });
	const times: Record<string, number> = {};
	for (const [name] of asked.mock.calls as unknown as string[][]) {
		times[name] = (times[name] ?? 0) + 1;
	}
	const evaluations = evaluated.mock.calls.length;
	asked.mockRestore();
	evaluated.mockRestore();
	const { resource, operation, ...others } = times;
	// The expression of the ID.
	expect(evaluations).toBe(20);
	// The node evaluates these two once to select the operation.
	expect([resource, operation]).toEqual([1, 1]);
	expect(new Set(Object.values(others))).toEqual(new Set([1]));
});

describe('requests for', () => {
	const cases = Object.entries(counts).flatMap(([operation, all]) =>
		Object.entries(all).map(([title, count]) => ({ title, operation, ...count })),
	);

	// Promise: Costs, and records of many items by ID or number
	it.each(cases)('$title', async ({ operation, parameters, items, expected, probes = 0 }) => {
		const [results, requests, atOnce] = expected;
		company.sandbox.set({ latencyMs: atOnce > 1 ? LATENCY_MS : 0 });
		const { result, traffic } = await countingTraffic(
			async () => await company.n8n.run(operation, parameters(), items ? { items: items() } : {}),
		);
		expect(result.error).toBeUndefined();
		expect(result.items).toHaveLength(results);
		expect(company.requests.sent()).toHaveLength(requests);
		expect(company.requests.sessions()).toEqual(ONE_SESSION);
		expect(company.sandbox.requestsTo('api')).toHaveLength(requests + probes);
		expect(traffic).toEqual({ requests: requests + probes + 2, mostAtOnce: atOnce });
	});

	it('a poll with 5,000 changes takes two pages, and what they tell in words', async () => {
		const { store } = company.n8n.engine;
		const engine = connectEngine(company.sandbox, { corrigoTrigger: CorrigoTrigger }, store);
		const { items } = await engine.poll('corrigoTrigger', {
			parameters: {
				...{ event: 'workOrderAction', returns: 'event' },
				...{ startFrom: 'time', startTime: '2000-01-01T00:00:00Z' },
			},
		});
		expect(items).toHaveLength(5000);
		// The details of 500 actions tell from which status they led.
		const counts = { WoActionLog: 2, WoActionLogProp: 7, WoActionReasonLookup: 2 };
		for (const [entity, count] of Object.entries(counts)) {
			expect(
				company.requests.sent().filter(({ path }) => path.endsWith(`/${entity}`)),
			).toHaveLength(count);
		}
		expect(company.requests.sessions()).toEqual(ONE_SESSION);
	});
});

describe('concurrent writes', () => {
	const [first, second] = [0, 1].map((index) => () => company.records.ids('WorkOrder')[index]);
	const write = async (operation: string, form: INodeParameters, values: unknown[]) =>
		await countingTraffic(
			async () =>
				await company.n8n.run(
					operation,
					{ ...form, ...inParallel(10) },
					{ items: itemsOf(...values) },
				),
		);
	const form = {
		// A number for some items and a text for others: both mean one record.
		id: byId('={{ $itemIndex % 2 ? $json.x[0] : String($json.x[0]) }}'),
		fieldsJson: '={{ ({ PoNumber: $json.x[1] }) }}',
	};
	const update = async (...changes: Array<[id: number, number: string]>) =>
		await write('workOrder:update', form, changes);
	const written = () => company.requests.bodies().map(({ Entity }) => [Entity.Id, Entity.PoNumber]);

	const INCORRECT = { ErrorCode: 'INCORRECT_MODEL', ErrorMessage: 'No' };

	beforeEach(() => company.sandbox.set({ latencyMs: LATENCY_MS }));

	it('by commands to one order run one by one, in item order', async () => {
		const comments = ['1', '2', '3', '4', '5'];
		const additionalFields = { comment: '={{ $json.x }}' };
		const status = { id: byId(first()), apStatus: byId(2), additionalFields };
		const { result, traffic } = await write('invoice:changeApStatus', status, comments);
		expect(result.items).toHaveLength(5);
		expect(idsOf(company.requests.commands(), 'Comment')).toEqual(comments);
		expect(traffic.mostAtOnce).toBe(1);
	});

	it('to two records run concurrently, and their output is in item order', async () => {
		const changes = ['1', '2', '3'].flatMap((po) =>
			[first(), second()].map((id): [number, string] => [id, po]),
		);
		const { result, traffic } = await update(...changes);
		expect(idsOf(jsonOf(result.items))).toEqual(changes.map(([id]) => id));
		for (const id of [first(), second()]) {
			expect(written().filter(([one]) => one === id)).toEqual(
				['1', '2', '3'].map((po) => [id, po]),
			);
		}
		expect(traffic.mostAtOnce).toBe(2);
	});

	it.each([1, 5])('stop at the first failure, %d at a time', async (parallelRequests) => {
		company.requests.fault(rejection({ server: 'api' }, INCORRECT, { times: parallelRequests }));
		const run = await company.n8n.run(
			'workOrder:update',
			{ ...change, ...inParallel(parallelRequests) },
			{ items: ids(20) },
		);
		expect(run.error?.message).toContain('No');
		expect(company.requests.sent()).toHaveLength(parallelRequests);
	});
});
