import { entityOfType, typeMemberOf } from '../catalogue/actors';
import { commandNamed } from '../catalogue/commands';
import { entityNamed, fieldType, parts } from '../catalogue/entities';
import { enumerations, isEnumerationName } from '../catalogue/enumerations';
import { memberLabel } from '../catalogue/enumerations/labels';
import { kindsOf } from '../catalogue/kinds';
import { memberType } from '../catalogue/members';
import { targetOf } from '../catalogue/targets';
import { isBlank, isObject, rowsIn, type JsonObject } from './checks';
import { columnOf } from './column';
import { hasCustomValue, uniqueName } from './customFields';
import { changeOf, isReference, isSame } from './differences';
import { truncated } from './dryRun';
import { kindOf, memberNamed, rowType, valueAt } from './kinds';
import type { NameOf } from './knownNames';
import type { Plan } from './requests';

/** Names and labels with which a run describes one of its items. */
export interface Words {
	nameOf: NameOf;
	/** Returns the label that the form has for a member or, as `Member.Value`, for a value. */
	labelOf: (member: string) => string | undefined;
}

/** Labels of commands that create a record begin with this word. */
export const CREATE = 'Create ';

/** The contract also has a name without `Command` for one of the commands. */
export const commandOf = (name: string) => commandNamed(name) ?? commandNamed(`${name}Command`);

/** A member that a write would set, with its values in readable form. */
export interface PlannedChange {
	member: string;
	label: string;
	/** Missing if the current value is unknown. */
	from?: unknown;
	to: unknown;
	/** The record that the new value refers to. */
	reference?: Reference;
}

export interface Reference {
	entity: string;
	id: unknown;
}

/** If the stored record is known, members that would stay as they are do not count. */
export function plannedChanges(plan: Plan, words: Words): PlannedChange[] {
	switch (plan.does) {
		case 'create':
			return membersIn(plan.entity, plan.fields, words);
		case 'update':
			return changesOf(plan, words);
		case 'delete':
			return [];
		case 'run':
			return membersIn(plan.command, plan.body, words);
	}
}

/** A command that acts on a record refers to it in a required member. */
export function subjectIn(
	plan: Plan,
	changes: readonly PlannedChange[],
): (PlannedChange & { reference: Reference }) | undefined {
	const command = plan.does === 'run' ? commandOf(plan.command) : undefined;
	if (command === undefined || command.label.startsWith(CREATE)) return undefined;
	for (const change of changes) {
		const { member, reference } = change;
		if (reference && command.required.includes(member)) return { ...change, reference };
	}
	return undefined;
}

/** Returns, for example, { "PO Number": { From: null, To: "PO-999" } } */
export function wouldChange(changes: readonly PlannedChange[]): JsonObject {
	const shown = new Map<string, JsonObject>();
	for (const { label, to, ...change } of changes) {
		const values = { ...('from' in change ? { From: change.from } : {}), To: to };
		shown.set(uniqueName(shown, label), values);
	}
	return Object.fromEntries(shown);
}

function changesOf(
	{ entity, changes: { Properties, Entity }, record }: Extract<Plan, { does: 'update' }>,
	words: Words,
): PlannedChange[] {
	return Properties.map((path) => path.replace(/\.\*$/, '')).flatMap((path) => {
		const type = fieldType(entity, path) ?? rowType(entity, path) ?? '';
		const to = valueAt(Entity, path);
		const from = valueAt(record, path);
		if (kindsOf(rowOf(type)) !== undefined && Array.isArray(to)) {
			return rowChanges(rowOf(type), to.filter(isObject), words, record && rowsIn(from));
		}
		if (record === undefined) return [changeAt(entity, path, to, words)];
		if ((isBlank(from) && isBlank(to)) || changeOf(type, from, to) === undefined) return [];
		const after = Array.isArray(to) && to.some(isObject) ? merged(rowsIn(from), to) : to;
		return [{ ...changeAt(entity, path, after, words), from: shownAt(entity, path, from, words) }];
	});
}

const rowOf = (type: string) => type.replace('[]', '');

