/** Estimates and quotes of work orders are written through their order. */
import type { IDataObject } from 'n8n-workflow';

import { byId, byName, jsonOf, shareCompany, some, errorsOf } from '../../support/company';
import type { Run } from '../../support/run';

const company = shareCompany();

const eur = (Value: number) => ({ Value, CurrencyTypeId: 'EUR' });
const line = (row: object) => ({ values: [{ description: 'Pump', ...row }] });
const offered = () => company.records.rows('WoQuote')[0].WoId as number;
const bare = () => company.records.find('WorkOrder', { Estimate: undefined, Quote: undefined }).Id;
const contact = () => company.records.ids('Contact')[0];
const findEstimate = (id: number) => company.records.find('WoEstimate', { WorkOrderId: id });
const findQuote = (id: number) => company.records.find('WoQuote', { WoId: id });

const run = async (operation: string, form: object, more: object = {}) =>
	await company.n8n.run(`workOrder:${operation}`, form, {
		onError: 'continueErrorOutput',
		...more,
	});
const set = async (form: object, more?: object) =>
	await run(
		'setEstimate',
		{
			...{ currency: 'EUR', contact: byId(contact()), status: 'WaitingForApproval' },
			...form,
		},
		more,
	);

const listLines = (id: number) =>
	company.records
		.children('QuoteOrEstimateItem', 'ParentId', findEstimate(id).Id)
		.filter(({ ParentTypeId }) => ParentTypeId === 'Estimate')
		.map((row) => [row.Description, row.Quantity, (row.Amount as IDataObject).Value]);

it('an estimate is created and changed through its order', async () => {
	const id = bare();
	const form = { id: byId(id), amount: 250.5 };
	expect((await set({ ...form, comment: 'All in' })).errorItems).toEqual([]);
	const created = {
		Amount: eur(250.5),
		CurrencyTypeId: 'EUR',
		ContactId: contact(),
		Comment: 'All in',
		StatusId: 'WaitingForApproval',
		IsMultiline: false,
	};
	expect(findEstimate(id)).toMatchObject(created);
	await set({ ...form, amount: 99, status: 'NotSubmitted' });
	const changed = { ...created, Amount: eur(99), StatusId: 'NotSubmitted' };
	expect(findEstimate(id)).toMatchObject(changed);
	const requests = ['POST query/WoEstimate', 'PUT base/WorkOrder'];
	expect(company.requests.paths()).toEqual([...requests, ...requests]);
});

it('a second item for the estimate of an order is refused, because its lines would not replace those of the first', async () => {
	const id = bare();
	const lines = line({ description: '={{ $json.text }}', rate: 5 });
	const items = ['Pump', 'Labor'].map((text) => ({ json: { text } }));
	const { errorItems } = await set({ id: byId(id), amountAs: 'lines', lines }, { items });
	expect(jsonOf(errorItems)).toEqual([
		some({
			error: `Another item sets the estimate of the work order ${id}`,
			message: 'Give all lines in one item.',
		}),
	]);
	expect(listLines(id)).toEqual([['Pump', 1, 5]]);
});

it.each([
	['by the estimate that exists', { currency: 'company' }],
	['as nobody has the name', { contact: 'Nobody Knows' }],
])('an item that is refused %s leaves the estimate to the next one', async (_, refused) => {
	const { id, ...form } = { id: bare(), amount: '={{ $json.amount }}' };
	await set({ id: byId(id), amount: 1 });
	const right = { currency: 'EUR', contact: contact() };
	const items = [refused, {}].map((more, amount) => ({
		json: { ...right, ...more, amount: amount + 2 },
	}));
	const expressions = { currency: '={{ $json.currency }}', contact: '={{ $json.contact }}' };
	const { errorItems } = await set({ id: byId(id), ...form, ...expressions }, { items });
	expect(errorItems).toHaveLength(1);
	expect(findEstimate(id).Amount).toEqual(eur(3));
});

