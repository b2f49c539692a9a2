import { entityNamed } from '../catalogue/entities';
import { isEnumerationName } from '../catalogue/enumerations';
import { typeMemberOf } from '../catalogue/actors';
import { memberType } from '../catalogue/members';
import { targetOf, targetOfType, targetOn, type Target } from '../catalogue/targets';
import { isBlank, isObject, quote, ValidationError, type JsonObject } from './checks';
import { memberNamed } from './kinds';
import { idOfRecord, memberOf } from './values';

/** Finds the ID of the record that a value names; throws if there is none, or more than one. */
export type IdOf = (field: string, value: unknown, target: Target) => number;

export type RecordValue = string | number | boolean;

/** Finds the records with this value in the property that the target names. */
export type RowsOf = (target: Target, value: RecordValue) => JsonObject[];

export interface RecordNames {
	idOf: IdOf;
	rowsOf: RowsOf;
}

export interface FilterContext extends RecordNames {
	/** Current time on the clock of Corrigo. */
	now: () => number;
}

/** Digits are an ID; any other text is a name. */
export const isName = (value: unknown): value is string =>
	typeof value === 'string' && !isBlank(value) && Number.isNaN(Number(value));

const isId = (value: unknown): boolean =>
	typeof value === 'number'
		? value > 0
		: typeof value === 'string' && /^\s*[1-9]\d*\s*$/.test(value);

/** A record or reference may hold a name in place of its Id. */
export const isNamed = (value: unknown): boolean => isName(idOfRecord(value));

/** A member of an entity or command, with access to the input next to it. */
export interface Place {
	owner: string;
	path: string;
	fieldLabel: string;
	/** Returns the input at another path. */
	siblingAt: (path: string) => unknown;
}

/** Some members can refer to records of several types; another member says which type is meant. */
export function targetAt(
	{ owner, path, fieldLabel, siblingAt }: Place,
	value: unknown,
): Target | undefined {
	const typeMember = typeMemberOf(owner, path);
	if (typeMember === undefined) return targetOf(owner, path);
	const type = siblingAt(typeMember);
	const target = isName(type)
		? targetOfType(memberOf(`${fieldLabel} (${typeMember})`, type, 'ActorType'))
		: targetOf(owner, path);
	if (target === undefined && isNamed(value)) {
		throw new ValidationError(
			`'${fieldLabel}' is ${quote(idOfRecord(value))}, which cannot be looked up`,
			isBlank(type)
				? `Give '${typeMember}' as well, such as Property for a work zone, or give the ID.`
				: 'Give the ID.',
		);
	}
	return target;
}

/** Replaces names with Ids, and labels with enumeration members. Unknown members are kept. */
export const withIds = (owner: string, field: string, given: JsonObject, idOf: IdOf): JsonObject =>
	Object.fromEntries(
		Object.entries(given).map(([name, value]) => {
			const siblingAt = (path: string) => memberNamed(given, path);
			const inside = { owner, path: name, fieldLabel: `${field} > ${name}`, siblingAt };
			const one = (each: unknown) => valueWithIds(inside, each, idOf);
			return [name, Array.isArray(value) ? value.map(one) : one(value)];
		}),
	);

function valueWithIds(place: Place, value: unknown, idOf: IdOf): unknown {
	const { owner, path, fieldLabel } = place;
	const type = memberType(owner, path)?.replace('[]', '') ?? '';
	// Corrigo does not publish the numbers of most members, so any integer passes.
	if (isEnumerationName(type))
		return isBlank(value) || Number.isInteger(value) ? value : memberOf(fieldLabel, value, type);
	const entity = entityNamed(type)?.name;
	const target = entity === undefined ? targetAt(place, value) : targetOn(entity);
	if (target !== undefined && (isId(value) || (target.by.length > 0 && isNamed(value)))) {
		const Id = idOf(fieldLabel, value, target);
		if (entity !== undefined) return isObject(value) ? { ...value, Id } : { Id };
		// The service expects some Ids as text.
		return type === 'string' ? String(Id) : Id;
	}
	return isObject(value) ? withIds(type, fieldLabel, value, idOf) : value;
}
