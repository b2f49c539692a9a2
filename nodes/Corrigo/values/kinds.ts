import { getEntity, findEntityMemberType } from '../catalogue/entities';
import { findRowKinds } from '../catalogue/kinds';
import { isObject, type JsonObject } from './checks';

/** A row has a kind if its collection has one row of each kind. */
export function getKind(type: string, row: JsonObject): string | undefined {
	const { by, fallback } = findRowKinds(type) ?? {};
	const kind = by === undefined ? undefined : readPath(row, by);
	const isKnown = kind !== undefined && kind !== null && !(fallback && kind === 'Unknown');
	return isKnown ? String(kind) : fallback;
}

/** Entities with an actor type can have custom fields that the contract does not list. */
export function getRowType(entity: string, collection: string): string | undefined {
	const type = findEntityMemberType(entity, collection);
	if (type?.endsWith('[]')) return type.replace('[]', '');
	const hasCustomFields = type === undefined && getEntity(entity)?.actorTypes !== undefined;
	return hasCustomFields && collection === 'CustomFields' ? 'CustomField2' : undefined;
}

/** Follows a path through references. Names match in any case, as in the service. */
export function readPath(row: unknown, path: string): unknown {
	return path.split('.').reduce<unknown>((value, name) => getMember(value, name), row);
}

export function getMember(row: unknown, name: string): unknown {
	if (!isObject(row)) return undefined;
	const names = Object.keys(row);
	const found = names.includes(name)
		? name
		: names.find((one) => one.toLowerCase() === name.toLowerCase());
	return found === undefined ? undefined : row[found];
}

/** Returns a copy; the value `undefined` removes the member. */
export const replaceMember = (members: JsonObject, name: string, value: unknown): JsonObject =>
	Object.fromEntries(
		Object.entries(members)
			.map(([one, old]) => [one, one.toLowerCase() === name.toLowerCase() ? value : old] as const)
			.filter(([, one]) => one !== undefined),
	);
