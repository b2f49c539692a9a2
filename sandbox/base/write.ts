import { failBusinessLogic, term } from '../errors';
import { actorKinds, collectionRows, referencedRow } from '../query/paths';
import { emptySelection, type Selection } from '../query/projection';
import { toStored, getDefault } from '../query/values';
import type { World } from '../runtime/world';
import { isObject, typeOf, type EntityType, type Field, type ObjectField } from '../schema';
import { FOREIGN_KEYS, OWNED } from '../schema/relations';
import { isJsonObject, member, type Json } from '../shapes';
import type { Row, Values } from '../store/store';
import { forbidEmptying, checkLimits, requireMembers } from './requirements';
import { ENTITY_RULES } from './entityRules';

/** An update with null removes these parts. */
const REMOVABLE: ReadonlySet<string> = new Set(['WorkOrder.Estimate', 'WorkOrder.Quote']);

/** The service sets these members itself and ignores those of the caller. */
const READ_ONLY: ReadonlySet<string> = new Set(['Id', 'ConcurrencyId', 'IsRemoved']);

/** Selects every member that was sent. A new record has nothing that null could empty. */
function selectAll(type: EntityType, entity: Json, { isNew = true } = {}): Selection {
	const selection = emptySelection();
	for (const key of Object.keys(entity)) {
		const field = type.field(key);
		if (!field || (isNew && entity[key] === null)) continue;
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
	const selection = selectAll(type, entity);
	const sent = { ...recordValues(world, type, entity, selection), ...owner };
	const values = ENTITY_RULES[type.name]?.prepare?.(world, sent, undefined) ?? sent;
	requireMembers(type.name, values);
	checkLimits(world.store, type.name, values);
	const row = world.store.insert(type.name, values);
	writeChildren(world, type, row, entity, selection);
	ENTITY_RULES[type.name]?.created?.(world, row);
	return row;
}

export function removeRecord(world: World, type: EntityType, row: Row): void {
	world.store.remove(type.name, row.Id);
	ENTITY_RULES[type.name]?.removed?.(world, row);
}

/** Writes exactly the selected members; `*` resets scalars that were not sent to their defaults. */
export function updateRecord(
	world: World,
	type: EntityType,
	row: Row,
	entity: Json,
	selection: Selection,
): void {
	const wanted = recordValues(world, type, entity, selection);
	const values = ENTITY_RULES[type.name]?.prepare?.(world, wanted, row) ?? wanted;
	if (!selection.star) forbidEmptying(type.name, values);
	checkLimits(world.store, type.name, values, row);
	world.store.change(type.name, row.Id, values);
	if (writeChildren(world, type, row, entity, selection)) world.store.touch(type.name, row.Id);
}

function recordValues(world: World, type: EntityType, entity: Json, selection: Selection): Values {
	const values: Values = {};
	for (const field of type.fields) {
		if (READ_ONLY.has(field.name)) continue;
		const sent = member(entity, field.name) ?? undefined;
		if (!isObject(field)) {
			const named = selection.scalars.has(field.name) || (selection.star && !field.hidden);
			if (!named) continue;
			values[field.name] = sent === undefined ? getDefault(field) : toStored(field, sent);
			checkForeignKey(world, field, values[field.name]);
		} else if (isWrittenReference(type, field, selection, sent)) {
			values[field.name] = storedReference(world, field, sent);
		}
	}
	return values;
}

function checkForeignKey({ store }: World, { name }: Field, value: unknown): void {
	const entity = FOREIGN_KEYS[name];
	if (entity && Number(value) > 0 && !store.get(entity, Number(value)))
		failUnknownRecord(entity, value);
}

function failUnknownRecord(entity: string, id: unknown): never {
	return failBusinessLogic(`${term(entity)} with Id ${String(id)} cannot be found`);
}

/** Only the Id of a reference is written; its other members are ignored. */
function isWrittenReference(
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

function storedReference({ store }: World, field: ObjectField, sent: unknown): unknown {
	if (!isJsonObject(sent)) return undefined;
	if (field.kind === 'value') return storedValueObject(typeOf(field.entity), sent);
	const id = Number(member(sent, 'Id') ?? 0);
	if (id === 0) return undefined;
	if (store.count(field.entity) > 0 && !store.get(field.entity, id))
		failUnknownRecord(field.entity, id);
	return { Id: id };
}

function storedValueObject(type: EntityType, sent: Json): Values {
	const values: Values = {};
	for (const field of type.fields) {
		const value = member(sent, field.name);
		if (!isObject(field) && value !== undefined) values[field.name] = toStored(field, value);
	}
	return values;
}

/** Writes the children of a record, and returns whether there were any. */
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
			for (const child of sent.filter(isJsonObject))
				writeChild(world, type, row, field, child, inner);
			written ||= sent.length > 0;
		} else if (OWNED.has(`${type.name}.${name}`) && isJsonObject(sent)) {
			writePart(world, type, row, field, sent, inner);
			written = true;
		} else if (sent === null && inner.star && REMOVABLE.has(`${type.name}.${name}`)) {
			const part = referencedRow(world.store, row, field);
			if (part) removePart(world, typeOf(field.entity), part);
			world.store.change(type.name, row.Id, { [name]: undefined });
			written = true;
		}
	}
	return written;
}

/** The rows of a part are removed with it. */
function removePart(world: World, type: EntityType, part: Row): void {
	for (const field of type.fields) {
		if (!isObject(field) || field.kind !== 'collection') continue;
		for (const row of collectionRows(world.store, type, part, field)) {
			removeRecord(world, typeOf(field.entity), row);
		}
	}
	removeRecord(world, type, part);
}

function parentMembers(type: EntityType, row: Row, field: ObjectField): Values {
	const { key, kindKey, shared = [] } = field;
	if (!key) return Object.fromEntries(shared.map((name) => [name, row[name]]));
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
	if (id > 0 && !known) failUnknownRecord(target.name, id);
	if (member(child, 'PerformDeletion') === true) {
		if (known) removeRecord(world, target, known);
	} else if (known) {
		const wanted = selection.star ? selectAll(target, child, { isNew: false }) : selection;
		updateRecord(world, target, known, child, wanted);
	} else {
		createRecord(world, target, child, parentMembers(type, row, field));
	}
}

/** Updates a part such as an address or the costs of an order, or creates it. */
function writePart(
	world: World,
	type: EntityType,
	row: Row,
	field: ObjectField,
	sent: Json,
	selection: Selection,
): void {
	const target = typeOf(field.entity);
	const known = referencedRow(world.store, row, field);
	if (known) {
		const wanted = selection.star ? selectAll(target, sent, { isNew: false }) : selection;
		updateRecord(world, target, known, sent, wanted);
		return;
	}
	const kind = actorKinds(type.name, row)[0];
	const part = createRecord(world, target, sent, {
		...(field.sharesId ? { Id: row.Id } : {}),
		...(target.field('ActorId') ? { ActorId: row.Id, ActorTypeId: kind } : {}),
		...(target.name === 'WoEstimate' ? { WorkOrderId: row.Id } : {}),
		...(target.name === 'WoQuote' ? { WoId: row.Id } : {}),
	});
	if (!field.sharesId) world.store.change(type.name, row.Id, { [field.name]: { Id: part.Id } });
}
