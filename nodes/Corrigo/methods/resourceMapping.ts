import type {
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { commandNamed } from '../catalogue/commands';
import { entityNamed } from '../catalogue/entities';
import type { Target } from '../catalogue/targets';
import { isUndocumented } from '../catalogue/undocumented';
import { isObject, type JsonObject } from '../protocol/checks';
import type { Column, Verb } from '../protocol/column';
import { columnsOf } from '../protocol/columns';
import { commandColumns } from '../protocol/commandColumns';
import { isTransient } from '../transport/errors';
import { textIn } from './choices';
import { choicesOf } from './pickers';
import { customColumnsOf, entityIn } from './properties';

const VERBS: readonly Verb[] = ['create', 'update', 'upsert'];

async function getColumns(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const isCommand = textIn(this, 'resource') === 'command';
	return await (isCommand ? commandFields(this) : entityFields(this));
}

async function commandFields(form: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const command = commandNamed(textIn(form, 'commandName') ?? '');
	if (command === undefined) {
		return { fields: [], emptyFieldsNotice: "Choose a command of the list in 'Command Name'" };
	}
	const columns = commandColumns(command.name);
	const fields = await fieldsFrom(
		form,
		columns,
		async (bounded) => await withChoices(bounded, columns),
	);
	return { fields, emptyFieldsNotice: `${command.label} takes no values` };
}

async function entityFields(form: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const name = entityNamed(entityIn(form))?.name;
	if (name === undefined) {
		return { fields: [], emptyFieldsNotice: "Choose an entity of the list in 'Entity'" };
	}
	const operation = textIn(form, 'operation');
	const verb = VERBS.find((one) => one === operation) ?? 'update';
	const filledIn = valuesIn(form.getCurrentNodeParameter('fields'));
	const offered = columnsOf(name, verb, filledIn).filter(
		({ id }) => id in filledIn || !isUndocumented(name, id),
	);
	const readAll = async (bounded: ILoadOptionsFunctions) => {
		const read = [withChoices(bounded, offered), customColumnsOf(bounded, name)];
		return (await Promise.all(read)).flat();
	};
	return {
		fields: await fieldsFrom(form, offered, readAll, verb === 'upsert' ? matchable : fieldOf),
		emptyFieldsNotice: `Corrigo publishes no columns of ${name}: set 'Input Mode' to JSON`,
	};
}

/** The editor does not wait longer for the choices and custom fields of the Company. */
const MAX_WAIT_MS = 3_000;

/**
 * A new node has no credential yet when the editor asks for its columns, and Corrigo may be down.
 * The columns are then those of the catalogue, and those of the form that have a value.
 */
async function fieldsFrom(
	form: ILoadOptionsFunctions,
	columns: Column[],
	readAll: (form: ILoadOptionsFunctions) => Promise<Column[]>,
	fieldFrom = fieldOf,
): Promise<ResourceMapperField[]> {
	const read = await readInTime(form, readAll);
	if (read !== undefined) return read.map(fieldFrom);
	const mapping = form.getCurrentNodeParameter('fields');
	const saved = new Map(savedFieldsIn(mapping).map((field) => [field.id, field]));
	const known = columns.map((column) => {
		const { type, options } = saved.get(column.id) ?? column;
		return fieldFrom({ ...column, type, options } as Column);
	});
	const values = valuesIn(mapping);
	const others = [...saved.values()].filter(
		({ id }) => id in values && known.every((field) => field.id !== id),
	);
	return [...known, ...others];
}

async function readInTime<T>(
	form: ILoadOptionsFunctions,
	readAll: (form: ILoadOptionsFunctions) => Promise<T>,
): Promise<T | undefined> {
	if (form.getNode().credentials?.corrigoApi === undefined) return undefined;
	const signal = AbortSignal.timeout(MAX_WAIT_MS);
	const bounded = Object.create(form, {
		getExecutionCancelSignal: { value: () => signal },
	}) as ILoadOptionsFunctions;
	return await readAll(bounded).catch((failure: unknown) => {
		if (isTransient(failure) || signal.aborted) return undefined;
		throw failure;
	});
}

function savedFieldsIn(mapping: unknown): ResourceMapperField[] {
	const schema = isObject(mapping) ? mapping.schema : undefined;
	return Array.isArray(schema) ? (schema as ResourceMapperField[]) : [];
}

/** A column with a value stays in the form, even if it is not offered otherwise. */
function valuesIn(mapping: unknown): JsonObject {
	const value = isObject(mapping) ? mapping.value : undefined;
	return isObject(value) ? value : {};
}

/** The form of a new work order has its own fields, so only custom fields are columns. */
async function getOrderFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	return {
		fields: await fieldsFrom(this, [], async (form) => await customColumnsOf(form, 'WorkOrder')),
		emptyFieldsNotice: 'The Company has no custom fields of work orders that can be read',
	};
}

/** Adds choices to columns that refer to a short table. Each table is read once, all in parallel. */
async function withChoices(form: ILoadOptionsFunctions, columns: Column[]): Promise<Column[]> {
	const tables = new Map<string, ReturnType<typeof choicesOf>>();
	const tableOf = (target: Target) => {
		const key = JSON.stringify([target.entity, target.where]);
		const table = tables.get(key) ?? choicesOf(form, target);
		tables.set(key, table);
		return table;
	};
	return await Promise.all(
		columns.map(async (column) =>
			column.table === undefined ? column : withOptions(column, await tableOf(column.table)),
		),
	);
}

/** A column without choices takes a name or ID. */
function withOptions(
	{ label, ...column }: Column,
	{ choices, tooMany }: Awaited<ReturnType<typeof choicesOf>>,
): Column {
	if (tooMany) return { ...column, label: `${label} (More Than 1,000)` };
	if (choices.length === 0) return { ...column, label };
	const options = choices.map(({ name, value }) => ({ name, value: Number(value) }));
	return { ...column, label, type: 'options', options };
}

/** Optional columns are hidden at first, because a visible switch counts as turned off. */
const fieldOf = ({ id, label, type, required, options }: Column): ResourceMapperField => ({
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
const matchable = (column: Column): ResourceMapperField => ({
	...fieldOf(column),
	required: false,
	canBeUsedToMatch: column.notMatchable === undefined,
	removed: !column.required || column.type === 'boolean',
});

export const resourceMapping = { getColumns, getOrderFields };
