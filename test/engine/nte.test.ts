import type { INodeParameters } from 'n8n-workflow';

import { byId, sharedDesk } from './desk';

const desk = sharedDesk();

const order = () => desk.sandbox.store.rows('WorkOrder')[0];
const nte = (value: unknown, currency = 'USD') => ({ money: { value, currency } });
const set = async (form: object) =>
	await desk.run('workOrder:setNte', { id: byId(order().Id), ...form } as INodeParameters);

it('is set for the vendor and the customer in one request, and leaves the other alone', async () => {
	const money = (Value: number, CurrencyTypeId: string) => ({ Value, CurrencyTypeId });
	const limits = () => [
		order().VendorNte,
		desk.sandbox.store.existing('WorkOrderCost', order().Id).CustomerNte,
	];
	expect(
		(await set({ vendorNte: nte(300), customerNte: nte('400.25', 'EUR') })).error,
	).toBeUndefined();
	expect(limits()).toEqual([money(300, 'USD'), money(400.25, 'EUR')]);
	expect(desk.sent()).toHaveLength(1);
	await set({ vendorNte: nte(0, 'CAD') });
	expect(limits()).toEqual([money(0, 'CAD'), money(400.25, 'EUR')]);
	await set({ customerNte: nte(1) });
	expect(limits()).toEqual([money(0, 'CAD'), money(1, 'USD')]);
});

it.each([
	[{}, "'Vendor NTE' and 'Customer NTE' are empty"],
	[{ vendorNte: nte('much') }, '\'Vendor NTE > Value\' must be a number, but it is "much"'],
	[{ customerNte: nte(1, 'gold') }, /'Customer NTE > Currency' must be one of/],
])('is checked before anything is sent: %j', async (form, message) => {
	expect((await set(form)).error?.message).toMatch(message);
	expect(desk.sandbox.requests).toEqual([]);
});
