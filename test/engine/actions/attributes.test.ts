/** Attributes of assets: read and written by their names, through the strict sandbox. */
import type { INodeParameters } from 'n8n-workflow';

import type { Row } from '../../../sandbox';
import {
	byId,
	byName,
	DENIED,
	eachId,
	filledIn,
	getId,
	itemsOf,
	jsonOf,
	mappedByName,
	PUMP,
	rejection,
	shareCompany,
	some,
} from '../../support/company';

const company = shareCompany({ workOrders: 10 });
const { n8n, records, requests } = company;

const attributeId = (Name: string) => records.find('AttributeDescriptor', { Name }).Id;
const getRows = (asset: number, name: string) =>
	records
		.children('AssetAttribute', 'AssetId', asset)
		.filter(({ Descriptor }) => getId(Descriptor) === attributeId(name));
const getValues = (asset: number, name: string) => getRows(asset, name).map(({ Value }) => Value);

const loadColumns = async (operation: string) =>
	(
		await n8n.engine.mappingColumns('getColumns', {
			parameters: { resource: 'asset', operation },
			path: 'parameters.fields',
		})
	).fields;

/** An asset that has attributes. */
const equipment = () => Number(records.rows('AssetAttribute')[0].AssetId);

const update = async (fieldsJson: unknown, more: object = {}) =>
	await n8n.succeed('asset:update', { id: byId(equipment()), fieldsJson, ...more });

const sentRows = () => requests.bodies()[0].Entity.Attributes as Row[];

it('an asset is read with its attributes by name, each by its type', async () => {
	const asset = equipment();
	records.insert('AssetAttribute', {
		AssetId: asset,
		Descriptor: { Id: attributeId('Rented') },
		Value: 'True',
	});
	const [{ json }] = (await n8n.succeed('asset:get', { id: byId(asset), output: 'simplified' }))
		.items;
	expect(json.Attributes).toEqual({
		Manufacturer: `Maker ${asset % 5}`,
		Installed: String(getValues(asset, 'Installed')[0]).slice(0, 10),
		Criticality: getValues(asset, 'Criticality')[0],
		Floor: 7,
		Load: getValues(asset, 'Load')[0],
		Manual: 'https://example.org/m',
		'Old Tag': `T-${asset}`,
		'Replacement Cost': {
			Value: Number(getValues(asset, 'Replacement Cost')[0]),
			CurrencyTypeId: 'USD',
		},
		Rented: true,
		'Run Hours': Number(getValues(asset, 'Run Hours')[1]),
		'Run Hours Limit': 200,
	});
	// The tree leads to the same assets by another entity.
	const root = byId(records.rows('WorkZone')[0].Asset && getId(records.rows('WorkZone')[0].Asset));
	const tree = await n8n.succeed('asset:getMany', {
		treeOf: root,
		returnAll: true,
		output: 'simplified',
	});
	const all = await n8n.succeed('asset:getMany', { returnAll: true, output: 'simplified' });
	const described = jsonOf(tree.items).filter(({ Attributes }) => Attributes);
	expect(described.length).toBeGreaterThan(0);
	for (const { Id, Attributes } of described) {
		expect(jsonOf(all.items).find((one) => one.Id === Id)).toMatchObject({ Attributes });
	}
});

it('an update writes attributes by name, into the rows that the asset has', async () => {
	const asset = equipment();
	const [maker, installed, criticality, cost] = [
		...['Manufacturer', 'Installed', 'Criticality', 'Replacement Cost'],
	].map((name) => getRows(asset, name)[0].Id);
	await update({
		Attributes: {
			criticality: 'low',
			'Replacement Cost': { Value: 2500, CurrencyTypeId: 'EUR' },
			Rented: true,
			Installed: '2020-02-03T10:00:00',
			[attributeId('Manufacturer')]: '',
		},
	});
	expect(sentRows()).toMatchObject([
		{ Id: maker, PerformDeletion: true },
		{ Id: criticality, Value: 'Low' },
		{ Id: cost, Value: '2500', CurrencyTypeId: 'EUR' },
		{ Descriptor: { Id: attributeId('Rented') }, Value: 'true' },
		{ Id: installed, Value: '2020-02-03' },
	]);
	expect(getValues(asset, 'Run Hours')).toHaveLength(2);
	expect(requests.queries()).toEqual(['AttributeDescriptor', 'Location', 'LinkModelAndAttribute']);
});

