import { isReference, toRowType } from '../../catalogue/entities';
import { findRowKinds, getWrittenType } from '../../catalogue/members';
import { getKind, isDeletion } from '../../values/rows';
import { filterMembers, isObject, type JsonObject, toRows } from '../../values/objects';

/** Adds what an update empties to what it sets. `refuse` is called with the path of a value that is in both. */
export function mergeCleared(
	owner: string,
	given: JsonObject,
	cleared: JsonObject,
	refuse: (path: string) => never,
): JsonObject {
	const merged = { ...given };
	for (const [name, value] of Object.entries(cleared)) {
		const other = given[name];
		const type = getWrittenType(owner, name);
		const refuseInside = (path: string) => refuse(`${name}.${path}`);
		if (other === undefined) merged[name] = value;
		else if (Array.isArray(other)) {
			merged[name] = mergeRows(toRowType(type), toRows(other), toRows(value), refuseInside);
		} else if (isObject(other) && isObject(value) && !isReference(type)) {
			merged[name] = mergeCleared(type, other, value, refuseInside);
		} else refuse(name);
	}
	return merged;
}

/** Rows of other kinds are apart, and so are other members of one row. */
function mergeRows(
	type: string,
	given: readonly JsonObject[],
	cleared: readonly JsonObject[],
	refuse: (path: string) => never,
): JsonObject[] {
	const rows = [...given];
	const [by = ''] = findRowKinds(type)?.by.split('.') ?? [];
	for (const row of cleared) {
		const kind = getKind(type, row);
		const index = rows.findIndex((one) => getKind(type, one) === kind);
		if (index < 0) rows.push(row);
		else if ([row, rows[index]].some(isDeletion)) refuse(String(kind));
		else {
			const parts = filterMembers(row, (name) => name !== by);
			const refuseInside = (path: string) => refuse(`${kind}.${path}`);
			rows[index] = mergeCleared(type, rows[index], parts, refuseInside);
		}
	}
	return rows;
}
