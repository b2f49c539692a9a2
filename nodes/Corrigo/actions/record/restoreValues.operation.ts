import type { INodeExecutionData } from 'n8n-workflow';

import { buildField, entityField } from '../../form/fields';
import { createEmptyError, ValidationError, quote, formatNames } from '../../values/errors';
import { parseId } from '../../values/references';
import {
	type JsonObject,
	filterMembers,
	getMember,
	isObject,
	mapMembers,
	toRows,
} from '../../values/objects';
import { isBlank } from '../../values/input';
import { requireName } from '../../values/json';
import { hasCustomValue } from '../../compare/customFields';
import { findLinkLabel, toPlainUrl } from '../../values/typedTexts';
import { toWritable } from '../../columns/writable';
import { toItem, type ItemContext, type ItemForm } from '../../run/context';
import type { Operation } from '../../run/operation';
import {
	findDefinedName,
	toSpecifier,
	updateFields,
	updateRecord,
	requireSupport,
} from '../../operations/write/record';
import { createRecordLoader } from '../../operations/write/stored';
import { updateCurrent } from '../../operations/write/versions';
import { getRecordKey } from '../../wire/answers';
import {
	belongsToOne,
	isReadOnlyMember,
	isRemovablePart,
	isReference,
	toRowType,
} from '../../catalogue/entities';
import { toNewPart } from '../../operations/write/ownParts';
import { getNoun } from '../../catalogue/views';
import {
	findDescriptorEntity,
	findRowKinds,
	getWrittenType,
	isIdentity,
	isWriteOnly,
} from '../../catalogue/members';
import { findChange, findDifferences, getId, RowIndex } from '../../compare/differences';
import { isContent, isDeletion, getKind, refuseDeletion } from '../../values/rows';
import type { Form } from '../../form/form';
import { createOutputBuilder } from '../../operations/output';
import { TEXT } from '../../operations/specimens';

const beforeField = buildField('before', 'json', 'Record as it was, from the output of an update', {
	required: true,
	default: '={{ $json.Before }}',
});

const FIELD = beforeField.displayName;
const ADVICE =
	"Take it from the output of an update. If that has none, the update needs the option 'Return Before'.";

/** Reads an earlier write to a record, with the values that it replaced. */
function readEarlierWrite(form: Form) {
	const entity = requireSupport(form.entity(), 'update');
	if (form.isEmpty(beforeField)) throw createEmptyError(FIELD, ADVICE);
	const { EntityType, Id, Written, ...values } = form.read(beforeField);
	const id = parseId(`${FIELD} > Id`, Id, ADVICE);
	if (EntityType !== entity) {
		throw new ValidationError(
			`'${FIELD}' is a record of ${quote(EntityType)}, but 'Entity' is ${entity}`,
			ADVICE,
		);
	}
	if (!isObject(Written) || Object.keys(Written).length === 0) {
		throw new ValidationError(`'${FIELD}' does not say what was written`, ADVICE);
	}
	for (const name of Object.keys(Written)) requireName(FIELD, name);
	const [input, written] = [values, Written].map((one) => readReferences(entity, one));
	for (const one of [input, ...Object.values(input), written].filter(isObject)) {
		refuseDeletion(FIELD, one);
	}
	const { omitted } = toWritable(entity, 'update', written);
	const isInRow = (path: string) => Array.isArray(written[path.split('.')[0]]);
	// An expression that gives nothing does not mean that the field was empty.
	const isMissing = (name: string) => input[name] === undefined;
	refuse('has no earlier value for what was written', ...Object.keys(written).filter(isMissing));
	const isRemoved = (path: string) => isRemovablePart(entity, path) && written[path] === null;
	const isLost = (path: string) => !isInRow(path) && !isRemoved(path);
	refuse('has what cannot be written', ...omitted.filter(isLost));
	// A part that was removed comes back as a new one.
	const earlier = mapMembers(input, (name, value) =>
		isRemoved(name) && isObject(value)
			? toNewPart([{ type: entity }], getWrittenType(entity, name), value)
			: value,
	);
	const { members, incomplete } = toWritable(entity, 'update', earlier);
	const before = completeAmounts({ type: entity, path: '', incomplete }, earlier, members);
	return { entity, id, written, before };
}

const hasValue = (amount: unknown): boolean => !isBlank(getMember(amount, 'Value'));

