import type { INode, INodeParameters } from 'n8n-workflow';

import { readExample } from '../examples';
import type { WorkflowFile } from '../n8n/api';

/** Poll times a few seconds apart: each single poll time allows one poll a minute. */
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

const requestNode = (name: string, url: string): INode => ({
	id: name,
	name,
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	position: [440, 0],
	parameters: { url: `=${url}` },
});

/** Sends the receiver the ID of each item and the route by which it came. */
const reportNode = (address: string, route: string) =>
	requestNode(route, `${address}/?route=${route}&id={{ $json.Id }}`);

const connectTo = (node: string) => [{ node, type: 'main' as const, index: 0 }];

/** Reports every item of the trigger. */
export const onceWorkflow = (
	name: string,
	parameters: INodeParameters,
	address: string,
	route: string,
): WorkflowFile => ({
	name,
	nodes: [trigger(parameters), reportNode(address, route)],
	connections: { 'Corrigo Trigger': { main: [connectTo(route)] } },
});

/** Each trigger of one workflow reports the ID and the ChangeKey of its items by the route of its name. */
export const sharedWorkflow = (
	name: string,
	triggers: Record<string, INodeParameters>,
	address: string,
): WorkflowFile => {
	const toReport = (route: string) => `Report ${route}`;
	const key = '{{ encodeURIComponent($json.ChangeKey) }}';
	return {
		name,
		nodes: Object.entries(triggers).flatMap(([route, parameters]) => [
			{ ...trigger(parameters), id: route, name: route },
			requestNode(toReport(route), `${address}/?route=${route}&id={{ $json.Id }}&key=${key}`),
		]),
		connections: Object.fromEntries(
			Object.keys(triggers).map((route) => [route, { main: [connectTo(toReport(route))] }]),
		),
	};
};

/** Reports new items by one route and repeated ones by another. */
export const atLeastOnceWorkflow = (
	name: string,
	parameters: INodeParameters,
	address: string,
	[kept, discarded]: [string, string],
): WorkflowFile => ({
	name,
	nodes: [
		trigger(parameters),
		removeDuplicates,
		reportNode(address, kept),
		reportNode(address, discarded),
	],
	connections: {
		'Corrigo Trigger': { main: [connectTo('Remove Duplicates')] },
		'Remove Duplicates': { main: [connectTo(kept), connectTo(discarded)] },
	},
});

/**
 * The example with the table of changes that are done. Two requests for each item take the place of its
 * entry.
 */
export function recordedWorkflow(
	name: string,
	parameters: INodeParameters,
	address: string,
	[begun, done]: [string, string],
): WorkflowFile {
	const { nodes, connections, settings } = readExample('completed-orders-to-accounting.json');
	const report = (node: string, route: string) =>
		requestNode(node, `${address}/?route=${route}&id={{ $('Loop over changes').first().json.Id }}`);
	const entry = 'Create entry';
	const replaced = (node: INode) => {
		if (node.name === entry) return report(entry, begun);
		return node.name === 'Work order completed' ? { ...node, parameters } : node;
	};
	return {
		name,
		nodes: [...nodes.map(replaced), report(done, done)],
		connections: {
			...connections,
			[entry]: { main: [connectTo(done)] },
			[done]: { main: [connectTo('Record change')] },
		},
		settings,
	};
}

export const WEBHOOK_TRIGGER = 'Corrigo Webhook Trigger';

const webhookTrigger = (parameters: INodeParameters, webhookId: string): INode => ({
	...trigger(parameters),
	name: WEBHOOK_TRIGGER,
	type: 'n8n-nodes-corrigo.corrigoWebhookTrigger',
	webhookId,
});

export const webhookUrl = (n8n: { url: string }, webhookId: string, kind = 'webhook') =>
	`${n8n.url}/${kind}/${webhookId}/webhook`;

/** Reports each pushed change by its work order and action, such as `52001-Create`. */
export const webhookWorkflow = (
	parameters: INodeParameters,
	address: string,
	webhookId: string,
): WorkflowFile => ({
	name: 'Report pushed changes',
	nodes: [
		webhookTrigger({ event: 'workOrderAction', ...parameters }, webhookId),
		requestNode('Report', `${address}/?change={{ $json.WorkOrderId }}-{{ $json.TypeId }}`),
	],
	connections: { [WEBHOOK_TRIGGER]: { main: [connectTo('Report')] } },
});

/** Reports every pushed item; the route is also the ID of the webhook. */
export const pushedWorkflow = (
	parameters: INodeParameters,
	address: string,
	route: string,
): WorkflowFile => ({
	name: route,
	nodes: [webhookTrigger(parameters, route), reportNode(address, route)],
	connections: { [WEBHOOK_TRIGGER]: { main: [connectTo(route)] } },
});
