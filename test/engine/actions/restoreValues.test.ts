/** Restore Values: what an operation has changed is put back, unless somebody else has changed it since. */
import fc from 'fast-check';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Row } from '../../../sandbox';
import { cases } from '../../cases';
import {
	byId,
	byName,
	errorsOf,
	filledIn,
	hintsOf,
	itemsOf,
	jsonOf,
	rejection,
	shareCompany,
	some,
} from '../../support/company';

const company = shareCompany({ workOrders: 10 });
const { n8n, records, requests } = company;

type More = Parameters<typeof n8n.run>[2];
const CHANGED = 'It was changed since';

/** Items as an update leaves them, which Restore Values takes. */
async function updated(operation: string, parameters: object, more: More = {}) {
	const options = { returnBefore: true };
	const { items } = await n8n.succeed(operation, { ...parameters, options }, more);
	company.sandbox.forgetRequests();
	return items;
}

const updatedOrder = async (id: number, fields: IDataObject) =>
	await updated('workOrder:update', { id: byId(id), fieldsJson: fields });

const restore = async (
	items: INodeExecutionData[],
	entity = 'WorkOrder',
	form: object = {},
	more: More = {},
) => {
	const parameters = { entity: byName(entity), before: '={{ $json.Before }}', ...form };
	return await n8n.run('record:restoreValues', parameters, { items, ...more });
};

it('puts back all that an update has changed, and then there is nothing left to do', async () => {
	const [{ Id }] = records.rows('WorkOrder');
	const state = () => {
		const { PoNumber, Duration, DtDue, VendorNte, Customer } = records.get('WorkOrder', Id);
		return [PoNumber ?? null, Duration, DtDue, VendorNte ?? null, Customer];
	};
	records.change('WorkOrder', Id, { VendorNte: null });
	const before = state();
	const written = {
		PoNumber: 'B',
		Duration: 77,
		DtDue: '2026-05-01T10:00:00',
		VendorNte: { Value: 5, CurrencyTypeId: 'USD' },
		Customer: { Id: records.rows('Customer')[2].Id },
	};
	const items = await updatedOrder(Id, written);
	const { items: first, error } = await restore(items);
	expect(error).toBeUndefined();
	expect(jsonOf(first)).toEqual([
		some({
			Id,
			Outcome: 'updated',
			NotRestored: [],
			Changed: ['PoNumber', 'Duration', 'DtDue', 'VendorNte', 'Customer'],
		}),
	]);
	expect(state()).toEqual(before);
	expect(requests.paths()).toEqual(['POST query/WorkOrder', 'PUT base/WorkOrder']);
	const again = await restore(items);
	expect(jsonOf(again.items)).toEqual([some({ Outcome: 'unchanged', NotRestored: [] })]);
	expect(again.items[0].json).not.toHaveProperty('Changed');
});

it('reads the records of many items together, and those of one record in turn', async () => {
	const ids = records.ids('WorkOrder');
	const wanted = [...ids, ids[0]].map((id, index) => ({ id, PoNumber: `P${index}` }));
	const numbers = () => records.rows('WorkOrder').map(({ PoNumber }) => PoNumber ?? '');
	const before = numbers();
	const items = await updated(
		'workOrder:update',
		{ id: byId('={{ $json.x.id }}'), fieldsJson: '={{ ({ PoNumber: $json.x.PoNumber }) }}' },
		{ items: itemsOf(...wanted) },
	);
	// The newest change first, as each puts back what was there before it.
	const run = await restore([...items].reverse(), 'WorkOrder', {
		options: { advanced: { parallelRequests: 4 } },
	});
	expect(run.error).toBeUndefined();
	expect(jsonOf(run.items).map(({ Outcome }) => Outcome)).toEqual(wanted.map(() => 'updated'));
	expect(numbers()).toEqual(before);
	expect(requests.paths().filter((path) => path.includes('query'))).toHaveLength(2);
});

