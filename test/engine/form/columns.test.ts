import type { IDataObject, INode, INodeParameters, ResourceMapperField } from 'n8n-workflow';

import { entities } from '../../../nodes/Corrigo/catalogue/entities';
import { resources } from '../../../nodes/Corrigo/actions/resources';
import { isUndocumented } from '../../../nodes/Corrigo/catalogue/undocumented';
import { subjects } from '../../../nodes/Corrigo/form/subjects';
import { listColumns } from '../../../nodes/Corrigo/columns/columns';
import type { Fault } from '../../../sandbox';
import {
	byId,
	byName,
	getId,
	itemsOf,
	jsonOf,
	shareCompany,
	rejection,
	filledIn,
	mappedByName,
	PUMP,
	DENIED,
} from '../../support/company';

const company = shareCompany({ workOrders: 20 });
const { n8n, records, requests } = company;

const columns = async (
	operation: string,
	parameters: INodeParameters = {},
	settings: Partial<INode> = {},
) => {
	const [resource, name] = operation.split(':');
	return await n8n.engine.mappingColumns('getColumns', {
		parameters: { resource, operation: name, ...parameters },
		settings,
		path: 'parameters.fields',
	});
};

const listIds = (fields: ResourceMapperField[]) => fields.map(({ id }) => id);
const column = (fields: ResourceMapperField[], id: string) => fields.find((one) => one.id === id);

/** Method, path and body of each request. */
const wire = () => requests.sent().map(({ method, path, body }) => ({ method, path, body }));
const writes = () => wire().filter(({ path }) => !path.includes('/query/'));
/** The tables that were read, except the list of custom fields, which takes one more request. */
const asked = () =>
	requests
		.paths()
		.map((path) => path.replace('POST query/', ''))
		.filter((entity) => entity !== 'CustomFieldDescriptor')
		.sort();

const AS_R = { options: { advanced: { requestId: 'r' } } };

/** The request that creates a record. */
const creation = (entity: string, Entity: object) => ({
	method: 'POST',
	path: `/api/v1/base/${entity}`,
	body: { RequestId: 'r', Entity },
});

const update = async (resource: string, id: unknown, value: object, schema?: object[]) =>
	await n8n.succeed(`${resource}:update`, {
		id: byId(id),
		fields: filledIn(value, schema),
		...AS_R,
	});

/** The custom fields of a record with their values. */
const listCustom = (id: unknown) =>
	records
		.children('CustomField2', 'ObjectId', id)
		.map(({ Descriptor, Value }) => [getId(Descriptor), Value]);
const listCustomValues = (id: unknown) => listCustom(id).map(([, value]) => value);

const fieldId = (Name: string) => records.find('CustomFieldDescriptor', { Name }).Id;
const custom = (label: string) => `CustomFields.${fieldId(label)}`;

