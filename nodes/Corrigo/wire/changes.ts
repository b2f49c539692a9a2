import { isObject, ValidationError, quote, type JsonObject } from '../values/checks';

export interface Changes {
	Properties: string[];
	Entity: JsonObject;
}

/** These members identify the record and are not written themselves. The service ignores case. */
const isId = (name: string) => /^id$/i.test(name);
const isIdentity = (name: string) => isId(name) || /^ConcurrencyId$/i.test(name);

const NOTHING_TO_CHANGE =
	'Set at least one property. Empty lists, and what Corrigo keeps itself, are left out.';

/**
 * The body of an update. `Properties` names exactly the properties that the user set: the service
 * writes every property listed, and may reset one that is listed but missing (`*` lists all).
 */
export function buildChanges(field: string, id: number, fields: JsonObject): Changes {
	const members = Object.entries(nestPaths(field, fields));
	const other = members.find(([name, value]) => isId(name) && Number(value) !== id);
	if (other !== undefined) {
		throw new ValidationError(
			`'${field}' has the Id ${quote(other[1])}, but the record chosen is ${id}`,
		);
	}
	const properties = members
		.filter(([name]) => !isIdentity(name))
		.flatMap(([name, value]) => listPaths(field, name, value));
	if (properties.length === 0) {
		throw new ValidationError(`'${field}' has nothing to change`, NOTHING_TO_CHANGE);
	}
	const entity = Object.fromEntries(members.filter(([name]) => !isId(name)));
	return { Properties: properties, Entity: { ...entity, Id: id } };
}

/** `{ "Address.Street": "x" }` means the same as `{ "Address": { "Street": "x" } }`. */
export const nestPaths = (field: string, fields: JsonObject): JsonObject =>
	merge(field, {}, fields);

const PATH = /^[A-Za-z]\w*(\.[A-Za-z]\w*)*$/;

/** Leaves `fields` unchanged, because it may belong to an input item. */
function merge(field: string, into: JsonObject, fields: JsonObject): JsonObject {
	for (const [path, value] of Object.entries(fields)) {
		// JSON has no undefined, so the member counts as not set.
		if (value === undefined) continue;
		if (!PATH.test(path)) {
			throw new ValidationError(`'${field}' has ${quote(path)}, which is not a property name`);
		}
		const [name, ...rest] = path.split('.');
		const inner: unknown = rest.length > 0 ? { [rest.join('.')]: value } : value;
		const before: unknown = Object.getOwnPropertyDescriptor(into, name)?.value;
		if (before !== undefined && !(isObject(before) && isObject(inner))) {
			throw new ValidationError(`'${field}' sets '${name}' twice, or both it and a property of it`);
		}
		into[name] = isObject(inner) ? merge(field, (before ?? {}) as JsonObject, inner) : inner;
	}
	return into;
}

const isMoney = (value: JsonObject) =>
	Object.keys(value).every((name) => name === 'Value' || name === 'CurrencyTypeId');

function listPaths(field: string, path: string, value: unknown): string[] {
	if (Array.isArray(value)) return [`${path}.*`];
	if (!isObject(value) || (Object.keys(value).length > 0 && isMoney(value))) return [path];
	if (Object.keys(value).length === 0) {
		throw new ValidationError(`'${field}' has an empty object for '${path}'`);
	}
	return Object.entries(value).flatMap(([name, inner]) =>
		listPaths(field, `${path}.${name}`, inner),
	);
}