/** Corrigo keeps rows that an update does not send, so they are part of the result. */
function merged(stored: readonly JsonObject[], given: readonly unknown[]): unknown[] {
	const rows: unknown[] = [...stored];
	for (const row of given) {
		const id = memberNamed(row, 'Id');
		const place = isBlank(id) ? -1 : stored.findIndex((one) => memberNamed(one, 'Id') === id);
		if (place < 0) rows.push(row);
		else rows[place] = isDeletion(row) ? undefined : { ...stored[place], ...(row as JsonObject) };
	}
	return rows.filter((row) => row !== undefined && !isDeletion(row));
}

const isDeletion = (row: unknown) => memberNamed(row, 'PerformDeletion') === true;

/** Members that identify a row or its version, or say what happens to it, are not content. */
const isIdentity = (name: string) => /^(Id|ConcurrencyId|IsNew|PerformDeletion)$/i.test(name);

/** If a collection has one row of each kind, its values are shown as members of the record. */
function rowChanges(
	type: string,
	rows: readonly JsonObject[],
	words: Words,
	stored: readonly JsonObject[] | undefined,
): PlannedChange[] {
	const { by = '', value: main } = kindsOf(type) ?? {};
	return rows.flatMap((row) => {
		const kind = kindOf(type, row);
		const before = stored?.find((one) =>
			isBlank(memberNamed(row, 'Id'))
				? kindOf(type, one) === kind
				: memberNamed(one, 'Id') === memberNamed(row, 'Id'),
		);
		const base = kindLabel(type, kind ?? kindOf(type, before ?? {}) ?? '', words);
		return Object.entries(isDeletion(row) ? { [main ?? '']: null } : row).flatMap(
			([name, to]): PlannedChange[] => {
				const isKey = isIdentity(name) || name === by.split('.')[0];
				if (isKey || isStored(type, before, name, to)) return [];
				const from = memberNamed(before, name);
				const label =
					name === main && type !== 'Address2' ? base : `${base} ${memberLabel('', name)}`;
				return [
					{
						member: name,
						label,
						...(stored === undefined ? {} : { from: shownAt(type, name, from, words) }),
						to: shownAt(type, name, to, words),
					},
				];
			},
		);
	});
}

const isStored = (type: string, row: JsonObject = {}, name: string, value: unknown): boolean =>
	type === 'CustomField2' && name === 'Value'
		? hasCustomValue(row, value)
		: isSame(fieldType(type, name) ?? '', memberNamed(row, name), value);

function kindLabel(type: string, kind: string, { nameOf }: Words): string {
	if (type === 'CustomField2') {
		return nameOf('CustomFieldDescriptor', kind) ?? `Custom Field ID ${kind}`;
	}
	const label = memberLabel(fieldType(type, kindsOf(type)?.by ?? '') ?? '', kind);
	if (type !== 'Address2') return label;
	return kind === kindsOf(type)?.fallback ? 'Address' : `${label} Address`;
}

/** The contract has two names for this member, and both are sent. */
const isTwin = (name: string, { RequestorContact }: JsonObject) =>
	name === 'Contactid' && RequestorContact !== undefined;

const isFileContent = (owner: string, name: string) => owner === 'Blob' && name === 'Body';

/** Values inside a part are changes of their own; a list is one change. */
function membersIn(owner: string, value: JsonObject, words: Words, prefix = ''): PlannedChange[] {
	return Object.entries(value).flatMap(([name, to]): PlannedChange[] => {
		const path = `${prefix}${name}`;
		const type = memberType(owner, path) ?? rowType(owner, path) ?? '';
		if (isBlank(to) || isTwin(name, value) || isFileContent(owner, name)) return [];
		const kind = value[typeMemberOf(owner, path)?.split('.').at(-1) ?? ''];
		if (typeof kind === 'string') return [attachment(name, kind, to, words)];
		// The label of the record already shows its type.
		if (type === 'ActorType' && !isBlank(value[name.replace(/TypeId$/, 'Id')])) return [];
		if (Array.isArray(to) && kindsOf(rowOf(type)) !== undefined) {
			return rowChanges(rowOf(type), to.filter(isObject), words, undefined);
		}
		if (!isObject(to) || isMoney(to) || referenceOf(type, to) !== undefined) {
			return [changeAt(owner, path, to, words)];
		}
		return type in parts || type === ''
			? membersIn(owner, to, words, `${path}.`)
			: membersIn(type, to, words);
	});
}

