/**
 * Custom fields and attributes are judged by their definitions, and rows by the record that has them, in
 * every way in that takes JSON, at any depth. Held constant: one value in a list; rows of orders, contacts,
 * employees and assets stand for those of all records.
 */
import type { IDataObject } from 'n8n-workflow';

import { getEntity, isReadOnlyMember } from '../../../nodes/Corrigo/catalogue/entities';
import {
	byId,
	byName,
	errorsOf,
	filledIn,
	getId,
	hintsOf,
	itemsOf,
	jsonOf,
	mappedByName,
	PUMP,
	shareCompany,
	some,
} from '../../support/company';

const company = shareCompany({ workOrders: 4 });
const { n8n, records, requests } = company;

const find = (entity: string, Name: string) => records.find(entity, { Name }).Id;
const field = (name: string) => find('CustomFieldDescriptor', name);
const attribute = (name: string) => find('AttributeDescriptor', name);
const firstOrder = () => records.rows('WorkOrder')[0];
const asset = () => Number(records.rows('AssetAttribute')[0].AssetId);

type Given = IDataObject | IDataObject[];
type Way = (given: Given) => [operation: string, form: object];

const update = (entity: string, id: number, members: IDataObject): [string, object] => [
	'command:execute',
	{
		commandName: byName('UpdateCommand'),
		commandBody: {
			Entity: { EntityType: entity, Id: id, ...members },
			PropertySet: { Properties: Object.keys(members).map((name) => `${name}.*`) },
		},
	},
];

const other = (given: Given) =>
	records.newOrder({ additionalFields: { otherProperties: { CustomFields: given } } });

const ORDER_WAYS: Record<string, Way> = {
	'Fields (JSON) of Update': (CustomFields) => [
		'workOrder:update',
		{ id: byId(firstOrder().Id), fieldsJson: { CustomFields } },
	],
	'Fields (JSON) of Create or Update': (CustomFields) => [
		'record:upsert',
		{
			...{ entity: byName('WorkOrder'), matchOn: 'PoNumber' },
			fieldsJson: { PoNumber: firstOrder().PoNumber, CustomFields },
			options: { updateOnly: 'error' },
		},
	],
	'Other Fields of Create': (given) => ['workOrder:create', other(given)],
	'Other Fields of Create or Update': (given) => [
		'workOrder:upsert',
		{ ...other(given), externalNumber: 'X-1' },
	],
	WoCreateCommand: (CustomFields) => [
		'command:execute',
		{
			commandName: byName('WoCreateCommand'),
			commandBody: { WorkOrder: { PoNumber: 'P', CustomFields }, ComputeSchedule: true },
		},
	],
	UpdateCommand: (CustomFields) => update('WorkOrder', firstOrder().Id, { CustomFields }),
	'several commands': (CustomFields) => [
		'command:execute',
		{
			commandName: byName('CompositeCommand'),
			commandBody: {
				Commands: [
					{
						$type: 'UpdateCommand',
						...getBody(update('WorkOrder', firstOrder().Id, { CustomFields })),
					},
				],
			},
		},
	],
};

const getBody = ([, form]: [string, object]) => (form as { commandBody: object }).commandBody;

const ASSET_WAYS: Record<string, Way> = {
	'Fields (JSON) of Update': (Attributes) => [
		'asset:update',
		{ id: byId(asset()), fieldsJson: { Attributes } },
	],
	'Fields (JSON) of Create': (Attributes) => [
		'asset:create',
		{ fieldsJson: { ...PUMP, Attributes } },
	],
	UpdateCommand: (Attributes) => update('Location', asset(), { Attributes }),
};

const employeeWithout = (team: number): number => {
	const isLinked = (user: number) =>
		records.children('LinkUserAndTeam', 'UserId', user).some(({ TeamId }) => TeamId === team);
	return records.ids('Employee').find((user) => !isLinked(user)) ?? 0;
};

const row = (Id: number, Value: unknown) => ({ Descriptor: { Id }, Value }) as IDataObject;

/** A value by its name, by its ID, and as a row, which may name its definition. */
const spell = (name: string, id: number, value: unknown): Given[] => [
	{ [name]: value } as IDataObject,
	{ [id]: value } as IDataObject,
	[row(id, value)],
	[{ Descriptor: name, Value: value } as IDataObject],
	[{ Descriptor: { Name: name }, Value: value } as IDataObject],
];

const refusal = async ([operation, form]: [string, object], dryRun: boolean) => {
	const { options = {}, ...rest } = form as { options?: object };
	const more = dryRun ? { dryRun: 'always' } : {};
	const run = await n8n.run(operation, { ...rest, options: { ...options, ...more } });
	expect(requests.writes()).toEqual([]);
	return run.error?.message;
};

async function refuse(way: [string, object], message: RegExp): Promise<void> {
	for (const dryRun of [false, true]) expect(await refusal(way, dryRun)).toMatch(message);
}

const WRONG = {
	WorkOrder: [
		['Load', '>5 t', /must be one of "< 5 t", "> 5 t"/],
		['Floor', 'five', /must be a whole number/],
	],
	Location: [
		['Load', '>5 t', /must be one of "< 5 t", "> 5 t"/],
		['Floor', 'seven', /must be a whole number/],
	],
} as const;

it.each(Object.keys(ORDER_WAYS))('%s judges custom fields by their definitions', async (name) => {
	records.change('WorkOrder', firstOrder().Id, { PoNumber: 'P-7' });
	const way = ORDER_WAYS[name];
	for (const [label, value, message] of WRONG.WorkOrder) {
		for (const given of spell(label, field(label), value)) await refuse(way(given), message);
	}
	await refuse(way({ Floor: 4, [field('Floor')]: 5 }), /is given more than once/);
	await refuse(way([row(field('Floor'), 4), row(field('Floor'), 5)]), /is given more than once/);
	await refuse(way([{ Value: '4' }]), /does not say which custom field/);
	const inCurrency = { ...row(field('Floor'), 4), CurrencyTypeId: 'EUR' };
	await refuse(way([inCurrency]), /has a currency, but this custom field is not an amount/);
	for (const given of spell('Floor', field('Floor'), 4)) {
		const both = Array.isArray(given)
			? [...given, row(field('Old Code'), 'x')]
			: { ...given, 'Old Code': 'x' };
		const [operation, { options = {}, ...form }] = way(both) as [string, { options?: object }];
		const dry = { ...form, options: { ...options, dryRun: 'always' } };
		const run = await n8n.succeed(operation, dry);
		expect(hintsOf(run)).toContainEqual(
			expect.stringContaining('Left out, as its definition was removed'),
		);
		const sent = JSON.stringify(run.items[0].json.WouldSend);
		expect(sent).toMatch(new RegExp(`"Descriptor":{"Id":${field('Floor')}},[^}]*"Value":"4"`));
		expect(sent).not.toContain('Old Code');
	}
});

it.each(Object.keys(ORDER_WAYS))('%s ends no label at an apostrophe of a name', async (name) => {
	const [given, Name] = [field('Floor'), `Bob's', 'Floor`];
	records.change('CustomFieldDescriptor', given, { Name });
	for (const one of spell(Name, given, 'five').filter((_, index) => index !== 1)) {
		expect(await refusal(ORDER_WAYS[name](one), false)).toMatch(
			/^'[^']*Bob’s’, ’Floor' must be a whole number, but it is "five"$/,
		);
	}
});

