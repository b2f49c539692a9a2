/**
 * An amount is written with its currency or not at all, by every operation that writes one. Held
 * constant: the amount is the NTE of an order or a payment; test/values/members.test.ts has all others.
 */
import type { IDataObject } from 'n8n-workflow';

import {
	byId,
	byName,
	filledIn,
	getId,
	hintsOf,
	jsonOf,
	mappedByName,
	shareCompany,
	some,
} from '../../support/company';

import type { Row } from '../../../sandbox';

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

	it.each([undefined, null, { Value: null, CurrencyTypeId: null }])(
		'is refused in a payment, also inside another command: %j',
		async (PaymentAmount) => {
			const payment = { WorkOrderId: orderWithNte().Id, PaymentAmount, VendorInvoiceStatusId: 3 };
			const $type = 'ApSubmitPaymentCommand';
			for (const [name, form] of [
				[$type, { commandBody: payment }],
				[$type, { fields: filledIn({ WorkOrderId: payment.WorkOrderId, CheckNumber: '1' }) }],
				['CompositeCommand', { commandBody: { Commands: [{ $type, ...payment }] } }],
			] as Array<[string, object]>) {
				const { message } = await n8n.refuse('command:execute', {
					...{ commandName: byName(name), ...form },
				});
				expect(message).toBe("'PaymentAmount' is empty");
			}
			expect(requests.writes()).toEqual([]);
		},
	);

	it.each([{}, '{}', { Value: null }])('changes nothing in a row: %j', async (Price) => {
		const [line] = records.rows('ReplenishmentOrderItem');
		const before = { ...records.change('ReplenishmentOrderItem', line.Id, { Price: NTE }) };
		const order = Number(line.ReplenishmentOrderId);
		const entity = 'ReplenishmentOrder';
		const members = { Items: [{ Id: line.Id, QtyOrdered: 7, Price }] };
		const key = { Number: 'K-1', ...members };
		records.change(entity, order, { Number: 'K-1' });
		for (const [operation, form] of [
			['record:update', { id: byId(order), fieldsJson: members }],
			['record:upsert', { matchOn: 'Number', fieldsJson: key, options: { updateOnly: 'error' } }],
			[
				'command:execute',
				{
					commandName: byName('UpdateCommand'),
					commandBody: {
						Entity: { EntityType: entity, Id: order, ...members },
						PropertySet: { Properties: ['Items.*'] },
					},
				},
			],
		] as Array<[string, object]>) {
			await n8n.succeed(operation, { entity: byName(entity), ...form });
			const { Price: after } = records.get('ReplenishmentOrderItem', line.Id);
			expect([operation, after]).toEqual([operation, before.Price]);
		}
		expect(JSON.stringify(requests.bodies())).not.toContain('Price');
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

	it('is refused with its name where nothing else is written', async () => {
		const { Id } = orderWithNte();
		for (const VendorNte of [{ CurrencyTypeId: 'EUR' }, { Value: 7, CurrencyTypeId: 'Unknown' }]) {
			const ways: Array<[object, object]> = [
				[{ fieldsJson: '={{ $json }}' }, { VendorNte }],
				[{ fieldsJson: '={{ $json }}' }, { Id, 'VendorNte.CurrencyTypeId': 'EUR' }],
				[mappedByName([]), { VendorNte }],
			];
			for (const [way, json] of ways) {
				const items = [{ json: json as IDataObject }];
				const { message } = await n8n.refuse(
					'workOrder:update',
					{ id: byId(Id), ...way },
					{ items },
				);
				expect(message).toMatch(/"?VendorNte"? has no value or no currency/);
			}
		}
		expect(requests.writes()).toEqual([]);
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

it.each<[string, unknown]>([
	['none', null],
	['none in the words of Corrigo', { Value: 0, CurrencyTypeId: 'Unknown' }],
	['an amount without a currency', { Value: 7, CurrencyTypeId: 'Unknown' }],
	['a currency without an amount', { Value: null, CurrencyTypeId: 'EUR' }],
	['an amount', { Value: 7, CurrencyTypeId: 'EUR' }],
])('%s that another amount replaced comes back, also in parts and rows', async (_, stored) => {
	const { Id } = records.rows('WorkOrder')[0];
	records.change('WorkOrder', Id, { VendorNte: stored });
	records.change('WorkOrderCost', Id, { CustomerNte: stored });
	const limit = { money: { value: 12.5, currency: 'USD' } };
	const limits = { vendorNte: limit, customerNte: limit, options: { returnBefore: true } };
	const { items } = await n8n.succeed('workOrder:setNte', { id: byId(Id), ...limits });
	const form = { entity: byName('WorkOrder'), before: '={{ $json.Before }}' };
	const restored = await n8n.succeed('record:restoreValues', form, { items });
	expect(jsonOf(restored.items)).toEqual([some({ Outcome: 'updated', NotRestored: [] })]);
	const { VendorNte } = records.get('WorkOrder', Id);
	const { CustomerNte } = records.get('WorkOrderCost', Id);
	const line = records.rows('ReplenishmentOrderItem')[0];
	records.change('ReplenishmentOrderItem', line.Id, { Price: stored });
	const Items = [{ Id: line.Id, Price: { Value: 12.5, CurrencyTypeId: 'USD' } }];
	const changed = await n8n.succeed('purchaseOrder:update', {
		...{ id: byId(line.ReplenishmentOrderId), fieldsJson: { Items } },
		options: { returnBefore: true },
	});
	const back = { entity: byName('ReplenishmentOrder'), before: '={{ $json.Before }}' };
	await n8n.succeed('record:restoreValues', back, { items: changed.items });
	const { Price } = records.get('ReplenishmentOrderItem', line.Id);
	const isNone = (stored as { Value?: unknown } | null)?.Value == null;
	for (const one of [VendorNte, CustomerNte, Price]) {
		if (isNone) expect(one ?? undefined).toBeUndefined();
		else expect(one).toEqual(stored);
	}
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

describe('an amount that the Company defines', () => {
	const OWNERS = ['attribute', 'custom field', 'custom field that is stored separately'] as const;
	type Owner = (typeof OWNERS)[number];

	function define(owner: Owner) {
		if (owner === 'attribute') {
			const { Id } = records.find('AttributeDescriptor', { Name: 'Replacement Cost' });
			const asset = Number(records.rows('AssetAttribute')[0].AssetId);
			return {
				...{
					resource: 'asset',
					entity: 'Location',
					id: asset,
					key: 'Name',
					table: 'AssetAttribute',
				},
				...{
					list: 'Attributes',
					name: 'Replacement Cost',
					descriptor: Id,
					owner: { AssetId: asset },
				},
			};
		}
		const isApart = owner !== 'custom field';
		const [resource, entity, kind] = isApart
			? ['space', 'Space', 'CommLeaseSpace']
			: ['contact', 'Contact', 'LeaseUser'];
		const id = records.ids(entity)[0];
		return {
			...{ resource, entity, id, key: isApart ? 'Id' : 'Number', table: 'CustomField2' },
			...{ list: 'CustomFields', name: 'Budget' },
			descriptor: records.addField(kind, 'Budget', { Type: 'Money' }),
			owner: { ObjectId: id, ObjectTypeId: kind },
		};
	}

	function prepare(owner: Owner, stored?: object) {
		const one = define(owner);
		const isOwn = (row: Row) => Object.entries(one.owner).every(([name, of]) => row[name] === of);
		const find = () =>
			records
				.rows(one.table)
				.filter((row) => isOwn(row) && getId(row.Descriptor) === one.descriptor);
		for (const { Id } of find()) records.change(one.table, Id, { Descriptor: { Id: 0 } });
		if (stored) {
			records.insert(one.table, { ...one.owner, Descriptor: { Id: one.descriptor }, ...stored });
		}
		const path = `${one.list}.${one.descriptor}`;
		const schema = [{ id: path, displayName: one.name, type: 'number' }];
		const form = { entity: byName(one.entity), id: byId(one.id) };
		const write = async (value: unknown) => [
			async () =>
				n8n.run('record:update', {
					...form,
					fieldsJson: { [one.list]: { [one.name]: value } } as never,
				}),
			async () =>
				n8n.run('record:update', { ...form, fields: filledIn({ [path]: value }, schema) }),
			async () =>
				n8n.run(
					'record:update',
					{ ...form, ...mappedByName([], schema) },
					{ items: [{ json: { [one.name]: value } as IDataObject }] },
				),
		];
		return { ...one, find, write, form };
	}

	it.each(OWNERS)('keeps its currency if a number is written: %s', async (owner) => {
		const stored = { Value: '100', CurrencyTypeId: 'EUR' };
		const { write, find, table } = prepare(owner, stored);
		for (const way of await write(250)) {
			expect((await way()).error).toBeUndefined();
			expect(find()).toMatchObject([{ Value: '250', CurrencyTypeId: 'EUR' }]);
			records.change(table, find()[0].Id, stored);
		}
	});

	it.each(OWNERS)('has the currency of the Company if it is new: %s', async (owner) => {
		const { write, find, table } = prepare(owner);
		for (const way of await write(250)) {
			expect((await way()).error).toBeUndefined();
			expect(find()).toMatchObject([{ Value: '250', CurrencyTypeId: 'USD' }]);
			records.change(table, find()[0].Id, { Descriptor: { Id: 0 } });
		}
	});

	it.each(OWNERS)('is written with the currency that is given: %s', async (owner) => {
		const { write, find, table } = prepare(owner);
		const [pasted, , mapped] = await write({ Value: 5, CurrencyTypeId: 'EUR' });
		// The column itself takes a number.
		for (const way of [pasted, mapped]) {
			expect((await way()).error).toBeUndefined();
			expect(find()).toMatchObject([{ Value: '5', CurrencyTypeId: 'EUR' }]);
			records.change(table, find()[0].Id, { Descriptor: { Id: 0 } });
		}
		const [json] = await write({ CurrencyTypeId: 'EUR' });
		expect((await json()).error?.message).toMatch(/has no amount|has no value/);
	});

	it.each([...OWNERS, 'field'] as const)(
		'is a key of records in its own currency alone: %s',
		async (owner) => {
			const amount = { Value: 7.25, CurrencyTypeId: 'EUR' };
			const isField = owner === 'field';
			const one = prepare(isField ? 'custom field' : owner, { ...amount, Value: '7.25' });
			const { Id } = records.rows('WorkOrder')[0];
			if (isField) records.change('WorkOrder', Id, { VendorNte: amount });
			const upsert = async (value: object) =>
				await n8n.run('record:upsert', {
					...{
						entity: isField ? byName('WorkOrder') : one.form.entity,
						options: { updateOnly: 'error' },
					},
					matchOn: isField ? 'VendorNte.Value' : `${one.list}.${one.descriptor}`,
					fieldsJson: isField ? { VendorNte: value } : { [one.list]: { [one.name]: value } },
				} as never);
			const other = await upsert({ ...amount, CurrencyTypeId: 'USD' });
			expect(other.error?.message).toMatch(/is an amount in USD, but .* in EUR$/);
			expect(requests.writes()).toEqual([]);
			expect(jsonOf((await upsert(amount)).items)).toEqual([some({ Outcome: 'unchanged' })]);
		},
	);

	it('keeps its currency in Create or Update, and is no difference', async () => {
		const { find, form, id } = prepare('attribute', { Value: '100.00', CurrencyTypeId: 'EUR' });
		const Name = 'The only one';
		records.change('Location', id, { Name });
		const upsert = async (value: unknown) =>
			jsonOf(
				(
					await n8n.succeed('record:upsert', {
						...{ entity: form.entity, matchOn: 'Name', options: { updateOnly: 'error' } },
						fieldsJson: { Name, Attributes: { 'Replacement Cost': value } } as never,
					})
				).items,
			);
		expect(await upsert(100)).toEqual([some({ Outcome: 'unchanged' })]);
		expect(await upsert(250)).toEqual([
			some({ Outcome: 'updated', Changed: ['Replacement Cost'] }),
		]);
		expect(find()).toMatchObject([{ Value: '250', CurrencyTypeId: 'EUR' }]);
	});
});

it.each(['Unknown', '0', 0])('%j is no currency', async (currency) => {
	const { Id, readNte } = orderWithNte();
	const run = await n8n.run('workOrder:setNte', {
		id: byId(Id),
		vendorNte: { money: { value: 5, currency: `={{ ${JSON.stringify(currency)} }}` } },
	});
	expect(run.error?.message).toContain('which is no currency');
	expect(readNte()).toEqual(NTE);
});
