/**
 * An amount is written with its currency or not at all, by every operation that writes one. Held
 * constant: the amount is the NTE of an order or a payment; test/values/members.test.ts has all others.
 */
import type { IDataObject } from 'n8n-workflow';

import {
	byId,
	byName,
	filledIn,
	hintsOf,
	jsonOf,
	mappedByName,
	shareCompany,
	some,
} from '../../support/company';

const { n8n, records, requests } = shareCompany({ workOrders: 3 });

const NTE = { Value: 825, CurrencyTypeId: 'USD' };

function orderWithNte() {
	const [{ Id }] = records.rows('WorkOrder');
	records.change('WorkOrder', Id, { VendorNte: NTE });
	return { Id, readNte: () => records.get('WorkOrder', Id).VendorNte };
}

const EMPTY = ['={{ $json.none }}', '={{ null }}', "={{ '' }}", null] as const;

describe('a currency whose amount is empty', () => {
	const amount = (value: unknown) =>
		filledIn({ 'VendorNte.Value': value, 'VendorNte.CurrencyTypeId': 'EUR' });

	it.each(EMPTY)('is refused with its name by columns: %s', async (value) => {
		const { Id, readNte } = orderWithNte();
		const operations: Array<[string, object]> = [
			['workOrder:update', { id: byId(Id), fields: amount(value) }],
			['record:update', { entity: byName('WorkOrder'), id: byId(Id), fields: amount(value) }],
			[
				'record:create',
				{ entity: byName('WoEstimate'), fields: filledIn({ 'Amount.CurrencyTypeId': 'EUR' }) },
			],
			[
				'command:execute',
				{
					commandName: byName('ApSubmitPaymentCommand'),
					fields: filledIn({
						WorkOrderId: Id,
						'PaymentAmount.Value': value,
						'PaymentAmount.CurrencyTypeId': 'EUR',
					}),
				},
			],
		];
		for (const [operation, form] of operations) {
			expect((await n8n.refuse(operation, form)).message).toMatch(/Currency.* has no amount/);
			const dry = { ...form, options: { dryRun: 'always' } };
			expect((await n8n.refuse(operation, dry)).message).toMatch(/has no amount/);
		}
		expect(readNte()).toEqual(NTE);
	});

	it('is refused by a mapping and by Create or Update', async () => {
		const { Id } = orderWithNte();
		const item = { Number: records.get('WorkOrder', Id).Number, 'VendorNte.CurrencyTypeId': 'EUR' };
		const items = [{ json: item as IDataObject }];
		for (const [operation, form] of [
			['workOrder:update', { id: byId(Id), ...mappedByName([]) }],
			[
				'record:upsert',
				{
					entity: byName('WorkOrder'),
					...mappedByName(['Number']),
					options: { updateOnly: 'skip' },
				},
			],
		] as const) {
			expect((await n8n.refuse(operation, form, { items })).message).toMatch(/has no amount/);
		}
	});

	it('is left out of a pasted record, which says so', async () => {
		const { Id, readNte } = orderWithNte();
		const amounts = [{ CurrencyTypeId: 'EUR' }, { Value: null, CurrencyTypeId: 'EUR' }];
		for (const VendorNte of [...amounts, { Value: 7, CurrencyTypeId: 'Unknown' }]) {
			const run = await n8n.succeed('workOrder:update', {
				id: byId(Id),
				fieldsJson: { PoNumber: 'P', VendorNte },
			});
			expect(hintsOf(run)).toEqual([
				"Left out of 'Fields (JSON)', as an amount without a value or a currency changes nothing: VendorNte",
			]);
			expect(requests.bodies().at(-1)?.Entity).toEqual({ Id, PoNumber: 'P' });
		}
		expect(readNte()).toEqual(NTE);
	});
});

it('an amount in another currency is put back with its value', async () => {
	const { Id, readNte } = orderWithNte();
	const fieldsJson = { VendorNte: { Value: 825, CurrencyTypeId: 'EUR' } };
	const options = { returnBefore: true };
	const { items } = await n8n.succeed('workOrder:update', { id: byId(Id), fieldsJson, options });
	expect(readNte()).toEqual(fieldsJson.VendorNte);
	const form = { entity: byName('WorkOrder'), before: '={{ $json.Before }}' };
	const restored = await n8n.succeed('record:restoreValues', form, { items });
	expect(jsonOf(restored.items)).toEqual([some({ Changed: ['VendorNte'], NotRestored: [] })]);
	expect(readNte()).toEqual(NTE);
});

it('an amount whose currency alone was written before is put back, too', async () => {
	const { Id, readNte } = orderWithNte();
	records.change('WorkOrder', Id, { VendorNte: { CurrencyTypeId: 'USD' } });
	const before = { EntityType: 'WorkOrder', Id, VendorNte: NTE };
	const Before = { ...before, Written: { VendorNte: { CurrencyTypeId: 'USD' } } };
	const items = [{ json: { Before } as IDataObject }];
	await n8n.succeed('record:restoreValues', { entity: byName('WorkOrder') }, { items });
	expect(readNte()).toEqual(NTE);
});