it.each(Object.keys(ASSET_WAYS))('%s judges attributes by their definitions', async (name) => {
	const way = ASSET_WAYS[name];
	for (const [label, value, message] of WRONG.Location) {
		for (const given of spell(label, attribute(label), value)) await refuse(way(given), message);
	}
	await refuse(way({ Floor: 4, [attribute('Floor')]: 5 }), /is given more than once/);
	const inCurrency = { ...row(attribute('Floor'), 4), CurrencyTypeId: 'EUR' };
	await refuse(way([inCurrency]), /has a currency, but this attribute is not an amount/);
});

/** A stored row of an attribute or a custom field of the record. */
const storedRow = (list: 'AssetAttribute' | 'CustomField2', record: number, descriptor: number) => {
	const owner = list === 'AssetAttribute' ? 'AssetId' : 'ObjectId';
	return records
		.rows(list)
		.find((one) => one[owner] === record && getId(one.Descriptor) === descriptor);
};

describe('a row that is known by its Id', () => {
	const ways = ['Fields (JSON) of Update', 'UpdateCommand'];

	it.each(ways)('is judged by its definition, whether it names it or not: %s', async (name) => {
		const way = ASSET_WAYS[name];
		for (const [label, value, message] of WRONG.Location) {
			const stored = storedRow('AssetAttribute', asset(), attribute(label));
			const known = { Id: stored?.Id, Value: value } as IDataObject;
			await refuse(way([known]), message);
			await refuse(way([{ ...known, Descriptor: { Id: attribute(label) } }]), message);
			const other = { ...known, Value: '8', Descriptor: { Id: attribute('Manufacturer') } };
			await refuse(way([other]), /in Corrigo, not/);
			// A text that its definition refuses waits for the record, so the second row is seen first.
			const either = new RegExp(`${message.source}|is given more than once`);
			await refuse(way([row(attribute(label), value), known]), either);
		}
		const floor = { Id: storedRow('AssetAttribute', asset(), attribute('Floor'))?.Id, Value: '8' };
		await refuse(way([row(attribute('Floor'), 4), floor]), /is given more than once/);
		await refuse(way([floor, { ...floor, Value: '9' }]), /is given more than once/);
	});

	it.each(ways)('of a history or a removed definition is left out: %s', async (name) => {
		for (const label of ['Run Hours', 'Old Tag']) {
			const stored = storedRow('AssetAttribute', asset(), attribute(label));
			const known = { Id: stored?.Id, Descriptor: { Id: attribute(label) }, Value: '1' };
			const floor = row(attribute('Floor'), 4);
			const [operation, form] = ASSET_WAYS[name]([known as IDataObject, floor]);
			const run = await n8n.succeed(operation, form);
			expect(hintsOf(run)).toContainEqual(
				expect.stringMatching(/^Left out, as .*(history|removed)/),
			);
			expect(JSON.stringify(requests.bodies().at(-1))).not.toContain(`"Id":${stored?.Id},`);
		}
	});

	const [one, another] = [0, 1].map((index) => () => records.rows('Contact')[index].Id);
	const findAddress = (contact: number) => records.children('ContactInfo', 'ActorId', contact)[0];
	const employees = () => records.rows('LinkUserAndTeam').map(({ UserId }) => Number(UserId));
	const link = (user: number) => records.find('LinkUserAndTeam', { UserId: user });
	const orders = () => records.rows('WorkOrder').map(({ Id }) => Id);
	const cost = () => records.rows('FinancialItem')[0];
	const groups = () => records.ids('BillingAccount');
	const foreign: Array<[entity: string, list: string, id: () => number, take: () => IDataObject]> =
		[
			[
				...(['Contact', 'ContactAddresses', another] as const),
				() => ({ Id: findAddress(one()).Id, Address: 'e@x.org' }),
			],
			[
				...(['Contact', 'ContactAddresses', another] as const),
				() => ({ Id: findAddress(one()).Id, PerformDeletion: true }),
			],
			[
				...(['Contact', 'ContactAddresses', another] as const),
				() => ({ ActorId: one(), AddrTypeId: 'AltEmail', Address: 'e@x.org' }),
			],
			[
				...(['Employee', 'Teams', () => employees()[1]] as const),
				() => ({ Id: link(employees()[0]).Id, UserId: employees()[0], TeamId: 1 }),
			],
			[
				...(['WorkOrder', 'Items', () => orders()[1]] as const),
				() => ({
					Id: records.children('WoItem', 'WorkOrderId', orders()[0])[0].Id,
					Comment: 'changed',
				}),
			],
			...['Items', 'Notes', 'Flags'].map((list): (typeof foreign)[number] => [
				...(['WorkOrder', list, () => orders()[1]] as const),
				() => ({ [list === 'Flags' ? 'WoId' : 'WorkOrderId']: orders()[0], Comment: 'moved' }),
			]),
			[
				...(['WorkOrderCost', 'Items', () => Number(cost().WoId)] as const),
				() => ({ Id: cost().Id, WoId: orders().at(-1) ?? 0 }),
			],
			[
				...(['WorkOrderCost', 'Items', () => Number(cost().WoId)] as const),
				() => ({ WoId: orders().at(-1) ?? 0, Comment: 'moved' }),
			],
			[
				...(['BillingAccount', 'Customers', () => groups()[0]] as const),
				() => ({ CustomerId: records.ids('Customer')[0], CustomerGroupId: groups()[1] }),
			],
		];

	it.each(foreign)(
		'is refused if it is of another record: %s, %s',
		async (entity, list, id, take) => {
			const members = { [list]: [take()] };
			await refuse(
				['record:update', { entity: byName(entity), id: byId(id()), fieldsJson: members }],
				/another record/,
			);
			await refuse(update(entity, id(), members), /another record/);
		},
	);

	it('is refused if it is of another record and given by its kind', async () => {
		const { Id, AddrTypeId } = findAddress(one());
		const members = { ContactAddresses: { [String(AddrTypeId)]: { Id, Address: 'e@x.org' } } };
		await refuse(
			['contact:update', { id: byId(another()), fieldsJson: members }],
			/another record/,
		);
		await refuse(update('Contact', another(), members as never), /another record/);
	});

	it('is given once, and keeps its kind where another row has the new one', async () => {
		const contact = one();
		const all = records.children('ContactInfo', 'ActorId', contact);
		const address = (fieldsJson: IDataObject): [string, object] => [
			'contact:update',
			{ id: byId(contact), fieldsJson },
		];
		const twice = [1, 2].map((at) => ({ Id: all[0].Id, Address: `${at}@x.org` }));
		await refuse(address({ ContactAddresses: twice }), /is given more than once/);
		const [{ Id: row, AddrTypeId }] = all;
		const both = [
			{ Id: row, Address: '1@x.org' },
			{ AddrTypeId, Address: '2@x.org' },
		] as IDataObject[];
		await refuse(address({ ContactAddresses: both }), /is given more than once/);
		await refuse(update('Contact', contact, { ContactAddresses: both }), /more than once/);
		const taken = { Id: all[1].Id, AddrTypeId: all[0].AddrTypeId, Address: 'x@x.org' };
		await refuse(address({ ContactAddresses: [taken] as never }), /in Corrigo, not/);
	});

	it('without a value changes nothing', async () => {
		const { Id: row, AddrTypeId } = findAddress(one());
		const { Number: number } = records.get('Contact', one());
		const before = { ...records.get('ContactInfo', row) };
		for (const Address of ['', ' ', '\n', null]) {
			for (const empty of [
				{ Id: row, Address },
				{ AddrTypeId: 'Fax', Address, IsAlert: true },
			]) {
				const fieldsJson = { Number: number, ContactAddresses: [empty] } as IDataObject;
				const run = await n8n.succeed('contact:upsert', { matchOn: 'Number', fieldsJson });
				expect(jsonOf(run.items)).toEqual([some({ Outcome: 'unchanged' })]);
			}
			const ContactAddresses = { [String(AddrTypeId)]: { Address, IsAlert: true } };
			const form = { id: byId(one()), fieldsJson: { ContactAddresses } } as never;
			records.change('ContactInfo', row, { IsAlert: false });
			await n8n.succeed('contact:update', form);
			expect(records.get('ContactInfo', row)).toMatchObject({
				Address: before.Address,
				IsAlert: true,
			});
			const json = { LastName: 'New', ContactAddresses };
			const created = await n8n.succeed('contact:create', { fieldsJson: json } as never);
			const Id = Number(created.items[0].json.Id);
			expect(records.children('ContactInfo', 'ActorId', Id)).toEqual([]);
		}
	});

	it('may get another kind alone', async () => {
		const free = { Id: findAddress(one()).Id, AddrTypeId: 'Pager' };
		const form = { id: byId(one()), fieldsJson: { ContactAddresses: [free] } };
		await n8n.succeed('contact:update', form as never);
		expect(requests.bodies()[0].Entity.ContactAddresses).toEqual([free]);
	});

	it('goes with a new record without its Id', async () => {
		const [address] = records.children('ContactInfo', 'ActorId', one());
		const Entity = {
			...{ EntityType: 'Contact', Id: one(), LastName: 'Copy' },
			ContactAddresses: [{ ...address, Address: 'copy@x.org' }],
		};
		const form = { commandName: byName('CreateCommand'), commandBody: { Entity } };
		await n8n.succeed('command:execute', form as never);
		expect(requests.commands()[0].Entity).toMatchObject({
			ContactAddresses: [{ AddrTypeId: address.AddrTypeId, Address: 'copy@x.org' }],
		});
		expect(records.get('ContactInfo', address.Id)).toEqual(address);
	});
});

