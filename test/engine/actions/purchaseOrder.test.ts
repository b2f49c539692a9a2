import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { byId, byName, jsonOf, shareCompany } from '../../support/company';

const company = shareCompany({ workOrders: 5 });
const { n8n, records, requests } = company;

const orders = () => records.rows('ReplenishmentOrder');
const listRows = (Id: number) =>
	records.children('ReplenishmentOrderItem', 'ReplenishmentOrderId', Id);
const listLines = (Id: number) =>
	listRows(Id).map(({ QtyOrdered, QtyReceived }) => [QtyOrdered, QtyReceived]);
const insertLine = (ReplenishmentOrderId: number, row: object) =>
	records.insert('ReplenishmentOrderItem', { ReplenishmentOrderId, Product: { Id: 1 }, ...row });
const removeLines = (order: number) => {
	for (const { Id } of listRows(order)) company.sandbox.store.remove('ReplenishmentOrderItem', Id);
};

const receive = async (parameters: object, ...jsons: IDataObject[]) =>
	await n8n.run(
		'purchaseOrder:receive',
		{ received: 'all', ...parameters },
		{
			items: jsons.length > 0 ? jsons.map((json) => ({ json })) : undefined,
		},
	);

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
		expect(listLines(first.Id)).toEqual([
			[10, 10],
			[40, 40],
		]);
		expect(listLines(second.Id)).toEqual([[100, 100]]);
		expect(requests.sent().map(({ method }) => method)).toEqual(['POST', 'PUT', 'PUT']);
	});

	it.each([{}, { parallelRequests: 5 }])(
		'is not lowered in the run that has entered it',
		async (options) => {
			const [{ Id }] = orders();
			removeLines(Id);
			insertLine(Id, { QtyOrdered: 20, QtyReceived: 8 });
			const parameters = {
				...chosen(Id, { product: byId(1), quantity: '={{ $json.quantity }}' }),
				...{ received: '={{ $json.received }}', options },
			};
			const more = { received: 'chosen', quantity: 25 };
			const all = { received: 'all', quantity: 1 };
			expect((await receive(parameters, more, all)).error?.message).toMatch(
				/^An earlier item receives products of the purchase order \d+, so 'Everything'/,
			);
			expect(listLines(Id)).toEqual([[20, 8]]);
			expect((await receive(parameters, all, all, more)).error).toBeUndefined();
			expect(listLines(Id)).toEqual([[20, 25]]);
		},
	);

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
					const [{ Id }] = orders();
					removeLines(Id);
					for (const { ordered: QtyOrdered, received: QtyReceived } of lines) {
						insertLine(Id, { QtyOrdered, QtyReceived });
					}
					const before = listLines(Id);
					const { error } = await receive({ id: byId(Id) });
					if (lines.some(({ ordered }) => typeof ordered !== 'number')) {
						expect(error?.message).toMatch(/has no ordered quantity/);
						expect(listLines(Id)).toEqual(before);
					} else {
						expect(error).toBeUndefined();
						expect(listLines(Id)).toEqual(
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
		const { Outcome, Summary, WouldChange } = await run();
		expect([Outcome, requests.writes()]).toEqual(['wouldUpdate', []]);
		expect(Summary).toBe(
			'Would set "Quantity Received (Pump seal)" of purchase order PO-451 from 0 to 10 and "Quantity Received (Air filter)" from 0 to 40',
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
		const { DisplayAs } = records.get('Product', 2);
		await receive(chosen(Id, { product: byName(DisplayAs), quantity: 12.5 }));
		expect(listLines(Id)).toEqual([
			[10, 0],
			[40, 12.5],
		]);
		expect(requests.bodies()).toEqual([
			{
				RequestId: expect.any(String) as string,
				Properties: ['Items.QtyReceived'],
				Entity: { Id, Items: [{ Id: expect.any(Number) as number, QtyReceived: 12.5 }] },
			},
		]);
	});

	it.each([
		['no product is chosen', [], /'Products' is empty/],
		['it is not in the order', [{ product: byId(99_999), quantity: 1 }], /has no item with/],
		[
			'the quantity is negative',
			[{ product: byId(1), quantity: -1 }],
			/'Products > Quantity' must be/,
		],
		[
			'the quantity is a barcode',
			[{ product: byId(1), quantity: 1e9 }],
			/'Products > Quantity' must be/,
		],
		['the quantity is left out', [{ product: byId(1) }], /'Products > Quantity' must be above 0/],
		[
			'a product is given twice',
			[1, 2].map((quantity) => ({ product: byId(1), quantity })),
			/the same product twice/,
		],
	])('is refused if %s', async (_, values, message) => {
		const [{ Id }] = orders();
		const { error } = await receive(chosen(Id, ...values));
		expect(error?.message).toMatch(message);
		expect(requests.writes()).toEqual([]);
	});

	it('is refused if two items have the product, or the order has none', async () => {
		const [{ Id }, { Id: other }] = orders();
		const [{ Product }] = listRows(Id);
		insertLine(Id, { Product, QtyOrdered: 1 });
		const product = byId((Product as IDataObject).Id);
		const twice = await receive(chosen(Id, { product, quantity: 1 }));
		expect(twice.error?.message).toMatch(/has several items with the product/);
		removeLines(other);
		const none = await receive({ id: byId(other) });
		expect(none.error?.message).toBe(`The purchase order ${other} has no items to receive`);
		expect(requests.writes()).toEqual([]);
	});
});

it.each(['create', 'upsert'])(
	'a new purchase order is returned with its items by %s',
	async (operation) => {
		const [product] = records.rows('Product');
		const [supplier] = records.rows('Employee');
		const values = {
			...{ Number: 'PO-NEW', Supplier: { Id: supplier.Id } },
			Items: [{ Product: { DisplayAs: product.DisplayAs }, QtyOrdered: 3 }],
		};

		const { items } = await n8n.succeed(`purchaseOrder:${operation}`, {
			...{ fieldsMode: 'json', matchOn: 'Number', fieldsJson: JSON.stringify(values) },
		});

		expect(items[0].json.Items).toEqual([
			{ Product: { Id: product.Id, DisplayAs: product.DisplayAs }, QtyOrdered: 3 },
		]);
	},
);

it('a purchase order is marked as exported, by its number', async () => {
	const [{ Id, Number: number }] = orders();
	const { items } = await n8n.run('purchaseOrder:markExported', { id: byName(number) });
	expect(jsonOf(items)).toMatchObject([{ Id }]);
	expect(orders()[0]).toMatchObject({ IsExported: true, StatusId: 'Pending' });
	expect(requests.bodies()).toMatchObject([
		{ Properties: ['IsExported'], Entity: { Id, IsExported: true } },
	]);
});
