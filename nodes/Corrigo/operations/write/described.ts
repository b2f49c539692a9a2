import { carriesAttributes, getEntity } from '../../catalogue/entities';
import { findDescriptorEntity } from '../../catalogue/members';
import { createTable } from '../../catalogue/table';
import { defineRows, type RowSource } from '../../catalogue/targets';
import { isUnset } from '../../catalogue/enumerations';
import type { Cell } from '../../columns/columns';
import { getId } from '../../compare/differences';
import {
	buildValueRow,
	createRemovedError,
	getAttributes,
	getCustomFields,
	getDescriptor,
	hasCustomValue,
	isAttribute,
	isMoney,
	isRemoved,
	keepsHistory,
	nameDefinition,
	parseDescribed,
	requireDefinition,
	type DefinitionReference,
	type Definitions,
} from '../../compare/customFields';
import type { ResolvingRun, RunContext } from '../../run/context';
import { getKind, isDeletion } from '../../values/rows';
import { type RowsPlace, type ValueReader } from '../../values/members';
import { getMember, isAbsent, isObject, type JsonObject, toRows } from '../../values/objects';
import { parseId } from '../../values/references';
import { findTypeOfColumn } from '../../values/typedTexts';
import { isBlank } from '../../values/input';
import {
	createEmptyError,
	fail,
	ValidationError,
	quote,
	quoteUnlessPlain,
	extendLabel,
	toLabel,
} from '../../values/errors';
import { isCustomField } from '../../wire/criteria';
import { COMPANY_DEFAULT, isNoCurrency } from '../amounts';
import { readKnownJson } from '../json';

/** Collections whose rows the Company defines. */
export const LISTS = ['Attributes', 'CustomFields'] as const;

export type List = (typeof LISTS)[number];

export const LABELS: Readonly<Record<List, string>> = {
	Attributes: 'Attribute',
	CustomFields: 'Custom Field',
};

/** The value of a custom field or an attribute, as it came in. */
export interface DescribedCell {
	list: List;
	reference: DefinitionReference;
	label: string;
	value: unknown;
	/** The column as it was when the form was filled in. */
	column?: Pick<Cell, 'type' | 'options'>;
	/** The row, if the value came in as one. */
	row?: JsonObject;
	/** Type of the record that has the row, if it is known. */
	ownerType?: string;
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
	return { list, reference, label: extendLabel(field, `${list}.${name}`), value: '' };
}

/** Whether the records of an entity can have such values. */
const hasList = (entity: string, list: List): boolean =>
	list === 'Attributes' ? carriesAttributes(entity) : getEntity(entity)?.actorTypes !== undefined;

/** What an item sets of custom fields and attributes. */
export interface DescribedValues {
	rows: Record<List, JsonObject[]>;
	/** Values that a record may have, and a write may not set: the reason in the words of a notice, and the names. */
	left: Array<{ reason: keyof typeof REASONS; label: string; definition: JsonObject }>;
}

const REASONS = {
	history: "Left out, as an attribute with a history takes values from 'Add Reading' alone",
	removed: 'Left out, as its definition was removed',
} as const;

function findDefinitions(
	{ resolver: { findRows } }: ResolvingRun,
	entity: string,
	{ list, ownerType }: DescribedCell,
): Definitions {
	if (list === 'Attributes') return getAttributes(findRows);
	return getCustomFields(entity, findRows, ownerType === undefined ? undefined : [ownerType]);
}

function findDefinition(run: ResolvingRun, entity: string, cell: DescribedCell): JsonObject {
	// A row may name its definition.
	if ('id' in cell.reference) run.resolver.requireKnown(Number(cell.reference.id));
	return requireDefinition(cell.label, cell.reference, findDefinitions(run, entity, cell));
}

/** A custom field that was chosen in the form takes no request, unless its column does not take the value. */
function findColumnDefinition({
	list,
	reference,
	value,
	column: { type, options = [] } = {},
}: DescribedCell): JsonObject | undefined {
	const Type = findTypeOfColumn(type);
	const isKnown =
		options.length === 0 ? type !== 'options' : isAbsent(value) || options.includes(String(value));
	return list === 'CustomFields' && 'id' in reference && Type !== undefined && isKnown
		? { Id: reference.id, Type }
		: undefined;
}

