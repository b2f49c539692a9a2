/** Fields to Clear: an update empties what it names, and nothing else does, whichever way values are given. */
import type { IDataObject } from 'n8n-workflow';

import type { Row } from '../../../sandbox';
import { byId, byName, filledIn, getId, jsonOf, shareCompany, some } from '../../support/company';

const { n8n, records, requests } = shareCompany({ workOrders: 3 });

const first = (entity: string) => records.rows(entity)[0];

/** An order with a value in each kind of field. */
function orderWithValues() {
	const { Id } = first('WorkOrder');
	const values = {
		DtOnSiteBy: '2026-05-01T10:00:00',
		Duration: 90,
		PoNumber: 'P-1',
		RepairCode: { Id: first('RepairCode').Id },
		VendorNte: { Value: 250, CurrencyTypeId: 'USD' },
	};
	records.change('WorkOrder', Id, values);
	return { Id, values };
}

const FIELDS = ['DtOnSiteBy', 'Duration', 'PoNumber', 'RepairCode.Id', 'vendornte.value'];
const EMPTIED = {
	DtOnSiteBy: null,
	Duration: null,
	PoNumber: '',
	RepairCode: { Id: null },
	VendorNte: null,
};

const clear = (fieldsToClear: unknown, options: object = {}) => ({
	fieldsToClear,
	...options,
});

describe('an update', () => {
	it.each<[string, object]>([
		['JSON', { fieldsJson: '{}' }],
		['a mapping', { fields: filledIn({}) }],
	])('empties the fields, next to %s', async (_, form) => {
		const { Id } = orderWithValues();
		const options = clear(FIELDS);
		await n8n.succeed('workOrder:update', { id: byId(Id), ...form, options });
		expect(requests.bodies()[0].Entity).toEqual({ Id, ...EMPTIED });
		const { DtOnSiteBy, PoNumber, RepairCode, VendorNte } = records.get('WorkOrder', Id);
		expect([DtOnSiteBy, PoNumber, RepairCode, VendorNte].map((one) => one ?? '')).toEqual([
			...['', '', '', ''],
		]);
	});

	it('shows in a dry run what it empties, and puts it back', async () => {
		const { Id, values } = orderWithValues();
		const form = { id: byId(Id), fieldsJson: {} };
		const names = ['DtOnSiteBy', 'PoNumber', 'RepairCode'];
		const dry = await n8n.succeed('workOrder:update', {
			...form,
			options: clear(names, { dryRun: 'always' }),
		});
		expect(Object.keys(dry.items[0].json.WouldChange as object)).toHaveLength(3);
		const done = await n8n.succeed('workOrder:update', {
			...form,
			options: clear(names, { returnBefore: true }),
		});
		await n8n.succeed(
			'record:restoreValues',
			{ entity: byName('WorkOrder'), before: '={{ $json.Before }}' },
			{ items: done.items },
		);
		const { DtOnSiteBy, PoNumber, RepairCode } = values;
		expect(records.get('WorkOrder', Id)).toMatchObject({ DtOnSiteBy, PoNumber, RepairCode });
	});

	it.each(['CustomFields', 'customFields'])('empties a custom field: %s', async (name) => {
		const { Id } = first('WorkOrder');
		const field = records.addField('WO', 'Badge');
		records.insert('CustomField2', {
			Descriptor: { Id: field },
			ObjectId: Id,
			ObjectTypeId: 'WO',
			Value: 'B-1',
		});
		const options = clear([`${name}.${field}`]);
		await n8n.succeed('workOrder:update', { id: byId(Id), fieldsJson: {}, options });
		expect(
			records
				.rows('CustomField2')
				.filter(({ Descriptor }) => (Descriptor as IDataObject).Id === field),
		).toEqual([]);
	});

	it('empties a custom field by an empty text in JSON, whether the record has it or not', async () => {
		const { Id } = first('WorkOrder');
		const field = records.addField('WO', 'Badge');
		const update = async (Value: string) => {
			const fieldsJson = { CustomFields: [{ Descriptor: { Id: field }, Value }] };
			await n8n.succeed('workOrder:update', { id: byId(Id), fieldsJson });
			const isOfField = ({ Descriptor }: Row) => getId(Descriptor) === field;
			return records.rows('CustomField2').filter(isOfField).length;
		};
		const counts = [];
		for (const value of ['', 'B-1', '', '']) counts.push(await update(value));
		expect(counts).toEqual([0, 1, 0, 0]);
		expect(requests.writes()).toHaveLength(2);
	});

	it.each<[unknown, IDataObject, string]>([
		[['StatusId'], {}, '\'Fields to Clear\' has "StatusId", which cannot be empty'],
		[['IsWarranty'], {}, '\'Fields to Clear\' has "IsWarranty", which cannot be empty'],
		[['Items'], {}, '\'Fields to Clear\' has "Items", which cannot be empty'],
		[['ponumber'], { PoNumber: 'x' }, 'has "PoNumber", which \'Fields (JSON)\' sets as well'],
	])('refuses %j next to %j', async (names, fieldsJson, message) => {
		const { Id } = first('WorkOrder');
		const form = { id: byId(Id), fieldsJson, options: clear(names) };
		expect((await n8n.refuse('workOrder:update', form)).message).toContain(message);
	});
});

describe('Create or Update', () => {
	const upsert = async (json: object, options: object) =>
		jsonOf(
			(
				await n8n.succeed(
					'customer:upsert',
					{ matchOn: 'TenantCode', fieldsJson: '={{ $json }}', options },
					{ items: [{ json: json as IDataObject }] },
				)
			).items,
		);

	it('empties the fields of a record that exists, once', async () => {
		const { Id, TenantCode } = first('Customer');
		records.change('Customer', Id, { Instructions: 'Ring' });
		const options = clear(['Instructions']);
		const Changed = ['Instructions'];
		expect(await upsert({ TenantCode }, options)).toEqual([some({ Outcome: 'updated', Changed })]);
		expect(await upsert({ TenantCode }, options)).toEqual([some({ Outcome: 'unchanged' })]);
		expect(records.get('Customer', Id).Instructions ?? '').toBe('');
	});

	it('changes nothing by null', async () => {
		const { Id, TenantCode } = first('Customer');
		records.change('Customer', Id, { Dba: 'Name' });
		expect(await upsert({ TenantCode, Dba: null, WorkZone: { Id: null } }, {})).toEqual([
			some({ Outcome: 'unchanged' }),
		]);
		expect(records.get('Customer', Id).Dba).toBe('Name');
	});
});

it('the list offers what can be empty', async () => {
	const parameters = { resource: 'workOrder', operation: 'update' };
	const offered = await n8n.engine.loadOptions('getClearable', { parameters });
	const values = offered.map(({ value }) => value);
	expect(values).toEqual(expect.arrayContaining(['PoNumber', 'DtDue', 'Customer.Id']));
	for (const never of ['StatusId', 'IsWarranty', 'Items', 'VendorNte.CurrencyTypeId']) {
		expect(values).not.toContain(never);
	}
});