describe('a custom field or an attribute as a record of its own', () => {
	const OWN: Record<
		'AssetAttribute' | 'CustomField2',
		{ define: (name: string) => number; owner: () => IDataObject; wrong: typeof WRONG.WorkOrder }
	> = {
		AssetAttribute: {
			define: attribute,
			owner: () => ({ AssetId: asset() }),
			wrong: WRONG.Location as never,
		},
		CustomField2: {
			define: field,
			owner: () => ({ ObjectId: firstOrder().Id, ObjectTypeId: 'WO' }),
			wrong: WRONG.WorkOrder,
		},
	};
	type Own = keyof typeof OWN;

	/** The values that the record of the tests has, of this definition, after another one was added. */
	const listStored = (entity: Own, name: string) => {
		const { define, owner } = OWN[entity];
		const [[by, id]] = Object.entries(owner());
		return records
			.children(entity, by, Number(id))
			.filter(({ Descriptor }) => getId(Descriptor) === define(name));
	};
	const store = (entity: Own, name: string, Value: string) => {
		for (const { Id } of listStored(entity, name)) records.change(entity, Id, { Value });
		const { define, owner } = OWN[entity];
		return listStored(entity, name).length > 0
			? listStored(entity, name)[0].Id
			: records.insert(entity, { ...owner(), Descriptor: { Id: define(name) }, Value }).Id;
	};
	const removeStored = (entity: Own, name: string) => {
		for (const { Id } of listStored(entity, name)) company.sandbox.store.remove(entity, Id);
	};
	const schema = ['Value', 'Descriptor.Id', 'AssetId', 'ObjectId', 'ObjectTypeId'].map((id) => ({
		...{ id, displayName: id, type: 'string' },
	}));
	type OwnWay = (entity: string, members: IDataObject, id: number) => [string, object, object?];
	const flatten = ({ Descriptor, ...members }: IDataObject): IDataObject => ({
		...members,
		...(Descriptor === undefined ? {} : { 'Descriptor.Id': getId(Descriptor) }),
	});
	const UPDATES: Record<string, OwnWay> = {
		JSON: (entity, fieldsJson, id) => [
			'record:update',
			{ entity: byName(entity), id: byId(id), fieldsJson },
		],
		columns: (entity, members, id) => [
			'record:update',
			{ entity: byName(entity), id: byId(id), fields: filledIn(flatten(members), schema) },
		],
		'Map Automatically': (entity, members, id) => [
			'record:update',
			{ entity: byName(entity), id: byId(id), ...mappedByName([], schema) },
			members,
		],
		UpdateCommand: (entity, members, id) => [
			'command:execute',
			{
				commandName: byName('UpdateCommand'),
				commandBody: {
					Entity: { EntityType: entity, Id: id, ...members },
					PropertySet: { Properties: ['Value'] },
				},
			},
		],
	};
	const CREATES: Record<string, OwnWay> = {
		JSON: (entity, fieldsJson) => ['record:create', { entity: byName(entity), fieldsJson }],
		columns: (entity, members) => [
			'record:create',
			{ entity: byName(entity), fields: filledIn(flatten(members), schema) },
		],
		'Map Automatically': (entity, members) => [
			'record:create',
			{ entity: byName(entity), ...mappedByName([], schema) },
			members,
		],
		CreateCommand: (entity, members) => [
			'command:execute',
			{
				commandName: byName('CreateCommand'),
				commandBody: { Entity: { EntityType: entity, ...members } },
			},
		],
		'Create or Update': (entity, fieldsJson) => [
			'record:upsert',
			{ entity: byName(entity), fieldsJson, matchOn: 'Value, Descriptor' },
		],
	};
	const attempt = async (way: [string, object, object?]) => {
		const [operation, form, json = {}] = way;
		const run = await n8n.run(operation, form, { items: [{ json: json as IDataObject }] });
		const { message } = run.error ?? {};
		return message ?? JSON.stringify(requests.bodies().at(-1));
	};
	const refuseEach = async (
		ways: Record<string, OwnWay>,
		[entity, members, id = 0]: [Own, IDataObject, number?],
		message: RegExp,
	) => {
		for (const [name, way] of Object.entries(ways)) {
			const seen = await attempt(way(entity, members, id));
			expect([name, members, seen]).toEqual([name, members, expect.stringMatching(message)]);
		}
		expect(requests.writes()).toEqual([]);
	};

	it.each(Object.keys(OWN) as Own[])('is judged by its definition: %s', async (entity) => {
		const { define, owner, wrong } = OWN[entity];
		const toNew = (name: string, Value: unknown) =>
			({ ...owner(), Descriptor: { Id: define(name) }, Value }) as IDataObject;
		for (const [name, value, message] of wrong) {
			await refuseEach(UPDATES, [entity, { Value: value }, store(entity, name, 'A')], message);
			removeStored(entity, name);
			await refuseEach(CREATES, [entity, toNew(name, value)], message);
		}
		const gone = { AssetAttribute: 'Old Tag', CustomField2: 'Old Code' }[entity];
		await refuseEach(UPDATES, [entity, { Value: 'x' }, store(entity, gone, 'T')], /was removed/);
		removeStored(entity, gone);
		await refuseEach(CREATES, [entity, toNew(gone, 'x')], /was removed/);
		const floor = store(entity, 'Floor', '7');
		const { JSON: json, columns, CreateCommand } = CREATES;
		const ways = { json, columns, CreateCommand };
		await refuseEach(ways, [entity, toNew('Floor', '8')], /has it already/);
		await refuseEach(CREATES, [entity, { ...owner(), Value: '8' }], /Descriptor|no value/);
		const [[by, of]] = Object.entries(owner());
		for (const more of [{ Descriptor: { Id: define('Load') } }, { [by]: Number(of) + 1 }]) {
			await refuseEach(UPDATES, [entity, { Value: '8', ...more }, floor], /but the .* has/);
		}
		await refuseEach(UPDATES, [entity, { Value: '' }, floor], /is empty|no field/);
		for (const way of Object.values(UPDATES)) {
			expect(await attempt(way(entity, { Value: 8 }, floor))).toContain('"Value":"8"');
		}
		for (const way of Object.values(CREATES)) {
			removeStored(entity, 'Floor');
			expect(await attempt(way(entity, toNew('Floor', 9), 0))).toContain('"Value":"9"');
			expect(listStored(entity, 'Floor')).toHaveLength(1);
		}
	});

	it('keeps a history, and belongs to an asset whose model has it', async () => {
		const toNew = (name: string, members: IDataObject = {}) => ({
			...{ AssetId: asset(), Descriptor: { Id: attribute(name) }, Value: '7:30', ...members },
		});
		const [run] = listStored('AssetAttribute', 'Run Hours');
		await refuseEach(UPDATES, ['AssetAttribute', { Value: '9' }, run.Id], /keeps a history/);
		const hours = toNew('Run Hours', { Value: '9' });
		await refuseEach(CREATES, ['AssetAttribute', hours], /keeps a history/);
		const { JSON: json, CreateCommand } = CREATES;
		const ways = { json, CreateCommand };
		await refuseEach(ways, ['AssetAttribute', toNew('Quiet From')], /of this model do not have/);
		const floor = toNew('Floor', { Value: '9', AssetId: 99_999 });
		await refuseEach(ways, ['AssetAttribute', floor], /no asset with this ID/);
		await refuse(update('Location', asset(), { Attributes: { 'Quiet From': '7:30' } }), /model do/);
	});

	it.each(Object.keys(OWN) as Own[])('is created by one item of several: %s', async (entity) => {
		removeStored(entity, 'Floor');
		const { define, owner } = OWN[entity];
		const members = { ...owner(), Descriptor: { Id: define('Floor') } };
		const form = { entity: byName(entity), fieldsJson: '={{ $json.x }}' };
		const items = itemsOf(...[8, 9].map((Value) => ({ ...members, Value })));
		const onError = 'continueErrorOutput';
		const run = await n8n.run('record:create', form, { items, onError });
		expect(errorsOf(run)).toEqual([expect.stringContaining('second value: item 1 creates')]);
		expect(listStored(entity, 'Floor')).toHaveLength(1);
	});

	it.each(Object.keys(OWN) as Own[])('is created by one command of several: %s', async (entity) => {
		removeStored(entity, 'Floor');
		const { define, owner } = OWN[entity];
		const members = { EntityType: entity, ...owner(), Descriptor: { Id: define('Floor') } };
		const commands = [8, 9].map((Value) => ({ Entity: { ...members, Value } }));
		const execute = async (name: string, ...bodies: object[]) =>
			await n8n.run(
				'command:execute',
				{ commandName: byName(name), commandBody: '={{ $json.x }}' },
				{ items: itemsOf(...bodies) },
			);
		const Commands = commands.map((one) => ({ $type: 'CreateCommand', ...one }));
		for (const run of [
			await execute('CreateCommand', ...commands),
			await execute('CompositeCommand', { Commands }),
		]) {
			expect(run.error?.message).toContain('is a second value');
		}
		expect(requests.writes()).toEqual([]);
		expect((await execute('CreateCommand', commands[0])).error).toBeUndefined();
		expect(listStored(entity, 'Floor')).toHaveLength(1);
	});

	it.each(Object.keys(OWN) as Own[])(
		'is not created next to a command that writes the record: %s',
		async (entity) => {
			removeStored(entity, 'Floor');
			const { define, owner } = OWN[entity];
			const Descriptor = { Id: define('Floor') };
			const [[, Id]] = Object.entries(owner());
			const [EntityType, list] = {
				AssetAttribute: ['Location', 'Attributes'],
				CustomField2: ['WorkOrder', 'CustomFields'],
			}[entity];
			const Properties = [`${list}.*`];
			const update = { Entity: { EntityType, Id, [list]: [{ Descriptor, Value: 8 }] } };
			const commands = [
				{ $type: 'UpdateCommand', ...update, PropertySet: { Properties } },
				{
					$type: 'CreateCommand',
					Entity: { EntityType: entity, ...owner(), Descriptor, Value: 9 },
				},
			];
			for (const some of [commands, [...commands].reverse()]) {
				const items = some.map(({ $type: name, ...x }) => ({ json: { name, x } }));
				const form = { commandName: byName('={{ $json.name }}'), commandBody: '={{ $json.x }}' };
				const composite = { json: { name: 'CompositeCommand', x: { Commands: some } } };
				for (const given of [items, [composite]]) {
					const run = await n8n.run('command:execute', form, { items: given });
					expect(run.error?.message).toContain('is a second value');
				}
			}
			expect(requests.writes()).toEqual([]);
		},
	);

	it.each(Object.keys(OWN) as Own[])(
		'is compared as an item before wrote it: %s',
		async (entity) => {
			const cost = { AssetAttribute: 'Replacement Cost', CustomField2: 'Approved Budget' }[entity];
			const amount = store(entity, cost, '1');
			records.change(entity, amount, { CurrencyTypeId: 'USD' });
			const load = store(entity, 'Load', 'Bronze');
			const amounts = [{ Value: 5, CurrencyTypeId: 'EUR' }, { Value: 6 }];
			const texts = [{ Value: 'A' }, { Value: 'Bronze' }];
			for (const [id, values, left, message] of [
				[amount, amounts, { Value: '6', CurrencyTypeId: 'EUR' }, undefined],
				[load, texts, { Value: 'A' }, 'must be one of'],
			] as const) {
				const items = itemsOf(...values);
				const form = { entity: byName(entity), id: byId(id), fieldsJson: '={{ $json.x }}' };
				const options = { parallelRequests: 4 };
				const onError = 'continueErrorOutput';
				const run = await n8n.run('record:update', { ...form, options }, { items, onError });
				const errors = message === undefined ? [] : [expect.stringContaining(message)];
				expect(errorsOf(run)).toEqual(errors);
				expect(records.get(entity, id)).toMatchObject(left);
				records.change(entity, id, { Value: id === load ? 'Bronze' : '1', CurrencyTypeId: 'USD' });
				const commands = values.map((one) => ({
					Entity: { EntityType: entity, Id: id, ...one },
					PropertySet: { Properties: ['*'] },
				}));
				const execute = { commandName: byName('UpdateCommand'), commandBody: '={{ $json.x }}' };
				const twice = await n8n.run('command:execute', execute, { items: itemsOf(...commands) });
				expect(twice.error?.message).toMatch(/which another command of this run writes as well/);
			}
		},
	);

	it('is written back as it was read', async () => {
		for (const [entity, name] of [
			['AssetAttribute', 'Run Hours'],
			['AssetAttribute', 'Old Tag'],
			['CustomField2', 'Floor'],
		] as const) {
			const id = store(entity, name, '7.0');
			const properties = '*, Descriptor.*';
			const read = await n8n.succeed('record:get', {
				entity: byName(entity),
				id: byId(id),
				properties,
			});
			const [fieldsJson] = jsonOf(read.items);
			await n8n.succeed('record:update', { entity: byName(entity), id: byId(id), fieldsJson });
			expect(records.get(entity, id)).toMatchObject({ Value: '7.0' });
		}
	});

	it('has a text that is no longer allowed, which Create or Update leaves as it is', async () => {
		const id = store('CustomField2', 'Load', 'Bronze');
		const row = { ...OWN.CustomField2.owner(), Descriptor: { Id: field('Load') } };
		const matchOn = 'ObjectId,ObjectTypeId,Descriptor';
		const write = async (Value: string) =>
			await n8n.run('record:upsert', {
				...{ entity: byName('CustomField2'), matchOn, fieldsJson: { ...row, Value } },
			});
		expect(jsonOf((await write('Bronze')).items)).toEqual([some({ Outcome: 'unchanged', Id: id })]);
		expect((await write('Silver')).error?.message).toContain('must be one of');
	});

	it('has an amount that keeps its currency, and compares by its type', async () => {
		const id = store('AssetAttribute', 'Replacement Cost', '12.50');
		records.change('AssetAttribute', id, { CurrencyTypeId: 'EUR' });
		await n8n.succeed('record:update', {
			...{ entity: byName('AssetAttribute'), id: byId(id), fieldsJson: { Value: 13 } },
		});
		expect(records.get('AssetAttribute', id)).toMatchObject({ Value: '13', CurrencyTypeId: 'EUR' });
		const fieldsJson = { AssetId: asset(), Value: '13.00' };
		const Descriptor = { Id: attribute('Replacement Cost') };
		const upsert = async (Value: string) => {
			const run = await n8n.succeed('record:upsert', {
				...{ entity: byName('AssetAttribute'), matchOn: 'AssetId, Descriptor' },
				fieldsJson: { ...fieldsJson, Descriptor, Value },
			});
			return run.items[0].json.Outcome;
		};
		expect([await upsert('13.00'), await upsert('14')]).toEqual(['unchanged', 'updated']);
		expect(records.get('AssetAttribute', id)).toMatchObject({ Value: '14', CurrencyTypeId: 'EUR' });
	});
});

