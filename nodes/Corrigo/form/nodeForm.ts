import {
	NodeHelpers,
	type IExecuteFunctions,
	type INodeParameters,
	type INodeProperties,
} from 'n8n-workflow';

import {
	ONLY_FOR_AUTHOR,
	ValidationError,
	isTool,
	quoteText,
	quoteUnlessPlain,
	toLabel,
} from '../values/errors';
import {
	filterMembers,
	isLocator,
	isObject,
	mapMembers,
	toRows,
	unwrapLocator,
	type JsonObject,
	type LocatorValue,
} from '../values/objects';
import { isBlank } from '../values/input';
import { copyData } from '../values/json';
import { isEmpty } from './form';
import { isForPeople } from './options';

const listLocators = (value: unknown): LocatorValue[] => {
	if (isLocator(value)) return hasExpression(value) ? [] : [value];
	return typeof value === 'object' && value !== null
		? Object.values(value).flatMap(listLocators)
		: [];
};

/** Longest part of n8n's own words in a message. */
const MAX_REASON_LENGTH = 300;

const getChoiceKey = ({ value, cachedResultName }: LocatorValue) =>
	JSON.stringify([value, cachedResultName]);

/** The form of an operation as a run reads it, whoever filled it in. */
export interface RunForm {
	createReader: (item: number) => (name: string, fallback?: unknown) => unknown;
	/** The fields of the input item are what a model says, so nothing else may be read from them. */
	readonly isInputOfModel: boolean;
	/** Returns the values of all fields that were read for an item. */
	getRead: (item: number) => JsonObject;
	/** Reads once what is equal for all items, because no expression was read. */
	share: <T>(reading: () => T, key: unknown) => T;
	/** Returns the name that a list of the editor showed for the record chosen in it. */
	getShownName: (input: unknown) => string | undefined;
	/** Adds to an error why fields are empty, and tells a model what it cannot correct. */
	explain: (failure: ValidationError, item: number) => ValidationError;
	/** Leaves out empty members of JSON that a model has filled in. */
	omitModelNothing: (name: string, json: JsonObject) => JsonObject;
}

/**
 * The form of an operation that a model calls: plain values, in which nothing is evaluated. No person
 * chose them in a list, so no value brings a name of its own.
 */
export class CalledForm implements RunForm {
	readonly isInputOfModel = true;
	private readonly sharedReadings = new Map<unknown, unknown>();

	constructor(
		private readonly values: JsonObject,
		private readonly owners: FieldOwners,
	) {}

	createReader() {
		return (name: string, fallback?: unknown): unknown => this.values[name] ?? fallback;
	}

	getRead(): JsonObject {
		return this.values;
	}

	share<T>(reading: () => T, key: unknown): T {
		if (!this.sharedReadings.has(key)) this.sharedReadings.set(key, reading());
		return this.sharedReadings.get(key) as T;
	}

	getShownName(): undefined {}

	explain(failure: ValidationError): ValidationError {
		return blameAuthor(failure, this.owners);
	}

	omitModelNothing(_: string, json: JsonObject): JsonObject {
		return json;
	}
}

/** The form of a node as its author filled it in, with expressions that have a value for each item. */
export class NodeForm implements RunForm {
	/** Kept here because n8n copies the node for each access. */
	private readonly parameters: INodeParameters;
	private readonly asksModel: boolean;
	readonly isInputOfModel: boolean;
	/** Values of fields that are equal for all items. */
	private readonly sharedValues = new Map<string, unknown>();
	/** Values of all other fields that were read, by item. */
	private readonly ownValues = new Map<string, unknown[]>();
	private readonly choices: ReadonlySet<string>;
	private readonly sharedReadings = new Map<unknown, unknown>();
	/** Fields that n8n itself must read, because an expression gave an object or nothing. */
	private readonly leftToN8n = new Set<string>();
	/** Number of reads of fields that may differ between items. */
	private ownReads = 0;
	private readonly refusal?: ValidationError;

	constructor(
		private readonly caller: IExecuteFunctions,
		/** The fields of the operation. */
		private readonly fields: readonly INodeProperties[],
		/** A model may fill in these. The others decide what the node may do. */
		forModels = fields.filter((field) => !isForPeople(field)),
	) {
		this.parameters = caller.getNode().parameters;
		this.asksModel = FROM_AI.test(JSON.stringify(this.parameters));
		this.choices = new Set(listLocators(this.parameters).map(getChoiceKey));
		this.isInputOfModel = isRequestedTool(caller);
		if (this.asksModel) this.refusal = refuseModel(fields, this.parameters, forModels);
	}

