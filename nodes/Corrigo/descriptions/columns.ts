import type { INodeProperties } from 'n8n-workflow';

import type { EntityName } from '../catalogue/entities';
import { exampleOf } from '../catalogue/examples';
import { fieldsJsonField } from './fields';

/** What the example is about where the user names the entity. */
const ANY = 'Contact';

/** The two ways to say what is written: columns to fill in, or JSON. */
export const columnFields = (verb: 'create' | 'update', entity?: EntityName): INodeProperties[] => [
	{
		displayName: 'Fields Mode',
		name: 'fieldsMode',
		type: 'options',
		options: [
			{ name: 'Columns', value: 'columns', description: 'Fill in columns, or map input to them' },
			{ name: 'JSON', value: 'json', description: 'Everything the service takes' },
		],
		default: 'columns',
		description: 'How to set the fields',
	},
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		required: true,
		displayOptions: { show: { fieldsMode: ['columns'] } },
		typeOptions: {
			...(entity === undefined ? { loadOptionsDependsOn: ['entity.value'] } : {}),
			resourceMapper: {
				resourceMapperMethod: 'getColumns',
				// No column tells which record is meant: that is the ID.
				mode: 'add',
				valuesLabel: verb === 'create' ? 'Values' : 'Values to Change',
				fieldWords: { singular: 'column', plural: 'columns' },
				addAllFields: false,
				supportAutoMap: true,
				refreshStaleSchemaOnOpen: true,
			},
		},
		description:
			verb === 'create'
				? 'Columns of the new record, the custom fields of the Company included'
				: 'Columns to change, the custom fields of the Company included; the others stay as they are',
	},
	{
		...fieldsJsonField(exampleOf(entity ?? ANY, verb)),
		displayOptions: { show: { fieldsMode: ['json'] } },
	},
];