describe('the columns', () => {
	/**
	 * For some resources: some columns that exist, the ones required to create, some that do not exist,
	 * and the tables that offer values, each of which is one request.
	 */
	const cases: Array<[string, string[], string[], string[], string[]]> = [
		[
			'asset',
			['IsOffline', 'Address.Street', 'Info.SerialNumber'],
			['ModelId', 'Name', 'ParentId', 'TypeId'],
			['RootId', 'Attributes', 'Documents', 'Info.AssetId', 'Orphan'],
			['AttributeDescriptor', 'Model'],
		],
		[
			'employee',
			[
				'LastName',
				'Address.City',
				'ContactAddresses.MobilePhone',
				'Teams',
				'WorkZones',
				'Specialties',
				'Portfolios',
				'DefaultPriceList.Id',
			],
			['ActorTypeId', 'DisplayAs', 'FirstName', 'Role.Id'],
			['WonMemberId', 'DtPwdChange', 'PriceLists'],
			['Portfolio', 'PriceList', 'Role'],
		],
		[
			'workOrder',
			['Priority.Id', 'DtDue', 'PoNumber', 'Access', 'IsWarranty', 'VendorNte.Value'],
			[],
			['Number', 'StatusId', 'Employee.Id', 'CreatedDateUtc', 'DtCreated', 'LastAction.Id'],
			['RepairCode', 'Specialty', 'WoPriority', 'WorkOrderType', 'WorkZone'],
		],
	];

	it.each(cases)('of %s', async (resource, some, required, none, tables) => {
		for (const operation of ['create', 'update']) {
			const name = `${resource}:${operation}`;
			const hasForm = resources
				.find(({ value }) => value === resource)
				?.operations.find(({ value }) => value === operation)
				?.fields.some(({ type }) => type === 'resourceMapper');
			if (!hasForm) continue;
			company.sandbox.forgetRequests();
			const { fields } = await columns(name);
			expect(listIds(fields)).toEqual(expect.arrayContaining(some));
			for (const id of ['Id', 'ConcurrencyId', ...none]) expect(listIds(fields)).not.toContain(id);
			const mandatory = fields.filter((one) => one.required).map(({ id }) => id);
			expect(mandatory.sort()).toEqual(operation === 'create' ? required : []);
			// A visible column counts as set, and a visible switch as off.
			expect(fields.every((one) => one.removed === !one.required)).toBe(true);
			expect(new Set(listIds(fields)).size).toBe(fields.length);
			expect(new Set(fields.map(({ displayName }) => displayName)).size).toBe(fields.length);
			expect(asked()).toEqual(tables);
		}
	});

	it('are shown but not required in Create or Update if new records need them', async () => {
		const { fields } = await columns('customer:upsert');
		// Tax Exempt is hidden, because a visible switch counts as turned off.
		const shown = listIds(fields.filter(({ removed }) => !removed)).sort();
		expect(shown).toEqual(['Dba', 'DisplayAs', 'Name', 'TenantCode', 'WorkZone.Id']);
		expect(fields.filter(({ required }) => required)).toEqual([]);
	});

	it('leave undocumented members to JSON, except filled-in ones', async () => {
		const ask = async (fields?: INodeParameters) =>
			listIds((await columns('asset:update', fields && { fields })).fields);
		expect(await ask()).not.toContain('Orphan');
		expect(await ask(filledIn({ Orphan: true }))).toContain('Orphan');
		const [Id] = records.ids('Location');
		await update('asset', Id, { Orphan: true });
		expect(writes()[0].body).toMatchObject({ Entity: { Id, Orphan: true } });
	});

	it('have titles that fit into the panel of the editor', () => {
		for (const { name } of entities) {
			const titles = listColumns(name, 'update').map(({ label }) => label);
			expect(titles.filter((title) => title.length > 34)).toEqual([]);
			expect(titles).not.toContain('Display As');
		}
	});

	it('exist for every resource that writes by columns, and belong to its entity', async () => {
		const forms = resources.flatMap(({ value: resource, operations }) =>
			operations
				.filter(({ fields }) => fields.some(({ name }) => name === 'fieldsJson'))
				.map(({ value }) => [resource, value] as const),
		);
		expect(forms.length).toBeGreaterThan(8);
		for (const [resource, operation] of forms) {
			const own = await columns(`${resource}:${operation}`, { entity: byName('Contact') });
			const { entity } = subjects[resource as keyof typeof subjects] as { entity?: string };
			const same = await columns(`record:${operation}`, { entity: byName(entity ?? 'Contact') });
			expect([resource, listIds(own.fields)]).toEqual([resource, listIds(same.fields)]);
		}
	});

	it('include the custom fields of the Company, typed, by one request', async () => {
		const ParentId = records.addField('WO', 'Shift');
		records.insert('CustomFieldOption', { ParentId, Idx: 2, Value: 'Night' });
		records.insert('CustomFieldOption', { ParentId, Idx: 1, Value: 'Day' });
		records.addField('WO', 'Old', { IsRemoved: true });
		const zones = records.idsWhere('CustomFieldDescriptor', ({ Name }) => Name === 'Zone');
		const { fields } = await columns('workOrder:update');
		const own = fields.filter(({ id }) => id.startsWith('CustomFields.'));
		expect(own.map(({ displayName, type }) => `${displayName}: ${type}`)).toEqual([
			'1: string',
			'After Hours?: boolean',
			'Approved Budget: number',
			'Call Back: string',
			'Carrier: string',
			'Cost Center: string',
			'Estimate: number',
			'Floor: number',
			'Inspection Date: dateTime',
			'Load: options',
			'Opens At: string',
			'PoNumber: string',
			'Remarks: string',
			'Shift: options',
			'Ticket Link: string',
			...zones.map((Id, index) => `Zone (ID ${Id}): ${['string', 'number'][index]}`),
		]);
		expect(column(fields, `CustomFields.${ParentId}`)?.options).toEqual([
			{ name: 'Day', value: 'Day' },
			{ name: 'Night', value: 'Night' },
		]);
		expect(requests.queries().filter((one) => one === 'CustomFieldDescriptor')).toHaveLength(1);
	});

	it('distinguish the custom fields of providers from those of employees', async () => {
		const [own] = records.idsWhere(
			'CustomFieldDescriptor',
			(one) => one.ActorTypeId === 'Employee',
		);
		const id = records.addField('Provider', 'External Key');
		records.addField('Provider', 'Insurance');
		const { fields } = await columns('employee:update');
		expect(
			fields.filter(({ id }) => id.startsWith('CustomFields.')).map((one) => one.displayName),
		).toEqual([
			`External Key (ID ${own})`,
			`External Key (ID ${id}) (Provider)`,
			'Insurance (Provider)',
		]);
	});

	it('are read again when the Company has changed', async () => {
		const before = await columns('contact:create');
		records.addField('LeaseUser', 'Badge');
		const after = await columns('contact:create');
		expect(after.fields).toHaveLength(before.fields.length + 1);
		expect(listIds(after.fields)).toContain(custom('Badge'));
	});

	it('omit custom fields where the service user may not read them', async () => {
		const complete = await columns('contact:create');
		requests.fault(rejection('/query/CustomFieldDescriptor', DENIED));
		const { fields } = await columns('contact:create');
		expect(fields).toEqual(complete.fields.filter(({ id }) => !id.startsWith('CustomFields.')));
		expect(fields.length).toBeGreaterThan(10);
	});

	it('fail with the reason when Corrigo does not accept the credential', async () => {
		const { clientSecret } = n8n.stored();
		n8n.store({ clientSecret: 'wrong', accessToken: '' });
		await expect(columns('contact:create')).rejects.toThrow('did not accept the credentials');
		n8n.store({ clientSecret });
	});

	describe('without the Company', () => {
		/** The columns of the catalogue; choices and custom fields come from the Company. */
		const ofCatalogue = (verb: 'create' | 'update') =>
			listColumns('Customer', verb).flatMap(({ id }) =>
				isUndocumented('Customer', id) ? [] : [id],
			);

		it('are those of the catalogue while a new node has no credential', async () => {
			const { fields } = await columns('customer:create', {}, { credentials: undefined });
			expect(listIds(fields)).toEqual(ofCatalogue('create'));
			expect(company.sandbox.requests).toEqual([]);
		});

		it.each<[string, Fault]>([
			['is away', { match: { server: 'api' }, kind: 'resetBefore', times: 99 }],
			['is busy', { match: { server: 'api' }, kind: 'status', status: 503, times: 99 }],
			['does not answer', { match: { server: 'api' }, kind: 'hang', times: 99 }],
		])(
			'are those of the catalogue where Corrigo %s, after three seconds at most',
			async (_, fault) => {
				requests.fault(fault);
				const start = performance.now();
				expect(listIds((await columns('customer:update')).fields)).toEqual(ofCatalogue('update'));
				// A busy machine may add some seconds; a single request to Corrigo may take a minute.
				expect(performance.now() - start).toBeLessThan(10_000);
			},
		);

		it('keep the choices and the custom fields that the form has saved', async () => {
			const { fields: schema } = await columns('customer:update');
			const choices = column(schema, 'WorkZone.Id')?.options;
			expect(choices).not.toHaveLength(0);
			const fields = filledIn({ [custom('External Key')]: 'Ann' }, schema);
			const kept = await columns('customer:update', { fields }, { credentials: undefined });
			expect(listIds(kept.fields)).toEqual([...ofCatalogue('update'), custom('External Key')]);
			expect(column(kept.fields, 'WorkZone.Id')).toMatchObject({
				type: 'options',
				options: choices,
			});
		});
	});

	it.each([
		...['', '={{ $json.entity }}', 'NoSuchThing', 'Vendor'].map(
			(name) => [name, /Choose an entity/] as const,
		),
		// An entity without published columns.
		['PmItem', /'Input Mode' to JSON/] as const,
	])('are empty while the entity is %j, with advice', async (name, advice) => {
		const own = await columns('record:create', { entity: byName(name) });
		expect(own.fields).toEqual([]);
		expect(own.emptyFieldsNotice).toMatch(advice);
		expect(company.sandbox.requests).toEqual([]);
	});

	it('come with a notice only where the input is mapped to them by name', async () => {
		for (const operation of ['customer:create', 'customer:upsert', 'workOrder:update']) {
			const { fields, emptyFieldsNotice } = await columns(operation);
			expect(fields.length).toBeGreaterThan(0);
			expect(emptyFieldsNotice).toBeUndefined();
			const byInput = await columns(operation, mappedByName([]));
			expect(byInput.fields).toEqual(fields);
			expect(byInput.emptyFieldsNotice).toMatch(
				/^Uses the fields of the input with these names: .+\./,
			);
			const needs = byInput.emptyFieldsNotice?.includes(
				'A new customer needs: DBA (Doing Business As), ',
			);
			expect(needs).toBe(operation.startsWith('customer'));
		}
	});
});

