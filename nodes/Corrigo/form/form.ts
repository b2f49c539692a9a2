import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { findEntity, suggestEntity } from '../catalogue/entities';
import { getSummary } from '../catalogue/summaries';
import { ValidationError, quote } from '../values/errors';
import { parseJsonObject, parseList } from '../values/json';
import {
	type JsonObject,
	isLocator,
	unwrapLocator,
	isObject,
	mapMembers,
	toRows,
} from '../values/objects';
import {
	parseIdentifier,
	parsePropertyPath,
	isBlank,
	parseBoolean,
	parseChoice,
	parseInteger,
	parseNumber,
	parseText,
} from '../values/input';
import { parseDateTime } from '../values/times';
import { defineField, entityField } from './fields';
import { spellPath } from '../values/memberNames';

/** An object without members counts as empty, just as a blank value does. */
export const isEmpty = (input: unknown): boolean => {
	const value = unwrapLocator(input);
	return isObject(value) ? Object.keys(value).length === 0 : isBlank(value);
};

/** An empty field counts as an empty text. */
export const toOptionalText = (label: string, value: unknown): string =>
	isEmpty(value) ? '' : parseText(label, value);

/** Options are declared under their names, so a declaration alone may have none. */
type Declaration = Omit<INodeProperties, 'name'>;

type WithChoices<Choice> = { options?: ReadonlyArray<{ value: Choice }> };

/** Value of a field, by what its declaration says. */
export type Value<Field> = Field extends { type: 'boolean' }
	? boolean
	: Field extends { type: 'number' }
		? number
		: Field extends { type: 'dateTime' | 'string' }
			? string
			: Field extends { type: 'collection' | 'fixedCollection' | 'json' | 'resourceMapper' }
				? JsonObject
				: Field extends { type: 'options' } & WithChoices<infer Choice>
					? Choice
					: Field extends { type: 'multiOptions' } & WithChoices<infer Choice>
						? Choice[]
						: unknown;

/**
 * A field is its own reader: its declaration decides which inputs are refused. The value in a
 * resource locator stays as it is, because it may be the name of a record.
 */
export function parseInput<Field extends Declaration>(
	field: Field,
	input: unknown,
	label = field.displayName,
): Value<Field> {
	const parse = parsers[field.type] ?? ((value) => value);
	return parse(unwrapLocator(input), label, field) as Value<Field>;
}

type Parser = (value: unknown, label: string, field: Declaration) => unknown;

const parseGroup: Parser = (value) => (isObject(value) ? value : {});

const parsers: Partial<Record<INodeProperties['type'], Parser>> = {
	boolean: (value, label) => parseBoolean(label, value),
	collection: parseGroup,
	dateTime: (value, label) => parseDateTime(label, value),
	fixedCollection: parseGroup,
	json: (value, label) => parseJsonObject(label, value),
	multiOptions: (value, label, { options }) => {
		const chosen = isEmpty(value) ? [] : parseList(label, value).filter((one) => one !== '');
		// The choices of some fields are loaded from the Company.
		return options === undefined ? chosen : chosen.map((one) => parseOption(one, label, options));
	},
	number: (value, label, { typeOptions: { minValue, maxValue } = {} }) =>
		// A field with a minimum counts something.
		minValue === undefined
			? parseNumber(label, value)
			: parseInteger(label, value, minValue, maxValue ?? Number.MAX_SAFE_INTEGER),
	options: (value, label, { options = [] }) => parseOption(value, label, options),
	resourceMapper: parseGroup,
	string: (value, label) => toOptionalText(label, value),
};

/** Names a choice in texts, where the number of one says nothing. */
export const getChoiceWord = ({ name, value }: INodePropertyOptions): string =>
	typeof value === 'number' ? name : String(value);

