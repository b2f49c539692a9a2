import { defineRows } from '../../catalogue/targets';
import {
	ATTRIBUTE_PROPERTIES,
	buildAttribute,
	getAttributeId,
	isAttribute,
	isMoney,
	keepsHistory,
	parseAttribute,
} from '../../compare/attributes';
import { isDeletion } from '../../compare/differences';
import type { ItemContext } from '../../run/context';
import { ValidationError, quote } from '../../values/errors';
import {
	type JsonObject,
	filterMembers,
	getMember,
	isObject,
	mapMembers,
	replaceMember,
	toRows,
} from '../../values/objects';
import { normalize } from '../../values/scalars';
import { COMPANY_DEFAULT, readCurrency } from '../members';
import { carriesAttributes } from '../../catalogue/entities';

const ATTRIBUTES = defineRows('AttributeDescriptor', 'IsRemoved', ATTRIBUTE_PROPERTIES);

interface AttributeInput {
	label: string;
	/** Name of the attribute, or the ID of its descriptor. */
	attribute: string;
	value: unknown;
}

/** Finds an attribute by its name or ID; all of the Company are read once for the run. */
function requireAttribute(context: ItemContext, { label, attribute }: AttributeInput) {
	const all = context.run.resolver.findRows(ATTRIBUTES, false);
	const named = all.filter(({ Name }) => normalize(Name) === normalize(attribute));
	const found = named.length > 0 ? named : all.filter(({ Id }) => String(Id) === attribute);
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

/** An amount may be a number in the currency of the Company, or an object with its own currency. */
export function readAttribute(
	context: ItemContext,
	descriptor: JsonObject,
	{ label, value }: Omit<AttributeInput, 'attribute'>,
): JsonObject {
	const amount = isMoney(descriptor) && isObject(value) ? value : { Value: value };
	const { Value, CurrencyTypeId = COMPANY_DEFAULT } = amount;
	const text = parseAttribute(label, descriptor, Value);
	context.run.names.note('AttributeDescriptor', descriptor.Id, descriptor.Name);
	return buildAttribute(
		descriptor,
		text,
		isMoney(descriptor) && text !== ''
			? readCurrency(context, `${label} > Currency`, CurrencyTypeId)
			: undefined,
	);
}

/** Builds the rows of attributes that a record gets; `null` changes nothing. */
export function readAttributes(context: ItemContext, inputs: AttributeInput[]): JsonObject[] {
	return inputs
		.filter(({ value }) => value !== null && value !== undefined)
		.map((input) => {
			const descriptor = requireAttribute(context, input);
			if (keepsHistory(descriptor)) {
				throw new ValidationError(
					`'${input.label}' keeps a history, to which values are added`,
					"Leave it out, and use 'Add Reading' of the Asset resource.",
				);
			}
			return readAttribute(context, descriptor, input);
		});
}

/** JSON may give attributes by their names, as they are read: `{ "Attributes": { "Make": "Acme" } }`. */
export function splitAttributes(field: string, entity: string, members: JsonObject) {
	const named = getMember(members, 'Attributes');
	if (!carriesAttributes(entity) || !isObject(named)) return { members, attributes: [] };
	const attributes = Object.entries(named).map(([attribute, value]) => ({
		label: `${field} > Attributes > ${attribute}`,
		attribute,
		value,
	}));
	return { members: replaceMember(members, 'Attributes', undefined), attributes };
}

export const toAttributeInput = (id: string, label: string, value: unknown): AttributeInput => ({
	label,
	attribute: getAttributeId(id),
	value,
});

/** Members with the attributes among them; there is no member without any. */
export const addAttributes = (members: JsonObject, rows: readonly JsonObject[]): JsonObject =>
	rows.length === 0
		? members
		: { ...members, Attributes: [...toRows(members.Attributes), ...rows] };

/** A new record has no row that could be removed. */
export function omitRemovedRows(members: JsonObject): JsonObject {
	const isRemoved = (value: unknown) =>
		Array.isArray(value) && value.length > 0 && value.every(isDeletion);
	return mapMembers(
		filterMembers(members, (_, value) => !isRemoved(value)),
		(_, value) => (Array.isArray(value) ? value.filter((row) => !isDeletion(row)) : value),
	);
}

/** Returns the name of an attribute that the run has read or written. */
export const findAttributeName = (context: ItemContext, path: string): string | undefined =>
	isAttribute(path)
		? context.run.names.getName('AttributeDescriptor', getAttributeId(path))
		: undefined;

/** Rows that an update removes, for the fields to clear that are attributes. */
export const buildClearedAttributes = (paths: readonly string[]): JsonObject[] =>
	paths.filter(isAttribute).map((path) => buildAttribute({ Id: Number(getAttributeId(path)) }, ''));
