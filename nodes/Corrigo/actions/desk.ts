import type { IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import {
	buildField,
	conditionsField,
	criteriaField,
	fieldsModeField,
	hasMode,
	sortByName,
} from '../form/fields';
import { filtersField, narrowedField, narrowingField } from '../form/filters';
import { Form, getChoiceWord, isEmpty, parseInput } from '../form/form';
import { listOwnFields } from '../form/mergeForms';
import {
	CalledForm,
	type FieldOwners,
	listInnerFields,
	listInside,
	NodeForm,
	omitNothing,
	type RunForm,
	splitLabels,
} from '../form/nodeForm';
import { buildOptions, isForPeople, optionsField } from '../form/options';
import {
	addControls,
	addDefaults,
	findField,
	listVariants,
	requireDefault,
	requireOneMeaning,
} from '../form/showing';
import { narrowField } from '../operations/subject';
import { toItem } from '../run/context';
import type { Operation } from '../run/operation';
import { isBlank } from '../values/input';
import { createEmptyError, ValidationError, fail, quote } from '../values/errors';
import { parseJsonObject } from '../values/json';
import {
	type JsonObject,
	filterMembers,
	isObject,
	mapMembers,
	stableStringify,
} from '../values/objects';
import { resources } from './resources';

/** All operations by the names that a model gives, such as workOrder:getMany. */
const operations = new Map(
	resources.flatMap(({ value: resource, name: title, operations: list }) =>
		list.map((operation) => [
			`${resource}:${operation.value}`,
			{ resource, title: `${title}: ${operation.name}`, operation: operation as Operation },
		]),
	),
);

const listChoices = (reads: boolean): INodePropertyOptions[] =>
	sortByName(
		[...operations]
			.filter(([, { operation }]) => Boolean(operation.reads) === reads)
			.map(([value, { title, operation }]) => ({
				name: title,
				value,
				description: operation.action,
			})),
	);

const readsField = buildField('reads', 'multiOptions', 'What the model may read', {
	displayName: 'Operations That Read',
	options: listChoices(true),
	default: ['customer:getMany', 'workOrder:getDetails', 'workOrder:getMany'],
});

const writesField = buildField('writes', 'multiOptions', 'What the model may write', {
	displayName: 'Operations That Write',
	options: listChoices(false),
});

const operationField = buildField(
	'call',
	'string',
	'Operation that the model calls. Keep the expression.',
	{
		displayName: 'Operation',
		default:
			"={{ $fromAI('operation', 'Name of an operation. Say describe to list the operations, and describe with a name, such as describe workOrder:getMany, to see the fields of one', 'string') }}",
	},
);

/** A text, because n8n refuses an empty object of a model. */
const fieldsField = buildField(
	'fields',
	'json',
	'Fields that the model fills in. Keep the expression.',
	{
		displayName: 'Fields (JSON)',
		default:
			"={{ $fromAI('fields', 'JSON object with the fields of the operation by their names, as it describes them', 'string') }}",
	},
);

const fixedField = buildField(
	'fixed',
	'json',
	'Fields that the model cannot change, by operation, such as the status that an order must have: <code>{ "workOrder:complete": { "additionalFields": { "expectedStatus": "Open" } } }</code>',
	{ displayName: 'Fixed Fields (JSON)' },
);

const ownOptions = buildOptions(['dryRun']);

export const deskProperties: INodeProperties[] = [
	readsField,
	writesField,
	operationField,
	fieldsField,
	fixedField,
	ownOptions,
];

const getInnerFields = (field: INodeProperties): INodeProperties[] =>
	field.type === 'fixedCollection'
		? listInnerFields(field).flatMap(listInnerFields)
		: listInnerFields(field);

/** Models know records by their names, and say the rest in JSON: columns are for people. */
const listFields = (operation: Operation): INodeProperties[] =>
	listOwnFields(operation).filter(
		(field) => !isForPeople(field) && field !== narrowField && field.type !== 'resourceMapper',
	);

function describeField(field: INodeProperties): unknown {
	const { type, displayName, description = '', required, displayOptions, options = [] } = field;
	const inner = getInnerFields(field);
	if (inner.length > 0) {
		const fields = describeFields(inner);
		return type === 'fixedCollection' ? [fields] : fields;
	}
	const choices = (options as INodePropertyOptions[]).map(getChoiceWord);
	const parts = [
		...[displayName, required && 'required', describeType(field)],
		choices.length > 0 && `one of ${choices.join(', ')}`,
		displayOptions?.show && `only with ${JSON.stringify(displayOptions.show)}`,
		/<a /.test(description) ? '' : description,
	];
	return parts.filter(Boolean).join('; ');
}

const describeType = (field: INodeProperties): string => {
	if (field.type !== 'resourceLocator') return field.type;
	return hasMode(field, 'number')
		? 'number with its letters, or ID as a JSON number'
		: 'name or ID';
};

/** Fields that share a name are described in one text. */
const describeFields = (fields: readonly INodeProperties[]): JsonObject =>
	Object.fromEntries(
		listNames(fields).map((name) => {
			const described = listVariants(fields, name).map(describeField);
			return [name, described.length > 1 ? described.join(' OR ') : described[0]];
		}),
	);

const listNames = (fields: readonly INodeProperties[]): string[] => [
	...new Set(fields.map(({ name }) => name)),
];

/** Fills in fields with what a model or the author of the workflow says for them by their names. */
function fillForm(
	fields: readonly INodeProperties[],
	given: JsonObject,
	path = '',
	fixed: JsonObject = {},
): JsonObject {
	const form = addDefaults(fields, { ...readChoices(fields, given, path), ...fixed });
	return mapMembers(given, (name, value) => {
		const field = findField(fields, name, form);
		if (field !== undefined) return fillField(field, value, path + field.displayName);
		throw new ValidationError(
			`${quote(path + name)} is not a field of this operation`,
			`The fields are: ${listNames(fields).join(', ')}.`,
		);
	});
}

/** Reads what decides which of several fields of one name is meant. */
const readChoices = (
	fields: readonly INodeProperties[],
	given: JsonObject,
	path: string,
): JsonObject =>
	Object.fromEntries(
		fields
			.filter(({ name, type }) => type === 'options' && name in given)
			.map((field) => [field.name, parseInput(field, given[field.name], path + field.displayName)]),
	);

function fillField(field: INodeProperties, value: unknown, label: string): unknown {
	const inner = getInnerFields(field);
	const path = `${label} > `;
	const fillGroup = (group: unknown) =>
		addControls(inner, fillForm(inner, requireGroup(field, group), path), path, requireDefault);
	const fillRow = (row: unknown) => requireParts(inner, fillGroup(row), path);
	switch (field.type) {
		case 'collection':
			return fillGroup(value);
		case 'fixedCollection': {
			const [group] = field.options ?? [];
			const filled = listRows(field, value).map(fillRow);
			if (field.typeOptions?.multipleValues) return { [group.name]: filled };
			return filled.length > 1 ? fail(label, value, 'a single row') : { [group.name]: filled[0] };
		}
		case 'resourceLocator':
			return isObject(value) ? readLocator(field, value, label) : locate(field, value, label);
		default:
			return parseInput(field, value, label);
	}
}

/** Rows may have their group around them, as in the form of a node. */
function listRows({ type, options = [] }: INodeProperties, value: unknown): unknown[] {
	const isGrouped = type === 'fixedCollection' && isObject(value) && options[0].name in value;
	return [isGrouped ? value[options[0].name] : value].flat();
}

/** Lists the fields that somebody has filled in, and those in them. */
const listFilled = (fields: readonly INodeProperties[], given: JsonObject): INodeProperties[] =>
	fields
		.filter(({ name }) => name in given)
		.flatMap((field) => {
			const inner = getInnerFields(field);
			const rows = inner.length > 0 ? listRows(field, given[field.name]).filter(isObject) : [];
			return [field, ...rows.flatMap((row) => listFilled(inner, row))];
		});

const findOwners = (
	fields: readonly INodeProperties[],
	said: JsonObject,
	fixed: JsonObject,
): FieldOwners => ({
	author: splitLabels([...listInside([ownOptions]), ...listFilled(fields, fixed)]),
	model: splitLabels(listFilled(fields, said)),
});

/** A record as an output shows it has an Id; without one, it would count as an empty field. */
function readLocator(field: INodeProperties, { mode, value, Id }: JsonObject, label: string) {
	if (hasMode(field, mode)) return { mode, value };
	if (mode === undefined && !isBlank(Id) && hasMode(field, 'id')) return { mode: 'id', value: Id };
	const modes = (field.modes ?? []).map(({ name }) => name);
	return fail(`${label} > mode`, mode, `one of ${modes.join(', ')}`);
}

/** The digits of an ID may also be those of a number, which then is that of another work order. */
function locate(field: INodeProperties, value: unknown, label: string): unknown {
	if (!hasMode(field, 'number')) return value;
	if (typeof value === 'number') return { mode: 'id', value };
	if (!/^\s*\d+\s*$/.test(String(value))) return { mode: 'number', value };
	throw new ValidationError(
		`'${label}' is ${quote(value)}, which may be an ID or a number`,
		'Give an ID as { "mode": "id", "value": … }, and a number as { "mode": "number", "value": … }.',
	);
}

/** A form without the fields of a group would reach more records, or others, than are meant. */
function requireGroup({ displayName, name }: INodeProperties, value: unknown): JsonObject {
	return isObject(value) ? value : fail(displayName, value, `an object, as describe shows ${name}`);
}

/** A row without a part that it needs would be refused in each call, whatever the other fields are. */
function requireParts(
	fields: readonly INodeProperties[],
	row: JsonObject,
	path: string,
): JsonObject {
	const missing = fields.find(
		({ name, required, default: initial }) => required === true && isEmpty(row[name] ?? initial),
	);
	if (missing === undefined) return row;
	throw createEmptyError(path + missing.displayName);
}

/** Returns the fixed fields of an operation with those that show them. */
export function completeFixed(operation: Operation, given: JsonObject): JsonObject {
	const fields = listFields(operation);
	const fixed = addControls(fields, fillForm(fields, given), '', requireOneMeaning);
	for (const { deciding, held } of listDeciding(listGiven(fields, fixed))) {
		if (!fields.some(({ name, required }) => name === deciding && required === true)) continue;
		throw new ValidationError(
			`'${held}' means something else with each value of '${deciding}'`,
			`Fix '${deciding}', too.`,
		);
	}
	return fixed;
}

const ANY_FIELD = '*';

/** A field of the first list decides what the fields of the second one mean, also in other groups. */
const DECIDING: ReadonlyArray<readonly [deciding: readonly string[], decided: readonly string[]]> =
	[
		...[
			['amount', 'quantity', 'rate', 'duration'],
			['contact', 'contactName', 'contactAddress'],
			['computeSchedule', 'acknowledgeBy', 'due', 'onSiteBy', 'scheduledStart'],
		].map((exclusive) => [exclusive, exclusive] as const),
		[['currency'], ['amount', 'lines']],
		[['commandName'], ['commandBody']],
		[['date'], ['when', 'time', 'until', 'days']],
		[['when'], ['time', 'until', 'days']],
		[['match'], ['conditions']],
		[['matchOn'], ['fieldsJson']],
		[['mode'], ['assignees']],
		[['customer', 'postalCode', 'specialty', 'workZone'], ['workOrder']],
		[
			['entity'],
			[
				'before',
				'conditions',
				'criteriaJson',
				'fieldsJson',
				'groupBy',
				'id',
				'matchOn',
				'properties',
			],
		],
		[['entity'], ['sort']],
		// This JSON may hold another value of any field.
		[['otherProperties'], [ANY_FIELD]],
	];

const listGiven = (fields: readonly INodeProperties[], given: JsonObject): string[] =>
	Object.entries(given).flatMap(([name, one]) => {
		const isGroup = fields.some((field) => field.name === name && field.type === 'collection');
		return isGroup && isObject(one) ? [name, ...Object.keys(one)] : [name];
	});

function refuseDeciding(
	fields: readonly INodeProperties[],
	said: JsonObject,
	fixed: JsonObject,
): void {
	const [own, others] = [fixed, said].map((given) => listGiven(fields, given));
	const deciding = listDeciding(own).find((one) => others.includes(one.deciding))?.deciding;
	if (deciding === undefined) return;
	throw new ValidationError(
		`'${deciding}' would change what a fixed field means`,
		`Leave out '${deciding}'.`,
	);
}

/** Lists the fields that are not fixed and decide what a fixed one means. */
const listDeciding = (own: readonly string[]) =>
	DECIDING.flatMap(([deciding, decided]) => {
		const held = own.find((name) => decided.includes(name) || decided.includes(ANY_FIELD));
		return held === undefined
			? []
			: deciding.filter((name) => !own.includes(name)).map((name) => ({ deciding: name, held }));
	});

/**
 * A field or group that is fixed is the author's as a whole: its other members could change what it
 * means. What a model says for it would be lost without a word, unless it says the same.
 */
function refuseFixed(
	fields: readonly INodeProperties[],
	said: JsonObject,
	fixed: JsonObject,
	path = '',
): void {
	for (const field of fields) {
		const { name, type, displayName } = field;
		if (!(name in said) || field.name === filtersField.name) continue;
		const [own, other] = [said[name], fixed[name]];
		const label = path + displayName;
		if (type === 'collection' && isObject(own) && isObject(other)) {
			refuseFixed(getInnerFields(field), own, other, `${label} > `);
		} else if ((path || name in fixed) && stableStringify(own) !== stableStringify(other)) {
			throw new ValidationError(
				`'${label}' has no effect next to a fixed field`,
				`Leave out '${label}'.`,
			);
		}
	}
}

/** Filters and conditions of a model only make a search narrower of which a part is fixed. */
function fix(said: JsonObject, fixed: JsonObject): JsonObject {
	if (Object.keys(fixed).length === 0) return said;
	const { [filtersField.name]: filters, ...others } = said;
	const isOfModel = [conditionsField, criteriaField].some(
		({ name }) => name in said && !(name in fixed),
	);
	return {
		...others,
		...(filters !== undefined && { [filtersField.name]: {}, [narrowingField.name]: filters }),
		...(isOfModel && { [narrowedField.name]: true }),
		...fixed,
	};
}

const BY_JSON = { [fieldsModeField.name]: 'json' };

/** Fills in the form of an operation with what a model says, in which every field takes effect. */
export function fillOperation(
	operation: Operation,
	said: JsonObject,
	fixed: JsonObject,
): JsonObject {
	const fields = listFields(operation);
	const filled = omitNothing(fillForm(fields, omitNothing(said), '', fixed));
	refuseDeciding(fields, filled, fixed);
	refuseFixed(fields, filled, fixed);
	const shown = addControls(fields, fix(filled, fixed), '', requireDefault, fixed);
	return addDefaults(fields, { ...BY_JSON, ...shown });
}

const isLeftToModel = (fixed: JsonObject, field: INodeProperties): boolean =>
	!(field.name in fixed) || field.name === filtersField.name;

interface Call {
	operation: Operation;
	form: RunForm;
}

const answer = (form: RunForm, build: () => Promise<JsonObject[]>): Call => ({
	form,
	operation: {
		...{
			value: 'describe',
			action: 'Describe operations',
			description: '',
			fields: [],
			output: undefined,
		},
		reads: true,
		each: async () => (await build()).map(toItem),
	},
});

function requireAllowed(label: string, name: string, allowed: readonly string[]) {
	const found = allowed.includes(name) ? operations.get(name) : undefined;
	if (found !== undefined) return found;
	throw new ValidationError(
		`'${label}' has ${quote(name)}, which is not allowed here`,
		`Allowed are: ${allowed.join(', ')}.`,
	);
}

/** The author alone can correct what is wrong with fixed fields, whatever the model calls. */
function blameFixed(label: string, failure: unknown): never {
	if (!(failure instanceof ValidationError)) throw failure;
	const { message, advice = `Correct '${fixedField.displayName}'.` } = failure;
	throw new ValidationError(`'${label}' cannot take effect: ${message}`, undefined, {
		forAuthor: advice,
	});
}

function readFixed(form: Form, allowed: readonly string[]): ReadonlyMap<string, JsonObject> {
	const title = fixedField.displayName;
	const given = Object.entries(form.readOptional(fixedField) ?? {});
	return new Map(
		given.map(([name, value]) => {
			const { operation } = requireAllowed(title, name, allowed);
			const label = `${title} > ${name}`;
			const fields = parseJsonObject(label, value);
			try {
				return [name, completeFixed(operation, fields)];
			} catch (failure) {
				return blameFixed(label, failure);
			}
		}),
	);
}

function readCall(tool: IExecuteFunctions, ownForm: RunForm): Call {
	if (tool.getInputData().length > 1) {
		throw new ValidationError('The node makes one call at a time, but several items come in');
	}
	const form = new Form(ownForm.createReader(0));
	const allowed = [...form.read(readsField), ...form.read(writesField)].map(String);
	const [first, name = first] = String(form.readOptional(operationField) ?? 'describe')
		.trim()
		.split(/\s+/);
	const fixedByOperation = readFixed(form, allowed);
	if (name.toLowerCase() === 'describe') {
		return answer(ownForm, async () =>
			allowed.map((one) => ({ operation: one, does: operations.get(one)?.operation.action })),
		);
	}
	const { operation } = requireAllowed(operationField.displayName, name, allowed);
	const fixed = fixedByOperation.get(name) ?? {};
	const all = listFields(operation);
	if (first !== name) {
		const deciding = listDeciding(listGiven(all, fixed)).map((one) => one.deciding);
		const fields = all.filter((one) => isLeftToModel(fixed, one) && !deciding.includes(one.name));
		return answer(ownForm, async () => [{ operation: name, ...describeFields(fields) }]);
	}
	const said = form.readOptional(fieldsField) ?? {};
	const options = { compactOutput: true, ...(form.read(ownOptions) as JsonObject) };
	const known = operation.fields.filter((one) => one.name === optionsField.name);
	const names = known.flatMap(getInnerFields).map((one) => one.name);
	return {
		operation,
		form: new CalledForm(
			{
				...fillOperation(operation, said, fixed),
				options: filterMembers(options, (option) => names.includes(option)),
			},
			findOwners(all, said, fixed),
		),
	};
}

/** Reads what a model calls; what it says wrong becomes the failure of an operation. */
export function chooseOperation(tool: IExecuteFunctions): Call {
	const form = new NodeForm(tool, deskProperties, [operationField, fieldsField]);
	try {
		return readCall(tool, form);
	} catch (failure) {
		return answer(form, async () => await Promise.reject(failure as Error));
	}
}
