import { byId, byName, idsOf, jsonOf, shareCompany, some, where } from '../../support/company';

const company = shareCompany();
const { n8n, records, requests } = company;

const costs = () => records.rows('WorkOrderCost')[0];

const today = new Date().toLocaleDateString('sv-SE', { timeZone: 'America/New_York' });
const inLastMonth = new Date(Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)) - 2, 15))
	.toISOString()
	.slice(0, 19);

const paying = (value: unknown, currency = 'USD') => ({
	paymentAmount: { money: { value, currency } },
});

const run = async (operation: string, form: object) =>
	await n8n.run(`invoice:${operation}`, { id: byId(costs().Id), ...form });

it('an invoice command writes the ID of the order as the contract spells it', async () => {
	await run('changeApStatus', { apStatus: byId(2) });
	await run('changeCostStatus', { costStatus: byId(2) });
	const { Id } = costs();
	expect(requests.commands()).toEqual([
		{ WorkOrderid: Id, VendorInvoiceStatusId: 2 },
		{ WorkOrderId: Id, CostStatusId: 2 },
	]);
});

it.each([
	['changeApStatus', { apStatus: byId(2) }],
	['changeCostStatus', { costStatus: byId(2) }],
	['submitPayment', { apStatus: byId(3), ...paying(5) }],
])('%s returns what Get returns, on request', async (operation, form) => {
	const { items } = await run(operation, { ...form, options: { returnRecord: true } });
	const read = await run('get', { output: 'simplified' });
	expect(jsonOf(items)).toEqual(jsonOf(read.items));
	const dry = await run(operation, { ...form, options: { returnRecord: true, dryRun: 'always' } });
	expect(jsonOf(dry.items)).toEqual([some({ Outcome: 'wouldRun' })]);
});

it.each([
	['changeApStatus', { apStatus: byId(2), additionalFields: { expectedStatus: byId(7) } }],
	['changeApStatus', { apStatus: byId(2), additionalFields: { expectedConcurrencyId: 99 } }],
	['changeCostStatus', { costStatus: byId(2), additionalFields: { expectedStatus: byId(4) } }],
	[
		'submitPayment',
		{ apStatus: byId(3), ...paying(5), additionalFields: { expectedConcurrencyId: 99 } },
	],
])('%s stops when the costs are not as expected: %j', async (operation, form) => {
	const before = structuredClone(costs());
	const { error } = await run(operation, form);
	const expected = 'expectedStatus' in form.additionalFields ? 'Status' : 'Concurrency ID';
	expect(error?.message).toBe(`The record does not have the 'Expected ${expected}'`);
	expect(error?.description).toMatch(/Data was already modified by another user\..*ERROR_CODE_6/);
	expect(costs()).toEqual(before);
});

it('an invoice action keeps or replaces the existing comment', async () => {
	records.change('WorkOrderCost', costs().Id, { PaymentNotes: 'old' });
	const form = (keepCommentIntact: boolean) => ({
		apStatus: byId(2),
		additionalFields: { comment: 'new', keepCommentIntact },
	});
	await run('changeApStatus', form(true));
	expect(costs().PaymentNotes).toBe('old');
	await run('changeApStatus', form(false));
	expect(costs().PaymentNotes).toBe('new');
});

it('an invoice payment is submitted with its amount, without empty fields', async () => {
	const { items } = await run('submitPayment', { apStatus: byId(3), ...paying('99.90', 'AUD') });
	expect(requests.commands()[0]).toEqual({
		WorkOrderId: costs().Id,
		VendorInvoiceStatusId: 3,
		PaymentAmount: { Value: 99.9, CurrencyTypeId: 'AUD' },
	});
	expect(items[0].json).toMatchObject({
		PaymentAmount: { CurrencyTypeId: 'AUD', Value: 99.9 },
		ApState: 'Paid',
	});

	company.sandbox.forgetRequests();
	await run('submitPayment', { apStatus: byId(3), ...paying(5), checkNumber: '' });
	expect(Object.keys(requests.commands()[0])).not.toContain('CheckNumber');
});

it.each([
	['by its name', byName('paid')],
	['by its name in an expression for the ID', byId('={{ " Paid " }}')],
	['by its name alone', 'Paid'],
	['by its ID', byId('3')],
])('submits a payment to a status %s', async (_, apStatus) => {
	const { items } = await run('submitPayment', { apStatus, ...paying(5) });
	expect(requests.commands()).toEqual([
		some({ WorkOrderId: costs().Id, VendorInvoiceStatusId: 3 }),
	]);
	expect(items[0].json).toMatchObject({ ApStatusId: 3, ApState: 'Paid' });
});

it.each([
	['changeApStatus', { apStatus: byName('={{ " " }}') }, "'AP Status' is empty"],
	[
		'submitPayment',
		{ ...paying(5), additionalFields: { expectedStatus: byId('') } },
		"'Expected Status' is empty",
	],
	['submitPayment', { apStatus: byId(3) }, "'Payment Amount' is empty"],
	['submitPayment', { apStatus: byId(3), ...paying('') }, "'Payment Amount Value' is empty"],
])('%s is checked before anything is sent: %j', async (operation, form, message) => {
	expect(await n8n.refusal(run(operation, form))).toMatch(message);
});