/** What a new customer needs, except its work zone. */
const TENANT = { DisplayAs: 'New', Name: 'New', Dba: 'New', TenantCode: 'T-new', TaxExempt: false };

describe('create by columns', () => {
	it.each([
		['customer', 'CommLease', 'TenantCode', { ...TENANT, 'WorkZone.Id': 11 }],
		['asset', 'Asset', 'Name', PUMP],
	])('removes a custom field of a new %s with an empty text', async (kind, type, key, members) => {
		const field = `CustomFields.${records.addField(type, 'A')}`;
		const schema = [{ id: field, displayName: 'A', type: 'string' }];
		let id: unknown;
		const upsert = async (value: string) => {
			const { items } = await n8n.succeed(`${kind}:upsert`, {
				fields: { ...filledIn({ ...members, [field]: value }, schema), matchingColumns: [key] },
			});
			id = items[0].json.Id;
			return [items[0].json.Outcome, listCustomValues(id)];
		};
		expect(await upsert('')).toEqual(['created', []]);
		expect(await upsert('')).toEqual(['unchanged', []]);
		expect(await upsert('v')).toEqual(['updated', ['v']]);
		expect(await upsert('')).toEqual(['updated', []]);

		for (const value of ['', 'v', '']) {
			await update(kind, id, { [field]: value }, schema);
			expect(listCustomValues(id)).toEqual(value ? [value] : []);
		}
	});

	it('writes custom fields in a separate request where the record does not contain them', async () => {
		const tag = records.addField('Asset', 'Tag');
		const asset = (value: unknown, more = {}) => ({
			fields: filledIn({
				...{ ...PUMP, 'Info.SerialNumber': 'S1', [`CustomFields.${tag}`]: value },
				...more,
			}),
			...AS_R,
		});
		const run = await n8n.succeed('asset:create', asset('A-1'));
		const { Id } = run.items[0].json;
		expect(writes()).toEqual([
			creation('Location', { ...PUMP, Info: { SerialNumber: 'S1' } }),
			creation('CustomField2', {
				Descriptor: { Id: tag },
				Value: 'A-1',
				ObjectId: Id,
				ObjectTypeId: 'Asset',
			}),
		]);

		requests.fault(
			rejection('CustomField2', { ErrorCode: 'BUSINESS_LOGIC_ERROR', ErrorMessage: 'Too long' }),
		);
		const others = ['Color', 'Shape'].map(
			(name) => `CustomFields.${records.addField('Asset', name)}`,
		);
		const more = Object.fromEntries(others.map((column) => [column, 'v']));
		const half = await n8n.run('asset:create', asset('A-2', more));
		expect(half.error?.message).toMatch(
			/^The asset with the ID \d+ was written, but not its custom field "Tag": Corrigo refused the request: "Too long"$/,
		);
		expect(half.error?.description).toMatch(
			/^The message names the rule\. .+ \(code BUSINESS_LOGIC_ERROR, status 400, RequestId \S+\) Nothing was sent for "Color", "Shape"\. Update the record with what is missing; do not create it again\.$/,
		);
	});

	it.each<[string, IDataObject, IDataObject]>([
		['none of its fields fits', { Nickname: 'N', Town: 'T' }, { Name: 'N', Town: 'T' }],
		['they are empty', { Name: null, Town: 'T' }, { Name: 'N', TenantCode: '' }],
	])('says what the input has if %s', async (_, json, withoutKey) => {
		const list = (item: IDataObject) => `Its fields are: "${Object.keys(item).join('", "')}".`;
		const run = await n8n.run('customer:create', mappedByName([]), { items: [{ json }] });
		expect(run.error).toMatchObject({
			message: 'This item has no value for a field of a customer',
			description: list(json),
		});
		const keyless = await n8n.run('customer:upsert', mappedByName(['TenantCode']), {
			items: [{ json: withoutKey }],
		});
		expect(keyless.error).toMatchObject({
			message: "This item has no value for 'Tenant Code', which identifies the record",
			description: list(withoutKey),
		});
	});

	it('maps the input to the columns by their names', async () => {
		const { fields: schema } = await columns('customer:create');
		company.sandbox.forgetRequests();
		const item = {
			...TENANT,
			WorkZone: { Id: 12, DisplayAs: 'as it was read' },
			CustomFields: { 'External Key': 'K1' },
			ConcurrencyId: 5,
			Spaces: [],
			Unrelated: 'left alone',
		};
		await n8n.succeed(
			'customer:create',
			{ ...mappedByName([], schema), ...AS_R },
			{ items: [{ json: item }] },
		);
		expect(writes()).toEqual([
			creation('Customer', {
				...TENANT,
				WorkZone: { Id: 12 },
				CustomFields: [{ Descriptor: { Id: fieldId('External Key') }, Value: 'K1' }],
			}),
		]);
	});

	// test/columns/columns.test.ts has the other kinds of values.
	it.each<[IDataObject, RegExp]>([
		[{ LastName: null }, /'Values' is empty/],
		[{ CustomerId: 1.5 }, /'Customer' must be a positive whole number/],
		[{ OldColumn: 'x' }, /Contact has no field "OldColumn"/],
	])('refuses %j before anything is sent', async (value, message) => {
		const error = await n8n.refuse('contact:create', { fields: filledIn(value) });
		expect(error.message).toMatch(message);
	});
});

