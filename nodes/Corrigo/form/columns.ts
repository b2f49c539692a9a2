import type { INodeProperties } from 'n8n-workflow';

import type { EntityName } from '../catalogue/entities';
import { exampleOf } from '../catalogue/examples';
import type { Verb } from '../protocol/column';
import { fieldsJsonField } from './fields';

/** The entity of the example where the user names the entity. */
const ANY = 'Contact';

const WORDS: Readonly<Record<Verb, { valuesLabel: string; description: string }>> = {
	create: {
		valuesLabel: 'Values',
		description: 'Columns of the new record, the custom fields of the Company included',
	},
	update: {
		valuesLabel: 'Values to Change',
		description:
			'Columns to change, the custom fields of the Company included; the others stay as they are',
	},
	upsert: {
		valuesLabel: 'Values to Send',
		description:
			'Columns of the record, the custom fields of the Company included. Of a record that is there, only those that differ are changed, and never those to match on.',
	},
};

const MATCH_LABELS = {
	title: 'Columns to Match On',
	description: 'The columns that identify a record, such as its tenant code or number',
	hint: 'A record that has the same in all of them is updated; otherwise a new one is made',
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
		'Comma-separated list of the properties that identify a record. A record with the same values in all of them is updated; otherwise a new one is created. ContactAddresses.PrimEmail is the first email address, CustomFields.17 the custom field with that ID.',
	displayOptions: { show: { fieldsMode: ['json'] } },
};

/** Columns to fill in, or JSON. */
export const fieldsModeField: INodeProperties = {
	displayName: 'Fields Mode',
	name: 'fieldsMode',
	type: 'options',
	options: [
		{ name: 'Columns', value: 'columns', description: 'Fill in columns, or map input to them' },
		{ name: 'JSON', value: 'json', description: 'Everything the service takes' },
	],
	default: 'columns',
	description: 'How to set the fields',
};

type Mapper = NonNullable<NonNullable<INodeProperties['typeOptions']>['resourceMapper']>;

/** The columns, which depend on what is chosen in another field. */
export const mapperField = (
	{ valuesLabel, description }: { valuesLabel: string; description: string },
	dependsOn: string | undefined,
	mode: Pick<Mapper, 'matchingFieldsLabels' | 'mode' | 'multiKeyMatch'> = { mode: 'add' },
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

/** The two ways to say what is written. */
export const columnFields = (verb: Verb, entity?: EntityName): INodeProperties[] => [
	fieldsModeField,
	mapperField(
		WORDS[verb],
		entity === undefined ? 'entity.value' : undefined,
		// Elsewhere no column tells which record is meant: that is the ID.
		verb === 'upsert'
			? { mode: 'upsert', multiKeyMatch: true, matchingFieldsLabels: MATCH_LABELS }
			: undefined,
	),
	...(verb === 'upsert' ? [matchOnField] : []),
	{
		...fieldsJsonField(exampleOf(entity ?? ANY, verb === 'update' ? 'update' : 'create')),
		displayOptions: { show: { fieldsMode: ['json'] } },
	},
];