it('takes all items of Create or Update, also those of records that it has not changed', async () => {
	const [changed, same] = records.rows('Customer').map((row) => ({ ...row }));
	const given = [
		{ TenantCode: changed.TenantCode, Dba: 'mine' },
		{ TenantCode: same.TenantCode, Dba: same.Dba },
		records.newCustomer('new'),
	];
	const form = { matchOn: 'TenantCode', fieldsJson: '={{ $json.x }}' };
	const { items } = await n8n.succeed('customer:upsert', form, { items: itemsOf(...given) });
	const run = await n8n.run('record:restoreValues', { entity: byName('Customer') }, { items });
	expect(run.error).toBeUndefined();
	expect(jsonOf(run.items).map(({ Outcome }) => Outcome)).toEqual([
		'updated',
		'unchanged',
		'unchanged',
	]);
	expect(records.get('Customer', changed.Id).Dba).toBe(changed.Dba);
	expect(hintsOf(run)).toEqual([expect.stringMatching(/^Records that were created stay/)]);
});

it('leaves alone what Create or Update has not found', async () => {
	const form = {
		matchOn: 'TenantCode',
		fieldsJson: '={{ $json.x }}',
		options: { updateOnly: 'skip' },
	};
	const given = itemsOf({ TenantCode: 'gone', Dba: 'mine' });
	const { items } = await n8n.succeed('customer:upsert', form, { items: given });
	const undo = { entity: byName('Customer'), options: { dryRun: 'always' } };
	const run = await n8n.succeed('record:restoreValues', undo, { items });
	const Summary = 'Would leave the record as it is';
	expect(jsonOf(run.items)).toEqual([some({ Outcome: 'unchanged', Summary })]);
});

const nte = (value: number) => ({ money: { value, currency: 'USD' } });
const columns = (value: object) => ({ fields: filledIn(value) });

it.each([
	['Asset', 'Location', 'asset:update'],
	['WO', 'WorkOrder', 'workOrder:update'],
])('puts back custom fields of records of the type %s', async (type, entity, operation) => {
	const [{ Id }] = records.rows(entity);
	const [old, fresh] = ['Old', 'Fresh'].map((name) => records.addField(type, name));
	records.insert('CustomField2', {
		Descriptor: { Id: old },
		ObjectId: Id,
		ObjectTypeId: type,
		Value: 'x',
	});
	const values = () => {
		const rows = records.children('CustomField2', 'ObjectId', Id);
		const found = rows.map(({ Descriptor, Value }) => [(Descriptor as Row).Id, Value] as const);
		return [old, fresh].map((field) => new Map(found).get(field) ?? '');
	};
	const items = await updated(operation, {
		id: byId(Id),
		...columns({ [`CustomFields.${old}`]: 'y', [`CustomFields.${fresh}`]: 'z' }),
	});
	expect(values()).toEqual(['y', 'z']);
	const { items: done, error } = await restore(items, entity);
	expect(error).toBeUndefined();
	expect(jsonOf(done)).toEqual([some({ Outcome: 'updated', NotRestored: [] })]);
	expect(values()).toEqual(['x', '']);
});

it.each<[string, string, INodeParameters, Array<[string, string]>]>([
	[
		'workOrder:setNte',
		'WorkOrder',
		{ vendorNte: nte(7), customerNte: nte(8) },
		[
			['WorkOrder', 'VendorNte'],
			['WorkOrderCost', 'CustomerNte'],
		],
	],
	[
		'purchaseOrder:receive',
		'ReplenishmentOrder',
		{ received: 'all' },
		[
			['ReplenishmentOrderItem', 'QtyReceived'],
			['ReplenishmentOrderItem', 'Product'],
		],
	],
	[
		'contact:update',
		'Contact',
		columns({
			'ContactAddresses.PrimEmail': 'new@example.com',
			'ContactAddresses.Fax': '+1 555 0100',
		}),
		[['ContactInfo', 'Address']],
	],
	['employee:update', 'Employee', columns({ Teams: '2,3' }), [['LinkUserAndTeam', 'TeamId']]],
	[
		'customer:update',
		'Customer',
		columns({ 'Addresses.Primary.Street': 'Elsewhere 5', Dba: 'x' }),
		[
			['Address2', 'Street'],
			['Customer', 'Dba'],
		],
	],
])('puts back what %s has changed', async (operation, entity, form, members) => {
	const state = () =>
		members.map(([name, member]) => records.rows(name).map((row) => [row.Id, row[member] ?? null]));
	const before = JSON.stringify(state());
	const items = await updated(operation, { id: byId(records.rows(entity)[0].Id), ...form });
	expect(JSON.stringify(state())).not.toBe(before);
	const run = await restore(items, entity);
	expect(run.error).toBeUndefined();
	expect(jsonOf(run.items)).toEqual([some({ Outcome: 'updated', NotRestored: [] })]);
	expect(JSON.stringify(state())).toBe(before);
});