it.each(['changeApStatus', 'submitPayment'])(
	'%s is refused with the name of no status, also if it is a number',
	async (name) => {
		for (const text of ['3', 'Payed']) {
			const { error } = await run(name, { apStatus: byName(text), ...paying(5) });
			expect(error?.message).toContain(`no AP invoice status is named "${text}"`);
		}
		expect(requests.commands()).toEqual([]);
	},
);

const receive = (id: number, more: object = {}) => {
	records.change('WorkOrderCost', id, { ApStateId: 'Received', ...more });
};

describe('orders without an invoice', () => {
	const isNone = { PropertyName: 'ApStateId', Operator: 'Equal', Values: ['None'] };

	it.each<[string, object, string[]]>([
		['are left out', {}, ['Received']],
		['are left out of what conditions find', where('CostState', 'Pending'), ['Received']],
		['are left out by the filter', { filters: { hasInvoice: 'yes' } }, ['Received']],
		['are returned next to others', { filters: { hasInvoice: 'any' } }, ['None', 'Received']],
		['are returned alone', { filters: { hasInvoice: 'no' } }, ['None']],
		['are returned by their state', { filters: { apState: ['None'] } }, ['None']],
		['are returned by conditions', where('ApStateId', 'None'), ['None']],
		['are returned by conditions in another case', where('APStateId', 'None'), ['None']],
		['are returned by criteria in JSON', { criteriaJson: { Conditions: [isNone] } }, ['None']],
	])('%s', async (_, form, states) => {
		for (const { Id } of records.rows('WorkOrderCost')) {
			records.change('WorkOrderCost', Id, { ApStateId: 'None' });
		}
		for (const { Id } of records.rows('WorkOrder').slice(1, 3)) receive(Id);
		const run = await n8n.succeed('invoice:getMany', { returnAll: true, output: 'raw', ...form });
		expect(idsOf(jsonOf(run.items))).toEqual(
			records.idsWhere('WorkOrderCost', ({ ApStateId }) => states.includes(String(ApStateId))),
		);
		const isAsked = /hasInvoice|apState/i.test(JSON.stringify(form));
		expect(JSON.stringify(run.hints).includes("Add the filter 'Has Invoice'")).toBe(!isAsked);
		expect(requests.sent()).toHaveLength(1);
	});

	it('are refused another answer than those of the filter', async () => {
		const filters = { hasInvoice: '={{ "maybe" }}' };
		expect(await n8n.refusal(n8n.run('invoice:getMany', { filters }))).toMatch(
			/^'Has Invoice' must be one of any, no, yes, but it is "maybe"/,
		);
	});
});

describe('simplified invoices', () => {
	const provider = () => {
		const Employee = records.insert('Employee', {
			ActorTypeId: 'Provider',
			DisplayAs: 'Zeta Roofing',
		});
		const orders = records.rows('WorkOrder').slice(0, 3);
		for (const { Id } of orders) records.change('WorkOrder', Id, { Employee: { Id: Employee.Id } });
		records.insert('WoAssignment', { WorkOrderId: orders[1].Id, EmployeeId: Employee.Id });
		return { Employee, orders };
	};
	const shown = ({ Employee: { Id, DisplayAs }, orders }: ReturnType<typeof provider>, index = 1) =>
		some({
			Id: orders[index].Id,
			WorkOrderNumber: orders[index].Number,
			Vendor: { Id, DisplayAs },
			VendorNte: orders[index].VendorNte,
			VendorInvoiceTotal: some({ CurrencyTypeId: 'USD' }),
			ApStatus: { Id: expect.any(Number) as unknown, DisplayAs: expect.any(String) as unknown },
		});

	it('of a vendor in a month have the vendor, the order and the status by name, in five requests', async () => {
		const own = provider();
		for (const { Id } of own.orders) {
			receive(Id, { VendorInvoiceDate: inLastMonth });
		}
		const dates = { values: { date: 'invoiced', when: 'lastMonth' } };
		const filters = { vendor: byName(own.Employee.DisplayAs), dates };
		const { items } = await n8n.succeed('invoice:getMany', { output: 'simplified', filters });
		expect(jsonOf(items)).toEqual([shown(own)]);
		// The name of the vendor, the orders, the invoices, and what is shown of orders and statuses.
		expect(requests.sent()).toHaveLength(5);
	});

	it('have no vendor if an employee does the work, and none may be read', async () => {
		const own = provider();
		const employee = records.find('Employee', { ActorTypeId: 'Employee' });
		records.change('WorkOrder', own.orders[0].Id, { Employee: { Id: employee.Id } });
		for (const { Id } of own.orders) receive(Id);
		const options = { advanced: { pagingMethod: 'byId' } };
		const read = async () =>
			jsonOf(
				(await n8n.succeed('invoice:getMany', { output: 'simplified', limit: 2, options })).items,
			);
		expect(await read()).toEqual([
			some({ WorkOrderNumber: own.orders[0].Number, Vendor: null }),
			shown(own),
		]);
		company.sandbox.set({ unreadable: ['WorkOrder'] });
		expect(await read()).toEqual(
			[0, 1].map(() => some({ WorkOrderNumber: null, Vendor: null, VendorNte: null })),
		);
	});

	it('of a vendor without orders are none', async () => {
		const assigned = idsOf(records.rows('WoAssignment'), 'EmployeeId');
		const [Id] = records.ids('Employee').filter((id) => !assigned.includes(id));
		const { items } = await n8n.succeed('invoice:getMany', { filters: { vendor: byId(Id) } });
		expect(items).toEqual([]);
	});
});