it('the lines of an estimate replace those that it has, and one amount replaces all', async () => {
	const id = offered();
	const before = company.records.rows('QuoteOrEstimateItem').length;
	const lines = {
		values: [
			{ description: 'Pump', rate: 99.99 },
			{ description: 'Labor', quantity: 2.5, rate: 60.333, invoiceItem: byId(1) },
			{ description: 'Oil', quantity: 0.35, rate: 10.1 },
		],
	};
	const form = { id: byId(id), amountAs: 'lines', lines };
	expect((await set(form)).errorItems).toEqual([]);
	expect(findEstimate(id)).toMatchObject({ IsMultiline: true, Amount: eur(254.36) });
	const stored = [
		['Pump', 1, 99.99],
		['Labor', 2.5, 150.83],
		['Oil', 0.35, 3.54],
	];
	expect(listLines(id)).toEqual(stored);
	const listShown = ({ items }: Run) =>
		jsonOf(items).map(({ Estimate }) =>
			((Estimate as IDataObject).Items as IDataObject[]).map((row) => row.Description ?? row),
		);
	expect(listShown(await set(form))).toEqual([stored.map(([description]) => description)]);
	expect(listLines(id)).toEqual(stored);
	expect(listShown(await set({ id: byId(id), amount: 300 }))).toEqual([[]]);
	expect(findEstimate(id)).toMatchObject({ IsMultiline: false, Amount: eur(300) });
	expect(listLines(id)).toEqual([]);
	// The line of the quote stays.
	expect(company.records.rows('QuoteOrEstimateItem')).toHaveLength(before - 1);
});

it.each([
	['KWD', 12.345, 37.035],
	['EUR', 12.345, 37.04],
	['JPY', 100.5, 301.5],
])('lines in %s are rounded to its smallest coin, or to cents', async (currency, rate, total) => {
	const id = bare();
	const lines = line({ rate, quantity: 3 });
	expect((await set({ id: byId(id), amountAs: 'lines', lines, currency })).errorItems).toEqual([]);
	expect(findEstimate(id).Amount).toEqual({ Value: total, CurrencyTypeId: currency });
	expect(listLines(id)).toEqual([['Pump', 3, total]]);
});

it('the currency of the Company is that of a new estimate, and never replaces another one', async () => {
	const [id, order] = [bare(), byId(bare())];
	const form = { id: order, amount: 10, currency: 'company' };
	expect((await set(form)).errorItems).toEqual([]);
	expect(findEstimate(id)).toMatchObject({ Amount: { Value: 10, CurrencyTypeId: 'USD' } });
	expect((await set({ ...form, amount: 11 })).errorItems).toEqual([]);
	await set({ id: order, amount: 12 });
	expect(findEstimate(id).Amount).toEqual(eur(12));
	expect(errorsOf(await set(form))).toEqual([
		`'Currency' is that of the Company, "USD", but the estimate is in "EUR"`,
	]);
	expect((await set({ ...form, currency: 'USD' })).errorItems).toEqual([]);
	expect(findEstimate(id)).toMatchObject({ Amount: { Value: 10, CurrencyTypeId: 'USD' } });
});

it.each([
	[{}, "'Amount' must be a number, but it is empty"],
	[{ amount: -1 }, "'Amount' must be more than 0"],
	[{ amount: '={{ "much" }}' }, "'Amount'"],
	[{ amount: 1, contact: byName('Nobody Knows') }, 'no contact is named'],
	[{ amountAs: 'lines', lines: {} }, "'Lines' is empty"],
	[{ amountAs: 'lines', lines: line({ rate: 0 }) }, "'Lines > Total' must be more than 0"],
	[{ amountAs: 'lines', lines: line({ rate: 9, quantity: 0 }) }, "'Lines > Quantity' must be more"],
])('an estimate is refused before it is sent: %j', async (form, message) => {
	const refused = await set({ id: byId(bare()), ...form });
	expect(errorsOf(refused)).toEqual([expect.stringContaining(message)]);
	expect(company.requests.writes()).toEqual([]);
});

describe.each([
	['Estimate', findEstimate],
	['Quote', findQuote],
] as const)('the decision about a %s', (part, find) => {
	it.each([
		['approve', 'Approved'],
		['reject', 'Rejected'],
		['request', 'Requested'],
	])('%s changes the status and the reason alone', async (decision, StatusId) => {
		const { Amount } = find(offered());
		await run(`decide${part}`, { id: byId(offered()), decision, reason: 'Because' });
		expect(find(offered())).toMatchObject({ StatusId, Reason: 'Because', Amount });
		expect(company.requests.bodies()).toMatchObject([
			{ Properties: [`${part}.StatusId`, `${part}.Reason`] },
		]);
	});

	it('is refused if there is none, and an unknown one is, too', async () => {
		const none = await run(`decide${part}`, { id: byId(bare()), decision: 'reject' });
		expect(jsonOf(none.errorItems)).toEqual([
			some({ error: `The work order ${bare()} has no ${part.toLowerCase()}` }),
		]);
		const unknown = await run(`decide${part}`, { id: byId(offered()), decision: '={{ "burn" }}' });
		expect(errorsOf(unknown)).toEqual([expect.stringContaining("'Decision'")]);
		expect(company.requests.writes()).toEqual([]);
	});
});
