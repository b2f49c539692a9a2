import type { INodeProperties } from 'n8n-workflow';

import { enumerationOptions, type EnumerationName } from '../catalogue/enumerations';
import { operators } from '../catalogue/operators';

/** The members of an enumeration, as a dropdown shows them. */
export const choices = (enumeration: EnumerationName) =>
	[...enumerationOptions(enumeration)].sort((a, b) => a.name.localeCompare(b.name, 'en'));

export const entityField: INodeProperties = {
	displayName: 'Entity',
	name: 'entity',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchEntities', searchable: true },
		},
		{ displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. WorkOrder' },
	],
	description: 'The kind of record',
};

export const fieldsJsonField = (example: object): INodeProperties => ({
	displayName: 'Fields (JSON)',
	name: 'fieldsJson',
	type: 'json',
	required: true,
	default: '{}',
	placeholder: `e.g. ${JSON.stringify(example)}`,
	description:
		'Properties to set, as a JSON object with the names the service uses. A reference is an object with the ID of the record. What was read before can be pasted: only what can be written is taken of it.',
});

export const returnAllFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	},
];

const NEEDS_NO_VALUE = operators.filter(({ values }) => values === 'none').map(({ name }) => name);

export const conditionFields: INodeProperties[] = [
	{
		displayName: 'Must Match',
		name: 'match',
		type: 'options',
		options: [
			{ name: 'All Conditions', value: 'all' },
			{ name: 'Any Condition', value: 'any' },
		],
		default: 'all',
	},
	{
		displayName: 'Conditions',
		name: 'conditions',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: 'Add condition',
		default: {},
		options: [
			{
				displayName: 'Condition',
				name: 'values',
				values: [
					{
						displayName: 'Property',
						name: 'property',
						type: 'string',
						default: '',
						placeholder: 'e.g. StatusId or Customer.DisplayAs',
						description: 'Name of a property, or a dotted path through references and collections',
					},
					{
						displayName: 'Operator',
						name: 'operator',
						type: 'options',
						options: operators.map(({ name, label }) => ({ name: label, value: name })),
						default: 'Equal',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						displayOptions: { hide: { operator: NEEDS_NO_VALUE } },
						description:
							'Text, number, date or true/false. Is In and Is Between take a comma-separated list or an array; Is Like takes % for any text.',
					},
				],
			},
		],
	},
	{
		displayName: 'Criteria (JSON)',
		name: 'criteriaJson',
		type: 'json',
		default: '{}',
		placeholder:
			'e.g. { "FilterOperator": "Or", "Conditions": [ { "PropertyName": "StatusId", "Operator": "In", "Values": ["New", "Open"] } ] }',
		description:
			'Nested conditions as the service writes them: FilterOperator, Conditions and Filters. Used instead of the conditions above.',
	},
];

export const sortField: INodeProperties = {
	displayName: 'Sort',
	name: 'sort',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add sort rule',
	default: {},
	options: [
		{
			displayName: 'Rule',
			name: 'values',
			values: [
				{
					displayName: 'Property',
					name: 'property',
					type: 'string',
					default: '',
					placeholder: 'e.g. DtDue',
				},
				{
					displayName: 'Direction',
					name: 'direction',
					type: 'options',
					options: [
						{ name: 'Ascending', value: 'Ascending' },
						{ name: 'Descending', value: 'Descending' },
					],
					default: 'Ascending',
				},
			],
		},
	],
	description: 'Sorted results are read by offset, so records that change meanwhile may be missed',
};
