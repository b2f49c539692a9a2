import type { IDataObject } from 'n8n-workflow';

import {
	byId,
	byName,
	fromList,
	idsOf,
	itemsOf,
	jsonOf,
	shareCompany,
} from '../../support/company';

const { n8n, records, requests } = shareCompany();

const customer = () => records.rows('Customer')[0].Id;
const unit = () => records.find('Location', { TypeId: 'Unit', IsTemplate: undefined });

describe('the tree of an asset', () => {
	const getMany = async (form: object) =>
		await n8n.run('asset:getMany', { returnAll: true, output: 'selected', ...form });

	const below = (id: number) =>
		records.children('AssetTree', 'ParentId', id).filter(({ Distance }) => Number(Distance) > 0);

	it('returns all assets below it, with their depth', async () => {
		const zone = records.find('Location', { TypeId: 'Community' });
		const run = await getMany({ treeOf: byId(zone.Id), properties: 'Id, Name, TypeId' });
		expect(jsonOf(run.items)).toEqual(
			below(zone.Id).map(({ ChildId, Distance }) => {
				const { Id, Name, TypeId } = records.get('Location', Number(ChildId));
				return { Id, Name, TypeId, Depth: Distance };
			}),
		);
	});

	it('combines with conditions, sort, limit and all properties', async () => {
		const run = await getMany({
			treeOf: byId(unit().Id),
			returnAll: false,
			limit: 2,
			match: 'any',
			conditions: {
				values: [
					{ property: 'Name', operator: 'Like', value: '%o%' },
					{ property: 'TypeId', operator: 'Equal', value: 'Unit' },
				],
			},
			sort: { values: [{ property: 'Name', direction: 'Descending' }] },
		});
		const names = below(unit().Id)
			.map(({ ChildId }) => records.get('Location', Number(ChildId)).Name as string)
			.filter((name) => name.toLowerCase().includes('o'))
			.sort()
			.reverse();
		expect(idsOf(jsonOf(run.items), 'Name')).toEqual(names.slice(0, 2));
		expect(run.items[0].json).toMatchObject({ ParentId: 0, Depth: 1 });
	});

	it('combines with nested criteria and a summary', async () => {
		const [, { ChildId }] = below(unit().Id);
		const hasTag = { PropertyName: 'Info.TagId', Operator: 'Like', Values: [`TAG${ChildId}`] };
		const run = await getMany({
			treeOf: byId(unit().Id),
			output: 'simplified',
			criteriaJson: { FilterOperator: 'And', Filters: [{ Conditions: [hasTag] }] },
		});
		expect(idsOf(jsonOf(run.items))).toEqual([ChildId]);
		expect(run.items[0].json).toMatchObject({
			Name: expect.any(String) as string,
			Model: { Id: run.items[0].json.ModelId },
			Depth: 1,
		});
		expect(requests.queries()).toEqual(['AssetTree', 'AttributeDescriptor', 'Model']);
	});

	it('is ignored where no asset is chosen: all assets are searched', async () => {
		const run = await getMany({ treeOf: byId('') });
		expect(requests.sent()[0].path).toBe('/api/v1/query/Location');
		expect(run.items).toHaveLength(records.rows('Location').length);
	});
});