it.each<[string, unknown]>([
	['a record', [{ Id: 2, DisplayAs: 'Night Shift' }]],
	['a record alone', { Id: 2 }],
	['a record next to an ID', [2, { Id: 2 }]],
	['a link', [{ TeamId: 2 }]],
	['a link alone', { TeamId: 2 }],
	['its name', () => records.get('Team', 2).DisplayAs],
])('a team is linked by %s, in every way in', async (_, given) => {
	const user = employeeWithout(2);
	const Teams = (typeof given === 'function' ? (given as () => unknown)() : given) as never;
	const schema = [{ id: 'Teams', displayName: 'Teams', type: 'string' }];
	const key = { matchOn: 'Username', options: { updateOnly: 'error' } };
	const { Username } = records.get('Employee', user);
	const ways: Array<[string, object, object?]> = [
		['employee:update', { id: byId(user), fieldsJson: { Teams } }],
		['employee:update', { id: byId(user), ...mappedByName([], schema) }, { Teams }],
		['employee:upsert', { ...key, fieldsJson: { Username, Teams } }],
		[...update('Employee', user, { Teams })],
	];
	for (const [operation, form, json = {}] of ways) {
		const { options = {}, ...more } = form as { options?: object };
		const dry = { ...more, options: { ...options, dryRun: 'always' } };
		const run = await n8n.succeed(operation, dry, { items: [{ json: json as IDataObject }] });
		expect([operation, JSON.stringify(run.items[0].json.WouldSend)]).toEqual([
			operation,
			expect.stringContaining('"Teams":[{"TeamId":2}]'),
		]);
	}
});

