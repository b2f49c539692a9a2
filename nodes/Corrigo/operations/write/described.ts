import { carriesAttributes, getEntity } from '../../catalogue/entities';
import { findDescriptorEntity, findRowType } from '../../catalogue/members';
import { createTable } from '../../catalogue/table';
import { defineRows, type RowSource } from '../../catalogue/targets';
import { isUnset } from '../../catalogue/enumerations';
import type { Cell } from '../../columns/columns';
import {
	buildRows,
	getId,
	getMatchedRows,
	isSameRow,
	listComparedPaths,
	omitRemovedRows,
} from '../../compare/differences';
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
	parseDescribed,
	requireDefinition,
	type DefinitionReference,
	type Definitions,
} from '../../compare/customFields';
import type { RunContext, ResolvingRun } from '../../run/context';
import {
	getKind,
	isDeletion,
	type RecordPlace,
	type RowsPlace,
	type ValueReader,
} from '../../values/members';
import {
	filterMembers,
	getMember,
	isAbsent,
	isObject,
	type JsonObject,
	mapMembers,
	toRows,
} from '../../values/objects';
import { parseId, toRecordId } from '../../values/references';
import { findTypeOfColumn } from '../../values/typedTexts';
import { isBlank } from '../../values/input';
import {
	createEmptyError,
	fail,
	ValidationError,
	quote,
	quoteUnlessPlain,
	extendLabel,
	formatNames,
	toLabel,
} from '../../values/errors';
import { isCustomField } from '../../wire/criteria';
import { COMPANY_DEFAULT, isNoCurrency, requireCompanyCurrency } from '../amounts';
import { readKnownJson } from '../json';
import { getOwnParts, requireOwnParts, toNewRecord } from './ownParts';

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
	/** The row, if the value came in as one. */
	row?: JsonObject;
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
	return { list, reference, label: extendLabel(field, `${list}.${name}`), value: '', name };
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

const findDefinitions = (run: ResolvingRun, entity: string, list: List): Definitions =>
	list === 'Attributes'
		? getAttributes(run.resolver.findRows)
		: getCustomFields(entity, run.resolver.findRows);

