import { defineRows } from '../catalogue/targets';
import type { Column } from '../columns/columns';
import { ValidationError } from '../values/errors';
import { parseKind, type KindName } from '../values/members';
import { type JsonObject, getMember, isObject, readPath, toRows } from '../values/objects';
import type { RecordFinder } from '../values/references';
import { isBlank, normalize, parseChoice } from '../values/scalars';
import { parseDay } from '../values/times';
import { buildDescribedColumn, getOptions, toPlainUrl, toUniqueName } from './customFields';

const PREFIX = 'Attributes.';

/** A form and a key name an attribute by the Id of its descriptor: `Attributes.601`. */
export const isAttribute = (property: unknown): property is string =>
	typeof property === 'string' && /^Attributes\.\d+$/.test(property);

/** Returns the Id in such a name. */
export const getAttributeId = (property: string): string => property.slice(PREFIX.length);

/** Properties of a descriptor, which names and types an attribute. */
export const ATTRIBUTE_PROPERTIES = [
	'Name',
	'Type',
	'IsHistory',
	'Options.Idx',
	'Options.Value',
] as const;

const DESCRIPTORS = defineRows('AttributeDescriptor', 'Id', ATTRIBUTE_PROPERTIES);

/** Finds what an attribute is by the Id of its descriptor. */
export function requireDescriptor(label: string, id: number, findRows: RecordFinder): JsonObject {
	const [descriptor] = findRows(DESCRIPTORS, id);
	if (descriptor !== undefined) return descriptor;
	throw new ValidationError(`'${label}': there is no attribute with the ID ${id}`);
}

/** Other operations add the values of an attribute that keeps a history. */
export const keepsHistory = ({ IsHistory }: JsonObject): boolean => IsHistory === true;

export const buildAttributeColumns = (descriptors: readonly JsonObject[]): Column[] =>
	descriptors
		.filter((one) => !keepsHistory(one))
		.map((one) => buildDescribedColumn(`${PREFIX}${String(one.Id)}`, String(one.Name), one));

const KINDS: Readonly<Partial<Record<string, KindName>>> = {
	Boolean: 'switch',
	Decimal: 'number',
	Integer: 'wholeNumber',
	Money: 'number',
};

/** Reads what a person has written for an attribute; the service stores every value as text. */
export function parseAttribute(label: string, descriptor: JsonObject, value: unknown): string {
	const type = String(descriptor.Type);
	if (isBlank(value)) return '';
	if (type === 'Date') return parseDay(label, value).slice(0, 10);
	const text = String(parseKind(KINDS[type] ?? 'text', label, value));
	// People may add a value that such a list lacks.
	const options = type === 'StringAutocomplete' ? [] : getOptions(descriptor);
	return options.length === 0 ? text : parseChoice(label, text, options, (one) => one);
}

/** An amount comes with its currency; an empty value removes the attribute from its asset. */
export const buildAttribute = (descriptor: JsonObject, text: string, currency?: unknown) => ({
	Descriptor: { Id: descriptor.Id },
	...(text === '' ? { PerformDeletion: true } : { Value: text }),
	...(text === '' || currency === undefined ? {} : { CurrencyTypeId: currency }),
});

export const isMoney = ({ Type }: JsonObject): boolean => Type === 'Money';

/** Paths that `toValue` and `nameAttributes` need. */
export const VALUE_PATHS = [
	'Id',
	'Value',
	'CurrencyTypeId',
	'Descriptor.Id',
	'Descriptor.Name',
	'Descriptor.Type',
];

/** Returns the value by its type; an amount is an object with its currency. */
export function toValue({ Value, CurrencyTypeId, Descriptor }: JsonObject): unknown {
	const plain = toPlainUrl(Value);
	const type = getMember(Descriptor, 'Type');
	const number = isBlank(plain) ? NaN : Number(plain);
	switch (KINDS[String(type)]) {
		case 'switch':
			return ['true', 'false'].includes(normalize(plain)) ? normalize(plain) === 'true' : plain;
		case undefined:
			return plain;
		default:
			if (Number.isNaN(number)) return plain;
			return type === 'Money' ? { Value: number, CurrencyTypeId } : number;
	}
}

/** Turns `Attributes` into `{ name: value }`, with the newest value of a history. */
export function nameAttributes(record: JsonObject): JsonObject {
	if (!Array.isArray(record.Attributes)) return record;
	const rows = toRows(record.Attributes).sort((a, b) => Number(a.Id) - Number(b.Id));
	const newest = new Map(rows.map((row) => [readPath(row, 'Descriptor.Id') ?? row, row]));
	const values = new Map<string, unknown>();
	for (const row of newest.values()) {
		const name = String(readPath(row, 'Descriptor.Name') ?? '');
		if (name !== '') values.set(toUniqueName(values, name), toValue(row));
	}
	return { ...record, Attributes: Object.fromEntries(values) };
}

export type Comparison = 'atLeast' | 'atMost' | 'contains' | 'is';

const isOrdered = (type: unknown) => type === 'Date' || /number/i.test(KINDS[String(type)] ?? '');

/** Tells for each attribute whether it is a number or a date, so that less and more have a meaning. */
export const canCompare = ({ Type }: JsonObject, comparison: Comparison): boolean =>
	comparison === 'contains' ? !isOrdered(Type) : comparison === 'is' || isOrdered(Type);

/** Corrigo stores values as texts, whose order is not that of numbers, so the node compares them. */
export function matches(
	descriptor: JsonObject,
	row: JsonObject,
	comparison: Comparison,
	wanted: string,
): boolean {
	const value = toValue({ ...row, Descriptor: descriptor });
	const stored = isObject(value) ? value.Value : value;
	if (isBlank(stored)) return false;
	if (comparison === 'contains') return normalize(stored).includes(normalize(wanted));
	const [a, b] = isOrdered(descriptor.Type)
		? descriptor.Type === 'Date'
			? [String(stored).slice(0, 10), wanted]
			: [Number(stored), Number(wanted)]
		: [normalize(stored), normalize(wanted)];
	if (comparison === 'is') return a === b;
	return comparison === 'atLeast' ? a >= b : a <= b;
}
