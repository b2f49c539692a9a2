/**
 * A record that was read can be written back, and nothing changes: pasted as JSON, or mapped by name.
 * Held constant: one record of each entity, read just before; the version of the record is its own. Each
 * has texts that their definitions no longer allow; the names of other records are their own, except in one test.
 */
import type { IDataObject } from 'n8n-workflow';

import {
	carriesCustomFields,
	getEntity,
	getMemberTypes,
	isReference,
} from '../../../nodes/Corrigo/catalogue/entities';
import { isObject } from '../../../nodes/Corrigo/values/objects';
import {
	byId,
	byName,
	filledIn,
	getId,
	hintsOf,
	jsonOf,
	mappedByName,
	shareCompany,
} from '../../support/company';
import { UPDATABLE_ENTITIES } from '../../support/updatable';
import type { Row } from '../../../sandbox';

const { n8n, records, requests } = shareCompany({ workOrders: 12 });

const CUSTOM = ['CustomFields.*', 'CustomFields.Descriptor.Id', 'CustomFields.Descriptor.Name'];

/** Ways in which people read a record. */
const listReads = (entity: string): object[] => [
	{ output: 'simplified' },
	{ output: 'selected', properties: '*' },
	...(carriesCustomFields(entity)
		? [
				{ output: 'selected', properties: ['*', ...CUSTOM].join() },
				{
					output: 'selected',
					properties: ['*', ...CUSTOM].join(),
					options: { flattenCustomFields: true },
				},
			]
		: []),
	...(entity === 'Location'
		? [{ output: 'selected', properties: '*,Attributes.*,Attributes.Descriptor.Id' }]
		: []),
];

/** Records of which one has all custom fields or attributes that there are; some share their names. */
const listIds = (entity: string): number[] => {
	const asset = records.rows('AssetAttribute')[0];
	if (entity === 'Location') {
		records.insert('AttributeDescriptor', { Name: 'Criticality', Type: 'String' });
		return [fillIn('AssetAttribute', 'AttributeDescriptor', { AssetId: Number(asset.AssetId) })];
	}
	const ids = records.ids(entity);
	if (entity !== 'WorkOrder') return ids.slice(0, 1);
	fillIn('CustomField2', 'CustomFieldDescriptor', { ObjectId: ids[0], ObjectTypeId: 'WO' });
	return ids.slice(0, 3);
};

/** Adds a row for each definition without one, also for those that were removed. */
function fillIn(rows: string, definitions: string, owner: IDataObject): number {
	const [[by, id], [, ActorTypeId] = []] = Object.entries(owner);
	const held = records.children(rows, by, Number(id)).map(({ Descriptor }) => getId(Descriptor));
	const defined = records.rows(definitions).filter((one) => one.ActorTypeId === ActorTypeId);
	for (const { Id, Type } of defined.filter((one) => !held.includes(one.Id))) {
		const isNumber = ['Integer', 'Decimal', 'Money'].includes(String(Type));
		const Value = isNumber ? '7.0' : Type === 'Boolean' ? 'True' : `x${Id}`;
		records.insert(rows, { ...owner, Descriptor: { Id }, Value });
	}
	return Number(id);
}

/** Texts of a definition before it got another type, or fewer choices. */
const OLD_TEXTS = {
	Boolean: 'perhaps',
	Date: 'Invalid Date',
	Decimal: 'NaN',
	Integer: 'n/a',
	Money: 'open',
	String: 'Bronze',
	Time: 'noon',
};

