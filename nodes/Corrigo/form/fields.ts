import type { INodeProperties, INodePropertyMode } from 'n8n-workflow';

import { listEnumerationOptions, type EnumerationName } from '../catalogue/enumerations';
import { operators, type Operator } from '../catalogue/operators';
import type { EntityName } from '../catalogue/entities';
import { getNoun } from '../catalogue/views';
import { buildExample } from '../catalogue/examples';
import { FILE_LINKS } from '../catalogue/members';
import { toTitle } from '../catalogue/enumerations/labels';
import { type Verb, getColumnLabel, getMissingMembers } from '../columns/columns';

/** A resource locator offers a list, and other ways to enter the same value. */
export const buildLocator = (
	searchListMethod: string,
	...others: INodePropertyMode[]
): Pick<INodeProperties, 'type' | 'default' | 'modes'> => ({
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod, searchable: true },
		},
		...others,
	],
});

/** Returns whether a record may be chosen in this way. */
export const hasMode = ({ modes = [] }: Pick<INodeProperties, 'modes'>, mode: unknown): boolean =>
	modes.some(({ name }) => name === mode);

export const buildTextMode = (
	mode: Pick<INodePropertyMode, 'displayName' | 'name'>,
	example: string,
): INodePropertyMode => ({ ...mode, type: 'string', placeholder: `e.g. ${example}` });

/** Values of new fields, unless they have their own. Nobody has decided yet, so numbers and choices begin empty. */
export const INITIAL = {
	boolean: false,
	dateTime: '',
	json: '{}',
	multiOptions: [],
	number: '',
	options: '',
	string: '',
};

/** The compiler keeps type and choices of the field, from which the type of its value follows. */
export const defineField = <const Field extends INodeProperties>(field: Field): Field => field;

/** A field that sets no member of its own; its title follows from its name. */
export const buildField = <
	Type extends keyof typeof INITIAL,
	const Options extends INodeProperties['options'],
>(
	name: string,
	type: Type,
	description: string,
	more: Omit<Partial<INodeProperties>, 'options' | 'type'> & { options?: Options } = {},
) => ({
	displayName: toTitle(name),
	name,
	type,
	default: INITIAL[type] as INodeProperties['default'],
	description,
	...more,
});

/** `initial` is the value in a new node, or of an option that is just added. */
export const buildToggle = (displayName: string, description: string, initial = false) =>
	({ displayName, type: 'boolean', default: initial, description }) as const;

/** `initial` is the value in a new node, or of an option that is just added. */
export const buildNumber = (
	displayName: string,
	description: string,
	initial: number,
	typeOptions: { minValue: number; maxValue?: number } = { minValue: 1 },
) => ({ displayName, type: 'number', typeOptions, default: initial, description }) as const;

/** The list is loaded from the Company when somebody opens it. */
export const buildLoadedList = (
	displayName: string,
	loadOptionsMethod: string,
	description: string,
) => ({
	displayName,
	type: 'multiOptions' as const,
	typeOptions: { loadOptionsMethod, loadOptionsDependsOn: ['entity.value'] },
	default: [] as string[],
	description,
});

/** Fields for times share this description unless they need one of their own. */
export const TIME_DESCRIPTION = 'Date and time, such as 2026-01-31T17:30:00';

/** Descriptions of times on the clock of the work zone say this. */
export const WORK_ZONE_TIME = 'In the time zone of the work zone, unless the value has a time zone';

/** A group that is not repeated has its row as soon as it is added to a collection. */
export const addRow = <Field extends Pick<INodeProperties, 'options' | 'type' | 'typeOptions'>>(
	field: Field,
): Field =>
	field.type === 'fixedCollection' && field.typeOptions?.multipleValues !== true
		? { ...field, default: { [field.options?.[0].name ?? 'values']: {} } }
		: field;

export const sortByTitle = <Titled extends { displayName: string }>(
	fields: readonly Titled[],
): Titled[] => [...fields].sort((a, b) => a.displayName.localeCompare(b.displayName, 'en'));

/** Dropdowns are sorted by label. */
export const sortByName = <Named extends { name: string }>(list: readonly Named[]): Named[] =>
	[...list].sort((a, b) => a.name.localeCompare(b.name, 'en'));

export const listChoices = (enumeration: EnumerationName) =>
	sortByName(listEnumerationOptions(enumeration));

