import {
	type JsonObject,
	filterMembers,
	getMember,
	isObject,
	mapMembers,
	readPath,
	toRows,
} from '../../values/objects';
import { isBlank } from '../../values/input';
import type { PlannedWrite } from '../../wire/requests';
import {
	findActorEntity,
	findDescriptorEntity,
	findTypeMember,
	findRowKinds,
	getInnerType,
	getWrittenType,
	isFileContent,
	isSecret,
} from '../../catalogue/members';
import { getCommand } from '../../catalogue/commands';
import {
	getEntity,
	findEntityMemberType,
	isReference,
	parts,
	toRowType,
} from '../../catalogue/entities';
import { enumerations, isEnumerationName, isUnset } from '../../catalogue/enumerations';
import { getMemberLabel } from '../../catalogue/enumerations/labels';
import { findMemberTarget } from '../../catalogue/targets';
import { isTimeZone, timeZones } from '../../catalogue/times';
import { buildColumn } from '../../columns/columns';
import { HIDDEN } from '../../values/errors';
import { cutText } from '../../values/lines';
import { hasCustomValue } from '../../compare/customFields';
import {
	findChange,
	getId,
	isNewRow,
	RowIndex,
	mergeRows,
	isSame,
} from '../../compare/differences';
import { findCarriedOwner } from '../../values/memberNames';
import { isContent, isDeletion, getKind } from '../../values/rows';
import type { NameReader, Reference } from '../../records/names';

/** Names and labels with which a run describes one of its items. */
export interface Words {
	getName: NameReader;
	/** Returns the label that the form has for a member or, as `Member.Value`, for a value. */
	findLabel: (member: string) => string | undefined;
}

/** The contract also has a name without `Command` for one of the commands. */
export const findCommand = (name: string) => getCommand(name) ?? getCommand(`${name}Command`);

/** A member that a write would set, with its values in readable form. */
export interface PlannedChange {
	member: string;
	label: string;
	/** Set if the label is not the package's own, so a sentence quotes it. */
	isForeign?: true;
	/** Missing if the current value is unknown. */
	from?: unknown;
	to: unknown;
	/** The record that the new value refers to. */
	reference?: Reference;
}

/** If the stored record is known, members that would stay as they are do not count. */
export function getPlannedChanges(write: PlannedWrite, words: Words): PlannedChange[] {
	if (write.does === 'update') return getUpdateChanges(write, words);
	if (write.does === 'create') return getContentChanges(write.entity, write.fields, words);
	return write.does === 'run' ? getContentChanges(write.command, write.body, words) : [];
}

type Named = PlannedChange & { reference: Reference };

/** The record that a command changes, if its body refers to it, whatever the case of the member, or the form does. */
export function findCommandSubject(
	write: PlannedWrite,
	changes: readonly PlannedChange[],
): Named | undefined {
	if (write.does !== 'run') return undefined;
	if (write.order !== undefined) {
		const reference = { entity: 'WorkOrder', id: write.order };
		return { member: '', label: '', to: write.order, reference };
	}
	const { subject } = findCommand(write.command) ?? {};
	if (!subject) return undefined;
	const entity = getEntity(subject.replace(/Id$/, ''))?.name;
	const named = changes.flatMap((change): Named[] => {
		if (change.member.toLowerCase() !== subject.toLowerCase()) return [];
		const { reference = entity && { entity, id: change.to } } = change;
		return reference ? [{ ...change, reference }] : [];
	});
	// Nobody knows which of two spellings of one name the service takes.
	return named.length === 1 && Number.isInteger(Number(named[0].reference.id))
		? named[0]
		: undefined;
}

export const NO_WORDS: Words = { getName: () => undefined, findLabel: () => undefined };

/** The record that a delete or a command names, if it names no other one. */
export function findOnlyRecord(write: PlannedWrite): Reference | undefined {
	if (write.does === 'delete') return findChangedRecord(write);
	const changes = getPlannedChanges(write, NO_WORDS);
	const subject = findCommandSubject(write, changes);
	const isAlone = changes.every((one) => one.member === subject?.member || !mayNameRecord(one.to));
	return isAlone ? subject?.reference : undefined;
}

