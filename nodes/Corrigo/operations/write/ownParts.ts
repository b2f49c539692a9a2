import {
	belongsToOne,
	carriesCustomFields,
	entities,
	getMemberTypes,
	isCollection,
	toRowType,
} from '../../catalogue/entities';
import {
	findDescriptorEntity,
	findRowKinds,
	findTypeMember,
	getWrittenType,
	isIdentity,
} from '../../catalogue/members';
import { createTable } from '../../catalogue/table';
import { findMemberTarget, isLink } from '../../catalogue/targets';
import { findChange, getId, isMatch, isMatched, RowIndex } from '../../compare/differences';
import type { KnownNames } from '../../records/names';
import { formatList, quote, ValidationError } from '../../values/errors';
import { isBlank } from '../../values/input';
import {
	addFallback,
	getKind,
	isDeletion,
	refuseRepeated,
	sortNewestFirst,
} from '../../values/rows';
import {
	filterMembers,
	getMember,
	isObject,
	type JsonObject,
	mapMembers,
	toRows,
} from '../../values/objects';

/** A record or a part of it that has the part in question; the outermost one comes first. */
interface Carrier {
	type: string;
	/** A new record has none yet. */
	id?: unknown;
}

/** Parts are the rows of a collection, and objects that a record has once, such as its address. */
const findPartType = (owner: string, name: string): string | undefined => {
	const type = getWrittenType(owner, name);
	const isPart = isCollection(type) || (belongsToOne(type) && type !== 'MoneyValue');
	return isPart ? toRowType(type) : undefined;
};

const listParts = (owner: string, name: string, value: unknown): JsonObject[] =>
	isCollection(getWrittenType(owner, name)) ? toRows(value) : isObject(value) ? [value] : [];

/** Some parts name their carrier by a member that refers to no record, or to one with the same Id. */
const OWNER_MEMBERS = createTable<string>({
	BillingAccount: 'CustomerGroupId',
	// The costs of a work order have its Id.
	WorkOrderCost: 'WoId',
});

/** Returns the carrier that a member of a part names by its ID, such as `AssetId` or `ActorId`. */
function findNamedCarrier(
	carriers: readonly Carrier[],
	type: string,
	name: string,
): Carrier | undefined {
	// The top of an asset's tree is another asset.
	if (isIdentity(name) || !/Id$/.test(name) || name === 'TopAssetId') return undefined;
	const find = (member: string) => {
		const entity = findMemberTarget(type, member)?.entity;
		return carriers.find(({ type: own }) => own === entity || OWNER_MEMBERS[own] === member);
	};
	const nearest = carriers.at(-1);
	if (findTypeMember(type, name) === undefined) return find(name);
	const isOwner =
		/^(Actor|Parent)Id$/.test(name) ||
		(name === 'ObjectId' && findDescriptorEntity(type) !== undefined);
	// An ActorId next to another member that names the carrier is somebody else, such as an approver.
	const names = Object.keys(getMemberTypes(type));
	return isOwner && !names.some((one) => find(one) === nearest) ? nearest : undefined;
}

function saysOwner(carriers: readonly Carrier[], type: string, name: string): boolean {
	const id = name.replace(/TypeId$/, 'Id');
	return name === 'TopAssetId' || findNamedCarrier(carriers, type, id) !== undefined;
}

/**
 * Corrigo gives a new record and its parts their Ids. Those of a record that was read are left out, and
 * so is what its parts say of their owner.
 */
export const toNewRecord = (entity: string, members: JsonObject): JsonObject =>
	toNewParts(
		[{ type: entity }],
		filterMembers(members, (name) => !isIdentity(name)),
	);

function toNewParts(carriers: readonly Carrier[], members: JsonObject): JsonObject {
	const owner = carriers[carriers.length - 1].type;
	const mapped = mapMembers(members, (name, value) => {
		const type = findPartType(owner, name);
		if (type === undefined) return value;
		if (isObject(value)) return toNewPart(carriers, type, value);
		if (!Array.isArray(value)) return value;
		const rows = value.map((row: unknown) => {
			const part = isObject(row) ? toNewPart(carriers, type, row) : undefined;
			if (part === undefined && isLink(type) && isObject(row)) throw createLoneIdError(name, row);
			// A row that is nothing but an Id refers to a record.
			return part === undefined ? row : addFallback(type, part);
		});
		// Rows with Ids may be of one kind in a record that was read.
		const given = rows.map((row: unknown, index) =>
			isObject(row) ? { ...row, Id: getId(value[index]) } : row,
		);
		refuseRepeated(type, given, name);
		return rows;
	});
	return filterMembers(mapped, (_, value) => value !== undefined);
}

