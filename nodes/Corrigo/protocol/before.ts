import { fieldType } from '../catalogue/entities';
import { kindsOf } from '../catalogue/kinds';
import { isObject, type JsonObject } from './checks';
import { isIdentity, isReference, isWriteOnly } from './differences';
import { kindOf, memberNamed, rowType } from './kinds';
import type { Plan } from './requests';

type UpdatePlan = Extract<Plan, { does: 'update' }>;

const HIDDEN = '(not shown)';

/**
 * Returns the members that an item has written, as they were read before, and their new values in
 * `Written`. There is nothing to return for a record that the item has created or must not read.
 */
export function beforeOf(plans: readonly Plan[]): JsonObject | undefined {
	const updates = plans.filter((plan): plan is UpdatePlan => plan.does === 'update');
	const [first] = updates;
	if (first?.record === undefined || updates.length < plans.length) return undefined;
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
			members[name] = storedAt(entity, name, memberNamed(stored, name), Written[name]);
		}
	}
	const version = ConcurrencyId === undefined ? {} : { ConcurrencyId };
	return { EntityType: entity, Id, ...version, ...members, Written };
}

/** Returns the stored values of the members that a write concerns. */
export const membersAt = (entity: string, record: JsonObject, written: JsonObject): JsonObject =>
	Object.fromEntries(
		Object.entries(written)
			.filter(([name]) => !isIdentity(name))
			.map(([name, value]) => [name, storedAt(entity, name, memberNamed(record, name), value)]),
	);

/** Returns the part of a stored value that a write of `written` concerns; null if there is none. */
function storedAt(owner: string, name: string, stored: unknown, written: unknown): unknown {
	const type = fieldType(owner, name) ?? rowType(owner, name) ?? '';
	if (Array.isArray(written)) return rowsAt(type.replace('[]', ''), stored, written);
	if (!isObject(written) || !isObject(stored) || isReference(type)) return stored ?? null;
	return Object.fromEntries(
		Object.entries(written).map(([part, value]) => [
			part,
			storedAt(type, part, memberNamed(stored, part), value),
		]),
	);
}

/** If a collection has one row of each kind, only rows of the written kinds concern the write. */
function rowsAt(type: string, stored: unknown, written: readonly unknown[]): unknown[] {
	const rows: unknown[] = Array.isArray(stored) ? stored : [];
	if (kindsOf(type) === undefined) return rows;
	const ids = written.map((row) => memberNamed(row, 'Id')).filter(Boolean);
	const kinds = written.filter(isObject).map((row) => kindOf(type, row));
	return rows
		.filter(isObject)
		.filter((row) => ids.includes(row.Id) || kinds.includes(kindOf(type, row)));
}
