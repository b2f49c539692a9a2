import { getCommand } from '../catalogue/commands';
import {
	getEntity,
	getMemberTypes,
	isReadOnly,
	parts,
	isCollection,
	toRowType,
} from '../catalogue/entities';
import { findMemberType } from '../catalogue/members';
import { nestPaths } from '../wire/requests';
import { isBlank, ValidationError, type JsonObject } from '../values/checks';
import {
	buildColumn,
	isScalar,
	toColumnLabel,
	type Cell,
	type Column,
	listColumnPaths,
	sortColumns,
	getRowColumns,
	listColumns,
	buildMembers,
} from './columns';
import { resolveIds, type IdResolver } from '../values/names';

type Fields = Readonly<Record<string, string>>;

export function listCommandColumns(command: string): Column[] {
	const { fields = {}, required = [] } = getCommand(command) ?? {};
	return sortColumns(listFieldColumns(command, fields, required));
}

const listFieldColumns = (
	owner: string,
	fields: Fields,
	required: readonly string[] = [],
): Column[] =>
	Object.entries(fields).flatMap(([member, type]) =>
		buildMemberColumns(owner, member, type, required.includes(member)),
	);

function buildMemberColumns(
	owner: string,
	member: string,
	type: string,
	required: boolean,
): Column[] {
	if (isScalar(type) || type in parts) {
		return listColumnPaths(member, type).map((path) => buildColumn(owner, path, required));
	}
	const column = { id: member, label: toColumnLabel(member, type), required };
	// Names or IDs are entered as a comma-separated list.
	if (isScalar(toRowType(type))) return [{ ...column, type: 'string' }];
	const inside = isCollection(type) ? [] : listInnerColumns(type);
	if (inside.length === 0) return [buildJsonColumn(column, type)];
	return inside.map((one) => ({
		...one,
		id: `${member}.${one.id}`,
		label: `${column.label} > ${one.label}`,
		required: required && one.required,
	}));
}

const buildJsonColumn = (column: Omit<Column, 'type'>, type: string): Column => ({
	...column,
	label: `${column.label} (JSON)`,
	type: isCollection(type) ? 'array' : 'object',
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
function listInnerColumns(type: string): Column[] {
	if (getEntity(type) === undefined)
		return listFieldColumns(type, getMemberTypes(type), REQUIRED[type]);
	const collections = Object.entries(getEntity(type)?.fields ?? {}).filter(
		([name, inner]) =>
			isCollection(inner) &&
			!isReadOnly(type, name) &&
			getRowColumns(type, name, 'create').length === 0,
	);
	return [
		buildColumn(type, 'Id', false),
		...listColumns(type, 'create'),
		...collections.map(([name, inner]) =>
			buildJsonColumn({ id: name, label: toColumnLabel(name, inner), required: false }, inner),
		),
	];
}

export function buildCommandBody(
	command: string,
	field: string,
	input: readonly Cell[],
	resolveId: IdResolver,
): JsonObject {
	// An expression may return an empty list, which sets nothing.
	const isList = ({ id }: Cell) => isCollection(findMemberType(command, id));
	const cells = input.filter((cell) => !(isList(cell) && isBlank(cell.value)));
	const missing = getCommand(command)?.required.find(
		(member) => !cells.some(({ id }) => id === member || id.startsWith(`${member}.`)),
	);
	if (missing !== undefined) {
		throw new ValidationError(
			`'${field}' has no value for ${missing}, which ${command} needs`,
			'Give each item a value there, or leave out items without one.',
		);
	}
	const { members, rows } = buildMembers(command, cells, resolveId);
	// JSON columns may also contain names in place of IDs.
	return resolveIds(command, field, nestPaths(field, { ...members, ...rows }), resolveId);
}
