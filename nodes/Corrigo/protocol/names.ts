import { entityNamed } from '../catalogue/entities';
import { isEnumerationName } from '../catalogue/enumerations';
import { memberType } from '../catalogue/members';
import { targetOf, targetOn, type Target } from '../catalogue/targets';
import { isBlank, isObject, type JsonObject } from './checks';
import { idOfRecord, memberOf } from './values';

/** Finds the ID of the record that a value names; throws if it names none, or several. */
export type IdOf = (field: string, value: unknown, target: Target) => number;

export type RecordValue = string | number | boolean;

/** Finds the records that have a value in the property that the target names. */
export type RowsOf = (target: Target, value: RecordValue) => JsonObject[];

export interface RecordNames {
	idOf: IdOf;
	rowsOf: RowsOf;
}

export interface FilterContext extends RecordNames {
	/** The time by the clock of Corrigo. */
	now: () => number;
}

/** Digits are an ID, any other text is a name. */
export const isName = (value: unknown): value is string =>
	typeof value === 'string' && !isBlank(value) && Number.isNaN(Number(value));

const isId = (value: unknown): boolean =>
	typeof value === 'number'
		? value > 0
		: typeof value === 'string' && /^\s*[1-9]\d*\s*$/.test(value);

/** Whether a record or reference is given by name in place of its Id. */
export const isNamed = (value: unknown): boolean => isName(idOfRecord(value));

/** Replaces names by Ids, and labels by enumeration members. Unknown members stay as they are. */
export const withIds = (owner: string, field: string, given: JsonObject, idOf: IdOf): JsonObject =>
	Object.fromEntries(
		Object.entries(given).map(([name, value]) => {
			const inside = { owner, member: name, fieldLabel: `${field} > ${name}` };
			const one = (each: unknown) => valueWithIds(inside, each, idOf);
			return [name, Array.isArray(value) ? value.map(one) : one(value)];
		}),
	);

interface Place {
	owner: string;
	member: string;
	fieldLabel: string;
}

function valueWithIds({ owner, member, fieldLabel }: Place, value: unknown, idOf: IdOf): unknown {
	const type = memberType(owner, member)?.replace('[]', '') ?? '';
	// Integers pass: the numbers of most members are not published.
	if (isEnumerationName(type))
		return isBlank(value) || Number.isInteger(value) ? value : memberOf(fieldLabel, value, type);
	const entity = entityNamed(type)?.name;
	const target = entity === undefined ? targetOf(owner, member) : targetOn(entity);
	if (target !== undefined && (isId(value) || (target.by.length > 0 && isNamed(value)))) {
		const Id = idOf(fieldLabel, value, target);
		if (entity !== undefined) return isObject(value) ? { ...value, Id } : { Id };
		// The service expects some Ids as text.
		return type === 'string' ? String(Id) : Id;
	}
	return isObject(value) ? withIds(type, fieldLabel, value, idOf) : value;
}
