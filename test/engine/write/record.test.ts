import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { RunOptions } from '../../support/engine';

import {
	byId,
	byName,
	eachId,
	getId,
	hintsOf,
	idsOf,
	itemsOf,
	jsonOf,
	shareCompany,
	some,
	where,
} from '../../support/company';

const company = shareCompany({ workOrders: 60 });
const { n8n, records, requests } = company;

const entity = (name: string) => ({ entity: byName(name) });
const advanced = (options: object) => ({ options: { advanced: options } });
const wire = () =>
	requests.sent().map(({ method, path, query, body }) => ({ method, path, query, body }));
const getHeaders = (index = 0) => requests.sent()[index].headers;
const customer = () => records.rows('Customer')[0].Id;
const orders = () => records.rows('WorkOrder');
const expressions = () =>
	wire().map(({ body }) => (body as { QueryExpression: IDataObject }).QueryExpression);
const get = async (items: INodeExecutionData[], more: object = {}, options: RunOptions = {}) =>
	await n8n.run(
		'record:get',
		{ ...entity('WorkOrder'), id: eachId, ...more },
		{ items, ...options },
	);
const getMany = async (name: string, more: object = {}) =>
	await n8n.run('record:getMany', { ...entity(name), ...more });

describe('create and update', () => {
	const members = { LastName: 'Read' };

	it.each(['EntityType', 'entityType'])('leave out %s of a record that was read', async (name) => {
		const fieldsJson = { [name]: 'Contact', ...members };
		const id = byId(records.rows('Contact')[0].Id);
		await n8n.succeed('record:create', { ...entity('contact'), fieldsJson });
		await n8n.succeed('record:update', { ...entity('contact'), id, fieldsJson });
		const written = requests.bodies().map(({ Entity }) => Entity);
		expect(written).toEqual([members, { ...members, Id: records.rows('Contact')[0].Id }]);
	});

	it.each([
		['Contact', { EntityType: 'Customer' }, '> EntityType', 'Contact'],
		['Customer', { WorkZone: { EntityType: 'Customer' } }, '> WorkZone > EntityType', 'WorkZone'],
		[
			'Contact',
			{ ContactAddresses: [{ $type: 'Customer' }] },
			'> ContactAddresses > $type',
			'ContactInfo',
		],
	])(
		'refuse %s with %j, and say where it is another record',
		async (name, fieldsJson, place, type) => {
			const { message } = await n8n.refuse('record:create', { ...entity(name), fieldsJson });
			expect(message).toBe(`'Fields (JSON) ${place}' must be ${type}, but it is "Customer"`);
			expect(requests.sent()).toEqual([]);
		},
	);
});

describe('create', () => {
	it('posts the entity and returns its ID', async () => {
		const run = await n8n.run('record:create', {
			...entity('contact'),
			fieldsJson: `{ "LastName": "Müller \\"Süd\\"", "CustomerId": ${customer()}, "TypeId": "Primary" }`,
			options: { advanced: { requestId: 'create-1' } },
		});
		expect(wire()).toEqual([
			{
				method: 'POST',
				path: '/api/v1/base/Contact',
				query: {},
				body: {
					RequestId: 'create-1',
					Entity: { LastName: 'Müller "Süd"', CustomerId: customer(), TypeId: 'Primary' },
				},
			},
		]);
		expect(run.items).toEqual([
			{
				json: {
					Id: expect.any(Number),
					CustomerId: customer(),
					LastName: 'Müller "Süd"',
					TypeId: 'Primary',
				},
				pairedItem: { item: 0 },
			},
		]);
	});

	it.each([
		['with names for IDs', 'simplified', { Id: 11, DisplayAs: 'Midtown Manhattan' }],
		['with IDs only where the output is raw', 'raw', { Id: 11 }],
	])('returns the record on request, %s', async (_, output, workZone) => {
		const run = await n8n.succeed('record:create', {
			...entity('Customer'),
			fieldsJson: records.newCustomer('Read back'),
			output,
			options: { returnRecord: true },
		});
		expect(jsonOf(run.items)).toEqual([some({ Dba: 'Read back', WorkZone: workZone })]);
		expect(wire().map(({ method }) => method)).toEqual(['POST', 'GET']);
	});

	it.each<[string, unknown, RegExp]>([
		['LeaseUser', { A: 1 }, /which Corrigo does not know[^]*Contact/],
		[
			'WorkOrder',
			{ A: 1 },
			/does not create \w+( \w+)* records this way[^]*\(WoCreateCommand\)\.$/,
		],
		['../base/Contact', { A: 1 }, /'Entity' must be a name/],
		['Contact', '{ "LastName": ', /'Fields \(JSON\)' is not valid JSON/],
		['Contact', '[1]', /'Fields \(JSON\)' must be a JSON object/],
		['Contact', '', /'Fields \(JSON\)' is empty/],
		['Contact', '{ "last name": 1 }', /which is not a field name/],
		[
			'Contact',
			{ LastName: 'L', $type: 'Customer' },
			/'Fields \(JSON\) > \$type' must be Contact, but it is "Customer"/,
		],
		['Contact', { LastName: 'L', PerformDeletion: true }, /has PerformDeletion, but no Id/],
	])(
		'rejects the entity %s with the fields %j before anything is sent',
		async (name, fieldsJson, words) => {
			const form = { ...entity(name), fieldsJson };
			const { message, description } = await n8n.refuse('record:create', form);
			expect([message, description].join('\n')).toMatch(words);
		},
	);
});