function storeOldTexts(entity: string, id: number) {
	const [ObjectTypeId] = getEntity(entity)?.actorTypes ?? [];
	for (const [Type, Value] of Object.entries(OLD_TEXTS)) {
		const choice = (ParentId: number) => ({ ParentId, Idx: 1, Value: 'Gold' });
		if (ObjectTypeId !== undefined) {
			const Id = records.addField(ObjectTypeId, `Old ${Type} ${id}`, { Type });
			if (Type === 'String') records.insert('CustomFieldOption', choice(Id));
			const row = { Descriptor: { Id }, ObjectId: id, ObjectTypeId, Value };
			records.insert('CustomField2', { ...row, CurrencyTypeId: Type === 'Money' ? 'EUR' : null });
		}
		if (entity === 'Location') {
			const named = { Name: `Old ${Type}`, Type, IsHistory: false };
			const { Id } = records.insert('AttributeDescriptor', named);
			if (Type === 'String') records.insert('AttributeOption', choice(Id));
			for (const { Id: ModelId } of records.rows('Model')) {
				records.insert('LinkModelAndAttribute', { ModelId, AttributeDescriptorId: Id });
			}
			records.insert('AssetAttribute', { Descriptor: { Id }, AssetId: id, Value });
		}
	}
}

/** The fields that a form has with those of the Company; others make no difference here. */
async function loadColumns(entity: string) {
	if (getEntity(entity)?.actorTypes === undefined) return [];
	const parameters = { resource: 'record', operation: 'update', entity: byName(entity) };
	const context = { parameters, path: 'parameters.fields' };
	return (await n8n.engine.mappingColumns('getColumns', context)).fields;
}

const NOTHING = /has nothing to change|has no value for a field/;

it.each(UPDATABLE_ENTITIES)('%s', async (entity) => {
	for (const id of listIds(entity)) {
		storeOldTexts(entity, id);
		const columns = await loadColumns(entity);
		for (const read of listReads(entity)) {
			const form = { entity: byName(entity), id: byId(id) };
			const [json] = jsonOf((await n8n.succeed('record:get', { ...form, ...read })).items);
			const options = { dryRun: 'always' };
			const ways: Array<[object, IDataObject]> = [
				[{ fieldsJson: '={{ $json }}' }, json],
				[mappedByName([], columns), json],
			];
			for (const [way, item] of ways) {
				const run = await n8n.run(
					'record:update',
					{ ...form, ...way, options },
					{ items: [{ json: item }] },
				);
				if (run.error !== undefined) {
					expect([entity, id, read, run.error.message]).toEqual([
						...[entity, id, read],
						expect.stringMatching(NOTHING),
					]);
					continue;
				}
				const [dry] = jsonOf(run.items);
				expect([entity, id, read, dry.WouldChange]).toEqual([entity, id, read, {}]);
			}
		}
	}
});

it.each<[string, object]>([
	['pasted', { fieldsJson: '={{ $json }}' }],
	['mapped by name', mappedByName([])],
])(
	'the password of an employee, which answers show as an empty text, stays if it is %s',
	async (_, way) => {
		const form = { id: byId(records.ids('Employee')[0]) };
		const { items } = await n8n.succeed('employee:get', { ...form, properties: '*' });
		expect(items[0].json.Password).toBe('');
		items[0].json.JobTitle = 'Other';
		await n8n.succeed('employee:update', { ...form, ...way }, { items });
		const [{ Entity }] = requests.bodies();
		expect(Entity).toMatchObject({ JobTitle: 'Other' });
		expect(Entity).not.toHaveProperty('Password');
	},
);

it.each<[string, object]>([
	['pasted', { fieldsJson: '={{ $json }}' }],
	['mapped by name', mappedByName([])],
])('an order can be %s that was read before its last action', async (_, way) => {
	const form = { id: byId(records.orderIn('New').Id) };
	const { items } = await n8n.succeed('workOrder:get', { ...form, output: 'raw' });
	await n8n.succeed('workOrder:pickUp', form);
	items[0].json.PoNumber = 'P-1';
	await n8n.succeed('workOrder:update', { ...form, ...way }, { items });
	const [, { Entity }] = requests.bodies();
	expect(Entity).toMatchObject({ PoNumber: 'P-1' });
	expect(Object.keys(Entity).filter((name) => name.endsWith('Utc'))).toEqual([]);
});

