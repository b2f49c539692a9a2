import { getEntity, findEntityMemberType } from '../catalogue/entities';
import { isBlank, isObject, ValidationError, type JsonObject } from '../values/checks';
import { buildColumn } from './column';
import { listColumnPaths } from './columns';

/** The service treats zero as a missing value. */
const isMissing = (value: unknown): boolean => {
	if (Array.isArray(value)) return value.length === 0;
	return isObject(value) ? Object.values(value).every(isMissing) : isBlank(value) || value === 0;
};

/** A missing yes/no member counts as off, so a new record may lack it. */
export function getMissingMembers(entity: string, record: JsonObject): string[] {
	const values = new Map(
		Object.entries(record).map(([name, value]) => [name.toLowerCase(), value] as const),
	);
	return (getEntity(entity)?.required ?? []).filter(
		(name) =>
			findEntityMemberType(entity, name) !== 'boolean' && isMissing(values.get(name.toLowerCase())),
	);
}

export function getColumnLabel(entity: string, member: string): string {
	const [path = member] = listColumnPaths(member, findEntityMemberType(entity, member) ?? '');
	return buildColumn(entity, path, true).label;
}

/** One error names all empty fields, so that a user can fill in all of them at once. */
export function createEmptyFieldsError(labels: readonly string[], noun: string): ValidationError {
	const quoted = labels.map((label) => `'${label}'`);
	const last = quoted.pop();
	if (quoted.length === 0) {
		return new ValidationError(`${last} is empty`, `A new ${noun} needs a value for it.`);
	}
	return new ValidationError(
		`${quoted.join(', ')}${quoted.length > 1 ? ',' : ''} and ${last} are empty`,
		`A new ${noun} needs a value for each of them.`,
	);
}
