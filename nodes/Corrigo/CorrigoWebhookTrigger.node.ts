import {
	NodeConnectionTypes,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { sensitiveOutputFields } from './form/fields';
import { listSearch, loadOptions } from './methods/listSearch';
import { triggerSubtitle } from './trigger/triggerForm';
import { webhookFields } from './webhook/description';
import { activate, receive } from './webhook/push';

export class CorrigoWebhookTrigger implements INodeType {
	description: INodeTypeDescription = {
		// The trigger stays Beta until somebody has seen it work with a live Company.
		displayName: 'Corrigo Webhook Trigger',
		name: 'corrigoWebhookTrigger',
		icon: { light: 'file:../../icons/corrigo.svg', dark: 'file:../../icons/corrigo.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: triggerSubtitle,
		description:
			'Starts a workflow within seconds of an event (Beta). For Companies with Corrigo Webhook or the Event Service.',
		defaults: { name: 'Corrigo Webhook Trigger' },
		eventTriggerDescription: 'Waiting for Corrigo to send an event to the Test URL',
		activationMessage:
			'Corrigo can now send events to the Production URL, once an administrator has entered it there.',
		triggerPanel: {
			header: 'Receive an event from Corrigo',
			executionsHelp: {
				inactive:
					'<b>To test</b>, enter the Test URL in Corrigo as the target of a webhook, select the button above, and make a change there. <b>To run the workflow automatically</b>, publish it and enter the Production URL in Corrigo.',
				active:
					'The workflow runs whenever Corrigo sends an event to the Production URL. You find these runs in the <a data-key="executions">executions list</a>. <b>To test</b>, enter the Test URL in Corrigo, select the button above, and make a change there.',
			},
			activationHint:
				'An administrator of Corrigo enters the URL once. Nothing arrives before that.',
		},
		builderHint: {
			searchHint:
				'Beta. Starts a workflow within seconds when Corrigo pushes an event. Only for Companies that have bought Corrigo Webhook or the Event Service; otherwise use Corrigo Trigger, which polls for these events and others.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-corrigo.corrigoTrigger',
					relationHint: 'Needs no paid add-on, and finds what a push may have missed',
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
		sensitiveOutputFields,
		properties: [...webhookFields],
	};

	methods = { listSearch, loadOptions };

	webhookMethods = {
		default: {
			checkExists: async () => false,
			async create(this: IHookFunctions) {
				return await activate.call(this);
			},
			/** The person who entered the URL in Corrigo removes it there. */
			delete: async () => true,
		},
	};

	webhook = receive;
}