/** Each record that another one refers to was removed, and a new one has its name. */
function addNamesakes(owner: string, row: Row) {
	for (const [name, type] of Object.entries(getMemberTypes(owner))) {
		if (!isReference(type) || !isObject(row[name])) continue;
		const referred = getId(row[name]);
		const other = records.rows(type).find(({ Id }) => Id === referred);
		if (other === undefined) continue;
		records.insert(type, { ...other, Id: undefined });
		records.change(type, other.Id, { IsRemoved: true });
	}
}

it.each(UPDATABLE_ENTITIES)('%s whose references have namesakes', async (entity) => {
	const [id] = records.ids(entity);
	const form = { entity: byName(entity), id: byId(id) };
	addNamesakes(entity, records.get(entity, id));
	if (entity === 'ReplenishmentOrder') {
		const [line] = records.children('ReplenishmentOrderItem', 'ReplenishmentOrderId', id);
		addNamesakes('ReplenishmentOrderItem', line);
	}
	const { items } = await n8n.succeed('record:get', { ...form, output: 'simplified' });
	for (const way of [{ fieldsJson: '={{ $json }}' }, mappedByName([])]) {
		const dryRun = { ...form, ...way, options: { dryRun: 'always' } };
		const run = await n8n.run('record:update', dryRun, { items });
		const found = run.error?.message ?? jsonOf(run.items)[0].WouldChange;
		if (typeof found === 'string') expect(found).toMatch(NOTHING);
		else expect(found).toEqual({});
	}
});

it.each(['contact:update', 'contact:upsert'])(
	'a text that a definition does not allow, and the record does not have, is refused by %s before anything is sent',
	async (operation) => {
		const [one, other] = records.rows('Contact').map(({ Id }) => Id);
		storeOldTexts('Contact', other);
		for (const [id, Number] of [
			[one, 'N-1'],
			[other, 'N-2'],
		] as const) {
			records.change('Contact', id, { Number });
		}
		const name = `Old String ${other}`;
		const write = async (texts: string[]) =>
			await n8n.run(
				operation,
				{
					...{ id: byId('={{ $json.id }}'), matchOn: 'Number' },
					fieldsJson: '={{ $json.members }}',
				},
				{
					items: texts.map((text, index) => ({
						json: {
							id: [other, one][index],
							members: { Number: ['N-2', 'N-1'][index], CustomFields: { [name]: text } },
						},
					})),
				},
			);
		expect((await write(['Gold', 'Bronze'])).error?.message).toContain('must be one of "Gold"');
		expect((await write(['bronze'])).error?.message).toContain('must be one of "Gold"');
		expect(requests.writes()).toEqual([]);
		expect((await write(['Bronze'])).error).toBeUndefined();
		expect(JSON.stringify(requests.bodies())).not.toContain('Bronze');
	},
);

it('an update that leaves nothing to send says so', async () => {
	const [{ Id }] = records.rows('Contact');
	storeOldTexts('Contact', Id);
	const CustomFields = { [`Old String ${Id}`]: 'Bronze' };
	const run = await n8n.succeed('contact:update', { id: byId(Id), fieldsJson: { CustomFields } });
	expect(hintsOf(run)).toEqual([
		expect.stringMatching(`^Nothing was sent, as the record would stay as it is: .*\\b${Id}\\b`),
	]);
	const order = { id: byId(records.ids('WorkOrder')[0]), fieldsJson: { Items: [] } };
	expect((await n8n.run('workOrder:update', order)).error?.description).toMatch(
		/^Set at least one/,
	);
	expect(requests.writes()).toEqual([]);
});

it('an asset with a meter and a removed attribute says what is left out, and why', async () => {
	const asset = byId(records.rows('AssetAttribute')[0].AssetId);
	const [json] = jsonOf(
		(await n8n.succeed('asset:get', { id: asset, output: 'simplified' })).items,
	);
	expect(Object.keys(json.Attributes as object)).toEqual(
		expect.arrayContaining(['Run Hours', 'Old Tag']),
	);
	const run = await n8n.succeed(
		'asset:update',
		{ id: asset, fieldsJson: '={{ $json }}' },
		{ items: [{ json }] },
	);
	expect(hintsOf(run)).toEqual(
		expect.arrayContaining([
			`Left out, as an attribute with a history takes values from 'Add Reading' alone: "Fields (JSON) > Attributes > Run Hours"`,
			'Left out, as its definition was removed: "Fields (JSON) > Attributes > Old Tag"',
		]),
	);
	expect(requests.writes()).toHaveLength(1);
	const again = jsonOf((await n8n.succeed('asset:get', { id: asset, output: 'simplified' })).items);
	expect(again).toEqual([json]);
});