it.each(['asset:update', 'asset:upsert'])(
	'%s refuses an attribute that the model lacks before anything is sent, unless the asset has it',
	async (operation) => {
		const [Id, other] = records.rows('Location').map((one) => one.Id);
		const { ModelId } = records.rows('LinkModelAndAttribute')[0];
		const name = 'Quiet From';
		records.insert('AssetAttribute', {
			...{ AssetId: Id, Descriptor: { Id: attributeId(name) }, Value: '07:30' },
		});
		for (const [index, id] of [Id, other].entries()) {
			records.change('Location', id, { Name: `N-${index}`, ModelId });
		}
		const write = async (ids: number[]) =>
			await n8n.run(
				operation,
				{ id: byId('={{ $json.id }}'), matchOn: 'Name', fieldsJson: '={{ $json.fields }}' },
				{
					items: ids.map((id) => ({
						json: {
							id,
							fields: { Name: `N-${id === Id ? 0 : 1}`, Attributes: { [name]: '08:00' } },
						},
					})),
				},
			);
		expect((await write([Id, other])).error?.message).toContain(`"${name}", which assets of this`);
		expect(requests.writes()).toEqual([]);
		expect((await write([Id])).error).toBeUndefined();
		expect(getValues(Id, name)).toEqual(['08:00']);
	},
);

it.each([
	[
		{ Color: 'red' },
		'no attribute is named "Color"',
		'"Criticality", "Floor", "Hotline", "Installed"',
	],
	[{ Criticality: 'Hi' }, 'one of "High", "Medium", "Low", but it is "Hi"', undefined],
	[{ 'Replacement Cost': 'much' }, "> Replacement Cost' must be a number", undefined],
	[{ 'Replacement Cost': { Value: 1, CurrencyTypeId: 'ZZZ' } }, 'Currency', undefined],
	[{ 'Replacement Cost': { CurrencyTypeId: 'EUR' } }, 'has no amount', undefined],
	[{ 'Replacement Cost': { Value: ' ', CurrencyTypeId: 'EUR' } }, 'must be a number', undefined],
	[{ 'Replacement Cost': { Value: 5, Currency: 'EUR' } }, '"Currency"', 'CurrencyTypeId'],
	[
		{ 'Run Hours Limit': { Value: 5 } },
		"'Fields (JSON) > Attributes > Run Hours Limit'",
		undefined,
	],
	[{ Installed: 'soon' }, '"soon"', undefined],
	[{ Rented: 'perhaps' }, 'one of true, false', undefined],
	[{ 'Run Hours': 5 }, 'keeps a history', "'Add Reading'"],
])('%j is refused before anything is written', async (Attributes, message, advice) => {
	const { error } = await n8n.run('asset:update', {
		id: byId(equipment()),
		fieldsJson: { Attributes },
	});
	expect(error?.message).toContain(message);
	if (advice !== undefined) expect(error?.description).toContain(advice);
	expect(requests.writes()).toEqual([]);
});

it.each([null, {}, { Value: null }, { Value: '' }, { Value: ' ', CurrencyTypeId: null }])(
	'an amount of %j leaves the attribute as it is',
	async (cost) => {
		const asset = equipment();
		const before = getRows(asset, 'Replacement Cost');
		expect(before).toHaveLength(1);
		const Attributes = { 'Replacement Cost': cost };
		const column = [{ id: 'Name', displayName: 'Name', type: 'string' }];
		const ways: INodeParameters[] = [
			{ fieldsJson: { Name: 'x', Attributes } },
			mappedByName([], column),
		];
		for (const way of ways) {
			const items = [{ json: { Name: 'x', Attributes } }];
			await n8n.succeed('asset:update', { id: byId(asset), ...way }, { items });
			expect(getRows(asset, 'Replacement Cost')).toEqual(before);
		}
	},
);

it('two attributes of one name are told apart by their IDs', async () => {
	const other = records.insert('AttributeDescriptor', { Name: 'Criticality', Type: 'String' });
	const { ModelId } = records.get('Location', equipment());
	records.insert('LinkModelAndAttribute', { ModelId, AttributeDescriptorId: other.Id });
	const run = async (name: string | number) =>
		await n8n.run('asset:update', {
			id: byId(equipment()),
			fieldsJson: { Attributes: { [name]: 'Low' } },
		});
	const { error } = await run('Criticality');
	expect(error?.description).toContain(`${attributeId('Criticality')}, ${other.Id}`);
	expect((await run(other.Id)).error).toBeUndefined();
	expect(sentRows()).toMatchObject([{ Descriptor: { Id: other.Id }, Value: 'Low' }]);
});

