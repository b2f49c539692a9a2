import { carriesAttributes } from '../../catalogue/entities';
import type { Cell } from '../../columns/columns';
import {
	buildAttribute,
	getAttribute,
	isAttribute,
	isMoney,
	keepsHistory,
	parseAttribute,
	requireAttribute,
} from '../../compare/customFields';
import type { RunContext } from '../../run/context';
import { createEmptyError, ValidationError } from '../../values/errors';
import { type JsonObject, getMember, isObject, replaceMember, toRows } from '../../values/objects';
import { isBlank } from '../../values/scalars';
import { COMPANY_DEFAULT, readCurrency, readKnownJson } from '../members';

/** An amount may be a number in the currency of the Company, or an object with its own currency. */
export function readAttribute(
	run: RunContext,
	descriptor: JsonObject,
	label: string,
	value: unknown,
): JsonObject {
	const hasCurrency = isMoney(descriptor);
	const isAmount = hasCurrency && isObject(value);
	const { Value, CurrencyTypeId = COMPANY_DEFAULT } = isAmount
		? readKnownJson(run, label, 'MoneyValue', value, 'amount')
		: { Value: value };
	// An empty value removes an attribute, and an amount that lacks it is a mistake.
	if (isAmount && isBlank(Value)) throw createEmptyError(`${label} > Value`);
	const text = parseAttribute(label, descriptor, Value);
	run.names.note('AttributeDescriptor', descriptor.Id, descriptor.Name);
	const currency =
		hasCurrency && text !== ''
			? readCurrency(run, `${label} > Currency`, CurrencyTypeId)
			: undefined;
	return buildAttribute(descriptor.Id, text, currency);
}

/** Builds the rows of attributes that a record gets; `null` changes nothing. */
export const readAttributes = (run: RunContext, cells: readonly Cell[]): JsonObject[] =>
	cells
		.filter(({ value }) => value !== null && value !== undefined)
		.map(({ id, label, value }) => {
			const { findRows } = run.resolver;
			const descriptor = requireAttribute(label, getAttribute(id), findRows);
			if (!keepsHistory(descriptor)) return readAttribute(run, descriptor, label, value);
			throw new ValidationError(
				`'${label}' keeps a history, to which values are added`,
				"Leave it out, and use 'Add Reading' of the Asset resource.",
			);
		});

/** JSON may give attributes by their names, as they are read: `{ "Attributes": { "Make": "Acme" } }`. */
export function splitAttributes(field: string, entity: string, members: JsonObject) {
	const named = getMember(members, 'Attributes');
	if (!carriesAttributes(entity) || !isObject(named)) return { members, attributes: [] };
	const attributes = Object.entries(named).map(
		([name, value]): Cell => ({
			id: `Attributes.${name}`,
			label: `${field} > Attributes > ${name}`,
			value,
		}),
	);
	return { members: replaceMember(members, 'Attributes', undefined), attributes };
}

/** Members with the attributes among them; there is no member without any. */
export const addAttributes = (members: JsonObject, rows: readonly JsonObject[]): JsonObject =>
	rows.length === 0
		? members
		: { ...members, Attributes: [...toRows(members.Attributes), ...rows] };

/** Returns the name of an attribute that the run has read or written. */
export const findAttributeName = (run: RunContext, path: string): string | undefined =>
	isAttribute(path) ? run.names.getName('AttributeDescriptor', getAttribute(path)) : undefined;