/** An amount without a currency cannot be meant, but it may have been there, and so was its part. */
function completeAmounts(
	{ type, path, incomplete }: { type: string; path: string; incomplete: readonly string[] },
	earlier: JsonObject,
	members: JsonObject,
): JsonObject {
	const kept = mapMembers(earlier, (name, value) => {
		const own = path + name;
		const inner = toRowType(getWrittenType(type, name));
		const place = { type: inner, path: `${own}.`, incomplete };
		const written = getMember(members, name);
		if (Array.isArray(value)) {
			const [before, rows] = [value, written].map(toRows);
			const isWhole = before.length === rows.length;
			return isWhole ? rows.map((row, at) => completeAmounts(place, before[at], row)) : undefined;
		}
		if (!isObject(value)) return undefined;
		if (inner === 'MoneyValue') {
			return incomplete.includes(own) && hasValue(value) ? value : undefined;
		}
		if (!belongsToOne(inner) || Object.keys(value).every(isIdentity)) return undefined;
		return completeAmounts(place, value, isObject(written) ? written : {});
	});
	return { ...members, ...filterMembers(kept, (_, value) => value !== undefined) };
}

/** People who write it themselves may give a record by its ID, but not by its name. */
function readReferences(entity: string, given: JsonObject): JsonObject {
	return mapMembers(given, (name, value) => {
		if (!isReference(getWrittenType(entity, name)) || isBlank(value)) return value;
		if (!isObject(value)) return { Id: value };
		if (getMember(value, 'Id') === undefined) refuse('lacks the Id of a record', name);
		return value;
	});
}

function refuse(problem: string, ...names: string[]): void {
	if (names.length > 0) {
		throw new ValidationError(`'${FIELD}' ${problem}: ${formatNames(names)}`, ADVICE);
	}
}

const WITHOUT_BEFORE: readonly unknown[] = ['created', 'missing', 'skipped', 'unchanged'];
const CREATED = "Records that were created stay. 'Delete' removes them, where Corrigo has it";

/** The items of *Create or Update* include records that it has not changed. */
function hasNothingToRestore({ inputFields, run }: ItemForm): boolean {
	const { [beforeField.name]: given = beforeField.default } = run.caller.getNode().parameters;
	const { Before, Outcome } = { ...inputFields };
	return given === beforeField.default && Before === undefined && WITHOUT_BEFORE.includes(Outcome);
}

const { loadForWrite: loadStored } = createRecordLoader(
	(context) => {
		const { entity, id, before, written } = readEarlierWrite(context);
		// The earlier value of an emptied reference shows which properties to read.
		const members = mapMembers(written, (name, value) => value ?? before[name]);
		const type = findDescriptorEntity(entity) && { Descriptor: { Type: '' } };
		return { entity, id, members: { ...members, ...type } };
	},
	() => true,
);

async function restore(
	context: ItemContext,
	{ entity, before, written }: ReturnType<typeof readEarlierWrite>,
	now: JsonObject,
): Promise<INodeExecutionData[]> {
	const buildOutput = createOutputBuilder(context, entity);
	const { value, changed, left: NotRestored } = buildRestoration(entity, before, written, now);
	const specifier = toSpecifier(entity, now);
	if (changed.length === 0) {
		return await buildOutput(specifier, value, { Outcome: 'unchanged', NotRestored }, now);
	}
	const update = { field: FIELD, members: value, record: now };
	const after = await updateRecord(context, specifier, update);
	const Changed = changed.map((path) => findDefinedName(context.run, path) ?? path);
	return await buildOutput(after, value, { Outcome: 'updated', Changed, NotRestored });
}

interface Restoration {
	/** The value to write; undefined if nothing is to be restored. */
	value?: unknown;
	/** The paths of restored values. */
	changed: string[];
	/** Properties that are not restored, with their current values. */
	left: Array<{ Field: string; Now: unknown; Reason: string }>;
}

/** A value before a write, as written, and now. */
interface Versions {
	before: unknown;
	written: unknown;
	now: unknown;
}

const NOTHING: Restoration = { changed: [], left: [] };

const leave = (Field: string, Reason: string, Now: unknown = null): Restoration => ({
	changed: [],
	left: [{ Field, Now, Reason }],
});

const CHANGED = 'It was changed since';
const NEWER = 'There is a newer value, which would no longer count';
const TIED = 'An amount in this currency was changed since';
const ADDED = 'It was not there before, and this operation removes no part of a record';
const EMPTY = 'It was empty before, and this operation deletes no record';

