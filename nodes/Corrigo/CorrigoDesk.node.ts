import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { chooseOperation, deskProperties } from './actions/desk';
import { sensitiveOutputFields } from './form/fields';
import { execute } from './run/execute';

export class CorrigoDesk implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Corrigo Desk',
		name: 'corrigoDesk',
		icon: { light: 'file:../../icons/corrigo.svg', dark: 'file:../../icons/corrigo.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ [...$parameter["reads"], ...$parameter["writes"]].join(", ") }}',
		description:
			'Corrigo Enterprise, software for facilities work: a language model chooses among the operations that you allow',
		defaults: { name: 'Corrigo Desk' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'corrigoApi', required: true }],
		sensitiveOutputFields,
		properties: deskProperties,
	};

	async execute(this: IExecuteFunctions) {
		const { caller, operation } = chooseOperation(this);
		return await execute(caller, operation);
	}
}