/** Reads values of custom fields and attributes; `null` changes nothing, also as the parts of an amount. */
export function readDescribed(
	run: ResolvingRun,
	entity: string,
	cells: readonly DescribedCell[],
): DescribedValues {
	const values: DescribedValues = { rows: { Attributes: [], CustomFields: [] }, left: [] };
	const known = new Map<string, DescribedCell>();
	for (const cell of cells) {
		const { list, value, row } = cell;
		if (value === null || value === undefined) continue;
		if ('nameOrId' in cell.reference && isBlank(cell.reference.nameOrId)) {
			throw createEmptyError(LABELS[list]);
		}
		const columnDefinition = findColumnDefinition(cell);
		const definition = columnDefinition ?? findDefinition(run, entity, cell);
		const label = row ? extendLabel(cell.label, definition.Name) : toLabel(cell.label);
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
		// Corrigo may have several rows of one.
		const isStored = [cell, other].every((one) => !isBlank(getMember(one?.row, 'Id')));
		if (other !== undefined && !isStored)
			throw createTwiceError(label, toLabel(other.label), definition);
		known.set(key, cell);
		const descriptor = Number(definition.Id);
		const { present } = columnDefinition ? { present: [] } : findDefinitions(run, entity, cell);
		const shown = columnDefinition ? label : nameDefinition(definition, present);
		const isAttributes = list === 'Attributes';
		if (isAttributes) run.names.note('AttributeDescriptor', descriptor, shown);
		else if (!isCustomField(shown)) run.names.note('CustomFieldDescriptor', descriptor, shown);
		const { CurrencyTypeId, ...own } = row ?? {};
		if (isMoney(definition)) {
			const whole = CurrencyTypeId === undefined ? value : { Value: value, CurrencyTypeId };
			values.rows[list].push({ ...row, ...readValue(run, definition, label, whole, judgeText) });
			continue;
		}
		const read = readValue(run, definition, label, value, judgeText);
		const isRefused = !isNoCurrency(CurrencyTypeId) && !isDeletion(read);
		const Value = new RefusedText(value, createCurrencyError(label, list));
		values.rows[list].push({ ...own, ...read, ...(isRefused ? { Value } : {}) });
	}
	return values;
}

/** A record without such values has no such members. */
export const addDescribed = (
	members: JsonObject,
	{ rows }: Pick<DescribedValues, 'rows'>,
): JsonObject =>
	LISTS.filter((list) => rows[list].length > 0).reduce<JsonObject>(
		(all, list) => ({ ...all, [list]: [...toRows(all[list]), ...rows[list]] }),
		members,
	);

const createTwiceError = (label: string, other: string, { Id, Name }: JsonObject) =>
	new ValidationError(
		`'${label}' and '${other}' are the same: ${Name === undefined ? 'both' : quote(Name)} (ID ${String(Id)}) is given more than once`,
		'Remove all but one of them.',
	);

const createCurrencyError = (label: string, list: List) =>
	new ValidationError(
		`'${label}' has a currency, but this ${LABELS[list].toLowerCase()} is not an amount`,
		'Leave the currency out.',
	);

export function createLeftError({ reason, label, definition }: DescribedValues['left'][number]) {
	if (reason === 'removed') return createRemovedError(label, definition);
	return new ValidationError(
		`'${label}' keeps a history, to which values are added`,
		"Leave it out, and use 'Add Reading' of the Asset resource.",
	);
}

/**
 * A text that its definition does not allow, such as a choice that was removed. It changes nothing in a
 * record that has it already, and is refused in all others, so it waits until the record is known.
 */
export class RefusedText {
	constructor(
		private readonly value: unknown,
		readonly refusal: ValidationError,
	) {}

	matches(row: JsonObject | undefined): boolean {
		return row !== undefined && hasCustomValue(row, this.value);
	}

	/** The text is never sent. */
	toJSON(): never {
		throw this.refusal;
	}
}

function judgeText(label: string, definition: JsonObject, value: unknown): string | RefusedText {
	if (typeof value === 'object') return parseDescribed(label, definition, value);
	try {
		return parseDescribed(label, definition, value);
	} catch (refusal) {
		return new RefusedText(value, refusal as ValidationError);
	}
}

/**
 * Builds the row of a value. An amount is an object with its currency, or a number, which leaves the
 * currency open.
 */
