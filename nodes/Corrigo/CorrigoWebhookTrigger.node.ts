import {
	NodeConnectionTypes,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { listSearch } from './methods/listSearch';
import { loadOptions } from './methods/values';
import { subtitle } from './trigger/description';
import { properties } from './webhook/description';
import { activate } from './webhook/hooks';
import { receive } from './webhook/receive';

export class CorrigoWebhookTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Corrigo Webhook Trigger',
		name: 'corrigoWebhookTrigger',
		icon: { light: 'file:../../icons/corrigo.svg', dark: 'file:../../icons/corrigo.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle,
		description:
			'Starts a workflow within seconds of an event. For Companies with Corrigo Webhook or the Event Service.',
		defaults: { name: 'Corrigo Webhook Trigger' },
		builderHint: {
			searchHint:
				'Starts a workflow within seconds when Corrigo pushes an event. Only for Companies that have bought Corrigo Webhook or the Event Service; otherwise use Corrigo Trigger, which has the same events and polls.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-corrigo.corrigoTrigger',
					relationHint:
						'Needs no extra purchase; used together with this node, it finds what a push may have missed',
				},
				{
					nodeType: 'n8n-nodes-corrigo.corrigo',
					relationHint: 'Reads and changes the record that the item is about',
				},
			],
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'corrigoApi', required: true }],
		webhooks: [
			{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' },
		],
		properties: [...properties],
	};

	methods = { listSearch, loadOptions };

	webhookMethods = {
		default: {
			checkExists: async () => false,
			async create(this: IHookFunctions) {
				return await activate.call(this);
			},
			/** Whoever entered the address in Corrigo takes it out there. */
			delete: async () => true,
		},
	};

	webhook = receive;
}