// Promise: *Restore Values* puts back what an update has changed
it('loses nothing of others, and puts back all else', async () => {
	const text = fc.constantFrom('', 'a', 'b', 'c');
	const members = {
		PoNumber: text,
		ContactName: text,
		TaskRefinement: text,
		Duration: fc.integer({ min: 1, max: 3 }),
	};
	const partly = fc.record(members, { requiredKeys: [] });
	const order = fc.record({
		before: fc.record(members),
		written: partly.filter((one) => Object.keys(one).length > 0),
		others: partly,
	});
	await fc.assert(
		fc.asyncProperty(fc.array(order, { minLength: 1, maxLength: 10 }), async (orders) => {
			company.fresh();
			const ids = records.ids('WorkOrder');
			const changeAll = (part: 'before' | 'others') =>
				orders.forEach((one, index) => records.change('WorkOrder', ids[index], one[part]));
			changeAll('before');
			const items = await updated(
				'workOrder:update',
				{ id: byId('={{ $json.x.id }}'), fieldsJson: '={{ $json.x.written }}' },
				{ items: itemsOf(...orders.map(({ written }, index) => ({ id: ids[index], written }))) },
			);
			changeAll('others');
			const run = await restore(items);
			expect(run.error).toBeUndefined();
			orders.forEach(({ before, written, others }, index) => {
				const row = records.rows('WorkOrder')[index];
				const { NotRestored } = run.items[index].json;
				const listed = (NotRestored as IDataObject[]).map(({ Field }) => Field);
				const left: IDataObject = { ...before, ...written };
				const now: IDataObject = { ...left, ...others };
				for (const [name, old] of Object.entries(before)) {
					const isOthers = now[name] !== left[name];
					expect([name, row[name] ?? '']).toEqual([name, isOthers ? now[name] : old]);
					const isToList = isOthers && left[name] !== old && now[name] !== old;
					expect([name, listed.includes(name)]).toEqual([name, isToList]);
				}
			});
		}),
		{ numRuns: cases(10, 50) },
	);
});

describe('where the host compares versions', () => {
	beforeEach(() => company.sandbox.set({ imposeConcurrencyId: true }));

	it('a change between the read and the write is not lost', async () => {
		const [one, { Id, Duration }] = records.rows('WorkOrder').map((row) => ({ ...row }));
		const items = [one.Id, Id].map(
			async (id) => await updatedOrder(id, { PoNumber: 'B', Duration: 77 }),
		);
		const running = restore((await Promise.all(items)).flat());
		await company.sandbox.waitFor(({ method }) => method === 'PUT');
		records.change('WorkOrder', Id, { PoNumber: 'theirs' });
		const { items: done } = await running;
		expect(jsonOf(done)[1]).toMatchObject({
			Changed: ['Duration'],
			NotRestored: [{ Field: 'PoNumber', Now: 'theirs', Reason: CHANGED }],
		});
		expect(records.rows('WorkOrder')[1]).toMatchObject({ PoNumber: 'theirs', Duration });
	});
});

