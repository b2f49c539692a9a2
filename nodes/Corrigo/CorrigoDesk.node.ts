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
		subtitle: '={{ $parameter["reads"].length + $parameter["writes"].length + " operations" }}',
		description:
			'Several operations of Corrigo Enterprise in one tool of an AI agent. Say describe to list those that are allowed.',
		defaults: { name: 'Corrigo Desk' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'One tool of an AI agent or an MCP server for facilities work in Corrigo. Tick the operations that the model may call; it asks the tool to describe them, so no field needs $fromAI. Keep the expressions in Operation and Fields. Put what the model may not change into Fixed Fields. For one operation in a workflow without a model, use Corrigo.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-corrigo.corrigo',
					relationHint: 'One operation, with a form of its own, in a workflow or as a tool',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'corrigoApi', required: true }],
		sensitiveOutputFields,
		properties: deskProperties,
	};

	async execute(this: IExecuteFunctions) {
		const { form, operation } = chooseOperation(this);
		return await execute(this, operation, form);
	}
}
