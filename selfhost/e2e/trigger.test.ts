import type { INode } from 'n8n-workflow';

import { itemsOf, type WorkflowFile } from '../n8n/api';
import { waitFor } from '../waitFor';
import { withCredential } from '../workflows/credentials';
import { Receiver } from '../workflows/receiver';
import { ownerApi, testEnvironment } from './environment';
import { SandboxClient } from './sandboxClient';

const workflow = (address: string): WorkflowFile => {
	const nodes: INode[] = [
		{
			id: 'trigger',
			name: 'Corrigo Trigger',
			type: 'n8n-nodes-corrigo.corrigoTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {
				pollTimes: { item: [{ mode: 'everyX', value: 1, unit: 'hours' }] },
				event: 'workOrderCreated',
			},
		},
		{
			id: 'report',
			name: 'Report',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			position: [220, 0],
			executeOnce: true,
			parameters: { url: `=${address}/?execution={{ $execution.id }}` },
		},
	];
	return {
		name: 'Report new work orders',
		nodes,
		connections: { 'Corrigo Trigger': { main: [[{ node: 'Report', type: 'main', index: 0 }]] } },
	};
};

describe('the trigger in n8n', () => {
	const { controlUrl, credential } = testEnvironment();
	const sandbox = new SandboxClient(controlUrl);
	const receiver = new Receiver();
	const api = ownerApi(testEnvironment());
	let address: string;

	beforeAll(async () => {
		address = await receiver.open();
	});

	afterAll(async () => {
		await receiver.close();
	});

	// n8n polls when it activates a workflow, so the test need not wait for the next hour.
	it('starts an execution with exactly the work orders created since the last poll', async () => {
		const created = await api.createWorkflow(withCredential(workflow(address), credential));
		await api.deactivate(await api.activate(created));
		expect(await api.executions(created.id)).toEqual([]);

		const order = await sandbox.actInDesktop({});
		await sandbox.forgetRequests();
		const active = await api.activate(created);
		const [report] = await waitFor(
			'the workflow has sent its report',
			() => receiver.received,
			({ length }) => length > 0,
		);
		const execution = await api.execution(String(report.get('execution')));
		await api.deactivate(active);

		expect(execution).toMatchObject({ mode: 'trigger', workflowId: created.id });
		expect(itemsOf(execution, 'Corrigo Trigger').map(({ json }) => json)).toEqual([
			expect.objectContaining({ Id: order.Id, Number: order.Number }),
		]);
		expect(await api.executions(created.id)).toEqual([
			expect.objectContaining({ id: execution.id }),
		]);
		const [query] = await sandbox.bodiesSentTo('/query/WorkOrder');
		expect(JSON.stringify(query)).toContain('CreatedDateUtc');
	});
});