it('says in a dry run what it would put back, and writes that with the key alone', async () => {
	const [{ Id, Number: number, PoNumber }] = records.rows('WorkOrder');
	const items = await updatedOrder(Id, { PoNumber: 'B', Duration: 77 });
	records.change('WorkOrder', Id, { Duration: 78 });
	const dry = await restore(items, 'WorkOrder', { options: { dryRun: 'always' } });
	expect(jsonOf(dry.items)).toEqual([
		some({
			Outcome: 'wouldUpdate',
			Changed: ['PoNumber'],
			NotRestored: [{ Field: 'Duration', Now: 78, Reason: CHANGED }],
			Summary: `Would set PO Number of work order ${String(number)} from B to ${String(PoNumber)}`,
		}),
	]);
	expect(records.rows('WorkOrder')[0]).toMatchObject({ PoNumber: 'B' });
	const options = { confirmationKey: dry.items[0].json.ConfirmationKey as string };
	const run = await restore(items, 'WorkOrder', { options });
	expect(jsonOf(run.items)).toEqual([some({ Outcome: 'updated' })]);
	expect(records.rows('WorkOrder')[0]).toMatchObject({ PoNumber });
});

it('takes a record by its ID from people who write what it was', async () => {
	const [{ Id }] = records.rows('WorkOrder');
	records.change('WorkOrder', Id, { Priority: { Id: 3 } });
	for (const [Priority, written] of [
		[2, 3],
		[{ Id: 1 }, '2'],
	]) {
		const Before = { EntityType: 'WorkOrder', Id, Priority, Written: { Priority: written } };
		const { items } = await restore([{ json: { Before } as IDataObject }]);
		expect(jsonOf(items)).toEqual([some({ Changed: ['Priority'], NotRestored: [] })]);
	}
	expect(records.rows('WorkOrder')[0]).toMatchObject({ Priority: { Id: 1 } });
});

it('returns with Return Before what takes it back again', async () => {
	const [{ Id }] = records.rows('WorkOrder');
	const items = await updatedOrder(Id, { PoNumber: 'B' });
	const undone = await restore(items, 'WorkOrder', { options: { returnBefore: true } });
	await restore(undone.items);
	expect(records.rows('WorkOrder')[0]).toMatchObject({ PoNumber: 'B' });
});

it('fails where the record is gone or may not be read, and other items go on', async () => {
	const [{ Id }] = records.rows('WorkOrder');
	const [item] = await updatedOrder(Id, { PoNumber: 'B' });
	const gone = { json: { Before: { ...(item.json.Before as IDataObject), Id: 999999 } } };
	const run = await restore([gone, item], 'WorkOrder', {}, { onError: 'continueErrorOutput' });
	expect(errorsOf(run)).toEqual(['There is no work order with the ID 999999']);
	expect(jsonOf(run.items)).toEqual([some({ Id, Outcome: 'updated' })]);
	requests.fault(rejection('/query/', { ErrorCode: '', ErrorMessage: 'You may not' }));
	const { error } = await restore([item]);
	expect(error?.message).toBe('The work order may not be read, so nothing was written');
});