describe('a part that a record has once', () => {
	const parts: Array<
		[entity: string, part: string, type: string, owner: string, content: IDataObject]
	> = [
		['Location', 'Info', 'AssetInfo', 'AssetId', { TagId: 'ZZ' }],
		['Location', 'Address', 'Address2', 'ActorId', { Street: 'x' }],
		['WorkOrder', 'Address', 'Address2', 'ActorId', { Street: 'x' }],
		['WorkOrder', 'ContactAddress', 'ContactInfo', 'ActorId', { Address: 'x@x.org' }],
		['WorkOrder', 'Quote', 'WoQuote', 'WoId', { StatusId: 'Approved' }],
		['WorkOrder', 'Estimate', 'WoEstimate', 'WorkOrderId', { StatusId: 'Approved' }],
		['WorkOrder', 'WorkOrderCost', 'WorkOrderCost', '', { JobCode: 'x' }],
	];

	/** Gives the part to a record, and returns the Ids of both. */
	function givePart(entity: string, part: string, type: string, owner: string, record: number) {
		const isShared = ['AssetInfo', 'WorkOrderCost'].includes(type);
		if (isShared && records.ids(type).includes(record)) return { record, id: record };
		const own = isShared ? { Id: record } : {};
		const { Id: id } = records.insert(type, { ...own, ...(owner && { [owner]: record }) });
		if (!isShared) records.change(entity, record, { [part]: { Id: id } });
		return { record, id };
	}

	it.each(parts)('is that of the record: %s.%s', async (entity, part, type, owner, content) => {
		const [one, another] = records
			.ids(entity === 'Location' ? 'AssetInfo' : entity, 2)
			.map((record) => givePart(entity, part, type, owner, record));
		const ways = (given: IDataObject, to: number): Array<[string, object]> => [
			['record:update', { entity: byName(entity), id: byId(to), fieldsJson: { [part]: given } }],
			update(entity, to, { [part]: given }),
		];
		// An update leaves out what an order has got from commands.
		const isLeftOut = isReadOnlyMember(entity, part);
		const foreign: IDataObject[] = [
			{ Id: one.id, ...content },
			...(owner === '' ? [] : [{ [owner]: one.record, ...content }]),
		];
		for (const given of foreign) {
			const [json, command] = ways(given, another.record);
			await refuse(json, isLeftOut && 'Id' in given ? /has nothing to change/ : /another record/);
			await refuse(command, /another record/);
		}
		const own = { Id: another.id, ...(owner && { [owner]: another.record }), ...content };
		for (const [operation, form] of ways(own as IDataObject, another.record).slice(+isLeftOut)) {
			const dry = { ...form, options: { dryRun: 'always' } };
			const run = await n8n.succeed(operation, dry);
			expect(JSON.stringify(run.items[0].json.WouldSend)).toContain(`"Id":${another.id}`);
		}
	});
});

