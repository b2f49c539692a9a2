/** A name of the input means one field: Map Automatically writes each value once, and says what it does not write. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { quoteUnlessPlain } from '../../../nodes/Corrigo/values/errors';
import { byId, getId, hintsOf, jsonOf, mappedByName, shareCompany } from '../../support/company';

const { n8n, records, requests } = shareCompany({ workOrders: 3 });

const items = (json: IDataObject): INodeExecutionData[] => [{ json }];
const first = (entity: string) => records.rows(entity)[0].Id;
const column = (id: string, displayName: string) => ({ id, displayName, type: 'string' });

/** Adds an attribute that all assets have, and returns its ID. */
function addAttribute(Name: string, Type: string): number {
	const { Id } = records.insert('AttributeDescriptor', { Name, Type });
	for (const { Id: ModelId } of records.rows('Model')) {
		records.insert('LinkModelAndAttribute', { ModelId, AttributeDescriptorId: Id });
	}
	return Id;
}

const update = async (resource: string, id: number, json: IDataObject, schema: object[]) =>
	await n8n.run(
		`${resource}:update`,
		{ id: byId(id), ...mappedByName([], schema) },
		{ items: items(json) },
	);

it.each(['PoNumber', 'ponumber', ' PO Number '])(
	'%j goes to the field of the order, not to a custom field of the same name, and a hint says so',
	async (name) => {
		const { Id } = records.find('CustomFieldDescriptor', { Name: 'PoNumber' });
		for (const label of ['PoNumber', 'PO Number']) {
			const schema = [column(`CustomFields.${Id}`, label), column('PoNumber', 'PO Number')];
			requests.sent();
			const run = await update('workOrder', first('WorkOrder'), { [name]: 'P-7' }, schema);
			expect(run.error).toBeUndefined();
			expect(requests.bodies().at(-1)?.Entity).toEqual({ Id: first('WorkOrder'), PoNumber: 'P-7' });
			const isSame = name.trim().toLowerCase() === label.toLowerCase();
			expect(hintsOf(run)).toEqual(
				isSame
					? [
							`Not written to the custom field or attribute of the same name, as a field of the record has it: ${quoteUnlessPlain(name.trim())}`,
						]
					: [],
			);
		}
	},
);

it('a name that two custom fields share is refused with both', async () => {
	const ids = records.idsWhere('CustomFieldDescriptor', ({ Name }) => Name === 'Zone');
	const schema = ids.map((id) => column(`CustomFields.${id}`, 'Zone'));
	const run = await update('workOrder', first('WorkOrder'), { zone: 'x' }, schema);
	expect(run.error?.message).toBe(
		`The input has "zone", which is the name of two fields: CustomFields.${ids[0]} and CustomFields.${ids[1]}`,
	);
	expect(requests.writes()).toEqual([]);
	// The names that the form shows are their own.
	const labels = ids.map((id) => column(`CustomFields.${id}`, `Zone (ID ${id})`));
	const item = { [`Zone (ID ${ids[0]})`]: 'x' };
	await update('workOrder', first('WorkOrder'), item, labels);
	expect(requests.bodies()[0].Entity.CustomFields).toMatchObject([
		{ Descriptor: { Id: ids[0] }, Value: 'x' },
	]);
});