describe('is refused before anything is sent:', () => {
	const good = { EntityType: 'WorkOrder', Id: 1, PoNumber: 'A', Written: { PoNumber: 'B' } };
	it.each<[string, unknown, string | RegExp]>([
		['nothing', undefined, /^'Before' is empty: its expression gives nothing/],
		['a list', [good], /^'Before' must be a JSON object/],
		['a text', 'PO-1', /^'Before' is not valid JSON/],
		['no ID', { ...good, Id: undefined }, /^'Before > Id' must be a positive whole number/],
		[
			'another entity',
			{ ...good, EntityType: 'Contact' },
			`'Before' is a record of "Contact", but 'Entity' is WorkOrder`,
		],
		['a plain record', { ...good, Written: undefined }, "'Before' does not say what was written"],
		...[{ PerformDeletion: true }, { Customer: { Id: 1, PerformDeletion: 'true' } }].map(
			(own): [string, object, RegExp] => [
				`a deletion of ${Object.keys(own).join()}`,
				{ ...good, ...own, Written: { ...good.Written, ...own } },
				/^'Before' has PerformDeletion, which would delete the record itself/,
			],
		),
		...['PoNumber,Number', 'PoNumber&ID=2'].map((name): [string, object, string] => [
			`the name ${name}`,
			{ ...good, [name]: 'x', Written: { [name]: 'y' } },
			`'Before' has "${name}", which is not a field name`,
		]),
		[
			'a property without its old value',
			{ ...good, Written: { PoNumber: 'B', Duration: 1 } },
			'\'Before\' has no earlier value for what was written: "Duration"',
		],
		[
			'an expression that gives nothing for an old value',
			"={{ ({ EntityType: 'WorkOrder', Id: 1, PoNumber: $json.gone, Written: { PoNumber: 'B' } }) }}",
			'\'Before\' has no earlier value for what was written: "PoNumber"',
		],
		[
			'a record by its name',
			{ ...good, Priority: { DisplayAs: 'High' }, Written: { Priority: 3 } },
			'\'Before\' lacks the Id of a record: "Priority"',
		],
		[
			'a property that cannot be written',
			{ ...good, CreatedDate: 'x', Written: { CreatedDate: 'y' } },
			'\'Before\' has what cannot be written: "CreatedDate"',
		],
	])('%s', async (_, Before, message) => {
		const [item] = await updatedOrder(records.rows('WorkOrder')[0].Id, { PoNumber: 'B' });
		const isExpression = typeof Before === 'string' && Before.startsWith('=');
		const { error } = isExpression
			? await restore([item], 'WorkOrder', { before: Before })
			: await restore([item, { json: { Before } as IDataObject }]);
		expect(error?.message).toMatch(message);
		expect(requests.sent()).toEqual([]);
	});
});

