/** A kind is given once: an attribute, a custom field, an email address. Held constant: one item, one kind twice. */
import {
	byId,
	byName,
	filledIn,
	itemsOf,
	mappedByName,
	PUMP,
	shareCompany,
} from '../../support/company';

const { n8n, records, requests } = shareCompany({ workOrders: 2 });

const first = (entity: string) => records.rows(entity)[0].Id;
const equipment = () => Number(records.rows('AssetAttribute')[0].AssetId);
const attribute = (Name: string) => records.find('AttributeDescriptor', { Name }).Id;
const row = (Id: number, Value: string) => ({ Descriptor: { Id }, Value });

/** Refused before anything is written, by the operation and by its dry run. */
async function refuse(operation: string, form: object, ...more: object[]): Promise<string> {
	const messages: unknown[] = [];
	for (const options of [{}, { dryRun: 'always' }]) {
		const { error } = await n8n.run(operation, { ...form, options }, ...more);
		expect(requests.writes()).toEqual([]);
		messages.push(error?.message);
	}
	expect(messages[0]).toBe(messages[1]);
	return String(messages[0]);
}

describe('an attribute', () => {
	const twice = () => {
		const id = attribute('Manufacturer');
		return [
			{ Manufacturer: 'A', ' manufacturer ': 'B' },
			{ Manufacturer: 'A', [id]: 'A' },
			{ [`Manufacturer (ID ${id})`]: 'A', Manufacturer: 'B' },
			[row(id, 'A'), row(id, 'B')],
			[{ Id: 1, ...row(id, 'A') }, row(id, 'B')],
		];
	};

	it.each(['asset:update', 'asset:create', 'asset:upsert'])('is given once to %s', async (name) => {
		const form = name === 'asset:update' ? { id: byId(equipment()) } : { matchOn: 'Name' };
		for (const Attributes of twice()) {
			const fieldsJson = { ...(name === 'asset:update' ? {} : PUMP), Attributes };
			expect(await refuse(name, { ...form, fieldsJson })).toMatch(/is given more than once/);
		}
	});

	it('is its ID where a path names it, never the name of another one', async () => {
		const id = byId(equipment());
		const path = 'Attributes.1';
		const forms: Array<[string, object]> = [
			['asset:update', { id, fields: filledIn({ [path]: 'x' }) }],
			['asset:update', { id, fieldsJson: {}, fieldsToClear: path }],
			['asset:upsert', { fieldsJson: { ...PUMP, Attributes: { 1: 'x' } }, matchOn: path }],
		];
		for (const [operation, { fieldsToClear, ...form }] of forms as Array<
			[string, { fieldsToClear?: string }]
		>) {
			const options = fieldsToClear === undefined ? {} : { fieldsToClear };
			const { error } = await n8n.run(operation, { ...form, options });
			expect(error?.message).toContain('no attribute has the ID');
			expect(requests.writes()).toEqual([]);
		}
		await n8n.succeed('asset:update', { id, fieldsJson: { Attributes: { 1: 'by name' } } });
		expect(requests.bodies()[0].Entity.Attributes).toEqual([row(attribute('1'), 'by name')]);
	});

	it('that assets of the model do not have is refused with those that they have', async () => {
		const Attributes = { 'Quiet From': '22:00' };
		const all = { id: byId(equipment()), matchOn: 'Name', fieldsJson: { ...PUMP, Attributes } };
		for (const operation of ['asset:update', 'asset:create', 'asset:upsert']) {
			const { error } = await n8n.run(operation, all);
			expect(error?.message).toContain(
				'has the attribute "Quiet From", which assets of this model do not have',
			);
			expect(error?.description).toContain('Criticality');
			expect(requests.writes()).toEqual([]);
		}
	});
});

it('a reading of an asset that does not exist, or of a model without the meter, is refused', async () => {
	const add = async (asset: number) =>
		(
			await n8n.run('asset:addReading', {
				id: byId(asset),
				attribute: byId(attribute('Run Hours')),
				value: '5',
			})
		).error?.message;
	expect(await add(999_999)).toContain('there is no asset with this ID');
	for (const { Id, AttributeDescriptorId } of records.rows('LinkModelAndAttribute')) {
		if (AttributeDescriptorId !== attribute('Run Hours')) continue;
		records.change('LinkModelAndAttribute', Id, { AttributeDescriptorId: 0 });
	}
	expect(await add(equipment())).toContain('assets of this model do not have');
	expect(requests.writes()).toEqual([]);
});