it('an asset without a parent and an amount without a currency are sent without them', async () => {
	const asset = records.rows('Location').find(({ ParentId }) => ParentId === undefined);
	const order = records.ids('WorkOrder')[0];
	const ways: Array<[operation: string, id: number, item: IDataObject, sent: IDataObject]> = [
		['asset:update', Number(asset?.Id), { Name: 'Pump', ParentId: 0 }, { Name: 'Pump' }],
		...[
			{ Value: 0, CurrencyTypeId: 'Unknown' },
			{ Value: null, CurrencyTypeId: 'USD' },
		].map((VendorNte): [string, number, IDataObject, IDataObject] => [
			...(['workOrder:update', order] as const),
			{ PoNumber: 'P', VendorNte },
			{ PoNumber: 'P' },
		]),
	];
	for (const [operation, id, json, sent] of ways) {
		for (const way of [{ fieldsJson: '={{ $json }}' }, mappedByName([])]) {
			await n8n.succeed(operation, { id: byId(id), ...way }, { items: [{ json }] });
			expect(requests.bodies().at(-1)?.Entity).toEqual({ Id: id, ...sent });
		}
	}
});

it('custom fields are written by their names, also of records that do not carry them', async () => {
	for (const [entity, type] of [
		['WorkOrder', 'WO'],
		['Space', 'CommLeaseSpace'],
	]) {
		const descriptor = records.addField(type, 'Shelf', { Type: 'Decimal' });
		const id = records.ids(entity)[0];
		const form = { entity: byName(entity), id: byId(id) };
		const fieldsJson = { CustomFields: { shelf: '12.50' } };
		await n8n.succeed('record:update', { ...form, fieldsJson });
		const rows = records
			.children('CustomField2', 'ObjectId', id)
			.filter(({ Descriptor }) => (Descriptor as { Id: number }).Id === descriptor);
		expect(rows).toMatchObject([{ Value: '12.5', ObjectTypeId: type }]);
	}
});

