import type { INodeProperties } from 'n8n-workflow';

import { summaries } from '../catalogue/summaries';
import { propertyList } from '../protocol/checks';
import { oneOf } from '../protocol/values';

const SETS = ['all', 'selected', 'summary'] as const;

export const propertiesField: INodeProperties = {
	displayName: 'Property Names or IDs',
	name: 'properties',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getProperties', loadOptionsDependsOn: ['entity.value'] },
	default: ['*'],
	description:
		'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
};

const setField: INodeProperties = {
	displayName: 'Property Set',
	name: 'propertySet',
	type: 'options',
	options: [
		{
			name: 'All',
			value: 'all',
			description: 'All own properties; references with their IDs only',
		},
		{ name: 'Selected', value: 'selected', description: 'The properties that you choose' },
		{
			name: 'Summary',
			value: 'summary',
			description: 'The most used ones, with names for IDs',
		},
	],
	default: 'summary',
	description: 'How much to return of each record',
};

/** Which properties are returned: a ready-made set where the entity has a summary, or a list. */
export const propertyFields = (entity: string | undefined): INodeProperties[] =>
	summaries[entity ?? ''] === undefined
		? [propertiesField]
		: [setField, { ...propertiesField, displayOptions: { show: { propertySet: ['selected'] } } }];

/** Entities without a summary have the list of properties alone. */
export function chosenProperties(
	entity: string | undefined,
	set: () => unknown,
	listed: () => unknown,
): string[] {
	const summary = summaries[entity ?? ''];
	switch (summary === undefined ? 'selected' : oneOf('Property Set', set(), SETS)) {
		case 'all':
			return ['*'];
		case 'summary':
			return [...(summary ?? [])];
		case 'selected':
			return propertyList('Properties', listed());
	}
}
