import { isObject, Refusal, type JsonObject } from './checks';

export interface Changes {
	Properties: string[];
	Entity: JsonObject;
}

/** Members that say which record is meant, not what is to be written. */
const IDENTITY = ['Id', 'ConcurrencyId'];

/**
 * The body of an update: `Properties` names exactly what the user set, since the service writes
 * what is listed and may reset what is listed but left out (`*` lists everything).
 */
export function changesOf(field: string, id: number, fields: JsonObject): Changes {
	const entity = nested(field, fields);
	if (entity.Id !== undefined && Number(entity.Id) !== id) {
		throw new Refusal(`'${field}' has the Id ${String(entity.Id)}, but the record chosen is ${id}`);
	}
	const properties = Object.entries(entity)
		.filter(([name]) => !IDENTITY.includes(name))
		.flatMap(([name, value]) => pathsOf(field, name, value));
	if (properties.length === 0) {
		throw new Refusal(`'${field}' has nothing to change`, 'Set at least one property.');
	}
	return { Properties: properties, Entity: { ...entity, Id: id } };
}

/** `{ "Address.Street": "x" }` means the same as `{ "Address": { "Street": "x" } }`. */
export function nested(field: string, fields: JsonObject): JsonObject {
	const result: JsonObject = {};
	for (const [path, value] of Object.entries(fields)) {
		const names = path.split('.');
		const last = names.pop() as string;
		if ([...names, last].some((name) => !/^[A-Za-z_]\w*$/.test(name))) {
			throw new Refusal(`'${field}' has ${JSON.stringify(path)}, which is not a property name`);
		}
		let owner = result;
		for (const name of names) {
			if (!isObject((owner[name] ??= {}))) {
				throw new Refusal(`'${field}' sets both '${name}' and a property of it`);
			}
			owner = owner[name] as JsonObject;
		}
		owner[last] = isObject(owner[last]) && isObject(value) ? { ...owner[last], ...value } : value;
	}
	return result;
}

const isMoney = (value: JsonObject) =>
	Object.keys(value).every((name) => name === 'Value' || name === 'CurrencyTypeId');

function pathsOf(field: string, path: string, value: unknown): string[] {
	if (Array.isArray(value)) return [`${path}.*`];
	if (!isObject(value) || (Object.keys(value).length > 0 && isMoney(value))) return [path];
	if (Object.keys(value).length === 0) {
		throw new Refusal(`'${field}' has an empty object for '${path}'`);
	}
	return Object.entries(value).flatMap(([name, inner]) => pathsOf(field, `${path}.${name}`, inner));
}
