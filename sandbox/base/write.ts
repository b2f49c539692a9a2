import { breakRule, term } from '../errors';
import { actorKinds, follow } from '../query/paths';
import { emptySelection, type Selection } from '../query/projection';
import { accept, defaultOf } from '../query/values';
import type { World } from '../runtime/world';
import { isObject, typeOf, type EntityType, type Field, type ObjectField } from '../schema';
import { FOREIGN_KEYS, OWNED } from '../schema/relations';
import { isJson, member, type Json } from '../shapes';
import type { Row, Values } from '../store/store';
import { keepRequired, limitMembers, requireMembers } from './requirements';
import { SPECIAL } from './special';

/** Members the service keeps for itself. */
const OWN: ReadonlySet<string> = new Set(['Id', 'ConcurrencyId', 'IsRemoved']);

/** Everything an entity carries: what a create writes. */
function everythingIn(type: EntityType, entity: Json): Selection {
	const selection = emptySelection();
	for (const key of Object.keys(entity)) {
		const field = type.field(key);
		if (!field || entity[key] === null) continue;
		if (isObject(field)) selection.objects.set(field.name, { ...emptySelection(), star: true });
		else selection.scalars.add(field.name);
	}
	return selection;
}

export function createRecord(
	world: World,
	type: EntityType,
	entity: Json,
	owner: Values = {},
): Row {
	const selection = everythingIn(type, entity);
	const sent = { ...ownValues(world, type, entity, selection), ...owner };
	const values = SPECIAL[type.name]?.prepare?.(world, sent, undefined) ?? sent;
	requireMembers(type.name, values);
	limitMembers(world.store, type.name, values);
	const row = world.store.insert(type.name, values);
	writeChildren(world, type, row, entity, selection);
	SPECIAL[type.name]?.created?.(world, row);
	return row;
}

/** Writes exactly the selected members; `*` writes all scalars, left-out ones as their defaults. */
export function updateRecord(
	world: World,
	type: EntityType,
	row: Row,
	entity: Json,
	selection: Selection,
): void {
	const wanted = ownValues(world, type, entity, selection);
	const values = SPECIAL[type.name]?.prepare?.(world, wanted, row) ?? wanted;
	if (!selection.star) keepRequired(type.name, values);
	limitMembers(world.store, type.name, values, row);
	world.store.change(type.name, row.Id, values);
	if (writeChildren(world, type, row, entity, selection)) world.store.touch(type.name, row.Id);
}

function ownValues(world: World, type: EntityType, entity: Json, selection: Selection): Values {
	const values: Values = {};
	for (const field of type.fields) {
		if (OWN.has(field.name)) continue;
		const sent = member(entity, field.name) ?? undefined;
		if (!isObject(field)) {
			const named = selection.scalars.has(field.name) || (selection.star && !field.hidden);
			if (!named) continue;
			values[field.name] = sent === undefined ? defaultOf(field) : accept(field, sent);
			checkKey(world, field, values[field.name]);
		} else if (isLinked(type, field, selection, sent)) {
			values[field.name] = link(world, field, sent);
		}
	}
	return values;
}

function checkKey({ store }: World, { name }: Field, value: unknown): void {
	const entity = FOREIGN_KEYS[name];
	if (entity && Number(value) > 0 && !store.get(entity, Number(value)))
		unknownRecord(entity, value);
}

function unknownRecord(entity: string, id: unknown): never {
	return breakRule(`${term(entity)} with Id ${String(id)} cannot be found`);
}

/** References are written by their Id alone, whatever else the object holds. */
function isLinked(
	type: EntityType,
	field: ObjectField,
	selection: Selection,
	sent: unknown,
): boolean {
	if (field.kind === 'collection' || field.sharesId) return false;
	const inner = selection.objects.get(field.name);
	if (field.kind === 'value') return inner !== undefined || (selection.star && sent !== undefined);
	if (OWNED.has(`${type.name}.${field.name}`)) return false;
	if (!inner) return selection.star && sent !== undefined;
	return inner.star || inner.scalars.has('Id');
}

function link({ store }: World, field: ObjectField, sent: unknown): unknown {
	if (!isJson(sent)) return undefined;
	if (field.kind === 'value') return canonical(typeOf(field.entity), sent);
	const id = Number(member(sent, 'Id') ?? 0);
	if (id === 0) return undefined;
	if (store.count(field.entity) > 0 && !store.get(field.entity, id))
		unknownRecord(field.entity, id);
	return { Id: id };
}

function canonical(type: EntityType, sent: Json): Values {
	const values: Values = {};
	for (const field of type.fields) {
		const value = member(sent, field.name);
		if (!isObject(field) && value !== undefined) values[field.name] = accept(field, value);
	}
	return values;
}

/** Rows of their own that belong to the record. Says whether there was anything to write. */
function writeChildren(
	world: World,
	type: EntityType,
	row: Row,
	entity: Json,
	selection: Selection,
): boolean {
	let written = false;
	for (const [name, inner] of selection.objects) {
		const field = type.field(name);
		const sent = member(entity, name);
		if (!field || !isObject(field)) continue;
		if (field.kind === 'collection' && Array.isArray(sent)) {
			for (const child of sent.filter(isJson)) writeChild(world, type, row, field, child, inner);
			written ||= sent.length > 0;
		} else if (OWNED.has(`${type.name}.${name}`) && isJson(sent)) {
			writePart(world, type, row, field, sent, inner);
			written = true;
		}
	}
	return written;
}

function ownership(type: EntityType, row: Row, { key, kindKey }: ObjectField): Values {
	if (!key) return {};
	return { [key]: row.Id, ...(kindKey ? { [kindKey]: actorKinds(type.name, row)[0] } : {}) };
}

function writeChild(
	world: World,
	type: EntityType,
	row: Row,
	field: ObjectField,
	child: Json,
	selection: Selection,
): void {
	const target = typeOf(field.entity);
	const id = Number(member(child, 'Id') ?? 0);
	const known = id > 0 ? world.store.get(target.name, id) : undefined;
	if (id > 0 && !known) unknownRecord(target.name, id);
	if (member(child, 'PerformDeletion') === true) {
		if (known) world.store.remove(target.name, id);
	} else if (known) {
		const wanted = selection.star ? everythingIn(target, child) : selection;
		updateRecord(world, target, known, child, wanted);
	} else {
		createRecord(world, target, child, ownership(type, row, field));
	}
}

/** A part such as an address or the costs of an order: changed in place, made where there is none. */
function writePart(
	world: World,
	type: EntityType,
	row: Row,
	field: ObjectField,
	sent: Json,
	selection: Selection,
): void {
	const target = typeOf(field.entity);
	const known = follow(world.store, row, field);
	if (known) {
		const wanted = selection.star ? everythingIn(target, sent) : selection;
		updateRecord(world, target, known, sent, wanted);
		return;
	}
	const kind = actorKinds(type.name, row)[0];
	const part = createRecord(world, target, sent, {
		...(field.sharesId ? { Id: row.Id } : {}),
		...(target.field('ActorId') ? { ActorId: row.Id, ActorTypeId: kind } : {}),
	});
	if (!field.sharesId) world.store.change(type.name, row.Id, { [field.name]: { Id: part.Id } });
}
