import { toAnswer } from '../base/operations';
import { childAssets } from '../base/assetTree';
import { createRecord } from '../base/write';
import { failBusinessLogic, term } from '../errors';
import type { World } from '../runtime/world';
import { typeOf } from '../schema';
import type { Row } from '../store/store';
import { requireActive, type Arguments, type Handler } from './command';

/** The root asset of a template by its name; without a name the unit has no equipment. */
function findTemplate(world: World, name: string | undefined): Row | undefined {
	if (!name) return undefined;
	const found = world.store
		.rows('AssetTemplate')
		.filter(({ DisplayAs }) => String(DisplayAs).toLowerCase() === name.toLowerCase());
	if (found.length !== 1) {
		failBusinessLogic(`Template '${name}' cannot be found; or ambiguous template name`);
	}
	return world.store.existing('Location', Number(found[0].RootAssetId));
}

function findOrAddBuilding(world: World, zone: Row, name: string | undefined): Row {
	const root = world.store.existing('Location', Number((zone.Asset as Row).Id));
	const buildings = childAssets(world.store, root.Id).filter(({ TypeId }) => TypeId === 'Building');
	const wanted = name ? buildings.find((place) => place.Name === name) : buildings[0];
	return wanted ?? addPlace(world, root, { Name: name ?? 'Building', TypeId: 'Building' });
}

function addPlace(world: World, parent: Row, members: { Name: string; TypeId: string }): Row {
	const ModelId = world.store.children('Model', 'AssetCategoryId', members.TypeId)[0]?.Id;
	return createRecord(world, typeOf('Location'), { ...members, ModelId, ParentId: parent.Id });
}

function copyParts(world: World, source: Row, target: Row): void {
	for (const part of childAssets(world.store, source.Id)) {
		const copied = addPlace(world, target, {
			Name: String(part.Name),
			TypeId: String(part.TypeId),
		});
		copyParts(world, part, copied);
	}
}

function createUnit(world: World, zone: Row, args: Arguments, unit: Arguments): Row {
	const name = unit.text('UnitName', 64) ?? failBusinessLogic('UnitName is a required field');
	const plan = findTemplate(world, unit.text('UnitFloorPlan'));
	const place = findOrAddBuilding(world, zone, unit.text('BuildingName'));
	const mode = args.enum('IfUnitAlreadyExists', 'DuplicateUnitMode') ?? 'Ignore';
	const existing = childAssets(world.store, place.Id).find(
		({ Name, TypeId }) => TypeId === 'Unit' && Name === name,
	);
	if (existing && mode === 'Fail') failBusinessLogic(`Unit '${name}' already exists`);
	if (existing && mode === 'Reuse') return existing;
	const made = addPlace(world, place, { Name: name, TypeId: 'Unit' });
	if (plan) copyParts(world, plan, made);
	return made;
}

export const createSpace: Handler = (world, args) => {
	const customer = args.optionalId('CustomerId', 'Customer', world);
	if (!customer) return failBusinessLogic(`${term('Customer')} is a required field`);
	const zone = requireActive(world, 'WorkZone', Number((customer.WorkZone as Row).Id));
	const specified = args.object('NewUnitSpecifier');
	const given = args.optionalId('UnitId', 'Location', world);
	if (!given && !specified) failBusinessLogic(`${term('Unit')} is a required field`);
	const unit = given ?? createUnit(world, zone, args, specified as Arguments);
	const dates = ['StartDate', 'EndDate', 'MoveInDate', 'MoveOutDate'].filter((name) => {
		return args.time(name) !== undefined;
	});
	const space = world.store.insert('Space', {
		CustomerId: customer.Id,
		Asset: { Id: unit.Id },
		WorkZone: { Id: zone.Id },
		StatusId: 'Current',
		Instructions: args.text('Instructions', 256),
		...Object.fromEntries(dates.map((name) => [name, args.text(name)])),
	});
	const address = specified?.object('StreetAddress');
	if (address) {
		const owner = { ActorId: space.Id, ActorTypeId: 'CommLeaseSpace' };
		createRecord(world, typeOf('Address2'), address.members, owner);
	}
	return { NewSpace: toAnswer(world, 'Space', space) };
};
