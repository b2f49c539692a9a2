import {
	NodeConnectionTypes,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { nodeFields, resources, subtitle } from './actions/resources';
import { typeDefContent } from './actions/patterns';
import { sensitiveOutputFields } from './form/fields';
import { listSearch, loadOptions } from './methods/listSearch';
import { execute } from './run/execute';
import type { Operation } from './run/operation';
import { resourceMapping } from './methods/resourceMapping';

export class Corrigo implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Corrigo',
		name: 'corrigo',
		icon: { light: 'file:../../icons/corrigo.svg', dark: 'file:../../icons/corrigo.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle,
		description: 'Work orders, customers, assets, vendor invoices and more in Corrigo Enterprise',
		defaults: { name: 'Corrigo' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'Facilities work in Corrigo (CMMS): work orders, customers and their spaces, assets, contacts, vendors, invoices. Fields that name a record take its name (the name itself, in mode name), number or ID, so no look-up nodes are needed in front of a create or update. Use operation upsert to bring records into line with a table. To start a workflow when something happens, use Corrigo Trigger.',
			extraTypeDefContent: typeDefContent,
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-corrigo.corrigoTrigger',
					relationHint: 'Starts the workflow when a record is new, changed, or soon due',
				},
				{
					nodeType: 'n8n-nodes-corrigo.corrigoWebhookTrigger',
					relationHint: 'The same within seconds, for Companies that have bought Corrigo Webhook',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'corrigoApi', required: true }],
		sensitiveOutputFields,
		properties: [...nodeFields],
	};

	methods = { listSearch, loadOptions, resourceMapping };

	async execute(this: IExecuteFunctions) {
		const [resource, operation] = ['resource', 'operation'].map(
			(name) => this.getNodeParameter(name, 0) as string,
		);
		const found = findOperation(resource, operation);
		if (found !== undefined) return await execute(this, found);
		throw new NodeOperationError(
			this.getNode(),
			`The operation "${operation}" of the resource "${resource}" is not known`,
		);
	}
}

const findOperation = (resource: string, operation: string): Operation | undefined =>
	resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
