/** Estimates and quotes of work orders are written through their order. */
import type { IDataObject } from 'n8n-workflow';

import { byId, byName, jsonOf, sharedDesk, some, idsOf, errorsOf } from './desk';

const desk = sharedDesk();

const eur = (Value: number) => ({ Value, CurrencyTypeId: 'EUR' });
const line = (row: object) => ({ values: [{ description: 'Pump', ...row }] });
const offered = () => desk.rows('WoQuote')[0].WoId as number;
const bare = () =>
	desk.rows('WorkOrder').find(({ Estimate, Quote }) => !Estimate && !Quote)?.Id as number;
const contact = () => desk.rows('Contact')[0];
const estimateOf = (id: number) =>
	desk.rows('WoEstimate').find(({ WorkOrderId }) => WorkOrderId === id);
const quoteOf = (id: number) => desk.rows('WoQuote').find(({ WoId }) => WoId === id);

const run = async (operation: string, form: object) =>
	await desk.run(`workOrder:${operation}`, form, { onError: 'continueErrorOutput' });

const linesOf = (id: number) =>
	desk
		.rows('QuoteOrEstimateItem')
		.filter((row) => row.ParentTypeId === 'Estimate' && row.ParentId === estimateOf(id)?.Id)
		.map((row) => [row.Description, row.Quantity, (row.Amount as IDataObject).Value]);

it('an estimate is created and changed through its order', async () => {
	const id = bare();
	const form = { id: byId(id), amount: 250.5, currency: 'EUR', contact: byId(contact().Id) };
	expect((await run('setEstimate', { ...form, comment: 'All in' })).errorItems).toEqual([]);
	const created = {
		...{ Amount: eur(250.5), CurrencyTypeId: 'EUR', ContactId: contact().Id, Comment: 'All in' },
		...{ StatusId: 'WaitingForApproval', IsMultiline: false },
	};
	expect(estimateOf(id)).toMatchObject(created);
	await run('setEstimate', { ...form, amount: 99, status: 'NotSubmitted' });
	const changed = { ...created, Amount: eur(99), StatusId: 'NotSubmitted' };
	expect(estimateOf(id)).toMatchObject(changed);
	expect(desk.sent().map(({ path }) => path.split('/').at(-1))).toEqual([
		...['WoEstimate', 'WorkOrder'],
		...['WoEstimate', 'WorkOrder'],
	]);
});

it('a second item for the estimate of an order is refused, because its lines would not replace those of the first', async () => {
	const id = bare();
	const form = { id: byId(id), currency: 'EUR', contact: byId(contact().Id), amountAs: 'lines' };
	const lines = line({ description: '={{ $json.text }}', rate: 5 });
	const items = ['Pump', 'Labor'].map((text) => ({ json: { text } }));
	const { errorItems } = await desk.run(
		'workOrder:setEstimate',
		{ ...form, lines },
		{ onError: 'continueErrorOutput', items },
	);
	expect(jsonOf(errorItems)).toEqual([
		some({
			error: `Another item sets the estimate of the work order ${id}`,
			message: 'Give all lines in one item.',
		}),
	]);
	expect(linesOf(id)).toEqual([['Pump', 1, 5]]);
});

it('the lines of an estimate replace those that it has, and one amount replaces all', async () => {
	const id = offered();
	const form = { id: byId(id), currency: 'EUR', contact: byId(contact().Id) };
	const before = desk.rows('QuoteOrEstimateItem').length;
	const lines = {
		values: [
			{ description: 'Pump', rate: 99.99 },
			{ description: 'Labor', quantity: 2.5, rate: 60.333, invoiceItem: byId(1) },
		],
	};
	const set = await run('setEstimate', { ...form, amountAs: 'lines', lines });
	expect(set.errorItems).toEqual([]);
	expect(estimateOf(id)).toMatchObject({ IsMultiline: true, Amount: eur(250.82) });
	const stored = [
		['Pump', 1, 99.99],
		['Labor', 2.5, 150.83],
	];
	expect(linesOf(id)).toEqual(stored);
	await run('setEstimate', { ...form, amountAs: 'lines', lines });
	expect(linesOf(id)).toEqual(stored);
	await run('setEstimate', { ...form, amount: 300 });
	expect(estimateOf(id)).toMatchObject({ IsMultiline: false, Amount: eur(300) });
	expect(linesOf(id)).toEqual([]);
	// The line of the quote stays.
	expect(desk.rows('QuoteOrEstimateItem')).toHaveLength(before - 1);
});

