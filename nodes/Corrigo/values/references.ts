import { getNameProperties, type RowSource, type Target } from '../catalogue/targets';
import { fail, ValidationError } from './errors';
import { isLocator, isObject, type JsonObject, readPath } from './objects';
import { isBlank } from './input';

/** Numbers beyond 2^53 would lose digits in JSON. A text with leading zeros is not an Id; tables write 7.0. */
export function parseId(field: string, input: unknown, advice?: string): number {
	const value = toRecordId(input);
	const id =
		typeof value === 'string' && /^\s*[1-9]\d*(\.0+)?\s*$/.test(value)
			? Number(value)
			: (value as number);
	if (Number.isSafeInteger(id) && id > 0) return id;
	const expected = Array.isArray(value) ? 'one value, not a list' : 'a positive whole number';
	return fail(field, value, expected, advice);
}

/** Digits are an ID; any other text is a name. */
export const isName = (value: unknown): value is string =>
	typeof value === 'string' && !isBlank(value) && Number.isNaN(Number(value));

/** Tells an ID from a name; a list or an object is neither. */
export const isId = (value: unknown): boolean =>
	!isBlank(value) && typeof value !== 'object' && !isName(value);

/** Users may pass a whole record, a reference to one, or a choice of a list in place of its Id. */
export function toRecordId(value: unknown): unknown {
	let inner = value;
	for (;;) {
		if (isLocator(inner)) inner = inner.value;
		else if (isObject(inner) && !isBlank(inner.Id)) inner = inner.Id;
		else return inner;
	}
}

/** Returns the name that a reference has in place of an Id. */
export const findRecordName = (entity: string, value: JsonObject): string | undefined =>
	getNameProperties(entity)
		.map((path) => readPath(value, path))
		.find(isName);

/** Returns the ID or the name of the record that is meant; a record without its Id has its name. */
export function toIdOrName(field: string, input: unknown, target: Target): unknown {
	const value = toRecordId(input);
	if (!isObject(value)) return value;
	const name = findRecordName(target.entity, value);
	if (name !== undefined) return name;
	throw new ValidationError(
		`'${field}' has no Id, so it is not known which ${target.noun} is meant`,
		'Give its Id or name.',
	);
}

/** Finds the ID of the record that a value names; throws if there is none, or more than one. */
export type IdResolver = (field: string, value: unknown, target: Target) => number;

export type RecordValue = string | number | boolean;

/** Finds the rows that have this value in one of the properties that the source names. */
export type RecordFinder = (source: RowSource, value: RecordValue) => JsonObject[];

export interface RecordNames {
	resolveId: IdResolver;
	findRows: RecordFinder;
}

export interface FilterContext extends RecordNames {
	/** Current time on the clock of Corrigo. */
	now: () => number;
	/** Time zone of the workflow. */
	timeZone: string;
}

/** A record or reference may hold a name in place of its Id. */
export const isNamed = (value: unknown): boolean => isName(toRecordId(value));