	/** n8n evaluates and copies a field each time it is read, so a reader does it once. */
	createReader(item: number) {
		return (name: string, fallback?: unknown): unknown => {
			if (this.refusal !== undefined) throw this.refusal;
			if (this.sharedValues.has(name)) return this.sharedValues.get(name);
			this.ownReads++;
			const own = this.ownValues.get(name) ?? [];
			if (item in own) return own[item];
			const isOwn = hasExpression(this.parameters[name]);
			if (isOwn && this.isInputOfModel) this.refuseInputOfModel(name);
			const value =
				(isOwn ? this.readPlain(name, item) : undefined) ?? this.read(name, item, fallback);
			if (isOwn) {
				own[item] = value;
				this.ownValues.set(name, own);
			} else {
				this.sharedValues.set(name, value);
				this.ownReads--;
			}
			return value;
		};
	}

	getRead(item: number): JsonObject {
		const own = [...this.ownValues].map(([name, values]) => [name, values[item]] as const);
		return Object.fromEntries([...this.sharedValues, ...own]);
	}

	private refuseInputOfModel(name: string): void {
		if (!listExpressions(this.parameters[name]).some(readsInput)) return;
		throw createInputError(getTitle(this.fields, name));
	}

	/**
	 * n8n resolves every member of a field again for each item, but only its expressions differ. This
	 * returns undefined unless all of them give plain values, which need nothing else.
	 */
	private readPlain(name: string, item: number): unknown {
		const raw = this.parameters[name];
		const isSpecial = this.asksModel || holdsColumns(this.parameters, name);
		if (isSpecial || this.leftToN8n.has(name)) return undefined;
		try {
			return evaluatePlain(raw, (text) => this.caller.evaluateExpression(text, item));
		} catch {
			// The error of n8n's own reader names the field.
			this.leftToN8n.add(name);
			return undefined;
		}
	}

	private read(name: string, item: number, fallback: unknown): unknown {
		const raw = this.parameters[name];
		const calculated = this.calculate(name, item, fallback);
		const input = hasExpression(raw)
			? copyData(getTitle(this.fields, name), calculated)
			: calculated;
		const given = this.asksModel ? normalizeModelInput(name, raw, input) : input;
		refuseEmptyExpression(this.fields, this.parameters, name, given);
		return omitEmptyColumns(this.fields, this.parameters, name, given);
	}

	private calculate(name: string, item: number, fallback: unknown): unknown {
		try {
			return this.caller.getNodeParameter(name, item, fallback as string);
		} catch (failure) {
			return nameField(this.caller, getTitle(this.fields, name), failure as Error);
		}
	}

	share<T>(reading: () => T, key: unknown): T {
		if (this.sharedReadings.has(key)) return this.sharedReadings.get(key) as T;
		const before = this.ownReads;
		const result = reading();
		if (this.ownReads === before) this.sharedReadings.set(key, result);
		return result;
	}

	/** n8n keeps the name after an expression replaces the choice, so only values chosen in the form have one. */
	getShownName(input: unknown): string | undefined {
		// Most forms have no choices, and the keys are slow to make for each item.
		const isChosen =
			this.choices.size > 0 && isLocator(input) && this.choices.has(getChoiceKey(input));
		return isChosen && input.cachedResultName ? input.cachedResultName : undefined;
	}

	explain(failure: ValidationError, item: number): ValidationError {
		const read = (name: string) => this.caller.getNodeParameter(name, item);
		const explained = explainEmptyFields(failure, this.fields, this.parameters, read);
		if (!isTool(this.caller.getNode())) return explained;
		return blameAuthor(explained, findOwners(this.fields, this.parameters));
	}

	omitModelNothing(name: string, json: JsonObject): JsonObject {
		return isFromModel(this.parameters[name]) ? omitNothing(json) : json;
	}
}

/** n8n recognizes an expression by its first character; one without text is an empty field. */
const isExpression = (raw: unknown): raw is string =>
	typeof raw === 'string' && /^=\s*\S/.test(raw);

