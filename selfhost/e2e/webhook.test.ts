import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startSandbox, type Sandbox } from '../../sandbox';
import { actAsColleague, workOrderShape } from '../../sandbox/desktop';
import { itemsOf, type Workflow } from '../n8n/api';
import { restartN8n, startInstance, type Instance } from '../n8n/instance';
import { waitFor } from '../waitFor';
import { withCredential } from '../workflows/credentials';
import { Receiver } from '../workflows/receiver';
import { WEBHOOK_TRIGGER, webhookWorkflow } from '../workflows/triggerWorkflows';

// n8n starts twice, which takes longer than the default allows.
jest.setTimeout(300_000);

const WEBHOOK_ID = '6f0d3c1e-5a77-4a3e-9c58-0a1b2c3d4e5f';

describe('the webhook trigger in n8n', () => {
	let folder: string;
	let sandbox: Sandbox;
	let instance: Instance;
	const receiver = new Receiver();
	let workflow: Workflow;

	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), 'corrigo-webhook-'));
		sandbox = await startSandbox({ workOrders: 20 });
		instance = await startInstance({ userFolder: folder, credentialData: sandbox.credentials });
		const file = webhookWorkflow({}, await receiver.open(), WEBHOOK_ID);
		workflow = await instance.api.createWorkflow(withCredential(file, instance.credential));
	});

	afterAll(async () => {
		await instance?.n8n.stop();
		await receiver.close();
		await sandbox?.close();
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	});

	const act = (work: object) => actAsColleague(sandbox.world, workOrderShape.parse(work));
	const address = (kind = 'webhook') => `${instance.n8n.url}/${kind}/${WEBHOOK_ID}/webhook`;
	const waitForChange = async (change: string) =>
		await waitFor(
			`the workflow has reported ${change}`,
			() => receiver.changes(),
			(changes) => changes.includes(change),
		);
	const statuses = async () =>
		(await instance.api.executions(workflow.id)).map(({ status }) => status);

	it('shows a test event in the editor that listens for it', async () => {
		const { Id } = act({});
		const execution = await instance.api.runTestEvent(workflow, async () => {
			expect(await sandbox.push({ url: address('webhook-test') })).toMatchObject([{ status: 200 }]);
		});
		expect(execution).toMatchObject({ mode: 'manual', status: 'success' });
		expect(itemsOf(execution, WEBHOOK_TRIGGER).map(({ json }) => json)).toMatchObject([
			{ WorkOrderId: Id, TypeId: 'Create', ChangeKey: expect.stringMatching(/^Test /) as string },
		]);
	});

	it('starts one execution for each pushed change, also after n8n has restarted', async () => {
		workflow = await instance.api.activate(workflow);
		receiver.received.length = 0;
		const { Id } = act({});
		const answers = await sandbox.push({ url: address(), times: 3, atOnce: 3 });
		expect(answers.map(({ status, text }) => [status, text])).toEqual(
			answers.map(() => [200, 'Received']),
		);
		await waitForChange(`${Id}-Create`);

		await instance.n8n.stop();
		instance = await restartN8n(instance, folder);
		expect(await sandbox.push({ url: address(), again: true })).toMatchObject([{ status: 200 }]);
		act({ id: Id, command: 'WoPickUpCommand' });
		await sandbox.push({ url: address() });
		await waitForChange(`${Id}-PickUp`);
		expect(receiver.changes()).toEqual([`${Id}-Create`, `${Id}-PickUp`]);
	});

	it('refuses a push that it cannot read, without an execution', async () => {
		const before = (await statuses()).length;
		const send = async (type: string, body: string) =>
			await fetch(address(), { method: 'POST', headers: { 'content-type': type }, body });
		expect((await send('application/json', '{"Id":')).status).toBe(422);
		expect((await send('text/plain', '{"Id":')).status).toBe(400);
		expect((await send('application/xml', '<x/>')).status).toBe(415);
		expect((await send('application/json', `["${'x'.repeat(1024 * 1024)}"]`)).status).toBe(413);
		expect(await statuses()).toHaveLength(before);
	});

	it('shows a failed read as a failed execution and catches up with the next push', async () => {
		const { Id } = act({});
		const outage = {
			kind: 'status',
			status: 502,
			times: 9,
			headers: { 'retry-after': '0' },
		} as const;
		sandbox.fault({ match: { server: 'api' }, ...outage });
		expect(await sandbox.push({ url: address() })).toMatchObject([{ status: 200 }]);
		await waitFor('the execution has failed', statuses, (all) => all.includes('error'));
		sandbox.clearFaults();
		const { Id: next } = act({});
		expect(await sandbox.push({ url: address() })).toMatchObject([{ status: 200 }]);
		await waitForChange(`${next}-Create`);
		expect(receiver.changes()).toContain(`${Id}-Create`);
	});
});