it.each([
	[{}, "'Amount' must be more than 0"],
	[{ amount: -1 }, "'Amount' must be more than 0"],
	[{ amount: '={{ "much" }}' }, "'Amount'"],
	[{ amount: 1, currency: '={{ "gold" }}' }, "'Currency'"],
	[{ amount: 1, status: '={{ "Approved" }}' }, "'Estimate Status'"],
	[{ amount: 1, contact: byName('Nobody Knows') }, 'no contact is named'],
	[{ amountAs: 'lines' }, "'Lines' is empty: add a line"],
	[{ amountAs: 'lines', lines: line({ rate: 0 }) }, "'Lines > Total' must be more than 0"],
	[{ amountAs: 'lines', lines: line({ rate: 9, quantity: 0 }) }, "'Lines > Quantity' must be more"],
])('an estimate is refused before it is sent: %j', async (form, message) => {
	const own = { id: byId(bare()), contact: byId(contact().Id) };
	const refused = await run('setEstimate', { ...own, ...form });
	expect(errorsOf(refused)).toEqual([expect.stringContaining(message)]);
	expect(desk.sent().filter(({ method }) => method === 'PUT')).toEqual([]);
});

it.each([
	['estimateStatus', 'WoEstimate', 'WorkOrderId'],
	['quoteStatus', 'WoQuote', 'WoId'],
])('orders are found by the filter %s', async (filter, entity, orderMember) => {
	const search = async (status: string) => {
		const form = { returnAll: true, output: 'raw', filters: { [filter]: [status] } };
		return idsOf(jsonOf((await run('getMany', form)).items)).sort();
	};
	const approved = desk.rows(entity).filter(({ StatusId }) => StatusId === 'Approved');
	expect(await search('Approved')).toEqual(approved.map((row) => row[orderMember]).sort());
	expect(await search('InProposal')).toEqual([]);
});

describe.each([
	['Estimate', estimateOf],
	['Quote', quoteOf],
] as const)('the decision about a %s', (part, find) => {
	it.each([
		['approve', 'Approved'],
		['reject', 'Rejected'],
		['request', 'Requested'],
	])('%s changes the status and the reason alone', async (decision, StatusId) => {
		const before = find(offered());
		await run(`decide${part}`, { id: byId(offered()), decision, reason: 'Because' });
		expect(find(offered())).toMatchObject({
			...{ StatusId, Reason: 'Because', Amount: before?.Amount },
		});
		const { body } = desk.sent().filter(({ method }) => method === 'PUT')[0];
		expect((body as IDataObject).Properties).toEqual([`${part}.StatusId`, `${part}.Reason`]);
	});

	it('is refused if there is none, and an unknown one is, too', async () => {
		const none = await run(`decide${part}`, { id: byId(bare()), decision: 'reject' });
		expect(jsonOf(none.errorItems)).toEqual([
			some({ error: `The work order ${bare()} has no ${part.toLowerCase()}` }),
		]);
		const unknown = await run(`decide${part}`, { id: byId(offered()), decision: '={{ "burn" }}' });
		expect(errorsOf(unknown)).toEqual([expect.stringContaining("'Decision'")]);
		expect(desk.sent().filter(({ method }) => method === 'PUT')).toEqual([]);
	});

	it('is shown by a dry run with the status before', async () => {
		const options = { dryRun: 'always' };
		const dry = await run(`decide${part}`, { id: byId(offered()), decision: 'reject', options });
		expect(jsonOf(dry.items)).toEqual([some({ Outcome: 'wouldUpdate' })]);
		expect(JSON.stringify(jsonOf(dry.items)[0].WouldChange)).toContain(
			'"From":"Approved","To":"Rejected"',
		);
	});
});