describe('update', () => {
	it.each([
		...[
			['WorkOrder', 'Priority'],
			['WorkOrder', 'VendorNte'],
			['WorkOrder', 'ContactAddress'],
		],
		...[
			['Location', 'Address'],
			['Customer', 'WorkZone'],
		],
	])('refuses an empty list in place of a single value: %s > %s', async (name, member) => {
		const form = { ...entity(name), id: byId(records.ids(name)[0]), fieldsJson: { [member]: [] } };
		const { message } = await n8n.refuse('record:update', form);
		expect(message).toMatch(`'Fields (JSON) > ${member}`);
		expect(requests.writes()).toEqual([]);
	});

	// Promise: An update changes only what you set
	it('changes the given properties and no other', async () => {
		const { Id } = records.rows('Contact')[0];
		const before = { ...records.get('Contact', Id) };
		await n8n.succeed('record:update', {
			...entity('Contact'),
			id: byId(Id),
			fieldsJson: { Comment: 'changed' },
		});
		const ConcurrencyId = Number(before.ConcurrencyId) + 1;
		expect(records.get('Contact', Id)).toEqual({ ...before, Comment: 'changed', ConcurrencyId });
	});

	// Promise: An update changes only what you set
	it('takes the output of a Get, and lists only its changed properties that can be set', async () => {
		const { Id } = records.rows('Customer')[0];
		const form = { ...entity('Customer'), id: byId(Id) };
		const get = await n8n.run('record:get', { ...form, properties: '*, WorkZone.*, Contacts.*' });
		const [{ json }] = get.items;
		company.sandbox.forgetRequests();
		const run = await n8n.succeed('record:update', {
			...form,
			fieldsJson: { ...json, Instructions: 'Ring twice', IsNew: false, Notes: [] },
		});
		expect(run.hints).toEqual([]);
		// The contacts have Ids, so it is checked first whether they are those of the customer.
		const { Properties, Entity } = wire()[1].body as { Properties: string[]; Entity: IDataObject };
		const own = ['Dba', 'DisplayAs', 'Instructions', 'Name', 'TaxExempt', 'TenantCode'];
		expect([...Properties].sort()).toEqual(['Contacts.*', ...own, 'WorkZone.Id']);
		expect(Entity).not.toHaveProperty('IsNew');
		expect(Entity).not.toHaveProperty('Notes');
		expect(records.get('Customer', Id)).toMatchObject({ Instructions: 'Ring twice' });
	});

	it('reports ignored properties, and fails when no other is given', async () => {
		const { Id } = orders()[0];
		const form = { ...entity('WorkOrder'), id: byId(Id) };
		const kept = { StatusId: 'New', Number: 'A1' };
		const run = await n8n.run('record:update', {
			...form,
			fieldsJson: { ...kept, PoNumber: 'P' },
		});
		expect(hintsOf(run)).toEqual([
			expect.stringMatching(/^Left out of 'Fields \(JSON\)', as .*: StatusId, Number$/),
		]);
		expect(wire()[0].body).toMatchObject({ Properties: ['PoNumber'] });
		const error = await n8n.refuse('record:update', {
			...form,
			fieldsJson: { ...kept, Items: [] },
		});
		expect(error.message).toMatch(/has nothing to change/);
		expect(error.description).toMatch(/Empty lists, and what Corrigo keeps itself/);
	});
});

