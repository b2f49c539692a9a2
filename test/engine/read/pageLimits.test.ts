/**
 * Nothing is missing from what an operation returns or concludes, whatever page limit of at least 100 rows the Company has.
 * test/records/query.test.ts has the ways to read pages.
 */
import fc from 'fast-check';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { cases } from '../../cases';
import {
	byId,
	byName,
	byNumber,
	eachId,
	errorsOf,
	getId,
	idsOf,
	itemsOf,
	jsonOf,
	shareCompany,
} from '../../support/company';

const ORDERS = 130;
const company = shareCompany({ workOrders: ORDERS, customers: ORDERS });
const { n8n, records, requests } = company;

const ids = () => records.ids('WorkOrder');
const customers = () =>
	records.rows('Customer').map(({ TenantCode, DisplayAs }) => ({ TenantCode, DisplayAs }));

const succeed = async (operation: string, parameters: object, items?: INodeExecutionData[]) =>
	jsonOf((await n8n.succeed(operation, parameters, { items })).items);

const ofOrders = async (operation: string, parameters: object) =>
	await succeed(operation, parameters, itemsOf(...ids()));
const LONG_AGO = '2000-01-01T00:00:00';

const reads: Record<string, () => Promise<IDataObject[]>> = {
	'Return All': async () => await succeed('workOrder:getMany', { returnAll: true }),
	'a count in groups': async () =>
		await succeed('workOrder:getMany', { return: 'groups', groupBy: 'Customer' }),
	'Get of existing orders': async () => await ofOrders('workOrder:get', { id: eachId }),
	'Get by number': async () => {
		const items = itemsOf(...idsOf(records.rows('WorkOrder'), 'Number'));
		return await succeed('workOrder:get', { id: byNumber('={{ $json.x }}') }, items);
	},
	'Get History': async () =>
		await succeed('workOrder:getHistory', { id: eachId }, itemsOf(...ids().slice(0, 20))),
	'Get Changes': async () =>
		await succeed('workOrder:getChanges', { event: 'workOrderCreated', from: LONG_AGO }),
	'Get Performance': async () =>
		await succeed('workOrder:getPerformance', {
			...{ when: 'after', time: LONG_AGO },
			groupedBy: ['customer', 'week'],
		}),
	'Create or Update': async () =>
		await succeed(
			'customer:upsert',
			{ fieldsJson: '={{ $json }}', matchOn: 'TenantCode' },
			customers().map((json) => ({ json }) as INodeExecutionData),
		),
};

/** Runs an operation in a Company without a page limit, and in Companies with one: all return the same. */
async function compare<T>(
	run: () => Promise<T>,
	limits: fc.Arbitrary<number>,
	numRuns: number,
	...examples: number[]
): Promise<T> {
	const expected = await run();
	const property = fc.asyncProperty(limits, async (mostRows) => {
		company.fresh();
		company.sandbox.set({ mostRows });
		expect(await run()).toEqual(expected);
	});
	await fc.assert(property, { numRuns, examples: examples.map((one): [number] => [one]) });
	return expected;
}

// Promise: *Return All* returns every record once
it.each(Object.keys(reads))(
	'%s returns the same with every page limit, which costs one more request for each entity at most',
	async (name) => {
		const limits = fc.oneof(
			fc.integer({ min: 100, max: 135 }),
			fc.integer({ min: 100, max: 4000 }),
		);
		const rows = await compare(reads[name], limits, cases(3, 50), 100, 115, 129);
		expect(rows.length).toBeGreaterThan(20);
		company.fresh();
		await reads[name]();
		const all = company.sandbox.requestsTo('api').map(({ path }) => path);
		const probes = all.length - requests.sent().length;
		expect(probes).toBeLessThanOrEqual(new Set(all).size);
	},
);

const LINES = 130;

const JUST_OPENED = {
	...{ StatusId: 'Open', SubType: { Id: 24 } },
	CreatedDateUtc: new Date(Date.now() - 3_600_000).toISOString(),
};

/** Runs an operation that reads before it writes; what it says and sends must not depend on the limit. */
async function write(operation: string, parameters: object, items?: INodeExecutionData[]) {
	const options = { returnBefore: true, advanced: { requestId: 'R-1' } };
	const more = { items, onError: 'continueErrorOutput' } as const;
	const run = await n8n.run(operation, { ...parameters, options }, more);
	return { items: jsonOf(run.items), errors: errorsOf(run), bodies: requests.bodies() };
}

type Writing = ReturnType<typeof write>;
const writes: Record<string, { run: () => Writing; check: (done: Awaited<Writing>) => void }> = {
	'Receive of everything': {
		run: async () => {
			const [order] = records.ids('ReplenishmentOrder');
			for (let line = 0; line < LINES; line++) {
				const row = { ReplenishmentOrderId: order, Product: { Id: 1 }, QtyOrdered: 5 };
				records.insert('ReplenishmentOrderItem', row);
			}
			return await write('purchaseOrder:receive', { id: byId(order), received: 'all' });
		},
		check: ({ bodies: [{ Entity }] }) => expect(Entity.Items).toHaveLength(LINES + 2),
	},
	'Get by names, one of which two records have': {
		run: async () => {
			const [{ WorkZone }, ...others] = records.rows('Customer');
			const taken = others.slice(0, 120).map(({ DisplayAs }) => String(DisplayAs));
			records.insert('Customer', { ...records.newCustomer('Nine'), WorkZone, DisplayAs: taken[3] });
			return await write('customer:get', { id: byName('={{ $json.x }}') }, itemsOf(...taken));
		},
		check: ({ items, errors }) => {
			expect(errors).toEqual([expect.stringContaining('more than one customer')]);
			expect(items).toHaveLength(119);
		},
	},
	'Create, unless an order is open': {
		run: async () => {
			const open = records.rows('WorkOrder').slice(0, 120);
			for (const { Id } of open) records.change('WorkOrder', Id, JUST_OPENED);
			const alarms = open.map(({ Id, Customer }) => {
				const [{ Asset, Task }] = records.children('WoItem', 'WorkOrderId', Id);
				return { customer: getId(Customer), asset: getId(Asset), task: getId(Task) };
			});
			const item = { asset: byId('={{ $json.x.asset }}'), task: byId('={{ $json.x.task }}') };
			const form = {
				...records.newOrder({ customer: byId('={{ $json.x.customer }}') }),
				items: { values: [item] },
				preventDuplicates: { skipIfOpenOrderExists: 'asset' },
			};
			return await write('workOrder:create', form, itemsOf(...alarms));
		},
		check: ({ items, errors, bodies }) => {
			expect(errors).toEqual([]);
			expect(items).toHaveLength(120);
			expect(bodies).toEqual([]);
		},
	},
};

// Promise: *Return All* returns every record once
it.each(Object.keys(writes))('%s writes the same with every page limit', async (name) => {
	const { run, check } = writes[name];
	const limits = fc.integer({ min: 100, max: LINES });
	check(await compare(run, limits, cases(3, 31), 100, 115, 129));
});

it('a list of the editor goes on after a page of 100 rows', async () => {
	company.sandbox.set({ mostRows: 100 });
	const found: unknown[] = [];
	let paginationToken: unknown;
	do {
		const page = await n8n.engine.listSearch('searchWorkOrders', {
			parameters: { resource: 'workOrder', operation: 'get' },
			paginationToken: paginationToken as string | undefined,
		});
		found.push(...page.results.map(({ value }) => Number(value)));
		({ paginationToken } = page);
	} while (paginationToken !== undefined);
	expect(new Set(found)).toEqual(new Set(ids()));
	expect(found).toHaveLength(ORDERS);
});