/** A choice may be given by its label, too. */
function parseOption(value: unknown, label: string, options: Declaration['options']): string {
	const choices = options as INodePropertyOptions[];
	if (choices.some((one) => one.value === value)) return value as string;
	const byWord = new Map(choices.map((one) => [getChoiceWord(one), one]));
	const getOtherWord = (word: string) => {
		const { name = word, value: own = word } = byWord.get(word) ?? {};
		return name === word ? String(own) : name;
	};
	const word = parseChoice(label, value, [...byWord.keys()], getOtherWord);
	return byWord.get(word)?.value as string;
}

/** A hidden field has the value that a new node would have, but a hidden group has no rows, and an expression no value. */
function getFallback(initial: INodeProperties['default']): unknown {
	if (typeof initial === 'string' && initial.startsWith('=')) return '';
	return isObject(initial) && !isLocator(initial) ? {} : initial;
}

/**
 * Executions, polls and lists all read what the user filled in through this class. Fields are read
 * by their declarations, so that a label, a default and a type stand nowhere else.
 */
export class Form {
	constructor(
		/** A resource locator is returned with its mode. */
		private readonly field: (name: string, fallback?: unknown) => unknown,
		/** Leads from the top of the form to its fields, as in "Items > ". */
		private readonly path = '',
	) {}

	getLabel({ displayName }: INodeProperties): string {
		return `${this.path}${displayName}`;
	}

	/** The input as it is, with the mode of a resource locator. */
	getInput(field: INodeProperties, fallback = getFallback(field.default)): unknown {
		return this.field(field.name, fallback);
	}

	isEmpty(field: INodeProperties): boolean {
		const input = this.getInput(field);
		return isEmpty(input) || (Array.isArray(input) && input.length === 0);
	}

	read<Field extends INodeProperties>(field: Field): Value<Field> {
		return parseInput(field, this.getInput(field), this.getLabel(field));
	}

	/** Undefined if the field is empty. */
	readOptional<Field extends INodeProperties>(field: Field): Value<Field> | undefined {
		return this.isEmpty(field) ? undefined : this.read(field);
	}

	/** Undefined if the field was not added to its collection. */
	readAdded<Field extends INodeProperties>(
		collection: INodeProperties & { type: 'collection' },
		field: Field,
	): Value<Field> | undefined {
		const added = this.read(collection);
		return field.name in added ? parseInput(field, added[field.name]) : undefined;
	}

	/** The form of the fields that were added to a collection; others are empty. */
	open(collection: INodeProperties & { type: 'collection' }): Form {
		const added = this.read(collection);
		return new Form((name) => added[name], this.path);
	}

	/** A group that is not repeated has at most one row. */
	readRows(group: INodeProperties & { type: 'fixedCollection' }): Form[] {
		const [{ name: key }] = group.options ?? [{ name: 'values' }];
		return toRows([this.read(group)[key]].flat()).map(
			(row) => new Form((name, fallback) => row[name] ?? fallback, `${this.getLabel(group)} > `),
		);
	}

	/** Resource locators in the rows are reduced to what was chosen in them. */
	readRowValues(group: INodeProperties & { type: 'fixedCollection' }): JsonObject[] {
		const [{ values }] = group.options as INodePropertyCollection[];
		const initial = Object.fromEntries(values.map((field) => [field.name, field.default]));
		return toRows(this.read(group).values).map((row) =>
			mapMembers({ ...initial, ...row }, (_, value) => unwrapLocator(value)),
		);
	}

	/**
	 * The entity of the operation, or the one that the user names: a name that the catalogue lacks is
	 * passed on, because Corrigo may know it.
	 */
	entity(subject: { entity?: string } = {}): string {
		if (subject.entity !== undefined) return subject.entity;
		const written = this.read(entityField);
		const known = findEntity(String(written));
		if (known !== undefined) return known.name;
		const input = parseIdentifier(entityField.displayName, written);
		const suggestion = suggestEntity(input);
		if (suggestion === undefined) return input;
		const where = Object.entries(suggestion.where ?? {}).map(([name, value]) => `${name} ${value}`);
		throw new ValidationError(
			`'${entityField.displayName}' is ${quote(input)}, which Corrigo does not know`,
			`Use ${[suggestion.name, ...where].join(' with ')}.`,
		);
	}
}

