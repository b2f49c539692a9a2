import { fail } from '../errors';
import { normalizeTime } from '../runtime/times';
import type { ScalarField } from '../schema';
import { canonicalName } from '../shapes';

export type Comparable = string | number;

/** Stored times sort as text once trailing zeros of the fraction are gone. */
const withoutTrailingZeros = (clock: string): string =>
	clock.endsWith('0') && clock.includes('.') ? clock.replace(/0+$/, '') : clock;

const integer = (value: unknown): number | undefined =>
	(typeof value === 'number' || (typeof value === 'string' && /^-?\d+$/.test(value.trim()))) &&
	Number.isSafeInteger(Number(value))
		? Number(value)
		: undefined;

const decimal = (value: unknown): number | undefined =>
	(typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')) &&
	Number.isFinite(Number(value))
		? Number(value)
		: undefined;

const boolean = (value: unknown): boolean | undefined => {
	const text = String(value).toLowerCase();
	return text === 'true' ? true : text === 'false' ? false : undefined;
};

const text = (value: unknown): string | undefined =>
	typeof value === 'object' || value === undefined ? undefined : String(value);

/** Converts a value that a caller sent. */
export function toStored(field: ScalarField, value: unknown): unknown {
	const accepted = convert(field, value);
	if (accepted !== undefined) return accepted;
	return fail(
		'INCORRECT_MODEL',
		`Value ${JSON.stringify(value)} of '${field.name}' is not of type ${field.kind}.`,
	);
}

function convert(field: ScalarField, value: unknown): unknown {
	switch (field.kind) {
		case 'integer':
			return integer(value);
		case 'number':
			return decimal(value);
		case 'boolean':
			return boolean(value);
		case 'enum':
			return canonicalName(field.members ?? [], value);
		case 'datetime':
			return typeof value === 'string' && normalizeTime(value, 7) !== undefined ? value : undefined;
		case 'string':
			return text(value);
	}
}

/** The value of a member that was never written: integers, booleans and enumerations are never empty. */
export function getDefault(field: ScalarField): unknown {
	if (field.kind === 'integer') return 0;
	if (field.kind === 'boolean') return false;
	return field.kind === 'enum' ? field.members?.[0] : undefined;
}

/** Converts a stored value to one that compares with `<` and `===`; undefined stands for NULL. */
export function toComparable(field: ScalarField, stored: unknown): Comparable | undefined {
	const value = stored ?? getDefault(field);
	if (value === undefined) return undefined;
	switch (field.kind) {
		case 'enum':
			return field.members?.indexOf(String(value));
		case 'boolean':
			return Number(value);
		case 'datetime':
			return withoutTrailingZeros(String(value));
		case 'string':
			return String(value).toLowerCase();
		default:
			return Number(value);
	}
}

/** Converts a value of a condition to one that compares with `<` and `===`. */
export function toOperand(field: ScalarField, value: unknown): Comparable {
	const accepted = toStored(field, value);
	const stored = field.kind === 'datetime' ? normalizeTime(String(accepted), 7) : accepted;
	return toComparable(field, stored) ?? '';
}