/** The record that a write changes, if it is known without a look at the other values. */
export function findChangedRecord(write: PlannedWrite): Reference | undefined {
	switch (write.does) {
		case 'create':
			return undefined;
		case 'update':
			return { entity: write.entity, id: write.changes.Entity.Id };
		case 'delete':
			return { entity: write.entity, id: write.id };
		case 'run': {
			const subject = String(findCommand(write.command)?.subject).toLowerCase();
			const body = filterMembers(write.body, (member) => member.toLowerCase() === subject);
			const changes = getContentChanges(write.command, body, NO_WORDS);
			return findCommandSubject(write, changes)?.reference;
		}
	}
}

/** Any number, list or object may contain the ID of a record. */
const mayNameRecord = (value: unknown): boolean =>
	typeof value !== 'boolean' && (typeof value !== 'string' || /^\d+$/.test(value));

/** Tells whether the records that a write changes are known, so that they can be compared later. */
export const isRecordKnown = (write: PlannedWrite, changes: readonly PlannedChange[]): boolean =>
	write.does !== 'run' ||
	findCommand(write.command)?.subject === null ||
	findCommandSubject(write, changes) !== undefined;

/** Labels of rows without names may be equal: Comment, Comment (2). */
function createLabeler(): (label: string) => string {
	const taken = new Set<string>();
	const counts = new Map<string, number>();
	return (label) => {
		let free = label;
		let count = counts.get(label) ?? 1;
		while (taken.has(free)) free = `${label} (${(count += 1)})`;
		counts.set(label, count);
		taken.add(free);
		return free;
	};
}

/** Returns, for example, { "PO Number": { From: null, To: "PO-999" } } */
export function formatChanges(changes: readonly PlannedChange[]): JsonObject {
	const toFreeLabel = createLabeler();
	return Object.fromEntries(
		changes.map(({ label, to, ...change }) => {
			const values = { ...('from' in change ? { From: change.from } : {}), To: to };
			return [toFreeLabel(label), values];
		}),
	);
}

function getUpdateChanges(
	{ entity, changes: { Properties, Entity }, record }: Extract<PlannedWrite, { does: 'update' }>,
	words: Words,
): PlannedChange[] {
	return Properties.map((path) => path.replace(/\.\*$/, '')).flatMap((path) => {
		const [, collection, name] = /^(.+)\.(.+)$/.exec(path) ?? [];
		const rows = collection && readPath(Entity, collection);
		if (Array.isArray(rows)) {
			const stored = record && toRows(readPath(record, collection));
			const rowType = toRowType(getWrittenType(entity, collection));
			return getRowMemberChanges(rowType, name, rows.filter(isObject), words, stored);
		}
		const type = getWrittenType(entity, path);
		const to = readPath(Entity, path);
		const from = readPath(record, path);
		if (findRowKinds(toRowType(type)) !== undefined && Array.isArray(to)) {
			return getRowChanges(toRowType(type), to.filter(isObject), words, record && toRows(from));
		}
		if (record === undefined) return [buildChange(entity, path, to, words)];
		const isNothing = isBlank(from) && isBlank(to);
		if (isNothing || (findChange(type, from, to) === undefined && !addsRow(to))) return [];
		const after = Array.isArray(to) && to.some(isObject) ? mergeRows('', toRows(from), to) : to;
		const change = buildChange(entity, path, after, words);
		// Corrigo returns no passwords, so what was there before is not known.
		if (path.split('.').some(isSecret)) return [change];
		return [{ ...change, from: formatValue(entity, path, from, words) }];
	});
}

/** A row without an Id is added, even if the record has an equal one. */
const addsRow = (value: unknown): boolean => toRows(value).some(isNewRow);