describe('delete and restore', () => {
	it('deletes, and confirms it', async () => {
		const { Id } = records.rows('Contact')[0];
		const run = await n8n.run('record:delete', { ...entity('Contact'), id: byId(Id) });
		expect(jsonOf(run.items)).toEqual([{ deleted: true, Id }]);
		expect(wire()).toEqual([
			{
				method: 'DELETE',
				path: '/api/v1/base/Contact',
				query: { ID: String(Id) },
				body: undefined,
			},
		]);
		expect(getHeaders()).not.toHaveProperty('ignoremissingentityondelete');
		expect(records.get('Contact', Id)).toMatchObject({ IsRemoved: true });

		const restored = await n8n.run('record:restore', { ...entity('Contact'), id: byId(Id) });
		expect(restored.items[0].json).toEqual({ restored: true, Id });
		expect(records.get('Contact', Id)).toMatchObject({ IsRemoved: false });
	});

	it('restores the deleted one of two records with a name, and finds no other', async () => {
		const [present, removed] = records.rows('Contact');
		for (const { Id } of [present, removed]) records.change('Contact', Id, { Number: 'C-77' });
		records.change('Contact', removed.Id, { IsRemoved: true });
		for (const restore of ['record:restore', 'contact:restore']) {
			const form = { ...(restore.startsWith('record') && entity('Contact')), id: byName('C-77') };
			records.change('Contact', removed.Id, { IsRemoved: true });
			const { items } = await n8n.succeed(restore, form);
			expect(jsonOf(items)).toEqual([{ restored: true, Id: removed.Id }]);
			const { error } = await n8n.run(restore, form);
			expect(error?.message).toContain('no deleted contact is named "C-77"');
		}
	});

	it('rejects the deletion of a work order, and names the alternative', async () => {
		const form = { ...entity('WorkOrder'), id: byId(1) };
		const { description } = await n8n.refuse('record:delete', form);
		expect(description).toMatch(/WoCancelCommand/);
	});
});

describe('get', () => {
	it('reads one record with one request, unwrapped', async () => {
		const { Id, Number: number } = orders()[0];
		const run = await n8n.run('record:get', {
			...entity('WorkOrder'),
			id: byId(Id),
			properties: 'Id, Number,Customer.DisplayAs , Number',
		});
		expect(wire()).toEqual([
			{
				method: 'GET',
				path: '/api/v1/base/WorkOrder',
				query: { ID: String(Id), properties: 'Id,Number,Customer.DisplayAs' },
				body: undefined,
			},
		]);
		expect(run.items[0].json).toMatchObject({
			Id,
			Number: number,
			Customer: { DisplayAs: expect.any(String) },
		});
	});

	it('reports missing records, and returns the others', async () => {
		const { Id } = orders()[0];
		const items = itemsOf(Id, 999999, '-1', Id);
		const run = await get(items, {}, { onError: 'continueErrorOutput' });
		expect(idsOf(jsonOf(run.items))).toEqual([Id, Id]);
		expect(jsonOf(run.errorItems)).toMatchObject([
			{ x: 999999, error: 'There is no record with the ID 999999' },
			{ x: '-1', error: '\'Record\' must be a positive whole number, but it is "-1"' },
		]);
		expect(requests.sent()).toHaveLength(1);
	});

	it('reads one by one when the option says so', async () => {
		const items = itemsOf(...idsOf(orders().slice(0, 3)));
		await get(items, { options: { advanced: { combineItems: false } } });
		expect(wire().map(({ method }) => method)).toEqual(['GET', 'GET', 'GET']);
	});
});

