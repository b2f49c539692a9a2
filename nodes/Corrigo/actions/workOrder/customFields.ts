import type { INodeProperties } from 'n8n-workflow';

import { targetOn, type Target } from '../../catalogue/targets';
import { optionalText } from '../../descriptions/form';
import type { JsonObject } from '../../protocol/checks';
import type { Call } from '../call';
import { idIn } from '../names';

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
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					description: 'What the field is to hold, as a text',
				},
			],
		},
	],
};

const OF_ORDERS: Target = {
	...targetOn('CustomFieldDescriptor', { ActorTypeId: 'WO' }),
	called: 'custom field of work orders',
};

/** The values of custom fields are texts, whatever their type. */
export const customFieldsOf = (call: Call): JsonObject[] =>
	call.rows('customFields').map(({ descriptor, value }) => ({
		Descriptor: { Id: idIn(call, TITLE, descriptor, OF_ORDERS) },
		Value: optionalText('Custom Fields > Value', value),
	}));
