import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { countingTraffic } from '../../bench/traffic';
import { byId, byName, jsonOf, sharedDesk } from './desk';

const desk = sharedDesk({ workOrders: 5 });

const orders = () => desk.rows('ReplenishmentOrder');
const linesOf = (Id: number) =>
	desk
		.children('ReplenishmentOrderItem', 'ReplenishmentOrderId', Id)
		.map(({ QtyOrdered, QtyReceived }) => [QtyOrdered, QtyReceived]);
const written = () => desk.sent().filter(({ method }) => method === 'PUT');

const receive = async (parameters: object, ...jsons: IDataObject[]) =>
	await desk.run('purchaseOrder:receive', parameters, {
		items: jsons.length > 0 ? jsons.map((json) => ({ json })) : undefined,
	});

const chosen = (Id: number, ...values: IDataObject[]) => ({
	id: byId(Id),
	received: 'chosen',
	products: { values },
});

describe('what a purchase order received', () => {
	it('is everything that was ordered, with one look-up for all orders', async () => {
		const [first, second] = orders();
		const { error, items } = await receive(
			{ id: byId('={{ $json.order }}') },
			{ order: first.Id },
			{ order: second.Id },
		);
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ Id: first.Id }, { Id: second.Id }]);
		expect(linesOf(first.Id)).toEqual([
			[10, 10],
			[40, 40],
		]);
		expect(linesOf(second.Id)).toEqual([[100, 100]]);
		expect(desk.sent().map(({ method }) => method)).toEqual(['POST', 'PUT', 'PUT']);
	});

	it('is at least what was recorded before, so a delivery in excess is not lowered', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(
					fc.record({
						ordered: fc.constantFrom(undefined, null, 0, 0.5, 7, 1000),
						received: fc.constantFrom(undefined, null, 0, 0.5, 7, 50, 1000),
					}),
					{ minLength: 1, maxLength: 4 },
				),
				async (lines) => {
					const { store } = desk.sandbox;
					const [{ Id }] = orders();
					for (const { Id: line } of desk.children(
						'ReplenishmentOrderItem',
						'ReplenishmentOrderId',
						Id,
					)) {
						store.remove('ReplenishmentOrderItem', line);
					}
					for (const { ordered: QtyOrdered, received: QtyReceived } of lines) {
						store.insert('ReplenishmentOrderItem', {
							ReplenishmentOrderId: Id,
							Product: { Id: 1 },
							QtyOrdered,
							QtyReceived,
						});
					}
					const before = linesOf(Id);
					const { error } = await receive({ id: byId(Id) });
					if (lines.some(({ ordered }) => typeof ordered !== 'number')) {
						expect(error?.message).toMatch(/has no ordered quantity/);
						expect(linesOf(Id)).toEqual(before);
					} else {
						expect(error).toBeUndefined();
						expect(linesOf(Id)).toEqual(
							lines.map(({ ordered, received }) => [
								ordered,
								Math.max(Number(ordered), received ?? 0),
							]),
						);
					}
				},
			),
			{ numRuns: 25 },
		);
	});

	it('is shown by a dry run, which leaves nothing as it is that would change', async () => {
		const [{ Id }] = orders();
		const run = async () => {
			const { items } = await receive({ id: byId(Id), options: { dryRun: 'always' } });
			return items[0].json;
		};
		const { Summary, WouldChange } = await run();
		expect(Summary).toBe(
			'Would set Quantity Received (Pump seal) of purchase order PO-451 from 0 to 10 and Quantity Received (Air filter) from 0 to 40',
		);
		expect(WouldChange).toEqual({
			'Quantity Received (Pump seal)': { From: 0, To: 10 },
			'Quantity Received (Air filter)': { From: 0, To: 40 },
		});
		await receive({ id: byId(Id) });
		expect((await run()).Summary).toMatch(/^Would leave purchase order \S+ as it is$/);
	});

	it('is the quantities of the products that are named, and nothing else changes', async () => {
		const [{ Id }] = orders();
		const filter = desk.record('Product', 2);
		await receive(chosen(Id, { product: byName(String(filter.DisplayAs)), quantity: 12.5 }));
		expect(linesOf(Id)).toEqual([
			[10, 0],
			[40, 12.5],
		]);
		expect(written().map(({ body }) => body)).toEqual([
			{
				RequestId: expect.any(String) as string,
				Properties: ['Items.QtyReceived'],
				Entity: { Id, Items: [{ Id: expect.any(Number) as number, QtyReceived: 12.5 }] },
			},
		]);
	});

	it('is written one by one for the same order, in item order, whatever Parallel Requests is', async () => {
		const [{ Id }] = orders();
		const { Id: product } = desk.record('Product', 2);
		const quantities = [1, 2, 3];
		const { traffic } = await countingTraffic(
			async () =>
				await receive(
					{
						...chosen(Id, { product: byId(product), quantity: '={{ $json.quantity }}' }),
						options: { advanced: { parallelRequests: 3 } },
					},
					...quantities.map((quantity) => ({ quantity })),
				),
		);
		const sent = written().map(({ body }) => (body as { Entity: IDataObject }).Entity.Items);
		expect(sent).toMatchObject(quantities.map((QtyReceived) => [{ QtyReceived }]));
		expect(traffic.mostAtOnce).toBe(1);
	});

	it('is a sentence in a dry run', async () => {
		const [{ Id }] = orders();
		const { items } = await receive({ id: byId(Id), options: { dryRun: 'always' } });
		expect(jsonOf(items)).toMatchObject([
			{ Outcome: 'wouldUpdate', Summary: expect.stringContaining('purchase order') as string },
		]);
		expect(written()).toEqual([]);
	});

	it.each([
		['no product is chosen', [], /'Products' is empty/],
		[
			'a product is left empty',
			[{ product: byId('={{ $json.product }}'), quantity: 1 }],
			/'Product' is empty/,
		],
		['it is not in the order', [{ product: byId(99_999), quantity: 1 }], /has no item with/],
		[
			'the quantity is no number',
			[{ product: byId(1), quantity: '={{ "some" }}' }],
			/'Quantity' must be a number/,
		],
		['the quantity is negative', [{ product: byId(1), quantity: -1 }], /'Quantity' must be/],
		['the quantity is a barcode', [{ product: byId(1), quantity: 1e9 }], /'Quantity' must be/],
		['the quantity is left out', [{ product: byId(1) }], /'Quantity' must be above 0/],
		[
			'the quantity is an expression that gives nothing',
			[{ product: byId(1), quantity: '={{ $json.quantity }}' }],
			/'Quantity'/,
		],
		[
			'a product is given twice',
			[1, 2].map((quantity) => ({ product: byId(1), quantity })),
			/the same product twice/,
		],
	])('is refused if %s', async (_, values, message) => {
		const [{ Id }] = orders();
		const { error } = await receive(chosen(Id, ...values));
		expect(error?.message).toMatch(message);
		expect(written()).toEqual([]);
	});

	it('is refused if two items have the product, or the order has none', async () => {
		const [{ Id }, { Id: other }] = orders();
		const { store } = desk.sandbox;
		const [{ Product }] = store.children('ReplenishmentOrderItem', 'ReplenishmentOrderId', Id);
		store.insert('ReplenishmentOrderItem', { ReplenishmentOrderId: Id, Product, QtyOrdered: 1 });
		const twice = await receive(
			chosen(Id, { product: byId((Product as IDataObject).Id), quantity: 1 }),
		);
		expect(twice.error?.message).toMatch(/has several items with the product/);
		for (const { Id: line } of store.children(
			'ReplenishmentOrderItem',
			'ReplenishmentOrderId',
			other,
		)) {
			store.remove('ReplenishmentOrderItem', line);
		}
		const none = await receive({ id: byId(other) });
		expect(none.error?.message).toBe(`The purchase order ${other} has no items to receive`);
		expect(written()).toEqual([]);
	});
});

it('a purchase order is marked as exported, by its number', async () => {
	const [{ Id, Number: number }] = orders();
	const { items } = await desk.run('purchaseOrder:markExported', {
		id: byName(String(number)),
	});
	expect(jsonOf(items)).toMatchObject([{ Id }]);
	expect(orders()[0]).toMatchObject({ IsExported: true, StatusId: 'Pending' });
	expect(written().map(({ body }) => body)).toMatchObject([
		{ Properties: ['IsExported'], Entity: { Id, IsExported: true } },
	]);
});