/** A path may lead to one member of the rows: `Items.QtyReceived`. */
function getRowMemberChanges(
	type: string,
	name: string,
	rows: readonly JsonObject[],
	words: Words,
	stored: readonly JsonObject[] | undefined,
): PlannedChange[] {
	const index = stored && new RowIndex(type, stored);
	return rows.flatMap((row): PlannedChange[] => {
		const before = index?.findSame(row);
		const to = getMember(row, name);
		if (isStored(type, before, name, to)) return [];
		const references = Object.values(before ?? {}).map((one) => getMember(one, 'DisplayAs'));
		const rowName = references.find((one) => !isBlank(one)) ?? `ID ${String(getId(row))}`;
		return [
			{
				member: name,
				label: `${getMemberLabel('', name)} (${String(rowName)})`,
				isForeign: true,
				...(stored && { from: formatValue(type, name, getMember(before, name), words) }),
				to: formatValue(type, name, to, words),
			},
		];
	});
}

/** If a collection has one row of each kind, its values are shown as members of the record. */
function getRowChanges(
	type: string,
	rows: readonly JsonObject[],
	words: Words,
	stored: readonly JsonObject[] | undefined,
): PlannedChange[] {
	const { by = '', value: main } = findRowKinds(type) ?? {};
	const index = stored && new RowIndex(type, stored);
	return rows.flatMap((row) => {
		const kind = getKind(type, row);
		const same = index?.findSame(row);
		// An update adds a row without an Id, even if there is one of its kind. A planned one has none yet.
		const isStoredRow = same !== undefined && !isBlank(getId(same));
		const isAdded = isStoredRow && isNewRow(row);
		const before = isAdded ? undefined : joinAmount(type, same);
		const descriptor = findDescriptorEntity(type);
		const isNamed = descriptor !== undefined && words.getName(descriptor, kind) !== undefined;
		// A row that is known by its Id may get another kind.
		const oldKind = (isStoredRow && !isAdded ? getKind(type, same) : undefined) ?? kind;
		const kindLabel = getKindLabel(type, oldKind ?? '', words);
		const base = isAdded ? `Additional ${kindLabel}` : kindLabel;
		const isRemoved = stored === undefined && isDeletion(row);
		return Object.entries(isDeletion(row) ? { [main ?? '']: null } : joinAmount(type, row)).flatMap(
			([name, to]): PlannedChange[] => {
				const isKey = !isContent(name) || (name === by.split('.')[0] && kind === oldKind);
				if (isKey || (!isRemoved && isStored(type, before, name, to))) return [];
				const from = getMember(before, name);
				const label =
					name === main && type !== 'Address2' ? base : `${base} ${getMemberLabel('', name)}`;
				return [
					{
						member: name,
						label,
						...(isNamed ? { isForeign: true } : {}),
						...(stored === undefined ? {} : { from: formatValue(type, name, from, words) }),
						to: formatValue(type, name, to, words),
					},
				];
			},
		);
	});
}

/** A custom field or an attribute has its currency next to its value. */
function joinAmount(type: string, row: JsonObject = {}): JsonObject {
	const { CurrencyTypeId, Value, ...others } = row;
	return findDescriptorEntity(type) === undefined ||
		isBlank(CurrencyTypeId) ||
		isUnset(CurrencyTypeId)
		? row
		: { ...others, Value: { Value, CurrencyTypeId } };
}

function isStored(type: string, row: JsonObject = {}, name: string, value: unknown): boolean {
	const stored = getMember(row, name);
	if (findDescriptorEntity(type) === undefined || name !== 'Value') {
		return isSame(findEntityMemberType(type, name) ?? '', stored, value);
	}
	const [before, after] = [stored, value].map((one) => (isObject(one) ? one : { Value: one }));
	return (
		isSame('CurrencyType', before.CurrencyTypeId, after.CurrencyTypeId) &&
		hasCustomValue({ ...row, ...before }, after.Value)
	);
}

function getKindLabel(type: string, kind: string, { getName }: Words): string {
	const descriptor = findDescriptorEntity(type);
	if (descriptor !== undefined) {
		return getName(descriptor, kind) ?? `${getEntity(type)?.label ?? type} ID ${kind}`;
	}
	const { by = '', fallback } = findRowKinds(type) ?? {};
	const label = getMemberLabel(findEntityMemberType(type, by) ?? '', kind);
	if (type !== 'Address2') return label;
	return kind === fallback ? 'Address' : `${label} Address`;
}

