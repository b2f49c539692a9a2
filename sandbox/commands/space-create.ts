import { answerWith } from '../base/operations';
import { below } from '../base/tree';
import { createRecord } from '../base/write';
import { breakRule, term } from '../errors';
import type { World } from '../runtime/world';
import { typeOf } from '../schema';
import type { Row } from '../store/store';
import { known, type Arguments, type Handler } from './command';

/** Assets of the template a unit is made from; a plain unit where no template is named. */
function template(world: World, name: string | undefined): Row | undefined {
	if (!name) return undefined;
	const found = world.store
		.rows('AssetTemplate')
		.filter(({ DisplayAs }) => String(DisplayAs).toLowerCase() === name.toLowerCase());
	if (found.length !== 1) {
		breakRule(`Template '${name}' cannot be found; or ambiguous template name`);
	}
	return world.store.existing('Location', Number(found[0].RootAssetId));
}

function building(world: World, zone: Row, name: string | undefined): Row {
	const root = world.store.existing('Location', Number((zone.Asset as Row).Id));
	const buildings = below(world.store, root.Id).filter(({ TypeId }) => TypeId === 'Building');
	const wanted = name ? buildings.find((place) => place.Name === name) : buildings[0];
	return wanted ?? addPlace(world, root, { Name: name ?? 'Building', TypeId: 'Building' });
}

function addPlace(world: World, parent: Row, members: { Name: string; TypeId: string }): Row {
	const ModelId = world.store.children('Model', 'AssetCategoryId', members.TypeId)[0]?.Id;
	return createRecord(world, typeOf('Location'), { ...members, ModelId, ParentId: parent.Id });
}

function copyParts(world: World, source: Row, target: Row): void {
	for (const part of below(world.store, source.Id)) {
		const copied = addPlace(world, target, {
			Name: String(part.Name),
			TypeId: String(part.TypeId),
		});
		copyParts(world, part, copied);
	}
}

function newUnit(world: World, zone: Row, args: Arguments, unit: Arguments): Row {
	const name = unit.text('UnitName', 64) ?? breakRule('UnitName is a required field');
	const plan = template(world, unit.text('UnitFloorPlan'));
	const place = building(world, zone, unit.text('BuildingName'));
	const mode = args.enum('IfUnitAlreadyExists', 'DuplicateUnitMode') ?? 'Ignore';
	const existing = below(world.store, place.Id).find(
		({ Name, TypeId }) => TypeId === 'Unit' && Name === name,
	);
	if (existing && mode === 'Fail') breakRule(`Unit '${name}' already exists`);
	if (existing && mode === 'Reuse') return existing;
	const made = addPlace(world, place, { Name: name, TypeId: 'Unit' });
	if (plan) copyParts(world, plan, made);
	return made;
}

export const createSpace: Handler = (world, args) => {
	const customer = args.optionalId('CustomerId', 'Customer', world);
	if (!customer) return breakRule(`${term('Customer')} is a required field`);
	const zone = known(world, 'WorkZone', Number((customer.WorkZone as Row).Id));
	const specified = args.object('NewUnitSpecifier');
	const given = args.optionalId('UnitId', 'Location', world);
	if (!given && !specified) breakRule(`${term('Unit')} is a required field`);
	const unit = given ?? newUnit(world, zone, args, specified as Arguments);
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
	return { NewSpace: answerWith(world, 'Space', space) };
};