describe('update by columns', () => {
	const order = () => records.rows('WorkOrder')[1];

	it('lists exactly the filled-in columns as changed properties', async () => {
		const { Id } = order();
		const before = structuredClone(order());
		const { fields: schema } = await columns('workOrder:update');
		company.sandbox.forgetRequests();
		const values = {
			PoNumber: 'PO 1',
			'Priority.Id': 2,
			'Address.Street': '1 Main St',
			'VendorNte.Value': 12.5,
			'VendorNte.CurrencyTypeId': 'EUR',
			ContactName: '',
			IsWarranty: null,
		};
		await update('workOrder', Id, values, schema);
		expect(wire()).toEqual([
			{
				method: 'PUT',
				path: '/api/v1/base/WorkOrder',
				body: {
					RequestId: 'r',
					Properties: ['PoNumber', 'Priority.Id', 'Address.Street', 'VendorNte', 'ContactName'],
					Entity: {
						Id,
						PoNumber: 'PO 1',
						Priority: { Id: 2 },
						Address: { Street: '1 Main St' },
						VendorNte: { Value: 12.5, CurrencyTypeId: 'EUR' },
						ContactName: '',
					},
				},
			},
		]);
		const after = records.get('WorkOrder', Id);
		expect(after).toMatchObject({ ShortLocation: before.ShortLocation, Customer: before.Customer });
		expect(after.VendorNte).toEqual({ Value: 12.5, CurrencyTypeId: 'EUR' });
	});

	it('rejects an update without changes', async () => {
		const error = await n8n.refuse('workOrder:update', { id: byId(1), fields: filledIn({}) });
		expect(error.message).toMatch(/'Values to Change' is empty/);
	});

	it('changes existing custom fields, adds new ones, and duplicates none', async () => {
		const { Id } = records.insert('WorkOrder', { Number: 'X1', Customer: { Id: 101 } });
		const { fields: schema } = await columns('workOrder:update');
		const run = async (value: IDataObject) => {
			company.sandbox.forgetRequests();
			await update('workOrder', Id, value, schema);
		};
		await run({
			[custom('After Hours?')]: true,
			[custom('Floor')]: 3,
			[custom('Inspection Date')]: '2026-01-31T00:00:00.000+02:00',
		});
		// A number may be an amount, so the definitions are read.
		const definitions = 'POST query/CustomFieldDescriptor';
		expect(requests.paths()).toEqual([definitions, 'POST query/WorkOrder', 'PUT base/WorkOrder']);
		expect(listCustom(Id)).toEqual([
			[fieldId('After Hours?'), 'true'],
			[fieldId('Floor'), '3'],
			[fieldId('Inspection Date'), '2026-01-31'],
		]);

		await run({
			PoNumber: 'P',
			[custom('Floor')]: '4',
			[custom('Cost Center')]: 'CC',
		});
		expect(requests.bodies()).toMatchObject([{ Properties: ['PoNumber', 'CustomFields.*'] }]);
		expect(listCustom(Id)).toEqual([
			[fieldId('After Hours?'), 'true'],
			[fieldId('Floor'), '4'],
			[fieldId('Inspection Date'), '2026-01-31'],
			[fieldId('Cost Center'), 'CC'],
		]);
		const before = listCustom(Id);
		await run({ [custom('Floor')]: '4' });
		expect(listCustom(Id)).toEqual(before);
	});

	it('changes custom fields in a separate request where the record does not contain them, without duplicates', async () => {
		const tag = records.addField('CommLeaseSpace', 'Tag');
		const [Id] = records.ids('Space');
		for (const [value, request] of [
			['one', 'POST /api/v1/base/CustomField2'],
			['two', 'PUT /api/v1/base/CustomField2'],
		]) {
			company.sandbox.forgetRequests();
			const run = await update('space', Id, { [`CustomFields.${tag}`]: value });
			expect(jsonOf(run.items)).toEqual([{ Id }]);
			expect(writes().map(({ method, path }) => `${method} ${path}`)).toEqual([request]);
		}
		expect(listCustom(Id)).toEqual([[tag, 'two']]);
	});

	it('rejects an unknown mode', async () => {
		const form = { id: byId(1), fieldsMode: "={{ 'xml' }}" };
		const { message } = await n8n.refuse('contact:update', form);
		expect(message).toMatch(/'Input Mode' must be one of json, autoMapInputData, defineBelow/);
	});
});