/** Corrigo may have several values of one definition, of which the newest counts. */
describe.each([
	['WorkOrder', 'CustomFields'],
	['Contact', 'CustomFields'],
	['Location', 'Attributes'],
])('two values of one definition: %s, %s', (entity, list) => {
	const type = list === 'Attributes' ? 'AssetAttribute' : 'CustomField2';

	function storeTwo() {
		const id = listIds(entity)[0];
		const [ObjectTypeId = ''] = getEntity(entity)?.actorTypes ?? [];
		const definition =
			list === 'Attributes'
				? records.insert('AttributeDescriptor', { Name: 'Twice', Type: 'String', IsHistory: false })
						.Id
				: records.addField(ObjectTypeId, 'Twice');
		const owner = list === 'Attributes' ? { AssetId: id } : { ObjectId: id, ObjectTypeId };
		const [old, newest] = ['old', 'new'].map((Value) =>
			records.insert(type, { ...owner, Descriptor: { Id: definition }, Value }),
		);
		const readAll = () => [old, newest].map((row) => records.get(type, row.Id).Value);
		return { id, old: old.Id, newest: newest.Id, readAll };
	}

	const write = (id: number, value: unknown, options = {}): Array<[string, object]> => {
		const members = { [list]: value };
		const entityField = { entity: byName(entity) };
		const key = KEYS[entity];
		records.change(entity, id, { [key]: 'K-1' });
		return [
			['record:update', { ...entityField, id: byId(id), fieldsJson: members, options }],
			[
				'record:upsert',
				{
					...{ ...entityField, matchOn: key, options: { ...options, updateOnly: 'error' } },
					fieldsJson: { [key]: 'K-1', ...members },
				},
			],
			[
				'command:execute',
				{
					commandName: byName('UpdateCommand'),
					commandBody: {
						Entity: { EntityType: entity, Id: id, ...members },
						PropertySet: { Properties: [`${list}.*`] },
					},
				},
			],
		];
	};

	it('are written back as they were read', async () => {
		const { id, readAll } = storeTwo();
		const columns = await loadColumns(entity);
		const form = { entity: byName(entity), id: byId(id) };
		const rows = ['*', 'Descriptor.Id', 'Descriptor.Name'].map((path) => `${list}.${path}`);
		const reads: object[] = [{ output: 'selected', properties: ['*', ...rows].join() }];
		if (entity === 'Location') reads.push({ output: 'simplified' });
		if (entity === 'WorkOrder') reads.push({ ...reads[0], options: { flattenCustomFields: true } });
		for (const read of reads.slice(entity === 'Contact' ? 1 : 0)) {
			const run = await n8n.succeed('record:get', { ...form, ...read });
			const [json] = jsonOf(run.items);
			const isFlat = !Array.isArray(json[list]);
			if (isFlat) expect(json[list]).toMatchObject({ Twice: 'new' });
			if (isFlat && entity === 'WorkOrder') {
				expect(hintsOf(run)).toEqual([
					expect.stringMatching(/^Only the newest value .*: .*\bTwice\b/),
				]);
			}
			for (const way of [{ fieldsJson: '={{ $json }}' }, mappedByName([], columns)]) {
				await n8n.succeed('record:update', { ...form, ...way }, { items: [{ json }] });
				expect(readAll()).toEqual(['old', 'new']);
			}
		}
		for (const [operation, update] of write(id, { Twice: 'new' })) {
			await n8n.succeed(operation, update);
			expect([operation, readAll()]).toEqual([operation, ['old', 'new']]);
		}
	});

	it('are refused by their name, with the Id of each', async () => {
		const { id, old, newest, readAll } = storeTwo();
		for (const value of ['old', 'other', '']) {
			for (const options of [{}, { dryRun: 'always' }]) {
				for (const [operation, form] of write(id, { Twice: value }, options)) {
					const { error } = await n8n.run(operation, form);
					expect(error?.message).toMatch(/"Twice", of which the record has several values/);
					expect(error?.description).toContain(`${newest} ("new"), ${old} ("old")`);
				}
			}
		}
		expect(readAll()).toEqual(['old', 'new']);
	});

	it.each([0, 1])('are put back, but not an older one after the newest: %p', async (way) => {
		const { id, old, newest } = storeTwo();
		const definition = getId(records.get(type, newest).Descriptor);
		const readStored = () =>
			records
				.rows(type)
				.filter(({ Descriptor }) => getId(Descriptor) === definition)
				.map(({ Value }) => Value);
		const remove = async (row: number) => {
			const [operation, form] = write(id, [{ Id: row, Value: '' }], { returnBefore: true })[way];
			const { items } = await n8n.succeed(operation, form);
			const restore = { entity: byName(entity), before: '={{ $json.Before }}' };
			return jsonOf((await n8n.succeed('record:restoreValues', restore, { items })).items)[0];
		};
		expect(await remove(newest)).toMatchObject({ Outcome: 'updated', NotRestored: [] });
		expect(readStored()).toEqual(['old', 'new']);
		expect(await remove(old)).toMatchObject({
			Outcome: 'unchanged',
			NotRestored: [{ Now: 'new', Reason: expect.stringContaining('newer') as string }],
		});
		expect(readStored()).toEqual(['new']);
	});

	it('are written by their Ids, and put back', async () => {
		const { id, old, newest, readAll } = storeTwo();
		const rows = [
			{ Id: old, Value: 'older' },
			{ Id: newest, Value: 'newer' },
		];
		for (const [operation, form] of write(id, rows, { returnBefore: true })) {
			const done = await n8n.succeed(operation, form);
			expect([operation, readAll()]).toEqual([operation, ['older', 'newer']]);
			if (operation === 'command:execute') continue;
			const restore = { entity: byName(entity), before: '={{ $json.Before }}' };
			const restored = await n8n.succeed('record:restoreValues', restore, { items: done.items });
			expect(jsonOf(restored.items)).toMatchObject([{ NotRestored: [] }]);
			expect([operation, readAll()]).toEqual([operation, ['old', 'new']]);
		}
	});
});