const createLoneIdError = (name: string, row: JsonObject) =>
	new ValidationError(
		`'${name}' has a row with nothing but the Id ${quote(getId(row))}, which is one of another record`,
		'Give the record that it links instead.',
	);

/** A part of a new record that is not given belongs to none yet. An address may say what it is for. */
export function toLonePart(type: string, part: JsonObject): JsonObject {
	const carriers = entities
		.filter(({ name }) => Object.values(getMemberTypes(name)).includes(type))
		.map(({ name }) => ({ type: name }));
	const hasOwner = Object.keys(part).some(
		(name) => !/TypeId$/.test(name) && saysOwner(carriers, type, name),
	);
	const own = filterMembers(part, (name) => !(hasOwner && saysOwner(carriers, type, name)));
	return toNewRecord(type, own);
}

/** Returns undefined if nothing is left of the part. */
export function toNewPart(
	carriers: readonly Carrier[],
	type: string,
	part: JsonObject,
): JsonObject | undefined {
	const own = filterMembers(part, (name) => !isIdentity(name) && !saysOwner(carriers, type, name));
	return Object.keys(own).length === 0 ? undefined : toNewParts([...carriers, { type }], own);
}

/** Zero is Corrigo's Id of an object that a record does not have. A row would be added with it. */
const hasId = (part: JsonObject, isSingle = false): boolean =>
	!isBlank(getId(part)) && !(isSingle && Number(getId(part)) === 0);

/** A part without content, which would be added if the record has none. */
const isEmptied = (part: JsonObject): boolean =>
	Object.keys(part).length > 0 &&
	Object.entries(part).every(([name, value]) => isIdentity(name) || isBlank(value));

/** Leaves out parts that the record does not have, and that would be added to be emptied. */
export const omitAbsentParts = (
	owner: string,
	members: JsonObject,
	record: JsonObject | undefined,
): JsonObject =>
	filterMembers(members, (name, value) => {
		const type = findPartType(owner, name);
		if (record === undefined || type === undefined || !isObject(value)) return true;
		return !isEmptied(value) || findChange(type, getMember(record, name), value) !== undefined;
	});

/** Parts to compare with those of the record: rows that are matched, and what is known by its Id or emptied. */
export const getOwnParts = (owner: string, members: JsonObject): JsonObject =>
	filterMembers(members, (name, value) => {
		const type = findPartType(owner, name);
		if (type === undefined) return false;
		const parts = listParts(owner, name, value);
		const isKnown = (part: JsonObject) =>
			!isBlank(getId(part)) || Object.keys(getOwnParts(type, part)).length > 0;
		const isOfRows = Array.isArray(value) && isMatched(type) && parts.length > 0;
		return isOfRows || parts.some(isKnown) || (isObject(value) && isEmptied(value));
	});

/** Corrigo writes a part by its Id alone, also one of another record that was pasted. */
export const requireOwnParts = (
	names: KnownNames,
	field: string,
	{ entity, id }: { entity: string; id: unknown },
	members: JsonObject,
	record: JsonObject | undefined,
): void =>
	requireOwn({ names, field, path: '', carriers: [{ type: entity, id }] }, members, record);

/** Parts of a record, in what a person has written. */
interface PartsPlace {
	names: KnownNames;
	field: string;
	/** Path of the parts in the field; empty for the record itself. */
	path: string;
	carriers: readonly Carrier[];
}

