import type { INode, INodeParameters } from 'n8n-workflow';

import type { WorkflowFile } from '../n8n/api';

/** n8n allows a poll time one poll a minute, so there are as many of them as it takes. */
export const pollTimes = (secondsBetween: number) => ({
	item: Array.from({ length: 60 / secondsBetween }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * secondsBetween} * * * * *`,
	})),
});

const trigger = (parameters: INodeParameters): INode => ({
	id: 'trigger',
	name: 'Corrigo Trigger',
	type: 'n8n-nodes-corrigo.corrigoTrigger',
	typeVersion: 1,
	position: [0, 0],
	parameters,
});

const removeDuplicates: INode = {
	id: 'duplicates',
	name: 'Remove Duplicates',
	type: 'n8n-nodes-base.removeDuplicates',
	typeVersion: 2,
	position: [220, 0],
	parameters: {
		operation: 'removeItemsSeenInPreviousExecutions',
		dedupeValue: '={{ $json.ChangeKey }}',
	},
};

const telling = (name: string, url: string): INode => ({
	id: name,
	name,
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	position: [440, 0],
	parameters: { url: `=${url}` },
});

/** Tells the receiver, for each item, by which way it came. */
const teller = (address: string, way: string) =>
	telling(way, `${address}/?way=${way}&id={{ $json.Id }}`);

const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];

/** What the trigger hands out is told as it comes. */
export const onceWorkflow = (
	name: string,
	parameters: INodeParameters,
	address: string,
	way: string,
): WorkflowFile => ({
	name,
	nodes: [trigger(parameters), teller(address, way)],
	connections: { 'Corrigo Trigger': { main: [to(way)] } },
});

/** What has come before goes another way. */
export const atLeastOnceWorkflow = (
	name: string,
	parameters: INodeParameters,
	address: string,
	[kept, discarded]: [string, string],
): WorkflowFile => ({
	name,
	nodes: [trigger(parameters), removeDuplicates, teller(address, kept), teller(address, discarded)],
	connections: {
		'Corrigo Trigger': { main: [to('Remove Duplicates')] },
		'Remove Duplicates': { main: [to(kept), to(discarded)] },
	},
});

export const WEBHOOK_TRIGGER = 'Corrigo Webhook Trigger';

/** What is pushed is told as `52001-Create`: which order, and what was done to it. */
export const pushedWorkflow = (
	parameters: INodeParameters,
	address: string,
	webhookId: string,
): WorkflowFile => ({
	name: 'Told of pushes',
	nodes: [
		{
			...trigger({ event: 'workOrderAction', ...parameters }),
			name: WEBHOOK_TRIGGER,
			type: 'n8n-nodes-corrigo.corrigoWebhookTrigger',
			typeVersion: 2,
			webhookId,
		},
		telling('Tell', `${address}/?told={{ $json.WorkOrderId }}-{{ $json.TypeId }}`),
	],
	connections: { [WEBHOOK_TRIGGER]: { main: [to('Tell')] } },
});
