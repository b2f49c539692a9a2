import type { INodeProperties } from 'n8n-workflow';

import { chosen, optionalText } from '../../descriptions/form';
import { isObject, Refusal, show, type JsonObject } from '../../protocol/checks';
import { positiveId } from '../../protocol/values';
import { descriptorsRequest } from '../../protocol/customFields';
import type { ServiceRequest } from '../../protocol/requests';
import { oncePerRun, type Call } from '../call';

const TITLE = 'Custom Fields > Custom Field';

export const customFieldsField: INodeProperties = {
	displayName: 'Custom Fields',
	name: 'customFields',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add custom field',
	default: {},
	options: [
		{
			displayName: 'Custom Field',
			name: 'values',
			values: [
				{
					displayName: 'Custom Field',
					name: 'descriptor',
					type: 'resourceLocator',
					default: { mode: 'name', value: '' },
					modes: [
						{
							displayName: 'By Name',
							name: 'name',
							type: 'string',
							placeholder: 'e.g. Cost Center',
						},
						{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 1234' },
					],
					description: 'Name of a custom field of work orders, or the ID of its descriptor',
				},
				{ displayName: 'Value', name: 'value', type: 'string', default: '' },
			],
		},
	],
};

/** The values of custom fields are texts, whatever their type. */
export async function customFieldsOf(call: Call): Promise<JsonObject[]> {
	const fields: JsonObject[] = [];
	for (const { descriptor, value } of call.rows('customFields')) {
		fields.push({
			Descriptor: { Id: await descriptorId(call, descriptor) },
			Value: optionalText('Custom Fields > Value', value),
		});
	}
	return fields;
}

async function descriptorId(call: Call, field: unknown): Promise<number> {
	if (!isObject(field) || field.mode !== 'name') return positiveId(TITLE, chosen(field));
	const name = optionalText(TITLE, field.value).trim();
	if (name === '') throw new Refusal(`'${TITLE}' is empty: give the name of a custom field`);
	const ids = (await descriptors(call))
		.filter(({ Name }) => alike(Name, name))
		.map(({ Id }) => Number(Id));
	if (ids.length === 1) return ids[0];
	throw new Refusal(
		ids.length === 0
			? `'${TITLE}' is ${show(name)}, which no custom field of work orders is called`
			: `'${TITLE}' is ${show(name)}, and there are several of that name: ${ids.join(', ')}`,
		'Check the name, or choose By ID.',
	);
}

const alike = (a: unknown, b: string) => String(a).trim().toLowerCase() === b.toLowerCase();

/** One query for all items of a run. */
const descriptors = oncePerRun(
	async (call) => await call.send(descriptorsRequest('WorkOrder') as ServiceRequest<JsonObject[]>),
);
