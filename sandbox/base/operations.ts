import { breakRule, conflict, notFound, refuse } from '../errors';
import { select } from '../query/projection';
import type { World } from '../runtime/world';
import { entityNamed, type EntityType, type ScalarField } from '../schema';
import { member, type Json } from '../shapes';
import type { Row, Values } from '../store/store';
import { permit, unsupported } from './rules';
import { removed, restored } from './special';
import { createRecord, updateRecord } from './write';

function specifier(type: EntityType, row: Row): Json {
	return {
		EntitySpecifier: {
			EntityType: type.name,
			Id: row.Id,
			...(type.lock ? { ConcurrencyId: row.ConcurrencyId } : {}),
		},
	};
}

function idOf(value: unknown): number {
	if (value === undefined || value === null || value === '' || Number(value) === 0) {
		return refuse('IDENTIFIER_NOT_FOUND', 'Identifier is not found.');
	}
	if (!/^\d{1,15}$/.test(String(value))) {
		return refuse('INCORRECT_MODEL', `'${String(value)}' is not an identifier.`);
	}
	return Number(value);
}

/** The first row of that Id, where rows share one. */
function find({ store }: World, type: EntityType, id: number): Row | undefined {
	const { held } = type.field('Id') as ScalarField;
	return held ? store.children(type.name, held, id)[0] : store.get(type.name, id);
}

export function existing(world: World, type: EntityType, id: number): Row {
	return find(world, type, id) ?? notFound(type.name, id);
}

/** The type a caller wants to read, if the role of the service user lets it. */
export function readable({ settings }: World, entity: string): EntityType {
	const type = entityNamed(entity);
	if (settings.unreadable.includes(type.name)) {
		breakRule(`You do not have permission to read ${type.name}`);
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
	const row = existing(world, type, idOf(id));
	return { Data: world.projector.project(type, row, selection) };
}

export function createEntity(world: World, entity: string, values: Json): Json {
	const type = entityNamed(entity);
	permit(type.name, 'create');
	return specifier(type, createRecord(world, type, values));
}

export function updateEntity(
	world: World,
	entity: string,
	values: Json,
	paths: readonly string[],
): Json {
	const type = entityNamed(entity);
	permit(type.name, 'update');
	const selection = select(type, paths);
	const row = existing(world, type, idOf(member(values, 'Id')));
	const version = Number(member(values, 'ConcurrencyId') ?? 0);
	if (world.settings.imposeConcurrencyId && version !== 0 && version !== row.ConcurrencyId) {
		conflict();
	}
	updateRecord(world, type, row, values, selection);
	modified(world, type, row);
	return specifier(type, row);
}

/** Kept beside the members of the model, for the command that asks for the last modification. */
function modified(world: World, type: EntityType, row: Row): void {
	if (type.name === 'WorkOrder') row.$modified = world.clock.now();
}

export function deleteEntity(
	world: World,
	entity: string,
	id: unknown,
	ignoreMissing: boolean,
): Json {
	const type = entityNamed(entity);
	permit(type.name, 'delete');
	const wanted = idOf(id);
	const row = world.store.get(type.name, wanted);
	if (!row) {
		if (!ignoreMissing) notFound(type.name, wanted);
	} else if (!type.softDelete) {
		world.store.remove(type.name, wanted);
	} else if (row.IsRemoved !== true) {
		world.store.change(type.name, wanted, removed(type.name, row));
	}
	return { EntitySpecifier: { EntityType: type.name, Id: wanted } };
}

export function restoreEntity(world: World, entity: string, id: unknown): Json {
	const type = entityNamed(entity);
	const row = existing(world, type, idOf(id));
	if (!type.softDelete) unsupported(type.name, 'restore');
	if (row.IsRemoved === true) world.store.change(type.name, row.Id, restored(row));
	return specifier(type, row);
}

/** References as `{Id}`, the way commands answer, plus the paths asked for. */
export function answerWith(world: World, entity: string, row: Row, paths = ['*']): Values {
	const type = entityNamed(entity);
	return world.projector.project(type, row, select(type, paths));
}