describe('a name that two share', () => {
	/** Two custom fields of orders, and two attributes of assets. */
	const define = {
		CustomFields: () => ({
			...{ resource: 'workOrder', record: first('WorkOrder'), name: 'Zone' },
			ids: records.idsWhere('CustomFieldDescriptor', ({ Name }) => Name === 'Zone'),
		}),
		Attributes: () => {
			const { AssetId, Descriptor } = records.rows('AssetAttribute')[0];
			const own = records.get('AttributeDescriptor', getId(Descriptor));
			const Id = addAttribute(String(own.Name), 'Integer');
			const shared = { resource: 'asset', record: Number(AssetId), name: String(own.Name) };
			return { ...shared, ids: [own.Id, Id] };
		},
	};

	it.each(['CustomFields', 'Attributes'] as const)(
		'in %s is refused as the form labels them, and their names with IDs are written',
		async (list) => {
			const { resource, record, name, ids } = define[list]();
			const names = ids.map((id) => `${name} (ID ${id})`);
			const labels = ids.map((id, index) => column(`${list}.${id}`, names[index]));
			const lower = name.toLowerCase();
			for (const item of [
				{ [name]: 'x' },
				{ [list]: { [` ${lower}`]: 'x' } },
				{ [`${list}.${lower}`]: 'x' },
			]) {
				const run = await update(resource, record, item, labels);
				expect(run.error?.message).toContain('is the name of two fields');
			}
			expect(requests.writes()).toEqual([]);
			const values = { [names[0]]: 'x', [names[1].toLowerCase()]: 5 };
			// A sheet names nested values by their paths.
			const paths = Object.entries(values).map(([key, value]) => [`${list}.${key}`, value]);
			for (const item of [values, { [list]: values }, Object.fromEntries(paths)]) {
				requests.sent();
				const run = await update(resource, record, item, labels);
				expect([run.error, hintsOf(run)]).toEqual([undefined, []]);
				const rows = requests.bodies().at(-1)?.Entity[list] as IDataObject[];
				expect(rows.map(({ Descriptor, Value }) => [getId(Descriptor), Value])).toEqual([
					[ids[0], 'x'],
					[ids[1], '5'],
				]);
			}
		},
	);
});

it.each(['CustomFields', 'Attributes'] as const)(
	'an amount of %s that a sheet has in two columns is written with its currency',
	async (list) => {
		const [resource, record, id] =
			list === 'CustomFields'
				? ([
						'contact',
						first('Contact'),
						records.addField('LeaseUser', 'Fee', { Type: 'Money' }),
					] as const)
				: ([
						'asset',
						Number(records.rows('AssetAttribute')[0].AssetId),
						addAttribute('Fee', 'Money'),
					] as const);
		const labels = [column(`${list}.${id}`, 'Fee')];
		const cells = (Value: string, CurrencyTypeId: string) => ({
			[`${list}.Fee.Value`]: Value,
			[`${list}.fee.CurrencyTypeId`]: CurrencyTypeId,
		});
		const run = await update(resource, record, cells('77.5', 'EUR'), labels);
		expect([run.error, hintsOf(run)]).toEqual([undefined, []]);
		expect(requests.bodies()[0].Entity[list]).toMatchObject([
			{ Descriptor: { Id: id }, Value: '77.5', CurrencyTypeId: 'EUR' },
		]);
		const empty = await update(resource, record, cells('', ''), labels);
		expect(empty.error?.message).toMatch(/no value for a field/);
		const twice = { ...cells('5', 'EUR'), Fee: '6' };
		const refused = await update(resource, record, twice, labels);
		expect(refused.error?.message).toMatch(/two values of one field/);
		expect(requests.writes()).toHaveLength(1);
	},
);

it.each<[string, IDataObject]>([
	['contact', { LastName: 'A', 'Last Name': 'B' }],
	['contact', { LastName: 'A', lastname: 'B' }],
	['contact', { 'Primary Email': 'a@x.org', ContactAddresses: { PrimEmail: 'b@x.org' } }],
	[
		'contact',
		{
			'Primary Email': 'a@x.org',
			ContactAddresses: [{ AddrTypeId: 'PrimEmail', Address: 'b@x.org' }],
		},
	],
	['customer', { WorkZone: { Id: 12 }, 'Work Zone': 13 }],
	['customer', { WorkZone: 'Chicago Loop', 'WorkZone.Id': 13 }],
	['workOrder', { 'VendorNte.Value': 5, VendorNte: { Value: 6, CurrencyTypeId: 'EUR' } }],
	['workOrder', { 'Vendor NTE': 8, VendorNte: { Value: 7, CurrencyTypeId: 'EUR' } }],
	['asset', { 'Info.TagId': 'a', Info: { TagId: 'b' } }],
	['workOrder', { PriorityId: 2, Priority: { Id: 3 } }],
	['workOrder', { PriorityId: 2, Priority: 3 }],
	['contact', { CustomerId: 101, Customer: { Id: 102 } }],
	['contact', { CustomerId: 101, Customer: 102 }],
])('two values for one field of a %s are refused: %j', async (resource, json) => {
	const entity = { contact: 'Contact', customer: 'Customer', workOrder: 'WorkOrder' }[resource];
	const run = await update(resource, first(entity ?? 'Location'), json, []);
	expect(run.error?.message).toMatch(
		/^The input has ".+" and ".+", which are two values of one field/,
	);
	expect(requests.writes()).toEqual([]);
});