/** Another system may have added a second row of one kind. */
describe.each([
	['Contact', 'ContactAddresses', 'ContactInfo', { AddrTypeId: 'Fax' }, 'Address'],
	['Employee', 'ContactAddresses', 'ContactInfo', { AddrTypeId: 'Fax' }, 'Address'],
	['Customer', 'Addresses', 'Address2', { TypeId: 'Primary' }, 'Street'],
])('two rows of one kind: %s, %s', (entity, list, type, kind, value) => {
	const [name] = Object.values(kind) as string[];
	const path = `${list}.${name}`;

	function storeTwo() {
		const id = records.ids(entity)[0];
		const ActorTypeId = getEntity(entity)?.actorTypes?.[0];
		const owner = { ActorId: id, ActorTypeId, ...kind };
		const rows = ['one', 'two'].map((text) => records.insert(type, { ...owner, [value]: text }));
		const read = () =>
			records
				.children(type, 'ActorId', id)
				.filter((row) => Object.entries(kind).every(([by, one]) => row[by] === one))
				.map((row) => row[value]);
		return { id, ids: rows.map(({ Id }) => Id), read };
	}

	const listWays = (id: number, text: string): Array<[string, object]> => {
		const key = { Contact: 'Number', Employee: 'Username', Customer: 'TenantCode' }[entity] ?? '';
		records.change(entity, id, { [key]: 'K-1' });
		const form = { entity: byName(entity), id: byId(id), options: {} };
		const update = (members: object): Array<[string, object]> => [
			['record:update', { ...form, fieldsJson: members }],
			[
				'command:execute',
				{
					commandName: byName('UpdateCommand'),
					commandBody: {
						Entity: { EntityType: entity, Id: id, ...members },
						PropertySet: { Properties: [`${list}.*`] },
					},
					options: {},
				},
			],
		];
		const column = list === 'Addresses' ? `${path}.Street` : path;
		const clear = { fieldsToClear: column };
		if (text === '') {
			const removed = { [list]: [{ ...kind, PerformDeletion: true }] };
			return [...update(removed), ['record:update', { ...form, fieldsJson: {}, options: clear }]];
		}
		const fieldsJson = { [list]: { [name]: { [value]: text } } };
		const options = { updateOnly: 'error' };
		return [
			...update(fieldsJson),
			['record:update', { ...form, fields: filledIn({ [column]: text }) }],
			[
				'record:upsert',
				{ ...form, matchOn: key, fieldsJson: { [key]: 'K-1', ...fieldsJson }, options },
			],
		];
	};

	it.each(['other', ''])('%j is refused, with the Id of each', async (text) => {
		const { id, ids, read } = storeTwo();
		for (const [operation, { options, ...form }] of listWays(id, text) as Array<
			[string, { options: object }]
		>) {
			for (const more of [{}, { dryRun: 'always' }]) {
				const { error } = await n8n.run(operation, { ...form, options: { ...options, ...more } });
				expect([operation, error?.message]).toEqual([
					operation,
					expect.stringContaining(`"${name}", of which the record has several values`),
				]);
				expect(error?.description).toContain(`${ids[0]} ("one"), ${ids[1]} ("two")`);
			}
		}
		expect(read()).toEqual(['one', 'two']);
	});

	it.each(['one', 'two'])('"%s" is there already', async (text) => {
		const { id, read } = storeTwo();
		for (const [operation, form] of listWays(id, text)) {
			await n8n.succeed(operation, form);
			expect([operation, read()]).toEqual([operation, ['one', 'two']]);
		}
	});
});

const KEYS: Record<string, string> = { Contact: 'Number', Location: 'Name', WorkOrder: 'PoNumber' };