describe('a custom field', () => {
	it.each(['workOrder:update', 'contact:create', 'space:update'])(
		'is given once to %s',
		async (name) => {
			const [resource] = name.split(':');
			const type = { workOrder: 'WO', contact: 'LeaseUser', space: 'CommLeaseSpace' }[resource];
			const entity = { workOrder: 'WorkOrder', contact: 'Contact', space: 'Space' }[resource];
			const id = records.addField(String(type), 'Badge');
			const lists: unknown[] = [
				{ Badge: 'A', badge: 'B' },
				{ Badge: 'A', [id]: 'A' },
			];
			// A space carries none, so rows are refused anyway.
			if (resource !== 'space') lists.push([row(id, 'A'), row(id, 'B')]);
			const own = name.endsWith('create') ? { LastName: 'A' } : {};
			for (const CustomFields of lists) {
				const form = { id: byId(first(String(entity))), fieldsJson: { ...own, CustomFields } };
				expect(await refuse(name, form)).toMatch(/is given more than once/);
			}
		},
	);

	it('that two share a name of is named by its ID', async () => {
		const [one] = records.idsWhere('CustomFieldDescriptor', ({ Name }) => Name === 'Zone');
		const update = async (CustomFields: object) =>
			await n8n.run('workOrder:update', {
				id: byId(first('WorkOrder')),
				fieldsJson: { CustomFields },
			});
		expect((await update({ Zone: 'x' })).error?.message).toContain(
			'more than one custom field is named "Zone"',
		);
		const { error } = await update({ Nowhere: 'x' });
		expect(error?.description).toContain(`"Zone (ID ${one})"`);
		expect((await update({ [`Zone (ID ${one})`]: 'x' })).error).toBeUndefined();
		expect((await update({ [one]: 'y' })).error).toBeUndefined();
		const written = requests.bodies().map(({ Entity }) => Entity.CustomFields);
		expect(written).toMatchObject([[row(one, 'x')], [row(one, 'y')]]);
	});
});

it.each<[string, string, object[]]>([
	[
		'ContactAddresses',
		'PrimEmail',
		[
			{ AddrTypeId: 'PrimEmail', Address: 'a@x.org' },
			{ AddrTypeId: 'primary email', Address: 'b@x.org' },
		],
	],
	[
		'Currencies',
		'EUR',
		[
			{ CurrencyTypeId: 'EUR', RequestLimit: 1 },
			{ CurrencyTypeId: 'eur', RequestLimit: 2 },
		],
	],
])('a row of %s of one kind is given once', async (list, kind, rows) => {
	const form = { id: byId(first('Contact')), matchOn: 'LastName' };
	for (const operation of ['contact:create', 'contact:update', 'contact:upsert']) {
		const fieldsJson = { LastName: 'A', [list]: rows };
		expect(await refuse(operation, { ...form, fieldsJson })).toContain(
			`'Fields (JSON) > ${list}' is "${kind}", which is given more than once`,
		);
	}
});

it.each([undefined, null, '', 'Unknown', 0])(
	'an email address whose kind is %j is refused, in every way in',
	async (AddrTypeId) => {
		const { Id } = records.rows('Contact')[0];
		const form = { id: byId(Id), matchOn: 'LastName' };
		const lists: unknown[] = [[{ AddrTypeId, Address: 'a@x.org', IsAlert: true }]];
		if (AddrTypeId === 'Unknown') lists.push({ unknown: 'a@x.org' });
		for (const ContactAddresses of lists) {
			const members = { LastName: 'A', ContactAddresses };
			const command = {
				commandName: byName('UpdateCommand'),
				commandBody: {
					Entity: { EntityType: 'Contact', Id, ...members },
					PropertySet: { Properties: ['*'] },
				},
			};
			for (const [operation, given] of [
				...['contact:create', 'contact:update', 'contact:upsert'].map((name): [string, object] => [
					name,
					{ ...form, fieldsJson: members },
				]),
				['command:execute', command] as [string, object],
			]) {
				expect(await refuse(operation, given)).toMatch(/does not say of which kind it is/);
			}
		}
	},
);