describe('a column that refers to a small table', () => {
	const priority = async () => column((await columns('workOrder:update')).fields, 'Priority.Id');

	it('offers the records of the Company', async () => {
		records.insert('WorkZone', { DisplayAs: 'Closed', IsRemoved: true });
		const { fields } = await columns('workOrder:update');
		expect(column(fields, 'Priority.Id')).toMatchObject({
			displayName: 'Priority',
			type: 'options',
			options: [
				{ name: 'Emergency', value: 1 },
				{ name: 'High', value: 2 },
				{ name: 'Low', value: 4 },
				{ name: 'Standard', value: 3 },
			],
		});
		const zones = column(fields, 'WorkZone.Id')?.options?.map(({ value }) => value);
		expect(zones?.sort()).toEqual(records.idsWhere('WorkZone', (row) => row.IsRemoved !== true));
	});

	it('takes a name or ID, and says so, where there are more than a thousand records', async () => {
		const add = (count: number) => {
			for (let index = 0; index < count; index += 1)
				records.insert('WoPriority', { DisplayAs: `P${index}` });
		};
		add(1000 - records.rows('WoPriority').length);
		expect((await priority())?.options).toHaveLength(1000);
		add(1);
		const many = await priority();
		expect(many).toMatchObject({ displayName: 'Priority (More Than 1,000)', type: 'string' });
		expect(many).not.toHaveProperty('options');
	});

	it('takes a name or ID where the table is empty or may not be read, while other columns offer a list', async () => {
		company.sandbox.set({ unreadable: ['WoPriority'] });
		const { fields } = await columns('workOrder:update');
		company.sandbox.set({ unreadable: [] });
		const text = { displayName: 'Priority', type: 'string' };
		expect(column(fields, 'Priority.Id')).toMatchObject(text);
		expect(column(fields, 'Specialty.Id')?.type).toBe('options');
		for (const Id of records.ids('WoPriority')) company.sandbox.store.remove('WoPriority', Id);
		expect(await priority()).toMatchObject(text);
	});

	it('reads its table once for all columns that refer to it', async () => {
		const { fields } = await columns('record:create', { entity: byName('WoLastAction') });
		const reasons = ['Reason.Id', 'EmergencyReason.Id'].map((id) => column(fields, id)?.type);
		expect(reasons).toEqual(['options', 'options']);
		expect(asked()).toEqual(['WoActionReasonLookup']);
	});
});

