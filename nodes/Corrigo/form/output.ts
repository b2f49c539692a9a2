import type { INodeProperties } from 'n8n-workflow';

import { summaries } from '../catalogue/summaries';
import { parsePropertyList } from '../values/checks';
import { parseChoice } from '../values/values';
import type { Form } from './form';

const OUTPUTS = ['simplified', 'raw', 'selected'] as const;

const buildOutputField = (
	description: string,
	descriptions: Partial<Record<(typeof OUTPUTS)[number], string>>,
): INodeProperties => ({
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: OUTPUTS.filter((value) => value in descriptions).map((value) => ({
		name: OUTPUT_NAMES[value],
		value,
		description: descriptions[value],
	})),
	default: 'simplified',
	description,
});

const OUTPUT_NAMES = { simplified: 'Simplified', raw: 'Raw', selected: 'Selected Fields' };

export const outputFields: INodeProperties[] = [
	buildOutputField('Which properties of each record to return', {
		simplified: 'The most common properties, with names for IDs',
		raw: 'All properties as Corrigo returns them; references with their IDs only',
		selected: 'The properties that you choose',
	}),
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

export const writeOutputField = buildOutputField('What to return of the answer', {
	simplified: 'The record, with names for IDs as far as they are known',
	raw: 'The answer as Corrigo gives it',
});

export const isSimplified = (form: Form): boolean =>
	form.param('output', 'simplified') === 'simplified';

/** Writes do not offer 'Selected Fields', so that value is refused. */
export const isRaw = (form: Form): boolean =>
	parseChoice('Output', form.param('output', 'simplified'), ['simplified', 'raw']) === 'raw';

/** `*` does not include the names of referenced records, so they are added to simplified output. */
export const readWrittenProperties = (form: Form, entity: string): string[] => [
	'*',
	...(isRaw(form) ? [] : (summaries[entity] ?? []).filter((path) => path.includes('.'))),
];

/** Simplified records have all properties if the catalogue has no summary of their entity. */
export function readOutputProperties(form: Form, entity: string): string[] {
	switch (parseChoice('Output', form.param('output', 'simplified'), OUTPUTS)) {
		case 'raw':
			return ['*'];
		case 'simplified':
			return [...(summaries[entity] ?? ['*'])];
		case 'selected':
			return parsePropertyList('Property Names or IDs', form.param('properties', '*'));
	}
}