export function readValue(
	run: ResolvingRun,
	definition: JsonObject,
	label: string,
	value: unknown,
	judge: typeof judgeText = parseDescribed,
): JsonObject {
	const { Id } = definition;
	if (!isMoney(definition)) return buildValueRow(Id, judge(label, definition, value));
	const text = judge(label, definition, isObject(value) ? getMember(value, 'Value') : value);
	const isWhole = isObject(value) && !isUnset(getMember(value, 'CurrencyTypeId'));
	if (typeof text !== 'string' || !isWhole) {
		return buildValueRow(Id, text, text === '' ? undefined : COMPANY_DEFAULT);
	}
	const { CurrencyTypeId = COMPANY_DEFAULT } = readKnownJson(
		createOpenReader(run, []),
		label,
		'MoneyValue',
		value,
		'amount',
	);
	return buildValueRow(Id, text, text === '' ? undefined : CurrencyTypeId);
}

export const isList = (name: string): boolean => LISTS.some((one) => one === name);

/** Values that are left out, in the order in which they were given. */
export type Left = DescribedValues['left'];

/** Reads what is written to a record that is not known yet. */
export const createOpenReader = (run: ResolvingRun, left: Left): ValueReader => ({
	resolveId: run.resolver.resolveId,
	readRows: (place, given) => readRows(run, place, given, left),
});

export function addLeftNotices(run: RunContext, left: Left): void {
	for (const { reason, label } of left) run.addNotice(REASONS[reason], [quoteUnlessPlain(label)]);
}

/** Values of the Company's definitions come as rows, or by their names, as they are read. */
export function readRows(
	run: ResolvingRun,
	{ owner, list, type, label }: RowsPlace,
	given: JsonObject | unknown[],
	left: Left,
): unknown[] {
	if (!isList(list) || findDescriptorEntity(type) === undefined) return [given].flat();
	const own = list as List;
	const deleted = Array.isArray(given) ? given.filter(isDeletion) : [];
	const cells = Array.isArray(given)
		? given.filter((row) => !isDeletion(row)).map((row) => toRowCell(run, own, type, label, row))
		: Object.entries(given).map(
				([name, value]): DescribedCell => ({
					...{ list: own, reference: { nameOrId: name }, value },
					label: extendLabel(label, name),
				}),
			);
	const values = readDescribed(run, owner, cells);
	left.push(...values.left);
	return [...values.rows[own], ...deleted];
}

function toRowCell(
	run: ResolvingRun,
	list: List,
	type: string,
	label: string,
	row: unknown,
): DescribedCell {
	if (!isObject(row)) return fail(label, row, `a row, or values by name: { "Floor": "3" }`);
	const id = getKind(type, row) ?? findStoredKind(run, type, label, getId(row));
	if (id === undefined) {
		throw new ValidationError(
			`'${label}' has a row that does not say which ${LABELS[list].toLowerCase()} it is`,
			`Give the value by its name: { "${list}": { "Floor": "3" } }.`,
		);
	}
	return { list, reference: { id }, label, value: row.Value, row };
}

const STORED_PARTS = ['Descriptor.Id', 'Descriptor.Type', 'Value', 'CurrencyTypeId'] as const;

const STORED_ROWS = createTable<RowSource | undefined>({
	AssetAttribute: defineRows('AssetAttribute', 'Id', ['AssetId', ...STORED_PARTS]),
	CustomField2: defineRows('CustomField2', 'Id', ['ObjectId', 'ObjectTypeId', ...STORED_PARTS]),
});

export function findStoredRow(
	run: ResolvingRun,
	type: string,
	label: string,
	id: unknown,
): JsonObject | undefined {
	const source = STORED_ROWS[type];
	if (isBlank(id) || source === undefined) return undefined;
	return run.resolver.findRows(source, parseId(`${label} > Id`, id))[0];
}

/** Rows that were read without their definitions have an Id alone. */
function findStoredKind(
	run: ResolvingRun,
	type: string,
	label: string,
	id: unknown,
): string | undefined {
	const stored = findStoredRow(run, type, label, id);
	return stored && getKind(type, stored);
}

/** Returns the definition of a custom field or an attribute that identifies a record. */
export function requireKeyDefinition(
	run: ResolvingRun,
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
