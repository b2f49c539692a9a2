import type { INode, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import type { Credential, WorkflowFile } from '../n8n/api';

export const PATH = 'orders';

export const byId = (value: unknown) => ({ __rl: true, mode: 'id', value });

/** Creates an order with the first request type, customer, asset and task of the Company. */
export function createParameters({ store }: Sandbox): INodeParameters {
	const id = (entity: string) => byId(store.rows(entity)[0].Id);
	const type = store.rows('WorkOrderType').find(({ IsDefSR }) => IsDefSR === true);
	return {
		resource: 'workOrder',
		operation: 'create',
		typeCategory: 'Request',
		subType: byId(type?.Id),
		customer: id('Customer'),
		items: { values: [{ asset: id('Location'), task: id('Task') }] },
		additionalFields: { externalNumber: '={{ $json.body.number }}' },
		// Without the check, a request that is sent twice creates two orders, which the test detects.
		preventDuplicates: { skipIfExternalNumberExists: false },
	} as INodeParameters;
}

/** A webhook that creates a work order and responds with it. */
export function workflowFor(sandbox: Sandbox, { id, name }: Credential): WorkflowFile {
	const webhook: INode = {
		id: 'webhook',
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		position: [0, 0],
		parameters: { path: PATH, httpMethod: 'POST', responseMode: 'lastNode' },
		webhookId: PATH,
	};
	const corrigo: INode = {
		id: 'corrigo',
		name: 'Corrigo',
		type: 'n8n-nodes-corrigo.corrigo',
		typeVersion: 1,
		position: [200, 0],
		parameters: createParameters(sandbox),
		credentials: { corrigoApi: { id, name } },
	};
	return {
		name: 'An order for each request',
		nodes: [webhook, corrigo],
		connections: { [webhook.name]: { main: [[{ node: corrigo.name, type: 'main', index: 0 }]] } },
	};
}