/** Choices of a table, in its order. */
export const toChoices = <Name extends string>(
	table: Readonly<Record<Name, { name: string; description: string }>>,
) =>
	(Object.keys(table) as Name[]).map((value) => {
		const { name, description } = table[value];
		return { name, value, description };
	});

export const entityField = defineField({
	displayName: 'Entity',
	name: 'entity',
	...buildLocator(
		'searchEntities',
		buildTextMode({ displayName: 'By Name', name: 'name' }, 'WorkOrder'),
	),
	required: true,
	description: 'Type of record, such as a work order or a contact',
});

export const returnAllField = defineField({
	name: 'returnAll',
	...buildToggle('Return All', 'Whether to return all results or only up to a given limit'),
});

export const limitField = defineField({
	name: 'limit',
	...buildNumber('Limit', 'Max number of results to return', 50),
	displayOptions: { show: { returnAll: [false] } },
});

const listOperators = (count: Operator['values']) =>
	operators.filter(({ values }) => values === count).map(({ name }) => name);

/** Users choose the property from a list or enter its path. */
export const buildPropertyField = (
	searchListMethod: string,
	more: Partial<INodeProperties> = {},
	example = 'Customer.DisplayAs',
): INodeProperties => ({
	displayName: 'Field',
	name: 'property',
	...buildLocator(
		searchListMethod,
		buildTextMode({ displayName: 'By Name', name: 'name' }, example),
	),
	...more,
});

const buildValueField = (
	name: string,
	displayName: string,
	more: Partial<INodeProperties>,
): INodeProperties => ({
	displayName,
	name,
	...buildLocator(
		'searchValues',
		buildTextMode({ displayName: 'By Value', name: 'text' }, '2026-01-31'),
	),
	typeOptions: { loadOptionsDependsOn: ['&property'] },
	...more,
});

export const searchByField = defineField({
	displayName: 'Search By',
	name: 'searchBy',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Filters', value: 'filters', description: 'Use only the filters below' },
		{ name: 'Conditions', value: 'conditions', description: 'Compare any field with a value' },
		{ name: 'JSON', value: 'json', description: 'Nest conditions, in the format of Corrigo' },
	],
	default: 'filters',
	description: 'How to describe the records to find',
	builderHint: {
		propertyHint:
			'Prefer a filter where there is one: filters know which statuses are open or overdue, and periods such as the last days. Conditions apply only if this is "conditions", and \'Criteria (JSON)\' only if it is "json".',
	},
});

/** A form without filters does not offer a search by filters alone. */
export const buildSearchByField = (hasFilters: boolean): INodeProperties =>
	hasFilters
		? searchByField
		: { ...searchByField, options: searchByField.options.slice(1), default: 'conditions' };

export const matchField = defineField({
	displayName: 'Match',
	name: 'match',
	type: 'options',
	options: [
		{ name: 'All', value: 'all' },
		{ name: 'Any', value: 'any' },
	],
	default: 'all',
	displayOptions: { show: { searchBy: ['conditions'] } },
	description: 'How many of the conditions a record must match',
});

export const conditionsField = defineField({
	displayName: 'Conditions',
	name: 'conditions',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add condition',
	default: {},
	displayOptions: { show: { searchBy: ['conditions'] } },
	description: 'Comparisons of fields with values',
	builderHint: {
		propertyHint:
			'Field is a dotted path as the service writes it, such as StatusId, Customer.DisplayAs or Items.Comment. Value takes a label or a name as well as a code or an ID.',
	},
	options: [
		{
			displayName: 'Condition',
			name: 'values',
			values: [
				buildPropertyField('searchCompared', {
					required: true,
					description:
						'A field of the record, of what it refers to, or of what it contains. Custom fields appear once you type. Each custom field takes one more request for each page of records, and the definitions of all of them take one. If a custom field has numbers, dates, times, links or true/false, n8n itself compares it in all records that the other conditions find.',
				}),
				{
					displayName: 'Operator',
					name: 'operator',
					type: 'options',
					options: operators.map(({ name, label }) => ({ name: label, value: name })),
					default: 'Equal',
					description:
						'How the field is compared with the value. An operator that makes no sense for the type of the field is refused.',
				},
				{
					displayName: 'Value Names or IDs',
					name: 'values',
					type: 'multiOptions',
					typeOptions: { loadOptionsMethod: 'getValues', loadOptionsDependsOn: ['&property'] },
					default: [],
					displayOptions: { show: { operator: listOperators('many') } },
					description:
						'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
				},
				buildValueField('value', 'Value', {
					displayOptions: { hide: { operator: listOperators('none') } },
					description:
						'Text, number, date or true/false. Is One Of takes a comma-separated list, too, or an array, such as ["Paris, TX"], if a value has a comma; Is Like takes % for any text.',
				}),
				buildValueField('valueTo', 'And', {
					displayOptions: { show: { operator: listOperators('two') } },
					description: 'Upper end of the range',
				}),
			],
		},
	],
});

