/** Completes and judges what is written by the record that it is written to, once that is known. */
import { carriesAttributes, getEntity } from '../../catalogue/entities';
import { findRowType } from '../../catalogue/members';
import { createTable } from '../../catalogue/table';
import { defineRows, type RowSource } from '../../catalogue/targets';
import {
	buildRows,
	getId,
	isNewRow,
	getMatchedRows,
	RowIndex,
	listComparedPaths,
	omitRemovedRows,
} from '../../compare/differences';
import { getAttributes, hasCustomValue } from '../../compare/customFields';
import { requireFirstItem, type ResolvingForm, type ResolvingRun } from '../../run/context';
import { getKind, isDeletion, sortNewestFirst } from '../../values/rows';
import { type RecordPlace, type ValueReader } from '../../values/members';
import {
	filterMembers,
	getMember,
	isObject,
	type JsonObject,
	mapMembers,
	readPath,
	toRows,
} from '../../values/objects';
import { toRecordId } from '../../values/references';
import { isBlank } from '../../values/input';
import { findLinkLabel } from '../../values/typedTexts';
import { getRecordKey } from '../../wire/answers';
import { createEmptyError, ValidationError, quote, formatNames } from '../../values/errors';
import { COMPANY_DEFAULT, isNoCurrency, requireCompanyCurrency } from '../amounts';
import {
	addLeftNotices,
	createLeftError,
	findStoredRow,
	isList,
	LABELS,
	type Left,
	type List,
	LISTS,
	readDescribed,
	readRows,
	RefusedText,
} from './described';
import { getOwnParts, omitAbsentParts, requireOwnParts, toLonePart, toNewRecord } from './ownParts';

/** Reads what is sent as it is, such as a command with a record in it. */
export function createValueReader(form: ResolvingForm): ValueReader {
	const { run } = form;
	const created = new Set<string>();
	const written = new Set<string>();
	return {
		resolveId: run.resolver.resolveId,
		readRows: (place, given) => {
			const left: Left = [];
			const rows = readRows(run, place, given, left);
			addLeftNotices(run, left);
			return rows;
		},
		settle: (place, members) => {
			const { owner, label, isNew } = place;
			const settled = settleRecord(run, place, members, (id) => {
				const key = getRecordKey(owner, id);
				const isFirst = written.size < written.add(key).size;
				const createError = () => createRepeatedError(label, id);
				if (!isFirst) throw createError();
				requireFirstItem(form, `writes ${key}`, createError);
			});
			const keys = isNew
				? [requireNewRow(run, owner, label, settled)]
				: listRowKeys(owner, place.id, members);
			for (const key of keys) {
				if (key === undefined) continue;
				if (created.size === created.add(key).size) throw createSecondError(label, form.index);
				requireOnlyCreator(form, label, key);
			}
			return settled;
		},
	};
}

const createRepeatedError = (label: string, id: unknown) =>
	new ValidationError(
		`'${label}' is the record ${String(id)}, which another command of this run writes as well`,
		"Write it once, or use 'Update', which compares each item with what the one before has written.",
	);

/** A new record gets the Ids of its parts from Corrigo; others are matched with what the record has. */
function settleRecord(
	run: ResolvingRun,
	{ owner, label, id, isNew, isLone }: RecordPlace,
	members: JsonObject,
	/** Fails if the record is read before another write of the run. */
	requireOnlyWriter: (id: unknown) => void,
): JsonObject {
	if (isLone) return toLonePart(owner, members);
	const judged = judgeRecord(run, { owner, label, id, isNew }, members);
	if (isNew) {
		const own = toNewRecord(owner, omitRemovedRows(owner, judged));
		return settleValues(run, label, owner, own, undefined);
	}
	if (OWN_RECORDS[owner] !== undefined) {
		if (judged !== members) requireOnlyWriter(toRecordId(id));
		const stored = findStoredRow(run, owner, label, toRecordId(id));
		return settleValues(run, label, owner, judged, stored);
	}
	const own = getOwnParts(owner, members);
	const read = listComparedPaths(owner, own);
	if (read.length > 0) requireOnlyWriter(toRecordId(id));
	const [record = {}] =
		read.length > 0
			? run.resolver.findRows({ entity: owner, by: ['Id'], read }, Number(toRecordId(id)))
			: [];
	const settled = settleValues(run, label, owner, members, { Id: toRecordId(id), ...record });
	requireOwnParts(run.names, label, { entity: owner, id: toRecordId(id) }, settled, record);
	const matched = getMatchedRows(owner, settled);
	// A list of links that the record has already remains, empty: the command is not one without content.
	const present = omitAbsentParts(owner, settled, record);
	const others = mapMembers(present, (name, value) => (name in matched ? [] : value));
	return { ...others, ...buildRows(owner, record, matched) };
}

/** Some texts are refused unless the record has them, and so are attributes that its model lacks. */
export const dependsOnRecord = (members: JsonObject): boolean =>
	members.Value instanceof RefusedText ||
	listNewAttributes(members).length > 0 ||
	LISTS.some((list) => toRows(members[list]).some(({ Value }) => Value instanceof RefusedText));

