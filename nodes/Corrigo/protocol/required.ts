import { entityNamed, fieldType } from '../catalogue/entities';
import { isBlank, isObject, ValidationError, type JsonObject } from './checks';
import { columnOf } from './column';
import { columnPathsOf } from './columns';

/** Zero is what the service takes for "not given". */
const isMissing = (value: unknown): boolean => {
	if (Array.isArray(value)) return value.length === 0;
	return isObject(value) ? Object.values(value).every(isMissing) : isBlank(value) || value === 0;
};

/** The required members that a new record lacks. A yes/no member that is not given counts as off. */
export function missingMembers(entity: string, record: JsonObject): string[] {
	const given = new Map(
		Object.entries(record).map(([name, value]) => [name.toLowerCase(), value] as const),
	);
	return (entityNamed(entity)?.required ?? []).filter(
		(name) => fieldType(entity, name) !== 'boolean' && isMissing(given.get(name.toLowerCase())),
	);
}

/** The label of a member in the columns of the form. */
export function columnLabel(entity: string, member: string): string {
	const [path = member] = columnPathsOf(member, fieldType(entity, member) ?? '');
	return columnOf(entity, path, true).label;
}

/** One error for all fields that are empty although a new record needs them. */
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
