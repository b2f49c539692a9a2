import { failBusinessLogic, notFound, fail, term } from '../errors';
import { normalizeTime } from '../runtime/times';
import type { World } from '../runtime/world';
import { enumeration } from '../schema';
import { isJsonObject, member, canonicalName, type Json } from '../shapes';
import type { Row } from '../store/store';

/** The members of a command: names are not case-sensitive, and unknown ones are ignored. */
export class Arguments {
	constructor(readonly members: Json) {}

	get(name: string): unknown {
		return member(this.members, name) ?? undefined;
	}

	has(name: string): boolean {
		return this.get(name) !== undefined;
	}

	/** Left out, an integer is 0, as everywhere in the service. */
	int(name: string): number {
		const value = this.get(name) ?? 0;
		if (!/^-?\d{1,15}$/.test(String(value))) this.failType(name);
		return Number(value);
	}

	/** Requires the Id of an existing record. */
	id(name: string, entity: string, world: World): Row {
		const id = this.int(name);
		if (id === 0) fail('IDENTIFIER_NOT_FOUND', `${name} is not given.`);
		return world.store.get(entity, id) ?? notFound(entity, id);
	}

	/** Allows the Id to be left out; if given, the record must exist. */
	optionalId(name: string, entity: string, world: World): Row | undefined {
		const id = this.int(name);
		return id === 0 ? undefined : requireActive(world, entity, id);
	}

	text(name: string, maxLength = 3072): string | undefined {
		const value = this.get(name);
		if (value === undefined) return undefined;
		if (typeof value === 'object') this.failType(name);
		if (String(value).length > maxLength)
			failBusinessLogic(`${name} must not be longer than ${maxLength} characters`);
		return String(value);
	}

	bool(name: string): boolean {
		const value = this.get(name) ?? false;
		if (value === true || value === 'true') return true;
		return value === false || value === 'false' ? false : this.failType(name);
	}

	enum(name: string, type: string): string | undefined {
		const value = this.get(name);
		return value === undefined
			? undefined
			: (canonicalName(enumeration(type), value) ?? this.failType(name));
	}

	time(name: string): number | undefined {
		const clock = this.clock(name);
		return clock === undefined ? undefined : Date.parse(`${clock}Z`);
	}

	/** The service drops the zone of a time. */
	clock(name: string): string | undefined {
		const text = this.text(name);
		return text === undefined ? undefined : (normalizeTime(text, 7) ?? this.failType(name));
	}

	ids(name: string): number[] {
		const value = this.get(name) ?? [];
		if (!Array.isArray(value) || !value.every((id) => /^\d+$/.test(String(id))))
			this.failType(name);
		return (value as unknown[]).map(Number);
	}

	object(name: string): Arguments | undefined {
		const value = this.get(name);
		if (value === undefined) return undefined;
		if (typeof value !== 'object' || Array.isArray(value)) this.failType(name);
		return new Arguments(value as Json);
	}

	objects(name: string): Arguments[] {
		const value = this.get(name) ?? [];
		if (!Array.isArray(value)) return this.failType(name);
		return value.map((item) => (isJsonObject(item) ? new Arguments(item) : this.failType(name)));
	}

	/** Reads `{Name: {Id}}`; the record must exist. */
	reference(name: string, entity: string, world: World): Row | undefined {
		return this.object(name)?.optionalId('Id', entity, world);
	}

	private failType(name: string): never {
		return fail('INCORRECT_MODEL', `The value of ${name} is not of the right type.`);
	}
}

export function requireActive(world: World, entity: string, id: number): Row {
	const row = world.store.get(entity, id);
	if (!row || row.IsRemoved === true)
		failBusinessLogic(`${term(entity)} with Id ${id} cannot be found`);
	return row;
}

export type Handler = (world: World, args: Arguments) => Json;
