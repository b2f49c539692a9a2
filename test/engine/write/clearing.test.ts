/** Fields to Clear: an update empties what it names, and nothing else does, whichever way values are given. */
import type { IDataObject } from 'n8n-workflow';

import { listClearable } from '../../../nodes/Corrigo/columns/columns';
import type { Row } from '../../../sandbox';
import {
	byId,
	byName,
	errorsOf,
	filledIn,
	getId,
	itemsOf,
	jsonOf,
	shareCompany,
	some,
} from '../../support/company';
import { UPDATABLE_ENTITIES } from '../../support/updatable';

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

	it('leaves a record as it is that has nothing to empty, and its item stops no undoing', async () => {
		const [none, some] = records.ids('Contact');
		for (const row of records.children('ContactInfo', 'ActorId', none)) {
			records.change('ContactInfo', row.Id, { AddrTypeId: 'Website' });
		}
		const fax = { ActorTypeId: 'LeaseUser', ActorId: some, AddrTypeId: 'Fax', Address: '555' };
		records.insert('ContactInfo', fax);
		const options = clear(['ContactAddresses.Fax'], { returnBefore: true });
		const form = { id: byId('={{ $json.x }}'), fieldsJson: {}, options };
		const { items } = await n8n.succeed('contact:update', form, { items: itemsOf(none, some) });
		expect(jsonOf(items).map(({ Outcome }) => Outcome)).toEqual(['unchanged', undefined]);
		const before = { entity: byName('Contact'), before: '={{ $json.Before }}' };
		const restored = await n8n.succeed('record:restoreValues', before, { items });
		const outcomes = jsonOf(restored.items).map(({ Outcome }) => Outcome);
		expect(outcomes).toEqual(['unchanged', 'updated']);
		const present = records.children('ContactInfo', 'ActorId', some);
		expect(present.filter(({ Address }) => Address === '555')).toMatchObject([
			{ AddrTypeId: 'Fax' },
		]);
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

	it('refuses a field that its records do not have', async () => {
		const form = { matchOn: 'TenantCode', fieldsJson: { TenantCode: 'N-9' } };
		const options = clear(['Instruction']);
		const error = await n8n.refuse('customer:upsert', { ...form, options });
		expect(error).toMatchObject({
			message: '\'Fields to Clear\' has "Instruction", which customer records do not have',
			description: 'Similar: Instructions.',
		});
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

interface Sent {
	body: { Entity: IDataObject };
}

// The first locations are templates, and the last record is none of them.
const chooseLast = (entity: string) => byId(records.ids(entity).at(-1));

const clearEach = async (entity: string, names: unknown[], options: object = {}) =>
	await n8n.run(
		'record:update',
		{
			...{ entity: byName(entity), id: chooseLast(entity), fieldsJson: {} },
			options: { fieldsToClear: '={{ [$json.x] }}', ...options },
		},
		{ items: itemsOf(...names), onError: 'continueErrorOutput' },
	);

const CLEARABLE = UPDATABLE_ENTITIES.filter((entity) => listClearable(entity).length > 0);

it.each(CLEARABLE)(
	'each field that the list offers for %s is emptied alone, by its ID and by its label',
	async (entity) => {
		const parameters = { resource: 'record', operation: 'update', entity: byName(entity) };
		const offered = await n8n.engine.loadOptions('getClearable', { parameters });
		expect(offered.length).toBeGreaterThan(0);
		const ids = offered.map(({ value }) => String(value));
		const { items, errorItems } = await clearEach(entity, ids, { dryRun: 'always' });
		expect(errorItems.map(({ json }) => json)).toEqual([]);
		const written = items.map(({ json }) =>
			Object.keys((json.WouldSend as Sent | undefined)?.body.Entity ?? {}).filter(
				(name) => name !== 'Id',
			),
		);
		// Rows of other kinds stay, so a value that is not there needs no write.
		expect(written).toEqual(
			ids.map((id, index) => (written[index].length > 0 ? [id.split('.')[0]] : [])),
		);
		expect(written.flat().length).toBeGreaterThan(0);
		const own = offered.filter(({ value }) => !/^(Custom|Attr)/.test(String(value)));
		const labeled = await clearEach(
			entity,
			own.map(({ name, value }) => name.replace(` (${String(value)})`, '').toLowerCase()),
			{ dryRun: 'always' },
		);
		const sent = (all: typeof items) =>
			jsonOf(all).map(({ WouldSend }) => (WouldSend as Sent | undefined)?.body.Entity);
		const isOwn = (_: unknown, index: number) => !/^(Custom|Attr)/.test(ids[index]);
		expect(sent(labeled.items)).toEqual(sent(items).filter(isOwn));
	},
);

it.each(UPDATABLE_ENTITIES)(
	'a field that %s does not have is refused by its name, and nothing is sent',
	async (entity) => {
		const others = [
			'Foo',
			'Foo.Id',
			'Id.Name',
			'Customer.Dba',
			'CustomFields.Nobody',
			'EntityType',
		];
		const foreign = entity === 'Location' ? [] : ['Attributes.601', 'Attributes.Manufacturer'];
		const names = [...others, ...foreign];
		const { items, errorItems } = await clearEach(entity, names);
		expect(items).toEqual([]);
		expect(requests.writes()).toEqual([]);
		for (const [index, { json }] of errorItems.entries()) {
			expect(json.error).toContain('Fields to Clear');
			expect(json.error).toContain(names[index]);
			expect(json.error).toMatch(/which .* records do not have|no custom field is named/);
		}
		// An empty password would be one.
		const kept = ['Id', ...(entity === 'Employee' ? ['Password'] : [])];
		expect(errorsOf(await clearEach(entity, kept))).toEqual(
			kept.map((name) => `'Fields to Clear' has "${name}", which cannot be empty`),
		);
	},
);

it('an expression that gives an empty text clears nothing', async () => {
	const [{ Id, ContactName }] = records.rows('WorkOrder');
	const clear = async (fieldsJson: object) =>
		await n8n.run('workOrder:update', {
			...{ id: byId(Id), fieldsJson },
			options: { fieldsToClear: ['', ' '] },
		} as never);
	expect((await clear({ PoNumber: 'P-9' })).error).toBeUndefined();
	expect(records.get('WorkOrder', Id)).toMatchObject({ PoNumber: 'P-9', ContactName });
	expect((await clear({})).error?.message).toMatch(/nothing to change|empty/);
});

it('an address of a kind is removed, and part of an address is emptied where there is one', async () => {
	const contact = first('Contact').Id;
	const kinds = () =>
		records.children('ContactInfo', 'ActorId', contact).map(({ AddrTypeId }) => AddrTypeId);
	const [kind] = kinds();
	const others = kinds().filter((one) => one !== kind);
	const options = { ...clear([`ContactAddresses.${String(kind)}`]), returnBefore: true };
	const form = { entity: byName('Contact'), id: byId(contact), fieldsJson: {} };
	const { items } = await n8n.succeed('record:update', { ...form, options });
	expect(kinds()).toEqual(others);
	const before = { entity: byName('Contact'), before: '={{ $json.Before }}' };
	await n8n.succeed('record:restoreValues', before, { items });
	expect(kinds().sort()).toEqual([kind, ...others].sort());

	const customer = first('Customer').Id;
	const addresses = () => records.children('Address2', 'ActorId', customer);
	for (const one of addresses()) records.change('Address2', one.Id, { TypeId: 'Unknown' });
	const stored = addresses();
	const empty = { ...form, entity: byName('Customer'), id: byId(customer) };
	await n8n.succeed('record:update', { ...empty, options: clear(['Addresses.Primary.Street2']) });
	expect(addresses()).toEqual(stored);
	records.insert('Address2', {
		...{ ActorId: customer, ActorTypeId: 'CommLease', TypeId: 'Primary' },
		...{ Street: '1 Main St', Street2: 'Suite 5' },
	});
	await n8n.succeed('record:update', { ...empty, options: clear(['Addresses.Primary.Street2']) });
	expect(addresses().at(-1)).toMatchObject({ Street: '1 Main St', Street2: '' });
});

it.each<[string, (id: number) => object]>([
	['a field', () => ({ fields: filledIn({ 'Addresses.Primary.City': '' }) })],
	['a row of the kind', () => ({ fieldsJson: { Addresses: [{ TypeId: 'Primary', City: '' }] } })],
	['a row without a kind', () => ({ fieldsJson: { Addresses: [{ City: '' }] } })],
	['a row by its Id', (Id) => ({ fieldsJson: { Addresses: [{ Id, City: '' }] } })],
	['the kind', () => ({ fieldsJson: { Addresses: { Primary: { City: '' } } } })],
])('an empty text clears the part of an address that %s gives', async (_, give) => {
	const customer = first('Customer').Id;
	const read = () => records.children('Address2', 'ActorId', customer);
	const { Id } = records.insert('Address2', {
		...{ ActorId: customer, ActorTypeId: 'CommLease', TypeId: 'Primary' },
		...{ Street: '1 Main St', City: 'Boston' },
	});
	const form = { id: byId(customer), ...give(Id) };
	await n8n.succeed('customer:update', form);
	expect(read()).toEqual([some({ Street: '1 Main St', City: '' })]);
	records.change('Address2', Id, { TypeId: 'Alt' });
	if (!JSON.stringify(form).includes(String(Id))) await n8n.succeed('customer:update', form);
	expect(read()).toHaveLength(1);
});

it.each([
	['Location', 'Name', 'Address', 'City', 'Address2'],
	['Location', 'Name', 'Info', 'TagId', undefined],
	['Employee', 'Username', 'Address', 'City', 'Address2'],
	['WorkOrder', 'PoNumber', 'ContactAddress', 'Address', 'ContactInfo'],
])('%s (%s): nothing is added to empty %s.%s', async (entity, key, part, member, table) => {
	const id = records.ids(entity).at(-1) ?? 0;
	const path = `${part}.${member}`;
	const form = { entity: byName(entity), id: byId(id), matchOn: key };
	const Entity = { EntityType: entity, Id: id, [part]: { [member]: '' } };
	const commandBody = { Entity, PropertySet: { Properties: [`${part}.*`] } };
	const update = async () =>
		await n8n.succeed('record:update', { ...form, fieldsJson: {}, options: clear([path]) });
	const content = { [member]: 'x' };
	const stored = table === undefined ? content : { Id: records.insert(table, content).Id };
	records.change(entity, id, { [key]: 'K-1', [part]: stored });
	await update();
	expect(requests.bodies()[0].Entity).toEqual({ Id: id, [part]: { [member]: '' } });
	for (const absent of [undefined, { Id: 0 }]) {
		records.change(entity, id, { [part]: absent });
		await update();
		const fieldsJson = { [part]: { [member]: '' } };
		await n8n.succeed('record:update', { ...form, fieldsJson });
		const options = { updateOnly: 'error' };
		await n8n.succeed('record:upsert', {
			...form,
			...{ fieldsJson: { [key]: 'K-1', ...fieldsJson }, options },
		});
		const command = { commandName: byName('UpdateCommand'), commandBody };
		const { error } = await n8n.run('command:execute', command);
		expect(error?.message).toContain('nothing to change');
	}
	expect(requests.writes()).toHaveLength(1);
});

it('one part of a row or of an object is set, and another one emptied', async () => {
	const contact = records.rows('Contact')[0];
	const [mail, phone] = ['PrimEmail', 'PrimPhone'].map((kind) => `ContactAddresses.${kind}`);
	const stored = records.children('ContactInfo', 'ActorId', contact.Id);
	const email = stored.find(({ AddrTypeId }) => AddrTypeId === 'PrimEmail')?.Address;
	const update = async (entity: string, id: number, fieldsJson: object, names: string[]) =>
		await n8n.run('record:update', {
			...{ entity: byName(entity), id: byId(id), fieldsJson: fieldsJson as IDataObject },
			options: clear(names, { dryRun: 'always' }),
		});
	const written = await n8n.succeed('contact:upsert', {
		...{ matchOn: mail, fieldsJson: { ContactAddresses: { PrimEmail: email } } as IDataObject },
		options: clear([phone], { updateOnly: 'error' }),
	});
	expect(jsonOf(written.items)).toEqual([some({ Outcome: 'updated', Changed: [phone] })]);

	const customer = first('Customer').Id;
	const City = { Addresses: { Primary: { City: 'Elsewhere' } } };
	const both = await update('Customer', customer, City, ['Addresses.Primary.Street2']);
	expect((both.items[0].json.WouldSend as unknown as Sent).body.Entity.Addresses).toEqual([
		some({ TypeId: 'Primary', City: 'Elsewhere', Street2: '' }),
	]);
	const info = { Info: { SerialNumber: 'S-1' } };
	const asset = await update('Location', records.ids('Location').at(-1) ?? 0, info, ['Info.TagId']);
	expect((asset.items[0].json.WouldSend as unknown as Sent).body.Entity.Info).toMatchObject({
		...{ SerialNumber: 'S-1', TagId: '' },
	});
	for (const [entity, id, json, name] of [
		['Customer', customer, City, 'Addresses.Primary.City'],
		['Contact', contact.Id, { ContactAddresses: { PrimEmail: 'a@example.org' } }, mail],
		['Location', records.ids('Location').at(-1) ?? 0, info, 'Info.SerialNumber'],
	] as const) {
		const { error } = await update(entity, id, json, [name]);
		expect(error?.message).toBe(
			`'Fields to Clear' has "${name}", which 'Fields (JSON)' sets as well`,
		);
	}
});

it('a custom field is named by its name, as in JSON', async () => {
	const { Id } = first('WorkOrder');
	const field = records.addField('WO', 'Shelf 2.0');
	const row = { Descriptor: { Id: field }, ObjectId: Id, ObjectTypeId: 'WO', Value: 'B-1' };
	records.insert('CustomField2', row);
	const options = clear(['customFields.shelf 2.0']);
	await n8n.succeed('workOrder:update', { id: byId(Id), fieldsJson: {}, options });
	const isOfField = ({ Descriptor }: Row) => getId(Descriptor) === field;
	expect(records.rows('CustomField2').filter(isOfField)).toEqual([]);
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