/** The contract has two names for this member, and both are sent. */
const isTwin = (name: string, { RequestorContact }: JsonObject) =>
	name === 'Contactid' && RequestorContact !== undefined;

/** People read the state that the record gets, which is the opposite of this switch. */
export const REACTIVATE = 'Reactivate';

const SIZE = 'Size';
/** A dry run has replaced the content with its size and digest. */
const getFileSize = (content: unknown) => String(content).split(',')[0];

/** Values inside a part are changes of their own; a list is one change. */
function getContentChanges(
	owner: string,
	value: JsonObject,
	words: Words,
	prefix = '',
): PlannedChange[] {
	return Object.entries(value).flatMap(([name, to]): PlannedChange[] => {
		const path = `${prefix}${name}`;
		const type = getWrittenType(owner, path);
		if (isBlank(to) || isTwin(name, value)) return [];
		if (isFileContent(owner, name)) return [{ member: SIZE, label: SIZE, to: getFileSize(to) }];
		if (name === REACTIVATE) return [{ member: name, label: 'Suspended', to: to !== true }];
		const kind = value[findTypeMember(owner, path)?.split('.').at(-1) ?? ''];
		if (typeof kind === 'string') return [buildAttachment(name, kind, to, words)];
		// The label of the record already shows its type.
		if (type === 'ActorType' && !isBlank(value[name.replace(/TypeId$/, 'Id')])) return [];
		if (Array.isArray(to) && findRowKinds(toRowType(type)) !== undefined) {
			return getRowChanges(toRowType(type), to.filter(isObject), words, undefined);
		}
		if (!isObject(to) || isMoney(to) || toReference(type, to) !== undefined) {
			return [buildChange(owner, path, to, words)];
		}
		if (type in parts || type === '') return getContentChanges(owner, to, words, `${path}.`);
		const { owner: inner, members, record } = readCarried(type, to);
		const changes = getContentChanges(inner, members, words);
		if (record === undefined) return changes;
		const label = getEntity(inner)?.label ?? inner;
		return [{ member: name, label, to: toNamed(record, words), reference: record }, ...changes];
	});
}

/** Some commands carry records and commands that say themselves what they are. */
function readCarried(type: string, value: JsonObject) {
	const owner = findCarriedOwner(type, value);
	if (owner === type) return { owner, members: value };
	const members = filterMembers(value, (name) => !/^(\$type|EntityType|Id)$/i.test(name));
	const id = getId(value);
	return { owner, members, record: isBlank(id) ? undefined : { entity: owner, id } };
}

/** Finds the record of any type that a command carries. */
export const findCarriedRecord = ({ body }: Extract<PlannedWrite, { does: 'run' }>) =>
	Object.values(body)
		.filter(isObject)
		.map((one) => readCarried('CorrigoEntity', one))
		.find(({ owner }) => getEntity(owner) !== undefined);

/** A record of any type is identified by its type and its Id together. */
function buildAttachment(member: string, type: string, id: unknown, words: Words): PlannedChange {
	const entity = findActorEntity(type) ?? '';
	const reference = { entity, id };
	const label = getMemberLabel('ActorType', type);
	const meaning = entity === '' ? { isForeign: true as const } : { reference };
	return { member, label, to: toNamed(reference, words), ...meaning };
}

/** A reference is shown without `Id`: `Customer.Id` becomes `Customer`. */
const getMemberName = (path: string) => path.replace(/\.Id$/i, '').split('.').at(-1) ?? path;

function buildChange(owner: string, path: string, value: unknown, words: Words): PlannedChange {
	const member = getMemberName(path);
	const label = words.findLabel(member) ?? buildColumn(owner, path).label;
	const reference = Array.isArray(value) ? undefined : findReference(owner, path, value);
	const isKnown = getWrittenType(owner, path) !== '';
	const change: PlannedChange = {
		member,
		label,
		...(isKnown ? {} : { isForeign: true }),
		to: formatValue(owner, path, value, words),
	};
	return reference === undefined ? change : { ...change, reference };
}

