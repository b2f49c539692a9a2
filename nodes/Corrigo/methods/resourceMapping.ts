import type {
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { getCommand } from '../catalogue/commands';
import { getEntity } from '../catalogue/entities';
import type { Target } from '../catalogue/targets';
import { isUndocumented } from '../catalogue/undocumented';
import { type JsonObject, isObject } from '../values/objects';
import { type Column, type Verb, listColumns, listCommandColumns } from '../columns/columns';
import { isTransient } from '../transport/errors';
import type { SendOptions } from '../transport/send';
import { listNeededFields, mappers } from '../form/fields';
import { readText } from './choices';
import { returnPlainTexts } from './plainTexts';
import { loadChoices } from './pickers';
import { loadCustomColumns, readEntity } from './properties';

const VERBS: readonly Verb[] = ['create', 'update', 'upsert'];

async function getColumns(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const isCommand = readText(this, 'resource') === 'command';
	return await (isCommand ? loadCommandFields(this) : loadEntityFields(this));
}

async function loadCommandFields(form: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const command = getCommand(readText(form, 'commandName') ?? '');
	if (command === undefined) {
		return toMapperFields(form, [], "Choose a command from the list in 'Command Name'");
	}
	return toMapperFields(
		form,
		await loadFields(form, listCommandColumns(command.name)),
		`${command.label} takes no values`,
	);
}

async function loadEntityFields(form: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const name = getEntity(readEntity(form))?.name;
	if (name === undefined) {
		return toMapperFields(form, [], "Choose an entity from the list in 'Entity'");
	}
	const operation = readText(form, 'operation');
	const verb = VERBS.find((one) => one === operation) ?? 'update';
	const { values: filledIn } = readMapping(form);
	const offered = listColumns(name, verb, filledIn).filter(
		({ id }) => id in filledIn || !isUndocumented(name, id),
	);
	return toMapperFields(
		form,
		await loadFields(form, offered, name, verb === 'upsert' ? toMatchField : toField),
		`Corrigo publishes no fields of ${name}: set 'Input Mode' to JSON`,
		verb === 'update' ? '' : listNeededFields(name),
	);
}

const isMappedByName = (form: ILoadOptionsFunctions): boolean =>
	readText(form, 'fieldsMode') === 'autoMapInputData';

/** The editor shows the notice whenever it hides the fields, also where they are mapped by name. */
function toMapperFields(
	form: ILoadOptionsFunctions,
	fields: ResourceMapperField[],
	noFields: string,
	needed = '',
): ResourceMapperFields {
	if (fields.length === 0) return { fields, emptyFieldsNotice: noFields };
	if (!isMappedByName(form)) return { fields };
	const names = fields.map(({ displayName }) => displayName).join(', ');
	return {
		fields,
		emptyFieldsNotice: `Uses the fields of the input with these names: ${names}.${needed}`,
	};
}

/** The editor does not wait longer for the choices and custom fields of the Company. */
const MAX_WAIT_MS = 3_000;

/**
 * A new node has no credential yet when the editor asks for its columns, and Corrigo may be down.
 * The columns are then those of the catalogue, and those of the form that have a value.
 */
async function loadFields(
	form: ILoadOptionsFunctions,
	columns: Column[],
	customFieldsOf = '',
	convert = toField,
): Promise<ResourceMapperField[]> {
	const read = await loadInTime(form, columns, customFieldsOf);
	if (read !== undefined) return read.map(convert);
	const { values, saved } = readMapping(form);
	const known = columns.map((column) => {
		const { type, options } = saved.find(({ id }) => id === column.id) ?? column;
		return convert({ ...column, type, options } as Column);
	});
	const others = saved.filter(({ id }) => id in values && known.every((field) => field.id !== id));
	return [...known, ...others];
}

async function loadInTime(
	form: ILoadOptionsFunctions,
	columns: Column[],
	customFieldsOf: string,
): Promise<Column[] | undefined> {
	if (form.getNode().credentials?.corrigoApi === undefined) return undefined;
	const options = { deadline: performance.now() + MAX_WAIT_MS };
	const read = [
		addChoices(form, columns, options),
		loadCustomColumns(form, customFieldsOf, options),
	];
	const all = await Promise.all(read).catch((failure: unknown) => {
		if (!isTransient(failure)) throw failure;
	});
	return all?.flat();
}

/** A column with a value stays in the form, even if it is not offered otherwise. */
function readMapping(form: ILoadOptionsFunctions) {
	const mode = isMappedByName(form) ? 'autoMapInputData' : 'defineBelow';
	const mapping = form.getCurrentNodeParameter(mappers[mode].name);
	const { value, schema }: JsonObject = isObject(mapping) ? mapping : {};
	return {
		values: isObject(value) ? value : {},
		saved: Array.isArray(schema) ? (schema as ResourceMapperField[]) : [],
	};
}

/** The form of a new work order has its own fields, so only custom fields are columns. */
async function getOrderFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	return toMapperFields(
		this,
		await loadFields(this, [], 'WorkOrder'),
		'No custom fields were found. They appear here if your Company has some for work orders, and the credential may read them.',
	);
}

/** Adds choices to columns that refer to a short table. Each table is read once, all in parallel. */
async function addChoices(
	form: ILoadOptionsFunctions,
	columns: Column[],
	options: SendOptions,
): Promise<Column[]> {
	const tables = new Map<string, ReturnType<typeof loadChoices>>();
	const loadTable = (target: Target) => {
		const key = JSON.stringify([target.entity, target.where]);
		const table = tables.get(key) ?? loadChoices(form, target, options);
		tables.set(key, table);
		return table;
	};
	return await Promise.all(
		columns.map(async (column) =>
			column.table === undefined ? column : addOptions(column, await loadTable(column.table)),
		),
	);
}

/** A column without choices takes a name or ID. */
function addOptions(
	{ label, ...column }: Column,
	choices: Awaited<ReturnType<typeof loadChoices>>,
): Column {
	if (choices === undefined) return { ...column, label: `${label} (More Than 1,000)` };
	if (choices.length === 0) return { ...column, label };
	const options = choices.map(({ name, value }) => ({ name, value: Number(value) }));
	return { ...column, label, type: 'options', options };
}

/** Optional columns are hidden at first, because a visible switch counts as turned off. */
const toField = ({ id, label, type, required, options }: Column): ResourceMapperField => ({
	id,
	displayName: label,
	type,
	required,
	...(options && { options }),
	defaultMatch: false,
	canBeUsedToMatch: false,
	display: true,
	removed: !required,
});

/** An existing record needs no values, so an upsert shows required columns as optional. */
const toMatchField = (column: Column): ResourceMapperField => ({
	...toField(column),
	required: false,
	canBeUsedToMatch: column.notMatchable === undefined,
	removed: !column.required || column.type === 'boolean',
});

export const resourceMapping = {
	getColumns: returnPlainTexts(getColumns),
	getOrderFields: returnPlainTexts(getOrderFields),
};