describe('what was removed, and added again since', () => {
	const first = (entity: string) => records.rows(entity)[0];
	const contact = () => first('Contact').Id;
	const removals: Array<
		[
			entity: string,
			rows: string,
			value: string,
			setUp: () => [number, removal: IDataObject, row: Row],
		]
	> = [
		[
			...(['Contact', 'ContactInfo', 'Address'] as const),
			() => {
				const [row] = records.children('ContactInfo', 'ActorId', contact());
				const deletion = { AddrTypeId: row.AddrTypeId, PerformDeletion: true };
				return [contact(), { ContactAddresses: [deletion] } as IDataObject, row];
			},
		],
		[
			...(['Contact', 'ContactInfo', 'Address'] as const),
			() => {
				const [row] = records.children('ContactInfo', 'ActorId', contact());
				const deletion = { Id: row.Id, PerformDeletion: true };
				return [contact(), { ContactAddresses: [deletion] } as IDataObject, row];
			},
		],
		[
			...(['Employee', 'LinkUserAndTeam', 'TeamId'] as const),
			() => {
				const row = first('LinkUserAndTeam');
				return [Number(row.UserId), { Teams: [{ Id: row.Id, PerformDeletion: true }] }, row];
			},
		],
		...(['Contact', 'WorkOrder'] as const).map((entity): (typeof removals)[number] => [
			...([entity, 'CustomField2', 'Value'] as const),
			() => {
				const { Id } = first(entity);
				const type = entity === 'Contact' ? 'LeaseUser' : 'WO';
				const Descriptor = { Id: records.addField(type, 'Gone') };
				const owner = { ObjectId: Id, ObjectTypeId: type };
				const row = records.insert('CustomField2', { ...owner, Descriptor, Value: 'old' });
				return [Id, { CustomFields: { Gone: '' } }, row];
			},
		]),
		[
			...(['Location', 'AssetAttribute', 'Value'] as const),
			() => {
				const { Id } = records.find('AttributeDescriptor', { Name: 'Manufacturer' });
				const hasField = ({ Descriptor }: Row) => (Descriptor as Row).Id === Id;
				const row = records.rows('AssetAttribute').find(hasField) as Row;
				return [Number(row.AssetId), { Attributes: { Manufacturer: '' } }, row];
			},
		],
	];

	it.each(removals)('is not doubled: %s, %s', async (entity, rows, value, setUp) => {
		const [id, fieldsJson, row] = setUp();
		const form = { entity: byName(entity), id: byId(id), fieldsJson };
		const keys = ['ActorId', 'AddrTypeId', 'AssetId', 'Descriptor', 'ObjectId', 'UserId'];
		const identify = (one: Row) => JSON.stringify(keys.map((name) => one[name]));
		const listSame = () =>
			records
				.rows(rows)
				.filter((one) => identify(one) === identify(row))
				.map((one) => one[value]);
		const before = listSame();
		const items = await updated('record:update', form);
		expect(listSame()).toHaveLength(before.length - 1);
		expect(jsonOf((await restore(items, entity)).items)).toMatchObject([{ Outcome: 'updated' }]);
		expect(jsonOf((await restore(items, entity)).items)).toMatchObject([{ Outcome: 'unchanged' }]);
		expect(listSame().sort()).toEqual(before.sort());
		if (value === 'TeamId') return;
		const again = await updated('record:update', setUpAgain(form, fieldsJson, rows, row));
		const others = { ...row, Id: undefined, [value]: 'colleague' };
		records.insert(rows, filterUndefined(others));
		const [left] = jsonOf((await restore(again, entity)).items);
		expect(left).toMatchObject({ Outcome: 'unchanged', NotRestored: [{ Reason: CHANGED }] });
		expect(listSame()).toContain('colleague');
		expect(listSame()).toHaveLength(before.length);
	});

	const filterUndefined = (row: object) =>
		Object.fromEntries(Object.entries(row).filter(([, one]) => one !== undefined));

	/** The row that was put back has another Id. */
	const setUpAgain = (form: object, fieldsJson: IDataObject, rows: string, row: Row) => {
		const [[list, given]] = Object.entries(fieldsJson);
		if (!Array.isArray(given) || !('Id' in (given[0] as object))) return form;
		const { Id } = records.rows(rows).at(-1) ?? row;
		return { ...form, fieldsJson: { [list]: [{ Id, PerformDeletion: true }] } };
	};
});

it.each([
	['Url', '<a href="https://a.org">A</a>', 'https://b.org', '<a href="https://b.org">B</a>'],
	['Decimal', '1.50', 2, '2.00'],
	['Time', '07:30', '08:00', '08:00:00'],
	['Boolean', 'True', false, 'False'],
])(
	'a custom field as a record of its own is compared by its type: %s',
	async (Type, old, value, respelled) => {
		const [{ Id: ObjectId }] = records.rows('WorkOrder');
		const Descriptor = { Id: records.addField('WO', `Own ${Type}`, { Type }) };
		const row = { ObjectId, ObjectTypeId: 'WO', Descriptor, Value: old };
		const { Id } = records.insert('CustomField2', row);
		const form = { entity: byName('CustomField2'), id: byId(Id), fieldsJson: { Value: value } };
		const items = await updated('record:update', form as never);
		if (Type !== 'Url') records.change('CustomField2', Id, { Value: respelled });
		expect(jsonOf((await restore(items, 'CustomField2')).items)).toEqual([
			some({ Outcome: 'updated', Changed: ['Value'], NotRestored: [] }),
		]);
		const restored = String(records.get('CustomField2', Id).Value).toLowerCase();
		expect(restored).toContain(Type === 'Url' ? 'https://a.org' : old.toLowerCase());
	},
);

