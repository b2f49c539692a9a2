import { entityNamed, fieldType } from '../catalogue/entities';
import { kindsOf } from '../catalogue/kinds';
import { isObject, type JsonObject } from './checks';

/** Which kind a row of the type is of, if they are told apart so. */
export function kindOf(type: string, row: JsonObject): string | undefined {
	const { by, fallback } = kindsOf(type) ?? {};
	const kind = by === undefined ? undefined : valueAt(row, by);
	const isKnown = kind !== undefined && kind !== null && !(fallback && kind === 'Unknown');
	return isKnown ? String(kind) : fallback;
}

/** The type of the rows of a collection. Custom fields belong to records that do not carry them, too. */
export function rowType(entity: string, collection: string): string | undefined {
	const type = fieldType(entity, collection);
	if (type?.endsWith('[]')) return type.replace('[]', '');
	const hasCustomFields = type === undefined && entityNamed(entity)?.actorTypes !== undefined;
	return hasCustomFields && collection === 'CustomFields' ? 'CustomField2' : undefined;
}

/** What a path leads to, through references. Case counts for nobody. */
export function valueAt(row: unknown, path: string): unknown {
	return path.split('.').reduce<unknown>((value, name) => memberNamed(value, name), row);
}

export function memberNamed(row: unknown, name: string): unknown {
	if (!isObject(row)) return undefined;
	const names = Object.keys(row);
	const found = names.includes(name)
		? name
		: names.find((one) => one.toLowerCase() === name.toLowerCase());
	return found === undefined ? undefined : row[found];
}

/** A record with another value for a member, or without it. */
export const withMember = (members: JsonObject, name: string, value: unknown): JsonObject =>
	Object.fromEntries(
		Object.entries(members)
			.map(([one, old]) => [one, one.toLowerCase() === name.toLowerCase() ? value : old] as const)
			.filter(([, one]) => one !== undefined),
	);
