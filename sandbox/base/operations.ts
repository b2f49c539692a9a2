import { failBusinessLogic, conflict, notFound, fail } from '../errors';
import { select } from '../query/projection';
import type { World } from '../runtime/world';
import { entityNamed, type EntityType, type ScalarField } from '../schema';
import { requireKnownMembers } from '../schema/unknownNames';
import { member, type Json } from '../shapes';
import type { Row, Values } from '../store/store';
import { requireSupported, failUnsupported } from './restrictions';
import { removalChanges, restoreChanges } from './entityRules';
import { createRecord, removeRecord, updateRecord } from './write';

function entitySpecifier(type: EntityType, row: Row): Json {
	return {
		EntitySpecifier: {
			EntityType: type.name,
			Id: row.Id,
			...(type.lock ? { ConcurrencyId: row.ConcurrencyId } : {}),
		},
	};
}

function parseId(value: unknown): number {
	if (value === undefined || value === null || value === '' || Number(value) === 0) {
		return fail('IDENTIFIER_NOT_FOUND', 'Identifier is not found.');
	}
	if (!/^\d{1,15}$/.test(String(value))) {
		return fail('INCORRECT_MODEL', `'${String(value)}' is not an identifier.`);
	}
	return Number(value);
}

/** Where several rows share an Id, the first one counts. */
function findRow({ store }: World, type: EntityType, id: number): Row | undefined {
	const { storedAs } = type.field('Id') as ScalarField;
	return storedAs ? store.children(type.name, storedAs, id)[0] : store.get(type.name, id);
}

export function existing(world: World, type: EntityType, id: number): Row {
	return findRow(world, type, id) ?? notFound(type.name, id);
}

/** The type of a named entity; fails if the role of the service user may not read it. */
export function readable({ settings }: World, entity: string): EntityType {
	const type = entityNamed(entity);
	if (settings.unreadable.includes(type.name)) {
		failBusinessLogic(`You do not have permission to read ${type.name}`);
	}
	return type;
}

export function readEntity(
	world: World,
	entity: string,
	id: unknown,
	paths: readonly string[],
): Json {
	const type = readable(world, entity);
	const selection = select(type, paths.some((path) => path.trim()) ? paths : ['*']);
	const row = existing(world, type, parseId(id));
	return { Data: world.projector.project(type, row, selection) };
}

export function createEntity(world: World, entity: string, values: Json): Json {
	const type = entityNamed(entity);
	requireSupported(type.name, 'create');
	if (world.settings.strict) requireKnownMembers(type.name, values);
	return entitySpecifier(type, createRecord(world, type, values));
}

export function updateEntity(
	world: World,
	entity: string,
	values: Json,
	paths: readonly string[],
): Json {
	const type = entityNamed(entity);
	requireSupported(type.name, 'update');
	const selection = select(type, paths);
	if (world.settings.strict) requireKnownMembers(type.name, values);
	const row = existing(world, type, parseId(member(values, 'Id')));
	const version = Number(member(values, 'ConcurrencyId') ?? 0);
	if (world.settings.imposeConcurrencyId && version !== 0 && version !== row.ConcurrencyId) {
		conflict();
	}
	updateRecord(world, type, row, values, selection);
	markModified(world, type, row);
	return entitySpecifier(type, row);
}

/** WoLastModificationCommand needs this time, which the model of a work order does not have. */
function markModified(world: World, type: EntityType, row: Row): void {
	if (type.name === 'WorkOrder') row.$modified = world.clock.now();
}

export function deleteEntity(
	world: World,
	entity: string,
	id: unknown,
	ignoreMissing: boolean,
): Json {
	const type = entityNamed(entity);
	requireSupported(type.name, 'delete');
	const wanted = parseId(id);
	const row = world.store.get(type.name, wanted);
	if (!row) {
		if (!ignoreMissing) notFound(type.name, wanted);
	} else if (!type.softDelete) {
		removeRecord(world, type, row);
	} else if (row.IsRemoved !== true) {
		world.store.change(type.name, wanted, removalChanges(type.name, row));
	}
	return { EntitySpecifier: { EntityType: type.name, Id: wanted } };
}

export function restoreEntity(world: World, entity: string, id: unknown): Json {
	const type = entityNamed(entity);
	const row = existing(world, type, parseId(id));
	if (!type.softDelete) failUnsupported(type.name, 'restore');
	if (row.IsRemoved === true) world.store.change(type.name, row.Id, restoreChanges(row));
	return entitySpecifier(type, row);
}

/** A record as commands answer it: references as `{Id}`. */
export function toAnswer(world: World, entity: string, row: Row, paths = ['*']): Values {
	const type = entityNamed(entity);
	return world.projector.project(type, row, select(type, paths));
}