it.each([
	['one asset', 'get', () => ({ id: byId(10_032) }), { method: 'GET' }, 1],
	['several assets', 'get', () => ({ id: eachId }), { bodyIncludes: 'Attributes' }, 10],
	['a list', 'getMany', () => ({ limit: 5 }), { bodyIncludes: 'Attributes' }, 10],
	[
		...(['a tree', 'getMany'] as const),
		() => ({ treeOf: byId(getId(records.rows('WorkZone')[0].Asset)) }),
		...([{ bodyIncludes: 'Attributes' }, 10] as const),
	],
])(
	'%s comes without attributes if they may not be read',
	async (title, operation, buildForm, match, times) => {
		const items = itemsOf(...(/several/.test(title) ? [10_032, 10_040] : [1]));
		const read = async () =>
			await n8n.run(`asset:${operation}`, { ...buildForm(), output: 'simplified' }, { items });
		const whole = jsonOf((await read()).items);
		expect(whole.length).toBeGreaterThan(0);
		requests.fault(rejection(match, DENIED, { status: 403, times }));
		const run = await read();
		expect(run.error).toBeUndefined();
		for (const asset of whole) delete asset.Attributes;
		expect(jsonOf(run.items)).toEqual(whole);
	},
);

it('attributes that somebody asks for, and may not read, are an error', async () => {
	requests.fault(rejection({ method: 'GET' }, DENIED, { status: 403 }));
	const form = { id: byId(10_032), output: 'selected', properties: ['Attributes.Value'] };
	const { error } = await n8n.run('asset:get', form);
	expect(error?.message).toContain('No rights');
});

it('the form has a column for each attribute but those with a history, and the update writes it', async () => {
	const fields = await loadColumns('update');
	const found = fields.filter(({ id }) => id.startsWith('Attributes.'));
	expect(found.map(({ displayName, type }) => [displayName, type])).toEqual([
		['1', 'string'],
		['Brand', 'options'],
		['Criticality', 'options'],
		['Floor', 'number'],
		['Hotline', 'string'],
		['Installed', 'dateTime'],
		['Load', 'options'],
		['Manual', 'string'],
		['Manufacturer', 'string'],
		['Quiet From', 'string'],
		['Remarks', 'string'],
		['Rented', 'boolean'],
		['Replacement Cost', 'number'],
		['Run Hours Limit', 'number'],
	]);
	const criticality = found[2];
	expect(criticality.options?.map(({ value }) => value)).toEqual(['High', 'Medium', 'Low']);
	const asset = equipment();
	const cost = `Attributes.${attributeId('Replacement Cost')}`;
	const values = { [criticality.id]: 'Medium', [cost]: 99 };
	company.sandbox.forgetRequests();
	await n8n.succeed('asset:update', { id: byId(asset), fields: filledIn(values, fields) });
	expect(getRows(asset, 'Criticality')).toMatchObject([{ Value: 'Medium' }]);
	expect(getRows(asset, 'Replacement Cost')).toMatchObject([
		{ Value: '99', CurrencyTypeId: 'USD' },
	]);

	requests.fault(rejection('/query/AttributeDescriptor', DENIED, { status: 403 }));
	const without = await loadColumns('update');
	expect(without.map(({ id }) => id)).toEqual(
		fields.map(({ id }) => id).filter((id) => !id.startsWith('Attributes.')),
	);
});

it('a new asset gets attributes, by columns and by the names of the input', async () => {
	const fields = await loadColumns('create');
	const Attributes = { Manufacturer: 'Acme', Criticality: 'High', Installed: '' };
	await n8n.succeed('asset:create', { fieldsJson: { ...PUMP, Attributes } });
	const input = [{ json: { ...PUMP, Name: 'Pump 2', Manufacturer: 'Acme', Criticality: 'high' } }];
	await n8n.succeed('asset:create', mappedByName([], fields), { items: input });
	const made = records.rows('Location').filter(({ Name }) => String(Name).startsWith('Pump'));
	expect(
		made.map(({ Id }) => [
			getValues(Id, 'Manufacturer'),
			getValues(Id, 'Criticality'),
			getValues(Id, 'Installed'),
		]),
	).toEqual([
		[['Acme'], ['High'], []],
		[['Acme'], ['High'], []],
	]);
});

it('Create or Update compares attributes by their types, and may match on one', async () => {
	const asset = equipment();
	const { Name } = records.get('Location', asset);
	const key = attributeId('Manufacturer');
	records.change('AssetAttribute', getRows(asset, 'Manufacturer')[0].Id, { Value: 'Only One' });
	const upsert = async (Attributes: object) =>
		jsonOf(
			(
				await n8n.succeed('asset:upsert', {
					fieldsJson: { ...PUMP, Name, Attributes: { Manufacturer: 'Only One', ...Attributes } },
					matchOn: `Attributes.${key}`,
					options: { updateOnly: 'error' },
				})
			).items,
		)[0];
	const same = { 'Replacement Cost': Number(getValues(asset, 'Replacement Cost')[0]) };
	records.change('Location', asset, { ModelId: PUMP.ModelId, TypeId: PUMP.TypeId });
	expect(await upsert(same)).toMatchObject({ Id: asset, Outcome: 'unchanged' });
	expect(requests.writes()).toEqual([]);
	expect(await upsert({ ...same, Rented: false })).toMatchObject({
		Outcome: 'updated',
		Changed: ['Rented'],
	});
	expect(sentRows()).toEqual([{ Descriptor: { Id: attributeId('Rented') }, Value: 'false' }]);
});