export const criteriaField = defineField({
	displayName: 'Criteria (JSON)',
	name: 'criteriaJson',
	type: 'json',
	default: '{}',
	placeholder:
		'e.g. { "FilterOperator": "Or", "Conditions": [ { "PropertyName": "StatusId", "Operator": "In", "Values": ["New", "Open"] } ] }',
	displayOptions: { show: { searchBy: ['json'] } },
	description: 'Nested conditions in the format of Corrigo: FilterOperator, Conditions and Filters',
});

export const conditionFields = [matchField, conditionsField, criteriaField];

export const sortByField = buildPropertyField('searchSorted', {
	displayName: 'Sort By',
	required: true,
	description: 'A field of the records, or of what they refer to',
});

export const directionField = defineField({
	displayName: 'Direction',
	name: 'direction',
	type: 'options',
	options: [
		{ name: 'Ascending', value: 'Ascending' },
		{ name: 'Descending', value: 'Descending' },
	],
	default: 'Ascending',
	description: 'What comes first: the lowest, or the highest',
});

export const sortField = defineField({
	displayName: 'Sort',
	name: 'sort',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add sort rule',
	default: {},
	options: [{ displayName: 'Rule', name: 'values', values: [sortByField, directionField] }],
	description:
		"Without a rule, the newest records come first, or with 'Return All' or 'Paging Method: By ID' the oldest. Sorted results are read by offset, so records that change meanwhile may be missed.",
});

export const MAPPER_TEXTS: Readonly<Record<Verb, { valuesLabel: string; description: string }>> = {
	create: {
		valuesLabel: 'Values',
		description: 'Values of the new record, including custom fields',
	},
	update: {
		valuesLabel: 'Values to Change',
		description: 'Values to change, including custom fields. All others stay as they are.',
	},
	upsert: {
		valuesLabel: 'Values to Send',
		description:
			'Values of the record, including custom fields. In an existing record, only values that differ are changed.',
	},
};

export const MATCH_LABELS = {
	title: 'Fields to Match On',
	description: 'Fields that identify a record, such as its tenant code or number',
	hint: 'A record with the same values in all of them is updated. Otherwise, a new one is created.',
};

/** A sentence to append, or an empty text. */
export function listNeededFields(entity: string): string {
	const labels = getMissingMembers(entity, {}).map((member) => getColumnLabel(entity, member));
	return labels.length === 0 ? '' : ` A new ${getNoun(entity)} needs: ${labels.sort().join(', ')}.`;
}

export const matchOnField = defineField({
	displayName: 'Match On',
	name: 'matchOn',
	type: 'string',
	// Items are compared with each other by these fields, so all items need the same ones.
	noDataExpression: true,
	default: '',
	placeholder: 'e.g. TenantCode or FirstName, ContactAddresses.PrimEmail',
	description:
		'Fields that identify a record, comma-separated. A record with the same values in all of them is updated. Otherwise, a new one is created. ContactAddresses.PrimEmail is the primary email address, and CustomFields.17 is the custom field with that ID.',
	displayOptions: { show: { fieldsMode: ['json'] } },
});

export const fieldsModeField = defineField({
	displayName: 'Input Mode',
	name: 'fieldsMode',
	type: 'options',
	options: [
		{ name: 'JSON', value: 'json', description: 'Enter a JSON object' },
		{
			name: 'Map Automatically',
			value: 'autoMapInputData',
			description: 'Use the fields of the input that have the same names',
		},
		{
			name: 'Map Each Field Below',
			value: 'defineBelow',
			description: 'Enter a value for each field',
		},
	],
	default: 'defineBelow',
	description: 'How to enter the values',
});

const defineMapper = (mappingMode: string, name: string) =>
	defineField({
		displayName: 'Fields',
		name,
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode, value: null },
		required: true,
		displayOptions: { show: { fieldsMode: [mappingMode] } },
	});

