import type { INodeProperties } from 'n8n-workflow';

import { enumerations } from '../../catalogue/enumerations';
import { choices, reference } from '../../descriptions/fields';
import { oneOf, positiveId, Refusal, type JsonObject } from '../../protocol/checks';
import { chosen, type Call } from '../call';
import { commandOperation } from '../command/typed';

const fields: INodeProperties[] = [
	{
		displayName: 'Type Category',
		name: 'typeCategory',
		type: 'options',
		options: choices('WOType'),
		default: 'Request',
		description: 'Kind of work order. A request needs a customer.',
	},
	reference('Sub Type', 'subType', { required: true }),
	reference('Customer', 'customer', { description: 'Required for requests' }),
	{
		displayName: 'Items',
		name: 'items',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		required: true,
		placeholder: 'Add item',
		default: { values: [{}] },
		options: [
			{
				displayName: 'Item',
				name: 'values',
				values: [
					reference('Asset', 'asset', { description: 'What is to be worked on' }),
					reference('Task', 'task', { description: 'What is to be done' }),
					{
						displayName: 'Comment',
						name: 'comment',
						type: 'string',
						typeOptions: { rows: 2 },
						default: '',
						placeholder: 'e.g. Tap in the kitchen drips',
					},
				],
			},
		],
		description: 'The work: at least one asset with a task that fits it',
	},
	reference('Contact', 'contact', { description: 'Who asks for the work' }),
	{
		displayName: 'Compute Schedule',
		name: 'computeSchedule',
		type: 'boolean',
		default: true,
		description: 'Whether Corrigo computes the due dates by the rules of the Company',
	},
];

export const create = commandOperation({
	name: 'Create',
	value: 'create',
	action: 'Create a work order',
	description: 'Create a work order and get its number',
	command: 'WoCreateCommand',
	fields,
	body: (call) => ({
		WorkOrder: workOrderOf(call),
		ComputeSchedule: call.flag('computeSchedule'),
	}),
});

function workOrderOf(call: Call): JsonObject {
	const category = oneOf(
		'Type Category',
		call.param('typeCategory', 'Request'),
		enumerations.WOType,
	);
	const customer = optionalId(call, 'Customer', 'customer');
	if (category === 'Request' && customer === undefined) {
		throw new Refusal("'Customer' is empty, but a request needs one");
	}
	const contact = optionalId(call, 'Contact', 'contact');
	return {
		// The contract sends the code of the category, which is its place in the list.
		TypeCategory: enumerations.WOType.indexOf(category),
		SubType: { Id: call.id('Sub Type', 'subType') },
		...(customer === undefined ? {} : { Customer: { Id: customer } }),
		// The contract's own name, and the one that is seen to link the contact.
		...(contact === undefined ? {} : { Contactid: contact, RequestorContact: { Id: contact } }),
		Items: itemsOf(call),
	};
}

function optionalId(call: Call, label: string, name: string): number | undefined {
	const value = call.param(name, '');
	return value === '' || value === undefined || value === null
		? undefined
		: positiveId(label, value);
}

function itemsOf(call: Call): JsonObject[] {
	const rows = call.rows('items');
	if (rows.length === 0) throw new Refusal("'Items' is empty: a work order needs at least one");
	return rows.map(({ asset, task, comment }) => ({
		Asset: { Id: positiveId('Items > Asset', chosen(asset)) },
		Task: { Id: positiveId('Items > Task', chosen(task)) },
		...(comment ? { Comment: String(comment) } : {}),
	}));
}
