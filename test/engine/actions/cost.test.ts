import type { Row } from '../../../sandbox';
import {
	byId,
	byName,
	itemsOf,
	jsonOf,
	shareCompany,
	eachId,
	hintsOf,
	byNumber,
	some,
} from '../../support/company';

const company = shareCompany({ workOrders: 600 });
const { n8n, records, requests } = company;

const orders = () => records.rows('WorkOrder');
const listLines = (order: number) => records.children('FinancialItem', 'WoId', order);
const findBareOrder = () => orders().find(({ Id }) => listLines(Id).length === 0) as Row;
const findCostedOrder = () => orders().find(({ Id }) => listLines(Id).length > 0) as Row;
const usd = (value: unknown, currency = 'USD') => ({ money: { value, currency } });

describe('a cost line', () => {
	const create = async (form: object, more: object = {}) =>
		await n8n.run(
			'cost:create',
			{
				workOrder: byId(findBareOrder().Id),
				category: 'Labor',
				type: 'Cost',
				amount: usd(12),
				...form,
			},
			more,
		);

	it('has the category, the total and the amount that the form says', async () => {
		const { Id } = findBareOrder();
		await create({ workOrder: byId(Id), amount: usd('90.5', 'EUR') });
		expect(listLines(Id)).toEqual([
			some({
				CostCategoryId: 'Labor',
				TypeId: 'Cost',
				Amount: { Value: 90.5, CurrencyTypeId: 'EUR' },
			}),
		]);
	});

	it('takes the number of the order and the names of all records that it refers to', async () => {
		const { Id, Number: number } = findBareOrder();
		const employee = records.rows('Employee')[3];
		const { error } = await create({
			workOrder: byNumber(number),
			category: '={{ "spot purchase" }}',
			additionalFields: {
				employee: byName(employee.DisplayAs),
				laborCode: byName('overtime'),
				invoiceItem: byName('Parts'),
				product: byName('Pump seal'),
			},
		});
		expect(error).toBeUndefined();
		expect(listLines(Id)).toEqual([
			some({
				CostCategoryId: 'SpotPurchase',
				Employee: { Id: employee.Id },
				LaborCode: { Id: 2 },
				InvoiceItem: { Id: 2 },
				Product: { Id: 1 },
			}),
		]);
	});

	it('is refused with an empty rate before anything is sent', async () => {
		const form = { additionalFields: { rate: {} } };
		expect(await n8n.refusal(create(form))).toContain("'Rate' is empty");
	});
});

