/** A Corrigo in which every entity has records with all of their known members. */
import { entities, getKeyProperties } from '../../nodes/Corrigo/catalogue/entities';
import { findMemberTarget } from '../../nodes/Corrigo/catalogue/targets';
import type { Sandbox } from '../../sandbox';
import { isObject, typeOf, type Field, type ObjectField } from '../../sandbox/schema';
import type { Store, Values } from '../../sandbox/store/store';

const SCALARS = {
	boolean: () => true,
	datetime: (id: number) => `2026-01-15T12:00:${String(id % 60).padStart(2, '0')}`,
	integer: (id: number) => id,
	number: (id: number) => id + 0.5,
	string: (id: number) => `text ${id}`,
};

const ROWS = 3;

const isKey = (entity: string, name: string) => getKeyProperties(entity)?.includes(name) === true;

function another(store: Store, entity: string, Id = (store.ids(entity).at(-1) ?? 0) + 1): number {
	return store.insert(entity, { Id }).Id;
}

/** Returns an existing record. Some share the Id of the record that refers to them. */
function referred(store: Store, { entity, sharesId }: ObjectField, id: number): number {
	if (!sharesId) return store.ids(entity)[0];
	return store.get(entity, id)?.Id ?? another(store, entity, id);
}

function valueOf(store: Store, entity: string, field: Field, id: number): unknown {
	if (!isObject(field)) {
		const target = findMemberTarget(entity, field.name)?.entity;
		if (field.kind === 'integer' && target !== undefined && !isKey(entity, field.name)) {
			return store.ids(target)[0];
		}
		return field.kind === 'enum' ? field.members?.[0] : SCALARS[field.kind](id);
	}
	if (field.kind === 'collection') return undefined;
	if (field.kind === 'reference') return { Id: referred(store, field, id) };
	return field.entity === 'MoneyValue'
		? { Value: 1.5, CurrencyTypeId: 'USD' }
		: { Id: id, TypeId: 'Employee' };
}

/** Adds the missing members to a record; the members that it has stay as they are. */
function completed(store: Store, entity: string, id: number): Values {
	const row = store.existing(entity, id);
	const missing = typeOf(entity).fields.filter(({ name }) => row[name] === undefined);
	const made = missing.map((field) => [field.name, valueOf(store, entity, field, id)] as const);
	return Object.fromEntries(made.filter(([, value]) => value !== undefined));
}

export function fill({ store }: Sandbox): void {
	for (const { name } of entities) {
		while (store.count(name) < ROWS) another(store, name);
	}
	for (const { name } of entities) {
		for (const id of store.ids(name)) store.change(name, id, completed(store, name, id));
	}
}
