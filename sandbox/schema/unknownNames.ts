import { fail } from '../errors';
import { isJsonObject } from '../shapes';
import { commands } from './contract';
import { findType, isObject } from './index';

/** The service ignores names that it does not know. Tests must not: what they send would get lost. */
function failUnknownName(owner: string, path: string): never {
	return fail(
		'INCORRECT_MODEL',
		`${owner} has no member '${path}': Corrigo would ignore it. Correct the name, or add it to contract.json.`,
	);
}

export function requireKnownMembers(entity: string, values: unknown): void {
	const unknown = findUnknownName(entity, values);
	if (unknown !== undefined) failUnknownName(entity, unknown);
}

export function requireKnownArguments(command: string, values: object): void {
	const { members } = commands[command];
	const types = new Map(
		Object.entries(members).map(([name, type]) => [name.toLowerCase(), type.replace('[]', '')]),
	);
	for (const [name, value] of Object.entries(values)) {
		const type = types.get(name.toLowerCase());
		if (type === undefined) failUnknownName(command, name);
		const unknown = findUnknownName(type, value);
		if (unknown !== undefined) failUnknownName(command, `${name}.${unknown}`);
	}
}

/**
 * Names that are sent although the model lacks them: any entity may name its own type, and the contract has
 * `Contactid`, which live Companies ignore.
 */
const ALSO_SENT: readonly string[] = ['EntityType', 'Contactid'];

/** The path of the first name that is unknown. */
function findUnknownName(typeName: string, value: unknown): string | undefined {
	if (Array.isArray(value)) {
		const found = value.map((one) => findUnknownName(typeName, one));
		return found.find((path) => path !== undefined);
	}
	const type = findType(typeName);
	if (type === undefined || !isJsonObject(value)) return undefined;
	for (const [name, inner] of Object.entries(value)) {
		const field = type.field(name);
		if (field === undefined && ALSO_SENT.includes(name)) continue;
		if (field === undefined) return name;
		const unknown = isObject(field) ? findUnknownName(field.entity, inner) : undefined;
		if (unknown !== undefined) return `${name}.${unknown}`;
	}
	return undefined;
}
