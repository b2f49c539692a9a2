import { targetOf } from '../../catalogue/targets';
import { nested } from '../../protocol/changes';
import { isObject, jsonObject, type JsonObject } from '../../protocol/checks';
import type { Cell, Column, Verb } from '../../protocol/column';
import { cellsOf, columnsOf, memberValues } from '../../protocol/columns';
import { isCustomField } from '../../protocol/criteria';
import { newCustomFields, splitCells, type CustomValue } from '../../protocol/customFields';
import { withIds } from '../../protocol/names';
import { splitUtcMembers } from '../../protocol/utcMembers';
import { writableMembers } from '../../protocol/writable';
import { splitRows } from '../../protocol/rowColumns';
import { oneOf } from '../../protocol/values';
import { oncePerRun, type ItemContext } from '../../run/context';
import { idOfIn, knownNamesIn } from '../../run/resolve';

/** Members and custom fields of a record that the user set. */
export interface Given {
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
export const allMembers = ({ field, members, rows, custom }: Given): JsonObject =>
	nested(field, {
		...members,
		...rows,
		...(custom.length > 0 ? { CustomFields: newCustomFields(custom) } : {}),
	});

const columnsFor = {
	create: oncePerRun((_, entity: string) => columnsOf(entity, 'create')),
	update: oncePerRun((_, entity: string) => columnsOf(entity, 'update')),
	upsert: oncePerRun((_, entity: string) => columnsOf(entity, 'upsert')),
};

export const isPasted = (context: ItemContext): boolean =>
	oneOf('Input Mode', context.param('fieldsMode', 'columns'), ['columns', 'json']) === 'json';

export const FIELDS = 'Fields';

export function givenCells(
	context: ItemContext,
	owner: string,
	columns: readonly Column[],
): Cell[] {
	const mapping = context.param('fields', {});
	const { json } = context.caller.getInputData()[context.index];
	const cells = cellsOf(columns, isObject(mapping) ? mapping : {}, json);
	for (const { id, value } of cells) {
		const shown = savedChoices(context).get(id)?.get(String(value));
		const target = shown && targetOf(owner, id);
		if (target) knownNamesIn(context).noteChoice(target.entity, value, shown);
	}
	return cells;
}

/** Notes the label of each custom field, so that a dry run can show it. */
export function customFieldsIn(
	context: ItemContext,
	field: string,
	cells: readonly Cell[],
): ReturnType<typeof splitCells> {
	const split = splitCells(field, cells);
	for (const { descriptor, label } of split.custom) {
		if (!isCustomField(label)) {
			knownNamesIn(context).note('CustomFieldDescriptor', descriptor, label);
		}
	}
	return split;
}

/** n8n saves the names of each column's choices along with the columns. */
const savedChoices = oncePerRun((context) => {
	const mapping = context.param('fields', {});
	const schema: unknown = isObject(mapping) ? mapping.schema : [];
	return new Map(
		(Array.isArray(schema) ? schema : []).filter(isObject).map(({ id, options }) => {
			const choices = (Array.isArray(options) ? options : []).filter(isObject);
			return [id, new Map(choices.map(({ value, name }) => [String(value), String(name)]))];
		}),
	);
});

export function givenFields(context: ItemContext, entity: string, verb: Verb): Given {
	if (isPasted(context)) return pastedFields(context, entity, verb);
	const idOf = idOfIn(context);
	const cells = givenCells(context, entity, columnsFor[verb](context, entity));
	const { own, custom } = customFieldsIn(context, FIELDS, cells);
	const { rows, others } = splitRows(entity, FIELDS, own, idOf);
	const members = memberValues(entity, FIELDS, others, idOf);
	return { field: FIELDS, isPasted: false, members, utc: {}, rows, custom };
}

/** People paste records that they have read, so members that cannot be written are left out. */
function pastedFields(context: ItemContext, entity: string, verb: Verb): Given {
	const field = 'Fields (JSON)';
	const given = nested(field, jsonObject(field, context.param('fieldsJson', '')));
	const { utc, others } = splitUtcMembers(entity, given);
	const { members: written, omitted } = writableMembers(entity, verb, others);
	const members = withIds(entity, field, written, idOfIn(context));
	hintOfOmitted(context, field, omitted);
	return { field, isPasted: true, members, utc, rows: {}, custom: [] };
}

export function hintOfOmitted(context: ItemContext, field: string, names: readonly string[]): void {
	if (names.length === 0) return;
	context.run.hint(
		`Left out of '${field}', as Corrigo keeps it itself or needs the Id of a record: ${names.join(', ')}`,
	);
}
