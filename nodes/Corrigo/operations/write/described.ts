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
	isMatch,
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
	nameDefinition,
	parseDescribed,
	requireDefinition,
	type DefinitionReference,
	type Definitions,
} from '../../compare/customFields';
import {
	oncePerRun,
	type ItemForm,
	type ResolvingForm,
	type ResolvingRun,
	type RunContext,
} from '../../run/context';
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
	readPath,
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
import { getOwnParts, requireOwnParts, toLonePart, toNewRecord } from './ownParts';

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

const findDefinition = (run: ResolvingRun, entity: string, cell: DescribedCell): JsonObject =>
	requireDefinition(cell.label, cell.reference, findDefinitions(run, entity, cell));

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
class RefusedText {
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

/** Some texts are refused unless the record has them, and so are attributes that its model lacks. */
export const dependsOnRecord = (members: JsonObject): boolean =>
	members.Value instanceof RefusedText ||
	listNewAttributes(members).length > 0 ||
	LISTS.some((list) => toRows(members[list]).some(({ Value }) => Value instanceof RefusedText));

/** Attributes that the record has not, as far as it is known. */
const listNewAttributes = ({ Attributes }: JsonObject, record?: JsonObject): JsonObject[] =>
	toRows(Attributes).filter((row) => {
		const isStored = (one: JsonObject) => isSameRow('AssetAttribute', one, row);
		const isKnown = !isBlank(getId(row)) || toRows(record?.Attributes).some(isStored);
		return !isDeletion(row) && !isKnown;
	});

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

/**
 * Completes values by what the record has, once it is known. An amount without a currency keeps the one
 * that is stored, and a new one takes that of the Company.
 */
export function settleValues(
	run: ResolvingRun,
	field: string,
	entity: string,
	members: JsonObject,
	record: JsonObject | undefined,
): JsonObject {
	const settle = (list: string, row: JsonObject): JsonObject | JsonObject[] => {
		const type = findRowType(entity, list) ?? '';
		const stored = toRows(getMember(record, list)).find((one) => isSameRow(type, one, row));
		return settleRow(run, `${field} > ${list} > Currency`, row, stored) ?? [];
	};
	if (OWN_RECORDS[entity] !== undefined) {
		return settleRow(run, `${field} > CurrencyTypeId`, members, record) ?? {};
	}
	const added = carriesAttributes(entity) ? listNewAttributes(members, record) : [];
	if (added.length > 0) {
		// A record that a dry run has planned has no ID yet.
		const id = Number(record?.Id);
		const { ModelId = record?.ModelId ?? (id > 0 ? findModel(run, id) : undefined) } = members;
		requireModelAttributes(run, field, ModelId, added);
	}
	return mapMembers(members, (name, value) =>
		isList(name) && Array.isArray(value)
			? value.flatMap((row: unknown) => (isObject(row) ? settle(name, row) : row))
			: value,
	);
}

/** Returns undefined for a row that changes nothing. */
function settleRow(
	run: ResolvingRun,
	label: string,
	row: JsonObject,
	stored: JsonObject | undefined,
): JsonObject | undefined {
	const { Value: text } = row;
	if (text instanceof RefusedText) {
		if (text.matches(stored)) return undefined;
		throw text.refusal;
	}
	if (row.CurrencyTypeId !== COMPANY_DEFAULT) return row;
	const isKept =
		stored !== undefined &&
		(!isNoCurrency(stored.CurrencyTypeId) || hasCustomValue(stored, row.Value));
	const CurrencyTypeId = isKept ? stored.CurrencyTypeId : requireCompanyCurrency(run, label);
	return { ...row, CurrencyTypeId };
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
export function createValueReader(form: ResolvingForm): ValueReader {
	const { run } = form;
	const created = new Set<string>();
	return {
		resolveId: run.resolver.resolveId,
		readRows: (place, given) => {
			const left: Left = [];
			const rows = readRows(run, place, given, left);
			addLeftNotices(run, left);
			return rows;
		},
		settle: (place, members) => {
			const settled = settleRecord(run, place, members);
			const { owner, label, isNew } = place;
			const key = isNew ? requireNewRow(run, owner, label, settled) : undefined;
			if (key !== undefined && created.has(key)) throw createSecondError(label, form.index);
			if (key !== undefined) {
				created.add(key);
				requireOnlyCreator(form, label, key);
			}
			return settled;
		},
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
				const reference = { nameOrId: name };
				return { list: own, reference, value, label: extendLabel(label, name) };
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

const STORED_PARTS = ['Descriptor.Id', 'Descriptor.Type', 'Value', 'CurrencyTypeId'] as const;

const STORED_ROWS = createTable<RowSource | undefined>({
	AssetAttribute: defineRows('AssetAttribute', 'Id', ['AssetId', ...STORED_PARTS]),
	CustomField2: defineRows('CustomField2', 'Id', ['ObjectId', 'ObjectTypeId', ...STORED_PARTS]),
});

function findStoredRow(
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

/** A custom field or an attribute as a record of its own, and how it says whose it is. */
interface OwnRecord {
	list: List;
	/** Members with the record that has the row; the first one has its Id. */
	owner: readonly string[];
	/** Rows of the same record. */
	rows: RowSource;
}

const OWN_RECORDS = createTable<OwnRecord | undefined>({
	AssetAttribute: {
		list: 'Attributes',
		owner: ['AssetId'],
		rows: defineRows('AssetAttribute', 'AssetId', ['Descriptor.Id']),
	},
	CustomField2: {
		list: 'CustomFields',
		owner: ['ObjectId', 'ObjectTypeId'],
		rows: defineRows('CustomField2', 'ObjectId', ['Descriptor.Id', 'ObjectTypeId']),
	},
});

/** A custom field or an attribute that is a record of its own is judged as a row of the one that has it. */
export function judgeRecord(
	run: ResolvingRun,
	{ owner: entity, label, id, isNew }: RecordPlace,
	members: JsonObject,
): JsonObject {
	const own = OWN_RECORDS[entity];
	if (own === undefined) return members;
	const { list, owner } = own;
	const stored = isNew ? undefined : findStoredRow(run, entity, label, toRecordId(id));
	// Corrigo says that there is no such record, and nothing is judged where no value is written.
	const isMissing = !isNew && !isBlank(id) && stored === undefined;
	if (isMissing || members.Value === undefined || isDeletion(members)) return members;
	const row = { ...stored, ...members };
	const kind = getKind(entity, row);
	const noun = LABELS[list].toLowerCase();
	if (stored !== undefined) {
		for (const path of ['Descriptor.Id', ...owner]) {
			const [given, before] = [members, stored].map((one) => readPath(one, path));
			if (isBlank(given) || String(given) === String(before)) continue;
			throw new ValidationError(
				`'${label} > ${path}' is ${quote(given)}, but the ${noun} with the ID ${String(getId(stored))} has ${quote(before)}`,
				'Leave it out: it never changes.',
			);
		}
		if (isMatch(entity, stored, { ...members, Descriptor: stored.Descriptor })) return members;
	}
	if (kind === undefined) {
		throw createEmptyError(`${label} > Descriptor`, `Choose the ${noun}.`);
	}
	const [, ownerType] = owner.map((name) => row[name]);
	const { rows, left } = readDescribed(run, '', [
		{
			...{ list, reference: { id: kind }, label, value: members.Value, row: members },
			...(ownerType === undefined ? {} : { ownerType: String(ownerType) }),
		},
	]);
	if (left.length > 0) throw createLeftError(left[0]);
	const [judged = members] = rows[list];
	if (isDeletion(judged)) {
		throw createEmptyError(`${label} > Value`, `To remove the ${noun}, delete the record.`);
	}
	const written = filterMembers(judged, (name) => name !== 'Descriptor' || name in members);
	return stored === undefined ? written : settleValues(run, label, entity, written, stored);
}

/**
 * Refuses a second row of an attribute or a custom field, and a row of an asset that does not exist.
 * Returns what tells the row from those of other records and definitions; undefined for other records.
 */
export function requireNewRow(
	run: ResolvingRun,
	entity: string,
	label: string,
	members: JsonObject,
): string | undefined {
	const own = OWN_RECORDS[entity];
	if (own === undefined) return undefined;
	const [id, type] = own.owner.map((name) => members[name]);
	const kind = getKind(entity, members);
	if (isBlank(id) || kind === undefined) return undefined;
	const stored = run.resolver
		.findRows(own.rows, Number(id))
		.find((one) => getKind(entity, one) === kind && one[own.owner[1]] === type);
	if (stored !== undefined) {
		const noun = LABELS[own.list].toLowerCase();
		throw new ValidationError(
			`'${label}' is a second value of one ${noun}: the record with the ID ${String(id)} has it already`,
			`Update the ${noun} with the ID ${String(getId(stored))}.`,
		);
	}
	if (own.list === 'Attributes') {
		requireModelAttributes(run, label, requireModel(run, `${label} > AssetId`, Number(id)), [
			members,
		]);
	}
	return [entity, type, id, kind].join();
}

/** The first item of a run that creates a custom field or an attribute of a record. */
const findCreator = oncePerRun<number, string, ItemForm>(({ index }) => index);

/** Fails if another item creates a value of the same definition for the same record. */
export function requireOnlyCreator(form: ItemForm, label: string, key: string): void {
	const creator = findCreator(form, key);
	if (creator !== form.index) throw createSecondError(label, creator);
}

const createSecondError = (label: string, creator: number) =>
	new ValidationError(
		`'${label}' is a second value: item ${creator + 1} creates the first one`,
		'Remove one of the two.',
	);

/** A new record gets the Ids of its parts from Corrigo; others are matched with what the record has. */
function settleRecord(
	run: ResolvingRun,
	{ owner, label, id, isNew, isLone }: RecordPlace,
	members: JsonObject,
): JsonObject {
	if (isLone) return toLonePart(owner, members);
	const judged = judgeRecord(run, { owner, label, id, isNew }, members);
	if (isNew) {
		const own = toNewRecord(owner, omitRemovedRows(judged));
		return settleValues(run, label, owner, own, undefined);
	}
	if (OWN_RECORDS[owner] !== undefined) return judged;
	const own = getOwnParts(owner, members);
	const read = listComparedPaths(owner, own);
	const [record = {}] =
		read.length > 0
			? run.resolver.findRows({ entity: owner, by: ['Id'], read }, Number(toRecordId(id)))
			: [];
	requireOwnParts(label, owner, toRecordId(id), members, record);
	const settled = settleValues(run, label, owner, members, { Id: toRecordId(id), ...record });
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
const findModel = (run: ResolvingRun, asset: number): unknown =>
	run.resolver.findRows(ASSET_MODELS, asset)[0]?.ModelId;

export function requireModel(run: ResolvingRun, label: string, asset: number): unknown {
	const model = findModel(run, asset);
	if (model !== undefined) return model;
	throw new ValidationError(
		`'${label}' is ${asset}, but there is no asset with this ID`,
		'Nothing was written. Check the ID.',
	);
}

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
	if (isBlank(model) || Number(model) <= 0) return;
	const { findRows } = run.resolver;
	const links = findRows(MODEL_ATTRIBUTES, Number(model));
	const known = new Set(links.map(({ AttributeDescriptorId }) => String(AttributeDescriptorId)));
	const other = attributes
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