describe('a record that was read, as a new one', () => {
	const read = { Id: 50001, ConcurrencyId: 7 };
	const asset = {
		Info: { Id: 10031, AssetId: 10031, TagId: 'ZZ' },
		Address: { Id: 3, ActorId: 10031, ActorTypeId: 'Asset', Street: 'x' },
	};
	const order = {
		ContactAddress: { Id: 149, ActorId: 50001, ActorTypeId: 'WO', Address: 'two@x' },
		Notes: [{ Id: 4, WorkOrderId: 50001, Body: 'a', NoteTypeId: 'Public' }],
		Estimate: { Id: 5, WorkOrderId: 50001, Items: [{ Id: 6, ParentId: 5, Description: 'b' }] },
	};
	const create = (Entity: object): object => ({
		commandName: byName('CreateCommand'),
		commandBody: { Entity },
	});
	const ways: Array<[string, () => [operation: string, form: object]]> = [
		['Create of an asset', () => ['asset:create', { fieldsJson: { ...PUMP, ...read, ...asset } }]],
		[
			'Create or Update of an asset',
			() => ['asset:upsert', { matchOn: 'Name', fieldsJson: { ...PUMP, ...read, ...asset } }],
		],
		[
			'CreateCommand',
			() => ['command:execute', create({ EntityType: 'Location', ...PUMP, ...read, ...asset })],
		],
		[
			'Other Fields of Create',
			() => [
				'workOrder:create',
				records.newOrder({ additionalFields: { otherProperties: { ...read, ...order } } }),
			],
		],
		[
			'Other Fields of Create or Update',
			() => [
				'workOrder:upsert',
				{
					...records.newOrder({ additionalFields: { otherProperties: { ...read, ...order } } }),
					externalNumber: 'X-2',
				},
			],
		],
		[
			'WoCreateCommand',
			() => [
				'command:execute',
				{
					commandName: byName('WoCreateCommand'),
					commandBody: { WorkOrder: { ...read, ...order }, ComputeSchedule: true },
				},
			],
		],
	];

	it.each(ways)('gets new Ids with all its parts: %s', async (_, way) => {
		const [operation, { options = {}, ...form }] = way() as [string, { options?: object }];
		const dry = { ...form, options: { ...options, dryRun: 'always' } };
		const run = await n8n.succeed(operation, dry);
		const sent = JSON.stringify(run.items[0].json.WouldSend);
		expect(sent).toMatch(/"TagId":"ZZ"|"Body":"a"/);
		expect(sent).not.toMatch(
			/"(Parent)?Id":(3|4|5|6|149|10031|50001)\b|"(Concurrency|Actor|AssetI|WorkOrderI)\w*":/,
		);
	});
});

describe('a row without an Id in a command', () => {
	const send = async (...of: Parameters<typeof update>) => {
		const [operation, form] = update(...of);
		expect((await n8n.run(operation, form)).error).toBeUndefined();
	};
	const listFloors = (order: number) =>
		records
			.children('CustomField2', 'ObjectId', order)
			.filter(({ Descriptor }) => getId(Descriptor) === field('Floor'))
			.map(({ Value }) => Value);

	it('replaces the row of its definition, and an empty text removes it', async () => {
		const { Id } = firstOrder();
		const floor = field('Floor');
		for (const CustomFields of [{ Floor: 9 }, { [floor]: 10 }, [row(floor, 11)]] as Given[]) {
			await send('WorkOrder', Id, { CustomFields });
			expect(listFloors(Id)).toHaveLength(1);
		}
		expect(listFloors(Id)).toEqual(['11']);
		await send('WorkOrder', Id, { CustomFields: { Floor: '' } });
		expect(listFloors(Id)).toEqual([]);
	});

	it('replaces the row of its kind, and links a record once', async () => {
		const contact = records.rows('Contact')[0].Id;
		const kinds = () => records.children('ContactInfo', 'ActorId', contact).length;
		const before = kinds();
		for (const ContactAddresses of [
			{ PrimEmail: 'k@x.org' },
			[{ AddrTypeId: 'PrimEmail', Address: 'l@x.org' }],
		] as Given[]) {
			await send('Contact', contact, { ContactAddresses });
		}
		expect(kinds()).toBe(before);
		const { UserId, TeamId } = records.rows('LinkUserAndTeam')[0];
		const links = records.rows('LinkUserAndTeam').length;
		await send('Employee', Number(UserId), { Teams: [TeamId] } as never);
		expect(records.rows('LinkUserAndTeam')).toHaveLength(links);
	});
});

it.each(['update', 'upsert'])(
	'%s judges attributes by the model that an item before has set',
	async (operation) => {
		const [own, other] = [records.get('Location', asset()).ModelId, records.insert('Model', {}).Id];
		const model = { ModelId: other, AttributeDescriptorId: attribute('Quiet From') };
		records.insert('LinkModelAndAttribute', model);
		records.change('Location', asset(), { Name: 'Own' });
		const form = { id: byId(asset()), matchOn: 'Name', fieldsJson: '={{ $json.x }}' };
		const attributes = { Name: 'Own', Attributes: { 'Quiet From': '7:30' } };
		const run = async (...values: object[]) =>
			await n8n.run(`asset:${operation}`, form, { items: itemsOf(...values) });
		const toModel = (ModelId: unknown) => ({ Name: 'Own', ModelId });
		expect((await run(toModel(other), attributes)).error).toBeUndefined();
		company.sandbox.store.remove(
			'AssetAttribute',
			Number(storedRow('AssetAttribute', asset(), attribute('Quiet From'))?.Id),
		);
		expect((await run(toModel(own), attributes)).error?.message).toMatch(/this model do not have/);
	},
);

it('commands that would add a row twice are refused', async () => {
	const { Id } = records.rows('Contact')[0];
	const bodies = [1, 2].map((fax) =>
		getBody(update('Contact', Id, { ContactAddresses: { Fax: fax } })),
	);
	const Commands = bodies.map((one) => ({ $type: 'UpdateCommand', ...one }));
	for (const [name, items] of [
		['UpdateCommand', bodies],
		['CompositeCommand', [{ Commands }]],
	] as const) {
		const form = { commandName: byName(name), commandBody: '={{ $json.x }}' };
		const { error } = await n8n.run('command:execute', form, { items: itemsOf(...items) });
		expect(error?.message).toMatch(/which another command of this run writes as well/);
	}
	expect(requests.writes()).toEqual([]);
});