describe('get many', () => {
	it('leaves out equal rows, and reads with the isolation level of the options', async () => {
		const advanced = { distinct: true, isolationLevel: 'ReadUncommitted' };
		await getMany('Contact', { ...where('Number', 'left over', 'NotNull'), options: { advanced } });
		const Conditions = [{ PropertyName: 'Number', Operator: 'NotNull', Values: [] }];
		const Criteria = some({ Filters: expect.arrayContaining([some({ Conditions })]) });
		expect(expressions()).toEqual([some({ Distinct: true, Criteria })]);
		expect(getHeaders()).toMatchObject({ dataretrievalisolationlevel: 'ReadUncommitted' });
	});

	it('reads by offset when sorted or started in the middle', async () => {
		const run = await getMany('WorkOrder', {
			limit: 7,
			sort: { values: [{ property: 'Number', direction: 'Descending' }] },
			options: { advanced: { pageSize: 5, firstResultIndex: 3 } },
		});
		const expected = idsOf(orders(), 'Number').sort().reverse().slice(3, 10);
		expect(idsOf(jsonOf(run.items), 'Number')).toEqual(expected);
		const Orders = [
			{ PropertyName: 'Number', OrderType: 'Descending' },
			{ PropertyName: 'Id', OrderType: 'Ascending' },
		];
		expect(expressions()).toEqual([
			some({ Count: 5, FirstResultIndex: 3, Orders }),
			some({ Count: 2, FirstResultIndex: 8 }),
		]);
	});

	// Promise: Wrong input fails before anything is sent
	it.each([
		[where('Number;', '1'), /'Conditions > Field' must be a field name/],
		[where('Id', '1', 'Contains'), /'Conditions > Operator' must be one of Between/],
		[where('Id', 'abc'), /'Conditions > Value of Id' must be a whole number/],
		[where('CreatedDateUtc', '2026-02-30', 'GreaterThan'), /must be a date and time/],
		[where('Id', '1', 'Between'), /takes exactly two values, but 1 given/],
		[{ criteriaJson: '{ "FilterOperator": "Xor", "Conditions": [] }' }, /group without/],
		[{ limit: 0 }, /'Limit' must be a whole number/],
		[{ properties: 'a b' }, /'Field Names or IDs' must be a field name/],
		[advanced({ pageSize: 4001 }), /'Page Size' must be a whole number, 1 to 4000/],
		[advanced({ pagingMethod: 'byId', firstResultIndex: 5 }), /'Paging Method' is By ID/],
		[advanced({ timeout: 0 }), /'Timeout' must be a whole number/],
	])('rejects %j before anything is sent', async (parameters, message) => {
		const form = { ...entity('WorkOrder'), ...parameters };
		const error = await n8n.refuse('record:getMany', form);
		expect(error.message).toMatch(message);
	});
});

describe('selected properties', () => {
	const number = () => String(orders()[0].Number);

	const pickAsset = () => {
		const [{ Asset }] = records.rows('WoItem');
		return byId(getId(Asset));
	};

	it.each<[string, () => INodeParameters]>([
		['by Id', () => ({})],
		['by offset', () => advanced({ pagingMethod: 'byOffset' })],
		['each row once', () => advanced({ distinct: true })],
		['through a collection', () => ({ filters: { asset: pickAsset() } })],
	])('are all that Get Many returns %s', async (_, parameters) => {
		const one = { properties: 'Number', limit: 1 };
		const run = await n8n.run('workOrder:getMany', { ...one, ...parameters() });
		expect(jsonOf(run.items).map(Object.keys)).toEqual([['Number']]);
	});

	it.each(['id', 'Id'])('include the ID if it is selected as %s', async (name) => {
		const form = { properties: `Number,${name}`, limit: 1, ...advanced({ pagingMethod: 'byId' }) };
		const run = await n8n.run('workOrder:getMany', form);
		expect(jsonOf(run.items)).toEqual([{ Id: orders()[0].Id, Number: number() }]);
	});

	it('leave out the key of rows that share an ID', async () => {
		const run = await getMany('AssetTree', { properties: 'Distance', limit: 3 });
		expect(jsonOf(run.items).map(Object.keys)).toEqual([['Distance'], ['Distance'], ['Distance']]);
	});
});

describe('rows with equal IDs', () => {
	it('are all returned, each once, for the tree of assets', async () => {
		const form = { returnAll: true, ...advanced({ pageSize: 40 }) };
		const { items } = await getMany('AssetTree', form);
		const toKey = ({ ParentId, ChildId }: IDataObject) => `${String(ParentId)} ${String(ChildId)}`;
		const all = records.rows('AssetTree').map((row) => toKey(row as IDataObject));
		expect(jsonOf(items).map(toKey).sort()).toEqual(all.sort());
	});

	it('are not read by Id', async () => {
		const form = { ...entity('AssetTree'), ...advanced({ pagingMethod: 'byId' }) };
		const { message } = await n8n.refuse('record:getMany', form);
		expect(message).toContain('several asset tree records share an ID');
	});
});
