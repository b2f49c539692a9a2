import type { IDataObject } from 'n8n-workflow';

import { byId, byName, jsonOf, sharedDesk } from './desk';

const desk = sharedDesk();

const costs = () => desk.rows('WorkOrderCost')[0];
const commands = () => desk.sent().map(({ body }) => (body as { Command: IDataObject }).Command);

const run = async (operation: string, form: object) =>
	await desk.run(`invoice:${operation}`, { id: byId(costs().Id), ...form });

it('an invoice command writes the ID of the order as the contract spells it', async () => {
	await run('changeApStatus', { apStatus: byId(2) });
	await run('changeCostStatus', { costStatus: byId(2) });
	const { Id } = costs();
	expect(commands()).toEqual([
		{ WorkOrderid: Id, VendorInvoiceStatusId: 2 },
		{ WorkOrderId: Id, CostStatusId: 2 },
	]);
});

it('an invoice action reports a status that the Company does not have', async () => {
	const { error } = await run('changeApStatus', { apStatus: byId(4711) });
	expect(error?.message).toBe('ApInvoiceStatus with Id 4711 cannot be found');
	expect(costs().ApStatusId).not.toBe(4711);
});

it.each([
	['changeApStatus', { apStatus: byId('={{ "" }}') }, /'AP Status'/],
	['changeApStatus', { apStatus: byName('={{ " " }}') }, /'AP Status'/],
	['changeCostStatus', { costStatus: byId('={{ "" }}') }, /'Cost Status'/],
])('%s rejects an empty status before anything is sent: %j', async (operation, form, message) => {
	expect((await run(operation, form)).error?.message).toMatch(message);
	expect(desk.sandbox.requests).toEqual([]);
});

it.each([
	['changeApStatus', { apStatus: byId(2), additionalFields: { expectedStatus: byId(7) } }],
	['changeApStatus', { apStatus: byId(2), additionalFields: { expectedConcurrencyId: 99 } }],
	['changeCostStatus', { costStatus: byId(2), additionalFields: { expectedStatus: byId(4) } }],
	['submitPayment', { apStatus: byId(3), additionalFields: { expectedConcurrencyId: 99 } }],
])('%s stops when the costs are not as expected: %j', async (operation, form) => {
	const before = structuredClone(costs());
	const { error } = await run(operation, form);
	expect(error?.message).toBe('Data was already modified by another user.');
	expect(error?.description).toMatch(/ERROR_CODE_6/);
	expect(costs()).toEqual(before);
});

it('an invoice action keeps or replaces the existing comment', async () => {
	desk.change('WorkOrderCost', costs().Id, { PaymentNotes: 'old' });
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
	const { items } = await run('submitPayment', {
		apStatus: byId(3),
		paymentAmount: { money: { value: '99.90', currency: 'AUD' } },
	});
	expect(commands()[0]).toEqual({
		WorkOrderId: costs().Id,
		VendorInvoiceStatusId: 3,
		PaymentAmount: { Value: 99.9, CurrencyTypeId: 'AUD' },
	});
	expect(items[0].json).toMatchObject({
		PaymentAmount: { CurrencyTypeId: 'AUD', Value: 99.9 },
		ApStateId: 'Paid',
	});

	desk.sandbox.forgetRequests();
	await run('submitPayment', { apStatus: byId(3), paymentAmount: {}, checkNumber: '' });
	expect(commands()).toEqual([{ WorkOrderId: costs().Id, VendorInvoiceStatusId: 3 }]);
});

it.each([
	['by its name', byName('Paid'), 'Paid'],
	['by its name in an expression for the ID', byId('={{ " Paid " }}'), 'Paid'],
	['by its name alone', 'Paid', 'Paid'],
	['by its ID', byId('3'), 3],
	['by its ID as a name', byName('3'), 3],
])('submits a payment to a status %s', async (_, apStatus, VendorInvoiceStatusId) => {
	const { items } = await run('submitPayment', { apStatus });
	expect(commands()).toEqual([{ WorkOrderId: costs().Id, VendorInvoiceStatusId }]);
	expect(items[0].json).toMatchObject({ ApStatusId: 3, ApStateId: 'Paid' });
});

it.each([
	[
		'changeApStatus',
		{ apStatus: byId('-1') },
		'\'AP Status\' must be a positive whole number, but it is "-1"',
	],
	[
		'changeCostStatus',
		{ costStatus: byId('={{ 0 }}') },
		'\'Cost Status\' must be a positive whole number, but it is "0"',
	],
	[
		'submitPayment',
		{ paymentAmount: { money: { value: '', currency: 'USD' } } },
		"'Payment Amount > Value' must be a number, but it is empty",
	],
	[
		'submitPayment',
		{ paymentAmount: { money: { value: 1, currency: 'Euro' } } },
		/'Payment Amount > Currency' must be one of/,
	],
	[
		'submitPayment',
		{ checkCutDate: '31.12.2026' },
		'\'Check Cut Date\' must be a date and time, but it is "31.12.2026"',
	],
	[
		'submitPayment',
		{ additionalFields: { expectedStatus: byId('') } },
		/'Expected Status' is empty/,
	],
])('%s is checked before anything is sent: %j', async (operation, form, message) => {
	const { error } = await run(operation, form);
	expect(error?.message).toMatch(message);
	expect(desk.sandbox.requests).toEqual([]);
});

it('costs of a work order are read by the ID of the order', async () => {
	const { items } = await run('get', { properties: 'Id, CostState' });
	expect(jsonOf(items)).toEqual([{ Id: costs().Id, CostState: 'Pending' }]);
});

it('an update of costs changes the properties that are set, and no other', async () => {
	const before = structuredClone(costs());
	await run('update', { fieldsMode: 'json', fieldsJson: { AuthorizationCode: 'A-1' } });
	expect(costs()).toEqual({
		...before,
		AuthorizationCode: 'A-1',
		ConcurrencyId: Number(before.ConcurrencyId) + 1,
	});
});
