import type { INodeProperties } from 'n8n-workflow';

import type { EntityName } from '../catalogue/entities';
import { buildExample } from '../catalogue/examples';
import type { Verb } from '../columns/column';
import { buildFieldsJsonField } from './fields';

/** The example shows this entity if the user names the entity. */
const EXAMPLE_ENTITY = 'Contact';

const MAPPER_TEXTS: Readonly<Record<Verb, { valuesLabel: string; description: string }>> = {
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

const MATCH_LABELS = {
	title: 'Columns to Match On',
	description: 'Columns that identify a record, such as its tenant code or number',
	hint: 'A record with the same values in all of them is updated. Otherwise, a new one is created.',
};

const matchOnField: INodeProperties = {
	displayName: 'Match On',
	name: 'matchOn',
	type: 'string',
	// Items are compared with each other by these columns, so all items need the same ones.
	noDataExpression: true,
	default: '',
	placeholder: 'e.g. TenantCode or FirstName, ContactAddresses.PrimEmail',
	description:
		'Properties that identify a record, comma-separated. A record with the same values in all of them is updated. Otherwise, a new one is created. ContactAddresses.PrimEmail is the first email address, CustomFields.17 the custom field with that ID.',
	displayOptions: { show: { fieldsMode: ['json'] } },
};

export const fieldsModeField: INodeProperties = {
	displayName: 'Input Mode',
	name: 'fieldsMode',
	type: 'options',
	options: [
		{ name: 'Columns', value: 'columns', description: 'Fill in columns, or map the input to them' },
		{ name: 'JSON', value: 'json', description: 'Enter a JSON object' },
	],
	default: 'columns',
	description: 'How to enter the values',
};

type MapperOptions = NonNullable<NonNullable<INodeProperties['typeOptions']>['resourceMapper']>;

/** n8n loads the columns again when the field in `dependsOn` changes. */
export const buildMapperField = (
	{ valuesLabel, description }: { valuesLabel: string; description: string },
	dependsOn: string | undefined,
	mode: Pick<MapperOptions, 'matchingFieldsLabels' | 'mode' | 'multiKeyMatch'> = { mode: 'add' },
): INodeProperties => ({
	displayName: 'Fields',
	name: 'fields',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	required: true,
	displayOptions: { show: { fieldsMode: ['columns'] } },
	typeOptions: {
		...(dependsOn === undefined ? {} : { loadOptionsDependsOn: [dependsOn] }),
		resourceMapper: {
			resourceMapperMethod: 'getColumns',
			...mode,
			valuesLabel,
			fieldWords: { singular: 'column', plural: 'columns' },
			addAllFields: false,
			supportAutoMap: true,
			refreshStaleSchemaOnOpen: true,
		},
	},
	description,
});

/** Both ways to enter values are part of the form; 'Input Mode' decides which one is shown. */
export const buildColumnFields = (verb: Verb, entity?: EntityName): INodeProperties[] => [
	fieldsModeField,
	buildMapperField(
		MAPPER_TEXTS[verb],
		entity === undefined ? 'entity.value' : undefined,
		// An update finds its record by ID, an upsert by columns.
		verb === 'upsert'
			? { mode: 'upsert', multiKeyMatch: true, matchingFieldsLabels: MATCH_LABELS }
			: undefined,
	),
	...(verb === 'upsert' ? [matchOnField] : []),
	{
		...buildFieldsJsonField(
			buildExample(entity ?? EXAMPLE_ENTITY, verb === 'update' ? 'update' : 'create'),
		),
		displayOptions: { show: { fieldsMode: ['json'] } },
	},
];
