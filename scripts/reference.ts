/**
 * The reference of operations: a page for each resource, with a section for each operation that is
 * generated from its form and its request, and shows an item. Fields that all operations of a common
 * name have are described once.
 */
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { resources } from '../nodes/Corrigo/actions/resources';
import { listOwnFields } from '../nodes/Corrigo/form/mergeForms';
import { getPage, readSamples, type Samples } from './operationSamples';

export type ListedResource = (typeof resources)[number];
export type ListedOperation = ListedResource['operations'][number];
type Option = NonNullable<INodeProperties['options']>[number];

const isField = (option: Option): option is INodeProperties => 'type' in option;
const isGroup = (option: Option): option is INodePropertyCollection => 'values' in option;
const isChoice = (option: Option): option is INodePropertyOptions => 'value' in option;

/** n8n wants links in descriptions as HTML, and documents want them in Markdown, addresses as code. */
export const toMarkdown = (text: string) =>
	text.replace(/<a href="(.+?)".*?>(.+?)<\/a>/g, '[$2]($1)').replace(/[\w.]+@[\w.]+\w/g, '`$&`');

/** The name by which GitHub links to a heading. */
const toAnchor = (heading: string) =>
	heading
		.toLowerCase()
		.replace(/[^\w -]/g, '')
		.replace(/ /g, '-');

/** The page with all that resources share, seen from the page of one. */
const OVERVIEW = '../operations.md';

/** Links from the overview to the section of an operation. */
export const buildLink = (text: string, resource: ListedResource, { name }: ListedOperation) =>
	`[${text}](${getPage(resource).replace('docs/', '')}#${toAnchor(name)})`;

const describeRequests = ({ command, address }: ListedOperation) =>
	command ?? address ?? 'several requests';

/** What these do, and how, is the same for every resource; some resources have another way. */
export const COMMON_OPERATIONS: Readonly<Record<string, string>> = {
	Create: 'POST /base',
	'Create or Update': 'POST or PUT /base',
	Get: 'GET /base, or POST /query for several items',
	'Get Many': 'POST /query',
	Update: 'PUT /base',
	Delete: 'DELETE /base',
	Restore: 'RestoreCommand',
};

export const isCommon = (operation: ListedOperation) =>
	COMMON_OPERATIONS[operation.name] === describeRequests(operation);

const getChoices = ({ options = [] }: INodeProperties) => options.filter(isChoice);

/** Longer lists of choices are in the form alone. */
const MAX_CHOICES = 8;

function listChoices(field: INodeProperties): INodePropertyOptions[] {
	const choices = getChoices(field);
	return choices.length <= MAX_CHOICES ? choices : [];
}

function describeDefault(field: INodeProperties): string {
	const { type, default: initial } = field;
	if (type === 'boolean') return initial ? 'on' : 'off';
	if (type === 'number') return String(initial);
	const chosen = getChoices(field).find(({ value }) => value === initial);
	if (chosen !== undefined) return `*${chosen.name}*`;
	return type === 'string' && initial !== '' ? `\`${String(initial)}\`` : '';
}

/** The result is, for example: A, B or C */
const listAlternatives = (labels: string[]): string =>
	labels.join(', ').replace(/, ([^,]*)$/, ' or $1');

/** The conditions under which the form shows a field, by the labels of the form. */
function describeConditions({ displayOptions = {} }: INodeProperties, form: INodeProperties[]) {
	const { show = {}, hide = {} } = displayOptions;
	const describe = (conditions: object) =>
		Object.entries(conditions).flatMap(([path, values]: [string, unknown[]]) => {
			const field = form.find(({ name }) => name === path.split(/[/.]/).at(-1));
			if (field === undefined) return [];
			const labels = values.flatMap((value) => {
				if (typeof value === 'boolean') return value ? 'on' : 'off';
				const choice = getChoices(field).find((one) => one.value === value);
				return choice === undefined ? [] : `*${choice.name}*`;
			});
			const state = labels.length > 0 ? listAlternatives(labels) : 'set';
			return `*${field.displayName}* is ${state}`;
		});
	// All conditions must hold to show a field, and one is enough to hide it.
	const [shown, hidden] = [describe(show).join(' and '), describe(hide).join(', or ')];
	return [shown && `if ${shown}`, hidden && `unless ${hidden}`].filter(Boolean).join(', ');
}

function innerFields({ options = [] }: INodeProperties): INodeProperties[] {
	return options.flatMap((option) => {
		if (isGroup(option)) return option.values;
		return isField(option) ? [option] : [];
	});
}

/** A form has a field twice if it is required under some conditions only. */
const isTwin = (one: INodeProperties, other: INodeProperties): boolean =>
	one.name === other.name && one.description === other.description && one !== other;

/** The required one of two twins says when it is. */
const describeAll = (fields: INodeProperties[], all: INodeProperties[], isOptional: boolean) =>
	fields
		.filter((field) => field.required || !fields.some((one) => one.required && isTwin(one, field)))
		.map((field) => describeField(field, all, isOptional));

