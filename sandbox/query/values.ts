import { refuse } from '../errors';
import type { ScalarField } from '../schema';
import { named } from '../shapes';

export type Comparable = string | number;

const DATE =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(\.\d{1,7})?)?(Z|[+-]\d{2}:\d{2})?$/i;

/**
 * Texts that sort as the instants they stand for. A date with an offset becomes UTC; one without
 * is taken as it is, since the member says whether it is local or UTC.
 */
function sortableDate(text: string): string | undefined {
	const match = DATE.exec(text);
	if (!match || Number.isNaN(Date.parse(match[1]))) return undefined;
	const [, day, minutes = '00:00', seconds = ':00', fraction = '', zone = ''] = match;
	const plain = `${day}T${minutes}${seconds}`;
	const shifted = /^[+-]/.test(zone)
		? new Date(`${plain}${zone}`).toISOString().slice(0, 19)
		: plain;
	return shifted + fraction.replace(/\.?0+$/, '');
}

/** What is stored is in good form already: only the mark and empty digits have to go. */
function storedDate(text: string): string {
	const plain = text.endsWith('Z') ? text.slice(0, -1) : text;
	return plain.charCodeAt(plain.length - 1) === 48 && plain.includes('.')
		? plain.replace(/\.?0+$/, '')
		: plain;
}

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

/** A value a caller sent, as it is stored. */
export function accept(field: ScalarField, value: unknown): unknown {
	const accepted = convert(field, value);
	if (accepted !== undefined) return accepted;
	return refuse(
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
			return named(field.members ?? [], value);
		case 'datetime':
			return typeof value === 'string' && sortableDate(value) !== undefined ? value : undefined;
		case 'string':
			return text(value);
	}
}

/** What a member holds that was never written: numbers, switches and enumerations are never empty. */
export function defaultOf(field: ScalarField): unknown {
	if (field.kind === 'integer') return 0;
	if (field.kind === 'boolean') return false;
	return field.kind === 'enum' ? field.members?.[0] : undefined;
}

/** A stored value in a form that compares with `<` and `===`; undefined stands for NULL. */
export function comparable(field: ScalarField, stored: unknown): Comparable | undefined {
	const value = stored ?? defaultOf(field);
	if (value === undefined) return undefined;
	switch (field.kind) {
		case 'enum':
			return field.members?.indexOf(String(value));
		case 'boolean':
			return Number(value);
		case 'datetime':
			return storedDate(String(value));
		case 'string':
			return String(value).toLowerCase();
		default:
			return Number(value);
	}
}

/** The same for a value of a condition. */
export function operand(field: ScalarField, value: unknown): Comparable {
	const accepted = accept(field, value);
	return field.kind === 'datetime'
		? (sortableDate(String(accepted)) ?? '')
		: (comparable(field, accepted) ?? '');
}
