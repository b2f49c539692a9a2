/**
 * *Restore Values* puts back what an operation with *Return Before* has written, in whichever table it is
 * stored, also where it writes many members at once or empties them. Held constant: nobody else writes;
 * one item; what an operation creates next to its record, such as a log entry, stays.
 */
import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { listClearable } from '../../../nodes/Corrigo/columns/columns';
import { Corrigo } from '../../../nodes/Corrigo/Corrigo.node';
import { byId, byName, filledIn, jsonOf, shareCompany, some } from '../../support/company';
import { readContent } from '../../support/content';
import { UPDATABLE_ENTITIES } from '../../support/updatable';

const { n8n, records } = shareCompany({ workOrders: 8 });

const TABLES = [
	...UPDATABLE_ENTITIES,
	...[
		'Address2',
		'AssetAttribute',
		'AssetInfo',
		'ContactInfo',
		'CustomField2',
		'QuoteOrEstimateItem',
	],
	...['ReplenishmentOrderItem', 'WoEstimate', 'WoQuote'],
];

/** Everything that is stored, but for the IDs of rows that were added again. */
const readTables = () =>
	TABLES.map((table) => [
		table,
		...records
			.rows(table)
			.map((row) => JSON.stringify(readContent(row)))
			.sort(),
	]);

async function restore(items: Awaited<ReturnType<typeof n8n.succeed>>['items'], entity: string) {
	const form = { entity: byName(entity), before: '={{ $json.Before }}' };
	const run = await n8n.run('record:restoreValues', form, { items });
	expect(run.error?.message).toBeUndefined();
	return jsonOf(run.items);
}

const first = (entity: string) => records.rows(entity)[0];
const offered = () => byId(first('WoQuote').WoId);
const estimated = () => {
	const [{ WorkOrderId }] = records.rows('WoEstimate');
	return byId(WorkOrderId);
};
const money = (value: number, currency: string) => ({ money: { value, currency } });

/** The entity of the record, and the form, by resource and operation. */
const OPERATIONS: Record<string, () => [entity: string, form: object]> = {
	'customer:update': () => [
		'Customer',
		{ id: byId(first('Customer').Id), fieldsJson: { Dba: 'Other', Instructions: 'Ring' } },
	],
	'customer:upsert': () => [
		'Customer',
		{
			matchOn: 'TenantCode',
			fieldsJson: {
				TenantCode: String(first('Customer').TenantCode),
				Dba: 'Other',
				Addresses: { Primary: { City: 'Elsewhere' } },
			},
		},
	],
	'purchaseOrder:markExported': () => [
		'ReplenishmentOrder',
		{ id: byId(first('ReplenishmentOrder').Id) },
	],
	'purchaseOrder:receive': () => [
		'ReplenishmentOrder',
		{ id: byId(first('ReplenishmentOrder').Id), received: 'all' },
	],
	'workOrder:decideEstimate': () => ['WorkOrder', { id: estimated(), decision: 'reject' }],
	'workOrder:decideQuote': () => ['WorkOrder', { id: offered(), decision: 'reject' }],
	'workOrder:setEstimate': () => [
		'WorkOrder',
		{
			...{ id: estimated(), amount: 77, currency: 'EUR', status: 'WaitingForApproval' },
			contact: byId(first('Contact').Id),
		},
	],
	'workOrder:setNte': () => [
		'WorkOrder',
		{ id: estimated(), vendorNte: money(3, 'CAD'), customerNte: money(4, 'EUR') },
	],
	'workOrder:update': () => [
		'WorkOrder',
		{
			id: offered(),
			fields: filledIn({
				PoNumber: 'other',
				'VendorNte.Value': 1,
				'VendorNte.CurrencyTypeId': 'EUR',
			}),
		},
	],
	'workOrder:upsert': () => [
		'WorkOrder',
		{
			...records.newOrder(),
			externalNumber: 'W-1',
			additionalFields: { poNumber: 'other', vendorNte: money(5, 'EUR') },
		},
	],
};

const findOption = (name: string) => {
	const options = new Corrigo().description.properties.find((one) => one.name === 'options');
	return (options?.options as INodeProperties[]).find((one) => one.name === name);
};

it('every operation with Return Before has a case', () => {
	const shown = findOption('returnBefore')?.displayOptions?.show?.['/operation'] as string[];
	const tried = Object.keys(OPERATIONS).map((name) => name.split(':')[1]);
	expect([...new Set([...tried, 'restoreValues'])].sort()).toEqual([...shown].sort());
});

it.each(Object.keys(OPERATIONS))('what %s has written', async (operation) => {
	const numbered = records.newOrder({ additionalFields: { externalNumber: 'W-1' } });
	if (operation === 'workOrder:upsert') await n8n.succeed('workOrder:create', numbered);
	const [entity, form] = OPERATIONS[operation]();
	const before = readTables();
	const options = { returnBefore: true };
	const done = await n8n.run(operation, { ...form, options } as INodeParameters);
	expect(done.error?.message).toBeUndefined();
	const { items } = done;
	const written = readTables();
	expect(written).not.toEqual(before);
	expect(await restore(items, entity)).toEqual([some({ Outcome: 'updated', NotRestored: [] })]);
	expect(readTables()).toEqual(before);
});

