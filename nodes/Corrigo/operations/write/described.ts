import { carriesAttributes, getEntity } from '../../catalogue/entities';
import { findDescriptorEntity, findRowType } from '../../catalogue/members';
import { defineRows } from '../../catalogue/targets';
import type { Cell } from '../../columns/columns';
import {
	buildAttribute,
	createRemovedError,
	getAttributes,
	getCustomFields,
	getDescriptor,
	isAttribute,
	isMoney,
	isRemoved,
	keepsHistory,
	parseDescribed,
	requireDefinition,
	type CustomValue,
	type DefinitionReference,
	type Definitions,
} from '../../compare/customFields';
import type { RunContext } from '../../run/context';
import { getKind, isDeletion } from '../../values/members';
import {
	getMember,
	isAbsent,
	isObject,
	type JsonObject,
	replaceMember,
	toRows,
} from '../../values/objects';
import { findTypeOfColumn } from '../../values/typedTexts';
import { isBlank } from '../../values/input';
import { createEmptyError, ValidationError, quote } from '../../values/errors';
import { isCustomField } from '../../wire/criteria';
import { COMPANY_DEFAULT, readCurrency, readKnownJson } from '../members';

/** Collections whose rows the Company defines. */
const LISTS = ['Attributes', 'CustomFields'] as const;

type List = (typeof LISTS)[number];

const LABELS: Readonly<Record<List, string>> = {
	Attributes: 'Attribute',
	CustomFields: 'Custom Field',
};

/** The value of a custom field or an attribute, as it came in. */
export interface DescribedCell {
	list: List;
	reference: DefinitionReference;
	label: string;
	value: unknown;
	/** Name for people, if the label is a path. */
	name?: string;
	/** The column as it was when the form was filled in. */
	column?: Pick<Cell, 'type' | 'options'>;
}

/** Columns name a custom field or an attribute by its ID. */
export const isDescribed = ({ id }: Pick<Cell, 'id'>): boolean =>
	isCustomField(id) || isAttribute(id);

export const toDescribedCell = ({ id, label, value, type, options }: Cell): DescribedCell => ({
	list: isAttribute(id) ? 'Attributes' : 'CustomFields',
	reference: { id: getDescriptor(id) },
	label,
	value,
	column: { type, options },
});

/** Reads `CustomFields.Floor` or `Attributes.601`, if the records of the entity can have such values. */
export function findDescribedCell(
	entity: string,
	field: string,
	path: string,
): DescribedCell | undefined {
	const [head, ...names] = path.split('.');
	const list = LISTS.find((one) => one.toLowerCase() === head.trim().toLowerCase());
	const name = names.join('.').trim();
	if (list === undefined || name === '' || !hasList(entity, list)) return undefined;
	const reference = /^\d+$/.test(name) ? { id: Number(name) } : { nameOrId: name };
	return { list, reference, label: `${field} > ${list}.${name}`, value: '', name };
}

/** Whether the records of an entity can have such values. */
const hasList = (entity: string, list: List): boolean =>
	list === 'Attributes' ? carriesAttributes(entity) : getEntity(entity)?.actorTypes !== undefined;

/** JSON may give values by their names, as they are read: `{ "Attributes": { "Make": "Acme" } }`. */
export function splitNamedValues(
	field: string,
	entity: string,
	members: JsonObject,
): { members: JsonObject; cells: DescribedCell[] } {
	let left = members;
	const cells: DescribedCell[] = [];
	for (const list of LISTS) {
		const named = getMember(left, list);
		if (!hasList(entity, list) || !isObject(named)) continue;
		left = replaceMember(left, list, undefined);
		for (const [name, value] of Object.entries(named)) {
			const label = `${field} > ${list} > ${name}`;
			cells.push({ list, reference: { nameOrId: name }, label, value, name });
		}
	}
	return { members: left, cells };
}

