import {
	findDescriptorEntity,
	findRowKinds,
	findRowType,
	isIdentity,
} from '../../catalogue/members';
import { findLink } from '../../catalogue/targets';
import { getId, getOwnRows } from '../../compare/differences';
import { quote, ValidationError } from '../../values/errors';
import { isBlank } from '../../values/input';
import { getKind, isDeletion } from '../../values/members';
import {
	filterMembers,
	getMember,
	isObject,
	type JsonObject,
	mapMembers,
	toRows,
} from '../../values/objects';

/** Members by which a row of a kind names the record that it belongs to. */
const OWNERS = ['ActorId', 'ObjectId', 'AssetId'];
const OF_OTHER = /^((Actor|Object)(Type)?Id|(Top)?AssetId)$/i;

/** A row of a kind, or a link, names the record that it belongs to. */
function isOwnerName(entity: string, type: string, name: string): boolean {
	const link = findLink(entity, type);
	if (link === undefined) return findRowKinds(type) !== undefined && OF_OTHER.test(name);
	// A link has the IDs of two records, and nothing else that names one.
	return name !== link.member && /Id$/.test(name) && !isIdentity(name);
}

/** A new record has no rows yet: those that were read with another one are added to it. */
export const toNewRows = (entity: string, members: JsonObject): JsonObject =>
	mapMembers(members, (name, value) => {
		const type = findRowType(entity, name);
		if (type === undefined || !Array.isArray(value)) return value;
		return value.map((row: unknown) => {
			if (!isObject(row)) return row;
			const isOwn = (one: string) => !isIdentity(one) && !isOwnerName(entity, type, one);
			const own = filterMembers(row, isOwn);
			return Object.keys(own).length > 0 ? own : row;
		});
	});

function findOwnerId(entity: string, type: string, row: JsonObject): unknown {
	const names = findLink(entity, type) === undefined ? OWNERS : Object.keys(row);
	return names
		.filter((name) => isOwnerName(entity, type, name))
		.map((name) => getMember(row, name))
		.find((one) => !isBlank(one) && typeof one !== 'object');
}

/** Corrigo writes a row by its Id alone, also one of another record that was pasted. */
export function requireOwnRows(
	field: string,
	entity: string,
	id: unknown,
	members: JsonObject,
	record: JsonObject | undefined,
): void {
	for (const [name, given] of Object.entries(getOwnRows(entity, members))) {
		const type = findRowType(entity, name) ?? '';
		const stored = getMember(record, name);
		const rows = toRows(given);
		const find = (row: JsonObject) =>
			isBlank(getId(row))
				? undefined
				: toRows(stored).find((one) => String(getId(one)) === String(getId(row)));
		const isOther = (row: JsonObject) => {
			const owner = findOwnerId(entity, type, row);
			if (owner !== undefined && String(owner) !== String(id)) return true;
			return !isBlank(getId(row)) && Array.isArray(stored) && find(row) === undefined;
		};
		const other = rows.find(isOther);
		if (other !== undefined) throw createOtherError(field, name, other);
		for (const row of rows) {
			const own = find(row);
			if (own !== undefined) refuseOtherKind(field, name, type, row, own, toRows(stored));
		}
	}
}

const createOtherError = (field: string, name: string, row: JsonObject): ValidationError =>
	new ValidationError(
		isBlank(getId(row))
			? `'${field}' has a row of ${name} that belongs to another record`
			: `'${field}' has a row of ${name} with the Id ${String(getId(row))}, which is one of another record`,
		'Leave the Ids out: a row without one replaces the row of its kind, or is added.',
	);

/** A row stays the value of its definition, and two rows of one kind are told apart by nothing. */
function refuseOtherKind(
	field: string,
	name: string,
	type: string,
	row: JsonObject,
	own: JsonObject,
	stored: readonly JsonObject[],
): void {
	const [kind, before] = [row, own].map((one) => getKind(type, one));
	if (kind === undefined || kind === before || isDeletion(row)) return;
	const isFree =
		findDescriptorEntity(type) === undefined && stored.every((one) => getKind(type, one) !== kind);
	if (isFree) return;
	throw new ValidationError(
		`'${field}' has a row of ${name} with the Id ${String(getId(row))}, which is ${quote(before)} in Corrigo, not ${quote(kind)}`,
		'Leave the Id out: a row without one replaces the row of its kind, or is added.',
	);
}