/** Restores what a write has changed, unless somebody else has changed it since. */
export function buildRestoration(
	entity: string,
	before: JsonObject,
	written: JsonObject,
	now: JsonObject,
): Restoration & { value: JsonObject } {
	const { value, ...rest } =
		findDescriptorEntity(entity) === undefined
			? restoreMembers(entity, '', { before, written, now })
			: restoreOwnValue({ before, written, now });
	// A custom field or an attribute as a record of its own has nothing else that changes.
	const isWritten = (name: string) =>
		findDescriptorEntity(entity) === undefined ||
		(['Value', 'CurrencyTypeId'].includes(name) && name in before);
	return { value: isObject(value) ? filterMembers(value, isWritten) : {}, ...rest };
}

function restoreMembers(
	owner: string,
	prefix: string,
	{ before, written, now }: Versions,
): Restoration {
	const members: JsonObject = {};
	// A write to a record that was read may also name its Id and its version.
	const names = Object.keys(isObject(written) ? written : {}).filter((name) => !isIdentity(name));
	const restored = names.map((name) => {
		const versions = {
			before: getMember(before, name) ?? null,
			written: getMember(written, name),
			now: getMember(now, name) ?? null,
		};
		return { name, part: restoreMember(owner, name, prefix + name, versions) };
	});
	const hasForeignAmount = restored.some(
		({ name, part }) => getWrittenType(owner, name) === 'MoneyValue' && part.left.length > 0,
	);
	const parts = restored.map(({ name, part }) => {
		// A currency that is put back alone would change the meaning of an amount that others have entered.
		const isTied = name === 'CurrencyTypeId' && part.changed.length > 0 && hasForeignAmount;
		if (isTied) return leave(prefix + name, TIED, getMember(now, name));
		if (part.value !== undefined) members[name] = part.value;
		return part;
	});
	return combine(parts, members);
}

const combine = (parts: readonly Restoration[], value: unknown): Restoration => {
	const changed = [...new Set(parts.flatMap((part) => part.changed))];
	const left = parts.flatMap((part) => part.left);
	return changed.length > 0 ? { value, changed, left } : { changed, left };
};

function restoreMember(owner: string, name: string, path: string, versions: Versions): Restoration {
	const { before, written, now } = versions;
	if (isWriteOnly(owner, name)) return leave(path, 'Corrigo does not show it');
	const type = getWrittenType(owner, name);
	if (Array.isArray(written) && written.every(isObject)) {
		return restoreRows(toRowType(type), path, written, toRows(before), toRows(now));
	}
	if (isRemovablePart(owner, name) && (before === null || written === null)) {
		return restorePart(type, path, versions);
	}
	if (isObject(written) && type !== 'MoneyValue' && !isReference(type)) {
		return before === null
			? keepAddedPart(type, path, versions)
			: restoreMembers(type, `${path}.`, versions);
	}
	// An amount is compared with all of its parts, whichever of them were written.
	const complete = (one: unknown) =>
		type === 'MoneyValue' && isObject(one) ? { Value: null, CurrencyTypeId: null, ...one } : one;
	const isSame = (one: unknown, other: unknown) =>
		findChange(type, one, complete(other)) === undefined;
	const none = isReference(type) ? { Id: null } : null;
	const isAsBefore = isSame(before, written) || isSame(now, before);
	const isAsWritten = isSame(now, written);
	return restoreValue(path, { isAsBefore, isAsWritten, now }, before ?? none);
}

/** A part that the write has added, such as a contact address, stays: an update empties no whole part. */
function keepAddedPart(type: string, path: string, { written, now }: Versions): Restoration {
	if (now === null) return NOTHING;
	return leave(path, findChange(type, now, written) === undefined ? ADDED : CHANGED, now);
}

/** Removes a part that the write has added, or adds one that it has removed. */
function restorePart(type: string, path: string, { before, written, now }: Versions): Restoration {
	if (before === null && now === null) return NOTHING;
	const isAsWritten =
		written === null
			? now === null
			: findChange(type, now, written) === undefined && !hasOtherRows(written, now);
	return isAsWritten ? { value: before, changed: [path], left: [] } : leave(path, CHANGED, now);
}

/** Tells whether somebody has added rows to what was written. */
const hasOtherRows = (written: unknown, now: unknown): boolean =>
	isObject(written) &&
	Object.entries(written).some(
		([name, rows]) =>
			Array.isArray(rows) &&
			toRows(getMember(now, name)).length > rows.filter((row) => !isDeletion(row)).length,
	);

function restoreValue(
	path: string,
	{ isAsBefore, isAsWritten, now }: { isAsBefore: boolean; isAsWritten: boolean; now: unknown },
	value: unknown,
): Restoration {
	if (isAsBefore) return NOTHING;
	return isAsWritten ? { value, changed: [path], left: [] } : leave(path, CHANGED, now);
}