/** What an item sets of custom fields and attributes. */
export interface DescribedValues {
	attributes: JsonObject[];
	custom: CustomValue[];
	/** Values that a record may have, and a write may not set: the reason in the words of a notice, and the names. */
	left: Array<{ reason: keyof typeof REASONS; label: string; definition: JsonObject }>;
}

export const REASONS = {
	history: "Left out, as an attribute with a history takes values from 'Add Reading' alone",
	removed: 'Left out, as its definition was removed',
} as const;

const findDefinitions = (run: RunContext, entity: string, list: List): Definitions =>
	list === 'Attributes'
		? getAttributes(run.resolver.findRows)
		: getCustomFields(entity, run.resolver.findRows);

const findDefinition = (
	run: RunContext,
	entity: string,
	{ list, label, reference }: DescribedCell,
): JsonObject => requireDefinition(label, reference, findDefinitions(run, entity, list));

/** A custom field that was chosen in the form takes no request, unless its column does not take the value. */
function findColumnDefinition({
	list,
	reference,
	value,
	column: { type, options = [] } = {},
}: DescribedCell): JsonObject | undefined {
	const Type = findTypeOfColumn(type, value);
	const isKnown =
		options.length === 0 ? type !== 'options' : isAbsent(value) || options.includes(String(value));
	return list === 'CustomFields' && 'id' in reference && Type !== undefined && isKnown
		? { Id: reference.id, Type }
		: undefined;
}

/** Reads values of custom fields and attributes; `null` changes nothing, also as the parts of an amount. */
export function readDescribed(
	run: RunContext,
	entity: string,
	cells: readonly DescribedCell[],
): DescribedValues {
	const values: DescribedValues = { attributes: [], custom: [], left: [] };
	const known = new Map<string, DescribedCell>();
	for (const cell of cells) {
		const { list, label, value, name } = cell;
		if (value === null || value === undefined) continue;
		if ('nameOrId' in cell.reference && isBlank(cell.reference.nameOrId)) {
			throw createEmptyError(LABELS[list]);
		}
		const definition = findColumnDefinition(cell) ?? findDefinition(run, entity, cell);
		if (isMoney(definition) && isObject(value) && Object.values(value).every(isBlank)) continue;
		const reason = isRemoved(definition)
			? 'removed'
			: list === 'Attributes' && keepsHistory(definition)
				? 'history'
				: undefined;
		if (reason !== undefined) {
			values.left.push({ reason, label, definition });
			continue;
		}
		const key = `${list}.${String(definition.Id)}`;
		const other = known.get(key);
		if (other !== undefined) throw createTwiceError(label, other.label, definition);
		known.set(key, cell);
		const shown = name === undefined ? label : String(definition.Name ?? name);
		if (list === 'Attributes') {
			values.attributes.push(readAttribute(run, definition, label, value));
		} else {
			const descriptor = Number(definition.Id);
			if (!isCustomField(shown)) run.names.note('CustomFieldDescriptor', descriptor, shown);
			values.custom.push({
				descriptor,
				label: shown,
				value: parseDescribed(label, definition, value),
			});
		}
	}
	return values;
}

const createTwiceError = (label: string, other: string, { Id, Name }: JsonObject) =>
	new ValidationError(
		`'${label}' and '${other}' are the same: ${String(Name ?? 'both')} (ID ${String(Id)}) is given more than once`,
		'Remove all but one of them.',
	);

export function createLeftError({ reason, label, definition }: DescribedValues['left'][number]) {
	if (reason === 'removed') return createRemovedError(label, definition);
	return new ValidationError(
		`'${label}' keeps a history, to which values are added`,
		"Leave it out, and use 'Add Reading' of the Asset resource.",
	);
}

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
	const text = parseDescribed(label, descriptor, Value);
	run.names.note('AttributeDescriptor', descriptor.Id, descriptor.Name);
	const currency =
		hasCurrency && text !== ''
			? readCurrency(run, `${label} > Currency`, CurrencyTypeId)
			: undefined;
	return buildAttribute(descriptor.Id, text, currency);
}

