import { fail } from '../errors';
import { isObject, typeOf, type EntityType, type Field, type ObjectField } from '../schema';
import { ACTOR_KINDS } from '../schema/relations';
import type { Row, Store } from '../store/store';

export function requireField(type: EntityType, name: string): Field {
	return (
		type.field(name) ??
		fail('ERROR_CODE_1002', `${type.name} entity does not expose "${name}" property.`)
	);
}

export function failNotScalar(path: string): never {
	return fail('ERROR_CODE_1003', `Property path "${path}" must end with a scalar property.`);
}

export function objectField(type: EntityType, name: string): ObjectField {
	const field = requireField(type, name);
	if (isObject(field)) return field;
	return fail('ERROR_CODE_1002', `${type.name}.${field.name} is a scalar: it has no properties.`);
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null;

/** The row that a reference points to; a value object is its own row. */
export function referencedRow(store: Store, row: Row, field: ObjectField): Row | undefined {
	if (field.sharesId) return store.get(field.entity, row.Id);
	const value = row[field.name];
	if (!isRow(value)) return undefined;
	return field.kind === 'value' ? value : store.get(field.entity, value.Id);
}

export function collectionRows(
	store: Store,
	owner: EntityType,
	row: Row,
	field: ObjectField,
): Row[] {
	const [first, ...others] = field.shared ?? [];
	if (first !== undefined) {
		return store
			.children(field.entity, first, row[first])
			.filter((child) => others.every((name) => child[name] === row[name]));
	}
	if (!field.key) return [];
	const rows = store.children(field.entity, field.key, row.Id);
	if (!field.kindKey) return rows;
	const kinds = actorKinds(owner.name, row);
	return rows.filter((child) => kinds.includes(String(child[field.kindKey ?? ''])));
}

/** Employee rows may be service providers, which are of another kind. */
export function actorKinds(entity: string, row: Row): string[] {
	if (entity === 'Employee') return [String(row.ActorTypeId ?? 'Employee')];
	const kind = ACTOR_KINDS[entity];
	return kind ? [kind] : [];
}

export const getTarget = (field: ObjectField): EntityType => typeOf(field.entity);
