import {
	getEntity,
	getMemberTypes,
	isCollection,
	isReadOnlyMember,
	REQUEST_ONLY,
	toRowType,
} from '../../catalogue/entities';
import { findMaxLength } from '../../catalogue/lengths';
import { findMemberTarget, findPicker, type Target } from '../../catalogue/targets';
import { buildColumn, listColumnPaths, requirePublished, type Column } from '../../columns/columns';
import { buildCustomColumns, DESCRIPTOR_PROPERTIES } from '../../compare/customFields';
import { entityField } from '../../form/fields';
import { buildOptions } from '../../form/options';
import { loadDescriptors, loadShortTable, type Requester } from '../../records/query';
import { DEFAULT_READS, type ItemContext, oncePerRun, toItem } from '../../run/context';
import type { Operation } from '../../run/operation';
import { forEachLimit } from '../../transport/concurrency';
import { isCancelled } from '../../transport/send';
import { type JsonObject, readPath } from '../../values/objects';
import { and, equal, excludeRemoved, joinCriteria } from '../../wire/criteria';
import { TEXT } from '../../operations/specimens';

/** Work orders are created by a command, whose form requires these. */
const NEW_ORDER: readonly string[] = ['Customer', 'Items', 'SubType'];

const TYPES: Readonly<Record<Column['type'], string>> = {
	array: 'List',
	boolean: 'Yes or No',
	dateTime: 'Date and Time',
	number: 'Number',
	object: 'Object',
	options: 'Choice',
	string: 'Text',
};

/** Lists the fields that the catalogue knows, each with the short table of its choices as text. */
function listFields(entity: string) {
	const { fields = {}, required = [] } = getEntity(entity) ?? {};
	const needed = entity === 'WorkOrder' ? NEW_ORDER : required;
	return Object.entries(getMemberTypes(entity))
		.filter(([name]) => !REQUEST_ONLY.includes(name))
		.flatMap(([name, type]) => {
			const paths = listColumnPaths(name, type);
			const isWritable = name in fields && !isReadOnlyMember(entity, name);
			return (paths.length > 0 ? paths : [name]).map((path) => {
				const { label, table, options, ...column } = buildColumn(entity, path);
				const row = {
					Entity: entity,
					Name: path,
					Label: label,
					Type: paths.length > 0 ? getType(column) : isCollection(type) ? 'List' : 'Object',
					Writable: isWritable,
					Required: needed.includes(name),
					// Time zones and the like have numbers, of which nobody knows the meaning.
					Choices: options?.map((one) => (typeof one.value === 'number' ? one.name : one.value)),
					RefersTo: getEntity(toRowType(type))?.name ?? findMemberTarget(entity, path)?.entity,
					MaxLength: findMaxLength(entity, name),
					CustomField: false,
				};
				return { row, table: table && JSON.stringify(table) };
			});
		});
}

const getType = ({ type, isReference }: Pick<Column, 'type' | 'isReference'>) =>
	isReference ? 'Record' : TYPES[type];

/** Loads the names in a short table once for all items; undefined if there are none to choose from. */
const loadChoices = oncePerRun(
	async (context: ItemContext, key: string): Promise<string[] | undefined> => {
		const { entity, where = {} } = JSON.parse(key) as Target;
		const title = findPicker(entity)?.title ?? 'Id';
		const conditions = Object.entries(where).map(([path, value]) => equal(path, value));
		const criteria = joinCriteria(
			conditions.length > 0 ? and(...conditions) : undefined,
			excludeRemoved(entity),
		);
		const rows = await loadShortTable(context, entity, criteria, ['Id', title]);
		if (rows === undefined || rows.length === 0) return undefined;
		return rows.map((row) => String(readPath(row, title))).sort((a, b) => a.localeCompare(b, 'en'));
	},
);

async function loadCustomFields(requester: Requester, entity: string): Promise<JsonObject[]> {
	const properties = [...DESCRIPTOR_PROPERTIES, 'Length'];
	const rows = await loadDescriptors(requester, entity, properties);
	return buildCustomColumns(entity, rows).map(({ id, label, type, options }, index) => ({
		Entity: entity,
		Name: id,
		Label: label,
		Type: TYPES[type],
		Writable: true,
		Required: false,
		Choices: options?.map(({ name }) => name),
		MaxLength: type === 'string' ? Number(rows[index].Length) || undefined : undefined,
		CustomField: true,
	}));
}

const COLUMNS = [
	...['Entity', 'Name', 'Label', 'Type', 'Writable', 'Required', 'Choices', 'RefersTo'],
	...['MaxLength', 'CustomField'],
];

/** Each item has all columns, so that a spreadsheet of them has, too. */
const complete = (row: JsonObject): JsonObject =>
	Object.fromEntries(COLUMNS.map((column) => [column, row[column] ?? null]));

export const describe: Operation = {
	value: 'describe',
	action: 'Describe fields of entity',
	description:
		'Retrieve the fields of an entity: names, types, choices, which are required, and custom fields',
	address: 'POST /query',
	output: () => ({
		...{ Entity: TEXT, Name: TEXT, Label: TEXT, Type: TEXT, Writable: true, Required: true },
		...{ Choices: [TEXT], RefersTo: TEXT, MaxLength: 1, CustomField: true },
	}),
	fields: [entityField, buildOptions(['parallelRequests', 'timeout'])],
	reads: true,
	each: async (context) => {
		const entity = context.entity();
		requirePublished(entity);
		const fields = listFields(entity);
		await forEachLimit(
			fields.length,
			context.getConcurrency(DEFAULT_READS),
			async (index) => {
				const { row, table } = fields[index];
				if (table !== undefined) row.Choices = await loadChoices(context, table);
			},
			() => isCancelled(context.caller),
		);
		const rows = [...fields.map(({ row }) => row), ...(await loadCustomFields(context, entity))];
		return rows.map(complete).map(toItem);
	},
};