it('Fields to Clear removes an attribute, once it is there', async () => {
	const asset = equipment();
	const paths = ['Criticality', 'Rented'].map((name) => `Attributes.${attributeId(name)}`);
	await update({ IsOffline: true }, { options: { fieldsToClear: paths } });
	expect(getValues(asset, 'Criticality')).toEqual([]);
	expect(sentRows()).toHaveLength(1);
	const { error } = await n8n.run('asset:update', {
		id: byId(asset),
		fieldsJson: { Attributes: { Rented: true } },
		options: { fieldsToClear: paths },
	});
	expect(error?.message).toContain(`'Fields to Clear' has "${paths[1]}"`);
	// The oldest value of a history would be lost.
	for (const [id, message] of [
		[attributeId('Run Hours'), 'keeps a history'],
		[999_999, 'no attribute has the ID "999999"'],
	]) {
		const options = { fieldsToClear: [`Attributes.${id}`] };
		const refused = await n8n.run('asset:update', {
			...{ id: byId(asset), fieldsJson: { IsOffline: true }, options },
		});
		expect(refused.error?.message).toContain(message);
	}
	expect(requests.writes()).toHaveLength(1);
});

it('a dry run names the attributes that it would write', async () => {
	const asset = equipment();
	const [before] = getValues(asset, 'Manufacturer');
	const { items } = await update(
		{ Attributes: { Manufacturer: 'Acme' } },
		{ options: { dryRun: 'always' } },
	);
	expect(items[0].json.WouldChange).toEqual({ Manufacturer: { From: before, To: 'Acme' } });
	expect(requests.writes()).toEqual([]);
});

describe('readings', () => {
	it('are added one by one, and read in their order', async () => {
		const asset = equipment();
		const { Name } = records.get('Location', asset);
		const before = getValues(asset, 'Run Hours').map(Number);
		const form = { id: byId(asset), attribute: byName('run hours') };
		await n8n.succeed('asset:addReading', {
			...form,
			value: '300.25',
		});
		expect(requests.writes()).toMatchObject([
			{
				path: '/api/v1/base/AssetAttribute',
				body: {
					Entity: {
						AssetId: asset,
						Descriptor: { Id: attributeId('Run Hours') },
						Value: '300.25',
					},
				},
			},
		]);
		const { items } = await n8n.succeed('asset:getReadings', form);
		expect(jsonOf(items)).toEqual(
			[...before, 300.25].map((Value) => ({
				Id: expect.any(Number),
				Asset: { Id: asset, Name },
				Attribute: 'Run Hours',
				Value,
			})),
		);
		const [{ json }] = (await n8n.succeed('asset:get', { id: byId(asset), output: 'simplified' }))
			.items;
		expect(json.Attributes).toMatchObject({ 'Run Hours': 300.25 });
	});

	it('of many assets take few requests; one that does not exist fails alone', async () => {
		const assets = [...new Set(records.rows('AssetAttribute').map(({ AssetId }) => AssetId))];
		const run = await n8n.run(
			'asset:getReadings',
			{ id: byId('={{ $json.x }}'), attribute: byName('Run Hours') },
			{ items: itemsOf(...assets, 999_999), settings: { onError: 'continueErrorOutput' } },
		);
		expect(run.items).toHaveLength(2 * assets.length);
		expect(run.errorItems).toEqual([some({ pairedItem: { item: assets.length } })]);
		expect(requests.queries()).toEqual(['AttributeDescriptor', 'AssetAttribute', 'Location']);
	});

	it.each([
		['Manufacturer', '1', 'keeps no history'],
		['Run Hours', 'many', "'Value' must be a number"],
		['Run Hours', '={{ "" }}', "'Value' is empty"],
		['Odometer', '1', 'named "Odometer"'],
	])('%s %j is refused before anything is written', async (name, value, message) => {
		const form = { id: byId(equipment()), attribute: byName(name), value };
		const { error } = await n8n.run('asset:addReading', form);
		expect(error?.message).toContain(message);
		expect(requests.writes()).toEqual([]);
	});
});
