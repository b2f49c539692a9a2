import type { INode } from 'n8n-workflow';

import { itemsOf, type WorkflowFile } from '../n8n/api';
import { withCredential } from '../n8n/instance';
import { until } from '../waitFor';
import { Control } from './sandboxClient';
import { Receiver } from '../workflows/receiver';
import { ownerAt, world } from './environment';

const workflow = (ring: string): WorkflowFile => {
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
			id: 'ring',
			name: 'Ring',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			position: [220, 0],
			executeOnce: true,
			parameters: { url: `=${ring}/?execution={{ $execution.id }}` },
		},
	];
	return {
		name: 'Tell of new work orders',
		nodes,
		connections: { 'Corrigo Trigger': { main: [[{ node: 'Ring', type: 'main', index: 0 }]] } },
	};
};

describe('the trigger in n8n', () => {
	const { controlUrl, credential } = world();
	const sandbox = new Control(controlUrl);
	const doorbell = new Receiver();
	const api = ownerAt(world());
	let ring: string;

	beforeAll(async () => {
		ring = await doorbell.open();
	});

	afterAll(async () => {
		await doorbell.close();
	});

	/** n8n polls as it activates: no need to wait for the next full hour. */
	it('starts an execution with what was made since the poll before, and with nothing else', async () => {
		const created = await api.createWorkflow(withCredential(workflow(ring), credential));
		await api.deactivate(await api.activate(created));
		expect(await api.executions(created.id)).toEqual([]);

		const order = await sandbox.atTheDesktop({});
		await sandbox.forgetRequests();
		const active = await api.activate(created);
		const [rung] = await until(
			'the workflow has rung',
			() => doorbell.received,
			({ length }) => length > 0,
		);
		const execution = await api.execution(String(rung.get('execution')));
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