it('commands that are refused leave the record to the next item', async () => {
	const [{ Id }, { Id: other }] = records.rows('Contact');
	const toCommand = (id: unknown, members: IDataObject) => ({
		$type: 'UpdateCommand',
		...getBody(update('Contact', Number(id), members)),
	});
	const written = toCommand(Id, { ContactAddresses: { Fax: '1' } });
	const refused = toCommand(other, { TypeId: 'No Type' });
	const form = {
		...{ commandName: byName('CompositeCommand'), commandBody: '={{ $json.x }}' },
		options: { dryRun: 'always' },
	};
	const items = itemsOf({ Commands: [written, refused] }, { Commands: [written] });
	const run = await n8n.run('command:execute', form, { items, onError: 'continueErrorOutput' });
	expect(errorsOf(run)).toEqual([expect.stringContaining('TypeId')]);
	expect(run.items).toHaveLength(1);
});

it('equal rows are sent as often as they are given, except links', async () => {
	const line = { Description: 'Valve', Quantity: 1, Amount: { Value: 10, CurrencyTypeId: 'USD' } };
	const note = { Body: 'a', NoteTypeId: 'Public' };
	const order = { WorkOrder: { Notes: [note, note] }, ComputeSchedule: true };
	const ways: Array<[string, object]> = [
		[
			'workOrder:update',
			{ id: byId(firstOrder().Id), fieldsJson: { Estimate: { Items: [line, line] } } },
		],
		update('WorkOrder', firstOrder().Id, { Estimate: { Items: [line, line] } } as never),
		['command:execute', { commandName: byName('WoCreateCommand'), commandBody: order }],
		[
			'workOrder:create',
			records.newOrder({ additionalFields: { otherProperties: { Notes: [note, note] } } }),
		],
	];
	for (const [operation, form] of ways) {
		const run = await n8n.succeed(operation, { ...form, options: { dryRun: 'always' } });
		const sent = JSON.stringify(run.items[0].json.WouldSend);
		expect([operation, sent.match(/"Body":"a"|"Description":"Valve"/g)?.length]).toEqual([
			operation,
			2,
		]);
	}
});

it.each<[string, (row: number) => unknown[], number[]]>([
	['removed by its Id', (Id) => [{ Id, TeamId: 1, PerformDeletion: true }], [2]],
	['removed by its team', () => [{ TeamId: 1, PerformDeletion: true }], [2]],
	['removed by its team next to another', () => [{ TeamId: 1, PerformDeletion: true }, 3], [2, 3]],
	[
		'removed by the name of its team',
		() => [{ DisplayAs: 'Day Shift', PerformDeletion: true }],
		[2],
	],
	['not another one', () => [{ Id: 1, DisplayAs: 'Day Shift', PerformDeletion: true }], [2]],
	['kept next to its team', (Id) => [{ Id, TeamId: 1 }, 1, 'Day Shift'], [1, 2]],
	['given another team once', (Id) => [{ Id, TeamId: 3 }, 3], [2, 3]],
	[
		'given another team in place of its own',
		(Id) => [
			{ TeamId: 1, PerformDeletion: true },
			{ Id, TeamId: 3 },
		],
		[2, 3],
	],
	['given another team next to its own', (Id) => [{ Id, TeamId: 3 }, 1], [1, 2, 3]],
	['given a team that another one has', (Id) => [{ Id, TeamId: 2 }], [2]],
	[
		'exchanged',
		(Id) => [
			{ Id, TeamId: 2 },
			{ Id: Id + 1, TeamId: 1 },
		],
		[1, 2],
	],
])('a link that a record has is %s, in every way in', async (_, give, teams) => {
	const user = employeeWithout(3);
	const key = { matchOn: 'Username', options: { updateOnly: 'error' } };
	const { Username } = records.get('Employee', user);
	records.change('Team', 1, { DisplayAs: 'Day Shift' });
	const find = () => records.rows('LinkUserAndTeam').filter(({ UserId }) => UserId === user);
	for (const way of ['update', 'upsert', 'command']) {
		for (const { Id } of find()) company.sandbox.store.remove('LinkUserAndTeam', Id);
		const [first] = [1, 2].map((TeamId) =>
			records.insert('LinkUserAndTeam', { UserId: user, TeamId }),
		);
		const Teams = give(first.Id) as never;
		if (way === 'command') {
			await n8n.succeed(...update('Employee', user, { Teams }));
		} else {
			const form = way === 'update' ? { id: byId(user) } : key;
			const fieldsJson = way === 'update' ? { Teams } : { Username, Teams };
			await n8n.succeed(`employee:${way}`, { ...form, fieldsJson });
		}
		expect([
			way,
			find()
				.map(({ TeamId }) => TeamId as number)
				.sort(),
		]).toEqual([way, teams]);
	}
});

it.each<[string, string, string, string, string, string, unknown[]]>([
	['Team', 'WorkZones', 'LinkTeamAndWorkZone', 'TeamId', 'WorkZoneId', 'IsDefault', [false, true]],
	['Role', 'Currencies', 'RoleMoneyValues', 'ParentId', 'CurrencyTypeId', 'NteLimit', [10, 20.5]],
])('a row of %s.%s keeps its Id, and is written once', async (...names) => {
	const [entity, list, row, owner, by, member, values] = names;
	const [{ Id, [owner]: id, [by]: known }] = records.rows(row);
	records.change(entity, Number(id), { DisplayAs: 'Own Record' });
	const write = (value: unknown) => ({ [list]: [{ [by]: known, [member]: value }] });
	const form = (value: unknown) => ({
		...{ entity, id: byId(Number(id)), matchOn: 'DisplayAs' },
		fieldsJson: { DisplayAs: 'Own Record', ...write(value) },
	});
	const ways: Array<(value: unknown) => [string, object]> = [
		(value) => ['record:update', form(value)],
		(value) => ['record:upsert', form(value)],
		(value) => update(entity, Number(id), write(value)),
	];
	for (const way of ways) {
		for (const value of values) {
			await n8n.succeed(...way(value));
			expect(records.children(row, owner, Number(id))).toEqual([
				some({ Id, [by]: known, [member]: value }),
			]);
		}
	}
});

it('two links to one team are refused', async () => {
	const Teams = [1, 2].map((Id) => ({ Id, TeamId: 2 }));
	const [{ UserId }] = records.rows('LinkUserAndTeam');
	await refuse(['employee:update', { id: byId(UserId), fieldsJson: { Teams } }], /more than once/);
	expect(requests.writes()).toEqual([]);
});

it.each([
	[[{ TeamId: 2 }, { TeamId: 2, PerformDeletion: true }]],
	[[{ TeamId: 2, PerformDeletion: 'true' }, 2]],
])('a link that is given and deleted is refused: %j', async (Teams) => {
	const [{ UserId }] = records.rows('LinkUserAndTeam');
	const members = { Teams } as never;
	const form = { id: byId(UserId), fieldsJson: members };
	await refuse(['employee:update', form], /more than once/);
	await refuse(update('Employee', Number(UserId), members), /more than once/);
	expect(requests.writes()).toEqual([]);
});

