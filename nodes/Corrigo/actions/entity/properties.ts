import type { INodeProperties } from 'n8n-workflow';

import { summaries } from '../../catalogue/summaries';
import { propertiesField } from '../../descriptions/fields';
import { oneOf, propertyList, Refusal, type JsonObject } from '../../protocol/checks';
import {
	carriesCustomFields,
	CUSTOM_FIELD_PATHS,
	flatCustomFields,
} from '../../protocol/customFields';
import type { Call } from '../call';
import type { Subject } from './subject';

const SETS = ['all', 'selected', 'summary'] as const;

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
		{ name: 'Selected', value: 'selected', description: 'The properties that you list' },
		{ name: 'Summary', value: 'summary', description: 'The most used ones, with names for IDs' },
	],
	default: 'selected',
	description: 'How much to return of each record',
};

const summaryOf = ({ entity = '' }: Subject): readonly string[] | undefined => summaries[entity];

/** Which properties are returned: a ready-made set where there is a summary, or a list. */
export const propertyFields = (subject: Subject): INodeProperties[] =>
	summaryOf(subject) === undefined
		? [propertiesField]
		: [setField, { ...propertiesField, displayOptions: { show: { propertySet: ['selected'] } } }];

export function propertiesOf(subject: Subject, entity: string, call: Call): string[] {
	const listed = listedProperties(subject, call);
	return isFlat(entity, call) ? [...new Set([...listed, ...CUSTOM_FIELD_PATHS])] : listed;
}

/** Custom fields as `{ name: value }` in place of rows with descriptors. */
export const shaperOf = (entity: string, call: Call): ((record: JsonObject) => JsonObject) =>
	isFlat(entity, call) ? flatCustomFields : (record) => record;

function isFlat(entity: string, { options: { flattenCustomFields } }: Call): boolean {
	if (flattenCustomFields !== true) return false;
	if (carriesCustomFields(entity)) return true;
	throw new Refusal(`'Flatten Custom Fields' is on, but ${entity} records carry no custom fields`);
}

function listedProperties(subject: Subject, call: Call): string[] {
	const summary = summaryOf(subject);
	const set =
		summary === undefined
			? 'selected'
			: oneOf('Property Set', call.param('propertySet', 'selected'), SETS);
	if (set === 'selected') return propertyList('Properties', call.param('properties', '*'));
	return set === 'all' ? ['*'] : [...(summary ?? [])];
}