/** An optional field that is not added has no value, whatever it begins with when it is. */
function describeField(
	field: INodeProperties,
	form: INodeProperties[],
	isOptional: boolean,
): string {
	const { displayName, description = '', required, type } = field;
	const initial = isOptional ? '' : describeDefault(field);
	const conditions = describeConditions(field, form);
	const hasTwin = form.some((one) => isTwin(one, field));
	const notes = [
		required ? (hasTwin ? `required ${conditions}` : 'required') : '',
		initial === '' ? '' : `default ${initial}`,
		hasTwin ? '' : conditions,
	].filter(Boolean);
	const listed = listChoices(field);
	const isDescribed = listed.some((choice) => choice.description);
	const texts = [
		toMarkdown(description),
		isDescribed ? '' : listed.map(({ name }) => `*${name}*`).join(', '),
	].filter(Boolean);
	const line = [
		`- **${displayName}**`,
		notes.length > 0 ? ` (${notes.join('; ')})` : '',
		texts.length > 0 ? `: ${texts.map(omitPeriod).join('. ')}` : '',
	].join('');
	const inner = innerFields(field);
	const below = isDescribed
		? listed.map((choice) => `- ${describeChoice(choice)}`)
		: describeAll(inner, inner, type === 'collection');
	return [line, ...below.map((one) => one.replace(/^/gm, '  '))].join('\n');
}

export const omitPeriod = (text: string) => text.replace(/\.$/, '');

const describeChoice = ({ name, description }: INodePropertyOptions): string =>
	description ? `*${name}*: ${omitPeriod(toMarkdown(description))}` : `*${name}*`;

/** The choices of a field in one line. */
export const describeChoices = (field: INodeProperties): string =>
	listChoices(field).map(describeChoice).join('; ');

/** The lines of a form, but for its options, which have a table of their own. */
function describeForm(operation: ListedOperation): string[] {
	const fields = listOwnFields(operation);
	const ofOptions = fields.filter(isOptions).flatMap(innerFields);
	const own = fields.filter((field) => field.type !== 'notice' && !isOptions(field));
	const shown = own.map((field) => (field.name === 'filters' ? withoutFilters(field) : field));
	return describeAll(shown, [...own, ...ofOptions], false);
}

const isOptions = ({ name, type }: INodeProperties) => name === 'options' && type === 'collection';

const withoutFilters = (field: INodeProperties): INodeProperties => ({
	...field,
	description: `${field.description}, see [filters](${OVERVIEW}#filters)`,
	options: [],
});

/** Options that are under *Advanced* for many operations are left out. */
const optionNames = ({ fields }: ListedOperation) =>
	fields
		.filter(isOptions)
		.flatMap(innerFields)
		.filter(({ name }) => name !== 'advanced')
		.map(({ displayName }) => `*${displayName}*`);

/** What the forms of all operations of a common name have. */
const commonLines = new Map(
	Object.keys(COMMON_OPERATIONS).map((name) => {
		const all = resources.flatMap(({ operations }) => operations);
		const [first, ...others] = all
			.filter((operation) => operation.name === name && isCommon(operation))
			.map(describeForm);
		return [name, first.filter((line) => others.every((lines) => lines.includes(line)))] as const;
	}),
);

/** From this many resources on, a field is too common to have its choices described on each page. */
const MANY_RESOURCES = 3;

const resourcesByField = new Map<string, Set<ListedResource>>();
for (const resource of resources) {
	for (const field of resource.operations.flatMap(describeForm)) {
		resourcesByField.set(field, (resourcesByField.get(field) ?? new Set()).add(resource));
	}
}

/** Names the choices of a common field without describing them. */
function shorten(field: string): string {
	if ((resourcesByField.get(field)?.size ?? 0) < MANY_RESOURCES) return field;
	const [line, ...choices] = field.split('\n');
	const names = choices.map((choice) => /^ +- (\*[^*]+\*)/.exec(choice)?.[1]);
	return names.length > 0 && names.every(Boolean) ? `${line}. ${names.join(', ')}` : field;
}

const buildHeading = (name: string) => `Every ${name}`;

function describeFields(operation: ListedOperation): string[] {
	const { name } = operation;
	const common = (isCommon(operation) && commonLines.get(name)) || [];
	const options = optionNames(operation);
	return [
		...describeForm(operation)
			.filter((field) => !common.includes(field))
			.map(shorten),
		...(common.length > 0
			? [`- Fields of [every ${name}](${OVERVIEW}#${toAnchor(buildHeading(name))})`]
			: []),
		...(options.length > 0 ? [`- [Options](${OVERVIEW}#options): ${options.join(', ')}`] : []),
	];
}

function describeOperation(operation: ListedOperation, sample: object | undefined): string[] {
	const description = toMarkdown(operation.description).replace(/\.?$/, '.');
	const fields = describeFields(operation);
	return [
		`## ${operation.name}`,
		`${description} In the API: ${describeRequests(operation)}.`,
		...(fields.length > 0 ? [fields.join('\n')] : []),
		...(sample === undefined
			? ['What it returns depends on the command, or is not published, so there is no example.']
			: ['It returns, for example:', `\`\`\`json\n${JSON.stringify(sample, null, 2)}\n\`\`\``]),
	];
}

/** The fields that all operations of a common name have. */
export function commonFields(): string {
	const blocks = [...commonLines]
		.filter(([, lines]) => lines.length > 0)
		.flatMap(([name, lines]) => [`### ${buildHeading(name)}`, lines.join('\n')]);
	return `\n${blocks.map((block) => `${block}\n\n`).join('')}`;
}

/** Returns the contents of the page of each resource by its path. */
export const referencePages = (
	samples: Samples = readSamples(),
): Array<readonly [string, string]> =>
	resources.map((resource) => {
		const blocks = [
			`# ${resource.name}`,
			`The operations of the resource *${resource.name}* ([all resources, filters, options and values](${OVERVIEW})):`,
			resource.operations.map(({ name }) => `- [${name}](#${toAnchor(name)})`).join('\n'),
			...resource.operations.flatMap((operation) =>
				describeOperation(operation, samples.get(`${resource.value}:${operation.value}`)),
			),
		];
		return [getPage(resource), `${blocks.join('\n\n')}\n`];
	});