it('one value under two names is written once', async () => {
	const json = { LastName: 'A', 'Last Name': ' A ', ContactAddresses: { PrimEmail: 'a@x.org' } };
	await update('contact', first('Contact'), { ...json, 'Primary Email': 'a@x.org' }, []);
	expect(requests.bodies()[0].Entity).toMatchObject({ LastName: 'A' });
});

it.each<[string, string, IDataObject[], IDataObject]>([
	[
		...(['workOrder', 'WorkOrder'] as const),
		[{ PriorityId: 2 }, { priorityId: '2', Priority: { Id: 2 } }, { 'Priority.Id': 2 }],
		{ Priority: { Id: 2 } },
	],
	[
		...(['contact', 'Contact'] as const),
		[{ Customer: { Id: 102 } }, { 'Customer.Id': 102 }, { CustomerId: 102, Customer: 'Contoso' }],
		{ CustomerId: 102 },
	],
])('of a %s, a record and its ID mean the same', async (resource, entity, given, sent) => {
	for (const json of given) {
		const run = await update(resource, first(entity), json, []);
		expect([json, run.error, hintsOf(run)]).toEqual([json, undefined, []]);
		expect(requests.bodies().at(-1)?.Entity).toEqual({ Id: first(entity), ...sent });
	}
});

it('an amount under its own name is refused without its currency, as under its label', async () => {
	for (const json of [{ VendorNte: 5 }, { 'Vendor NTE': 5 }] as IDataObject[]) {
		const run = await update('workOrder', first('WorkOrder'), { PoNumber: 'x', ...json }, []);
		expect(run.error?.message).toContain('has no currency');
	}
	expect(requests.writes()).toEqual([]);
});

it.each<[string, string, unknown]>([
	['contact', 'ContactAddresses', 'a@x.org'],
	['contact', 'ContactAddresses', ['a@x.org']],
	['contact', 'CustomFields', 'x'],
	['customer', 'Addresses', 'Main St 1'],
	['asset', 'Info', 'TAG1'],
	['asset', 'Info', ['x']],
	['asset', 'Attributes', 'High'],
	['workOrder', 'Address', 'x'],
	['workOrder', 'VendorNte', [5]],
])('of a %s, a %s that no field takes is named in the hint: %j', async (resource, name, value) => {
	const entity = { contact: 'Contact', customer: 'Customer', workOrder: 'WorkOrder' }[resource];
	const next = { contact: 'LastName', customer: 'Dba', workOrder: 'PoNumber' }[resource] ?? 'Name';
	const run = await update(
		...([resource, first(entity ?? 'Location')] as const),
		{ [next]: 'x', [name]: value } as IDataObject,
		[],
	);
	expect(run.error).toBeUndefined();
	expect(hintsOf(run)).toContainEqual(expect.stringMatching(`^Left out, .*${name}`));
});

it('a name of an attribute and a custom field of an asset is refused with both', async () => {
	const attribute = records.find('AttributeDescriptor', { Name: 'Floor' }).Id;
	const custom = records.addField('Asset', 'Floor');
	const schema = [
		column(`Attributes.${attribute}`, 'Floor'),
		column(`CustomFields.${custom}`, 'Floor'),
	];
	const asset = Number(records.rows('AssetAttribute')[0].AssetId);
	const { error } = await update('asset', asset, { Floor: '7' }, schema);
	expect(error?.message).toContain('is the name of two fields');
	expect(requests.writes()).toEqual([]);
});

it('a time in UTC is written as its local twin, as in JSON', async () => {
	const [{ Id, TimeZone }] = records.rows('WorkOrder');
	expect(TimeZone).toBeDefined();
	const DueDateUtc = '2026-03-01T18:00:00Z';
	const options = { dryRun: 'always' };
	const pasted = await n8n.succeed('workOrder:update', {
		...{ id: byId(Id), fieldsJson: { DueDateUtc }, options },
	});
	for (const json of [{ DueDateUtc }, { duedateutc: DueDateUtc }]) {
		const mapped = await n8n.succeed(
			'workOrder:update',
			{ id: byId(Id), ...mappedByName([]), options },
			{ items: items(json) },
		);
		const [a, b] = [pasted, mapped].map(
			(run) => (jsonOf(run.items)[0].WouldSend as IDataObject).body as IDataObject,
		);
		expect(b.Entity).toEqual(a.Entity);
		expect(a.Properties).toEqual(['DtDue']);
	}
});

