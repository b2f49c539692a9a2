import { byId, sharedDesk, some } from './desk';

const desk = sharedDesk();

const order = () => desk.rows('WorkOrder')[0];
const nte = (value: unknown, currency = 'USD') => ({ money: { value, currency } });
const set = async (form: object) =>
	await desk.run('workOrder:setNte', { id: byId(order().Id), ...form });

it('an NTE is set for the vendor and the customer in one request, or only for the chosen one', async () => {
	const money = (Value: number, CurrencyTypeId: string) => ({ Value, CurrencyTypeId });
	const limits = () => [order().VendorNte, desk.record('WorkOrderCost', order().Id).CustomerNte];
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

it('an NTE is returned with its order by Return Record', async () => {
	const { items } = await set({ vendorNte: nte(300), options: { returnRecord: true } });
	const { Id, Number } = order();
	expect(items.map(({ json }) => json)).toEqual([
		some({ Id, Number, VendorNte: { Value: 300, CurrencyTypeId: 'USD' } }),
	]);
});

describe('the currency of an NTE', () => {
	const ofCompany = (value: unknown) => ({ money: { value } });
	const paid = () => desk.sent().map(({ path }) => path.replace('/api/v1/', ''));
	const inZones = (...currencies: string[]) => {
		const { store } = desk.sandbox;
		for (const [index, { Id }] of store.rows('WorkZone').entries()) {
			const CurrencyTypeId = currencies[index % currencies.length];
			store.change('WorkZone', Id, { CurrencyTypeId });
		}
	};

	it('is by default that of all work zones, read once for all items', async () => {
		inZones('CAD');
		const items = [1, 2].map(() => ({ json: {} }));
		const parameters = {
			id: byId(order().Id),
			vendorNte: ofCompany(300),
			customerNte: ofCompany(9),
		};
		await desk.succeed('workOrder:setNte', parameters, { items });
		expect(order().VendorNte).toEqual({ Value: 300, CurrencyTypeId: 'CAD' });
		expect(paid()).toEqual(['query/WorkZone', 'base/WorkOrder', 'base/WorkOrder']);
	});

	it('must be chosen where work zones have several', async () => {
		inZones('USD', 'EUR');
		const { error } = await set({ vendorNte: ofCompany(300) });
		expect(error?.message).toBe(
			"'Vendor NTE > Currency' is that of the Company, whose work zones have USD, EUR",
		);
		expect(paid()).toEqual(['query/WorkZone']);
	});
});

it.each([
	[{}, "'Vendor NTE' and 'Customer NTE' are empty"],
	[{ vendorNte: nte('much') }, '\'Vendor NTE > Value\' must be a number, but it is "much"'],
	[{ customerNte: nte(1, 'gold') }, /'Customer NTE > Currency' must be one of/],
])('is checked before anything is sent: %j', async (form, message) => {
	expect((await set(form)).error?.message).toMatch(message);
	expect(desk.sandbox.requests).toEqual([]);
});
