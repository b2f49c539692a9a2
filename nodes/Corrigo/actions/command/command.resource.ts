import type { INodeProperties } from 'n8n-workflow';

import { optionsField } from '../../descriptions/options';
import { commandNamed } from '../../catalogue/commands';
import { commandClass, jsonObject } from '../../protocol/checks';
import { itemOf } from '../call';
import type { Operation, Resource } from '../operations/operation';
import { sendCommand } from '../operations/command';

const fields: INodeProperties[] = [
	{
		displayName: 'Command Name',
		name: 'commandName',
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod: 'searchCommands', searchable: true },
			},
			{
				displayName: 'By Name',
				name: 'name',
				type: 'string',
				placeholder: 'e.g. WoCancelCommand',
			},
		],
		description: 'Class name of the command',
	},
	{
		displayName: 'Body (JSON)',
		name: 'commandBody',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. { "WorkOrderId": 1234, "Comment": "text" }',
		description:
			'Members of the command, as a JSON object. Names that Corrigo does not know are ignored there.',
	},
	optionsField('parallelRequests', 'requestId', 'timeout'),
];

const execute: Operation = {
	name: 'Execute',
	value: 'execute',
	action: 'Execute a command',
	description: 'Run any command of the service by its class name (POST /cmd)',
	fields,
	each: async (call) => {
		const given = commandClass('Command Name', call.param('commandName', ''));
		const body = jsonObject('Body (JSON)', call.param('commandBody', ''));
		return [itemOf({ ...(await sendCommand(call, commandNamed(given)?.name ?? given, body)) })];
	},
};

export const command: Resource = {
	name: 'Command',
	value: 'command',
	description: 'Any command by its name',
	operations: [execute],
};
