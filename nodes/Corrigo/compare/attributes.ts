import { ATTRIBUTE_PATHS } from '../catalogue/summaries';
import { defineRows } from '../catalogue/targets';
import type { Column } from '../columns/columns';
import { createEmptyError, quote, ValidationError } from '../values/errors';
import { type JsonObject, getMember, readPath, toRows, unwrapLocator } from '../values/objects';
import { type RecordFinder, toRecordId } from '../values/references';
import { isBlank, normalize, parseChoice } from '../values/scalars';
import {
	buildDescribedColumn,
	buildValueRow,
	getOptions,
	getValueType,
	nameValues,
	toComparable,
	toPlainUrl,
	toStoredText,
} from './customFields';

const PREFIX = 'Attributes.';

/** A form and a key name an attribute by the Id of its descriptor: `Attributes.601`. */
export const isAttribute = (property: unknown): property is string =>
	typeof property === 'string' && /^Attributes\.\d+$/.test(property);

/** Returns the Id, or else the name, in the path of an attribute. */
export const getAttribute = (path: string): string => path.slice(PREFIX.length);

/** Properties of a descriptor, which names and types an attribute. */
export const ATTRIBUTE_PROPERTIES = [
	'Name',
	'Type',
	'IsHistory',
	'Options.Idx',
	'Options.Value',
] as const;

const DESCRIPTORS = defineRows('AttributeDescriptor', 'IsRemoved', ATTRIBUTE_PROPERTIES);

/** Finds an attribute by its name or ID; all of the Company are read once for the run. */
export function requireAttribute(
	label: string,
	input: unknown,
	findRows: RecordFinder,
): JsonObject {
	const attribute = toRecordId(unwrapLocator(input));
	if (isBlank(attribute)) {
		throw createEmptyError(label.split(' > ').at(-1) ?? label, 'Choose an attribute.');
	}
	const all = findRows(DESCRIPTORS, false);
	const named = all.filter(({ Name }) => normalize(Name) === normalize(attribute));
	const found = named.length > 0 ? named : all.filter(({ Id }) => String(Id) === String(attribute));
	if (found.length === 1) return found[0];
	if (found.length > 1) {
		throw new ValidationError(
			`'${label}': more than one attribute is named ${quote(attribute)}`,
			`To say which one is meant, give its ID: ${found.map(({ Id }) => Id).join(', ')}.`,
		);
	}
	const names = all.map(({ Name }) => String(Name)).sort();
	throw new ValidationError(
		`'${label}': no attribute is named ${quote(attribute)}`,
		names.length > 0 ? `The attributes are: ${names.join(', ')}.` : 'Your Company has none.',
	);
}

/** Other operations add the values of an attribute that keeps a history. */
export const keepsHistory = ({ IsHistory }: JsonObject): boolean => IsHistory === true;

export const buildAttributeColumns = (descriptors: readonly JsonObject[]): Column[] =>
	descriptors
		.filter((one) => !keepsHistory(one))
		.map((one) => buildDescribedColumn(`${PREFIX}${String(one.Id)}`, String(one.Name), one));

/** Reads what a person has written for an attribute. */
export function parseAttribute(label: string, descriptor: JsonObject, value: unknown): string {
	if (isBlank(value)) return '';
	const text = toStoredText(label, value, getValueType(descriptor).kind);
	// People may add a value that such a list lacks.
	const options = descriptor.Type === 'StringAutocomplete' ? [] : getOptions(descriptor);
	return options.length === 0 ? text : parseChoice(label, text, options, (one) => one);
}

/** An amount comes with its currency; an empty value removes the attribute from its asset. */
export const buildAttribute = (id: unknown, text: string, currency?: unknown): JsonObject => ({
	...buildValueRow(id, text),
	...(currency === undefined ? {} : { CurrencyTypeId: currency }),
});

export const isMoney = (descriptor: unknown): boolean => getMember(descriptor, 'Type') === 'Money';

/** Paths that `toValue` and `nameAttributes` need. */
export const VALUE_PATHS = ATTRIBUTE_PATHS.map(getAttribute);

/** Returns the value by its type; an amount is an object with its currency. */
export function toValue({ Value, CurrencyTypeId, Descriptor }: JsonObject): unknown {
	const plain = toPlainUrl(Value);
	const value = toComparable(Descriptor, plain);
	if (getValueType(Descriptor).kind === 'switch' && /^(true|false)$/.test(String(value)))
		return value === 'true';
	if (typeof value === 'string' || Number.isNaN(value)) return plain;
	return isMoney(Descriptor) ? { Value: value, CurrencyTypeId } : value;
}

/** Turns `Attributes` into `{ name: value }`, with the newest value of a history. */
export function nameAttributes(record: JsonObject): JsonObject {
	if (!Array.isArray(record.Attributes)) return record;
	const rows = toRows(record.Attributes).sort((a, b) => Number(a.Id) - Number(b.Id));
	const newest = new Map(rows.map((row) => [readPath(row, 'Descriptor.Id') ?? row, row]));
	return nameValues({ ...record, Attributes: [...newest.values()] }, 'Attributes', toValue);
}

type Compare = (stored: number | string, wanted: number | string) => boolean;

const COMPARISONS = {
	atLeast: (stored, wanted) => stored >= wanted,
	atMost: (stored, wanted) => stored <= wanted,
	contains: (stored, wanted) => String(stored).includes(String(wanted)),
	is: (stored, wanted) => stored === wanted,
} satisfies Record<string, Compare>;

type Comparison = keyof typeof COMPARISONS;

/** Less and more have a meaning for numbers and dates, and a part of the value for the others. */
export const canCompare = (descriptor: JsonObject, comparison: Comparison): boolean =>
	comparison === 'is' ||
	/dateTime|number/.test(getValueType(descriptor).column) === (comparison !== 'contains');

/** Corrigo stores values as texts, whose order is not that of numbers, so the node compares them. */
export function matches(
	descriptor: JsonObject,
	{ Value }: JsonObject,
	comparison: Comparison,
	wanted: string,
): boolean {
	const [stored, compared] = [Value, wanted]
		.map((one) => toComparable(descriptor, one))
		.map((one) => (typeof one === 'string' ? normalize(one) : one));
	return stored !== '' && COMPARISONS[comparison](stored, compared);
}