/** Attributes that the record has not, as far as it is known. */
function listNewAttributes({ Attributes }: JsonObject, record?: JsonObject): JsonObject[] {
	const stored = new RowIndex('AssetAttribute', toRows(record?.Attributes));
	return toRows(Attributes).filter((row) => isNewRow(row) && stored.findSame(row) === undefined);
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
	const settleRows = (list: string, given: readonly unknown[]): unknown[] => {
		const type = findRowType(entity, list) ?? '';
		const rows = new RowIndex(type, sortNewestFirst(type, toRows(getMember(record, list))));
		return given.flatMap((row) => (isObject(row) ? settle(list, rows, row) : row));
	};
	const settle = (list: string, rows: RowIndex, row: JsonObject) => {
		const settled = settleRow(run, `${field} > ${list} > Currency`, row, rows.findSame(row));
		return settled ?? [];
	};
	if (OWN_RECORDS[entity] !== undefined) {
		const { Value, CurrencyTypeId } = record ?? {};
		const isOpen = members.CurrencyTypeId === COMPANY_DEFAULT;
		return (
			settleRow(run, `${field} > CurrencyTypeId`, members, record) ?? {
				...{ ...members, Value },
				...(isOpen ? { CurrencyTypeId } : {}),
			}
		);
	}
	const added = carriesAttributes(entity) ? listNewAttributes(members, record) : [];
	if (added.length > 0) {
		// A record that a dry run has planned has no ID yet.
		const id = Number(record?.Id);
		const { ModelId = record?.ModelId ?? (id > 0 ? findModel(run, id) : undefined) } = members;
		requireModelAttributes(run, field, ModelId, added);
	}
	return mapMembers(members, (name, value) =>
		isList(name) && Array.isArray(value) ? settleRows(name, value) : value,
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
	// Reads show the address of a link alone, so an address that is written back keeps what people see of it.
	if (stored !== undefined && !isBlank(text) && isSameLink(stored, text)) {
		return { ...row, Value: stored.Value };
	}
	if (row.CurrencyTypeId !== COMPANY_DEFAULT) return row;
	const isKept =
		stored !== undefined &&
		(!isNoCurrency(stored.CurrencyTypeId) || hasCustomValue(stored, row.Value));
	const CurrencyTypeId = isKept ? stored.CurrencyTypeId : requireCompanyCurrency(run, label);
	return { ...row, CurrencyTypeId };
}

const isSameLink = (stored: JsonObject, address: unknown): boolean =>
	findLinkLabel(stored.Value) !== undefined &&
	findLinkLabel(address) === undefined &&
	hasCustomValue(stored, address);

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

/** Members of such a record that decide about what is written to it. */
const DECIDING_PARTS = { Value: '', CurrencyTypeId: '', Descriptor: { Type: '' } };

/** Returns what to read of a record before members are written that depend on it. */
export function getDecidingParts(entity: string, members: JsonObject) {
	if (OWN_RECORDS[entity] === undefined) return { members, matched: getOwnParts(entity, members) };
	const isOpen = dependsOnRecord(members) || members.CurrencyTypeId === COMPANY_DEFAULT;
	return isOpen
		? { members: { ...members, ...DECIDING_PARTS }, matched: DECIDING_PARTS }
		: { members };
}

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
	const [one] = left;
	if (one !== undefined && stored === undefined) throw createLeftError(one);
	if (one !== undefined) {
		return { ...members, Value: new RefusedText(members.Value, createLeftError(one)) };
	}
	const [judged = members] = rows[list];
	if (isDeletion(judged)) {
		throw createEmptyError(`${label} > Value`, `To remove the ${noun}, delete the record.`);
	}
	const written = filterMembers(judged, (name) => name !== 'Descriptor' || name in members);
	// A record that is written back as it was read keeps its text.
	const isSameText =
		!(judged.Value instanceof RefusedText) && String(members.Value) === String(stored?.Value);
	return isSameText ? { ...written, Value: members.Value } : written;
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
	return buildRowKey(entity, type, id, kind);
}

/** Returns the same text for all values of one definition and one record. */
const buildRowKey = (entity: string, type: unknown, id: unknown, kind: string): string =>
	[entity, type, id, kind].join();

/**
 * A record that is written may get values of these definitions, which nothing else may create. Rows with
 * an Id are those that it has.
 */
function listRowKeys(owner: string, id: unknown, members: JsonObject): string[] {
	return Object.entries(OWN_RECORDS).flatMap(([entity, own]) => {
		const types = own?.owner.length === 1 ? [undefined] : (getEntity(owner)?.actorTypes ?? []);
		return toRows(members[String(own?.list)])
			.filter(isNewRow)
			.flatMap((row) => {
				const kind = getKind(entity, row);
				if (kind === undefined) return [];
				return types.map((type) => buildRowKey(entity, type, toRecordId(id), kind));
			});
	});
}

/** Fails if another item creates a value of the same definition for the same record. */
export const requireOnlyCreator = (form: ResolvingForm, label: string, key: string): void =>
	requireFirstItem(form, `creates ${key}`, (creator) => createSecondError(label, creator));

const createSecondError = (label: string, creator: number) =>
	new ValidationError(
		`'${label}' is a second value: item ${creator + 1} creates the first one`,
		'Remove one of the two.',
	);

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
