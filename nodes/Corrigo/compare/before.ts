import { toRowType } from '../catalogue/entities';
import { findRowKinds, getWrittenType, isIdentity } from '../catalogue/members';
import { isObject, type JsonObject, getKind, getMember } from '../values/checks';
import { isReference, isWriteOnly } from './differences';
import type { PlannedWrite } from '../wire/requests';

type PlannedUpdate = Extract<PlannedWrite, { does: 'update' }>;

const HIDDEN = '(not shown)';

/**
 * Returns the members that an item has written, as they were read before, and their new values in
 * `Written`. There is nothing to return for a record that the item has created or must not read.
 */
export function buildBeforeState(writes: readonly PlannedWrite[]): JsonObject | undefined {
	const updates = writes.filter((write): write is PlannedUpdate => write.does === 'update');
	const [first] = updates;
	if (first?.record === undefined || updates.length < writes.length) return undefined;
	const { entity, record } = first;
	const { Id, ConcurrencyId } = record;
	const Written: JsonObject = {};
	const members: JsonObject = {};
	for (const { changes, record: stored } of updates) {
		for (const [name, value] of Object.entries(changes.Entity)) {
			if (isIdentity(name)) continue;
			// Custom fields may be written one by one, so their rows are collected.
			const before = Written[name];
			Written[name] = isWriteOnly(entity, name)
				? HIDDEN
				: Array.isArray(before) && Array.isArray(value)
					? [...(before as unknown[]), ...(value as unknown[])]
					: value;
			members[name] = getStoredValue(entity, name, getMember(stored, name), Written[name]);
		}
	}
	const version = ConcurrencyId === undefined ? {} : { ConcurrencyId };
	return { EntityType: entity, Id, ...version, ...members, Written };
}

/** Returns the stored values of the members that a write concerns. */
export const getStoredMembers = (
	entity: string,
	record: JsonObject,
	written: JsonObject,
): JsonObject =>
	Object.fromEntries(
		Object.entries(written)
			.filter(([name]) => !isIdentity(name))
			.map(([name, value]) => [name, getStoredValue(entity, name, getMember(record, name), value)]),
	);

/** Returns the part of a stored value that a write of `written` concerns; null if there is none. */
function getStoredValue(owner: string, name: string, stored: unknown, written: unknown): unknown {
	const type = getWrittenType(owner, name);
	if (Array.isArray(written)) return getStoredRows(toRowType(type), stored, written);
	if (!isObject(written) || !isObject(stored) || isReference(type)) return stored ?? null;
	return Object.fromEntries(
		Object.entries(written).map(([part, value]) => [
			part,
			getStoredValue(type, part, getMember(stored, part), value),
		]),
	);
}

/** If a collection has one row of each kind, only rows of the written kinds concern the write. */
function getStoredRows(type: string, stored: unknown, written: readonly unknown[]): unknown[] {
	const rows: unknown[] = Array.isArray(stored) ? stored : [];
	if (findRowKinds(type) === undefined) return rows;
	const ids = written.map((row) => getMember(row, 'Id')).filter(Boolean);
	const kinds = written.filter(isObject).map((row) => getKind(type, row));
	return rows
		.filter(isObject)
		.filter((row) => ids.includes(row.Id) || kinds.includes(getKind(type, row)));
}