/** The editor keeps the mode of a mapper with its values, so each mode has a mapper of its own. */
export const mappers = {
	defineBelow: defineMapper('defineBelow', 'fields'),
	autoMapInputData: defineMapper('autoMapInputData', 'autoFields'),
};

export const fieldsJsonField = defineField({
	displayName: 'Fields (JSON)',
	name: 'fieldsJson',
	type: 'json',
	required: true,
	default: '{}',
	builderHint: {
		propertyHint:
			'Give the whole object by one expression. References may be names instead of IDs.',
	},
	description:
		'Fields to set, as a JSON object with the names that Corrigo uses. You can paste a record that was read: what cannot be written is left out.',
	displayOptions: { show: { fieldsMode: ['json'] } },
});

type MapperOptions = NonNullable<NonNullable<INodeProperties['typeOptions']>['resourceMapper']>;

/** n8n loads the fields again when the field in `dependsOn` changes. */
export function buildMapperFields(
	{ valuesLabel, description }: { valuesLabel: string; description: string },
	dependsOn: string | undefined,
	mode: Pick<MapperOptions, 'mode' | 'multiKeyMatch'> = { mode: 'add' },
	matchHint = '',
): INodeProperties[] {
	const buildMapper = (
		mapper: INodeProperties,
		text: string,
		options: Pick<MapperOptions, 'valuesLabel'>,
		hint = MATCH_LABELS.hint,
	): INodeProperties => ({
		...mapper,
		typeOptions: {
			...(dependsOn === undefined ? {} : { loadOptionsDependsOn: [dependsOn] }),
			resourceMapper: {
				resourceMapperMethod: 'getColumns',
				...mode,
				...(mode.mode === 'add' ? {} : { matchingFieldsLabels: { ...MATCH_LABELS, hint } }),
				fieldWords: { singular: 'field', plural: 'fields' },
				addAllFields: false,
				supportAutoMap: false,
				refreshStaleSchemaOnOpen: true,
				...options,
			},
		},
		description: text,
	});
	return [
		buildMapper(mappers.defineBelow, description, { valuesLabel }, MATCH_LABELS.hint + matchHint),
		buildMapper(mappers.autoMapInputData, 'Fields of the input, by their names', {}),
	];
}

/** Each way to enter values is part of the form; 'Input Mode' decides which one is shown. */
export function buildColumnFields(verb: Verb, entity?: EntityName): INodeProperties[] {
	// If the user names the entity, the example is a contact.
	const example = buildExample(entity ?? 'Contact', verb === 'update' ? 'update' : 'create');
	return [
		fieldsModeField,
		...buildMapperFields(
			MAPPER_TEXTS[verb],
			entity === undefined ? 'entity.value' : undefined,
			// An update finds its record by ID, an upsert by fields.
			verb === 'upsert' ? { mode: 'upsert', multiKeyMatch: true } : undefined,
			verb === 'upsert' && entity !== undefined ? listNeededFields(entity) : '',
		),
		...(verb === 'upsert' ? [matchOnField] : []),
		{ ...fieldsJsonField, placeholder: `e.g. ${JSON.stringify(example)}` },
	];
}

/**
 * A subtitle can use the values of parameters but not their labels, so an expression maps each
 * value to its label.
 */
export const buildLabelExpression = (
	parameter: string,
	choices: ReadonlyArray<{ name: string; value: string }>,
): string => {
	const labels = Object.fromEntries(choices.map(({ name, value }) => [value, name]));
	return `(${JSON.stringify(labels)})[$parameter["${parameter}"]]`;
};

/** Places in outputs that show a record, or what is written to it. */
const RECORDS = [
	...['', 'records[*].', 'Before.', 'Before.Written.', 'WouldChange.', 'Then[*].WouldChange.'],
	...['', 'Then[*].'].flatMap((step) => [
		`${step}WouldSend.body.Entity.`,
		`${step}WouldSend.body.Command.Entity.`,
	]),
];

/**
 * Links to files, which anybody can open, are hidden by versions of n8n that support it. No output
 * has a password.
 */
export const sensitiveOutputFields: string[] = [
	...RECORDS.flatMap((place) => [place, `${place}Documents[*].`]).flatMap((place) =>
		FILE_LINKS.map((name) => place + name),
	),
	'CommandResult.Results[*].Url',
];