describe('a space', () => {
	const create = async (form: object, ...inputs: unknown[]) =>
		await n8n.run(
			'space:create',
			{ customer: byId(customer()), unitName: 'Suite 9', ...form },
			{ items: itemsOf(...(inputs.length > 0 ? inputs : [1])), onError: 'continueErrorOutput' },
		);

	it('is created with every field of the command', async () => {
		const run = await create({
			unitFloorPlan: 'Standard Unit',
			ifUnitAlreadyExists: 'Fail',
			startDate: '2026-02-01',
			address: { Street: '1 Main St', City: 'Chicago', State: 'IL', Zip: '60601', Country: 'US' },
			additionalFields: {
				buildingFloorPlan: 'B',
				buildingName: 'Tower',
				endDate: '2027-02-01',
				floorFloorPlan: 'F',
				floorName: '3rd',
				instructions: 'Ring twice',
				moveInDate: '2026-02-02',
				moveOutDate: '2027-01-31',
				spaceFloorPlan: 'S',
				spaceName: 'West',
				unitInfo: { Id: 10031, AssetId: 10031, TagId: 'T9' },
			},
		});
		expect(requests.commands()[0]).toEqual({
			CustomerId: String(customer()),
			StartDate: '2026-02-01T00:00:00',
			EndDate: '2027-02-01T00:00:00',
			MoveInDate: '2026-02-02T00:00:00',
			MoveOutDate: '2027-01-31T00:00:00',
			Instructions: 'Ring twice',
			IfUnitAlreadyExists: 'Fail',
			NewUnitSpecifier: {
				UnitName: 'Suite 9',
				UnitFloorPlan: 'Standard Unit',
				BuildingName: 'Tower',
				BuildingFloorPlan: 'B',
				FloorName: '3rd',
				FloorFloorPlan: 'F',
				SpaceName: 'West',
				SpaceFloorPlan: 'S',
				StreetAddress: {
					ActorTypeId: 'CommLeaseSpace',
					Street: '1 Main St',
					City: 'Chicago',
					State: 'IL',
					Zip: '60601',
					Country: 'US',
				},
				UnitInfo: { TagId: 'T9' },
			},
		});
		expect(run.items[0].json).toMatchObject({ CustomerId: customer(), Instructions: 'Ring twice' });
	});

	it('takes over nothing from the asset whose parts a command was given', async () => {
		const NewUnitSpecifier = {
			UnitName: 'Suite 9',
			UnitInfo: { Id: 10031, AssetId: 10031, TagId: 'T9' },
			StreetAddress: { Id: 3, ActorId: 10031, ActorTypeId: 'Asset', Street: '1 Main St' },
		};
		const commandBody = { CustomerId: String(customer()), NewUnitSpecifier };
		const form = { commandName: byName('SpaceCreateCommand'), commandBody };
		const dry = { ...form, options: { dryRun: 'always' } };
		const run = await n8n.succeed('command:execute', dry);
		expect(run.items[0].json.WouldSend).toMatchObject({
			body: {
				Command: {
					NewUnitSpecifier: {
						UnitName: 'Suite 9',
						UnitInfo: { TagId: 'T9' },
						StreetAddress: { Street: '1 Main St' },
					},
				},
			},
		});
		const sent = JSON.stringify(run.items[0].json.WouldSend);
		expect(sent).not.toMatch(/10031|"ActorTypeId"/);
	});

	it('has the type of its address only where one is chosen', async () => {
		await create({ address: { Street: '1 Main St' } });
		await create({ address: { Street: '1 Main St', TypeId: 'Alt' } });
		const addresses = requests
			.commands()
			.map(({ NewUnitSpecifier }) => (NewUnitSpecifier as IDataObject).StreetAddress);
		expect(addresses).toEqual([
			{ ActorTypeId: 'CommLeaseSpace', Street: '1 Main St' },
			{ ActorTypeId: 'CommLeaseSpace', Street: '1 Main St', TypeId: 'Alt' },
		]);
	});

	it('takes templates from their list by name, even if the name is a number', async () => {
		const { results } = await n8n.engine.listSearch('searchAssetTemplates', {});
		expect(results).toEqual([{ name: 'Standard Unit', value: 'Standard Unit' }]);
		await create({
			unitFloorPlan: fromList('101'),
			additionalFields: { floorFloorPlan: fromList('Standard Unit'), spaceFloorPlan: fromList('') },
		});
		expect(requests.commands()[0].NewUnitSpecifier).toEqual({
			UnitName: 'Suite 9',
			UnitFloorPlan: '101',
			FloorFloorPlan: 'Standard Unit',
		});
	});

	it('takes a unit by name if it is in no space of the customer yet', async () => {
		const suite = { Name: 'Vacant Suite', TypeId: 'Unit', IsTemplate: false };
		const { Id } = records.insert('Location', suite);
		await create({ unit: 'existing', unitId: byName('Vacant Suite') });
		expect(requests.commands()).toMatchObject([{ UnitId: Id }]);
	});

	it.each([
		[{ unitName: '={{ "" }}' }, "'Unit Name' is empty"],
		[{ unit: 'existing', unitId: byId('={{ $json.nothing }}') }, "'Existing Unit' is empty"],
		[{ additionalFields: { unitInfo: '{' } }, /'Unit Info \(JSON\)' is not valid JSON/],
		[{ additionalFields: { unitInfo: { SerialNo: '7' } } }, /has "SerialNo", which is not a field/],
	])('is checked before anything is sent: %j', async (form, message) => {
		expect(await n8n.refusal(create(form))).toMatch(message);
	});
});