/** A record of any type is identified by its type and its Id together. */
function attachment(member: string, type: string, id: unknown, words: Words): PlannedChange {
	const entity = entityOfType(type) ?? '';
	const reference = { entity, id };
	const label = memberLabel('ActorType', type);
	return { member, label, to: named(reference, words), ...(entity && { reference }) };
}

/** A reference is shown without `Id`: `Customer.Id` becomes `Customer`. */
const memberAt = (path: string) => path.replace(/\.Id$/i, '').split('.').at(-1) ?? path;

function changeAt(owner: string, path: string, value: unknown, words: Words): PlannedChange {
	const member = memberAt(path);
	const label = words.labelOf(member) ?? columnOf(owner, path, false).label;
	const reference = Array.isArray(value) ? undefined : referenceAt(owner, path, value);
	const change = { member, label, to: shownAt(owner, path, value, words) };
	return reference === undefined ? change : { ...change, reference };
}

function referenceAt(owner: string, path: string, value: unknown): Reference | undefined {
	if (isBlank(value)) return undefined;
	if (isObject(value)) return referenceOf(rowOf(memberType(owner, path) ?? ''), value);
	const target = targetOf(owner, path);
	return target === undefined ? undefined : { entity: target.entity, id: value };
}

function referenceOf(type: string, value: JsonObject): Reference | undefined {
	const id = memberNamed(value, 'Id');
	if (isBlank(id)) return undefined;
	if (type === 'EntitySpecifier') return { entity: String(value.EntityType), id };
	return isReference(type) ? { entity: entityNamed(type)?.name ?? type, id } : undefined;
}

const named = ({ entity, id }: Reference, { nameOf }: Words): JsonObject => {
	const Name = nameOf(entity, id);
	return { Id: id, ...(Name === undefined ? {} : { Name }) };
};

const isMoney = (value: JsonObject) => 'Value' in value && 'CurrencyTypeId' in value;

/** Many people may see the output, so it must not contain a password. */
const isSecret = (path: string) => /(^|\.)Password$/i.test(path);
const HIDDEN = '(not shown)';

/** Shows names next to IDs, labels instead of enumeration members, and null for empty values. */
function shownAt(owner: string, path: string, value: unknown, words: Words): unknown {
	if (isBlank(value)) return null;
	if (isSecret(path)) return HIDDEN;
	const type = rowOf(memberType(owner, path) ?? '');
	if (Array.isArray(value)) {
		return value.map((one) =>
			isRow(type, one) ? rowShown(type, one, words) : shownAt(owner, path, one, words),
		);
	}
	const reference = referenceAt(owner, path, value);
	if (reference !== undefined) return named(reference, words);
	if (isObject(value)) return isMoney(value) ? value : rowShown(type, value, words);
	if (type === 'WOType' && Number.isInteger(value)) {
		// The wire format uses the index in the list.
		return memberLabel(type, enumerations.WOType[Number(value)] ?? String(value));
	}
	if (!isEnumerationName(type)) return truncated(value);
	const text = String(value);
	return words.labelOf(`${memberAt(path)}.${text}`) ?? memberLabel(type, text);
}

/** A row of a list has an Id as well; it counts as a reference only if it has no other value. */
const isRow = (type: string, value: unknown): value is JsonObject =>
	isObject(value) &&
	type !== 'EntitySpecifier' &&
	Object.entries(value).some(([name, one]) => !isIdentity(name) && !isBlank(one));

const rowShown = (type: string, row: JsonObject, words: Words): JsonObject =>
	Object.fromEntries(
		Object.entries(row)
			.filter(([name, value]) => !isIdentity(name) && !isBlank(value))
			.map(([name, value]) => [
				columnOf(type, name, false).label,
				shownAt(type, name, value, words),
			]),
	);