it.each([
	['CustomField2', ''],
	['CustomField2', null],
	['AssetAttribute', ''],
])('a record of %s that was empty (%j) is not said to be restored', async (entity, Value) => {
	const Descriptor = { Id: records.addField('WO') };
	const [{ Id: ObjectId }] = records.rows('WorkOrder');
	const { Id: attribute } = records.find('AttributeDescriptor', { Name: 'Manufacturer' });
	const isOne = (row: Row) => (row.Descriptor as Row).Id === attribute;
	const { Id } =
		entity === 'AssetAttribute'
			? (records.rows(entity).find(isOne) as Row)
			: records.insert(entity, { ObjectId, ObjectTypeId: 'WO', Descriptor });
	records.change(entity, Id, { Value });
	const form = { entity: byName(entity), id: byId(Id), fieldsJson: { Value: 'new' } };
	const items = await updated('record:update', form as never);
	expect(jsonOf((await restore(items, entity)).items)).toEqual([
		some({ Outcome: 'unchanged', NotRestored: [some({ Field: 'Value', Now: 'new' })] }),
	]);
	expect(records.get(entity, Id).Value).toBe('new');
});

it('two equal lines that were deleted one after the other both come back', async () => {
	const [{ ReplenishmentOrderId: order, Product, QtyOrdered }] =
		records.rows('ReplenishmentOrderItem');
	const listLines = () => records.children('ReplenishmentOrderItem', 'ReplenishmentOrderId', order);
	for (let count = 0; count < 2; count++) {
		const line = { ReplenishmentOrderId: order, Product, QtyOrdered };
		records.insert('ReplenishmentOrderItem', line);
	}
	const listContent = () => listLines().map((line) => [line.Product, line.QtyOrdered]);
	const lines = listContent();
	const items = [];
	for (const { Id } of listLines().slice(-2)) {
		const fieldsJson = { Items: [{ Id, PerformDeletion: true }] };
		const options = { returnBefore: true };
		const form = { id: byId(order), fieldsJson, options };
		items.unshift(...(await n8n.succeed('purchaseOrder:update', form)).items);
	}
	expect(listLines()).toHaveLength(lines.length - 2);
	for (const item of items) await restore([item], 'ReplenishmentOrder');
	expect(listContent()).toEqual(lines);
});

it('an address that was added stays if others complete it', async () => {
	const taken = records.rows('Address2').map(({ ActorId }) => ActorId);
	const id = records.ids('Customer').find((one) => !taken.includes(one));
	const form = { id: byId(id), fieldsJson: { Addresses: { Primary: { Street: 'S1' } } } };
	const items = await updated('customer:update', form);
	const { Id } = records.find('Address2', { ActorId: id });
	records.change('Address2', Id, { City: 'Oslo' });
	const left = some({ Field: 'Addresses.Primary', Reason: CHANGED });
	expect(jsonOf((await restore(items, 'Customer')).items)).toEqual([
		some({ Outcome: 'unchanged', NotRestored: [left] }),
	]);
	expect(records.get('Address2', Id)).toMatchObject({ Street: 'S1', City: 'Oslo' });
});

it('a currency stays with an amount that others have changed since', async () => {
	const [{ Id, AmtCoverage, CurrencyTypeId }] = records.rows('ProviderCoi');
	const written = { AmtCoverage: { Value: 5, CurrencyTypeId: 'EUR' }, CurrencyTypeId: 'EUR' };
	const write = async () =>
		await updated('vendorInsurance:update', { id: byId(Id), fieldsJson: written });
	const state = () => {
		const { AmtCoverage: amount, CurrencyTypeId: currency } = records.get('ProviderCoi', Id);
		return [amount, currency];
	};
	const items = await write();
	const amount = { Value: 6, CurrencyTypeId: 'EUR' };
	records.change('ProviderCoi', Id, { AmtCoverage: amount });
	expect(jsonOf((await restore(items, 'ProviderCoi')).items)).toEqual([
		some({
			Outcome: 'unchanged',
			NotRestored: [some({ Field: 'AmtCoverage' }), some({ Field: 'CurrencyTypeId' })],
		}),
	]);
	expect(state()).toEqual([amount, 'EUR']);
	records.change('ProviderCoi', Id, { AmtCoverage: written.AmtCoverage });
	await restore(items, 'ProviderCoi');
	expect(state()).toEqual([AmtCoverage, CurrencyTypeId]);
});