const findDefinition = (
	run: ResolvingRun,
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
		const { list, value, name, row } = cell;
		if (value === null || value === undefined) continue;
		if ('nameOrId' in cell.reference && isBlank(cell.reference.nameOrId)) {
			throw createEmptyError(LABELS[list]);
		}
		const definition = findColumnDefinition(cell) ?? findDefinition(run, entity, cell);
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
		const shown = name === undefined ? label : String(definition.Name ?? name);
		const descriptor = Number(definition.Id);
		if (list === 'Attributes') {
			run.names.note('AttributeDescriptor', descriptor, definition.Name);
		} else if (!isCustomField(shown)) run.names.note('CustomFieldDescriptor', descriptor, shown);
		const { CurrencyTypeId } = row ?? {};
		const isAmount = isMoney(definition) && CurrencyTypeId !== undefined;
		const whole = isAmount ? { Value: value, CurrencyTypeId } : value;
		values.rows[list].push({ ...row, ...readValue(run, definition, label, whole) });
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

export function createLeftError({ reason, label, definition }: DescribedValues['left'][number]) {
	if (reason === 'removed') return createRemovedError(label, definition);
	return new ValidationError(
		`'${label}' keeps a history, to which values are added`,
		"Leave it out, and use 'Add Reading' of the Asset resource.",
	);
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
): JsonObject {
	const { Id } = definition;
	if (!isMoney(definition)) return buildValueRow(Id, parseDescribed(label, definition, value));
	const isWhole = isObject(value) && !isUnset(getMember(value, 'CurrencyTypeId'));
	const { Value, CurrencyTypeId = COMPANY_DEFAULT } = isWhole
		? readKnownJson(createValueReader(run), label, 'MoneyValue', value, 'amount')
		: { Value: isObject(value) ? getMember(value, 'Value') : value };
	const text = parseDescribed(label, definition, Value);
	return buildValueRow(Id, text, text === '' ? undefined : CurrencyTypeId);
}

/**
 * An amount without a currency keeps the one that is stored. A new amount takes that of the Company. It
 * is not known which before the record is.
 */
export function settleCurrencies(
	run: ResolvingRun,
	field: string,
	entity: string,
	members: JsonObject,
	record: JsonObject | undefined,
): JsonObject {
	const settle = (list: string, row: JsonObject): JsonObject => {
		if (row.CurrencyTypeId !== COMPANY_DEFAULT) return row;
		const type = findRowType(entity, list) ?? '';
		const stored = toRows(getMember(record, list)).find((one) => isSameRow(type, one, row));
		const isKept =
			stored !== undefined &&
			(!isNoCurrency(stored.CurrencyTypeId) || hasCustomValue(stored, row.Value));
		const label = `${field} > ${list} > Currency`;
		const CurrencyTypeId = isKept ? stored.CurrencyTypeId : requireCompanyCurrency(run, label);
		return { ...row, CurrencyTypeId };
	};
	return mapMembers(members, (name, value) =>
		isList(name) && Array.isArray(value)
			? value.map((row: unknown) => (isObject(row) ? settle(name, row) : row))
			: value,
	);
}

const isList = (name: string): boolean => LISTS.some((one) => one === name);

/** Values that are left out, in the order in which they were given. */
type Left = DescribedValues['left'];

/** Reads what is written to a record that is not known yet. */
export const createOpenReader = (run: ResolvingRun, left: Left): ValueReader => ({
	resolveId: run.resolver.resolveId,
	readRows: (place, given) => readRows(run, place, given, left),
});

/** Reads what is sent as it is, such as a command with a record in it. */
export function createValueReader(run: ResolvingRun): ValueReader {
	return {
		resolveId: run.resolver.resolveId,
		readRows: (place, given) => {
			const left: Left = [];
			const rows = readRows(run, place, given, left);
			addLeftNotices(run, left);
			return rows;
		},
		settle: (place, members) => settleRecord(run, place, members),
	};
}

export function addLeftNotices(run: RunContext, left: Left): void {
	for (const { reason, label } of left) run.addNotice(REASONS[reason], [quoteUnlessPlain(label)]);
}

/** Values of the Company's definitions come as rows, or by their names, as they are read. */
function readRows(
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
		: Object.entries(given).map(([name, value]): DescribedCell => {
				const place = { label: extendLabel(label, name), name };
				return { list: own, reference: { nameOrId: name }, value, ...place };
			});
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

const STORED_ROWS = createTable<RowSource | undefined>({
	AssetAttribute: defineRows('AssetAttribute', 'Id', ['Descriptor.Id']),
	CustomField2: defineRows('CustomField2', 'Id', ['Descriptor.Id']),
});

/** Rows that were read without their definitions have an Id alone. */
function findStoredKind(
	run: ResolvingRun,
	type: string,
	label: string,
	id: unknown,
): string | undefined {
	const source = STORED_ROWS[type];
	if (isBlank(id) || source === undefined) return undefined;
	const [stored] = run.resolver.findRows(source, parseId(`${label} > Id`, id));
	return stored && getKind(type, stored);
}

/** A new record gets the Ids of its parts from Corrigo; others are matched with what the record has. */
function settleRecord(
	run: ResolvingRun,
	{ owner, label, id, isNew }: RecordPlace,
	members: JsonObject,
): JsonObject {
	if (isNew) {
		const own = toNewRecord(owner, omitRemovedRows(members));
		return settleCurrencies(run, label, owner, own, undefined);
	}
	const own = getOwnParts(owner, members);
	const read = listComparedPaths(owner, own);
	const [record = {}] =
		read.length > 0
			? run.resolver.findRows({ entity: owner, by: ['Id'], read }, Number(toRecordId(id)))
			: [];
	requireOwnParts(label, owner, toRecordId(id), members, record);
	const settled = settleCurrencies(run, label, owner, members, record);
	const matched = getMatchedRows(owner, settled);
	const others = filterMembers(settled, (name) => !(name in matched));
	return { ...others, ...buildRows(owner, record, matched) };
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

const MODEL_ATTRIBUTES = defineRows('LinkModelAndAttribute', 'ModelId', ['AttributeDescriptorId']);

const ASSET_MODELS = defineRows('Location', 'Id', ['ModelId']);

/** Returns the model of an asset, which decides about its attributes; undefined if there is no such asset. */
export const findModel = (run: ResolvingRun, asset: number): unknown =>
	run.resolver.findRows(ASSET_MODELS, asset)[0]?.ModelId;

/**
 * Refuses new attributes that assets of the model do not have: Corrigo takes them without a word. A
 * Company that assigns none to a model is taken to allow all.
 */
export function requireModelAttributes(
	run: ResolvingRun,
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
		`They have: ${formatNames([...known].map(getName).sort())}.`,
	);
}