it.each<[string, string, string, object]>([
	['Contact', 'ContactAddresses', 'Fax', { AddrTypeId: 'PrimEmail', Address: 'x' }],
	['Contact', 'ContactAddresses', 'PrimEmail', { AddrTypeId: 'Fax', PerformDeletion: true }],
	['Employee', 'ContactAddresses', 'Fax', { AddrTypeId: 'PrimEmail', Address: 'x' }],
	['Customer', 'Addresses', 'Primary', { TypeId: 'Home', City: 'x' }],
])('%s: a row of %s that is given as %s names no other kind', async (entity, list, kind, row) => {
	const id = first(entity);
	const command = (members: object) => ({
		commandName: byName('UpdateCommand'),
		commandBody: {
			Entity: { EntityType: entity, Id: id, ...members },
			PropertySet: { Properties: [`${list}.*`] },
		},
	});
	const form = { entity: byName(entity), id: byId(id) };
	const [by] = Object.keys(row);
	for (const members of [
		{ [list]: { [kind]: row } },
		Object.fromEntries(Object.entries(row).map(([name, one]) => [`${list}.${kind}.${name}`, one])),
	]) {
		const message = await refuse('record:update', { ...form, fieldsJson: members });
		expect(message).toContain(`a row whose '${by}' is`);
	}
	const members = { [list]: { [kind]: row } };
	expect(await refuse('command:execute', command(members))).toContain(`a row whose '${by}' is`);
	if ('PerformDeletion' in row) return;
	// Customers have fields for the parts of their primary address, and none for its kind.
	if (list !== 'Addresses') {
		const items = [{ json: members }];
		const mapped = { ...form, ...mappedByName([]) };
		expect(await refuse('record:update', mapped, { items })).toContain(`a row whose '${by}' is`);
	}
	for (const none of [null, '', kind]) {
		const same = { [list]: { [kind]: { ...row, [by]: none } } };
		const run = await n8n.succeed('record:update', {
			...{ ...form, fieldsJson: same as never },
			options: { dryRun: 'always' },
		});
		expect(JSON.stringify(run.items[0].json.WouldSend)).toContain(`"${by}":"${kind}"`);
	}
});

it('a choice is refused unless it is one of the list, in every way in', async () => {
	const asset = byId(equipment());
	const order = byId(first('WorkOrder'));
	const [load, own] = [
		`Attributes.${attribute('Load')}`,
		`CustomFields.${records.find('CustomFieldDescriptor', { Name: 'Load' }).Id}`,
	];
	const schema = (id: string) => [{ id, displayName: 'Load', type: 'options', options: [] }];
	const ways: Array<[string, object, object?]> = [
		['asset:update', { id: asset, fieldsJson: { Attributes: { Load: '>5 t' } } }],
		['asset:update', { id: asset, fieldsJson: { Attributes: [row(attribute('Load'), '>5 t')] } }],
		['asset:update', { id: asset, fields: filledIn({ [load]: "={{ '>5 t' }}" }, schema(load)) }],
		['workOrder:update', { id: order, fieldsJson: { CustomFields: { Load: '>5 t' } } }],
		['workOrder:update', { id: order, fields: filledIn({ [own]: "={{ '>5 t' }}" }, schema(own)) }],
		['workOrder:update', { id: order, ...mappedByName([], schema(own)) }, { Load: '>5 t' }],
	];
	for (const [operation, form, json] of ways) {
		const items = json === undefined ? itemsOf(1) : [{ json: json as never }];
		const { error } = await n8n.run(operation, form, { items });
		expect(error?.message).toContain(
			'must be one of "< 5 t", "> 5 t", "A", "A-", "A+", "10-20", "1020", "25 %"',
		);
	}
	expect(requests.writes()).toEqual([]);
});