describe('the time zone of a work zone', () => {
	const zone = 11;
	const setZone = async (value: unknown) =>
		await n8n.run(
			'workZone:update',
			{ id: byId(zone), fields: filledIn({ TimeZone: '={{ $json.x }}' }) },
			{ items: itemsOf(value) },
		);

	it('is chosen by name, without a request for it', async () => {
		const { fields } = await columns('workZone:update');
		expect(column(fields, 'TimeZone')).toMatchObject({
			type: 'options',
			options: expect.arrayContaining([{ name: 'America/New_York', value: 35 }]),
		});
		expect(asked()).toEqual(['TaxRegion']);
	});

	it('is set by name, and refused before anything is sent if it does not exist', async () => {
		expect(await n8n.refusal(setZone('Mars'))).toBe(
			'\'Time Zone\' must be a time zone such as America/New_York, but it is "Mars"',
		);
		const created = { name: 'Pier', numberPrefix: 'PIE', assetTemplate: byId(1) };
		expect(
			await n8n.refusal(
				n8n.run('workZone:create', { ...created, additionalFields: { timeZone: '' } }),
			),
		).toBe("'Time Zone' must be a time zone such as America/New_York, but it is empty");
		expect((await setZone('america/denver')).error).toBeUndefined();
		expect(records.get('WorkZone', zone).TimeZone).toBe(10);
	});
});

