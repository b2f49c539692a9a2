import { entityNamed, fieldType } from '../catalogue/entities';
import { isBlank, isObject, ValidationError, type JsonObject } from './checks';
import { columnOf } from './column';
import { columnPathsOf } from './columns';

/** The service treats zero as a missing value. */
const isMissing = (value: unknown): boolean => {
	if (Array.isArray(value)) return value.length === 0;
	return isObject(value) ? Object.values(value).every(isMissing) : isBlank(value) || value === 0;
};

/** A missing yes/no member counts as off, so a new record may lack it. */
export function missingMembers(entity: string, record: JsonObject): string[] {
	const given = new Map(
		Object.entries(record).map(([name, value]) => [name.toLowerCase(), value] as const),
	);
	return (entityNamed(entity)?.required ?? []).filter(
		(name) => fieldType(entity, name) !== 'boolean' && isMissing(given.get(name.toLowerCase())),
	);
}

export function columnLabel(entity: string, member: string): string {
	const [path = member] = columnPathsOf(member, fieldType(entity, member) ?? '');
	return columnOf(entity, path, true).label;
}

/** One error names all empty fields, so that a user can fill in all of them at once. */
export function emptyFields(labels: readonly string[], noun: string): ValidationError {
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
