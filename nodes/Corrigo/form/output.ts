import type { INodeProperties } from 'n8n-workflow';

import { summaries } from '../catalogue/summaries';
import { propertyList } from '../protocol/checks';
import { oneOf } from '../protocol/values';
import type { Form } from './form';

const OUTPUTS = ['simplified', 'raw', 'selected'] as const;

/** How much of each record a read returns. */
export const outputFields: INodeProperties[] = [
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{
				name: 'Simplified',
				value: 'simplified',
				description: 'The most common properties, with names for IDs',
			},
			{
				name: 'Raw',
				value: 'raw',
				description: 'All properties as Corrigo returns them; references with their IDs only',
			},
			{
				name: 'Selected Fields',
				value: 'selected',
				description: 'The properties that you choose',
			},
		],
		default: 'simplified',
		description: 'Which properties of each record to return',
	},
	{
		displayName: 'Property Names or IDs',
		name: 'properties',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getProperties', loadOptionsDependsOn: ['entity.value'] },
		default: ['*'],
		displayOptions: { show: { output: ['selected'] } },
		description:
			'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	},
];

/** The properties to read. Where the catalogue has no summary of an entity, simplified records have all. */
export function outputProperties(form: Form, entity: string): string[] {
	switch (oneOf('Output', form.param('output', 'simplified'), OUTPUTS)) {
		case 'raw':
			return ['*'];
		case 'simplified':
			return [...(summaries[entity] ?? ['*'])];
		case 'selected':
			return propertyList('Properties', form.param('properties', '*'));
	}
}