describe('the rows of a record that is pasted into another one', () => {
	const ROWS = ['ContactAddresses.*', 'CustomFields.*', 'CustomFields.Descriptor.Id'];

	async function readTwo() {
		const [one, other] = records.rows('Contact');
		const field = records.addField('LeaseUser', 'Own');
		const row = { Descriptor: { Id: field }, ObjectId: one.Id, ObjectTypeId: 'LeaseUser' };
		records.insert('CustomField2', { ...row, Value: 'first' });
		const form = { id: byId(one.Id), output: 'selected', properties: ['*', ...ROWS].join() };
		const [found] = jsonOf((await n8n.succeed('contact:get', form)).items);
		const read = Object.fromEntries(
			Object.entries(found).filter(([name]) => !['Id', 'ConcurrencyId'].includes(name)),
		);
		const readRows = () =>
			['ContactInfo', 'CustomField2'].map((name) =>
				records.rows(name).map((stored) => ({ ...stored })),
			);
		return { read, other, readRows };
	}

	it.each(['contact:update', 'contact:upsert'])('are refused by %s', async (operation) => {
		const { read, other, readRows } = await readTwo();
		const before = readRows();
		const fieldsJson = { ...read, Number: other.Number } as IDataObject;
		const run = await n8n.run(operation, { id: byId(other.Id), matchOn: 'Number', fieldsJson });
		expect(run.error?.message).toMatch(
			/has a row of \w+ with the Id "\d+", which is one of another/,
		);
		expect(requests.writes()).toEqual([]);
		expect(readRows()).toEqual(before);
	});

	it.each<[string, string, (foreign: Row) => object]>([
		[
			'contact',
			'ContactAddresses',
			({ Id, AddrTypeId }) => ({ Id, AddrTypeId, Address: 'e@x.org' }),
		],
		['contact', 'ContactAddresses', ({ Id }) => ({ Id, PerformDeletion: true })],
		['contact', 'ContactAddresses', (row) => ({ AddrTypeId: row.AddrTypeId, Address: 'e', Id: 0 })],
		['employee', 'Teams', ({ Id, TeamId }) => ({ Id, TeamId })],
	])(
		'are refused by an update of a %s also if nothing in the row of %s names its owner',
		async (resource, list, take) => {
			const isContact = resource === 'contact';
			const table = isContact ? 'ContactInfo' : 'LinkUserAndTeam';
			const owner = isContact ? 'ActorId' : 'UserId';
			const ids = records.ids(isContact ? 'Contact' : 'Employee');
			const [foreign] = records.rows(table).filter((row) => ids.includes(Number(row[owner])));
			const other = ids.find((id) => id !== foreign[owner]);
			const before = records.rows(table).map((row) => ({ ...row }));
			const fieldsJson = { [list]: [take(foreign)] } as IDataObject;
			const run = await n8n.run(`${resource}:update`, { id: byId(other), fieldsJson });
			expect(run.error?.message).toMatch(
				/has a row of \w+ with the Id "\d+", which is one of another/,
			);
			expect(records.rows(table)).toEqual(before);
		},
	);

	it.each(['contact:create', 'contact:upsert'])(
		'are added to the new one by %s',
		async (operation) => {
			const { read, readRows } = await readTwo();
			const before = readRows();
			const fieldsJson = { ...read, Number: 'NEW-7' } as IDataObject;
			const { items } = await n8n.succeed(operation, { matchOn: 'Number', fieldsJson });
			const after = readRows();
			expect(after.map((rows, index) => rows.slice(0, before[index].length))).toEqual(before);
			const added = after.map((rows, index) => rows.slice(before[index].length));
			expect(added.map(({ length }) => length)).toEqual([2, 1]);
			expect(added[0]).toMatchObject([
				{ ActorId: items[0].json.Id },
				{ ActorId: items[0].json.Id },
			]);
			expect(added[1]).toMatchObject([{ ObjectId: items[0].json.Id, Value: 'first' }]);
		},
	);
});
