import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';

import { getEntity, suggestEntity } from '../catalogue/entities';
import {
	unwrapLocator,
	parseIdentifier,
	isBlank,
	isObject,
	toRows,
	ValidationError,
	type JsonObject,
	parseText,
	parseId,
	parseBoolean,
	parsePropertyList,
	parseChoice,
	filterMembers,
	mapMembers,
} from '../values/checks';
import { getSummary } from '../catalogue/summaries';

/** An object without members counts as empty, just as a blank value does. */
export const isEmpty = (input: unknown): boolean => {
	const value = unwrapLocator(input);
	return isObject(value) ? Object.keys(value).length === 0 : isBlank(value);
};

/** n8n recognizes an expression by its first character; one without text is an empty field. */
const isExpression = (raw: unknown): raw is string =>
	typeof raw === 'string' && /^=\s*\S/.test(raw);

export const hasExpression = (raw: unknown): boolean =>
	typeof raw === 'string'
		? raw.startsWith('=')
		: typeof raw === 'object' && raw !== null && Object.values(raw).some(hasExpression);

/** n8n writes a parameter that a language model fills in as a call to `$fromAI`. */
export const isFromModel = (raw: unknown): boolean =>
	isExpression(raw) && /\$fromAI\s*\(/i.test(raw);

/**
 * A field that a person left empty is left out; one whose expression gives nothing is refused,
 * because a search or write without it would reach more records, or others, than are meant.
 * Required fields, filters, columns and options are checked where they are read.
 */
export function refuseEmptyExpression(
	fields: readonly INodeProperties[],
	parameters: INodeParameters,
	name: string,
	value: unknown,
): void {
	const raw = parameters[name];
	if (holdsColumns(parameters, name) || !hasExpression(raw)) return;
	const isShown = (one: INodeProperties) =>
		one.name === name && NodeHelpers.displayParameter(parameters, one, null, null);
	const field = fields.find(isShown);
	if (field !== undefined) checkField(field, raw, value);
}

/** The form of *Create or Update* for work orders has these fields in place of columns. */
const holdsColumns = ({ operation }: INodeParameters, name: string): boolean =>
	operation === 'upsert' && name === 'additionalFields';

/** An empty text clears a text, and any other field without a value changes nothing, as in a column. */
export function omitEmptyColumns(
	fields: readonly INodeProperties[],
	parameters: INodeParameters,
	name: string,
	value: unknown,
): unknown {
	if (!holdsColumns(parameters, name) || !isObject(value)) return value;
	const columns = fields.filter((one) => one.name === name).flatMap(listInnerFields);
	const texts = columns.filter(({ type }) => type === 'string').map((one) => one.name);
	return filterMembers(value, (column, input) => {
		const one = unwrapLocator(input);
		return one === '' ? texts.includes(column) : one !== undefined && one !== null;
	});
}

function checkField(field: INodeProperties, raw: unknown, value: unknown): void {
	if (field.required || CHECKED_ELSEWHERE.includes(field.name)) return;
	const [input, result] = [unwrapLocator(raw), unwrapLocator(value)];
	if (isExpression(input) && !isFromModel(input) && isBlank(result)) {
		throw new ValidationError(
			`'${field.displayName}' is empty`,
			'Its expression gives nothing. Correct the expression, or clear the field.',
		);
	}
	const results = toRowList(result);
	for (const [index, row] of toRowList(input).entries()) {
		for (const inner of listInnerFields(field)) {
			if (inner.name in row) checkField(inner, row[inner.name], results[index]?.[inner.name]);
		}
	}
}

const CHECKED_ELSEWHERE: readonly string[] = ['fields', 'filters', 'options'];

const toRowList = (value: unknown): JsonObject[] =>
	Array.isArray(value) ? value.filter(isObject) : isObject(value) ? [value] : [];

/** A group of a fixed collection holds its fields as a collection does. */
const listInnerFields = ({ options = [], ...group }: INodeProperties): INodeProperties[] =>
	(('values' in group ? group.values : options) as INodeProperties[]).filter(
		(one) => 'displayName' in one,
	);

/** An empty field counts as an empty text. */
export const toOptionalText = (label: string, value: unknown): string =>
	isEmpty(value) ? '' : parseText(label, value);

/** A switch that was never set is off; a text that is neither true nor false is refused. */
export const toFlag = (label: string, value: unknown): boolean =>
	value !== undefined && parseBoolean(label, value);

/** Executions, polls and lists all read what the user filled in through this class. */
export class Form {
	constructor(
		/** A resource locator is returned with its mode. */
		readonly field: (name: string, fallback?: unknown) => unknown,
	) {}

	/** A resource locator is reduced to what was chosen in it. */
	param(name: string, fallback?: unknown): unknown {
		return unwrapLocator(this.field(name, fallback));
	}

	text(name: string): string {
		return String(this.param(name, '') ?? '').trim();
	}

	flag(label: string, name: string): boolean {
		return toFlag(label, this.param(name, false));
	}

	id(label: string, name = 'id'): number {
		return parseId(label, this.param(name, ''));
	}

	/** A name that the catalogue lacks is passed on, because Corrigo may know it. */
	entity(): string {
		const input = parseIdentifier('Entity', this.param('entity', ''));
		const suggestion = suggestEntity(input);
		if (suggestion === undefined) return getEntity(input)?.name ?? input;
		const where = Object.entries(suggestion.where ?? {}).map(([name, value]) => `${name} ${value}`);
		throw new ValidationError(
			`'Entity' is "${input}", which Corrigo does not know`,
			`Use ${[suggestion.name, ...where].join(' with ')}.`,
		);
	}

	/** Every repeatable group of the form keeps its rows under `values`. */
	rows(name: string): JsonObject[] {
		return toRows(this.collection(name).values);
	}

	/** Resource locators in the rows are reduced to what was chosen in them. */
	choices(name: string): JsonObject[] {
		return this.rows(name).map((row) => mapMembers(row, (_, value) => unwrapLocator(value)));
	}

	collection(name: string): JsonObject {
		const fields = this.param(name, {});
		return isObject(fields) ? fields : {};
	}
}

const OUTPUTS = ['simplified', 'raw', 'selected'] as const;
type Output = (typeof OUTPUTS)[number];
const OUTPUT_NAMES = { simplified: 'Simplified', raw: 'Raw', selected: 'Selected Fields' };

const buildOutputField = (
	description: string,
	descriptions: Partial<Record<Output, string>>,
): INodeProperties => ({
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: OUTPUTS.filter((value) => value in descriptions).map((value) => ({
		name: OUTPUT_NAMES[value],
		value,
		description: descriptions[value],
	})),
	default: 'simplified',
	description,
});

/** Searches have no output of records if they return a count. */
const HIDDEN_FOR_COUNTS = { return: ['count', 'groups'] };

export const outputFields: INodeProperties[] = [
	{
		...buildOutputField('Which fields of each record to return', {
			simplified: 'The most useful fields, with names for IDs',
			raw: 'All fields as Corrigo returns them; references with their IDs only',
			selected: 'The fields that you choose',
		}),
		displayOptions: { hide: HIDDEN_FOR_COUNTS },
	},
	{
		displayName: 'Field Names or IDs',
		name: 'properties',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getProperties', loadOptionsDependsOn: ['entity.value'] },
		default: ['*'],
		displayOptions: { show: { output: ['selected'] }, hide: HIDDEN_FOR_COUNTS },
		description:
			'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	},
];

export const writeOutputField = buildOutputField('What to return of the answer', {
	simplified: 'What was written, with names for IDs as far as they are known',
	raw: 'The answer as Corrigo gives it',
});

const readOutput = (form: Form, outputs: readonly Output[] = OUTPUTS): Output =>
	parseChoice('Output', form.param('output', 'simplified'), outputs);

export const isSimplified = (form: Form): boolean => readOutput(form) === 'simplified';

/** Writes do not offer 'Selected Fields', so that value is refused. */
export const isRaw = (form: Form): boolean => readOutput(form, ['simplified', 'raw']) === 'raw';

export const readWrittenProperties = (form: Form, entity: string): readonly string[] =>
	isRaw(form) ? ['*'] : getSummary(entity);

export function readOutputProperties(form: Form, entity: string): string[] {
	switch (readOutput(form)) {
		case 'raw':
			return ['*'];
		case 'simplified':
			return [...getSummary(entity)];
		case 'selected':
			return parsePropertyList('Field Names or IDs', form.param('properties', '*'));
	}
}