function findReference(owner: string, path: string, value: unknown): Reference | undefined {
	if (isBlank(value)) return undefined;
	if (isObject(value)) return toReference(getInnerType(owner, path), value);
	const target = findMemberTarget(owner, path);
	return target === undefined ? undefined : { entity: target.entity, id: value };
}

function toReference(type: string, value: JsonObject): Reference | undefined {
	const id = getMember(value, 'Id');
	if (isBlank(id)) return undefined;
	if (type === 'EntitySpecifier') {
		const entity = getMember(value, 'EntityType');
		if (typeof entity !== 'string' || isBlank(entity)) return undefined;
		return { entity: getEntity(entity)?.name ?? entity, id };
	}
	return isReference(type) ? { entity: getEntity(type)?.name ?? type, id } : undefined;
}

const toNamed = ({ entity, id }: Reference, { getName }: Words): JsonObject => {
	const Name = getName(entity, id);
	return { Id: id, ...(Name === undefined ? {} : { Name }) };
};

const isMoney = (value: JsonObject) => 'Value' in value && 'CurrencyTypeId' in value;

/** Shows names next to IDs, labels instead of enumeration members and zones, and null for empty values. */
function formatValue(owner: string, path: string, value: unknown, words: Words): unknown {
	if (isBlank(value)) return null;
	if (path.split('.').some(isSecret)) return HIDDEN;
	const type = getInnerType(owner, path);
	if (Array.isArray(value)) {
		return value.map((one) =>
			isRow(type, one) ? formatRow(type, one, words) : formatValue(owner, path, one, words),
		);
	}
	const reference = findReference(owner, path, value);
	if (reference !== undefined) return toNamed(reference, words);
	if (isObject(value)) return isMoney(value) ? value : formatRow(type, value, words);
	if (type === 'WOType' && Number.isInteger(value)) {
		// The wire format uses the index in the list.
		return getMemberLabel(type, enumerations.WOType[Number(value)] ?? String(value));
	}
	if (isTimeZone(path, type)) return timeZones[String(value)] ?? value;
	if (!isEnumerationName(type)) return truncateTexts(value);
	const text = String(value);
	return words.findLabel(`${getMemberName(path)}.${text}`) ?? getMemberLabel(type, text);
}

/** A row of a list has an Id as well; it counts as a reference only if it has no other value. */
const isRow = (type: string, value: unknown): value is JsonObject =>
	isObject(value) &&
	!['EntitySpecifier', 'MoneyValue'].includes(type) &&
	Object.entries(value).some(([name, one]) => isContent(name) && !isBlank(one));

function describeDeletion(row: JsonObject): string {
	const id = getId(row);
	return isBlank(id) ? 'Delete' : `Delete ID ${String(id)}`;
}

function formatRow(type: string, row: JsonObject, words: Words): JsonObject {
	const { owner, members, record } = readCarried(type, joinAmount(type, row));
	const { label } = getCommand(owner) ?? {};
	const formatMember = (name: string, value: unknown): [string, unknown] =>
		isFileContent(owner, name)
			? [SIZE, getFileSize(value)]
			: [buildColumn(owner, name).label, formatValue(owner, name, value, words)];
	return {
		...(label === undefined ? {} : { Command: label }),
		...(isDeletion(row) ? { Change: describeDeletion(row) } : {}),
		...(record === undefined ? {} : { [getEntity(owner)?.label ?? owner]: toNamed(record, words) }),
		...Object.fromEntries(
			Object.entries(members)
				.filter(([name, value]) => isContent(name) && !isBlank(value))
				.map(([name, value]) => formatMember(name, value)),
		),
	};
}

/** Bodies can contain whole files, which nobody reads in an item. */
const MAX_TEXT = 2000;
const SHOWN_CHARACTERS = 100;

export function truncateTexts(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(truncateTexts);
	if (isObject(value)) return mapMembers(value, (_, one) => truncateTexts(one));
	if (typeof value !== 'string' || value.length <= MAX_TEXT) return value;
	return `${cutText(value, SHOWN_CHARACTERS)} (${value.length} characters)`;
}