it('a record may be named by a path, as inside an object, and its ID counts more', async () => {
	const [Low, High] = [1, 2].map((id) => String(records.get('WoPriority', id).DisplayAs));
	expect(Low).not.toBe(High);
	for (const [given, id] of [
		[{ 'Priority.DisplayAs': High }, 2],
		[{ ' priority.displayas': High }, 2],
		[{ 'Priority.DisplayAs': High, 'Priority.Number': 'none' }, 2],
		[{ 'Priority.DisplayAs': High, 'Priority.Id': '' }, 2],
		[{ 'Priority.DisplayAs': High, PriorityId: 1 }, 1],
		[{ 'Priority.DisplayAs': High, Priority: Low }, 1],
	] as const) {
		const run = await update('workOrder', first('WorkOrder'), { PoNumber: 'P', ...given }, []);
		expect(run.error).toBeUndefined();
		expect(requests.bodies().at(-1)?.Entity).toMatchObject({ Priority: { Id: id } });
	}
	const digits = await update('workOrder', first('WorkOrder'), { 'Priority.DisplayAs': '7' }, []);
	expect(digits.error?.message).toContain("'Priority' has no Id");
});

it('a record is named by a path where Corrigo has its ID alone, too', async () => {
	const [{ Id: contact }] = records.rows('Contact');
	const [customer] = records.rows('Customer').slice(-1);
	const [order] = records.rows('WorkOrder').slice(-1);
	for (const [resource, id, given, sent] of [
		['contact', contact, { 'Customer.DisplayAs': customer.DisplayAs }, { CustomerId: customer.Id }],
		[
			'contact',
			contact,
			{ 'customer.tenantcode': customer.TenantCode },
			{ CustomerId: customer.Id },
		],
		['contact', contact, { 'Customer.DisplayAs': 'none', CustomerId: 101 }, { CustomerId: 101 }],
		['cost', first('FinancialItem'), { 'WorkOrder.Number': order.Number }, { WoId: order.Id }],
	] as const) {
		const run = await update(resource, id, { Comment: 'P', ...(given as IDataObject) }, []);
		expect(run.error).toBeUndefined();
		expect(requests.bodies().at(-1)?.Entity).toMatchObject({ Comment: 'P', ...sent });
		expect(hintsOf(run)).toEqual([]);
	}
});

it('a field that only Corrigo writes is named in the hint', async () => {
	const run = await update(
		'workOrder',
		first('WorkOrder'),
		{ PoNumber: 'P', StatusId: 'Closed' },
		[],
	);
	expect(run.error).toBeUndefined();
	expect(hintsOf(run)).toEqual([
		'Left out, as Corrigo keeps it itself or no field takes it: StatusId',
	]);
});

