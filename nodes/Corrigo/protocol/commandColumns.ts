import { commandNamed } from '../catalogue/commands';
import { entityNamed, fieldsOf, isReadOnly, parts } from '../catalogue/entities';
import { memberType } from '../catalogue/members';
import { nested } from './changes';
import { isBlank, ValidationError, type JsonObject } from './checks';
import { columnOf, isScalar, labelOf, type Cell, type Column } from './column';
import { columnPathsOf, columnsOf, sortColumns, memberValues } from './columns';
import { withIds, type IdOf } from './names';
import { rowColumns, splitRows } from './rowColumns';

type Fields = Readonly<Record<string, string>>;

export function commandColumns(command: string): Column[] {
	const { fields = {}, required = [] } = commandNamed(command) ?? {};
	return sortColumns(fieldColumns(command, fields, required));
}

const fieldColumns = (owner: string, fields: Fields, required: readonly string[] = []): Column[] =>
	Object.entries(fields).flatMap(([member, type]) =>
		memberColumns(owner, member, type, required.includes(member)),
	);

function memberColumns(owner: string, member: string, type: string, required: boolean): Column[] {
	if (isScalar(type) || type in parts) {
		return columnPathsOf(member, type).map((path) => columnOf(owner, path, required));
	}
	const column = { id: member, label: labelOf(member, type), required };
	// Names or IDs are entered as a comma-separated list.
	if (isScalar(type.replace('[]', ''))) return [{ ...column, type: 'string' }];
	const inside = type.endsWith('[]') ? [] : innerColumns(type);
	if (inside.length === 0) return [jsonColumn(column, type)];
	return inside.map((one) => ({
		...one,
		id: `${member}.${one.id}`,
		label: `${column.label} > ${one.label}`,
		required: required && one.required,
	}));
}

const jsonColumn = (column: Omit<Column, 'type'>, type: string): Column => ({
	...column,
	label: `${column.label} (JSON)`,
	type: type.endsWith('[]') ? 'array' : 'object',
});

/** Required members of objects inside commands. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
	EntitySpecifier: ['EntityType', 'Id'],
	PropertySet: ['Properties'],
};

/**
 * A command may refer to an existing record by its Id. Collections of the record are entered as
 * JSON.
 */
function innerColumns(type: string): Column[] {
	if (entityNamed(type) === undefined) return fieldColumns(type, fieldsOf(type), REQUIRED[type]);
	const collections = Object.entries(entityNamed(type)?.fields ?? {}).filter(
		([name, inner]) =>
			inner.endsWith('[]') &&
			!isReadOnly(type, name) &&
			rowColumns(type, name, 'create').length === 0,
	);
	return [
		columnOf(type, 'Id', false),
		...columnsOf(type, 'create'),
		...collections.map(([name, inner]) =>
			jsonColumn({ id: name, label: labelOf(name, inner), required: false }, inner),
		),
	];
}

export function commandBody(
	command: string,
	field: string,
	given: readonly Cell[],
	idOf: IdOf,
): JsonObject {
	// An expression may return an empty list, which sets nothing.
	const isList = ({ id }: Cell) => memberType(command, id)?.endsWith('[]') === true;
	const cells = given.filter((cell) => !(isList(cell) && isBlank(cell.value)));
	const missing = commandNamed(command)?.required.find(
		(member) => !cells.some(({ id }) => id === member || id.startsWith(`${member}.`)),
	);
	if (missing !== undefined) {
		throw new ValidationError(
			`'${field}' has no value for ${missing}, which ${command} needs`,
			'Give each item a value there, or leave out items without one.',
		);
	}
	const { rows, others } = splitRows(command, field, cells, idOf);
	const members = { ...memberValues(command, field, others, idOf), ...rows };
	// JSON columns may also contain names in place of IDs.
	return withIds(command, field, nested(field, members), idOf);
}