const hasExpression = (raw: unknown): boolean =>
	typeof raw === 'string'
		? raw.startsWith('=')
		: typeof raw === 'object' && raw !== null && Object.values(raw).some(hasExpression);

const listExpressions = (raw: unknown): string[] =>
	typeof raw === 'string'
		? raw.startsWith('=')
			? [raw]
			: []
		: Object.values(raw ?? {}).flatMap(listExpressions);

/**
 * n8n merges what a model says into the item of a tool that an agent asks it to run, and its own
 * agents, which run in the mode `internal`, give the tool nothing else.
 */
export const isRequestedTool = (caller: IExecuteFunctions): boolean =>
	isTool(caller.getNode()) &&
	(caller.getMode() === 'internal' || caller.getInputData()[0]?.json.toolCallId !== undefined);

export const createInputError = (label: string): ValidationError =>
	new ValidationError(
		`'${label}' reads the input item, in which the model can replace any value`,
		undefined,
		{
			forAuthor:
				"Take the value from the node that it comes from, such as {{ $('Chat Trigger').item.json.site }}, or let the model fill in fields with $fromAI.",
		},
	);

/** The rest of an expression is text. */
const CODE = /\{\{(.*?)(?:(?<!\\)\}\}|$)/gs;
const QUOTED = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/gs;
/** Next to one of these, a quotation mark may be something else, or what it quotes may be code. */
const IS_UNCLEAR = /[/`]|evaluateExpression/;
const READS_INPUT = /\$(binary|data|evaluateExpression|input|item|items|json|thisItem|tool)\b/;
/** n8n writes a field that a language model fills in as a call to `$fromAI`. */
const FROM_AI = /\$fromAI\b/i;

const hasCode = (expression: string, pattern: RegExp): boolean =>
	[...expression.matchAll(CODE)].some(([, code]) =>
		pattern.test(IS_UNCLEAR.test(code) ? code : code.replace(QUOTED, omitText)),
	);

/** A word may be the name of a member. */
const omitText = (quoted: string): string => (/^.\w+.$/.test(quoted) ? quoted : '""');

/** Members of a node that hold what it returned. */
const OUTPUTS =
	'all|binary|branchIndex|context|data|first|isExecuted|item|itemMatching|json|last|pairedItem|runIndex';
const READS_OUTPUT = String.raw`\s*(?:\?\.)?(?:\.?(?:${OUTPUTS})\b|\[["'](?:${OUTPUTS})["']\])`;

/**
 * Expressions can read what a model says for a field from the parameters of the node, too. Code can
 * calculate the name of a member, so a node whose output is not read counts as well.
 */
const READS_FIELDS = new RegExp(
	[
		String.raw`\$(?:evaluateExpression|fromAI|parameter|rawParameter|tool)\b`,
		String.raw`\.(?:params|parameter)\b`,
		String.raw`\$item\b(?!\([^()]*\)\??\.\$)`,
		String.raw`\$node\b(?!(?:\??\.\w+|(?:\?\.)?\[[^[\]]*\])${READS_OUTPUT})`,
		String.raw`\$\((?!(?:"[^"]*"|'[^']*'|[^()]*)\)${READS_OUTPUT})`,
		String.raw`\b(?:this|globalThis|global|window)\s*(?:\?\.)?\[`,
		// Letters of a name may be written as codes.
		String.raw`\\u`,
	].join('|'),
	'i',
);

const saysModel = (expression: string): boolean => hasCode(expression, READS_FIELDS);

const readsInput = (expression: string): boolean => hasCode(expression, READS_INPUT);

const isFromModel = (raw: unknown): boolean => isExpression(raw) && hasCode(raw, FROM_AI);

/** Throws if an expression gives an object or nothing. */
function evaluatePlain(raw: unknown, evaluate: (expression: string) => unknown): unknown {
	if (typeof raw === 'string' && raw.startsWith('=')) {
		const value = evaluate(raw.slice(1));
		if (typeof value !== 'object' && !isBlank(value)) return value;
		throw new TypeError('Not a plain value');
	}
	if (!hasExpression(raw)) return raw;
	if (Array.isArray(raw)) return raw.map((one) => evaluatePlain(one, evaluate));
	return mapMembers(raw as JsonObject, (_, one) => evaluatePlain(one, evaluate));
}

/** A model reads nothing but the message, in which n8n does not name the field. */
function nameField(caller: IExecuteFunctions, label: string, failure: Error): never {
	if (!isTool(caller.getNode())) throw failure;
	const reason = quoteText(failure.message, MAX_REASON_LENGTH);
	throw new ValidationError(`'${label}' cannot be calculated: ${reason}`);
}

const getTitle = (fields: readonly INodeProperties[], name: string): string =>
	fields.find((field) => field.name === name)?.displayName ?? name;

/** The form does not offer to leave these fields to a model, but the JSON of a workflow may. */
function refuseModel(
	fields: readonly INodeProperties[],
	parameters: INodeParameters,
	forModels: readonly INodeProperties[],
): ValidationError | undefined {
	const others = Object.keys(parameters).filter(
		(name) => !forModels.some((field) => field.name === name),
	);
	const name = others.find((one) => listExpressions(parameters[one]).some(saysModel));
	if (name === undefined) return undefined;
	const own = fields.filter((field) => field.name === name);
	const { model } = findOwners(own, parameters);
	const [label = getTitle(fields, name)] = [...model.fields, ...model.groups];
	return new ValidationError(
		`'${label}' is left to the model, but only the author of the tool may choose it`,
		ONLY_FOR_AUTHOR,
	);
}

interface Labels {
	fields: readonly string[];
	/** Collections of fields. */
	groups: readonly string[];
}

/** Labels by who has filled in the fields. Both may have filled in parts of one group. */
export interface FieldOwners {
	author: Labels;
	model: Labels;
}

export const listInside = (fields: readonly INodeProperties[]): INodeProperties[] =>
	fields.flatMap((field) => [field, ...listInside(listInnerFields(field))]);

export function splitLabels(all: readonly INodeProperties[]): Labels {
	const listLabels = (isGroup: boolean) =>
		all
			.filter((field) => listInnerFields(field).length > 0 === isGroup)
			.map(({ displayName }) => displayName);
	return { fields: listLabels(false), groups: listLabels(true) };
}

function findOwners(fields: readonly INodeProperties[], parameters: INodeParameters): FieldOwners {
	const left = fields.filter(({ name }) => listExpressions(parameters[name]).some(isFromModel));
	const inside = left
		.flatMap((field) => [...walkExpressions(field, parameters[field.name])])
		.filter(({ input }) => isFromModel(input));
	// Columns are also named by the field that has them.
	const model = splitLabels(left);
	const columns = fields.flatMap((field) => listColumns(field, parameters[field.name]));
	return {
		author: splitLabels([...listInside(fields), ...columns]),
		model: { ...model, fields: [...model.fields, ...inside.map(({ label }) => label)] },
	};
}

/** The columns that the author chose for a field are known only from its value. */
const listColumns = ({ type }: INodeProperties, raw: unknown): INodeProperties[] =>
	type === 'resourceMapper' && isObject(raw)
		? toRows(raw.schema).map(({ id, displayName }) => ({
				...{ name: String(id), displayName: toLabel(displayName), required: true },
				...{ type: 'string', default: '' },
			}))
		: [];

/** Quotation marks enclose a value, in which a label may stand as well. */
const VALUE = /"(?:\\.|[^"\\])*"/g;
const LABEL = /'([^']+)'/g;

