import {
	type LocatorValue,
	isLocator,
	unwrapLocator,
	filterMembers,
	isObject,
	mapMembers,
} from '../values/objects';
import { isFromModel } from './expressions';
import { isEmpty } from './form';

/** n8n makes a model fill in every field, so these values mean that it left one empty. */
const isNothing = (value: unknown): boolean =>
	isEmpty(value) ||
	(Array.isArray(value) && value.length === 0) ||
	(typeof value === 'string' && /^\s*(null|undefined|\{\s*\}|\[\s*\])\s*$/i.test(value));

/** A model cannot clear a member of a record either. */
export const omitNothing = (value: unknown): unknown => {
	if (Array.isArray(value)) return value.map(omitNothing);
	if (!isObject(value)) return value;
	const members = mapMembers(value, (_, one) => omitNothing(one));
	return filterMembers(members, (_, one) => !isNothing(one));
};

/** Fields in these collections are optional, so a model may add a field and leave it empty. */
const FILTERS = 'filters';
const ADDED: readonly string[] = ['additionalFields', FILTERS];

/**
 * Empty answers of a model become `null`, however they are worded, and optional fields with such an
 * answer are left out, as are rows of filters. Values that a person typed stay as they are.
 */
export function normalizeModelInput(field: string, raw: unknown, value: unknown): unknown {
	if (isFromModel(raw)) return isNothing(value) ? null : value;
	if (Array.isArray(raw) && Array.isArray(value)) {
		const rows = value.map((one, index) => normalizeModelInput('', raw[index], one));
		return field === FILTERS ? rows.filter((row, index) => isAnswered(raw[index], row)) : rows;
	}
	if (!isObject(raw) || !isObject(value)) return value;
	if (isLocator(raw) && isLocator(value) && isIdByName(raw, value)) return { ...value, mode: 'id' };
	return Object.fromEntries(
		Object.entries(value)
			.map(([name, one]) => {
				const inner = field === FILTERS && !isLocator(raw[name]) ? field : '';
				return [name, normalizeModelInput(inner, raw[name], one)] as const;
			})
			.filter(([name, one]) => {
				const isLeftOut =
					(isFromModel(unwrapLocator(raw[name])) && isEmpty(one)) ||
					(isNothing(one) && !isNothing(value[name]));
				// A write that depends on a condition must not run without it.
				return !ADDED.includes(field) || name.startsWith('expected') || !isLeftOut;
			}),
	);
}

/** A model does not see the mode of the field: the digits that it enters are the ID of a record. */
const isIdByName = (raw: LocatorValue, { mode, value }: LocatorValue): boolean =>
	mode === 'name' && isFromModel(raw.value) && /^\s*\d+\s*$/.test(String(value));

const isAnswered = (raw: unknown, row: unknown): boolean =>
	!isObject(raw) ||
	!isObject(row) ||
	!Object.keys(raw).some((name) => isFromModel(raw[name]) && isEmpty(row[name]));