describe('the cost lines of many orders', () => {
	const ids = () => records.ids('WorkOrder');
	const get = async (wanted: unknown[], form: object = {}, more: object = {}) =>
		await n8n.run(
			'cost:getMany',
			{ workOrder: eachId, ...form },
			{ items: itemsOf(...wanted), ...more },
		);
	const found = ({ items }: Awaited<ReturnType<typeof get>>) =>
		items.map(({ json, pairedItem }) => [json.Id, (pairedItem as { item: number }).item]);
	const listNewest = (id: number) => [...listLines(id)].reverse();
	const expected = (wanted: number[], linesFrom = listNewest) =>
		wanted.flatMap((id, item) => linesFrom(id).map(({ Id }) => [Id, item]));
	/** Adds three lines to an order, so that it has five. */
	const busyOrder = () => {
		const { Id } = findCostedOrder();
		const [{ WoId, CostCategoryId, TypeId }] = listLines(Id);
		for (let more = 0; more < 3; more++) {
			records.insert('FinancialItem', { WoId, CostCategoryId, TypeId });
		}
		return Id;
	};

	it('take one request for 500 orders', async () => {
		const wanted = [...ids().reverse(), ids()[1]];
		const run = await get(wanted);
		expect(run.error).toBeUndefined();
		expect(found(run)).toEqual(expected(wanted));
		expect(run.items.length).toBeGreaterThan(100);
		expect(requests.paths()).toEqual(Array(2).fill('POST query/FinancialItem'));
	});

	it('are limited, sorted and filtered for each item separately', async () => {
		const wanted = [busyOrder(), ids()[0], busyOrder()];
		const isMaterial = ({ CostCategoryId }: Row) => CostCategoryId === 'Material';
		const newest = {
			limit: 1,
			filters: { category: ['Material'] },
			sort: { values: [{ property: 'Id', direction: 'Descending' }] },
		};
		const run = await get(wanted, newest);
		expect(found(run)).toEqual(
			expected(wanted, (id) => listLines(id).filter(isMaterial).slice(-1)),
		);
		expect(requests.queries()).toEqual(['FinancialItem']);
		expect(hintsOf(run)).toEqual([expect.stringContaining("Stopped at 'Limit'")]);
	});

	it('are separate objects for items that name one order', async () => {
		const { Id } = findCostedOrder();
		const run = await get([Id, Id]);
		expect(requests.queries()).toEqual(['FinancialItem']);
		const [half, other] = [0, 1].map((item) =>
			run.items.filter(({ pairedItem }) => (pairedItem as { item: number }).item === item),
		);
		expect(jsonOf(half)).toEqual(jsonOf(other));
		expect(half[0].json).not.toBe(other[0].json);
	});

	it('are one item for each order in a compact output', async () => {
		const wanted = [findCostedOrder().Id, findBareOrder().Id];
		const { items } = await get(wanted, { options: { compactOutput: true } });
		expect(jsonOf(items).map(({ total }) => total)).toEqual(
			wanted.map((id) => listLines(id).length),
		);
		expect(requests.sent()).toHaveLength(1);
	});

	it('are read separately where items have different settings, or start in the middle', async () => {
		const wanted = [busyOrder(), busyOrder(), ids()[0]];
		const apart = await get(wanted, { filters: { comment: '={{ $itemIndex ? "%" : "x" }}' } });
		expect(apart.error).toBeUndefined();
		expect(requests.sent()).toHaveLength(2);
		company.sandbox.forgetRequests();
		const middle = await get(wanted, { options: { advanced: { firstResultIndex: 2 } } });
		expect(found(middle)).toEqual(expected(wanted, (id) => listNewest(id).slice(2)));
		expect(requests.sent()).toHaveLength(3);
	});

	it('are those of all orders if the field is left empty', async () => {
		const all = await n8n.run('cost:getMany', { returnAll: true, workOrder: byId('') });
		expect(all.items).toHaveLength(records.rows('FinancialItem').length);
	});
});

describe.each([
	['getEstimates', 'WoEstimate', 'WorkOrderId'],
	['getQuotes', 'WoQuote', 'WoId'],
])('%s', (operation, entity, of) => {
	const get = async (ids: unknown[], more = {}) =>
		await n8n.run(`workOrder:${operation}`, { id: eachId }, { items: itemsOf(...ids), ...more });
	const listRows = (order: unknown) => records.children(entity, of, order);

	// Promise: Costs, and records of many items by ID or number
	it('reads 600 orders with three requests, and two more where some have none', async () => {
		const ids = records.ids('WorkOrder');
		const { items, error } = await get([...ids, ids[1]]);
		expect(error).toBeUndefined();
		expect(items.map(({ json, pairedItem }) => [json.Id, pairedItem])).toEqual(
			[...ids, ids[1]].flatMap((id, item) => listRows(id).map(({ Id }) => [Id, { item }])),
		);
		expect(items.length).toBeGreaterThan(100);
		// Rows of 250 orders take a request, and 500 orders.
		expect(requests.queries().sort()).toEqual([entity, entity, entity, 'WorkOrder', 'WorkOrder']);
	});
});

it.each([
	['getEstimates', 'WorkOrderId'],
	['getQuotes', 'WoId'],
])('%s begins with order, status and amount, and has lines', async (operation, of) => {
	const { Id, Number } = findCostedOrder();
	const run = await n8n.run(`workOrder:${operation}`, { id: byId(Id) });
	const [{ json }] = run.items;
	expect(Object.keys(json).slice(0, 4)).toEqual(['WorkOrder', of, 'Status', 'Amount']);
	expect(json).toMatchObject({
		WorkOrder: { Id, Number },
		Status: 'Approved',
		Items: [{ Description: 'All inclusive', InvoiceItem: { Id: 1, DisplayAs: 'Labor' } }],
	});
});