/** A model cannot correct a field that the author has filled in, and must not be told to. */
function blameAuthor(failure: ValidationError, { author, model }: FieldOwners): ValidationError {
	const labels = [...failure.message.replace(VALUE, '').matchAll(LABEL)];
	const parts = labels.flatMap(([, label]) => label.split(' > '));
	const isNamed = (known: readonly string[]) => parts.some((part) => known.includes(part));
	const isOfAuthor =
		!isNamed(model.fields) &&
		(isNamed(author.fields) || (isNamed(author.groups) && !isNamed(model.groups)));
	return isOfAuthor ? new ValidationError(failure.message, ONLY_FOR_AUTHOR) : failure;
}

const GIVES_NOTHING = 'its expression gives nothing';

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
	if (CHECKED_ELSEWHERE.includes(name) || holdsColumns(parameters, name)) return;
	for (const { label, place, isRequired } of listEmptyFields(fields, parameters, name, value)) {
		if (isRequired) continue;
		throw new ValidationError(`'${label}' is empty${place}: ${GIVES_NOTHING}`, undefined, {
			forAuthor: 'Correct the expression, or clear the field.',
		});
	}
}

/** Adds to an error about empty fields that their expressions give nothing. */
export function explainEmptyFields(
	failure: ValidationError,
	fields: readonly INodeProperties[],
	parameters: INodeParameters,
	read: (name: string) => unknown,
): ValidationError {
	const empty = failure.emptyFields.map((label) => label.split(' > ').at(-1));
	const hasLabel = ({ label }: Expression) => empty.includes(label);
	// No other parameter is read, because its expression may fail.
	const names = [...new Set(fields.map(({ name }) => name))].filter((name) =>
		listEmptyFields(fields, parameters, name).some(hasLabel),
	);
	const found = names
		.flatMap((name) => listEmptyFields(fields, parameters, name, read(name)))
		.map(({ label }) => label);
	if (empty.length === 0 || !empty.every((label) => found.includes(label ?? ''))) return failure;
	const [what, how] =
		empty.length === 1
			? [GIVES_NOTHING, 'expression is right, check the data that it reads']
			: ['their expressions give nothing', 'expressions are right, check the data that they read'];
	return new ValidationError(`${failure.message}: ${what}`, failure.advice, {
		forAuthor: [failure.forAuthor, `If the ${how}.`].filter(Boolean).join(' '),
	});
}