function restoreRows(
	type: string,
	path: string,
	written: readonly JsonObject[],
	before: readonly JsonObject[],
	now: readonly JsonObject[],
): Restoration {
	const [ofWrite, earlier, present] = [written, before, now].map(
		(rows) => new RowIndex(type, rows),
	);
	const findById = (rows: RowIndex, id: unknown) =>
		isBlank(id) ? undefined : rows.findSame({ Id: id });
	const added = new RowIndex(
		type,
		now.filter((row) => findById(earlier, getId(row)) === undefined),
	);
	// A row that was removed later, and put back, has another Id, so its kind tells which one it is.
	const identify = (row: JsonObject) => {
		const id = getId(row);
		const isKnown = isBlank(id) || findById(present, id) !== undefined;
		if (isKnown || isDeletion(findById(ofWrite, id))) return row;
		const other = added.findSame({ ...findById(earlier, id), ...row, Id: undefined });
		return other === undefined ? row : { ...row, Id: getId(other) };
	};
	// One without a kind is told by its content.
	const others = new RowIndex(type, added.rows);
	const putBack = before
		.filter((row) => findById(present, getId(row)) === undefined)
		.filter((row) => !isDeletion(findById(ofWrite, getId(row))))
		.flatMap((row) => others.takeMatch(filterMembers(row, isContent)) ?? []);
	const known = new Set([...before.flatMap((row) => present.listSame(identify(row))), ...putBack]);
	const left = new RowIndex(
		type,
		now.filter((row) => !known.has(row)),
	);
	// An update adds a row without an Id, even if there is one of its kind.
	const extra = written.map((row) => left.takeMatch(row));
	/** Somebody may have put back what was removed, or something else in its place. */
	const takeReplacement = (removed: JsonObject) => {
		const content = filterMembers(removed, isContent);
		return getKind(type, removed) === undefined ? left.takeMatch(content) : left.takeSame(content);
	};
	const parts = written.map((row, index): Restoration => {
		const kind = getKind(type, row);
		const identified = identify(row);
		const own = kind === undefined ? path : `${path}.${kind}`;
		const toDelete = extra[index];
		if (toDelete !== undefined) {
			if (kind !== undefined && hasOtherTexts(type, row, toDelete)) {
				return leave(own, CHANGED, toDelete);
			}
			const isDescribed = findDescriptorEntity(type) !== undefined;
			const members = isDescribed ? toDelete : { Id: getId(toDelete) };
			return { value: { ...members, PerformDeletion: true }, changed: [own], left: [] };
		}
		const old = earlier.findSame(row);
		const stored = findById(present, getId(old)) ?? present.findSame(identified);
		const current = stored ?? (isDeletion(row) && old ? takeReplacement(old) : undefined);
		const newer = old && current === undefined ? findNewer(type, present, old) : undefined;
		if (newer !== undefined) return leave(own, NEWER, newer.Value);
		const part = restoreRow(type, own, { written: row, before: old, now: current });
		const isNew = isBlank(getId(row));
		const rivals = isNew && kind === undefined ? left.rows : left.listSame(identified);
		const isDone = isDeletion(row) || part.changed.length + part.left.length > 0;
		return isDone || rivals.length === 0
			? part
			: leave(own, CHANGED, rivals.length === 1 ? rivals[0] : rivals);
	});
	const value = parts.flatMap((part) => part.value ?? []);
	return combine(parts, value);
}

/** The newest value of one definition counts, so an older one is not added again after it. */
const findNewer = (type: string, present: RowIndex, old: JsonObject) =>
	findDescriptorEntity(type) === undefined
		? undefined
		: present
				.listSame({ ...old, Id: undefined })
				.find((row) => Number(getId(row)) > Number(getId(old)));

/** Tells whether somebody has entered a text that the write left empty. Corrigo itself fills in other members. */
const hasOtherTexts = (type: string, written: JsonObject, now: JsonObject): boolean =>
	Object.entries(now).some(
		([name, value]) =>
			getWrittenType(type, name) === 'string' &&
			!isReadOnlyMember(type, name) &&
			!isBlank(value) &&
			isBlank(getMember(written, name)),
	);

type RowVersions = Record<'before' | 'now', JsonObject | undefined> & { written: JsonObject };

function restoreRow(type: string, path: string, versions: RowVersions): Restoration {
	if (findDescriptorEntity(type) !== undefined) return restoreDescribed(path, versions);
	if (isDeletion(versions.written)) return restoreDeletedRow(type, path, versions);
	return versions.before === undefined ? NOTHING : restoreChangedRow(type, path, versions);
}