describe('columns of rows', () => {
	const listAddresses = (kind: string, id: number) =>
		records
			.children('ContactInfo', 'ActorId', id)
			.filter(({ ActorTypeId }) => ActorTypeId === kind)
			.map(({ AddrTypeId, Address }) => `${String(AddrTypeId)} ${String(Address)}`)
			.sort();
	const listStreets = (customer: number) =>
		records
			.children('Address2', 'ActorId', customer)
			.filter(({ ActorTypeId }) => ActorTypeId === 'CommLease')
			.map(({ TypeId, Street, Street2, City }) => ({ TypeId, Street, Street2, City }));
	const linked = (entity: string, member: string, id: number) =>
		records.children(entity, 'UserId', id).map((row) => row[member]);

	it('read the rows of all items with one query, and those of a changed record again', async () => {
		const ids = Array.from(
			{ length: 100 },
			(_, index) => records.insert('Contact', { LastName: `Contact ${index}`, CustomerId: 101 }).Id,
		);
		const { items } = await n8n.succeed(
			'contact:update',
			{
				id: byId('={{ $json.x }}'),
				fields: filledIn({ 'ContactAddresses.PrimEmail': '={{ $itemIndex }}@example.org' }),
			},
			{ items: itemsOf(...ids, ids[0]) },
		);
		expect(items).toHaveLength(101);
		expect(requests.paths()).toEqual([
			'POST query/Contact',
			...ids.map(() => 'PUT base/Contact'),
			'POST query/Contact',
			'PUT base/Contact',
		]);
		expect(listAddresses('LeaseUser', ids[0])).toEqual(['PrimEmail 100@example.org']);
		expect(listAddresses('LeaseUser', ids[99])).toEqual(['PrimEmail 99@example.org']);
	});

	// Promise: An update changes only what you set
	it('change the row of their kind, leave the others, and are never duplicated', async () => {
		const [Id] = records.ids('Contact');
		const [email, phone] = listAddresses('LeaseUser', Id);
		const change = async (values: IDataObject) => {
			company.sandbox.forgetRequests();
			await update('contact', Id, values);
			return requests.paths();
		};
		const both = ['POST query/Contact', 'PUT base/Contact'];
		const key = records.addField('LeaseUser', 'Badge');
		expect(await change({ 'ContactAddresses.PrimEmail': 'new@example.org' })).toEqual(both);
		expect(email).toMatch(/^PrimEmail/);
		expect(listAddresses('LeaseUser', Id)).toEqual(['PrimEmail new@example.org', phone]);
		await change({ 'ContactAddresses.PrimEmail': 'new@example.org', Comment: 'x' });
		expect(listAddresses('LeaseUser', Id)).toEqual(['PrimEmail new@example.org', phone]);
		// Custom fields that have to be read first are returned as well.
		const badge = `CustomFields.${key}`;
		expect(await change({ 'ContactAddresses.Fax': '7', [badge]: 'K' })).toEqual([
			'POST query/CustomFieldDescriptor',
			...both,
		]);
		await change({ [badge]: 'L', 'ContactAddresses.Fax': '8' });
		expect(listAddresses('LeaseUser', Id)).toEqual(['Fax 8', 'PrimEmail new@example.org', phone]);
		expect(listCustomValues(Id)).toEqual(['L']);
	});

	it('set the primary address of a customer and leave the other one', async () => {
		const { fields: schema } = await columns('customer:update');
		expect(column(schema, 'Addresses.Primary.Zip')?.displayName).toBe('Address ZIP');
		const change = async (values: IDataObject) => await update('customer', 101, values, schema);
		const other = { ActorTypeId: 'CommLease', ActorId: 101, TypeId: 'Alt', Street: '9 Old Rd' };
		records.insert('Address2', other);
		await change({
			'Addresses.Primary.Street': '1 Main St',
			'Addresses.Primary.Street2': 'Suite 5',
			'Addresses.Primary.City': 'Denver',
		});
		await change({ 'Addresses.Primary.Street': '2 Oak St', 'Addresses.Primary.Street2': '' });
		expect(listStreets(101)).toMatchObject([
			{ TypeId: 'Alt', Street: '9 Old Rd' },
			{ TypeId: 'Primary', Street: '2 Oak St', Street2: '', City: 'Denver' },
		]);
		await change({ Instructions: 'x', 'Addresses.Primary.City': '' });
		expect(listStreets(101)).toHaveLength(2);
		expect(listStreets(101)[1]).toMatchObject({ Street: '2 Oak St', City: '' });
	});

	it('add teams, zones and specialties of an employee by name or ID, each once', async () => {
		const { fields: schema } = await columns('employee:update');
		expect(column(schema, 'Teams')?.displayName).toBe('Add Teams');
		const [Id] = records.ids('Employee');
		const [team] = linked('LinkUserAndTeam', 'TeamId', Id);
		const zones = linked('LinkUserAndWorkZone', 'WorkZoneId', Id);
		const update = async (x: unknown) =>
			await n8n.run(
				'employee:update',
				{
					id: byId(Id),
					fields: filledIn(
						{ Teams: '={{ $json.x }}', WorkZones: '={{ ["Denver Tech Center", 12] }}' },
						schema,
					),
				},
				{ items: itemsOf(x) },
			);
		expect(team).toBe(1);
		expect((await update('day shift, ON CALL')).error).toBeUndefined();
		expect((await update('3,2,3')).error).toBeUndefined();
		expect(linked('LinkUserAndTeam', 'TeamId', Id)).toEqual([1, 3, 2]);
		const denver = records.find('WorkZone', { DisplayAs: 'Denver Tech Center' }).Id;
		expect(new Set(linked('LinkUserAndWorkZone', 'WorkZoneId', Id))).toEqual(
			new Set([...zones, denver, 12]),
		);
		company.sandbox.forgetRequests();
		const again = await update('Day Shift');
		expect(jsonOf(again.items)).toEqual([{ Id, Outcome: 'unchanged' }]);
		expect(requests.paths().filter((one) => !one.includes('query'))).toEqual([]);
		company.sandbox.forgetRequests();
		expect((await update('Day Shift, Nobody')).error?.message).toMatch(
			/'Add Teams': no team is named "Nobody"/,
		);
		expect(requests.sent().every(({ path }) => path.includes('/query/'))).toBe(true);
	});

	const ADA = {
		FirstName: 'Ada',
		DisplayAs: 'Ada',
		ActorTypeId: 'Employee',
		'Role.Id': 3,
		'ContactAddresses.PrimEmail': 'ada@example.org',
	};

	it('are compared by value in Create or Update, and cannot be keys', async () => {
		const { fields: schema } = await columns('employee:upsert');
		const keys = schema.filter(({ canBeUsedToMatch }) => canBeUsedToMatch).map(({ id }) => id);
		expect(keys).toContain('ContactAddresses.PrimEmail');
		for (const none of ['Teams', 'WorkZones', 'Specialties', 'Password'])
			expect(keys).not.toContain(none);
		const upsert = async (Teams = 'Day Shift, Night Shift') => {
			const fields = filledIn({ ...ADA, Username: 'ada', Teams });
			const form = { fields: { ...fields, matchingColumns: ['Username'] } };
			return (await n8n.succeed('employee:upsert', form)).items[0].json;
		};
		expect((await upsert()).Outcome).toBe('created');
		expect((await upsert()).Outcome).toBe('unchanged');
		expect((await upsert('Night Shift')).Outcome).toBe('unchanged');
		expect(await upsert('On Call')).toMatchObject({ Changed: ['Teams'] });
	});
});