it('white space is no order to remove an attribute', async () => {
	const Attributes = { Installed: ' ' };
	const form = { id: byId(equipment()), fieldsJson: { Attributes } };
	expect(await refuse('asset:update', form)).toContain("Installed' must be a date");
});

it.each(['customer:update', 'customer:upsert'])(
	'an address that is given by its Id keeps its kind, next to the primary one: %s',
	async (operation) => {
		const { Id, TenantCode } = records.rows('Customer')[0];
		const owner = { ActorId: Id, ActorTypeId: 'CommLease' };
		const [home, primary] = ['Home', 'Primary'].map((TypeId) =>
			records.insert('Address2', { ...owner, TypeId, City: 'Old' }),
		);
		const key = operation === 'customer:update' ? {} : { TenantCode };
		const write = async (Addresses: object[], options: object) => {
			const fieldsJson = { ...key, Addresses };
			const form = { id: byId(Id), matchOn: 'TenantCode', fieldsJson, options };
			return (await n8n.succeed(operation, form as never)).items[0].json;
		};
		const rows = [{ Id: home.Id, City: 'Rome' }, { City: 'Oslo' }];
		const dry = await write(rows.slice(0, 1), { dryRun: 'always' });
		expect(dry.WouldChange).toEqual({ 'Home Address City': { From: 'Old', To: 'Rome' } });
		await write(rows, {});
		const cities = [home, primary].map((one) => records.get('Address2', one.Id));
		expect(cities).toMatchObject([
			{ TypeId: 'Home', City: 'Rome' },
			{ TypeId: 'Primary', City: 'Oslo' },
		]);
	},
);

it.each(['contact:update', 'contact:upsert'])(
	'a row that goes or gets another kind makes room for a new one of its kind: %s',
	async (operation) => {
		const id = first('Contact');
		records.change('Contact', id, { Number: 'N-1' });
		const owner = { ActorId: id, ActorTypeId: 'LeaseUser' };
		const { Id } = records.insert('ContactInfo', {
			...{ ...owner, AddrTypeId: 'Fax', Address: 'old', IsAlert: true },
		});
		const readRows = () =>
			records
				.children('ContactInfo', 'ActorId', id)
				.map(({ AddrTypeId, Address, IsAlert }) => `${AddrTypeId} ${Address} ${IsAlert === true}`)
				.sort();
		const before = readRows();
		const others = before.filter((row) => row !== 'Fax old true');
		const write = async (ContactAddresses: object[], options: object = { returnBefore: true }) => {
			const form = { id: byId(id), matchOn: 'Number', options };
			const fieldsJson = { Number: 'N-1', ContactAddresses };
			return await n8n.succeed(operation, { ...form, fieldsJson } as never);
		};
		const added = { AddrTypeId: 'Fax', Address: 'new' };
		const moved = { Id, AddrTypeId: 'Pager' };
		const dry = await write([moved], { dryRun: 'always' });
		expect(dry.items[0].json.WouldChange).toEqual({
			'Fax Address Type ID': { From: 'Fax', To: 'Pager' },
		});
		const { items } = await write([added, moved]);
		expect(readRows()).toEqual([...others, 'Fax new false', 'Pager old true'].sort());
		await n8n.succeed('record:restoreValues', { entity: byName('Contact') }, { items });
		expect(readRows()).toEqual(before);
		await write([added, { Id, PerformDeletion: true }]);
		expect(readRows()).toEqual([...others, 'Fax new false'].sort());
	},
);

it('an address of another record that has an Id but no type is the primary one of a new record', async () => {
	const create = async (TenantCode: string, Addresses: object[]) => {
		const { items, error } = await n8n.run('customer:create', {
			fieldsJson: { ...records.newCustomer('Nine'), TenantCode, Addresses } as never,
		});
		return (
			error?.message ??
			records
				.children('Address2', 'ActorId', items[0].json.Id)
				.map(({ TypeId, City }) => [TypeId, City])
		);
	};
	const read = { Id: 1, City: 'Rome' };
	expect(await create('N-1', [read])).toEqual([['Primary', 'Rome']]);
	expect(await create('N-2', [read, { TypeId: 'Primary', City: 'Oslo' }])).toBe(
		'\'Addresses\' is "Primary", which is given more than once',
	);
});