/** The sandbox requires these of every record, which the contract does not say. */
const NEEDED = ['ChargeCode.Id', 'WoId'];

it.each(UPDATABLE_ENTITIES.filter((entity) => listClearable(entity).length > 0))(
	'everything of %s that an update has emptied at once',
	async (entity) => {
		// The first locations are templates.
		const id = records.ids(entity).at(entity === 'Location' ? -1 : 0) ?? 0;
		const form = { entity: byName(entity), id: byId(id), fieldsJson: {} };
		const clear = async (fieldsToClear: string[]) =>
			await n8n.run('record:update', { ...form, options: { fieldsToClear, returnBefore: true } });
		const paths: string[] = [];
		for (const { id: path } of listClearable(entity).filter(
			({ id: one }) => !NEEDED.includes(one),
		)) {
			const dry = { fieldsToClear: [path], dryRun: 'always' };
			const run = await n8n.run('record:update', { ...form, options: dry });
			if (Object.keys((jsonOf(run.items)[0]?.WouldChange as object | undefined) ?? {}).length > 0)
				paths.push(path);
		}
		const before = readTables();
		const run = await clear(paths);
		expect([paths, run.error?.message]).toEqual([paths, undefined]);
		expect(readTables()).not.toEqual(before);
		const [restored] = await restore(run.items, entity);
		expect([paths, restored.NotRestored]).toEqual([paths, []]);
		expect(readTables()).toEqual(before);
	},
);

it('the kind of a row that was named by its Id', async () => {
	const { Id } = first('Contact');
	const [row] = records.children('ContactInfo', 'ActorId', Id);
	const before = readTables();
	const changed = { Id: row.Id, AddrTypeId: 'AltPhone', Address: '5' };
	const { items } = await n8n.succeed('contact:update', {
		...{ id: byId(Id), fieldsJson: { ContactAddresses: [changed] } },
		options: { returnBefore: true },
	});
	expect(records.get('ContactInfo', row.Id)).toMatchObject(changed);
	await restore(items, 'Contact');
	expect(readTables()).toEqual(before);
});

it('what a row did not have', async () => {
	const [row] = records.rows('ReplenishmentOrderItem');
	records.change('ReplenishmentOrderItem', row.Id, { QtyReceived: undefined });
	const before = readTables();
	const { items } = await n8n.succeed('purchaseOrder:update', {
		...{ id: byId(row.ReplenishmentOrderId), options: { returnBefore: true } },
		fieldsJson: { Items: [{ Id: row.Id, QtyReceived: 3 }] },
	});
	expect(readTables()).not.toEqual(before);
	await restore(items, 'ReplenishmentOrder');
	expect(readTables()).toEqual(before);
});

it('a row with read-only members, which is written a second time after that', async () => {
	const [{ Id, WorkOrderId }] = records.rows('WoNote');
	const before = readTables();
	const { items } = await n8n.succeed('workOrder:update', {
		...{ id: byId(WorkOrderId), options: { returnBefore: true } },
		fieldsJson: { Notes: [{ Id, Body: 'Other' }] },
	});
	const after = readTables();
	const form = { entity: byName('WorkOrder'), before: '={{ $json.Before }}' };
	const options = { returnBefore: true };
	const undone = await n8n.succeed('record:restoreValues', { ...form, options }, { items });
	expect(readTables()).toEqual(before);
	expect(await restore(undone.items, 'WorkOrder')).toEqual([some({ NotRestored: [] })]);
	expect(readTables()).toEqual(after);
});

/** An order without an estimate gets its first one. */
const setFirstEstimate = (more: object): [operation: string, form: object] => {
	const orders = records.rows('WoEstimate').map(({ WorkOrderId }) => WorkOrderId);
	const id = byId(records.ids('WorkOrder').find((order) => !orders.includes(order)));
	const contact = byId(first('Contact').Id);
	const form = { id, contact, currency: 'EUR', status: 'WaitingForApproval', ...more };
	return ['workOrder:setEstimate', form];
};
const line = { description: 'Valve', quantity: 2, rate: 5 };

