import type { INode } from 'n8n-workflow';

import { itemsOf } from '../n8n/api';
import { manualWorkflow, ownerApi, testEnvironment } from './environment';

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

describe('the node in a workflow', () => {
	const { credential } = testEnvironment();
	const credentials = { corrigoApi: { id: credential.id, name: credential.name } };
	const api = ownerApi(testEnvironment());

	it('runs in n8n and returns the records of the sandbox', async () => {
		const workflow = manualWorkflow('Three customers', { ...node, credentials });

		const execution = await api.run(await api.createWorkflow(workflow));

		expect(execution).toMatchObject({ status: 'success', mode: 'manual' });
		const items = itemsOf(execution, node.name).map(({ json }) => json);
		expect(items).toHaveLength(3);
		expect(items[0]).toEqual(
			expect.objectContaining({ Id: expect.any(Number), DisplayAs: expect.any(String) }),
		);
	});

	it('lists the entities that match a search', async () => {
		const { results } = await api.listSearch(
			{
				node,
				credentials,
				path: 'parameters.entity',
				methodName: 'searchEntities',
			},
			'WorkOrderCost',
		);

		expect(results).toContainEqual(expect.objectContaining({ value: 'WorkOrderCost' }));
	});
});