/** New rows of JSON are read as values that are given by name; those with an Id are in Corrigo already. */
export function readDescribedRows(
	run: RunContext,
	field: string,
	entity: string,
	members: JsonObject,
): JsonObject {
	let read = members;
	for (const list of LISTS) {
		const type = findRowType(entity, list);
		const rows = getMember(members, list);
		if (type === undefined || !Array.isArray(rows) || findDescriptorEntity(type) === undefined)
			continue;
		const parsed = toRows(rows).map((row, index) => {
			const id = getKind(type, row);
			const isNew = isBlank(getMember(row, 'Id')) && !isDeletion(row);
			if (id === undefined || !isNew) return row;
			const label = `${field} > ${list} > ${index + 1}`;
			const cell = { list, reference: { id }, label, value: row.Value };
			const definition = findDefinition(run, entity, cell);
			if (list === 'CustomFields') {
				return { ...row, Value: parseDescribed(label, definition, row.Value) };
			}
			if (isRemoved(definition) || keepsHistory(definition)) {
				const reason = isRemoved(definition) ? 'removed' : 'history';
				throw createLeftError({ reason, label, definition });
			}
			const { Value, CurrencyTypeId } = row;
			const amount =
				isMoney(definition) && CurrencyTypeId !== undefined ? { Value, CurrencyTypeId } : Value;
			return { ...row, ...readAttribute(run, definition, label, amount) };
		});
		read = replaceMember(read, list, parsed);
	}
	return read;
}

/** Returns the definition of a custom field or an attribute that identifies a record. */
export function requireKeyDefinition(
	run: RunContext,
	entity: string,
	label: string,
	id: string,
): JsonObject {
	const cell = toDescribedCell({ id, label, value: undefined });
	const definition = findDefinition(run, entity, cell);
	if (isRemoved(definition)) throw createRemovedError(label, definition);
	if (cell.list === 'CustomFields' || !keepsHistory(definition)) return definition;
	throw new ValidationError(
		`'${label}' keeps a history, so no single value identifies a record`,
		'Match on another field.',
	);
}

const MODEL_ATTRIBUTES = defineRows('LinkModelAndAttribute', 'ModelId', ['AttributeDescriptorId']);

const ASSET_MODELS = defineRows('Location', 'Id', ['ModelId']);

/** Returns the model of an asset, which decides about its attributes; undefined if there is no such asset. */
export const findModel = (run: RunContext, asset: number): unknown =>
	run.resolver.findRows(ASSET_MODELS, asset)[0]?.ModelId;

/**
 * Refuses new attributes that assets of the model do not have: Corrigo takes them without a word. A
 * Company that assigns none to a model is taken to allow all.
 */
export function requireModelAttributes(
	run: RunContext,
	label: string,
	model: unknown,
	attributes: readonly JsonObject[],
): void {
	const written = attributes.filter((row) => !isDeletion(row) && isBlank(getMember(row, 'Id')));
	if (isBlank(model) || Number(model) <= 0 || written.length === 0) return;
	const { findRows } = run.resolver;
	const links = findRows(MODEL_ATTRIBUTES, Number(model));
	const known = new Set(links.map(({ AttributeDescriptorId }) => String(AttributeDescriptorId)));
	const other = written
		.map((row) => getKind('AssetAttribute', row) ?? '')
		.find((id) => !known.has(id));
	if (known.size === 0 || other === undefined) return;
	const { present } = getAttributes(findRows);
	const getName = (id: string) => String(present.find((one) => String(one.Id) === id)?.Name ?? id);
	throw new ValidationError(
		`'${label}' has the attribute ${quote(getName(other))}, which assets of this model do not have`,
		`They have: ${[...known].map(getName).sort().join(', ')}.`,
	);
}