/** A custom field or an attribute without a value may have no row. */
function restoreDescribed(path: string, { before, written, now }: RowVersions): Restoration {
	const row = now ?? { Descriptor: before?.Descriptor ?? written.Descriptor };
	// An update may send what it removes.
	const sent = isDeletion(written) ? {} : written;
	const label = findLinkLabel(before?.Value);
	const hasLabel = ({ Value }: JsonObject = {}) =>
		label === undefined || findLinkLabel(Value) === label;
	const isSame = (stored: JsonObject = {}, { Value, CurrencyTypeId }: JsonObject = {}) =>
		hasCustomValue({ ...row, Value: stored.Value }, toPlainUrl(Value)) &&
		(CurrencyTypeId === undefined || stored.CurrencyTypeId === CurrencyTypeId);
	const isAsBefore =
		(isSame(before, sent) && hasLabel(sent)) || (isSame(now, before) && hasLabel(now));
	const Value = (label === undefined ? toPlainUrl(before?.Value) : before?.Value) ?? '';
	const currency =
		before?.CurrencyTypeId === undefined ? {} : { CurrencyTypeId: before.CurrencyTypeId };
	// Corrigo refuses an empty value, so the row is deleted.
	const value = Value === '' ? { ...row, PerformDeletion: true } : { ...row, ...currency, Value };
	const isAsWritten = isSame(now, sent);
	return restoreValue(path, { isAsBefore, isAsWritten, now: now?.Value ?? null }, value);
}

/** A custom field or an attribute as a record of its own stays, and cannot be empty. */
function restoreOwnValue(versions: RowVersions): Restoration {
	const path = 'Value';
	const restoration = restoreDescribed(path, versions);
	const { value } = restoration;
	return isDeletion(value) ? leave(path, EMPTY, versions.now?.Value) : restoration;
}

/** Adds a deleted row again. */
function restoreDeletedRow(type: string, path: string, { before, now }: RowVersions): Restoration {
	if (before === undefined) return NOTHING;
	const value = filterMembers(before, (name) => !isIdentity(name));
	if (now === undefined) return { value, changed: [path], left: [] };
	return findDifferences(type, now, value).changed.length === 0
		? NOTHING
		: leave(path, CHANGED, now);
}

function restoreChangedRow(type: string, path: string, versions: RowVersions): Restoration {
	const { now } = versions;
	if (now === undefined) return leave(path, 'It was removed since');
	const by = findRowKinds(type)?.by.split('.')[0];
	// A row that is known by its Id may have got another kind.
	const isKnownById = !isBlank(getId(versions.written));
	const written = filterMembers(
		versions.written,
		(name) => (name !== by || isKnownById) && isContent(name),
	);
	const part = restoreMembers(type, `${path}.`, { ...versions, written });
	// The service may reset members that a row lacks, so all that can be written is sent, but no empty amounts.
	const isGiven = (name: string, value: unknown) =>
		!isReadOnlyMember(type, name) &&
		(getWrittenType(type, name) !== 'MoneyValue' || hasValue(value));
	return isObject(part.value)
		? { value: { ...filterMembers(now, isGiven), ...part.value }, changed: [path], left: part.left }
		: part;
}

export const restoreValues: Operation = {
	value: 'restoreValues',
	action: 'Restore values of record',
	description: 'Put back what an operation has changed, unless it was changed again since',
	address: 'PUT /base',
	output: () => ({
		Outcome: TEXT,
		Changed: [TEXT],
		NotRestored: [{ Field: TEXT, Now: TEXT, Reason: TEXT }],
		Id: 1,
		Before: {},
	}),
	fields: [entityField, beforeField, ...updateFields],
	changes: async (context) => {
		if (hasNothingToRestore(context)) return [];
		const { entity, id } = readEarlierWrite(context);
		return getRecordKey(entity, id);
	},
	check: (context) => {
		if (!hasNothingToRestore(context)) readEarlierWrite(context);
	},
	each: async (context) => {
		if (hasNothingToRestore(context)) {
			const { Id, Outcome } = { ...context.inputFields };
			if (Outcome === 'created') context.run.addNotice(CREATED, [`ID ${String(Id)}`]);
			if (Id !== undefined) context.noteSubject(context.entity(), Id);
			return [toItem({ Outcome: 'unchanged', NotRestored: [], Id })];
		}
		const earlierWrite = readEarlierWrite(context);
		const record = await loadStored(context);
		if (record === undefined) {
			throw new ValidationError(
				`The ${getNoun(earlierWrite.entity)} may not be read, so nothing was written`,
			);
		}
		const reload = () => loadStored(context);
		return await updateCurrent(record, reload, (now) => restore(context, earlierWrite, now));
	},
};