function requireOwn(outer: PartsPlace, members: JsonObject, record: JsonObject | undefined): void {
	const { field, carriers } = outer;
	const owner = carriers[carriers.length - 1].type;
	for (const [name, value] of Object.entries(members)) {
		const type = findPartType(owner, name);
		if (type === undefined) continue;
		const path = outer.path === '' ? name : `${outer.path}.${name}`;
		const place = { ...outer, path };
		const isSingle = !Array.isArray(value);
		const stored = listParts(owner, name, getMember(record, name));
		const parts = listParts(owner, name, value).map((part) => {
			const known = hasId(part, isSingle);
			const isOwn = (one: JsonObject) =>
				known ? String(getId(one)) === String(getId(part)) : isSingle;
			return { part, known, own: stored.find(isOwn) };
		});
		const index = new RowIndex(type, sortNewestFirst(type, stored));
		for (const { part, known, own } of parts) {
			const isForeign = known && record !== undefined && own === undefined;
			const foreignName = findForeignName(carriers, type, part);
			if (isForeign || foreignName !== undefined) {
				throw createOtherError(place, part, { isSingle, foreignName });
			}
			if (known && own !== undefined) refuseOtherKind(place, type, part, { own, stored });
			if (!known && !isSingle) refuseDoubled(place, type, part, index);
			const inner = { ...place, carriers: [...carriers, { type, id: getId(own) }] };
			requireOwn(inner, part, record && (own ?? {}));
		}
		// A row that is known by its Id need not name its kind.
		const whole = parts.map(({ part, own }) => ({ ...own, ...part }));
		if (!isSingle) refuseRepeated(type, whole, `${field} > ${path}`);
	}
}

/** Finds the member by which a part says that it belongs to another record. */
const findForeignName = (
	carriers: readonly Carrier[],
	type: string,
	part: JsonObject,
): string | undefined =>
	Object.keys(part).find((name) => {
		const carrier = findNamedCarrier(carriers, type, name);
		const named = part[name];
		const isNone = isBlank(named) || isBlank(carrier?.id) || Number(named) === 0;
		return carrier !== undefined && !isNone && String(named) !== String(carrier.id);
	});

function createOtherError(
	{ field, path }: PartsPlace,
	part: JsonObject,
	{ isSingle, foreignName }: { isSingle: boolean; foreignName?: string },
): ValidationError {
	const which = isSingle ? path : `a row of ${path}`;
	const message = hasId(part, isSingle)
		? `'${field}' has ${which} with the Id ${quote(getId(part))}, which is one of another record`
		: `'${field}' has ${which} that belongs to another record`;
	const ids = foreignName === undefined ? 'the Id' : `the Id and ${foreignName}`;
	return new ValidationError(
		message,
		isSingle
			? `Leave ${ids} out: a record has only one.`
			: `Leave ${ids} out: a row without them replaces the row of its kind, or is added.`,
	);
}

/** A row stays the value of its definition, and two rows of one kind are told apart by nothing. */
function refuseOtherKind(
	{ field, path }: PartsPlace,
	type: string,
	row: JsonObject,
	{ own, stored }: { own: JsonObject; stored: readonly JsonObject[] },
): void {
	const [kind, before] = [row, own].map((one) => getKind(type, one));
	if (kind === undefined || kind === before || isDeletion(row)) return;
	const isFree =
		findDescriptorEntity(type) === undefined && stored.every((one) => getKind(type, one) !== kind);
	if (isFree) return;
	throw new ValidationError(
		`'${field}' has a row of ${path} with the Id ${quote(getId(row))}, which is ${quote(before)} in Corrigo, not ${quote(kind)}`,
		'Leave the Id out: a row without one replaces the row of its kind, or is added.',
	);
}

/**
 * Corrigo may have several rows of one kind, of which a write by the kind can mean any. The newest value of
 * one definition counts.
 */
function refuseDoubled(
	{ names, field, path, carriers: [{ type: entity }] }: PartsPlace,
	type: string,
	row: JsonObject,
	stored: RowIndex,
): void {
	const rows = stored.listSame(row);
	const definition = findDescriptorEntity(type);
	const shown = definition === undefined ? rows : rows.slice(0, 1);
	if (rows.length < 2 || shown.some((one) => isMatch(type, one, row))) return;
	const kind = getKind(type, row);
	const name = definition === undefined ? kind : (names.getName(definition, kind) ?? kind);
	const { value = '' } = findRowKinds(type) ?? {};
	const ids = rows.map((one) => `${String(getId(one))} (${quote(one[value])})`);
	throw new ValidationError(
		`'${field}' has ${quote(name ?? path)}, of which the record has several values in Corrigo`,
		type === 'CustomField2' && !carriesCustomFields(entity)
			? `Change one with 'Update' of the resource Record, entity Custom Field. The IDs are: ${formatList(ids)}.`
			: `Name the one to change by its Id, in JSON such as { "${path}": [{ "Id": 1, "${value}": "text" }] }. The Ids are: ${formatList(ids)}.`,
	);
}