it.each<[string, object]>([
	['one amount', { amount: 77 }],
	['lines', { amountAs: 'lines', lines: { values: [line] } }],
])('the first estimate of an order is removed, and comes back: %s', async (_, more) => {
	const [operation, form] = setFirstEstimate(more);
	const before = readTables();
	const options = { returnBefore: true };
	const { items } = await n8n.succeed(operation, { ...form, options });
	const after = readTables();
	const dry = { entity: byName('WorkOrder'), before: '={{ $json.Before }}' };
	const plan = await n8n.succeed(
		'record:restoreValues',
		{ ...dry, options: { dryRun: 'always' } },
		{ items },
	);
	expect(plan.items[0].json.Summary).toMatch(/^Would .*Estimate/);
	const undone = await n8n.succeed('record:restoreValues', { ...dry, options }, { items });
	expect(jsonOf(undone.items)).toEqual([some({ Outcome: 'updated', NotRestored: [] })]);
	expect(readTables()).toEqual(before);
	expect(await restore(items, 'WorkOrder')).toEqual([some({ Outcome: 'unchanged' })]);
	expect(await restore(undone.items, 'WorkOrder')).toEqual([
		some({ Outcome: 'updated', NotRestored: [] }),
	]);
	const omitParents = (tables: string[][]) =>
		tables.map((rows) => rows.map((row) => row.replace(/"ParentId":\d+,/, '')));
	expect(omitParents(readTables())).toEqual(omitParents(after));
});

it.each(['status', 'line'])(
	'an estimate stays where somebody has changed it since: %s',
	async (change) => {
		const [operation, form] = setFirstEstimate({ amountAs: 'lines', lines: { values: [line] } });
		const run = await n8n.succeed(operation, { ...form, options: { returnBefore: true } });
		const { Id } = records.rows('WoEstimate').at(-1) ?? { Id: 0 };
		if (change === 'status') records.change('WoEstimate', Id, { StatusId: 'Approved' });
		else records.insert('QuoteOrEstimateItem', { ParentId: Id, ParentTypeId: 'Estimate' });
		const after = readTables();
		const left = some({ Field: 'Estimate', Reason: 'It was changed since' });
		expect(await restore(run.items, 'WorkOrder')).toEqual([
			some({ Outcome: 'unchanged', NotRestored: [left] }),
		]);
		expect(readTables()).toEqual(after);
	},
);

it('a contact address that an order did not have before is listed in NotRestored', async () => {
	const fieldsJson = { ContactAddress: { Address: 'new@x.org', AddrTypeId: 'Contact' } };
	const run = await n8n.succeed('workOrder:update', {
		...{ id: byId(first('WorkOrder').Id), fieldsJson },
		options: { returnBefore: true },
	});
	const after = readTables();
	const left = some({
		...{ Field: 'ContactAddress', Reason: expect.stringContaining('not there before') },
	});
	expect(await restore(run.items, 'WorkOrder')).toEqual([
		some({ Outcome: 'unchanged', NotRestored: [left] }),
	]);
	expect(readTables()).toEqual(after);
});

it.each(['https://other.org', ''])('a link gets its label back after %p', async (value) => {
	const field = records.addField('LeaseUser', 'Manual', { Type: 'Url' });
	const [{ Id }] = records.rows('Contact');
	const owner = { ObjectId: Id, ObjectTypeId: 'LeaseUser', Descriptor: { Id: field } };
	const Value = '<a href="https://example.org/m">Manual of the pump</a>';
	records.insert('CustomField2', { ...owner, Value });
	const before = readTables();
	const run = await n8n.succeed('contact:update', {
		...{ id: byId(Id), fieldsJson: { CustomFields: { Manual: value } } },
		options: { returnBefore: true },
	});
	expect(readTables()).not.toEqual(before);
	expect(await restore(run.items, 'Contact')).toEqual([
		some({ Outcome: 'updated', NotRestored: [] }),
	]);
	expect(readTables()).toEqual(before);
});

const CHAINS: Array<[entity: string, member: string, values: string[]]> = [
	['Contact', 'CustomFields.Own', ['1', '2', '', '3']],
	['Contact', 'ContactAddresses.PrimEmail', ['1@x.org', '2@x.org', '', '3@x.org']],
	['Location', 'CustomFields.Own', ['1', '2', '', '3']],
	['Location', 'Attributes.Load', ['< 5 t', '> 5 t', '', '< 5 t']],
];

it.each(CHAINS)('changes of %s %s are undone newest first', async (entity, member, values) => {
	records.addField(entity === 'Contact' ? 'LeaseUser' : 'Asset', 'Own');
	const [list, name] = member.split('.');
	const id = entity === 'Contact' ? first('Contact').Id : Number(first('AssetAttribute').AssetId);
	const before = readTables();
	const items = [];
	for (const value of values) {
		const isRemoved = value === '' && list === 'ContactAddresses';
		const content = isRemoved ? { TitleName: 'x' } : { [list]: { [name]: value } };
		const run = await n8n.succeed('record:update', {
			...{ entity: byName(entity), id: byId(id) },
			...(isRemoved ? { fieldsJson: {} } : { fieldsJson: content }),
			options: { returnBefore: true, ...(isRemoved ? { fieldsToClear: member } : {}) },
		});
		items.unshift(...run.items);
	}
	for (const item of await restore(items, entity)) expect(item.NotRestored).toEqual([]);
	// Corrigo sets this member itself, which the sandbox does not.
	const omitTop = (tables: string[][]) =>
		tables.map((rows) => rows.map((row) => row.replace(/"TopAssetId":\d+,/, '')).sort());
	expect(omitTop(readTables())).toEqual(omitTop(before));
});