describe('rows of a record that was read', () => {
	const define = {
		CustomFields: () => records.addField('LeaseUser', 'Price', { Type: 'Money' }),
		Attributes: () => addAttribute('Price', 'Money'),
		ContactAddresses: () => 0,
	};
	const price = (id: number) => ({ Descriptor: { Id: id }, Value: '7', CurrencyTypeId: 'EUR' });
	const fax = { AddrTypeId: 'Fax', Address: '555', IsAlert: true, IsReport: false };

	it('change whether an address gets alerts without it, and a new record does not get their Ids', async () => {
		const [{ ActorId, AddrTypeId, Address }] = records.rows('ContactInfo');
		const column = { id: 'ContactAddresses.PrimEmail', displayName: 'Primary Email' };
		const rows = [{ Id: 999_999, AddrTypeId, Address: '', IsAlert: true }];
		await update('contact', Number(ActorId), { ContactAddresses: rows }, [column]);
		const stored = records.children('ContactInfo', 'ActorId', Number(ActorId));
		expect(stored).toContainEqual(expect.objectContaining({ Address, IsAlert: true }));
		const { FirstName, LastName, CustomerId, TypeId } = records.rows('Contact')[0];
		const whole = { FirstName, LastName, CustomerId, TypeId, Number: 'N-1' };
		const ContactAddresses = [{ Id: 5, AddrTypeId, Address: 'a@x.org' }];
		const run = await n8n.succeed('contact:create', {
			fieldsJson: { ...whole, ContactAddresses },
		});
		expect(jsonOf(run.items)).toMatchObject([
			{ ContactAddresses: [{ AddrTypeId, Address: 'a@x.org' }] },
		]);
		expect(JSON.stringify(run.items)).not.toContain('"Id":5,');
	});

	it.each([
		['contact', 'CustomFields', 'CustomField2', 'ObjectId'],
		['asset', 'Attributes', 'AssetAttribute', 'AssetId'],
		['contact', 'ContactAddresses', 'ContactInfo', 'ActorId'],
	] as const)(
		'are written to a %s with all that its %s say, as in JSON',
		async (resource, list, type, owner) => {
			const id = define[list]();
			const row: IDataObject = id === 0 ? fax : price(id);
			const schema = [column(`${list}.${id === 0 ? 'Fax' : id}`, id === 0 ? 'Fax' : 'Price')];
			const forms = [{ fieldsJson: { [list]: [row] } }, mappedByName([], schema)];
			const owners = resource === 'asset' ? records.rows('Location') : records.rows('Contact');
			for (const [index, form] of forms.entries()) {
				const record = owners[index].Id;
				const read = items({ [list]: [{ Id: 999_999, ...row }] });
				await n8n.succeed(`${resource}:update`, { id: byId(record), ...form }, { items: read });
				expect(records.children(type, owner, record)).toContainEqual(expect.objectContaining(row));
			}
		},
	);
});

it.each([
	['Text', 'string', 'a'],
	['Decimal', 'number', '1.5'],
	['Integer', 'number', '7'],
	['Money', 'number', '5.00'],
	['Date', 'dateTime', '2026-01-31'],
	['Boolean', 'boolean', 'true'],
])('an empty cell removes a custom field of the type %s, as in JSON', async (Type, type, Value) => {
	const id = first('Contact');
	const field = records.addField('LeaseUser', `Emptied ${Type}`, { Type });
	const stored = { ObjectId: id, ObjectTypeId: 'LeaseUser', Descriptor: { Id: field }, Value };
	const schema = [{ ...column(`CustomFields.${field}`, `Emptied ${Type}`), type }];
	const cell = { [`Emptied ${Type}`]: '' };
	const forms = [
		{ form: mappedByName([], schema), json: { Comment: 'x', ...cell } },
		{ form: mappedByName([], schema), json: { CustomFields: cell } },
		{ form: { fieldsJson: { CustomFields: cell } }, json: {} },
	];
	for (const { form, json } of forms) {
		records.insert('CustomField2', stored);
		await n8n.succeed('contact:update', { id: byId(id), ...form }, { items: items(json) });
		const left = records.children('CustomField2', 'ObjectId', id);
		expect(left.filter(({ Descriptor }) => getId(Descriptor) === field)).toEqual([]);
	}
});

it('a field that adds links removes none, as a text or as a list, however it is mapped', async () => {
	const id = first('Employee');
	const rows = [{ Id: 1, PerformDeletion: true }, 2];
	const schema = [column('Teams', 'Teams'), column('LastName', 'Last Name')];
	const below = { mappingMode: 'defineBelow', matchingColumns: [], schema };
	for (const list of ['Teams', 'Specialties', 'WorkZones']) {
		for (const given of [rows, JSON.stringify(rows), [{ Id: 1, PerformDeletion: 'TRUE' }]]) {
			const value = { LastName: 'L', [list]: '={{ $json.given }}' };
			const forms = [
				{ form: mappedByName([], schema), json: { LastName: 'L', [list]: given } },
				{ form: { fields: { ...below, value } }, json: { given } },
			];
			for (const { form, json } of forms) {
				await n8n.run(
					'employee:update',
					{ id: byId(id), ...form },
					{ items: items(json as IDataObject) },
				);
			}
		}
	}
	expect(requests.bodies()).not.toEqual([]);
	expect(JSON.stringify(requests.bodies())).not.toContain('PerformDeletion');
});