/** The form of *Create or Update* for work orders has these fields in place of columns. */
const COLUMNS: readonly string[] = ['additionalFields', 'contact', 'priority'];

const holdsColumns = ({ operation }: INodeParameters, name: string): boolean =>
	operation === 'upsert' && COLUMNS.includes(name);

/** An empty text clears a text, and any other field without a value changes nothing, as in a column. */
function omitEmptyColumns(
	fields: readonly INodeProperties[],
	parameters: INodeParameters,
	name: string,
	value: unknown,
): unknown {
	if (!holdsColumns(parameters, name) || !isObject(value) || isLocator(value)) return value;
	const columns = fields.filter((one) => one.name === name).flatMap(listInnerFields);
	const texts = columns.filter(({ type }) => type === 'string').map((one) => one.name);
	return filterMembers(value, (column, input) => {
		const one = unwrapLocator(input);
		return one === '' ? texts.includes(column) : one !== undefined && one !== null;
	});
}

interface Expression {
	label: string;
	/** Row of the field, if it is in one of several. */
	place: string;
	/** Required fields and columns are checked where they are read. */
	isRequired: boolean;
	input: string;
	isEmpty: boolean;
}

/** An object without members is an empty value of all other fields. */
const HOLDING_OBJECTS: readonly string[] = [
	'collection',
	'fixedCollection',
	'json',
	'resourceMapper',
];

/** Lists the fields of a parameter whose expressions give nothing, or may do so without a value. */
function listEmptyFields(
	fields: readonly INodeProperties[],
	parameters: INodeParameters,
	name: string,
	value?: unknown,
): Expression[] {
	const raw = parameters[name];
	if (!hasExpression(raw)) return [];
	return fields
		.filter((one) => one.name === name)
		.flatMap((field) => {
			const empty = [...walkExpressions(field, raw, value)].filter(
				(one) => one.isEmpty && !isFromModel(one.input),
			);
			// n8n takes long to tell whether a field is shown, so it is asked last.
			const isShown = () => NodeHelpers.displayParameter(parameters, field, null, null);
			return empty.length > 0 && isShown() ? empty : [];
		});
}

function* walkExpressions(
	field: INodeProperties,
	raw: unknown,
	value?: unknown,
	place = '',
): Generator<Expression> {
	if (field.type === 'resourceMapper' && isObject(raw) && isObject(raw.value)) {
		const options = listColumns(field, raw);
		const mapped = { ...field, type: 'collection' as const, options };
		return yield* walkExpressions(mapped, raw.value, isObject(value) ? value.value : undefined);
	}
	const [input, result] = [raw, value].map(unwrapLocator);
	if (isExpression(input)) {
		const isNone = HOLDING_OBJECTS.includes(field.type) ? isBlank : isEmpty;
		const { displayName: label, required } = field;
		yield { label, place, isRequired: required === true, input, isEmpty: isNone(result) };
	}
	const results = toRowList(result);
	for (const [index, row] of toRowList(input).entries()) {
		const inside = Array.isArray(input) ? describeRow(field, index, results[index]) : '';
		for (const inner of listInnerFields(field)) {
			if (!(inner.name in row)) continue;
			yield* walkExpressions(inner, row[inner.name], results[index]?.[inner.name], inside || place);
		}
	}
}

