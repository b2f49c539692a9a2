import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { sensitiveOutputFields } from './form/fields';
import { listSearch, loadOptions } from './methods/listSearch';
import { pollingFields, triggerSubtitle } from './trigger/triggerForm';
import { poll } from './trigger/poll';

export class CorrigoTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Corrigo Trigger',
		name: 'corrigoTrigger',
		icon: { light: 'file:../../icons/corrigo.svg', dark: 'file:../../icons/corrigo.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: triggerSubtitle,
		// The node panel shows this one text for the trigger and the action.
		description: 'Work orders, customers, assets, vendor invoices and more in Corrigo Enterprise',
		defaults: { name: 'Corrigo Trigger' },
		polling: true,
		builderHint: {
			searchHint:
				'Starts a workflow when something happens in Corrigo: a work order is created, enters a status, is acted upon or nears a deadline, a vendor invoice enters an AP status, a note or document is added, any record is added, edited or deleted. One node may follow several events of work orders. It polls, and works for every Company. Each item has the record or its ID: use the Corrigo node to act on it.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-corrigo.corrigo',
					relationHint: 'Reads and changes the record that the item is about',
				},
			],
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'corrigoApi', required: true }],
		sensitiveOutputFields,
		properties: pollingFields,
	};

	methods = { listSearch, loadOptions };

	poll = poll;
}
