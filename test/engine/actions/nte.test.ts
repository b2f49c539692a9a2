import { byId, itemsOf, jsonOf, shareCompany, some } from '../../support/company';

const { n8n, records, requests } = shareCompany();

const order = () => records.rows('WorkOrder')[0];
const nte = (value: unknown, currency = 'USD') => ({ money: { value, currency } });
const set = async (form: object) =>
	await n8n.run('workOrder:setNte', { id: byId(order().Id), ...form });

it('an NTE is set for the vendor and the customer in one request, or only for the chosen one', async () => {
	const money = (Value: number, CurrencyTypeId: string) => ({ Value, CurrencyTypeId });
	const limits = () => [order().VendorNte, records.get('WorkOrderCost', order().Id).CustomerNte];
	const both = await set({ vendorNte: nte(300), customerNte: nte('400.25', 'EUR') });
	expect(both.error).toBeUndefined();
	expect(limits()).toEqual([money(300, 'USD'), money(400.25, 'EUR')]);
	expect(requests.sent()).toHaveLength(1);
	await set({ vendorNte: nte(0, 'CAD') });
	expect(limits()).toEqual([money(0, 'CAD'), money(400.25, 'EUR')]);
	await set({ customerNte: nte(1) });
	expect(limits()).toEqual([money(0, 'CAD'), money(1, 'USD')]);
});

it('an NTE is returned with its order by Return Record', async () => {
	const { items } = await set({ vendorNte: nte(300), options: { returnRecord: true } });
	const { Id, Number } = order();
	expect(jsonOf(items)).toEqual([
		some({ Id, Number, VendorNte: { Value: 300, CurrencyTypeId: 'USD' } }),
	]);
});

it('an amount that is added needs a number', async () => {
	const sendNew = async (money: object) => {
		const form = records.newOrder({ additionalFields: { vendorNte: { money } } });
		return await n8n.run('workOrder:create', form);
	};
	const empty = await sendNew({});
	expect(empty.error?.message).toBe("'Vendor NTE Value' is empty");
	const refused = await sendNew({ value: '={{ $json.none }}' });
	expect(refused.error?.message).toContain("'Vendor NTE Value' is empty");
	expect(requests.commands()).toEqual([]);
});

describe('the currency of an NTE', () => {
	const ofCompany = (value: unknown) => ({ money: { value } });
	const inZones = (...currencies: string[]) => {
		for (const [index, id] of records.ids('WorkZone').entries()) {
			records.change('WorkZone', id, { CurrencyTypeId: currencies[index % currencies.length] });
		}
	};

	it('is by default that of all work zones, read once for all items', async () => {
		inZones('CAD');
		const limits = { vendorNte: ofCompany(300), customerNte: ofCompany(9) };
		const form = { id: byId(order().Id), ...limits };
		await n8n.succeed('workOrder:setNte', form, { items: itemsOf(1, 2) });
		expect(order().VendorNte).toEqual({ Value: 300, CurrencyTypeId: 'CAD' });
		expect(requests.paths()).toEqual([
			'POST query/WorkZone',
			'PUT base/WorkOrder',
			'PUT base/WorkOrder',
		]);
	});

	it('must be chosen where work zones have several', async () => {
		inZones('USD', 'EUR');
		const { error } = await set({ vendorNte: ofCompany(300) });
		expect(error?.message).toBe(
			`'Vendor NTE > Currency' is that of the Company, whose work zones have "USD", "EUR"`,
		);
		expect(requests.paths()).toEqual(['POST query/WorkZone']);
	});
});

it('an NTE is refused without any amount before anything is sent', async () => {
	expect(await n8n.refusal(set({}))).toBe("'Vendor NTE' and 'Customer NTE' are empty");
});