it.each(['CustomerGroups', 'Services', 'StockLocations', 'PriceLists'])(
	'an ID alone in %s is not taken for that of a link',
	async (list) => {
		const { fields } = getEntity('Employee') ?? {};
		const [{ Id, UserId, ProviderId = UserId }] = records.rows(
			String(fields?.[list]).replace('[]', ''),
		);
		for (const given of [[Id], [String(Id)]]) {
			const members = { FirstName: 'F', [list]: given } as never;
			const form = { id: byId(ProviderId), fieldsJson: members };
			await refuse(['employee:update', form], /must be a row with members of Link/);
			await refuse(update('Employee', Number(ProviderId), members), /must be a row/);
		}
		const members = { FirstName: 'F', DisplayAs: 'F', ActorTypeId: 'Employee', Role: { Id: 1 } };
		for (const [given, message] of [
			[[Id], /must be a row with members of Link/],
			[[{ Id }], /nothing but the Id/],
		] as const) {
			const fieldsJson = { ...members, [list]: given } as never;
			await refuse(['employee:create', { fieldsJson }], message);
		}
		expect(requests.writes()).toEqual([]);
	},
);

it('a link stays if it is given as it was read, even next to an equal one', async () => {
	const user = employeeWithout(2);
	const [Id] = [2, 2].map(
		(TeamId) => records.insert('LinkUserAndTeam', { UserId: user, TeamId }).Id,
	);
	const links = records.rows('LinkUserAndTeam');
	const members = { Teams: [{ Id, UserId: user, TeamId: 2 }] } as never;
	await n8n.succeed('employee:update', { id: byId(user), fieldsJson: members });
	await n8n.succeed(...update('Employee', user, members));
	expect(records.rows('LinkUserAndTeam')).toEqual(links);
});

it('a link that names its employee, but no team, is refused', async () => {
	const user = employeeWithout(2);
	const members = { Teams: [{ Id: 2, UserId: user }] } as IDataObject;
	const mapped = mappedByName([], [{ id: 'Teams', displayName: 'Teams', type: 'string' }]);
	await refuse(['employee:update', { id: byId(user), fieldsJson: members }], /without 'TeamId'/);
	await refuse(update('Employee', user, members), /without 'TeamId'/);
	const run = await n8n.run(
		'employee:update',
		{ id: byId(user), ...mapped },
		{ items: [{ json: members }] },
	);
	expect(run.error?.message).toMatch(/without 'TeamId'/);
	expect(requests.writes()).toEqual([]);
});

it.each([true, 'true'])('no field removes a link: %p', async (PerformDeletion) => {
	const user = employeeWithout(2);
	records.insert('LinkUserAndTeam', { UserId: user, TeamId: 2 });
	const json = { FirstName: 'F', Teams: [{ TeamId: 2, PerformDeletion }] };
	const form = { id: byId(user), ...mappedByName([]) };
	const run = await n8n.succeed('employee:update', form, { items: [{ json }] });
	expect(Object.keys(requests.bodies()[0].Entity as object)).not.toContain('Teams');
	expect(hintsOf(run)).toContainEqual(expect.stringContaining('no field takes these rows'));
});

describe('an UpdateCommand, also among several, gives and names the same', () => {
	const amount = { Value: 5, CurrencyTypeId: 'USD' };
	it.each<[IDataObject, string, string]>([
		[{ PoNumber: 'x', VendorNte: null }, 'PoNumber,VendorNte', 'PoNumber'],
		[{ PoNumber: 'x' }, 'PoNumber,VendorNte.*,Priority.Id', 'PoNumber'],
		[{ PoNumber: 'x', VendorNte: { Value: null, CurrencyTypeId: null } }, '*', 'PoNumber'],
		[{ PoNumber: 'x', Priority: null, DtDue: '' }, 'PoNumber,Priority,DtDue', 'PoNumber'],
		[{ PoNumber: '', VendorNte: amount }, 'ponumber,VendorNte.Value', 'PoNumber,VendorNte'],
		[{ PoNumber: 'x', VendorNte: amount }, 'VendorNte', 'VendorNte'],
		[{ PoNumber: 'x', Priority: 3 }, 'Priority.*', 'Priority.Id'],
		[{ PoNumber: 'x', PriorityId: 3 }, 'PriorityId', 'Priority.Id'],
		[{ PoNumber: 'x', CustomFields: { Floor: '7' } }, 'CustomFields', 'CustomFields.*'],
		[{ PoNumber: 'x', CustomFields: { Floor: '7' } }, '*', 'PoNumber,CustomFields.*'],
		[{ PoNumber: 'x', Url: 'u', Status: 'New', Number: 'N', Nope: 1 }, '*', 'PoNumber'],
		[{ PoNumber: 'x', Customer: { Id: 101, DisplayAs: 'A' } }, '*', 'PoNumber,Customer.Id'],
		[{ PoNumber: 'x' }, 'Nope', 'Nope'],
	])('%j, named by %s: %s', async (members, named, sent) => {
		const { Id } = firstOrder();
		const EntityType = 'WorkOrder';
		const PropertySet = { Properties: named.split(',') };
		const body = { Entity: { EntityType, Id, ...members }, PropertySet };
		const options = { dryRun: 'always' };
		for (const [name, commandBody] of Object.entries({
			UpdateCommand: body,
			CompositeCommand: { Commands: [{ $type: 'UpdateCommand', ...body }] },
		})) {
			const form = { commandName: byName(name), commandBody, options };
			const run = await n8n.succeed('command:execute', form);
			const command = JSON.stringify(run.items[0].json.WouldSend);
			expect(command).toContain(`"Properties":${JSON.stringify(sent.split(','))}`);
			const given = ['PoNumber', 'VendorNte', 'Priority', 'CustomFields', 'Url', 'Number'];
			for (const one of given) {
				const isSent = sent.split(',').some((path) => path.split('.')[0] === one);
				expect([one, command.includes(`"${one}":`)]).toEqual([one, isSent]);
			}
		}
	});

	it('a record that was read and deleted, named by *', async () => {
		const [Id] = records.ids('Contact');
		const Entity = { EntityType: 'Contact', Id, IsRemoved: true, LastName: 'x' };
		const commandBody = { Entity, PropertySet: { Properties: ['*'] } };
		await n8n.succeed('command:execute', { commandName: byName('UpdateCommand'), commandBody });
		expect(requests.commands()).toEqual([
			{
				Entity: { EntityType: 'Contact', Id, LastName: 'x' },
				PropertySet: { Properties: ['LastName'] },
			},
		]);
	});

	it.each<[IDataObject, string[]]>([
		[{ VendorNte: null }, ['VendorNte']],
		[{}, ['PoNumber']],
		[{ PoNumber: 'x' }, []],
	])('%j, named by %j, is refused', async (members, Properties) => {
		const body = { Entity: { EntityType: 'WorkOrder', Id: firstOrder().Id, ...members } };
		const commandBody = { ...body, PropertySet: { Properties } };
		await refuse(
			['command:execute', { commandName: byName('UpdateCommand'), commandBody }],
			/'Entity' has nothing to change/,
		);
	});
});
