import type { INode } from 'n8n-workflow';

import { itemsOf, type WorkflowFile } from '../n8n/api';
import { ownerAt, world } from './environment';

const node: INode = {
	id: 'records',
	name: 'Records',
	type: 'n8n-nodes-corrigo.corrigo',
	typeVersion: 1,
	position: [200, 0],
	parameters: {
		resource: 'record',
		operation: 'getMany',
		entity: { __rl: true, mode: 'name', value: 'Customer' },
		limit: 3,
	},
};

const started: WorkflowFile = {
	name: 'Three customers',
	nodes: [
		{
			id: 'start',
			name: 'Start',
			type: 'n8n-nodes-base.manualTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
		node,
	],
	connections: { Start: { main: [[{ node: node.name, type: 'main', index: 0 }]] } },
};

describe('a workflow with the node', () => {
	const { credential } = world();
	const credentials = { corrigoApi: { id: credential.id, name: credential.name } };
	const api = ownerAt(world());

	it('runs in n8n and brings what the sandbox holds', async () => {
		const [start] = started.nodes;
		const nodes = [start, { ...node, credentials }];

		const execution = await api.run(await api.createWorkflow({ ...started, nodes }));

		expect(execution).toMatchObject({ status: 'success', mode: 'manual' });
		const items = itemsOf(execution, node.name).map(({ json }) => json);
		expect(items).toHaveLength(3);
		expect(items[0]).toEqual(
			expect.objectContaining({ Id: expect.any(Number), DisplayAs: expect.any(String) }),
		);
	});

	it('answers the search in the list of entities', async () => {
		const { results } = await api.listSearch(
			{
				node,
				parameters: node.parameters,
				credentials,
				path: 'parameters.entity',
				methodName: 'searchEntities',
			},
			'WorkOrderCost',
		);

		expect(results).toContainEqual(expect.objectContaining({ value: 'WorkOrderCost' }));
	});
});