/** Returns, for example: in Condition 2 (StatusId) */
function describeRow({ displayName }: INodeProperties, index: number, row?: JsonObject): string {
	const property = unwrapLocator(row?.property);
	return ` in ${displayName} ${index + 1}${isBlank(property) ? '' : ` (${quoteUnlessPlain(String(property))})`}`;
}

const CHECKED_ELSEWHERE: readonly string[] = ['fields', 'filters', 'options'];

const toRowList = (value: unknown): JsonObject[] =>
	Array.isArray(value) ? value.filter(isObject) : isObject(value) ? [value] : [];

/** A group of a fixed collection holds its fields as a collection does. */
export const listInnerFields = ({ options = [], ...group }: INodeProperties): INodeProperties[] =>
	(('values' in group ? group.values : options) as INodeProperties[]).filter(
		(one) => 'displayName' in one,
	);

/** n8n makes a model fill in every field, so these values mean that it left one empty. */
const isNothing = (value: unknown): boolean =>
	isEmpty(value) ||
	(Array.isArray(value) && value.length === 0) ||
	(typeof value === 'string' && /^\s*(null|undefined|\{\s*\}|\[\s*\])\s*$/i.test(value));

/** A model cannot clear a member of a record either. */
export const omitNothing = (members: JsonObject): JsonObject => {
	const omitInside = (value: unknown): unknown =>
		Array.isArray(value) ? value.map(omitInside) : isObject(value) ? omitNothing(value) : value;
	const inner = mapMembers(members, (_, one) => omitInside(one));
	return filterMembers(inner, (_, one) => !isNothing(one));
};

/** Fields in these collections are optional, so a model may add a field and leave it empty. */
const FILTERS = 'filters';
const ADDED: readonly string[] = ['additionalFields', FILTERS];

/**
 * Empty answers of a model become `null`, however they are worded, and optional fields with such an
 * answer are left out, as are rows of filters. Values that a person typed stay as they are.
 */
function normalizeModelInput(field: string, raw: unknown, value: unknown): unknown {
	if (isFromModel(raw)) return isNothing(value) ? null : value;
	if (Array.isArray(raw) && Array.isArray(value)) {
		return value.map((one, index) => normalizeModelInput('', raw[index], one));
	}
	if (!isObject(raw) || !isObject(value)) return value;
	if (isLocator(raw) && isLocator(value) && isIdByName(raw, value)) return { ...value, mode: 'id' };
	const members = mapMembers(value, (name, one) => {
		const normalized = normalizeModelInput('', raw[name], one);
		return field === FILTERS ? omitUnansweredRows(raw[name], normalized) : normalized;
	});
	return filterMembers(members, (name, one) => {
		const isLeftOut =
			(isFromModel(unwrapLocator(raw[name])) && isEmpty(one)) ||
			(isNothing(one) && !isNothing(value[name]));
		// A write that depends on a condition must not run without it.
		return !ADDED.includes(field) || name.startsWith('expected') || !isLeftOut;
	});
}

/** A group has one row or several, and is empty if none of them was answered. */
function omitUnansweredRows(raw: unknown, group: unknown): unknown {
	if (!isObject(raw) || !isObject(group) || isLocator(raw)) return group;
	const rows = mapMembers(group, (name, one) => {
		const rawRows = raw[name];
		if (!Array.isArray(rawRows) || !Array.isArray(one))
			return isAnswered(rawRows, one) ? one : null;
		return one.filter((row, index) => isAnswered(rawRows[index], row));
	});
	return filterMembers(rows, (_, one) => !isNothing(one));
}

/** A model does not see the mode of the field: the digits that it enters are the ID of a record. */
const isIdByName = (raw: LocatorValue, { mode, value }: LocatorValue): boolean =>
	mode === 'name' && isFromModel(raw.value) && /^\s*\d+\s*$/.test(String(value));

/** A row that was answered in part stays, so that the rest is asked for. */
function isAnswered(raw: unknown, row: unknown): boolean {
	if (!isObject(raw) || !isObject(row)) return true;
	const asked = Object.keys(raw).filter((name) => isFromModel(raw[name]));
	return asked.length === 0 || asked.some((name) => !isEmpty(row[name]));
}
