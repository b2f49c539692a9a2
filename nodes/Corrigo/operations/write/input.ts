import { findMemberTarget } from '../../catalogue/targets';
import { nestPaths } from '../../wire/requests';
import { isObject, parseJsonObject, type JsonObject, parseChoice } from '../../values/checks';
import {
	type Cell,
	type Column,
	type Verb,
	readCells,
	listColumns,
	buildMembers,
} from '../../columns/columns';
import { resolveIds } from '../../values/names';
import { splitUtcMembers } from '../../values/times';
import { isCustomField } from '../../wire/criteria';
import { buildCustomFields, splitCells, type CustomValue } from '../../compare/customFields';
import { toWritable } from '../../columns/writable';
import { oncePerRun, type ItemContext } from '../../run/context';
import { getIdResolver, getKnownNames } from '../../run/resolve';

/** Members and custom fields of a record that the user set. */
export interface RecordInput {
	/** Title of the form field, for messages. */
	field: string;
	/** Pasted JSON uses the API's names, so messages use them, too. */
	isPasted: boolean;
	members: JsonObject;
	/** Members in UTC, which Corrigo accepts only as their local-time counterparts. */
	utc: JsonObject;
	/** Rows of the record's collections, without the Ids of those that already exist. */
	rows: Record<string, JsonObject[]>;
	custom: CustomValue[];
}

/** Combines everything that the user set into members of the record. */
export const getAllMembers = ({ field, members, rows, custom }: RecordInput): JsonObject =>
	nestPaths(field, {
		...members,
		...rows,
		...(custom.length > 0 ? { CustomFields: buildCustomFields(custom) } : {}),
	});

const columnLoaders = {
	create: oncePerRun((_, entity: string) => listColumns(entity, 'create')),
	update: oncePerRun((_, entity: string) => listColumns(entity, 'update')),
	upsert: oncePerRun((_, entity: string) => listColumns(entity, 'upsert')),
};

export const isPasted = (context: ItemContext): boolean =>
	parseChoice('Input Mode', context.param('fieldsMode', 'columns'), ['columns', 'json']) === 'json';

export const FIELDS = 'Fields';

export function readInputCells(
	context: ItemContext,
	owner: string,
	columns: readonly Column[],
): Cell[] {
	const mapping = context.param('fields', {});
	const { json } = context.caller.getInputData()[context.index];
	const cells = readCells(columns, isObject(mapping) ? mapping : {}, json);
	for (const { id, value } of cells) {
		const shown = getSavedChoices(context).get(id)?.get(String(value));
		const target = shown && findMemberTarget(owner, id);
		if (target) getKnownNames(context).noteChoice(target.entity, value, shown);
	}
	return cells;
}

/** Notes the label of each custom field, so that a dry run can show it. */
export function splitCustomFields(
	context: ItemContext,
	field: string,
	cells: readonly Cell[],
): ReturnType<typeof splitCells> {
	const split = splitCells(field, cells);
	for (const { descriptor, label } of split.custom) {
		if (!isCustomField(label)) {
			getKnownNames(context).note('CustomFieldDescriptor', descriptor, label);
		}
	}
	return split;
}

/** n8n saves the names of each column's choices along with the columns. */
const getSavedChoices = oncePerRun((context) => {
	const mapping = context.param('fields', {});
	const schema: unknown = isObject(mapping) ? mapping.schema : [];
	return new Map(
		(Array.isArray(schema) ? schema : []).filter(isObject).map(({ id, options }) => {
			const choices = (Array.isArray(options) ? options : []).filter(isObject);
			return [id, new Map(choices.map(({ value, name }) => [String(value), String(name)]))];
		}),
	);
});

export function readInput(context: ItemContext, entity: string, verb: Verb): RecordInput {
	if (isPasted(context)) return readPastedInput(context, entity, verb);
	const resolveId = getIdResolver(context);
	const cells = readInputCells(context, entity, columnLoaders[verb](context, entity));
	const { own, custom } = splitCustomFields(context, FIELDS, cells);
	const built = buildMembers(entity, FIELDS, own, resolveId);
	return { field: FIELDS, isPasted: false, ...built, utc: {}, custom };
}

/** People paste records that they have read, so members that cannot be written are left out. */
function readPastedInput(context: ItemContext, entity: string, verb: Verb): RecordInput {
	const field = 'Fields (JSON)';
	const input = nestPaths(field, parseJsonObject(field, context.param('fieldsJson', '')));
	const { utc, others } = splitUtcMembers(entity, input);
	const { members: written, omitted } = toWritable(entity, verb, others);
	const members = resolveIds(entity, field, written, getIdResolver(context));
	addOmittedNotice(context, field, omitted);
	return { field, isPasted: true, members, utc, rows: {}, custom: [] };
}

export function addOmittedNotice(
	context: ItemContext,
	field: string,
	names: readonly string[],
): void {
	if (names.length === 0) return;
	context.run.addNotice(
		`Left out of '${field}', as Corrigo keeps it itself or needs the Id of a record: ${names.join(', ')}`,
	);
}
