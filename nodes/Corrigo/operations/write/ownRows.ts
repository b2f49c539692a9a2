import { findRowKinds, findRowType } from '../../catalogue/members';
import { getId, getOwnRows } from '../../compare/differences';
import { ValidationError } from '../../values/errors';
import { isBlank } from '../../values/input';
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
const OF_OTHER = /^(Id|ConcurrencyId|(Actor|Object)(Type)?Id|(Top)?AssetId)$/i;

/** A new record has no rows yet: those that were read with another one are added to it. */
export const toNewRows = (entity: string, members: JsonObject): JsonObject =>
	mapMembers(members, (name, value) =>
		isKindCollection(entity, name) && Array.isArray(value)
			? value.map((row: unknown) =>
					isObject(row) ? filterMembers(row, (one) => !OF_OTHER.test(one)) : row,
				)
			: value,
	);

const isKindCollection = (entity: string, name: string): boolean =>
	findRowKinds(findRowType(entity, name) ?? '') !== undefined;

/** Corrigo writes a row by its Id alone, also one of another record that was pasted. */
export function requireOwnRows(
	field: string,
	entity: string,
	id: unknown,
	members: JsonObject,
	record: JsonObject | undefined,
): void {
	for (const [name, rows] of Object.entries(getOwnRows(entity, members))) {
		const stored = getMember(record, name);
		const isOther = (row: JsonObject) => {
			if (isBlank(getId(row))) return false;
			const owner = OWNERS.map((one) => getMember(row, one)).find((one) => !isBlank(one));
			if (owner !== undefined && String(owner) !== String(id)) return true;
			const isKnown = toRows(stored).some((one) => String(getId(one)) === String(getId(row)));
			return Array.isArray(stored) && !isKnown;
		};
		const other = toRows(rows).find(isOther);
		if (other === undefined) continue;
		throw new ValidationError(
			`'${field}' has a row of ${name} with the Id ${String(getId(other))}, which is one of another record`,
			'Leave the Id out: a row without one replaces the row of its kind, or is added.',
		);
	}
}