/** Searches have no output of records if they return a count. */
const HIDDEN_FOR_COUNTS = { return: ['count', 'groups'] };

const outputField = defineField({
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'Simplified',
			value: 'simplified',
			description: 'The most useful fields, with names for IDs',
		},
		{
			name: 'Raw',
			value: 'raw',
			description: 'All fields as Corrigo returns them; references with their IDs only',
		},
		{
			name: 'Selected Fields',
			value: 'selected',
			description: 'The fields that you choose',
		},
	],
	default: 'simplified',
	description: 'Which fields of each record to return',
	displayOptions: { hide: HIDDEN_FOR_COUNTS },
});

const propertiesField = defineField({
	displayName: 'Field Names or IDs',
	name: 'properties',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getProperties', loadOptionsDependsOn: ['entity.value'] },
	default: [],
	displayOptions: { show: { output: ['selected'] }, hide: HIDDEN_FOR_COUNTS },
	description:
		'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	hint: 'All own fields, unless you choose some. Those are returned in the order in which you choose them.',
});

export const outputFields: INodeProperties[] = [outputField, propertiesField];

/** Writes do not offer 'Selected Fields', so that value is refused. */
export const writeOutputField = defineField({
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'Simplified',
			value: 'simplified',
			description: 'What was written, with names for IDs as far as they are known',
		},
		{ name: 'Raw', value: 'raw', description: 'The answer as Corrigo gives it' },
	],
	default: 'simplified',
	description: 'What to return of the answer',
});

export const isSimplified = (form: Form): boolean => form.read(outputField) === 'simplified';

/** Forms offer the address of a work order among its fields, although it is made from the ID. */
export const URL_FIELD = 'Url';

const isUrl = (path: unknown) => path === URL_FIELD;

export const wantsUrl = (form: Form): boolean =>
	isSimplified(form) ||
	(form.read(outputField) === 'selected' && form.read(propertiesField).some(isUrl));

export const isRaw = (form: Form): boolean => form.read(writeOutputField) === 'raw';

export const readWrittenProperties = (form: Form, entity: string): readonly string[] =>
	isRaw(form) ? ['*'] : getSummary(entity);

export function readOutputProperties(form: Form, entity: string): string[] {
	switch (form.read(outputField)) {
		case 'raw':
			return ['*'];
		case 'simplified':
			return [...getSummary(entity)];
		case 'selected':
			return [...new Set(readChosen(form, entity).map(({ path }) => path))];
	}
}

/** The members of the output, in the order in which their fields were chosen, if they were. */
export const readChosenNames = (form: Form, entity: string): string[] =>
	form.read(outputField) === 'selected' ? readChosen(form, entity).map(({ name }) => name) : [];

/** The address of a work order is made from its Id. */
function readChosen(form: Form, entity: string) {
	const { displayName: label } = propertiesField;
	const chosen = form.read(propertiesField);
	return (chosen.length === 0 ? ['*'] : chosen).map((one: unknown) => {
		const isAddress = entity === 'WorkOrder' && isUrl(one);
		const [path] = parsePropertyList(label, entity, isAddress ? 'Id' : one);
		return { path, name: isAddress ? URL_FIELD : path.split('.')[0] };
	});
}

/**
 * Accepts a comma-separated list or an array, and returns each path once, in the contract's spelling.
 * An empty list means all own properties.
 */
export function parsePropertyList(field: string, entity: string, value: unknown): string[] {
	const entries = isBlank(value) ? [] : parseList(field, value);
	const paths = entries.map((path) => spellPath(entity, parsePropertyPath(field, path, true)));
	return paths.length === 0 ? ['*'] : [...new Set(paths)];
}
