import { startSandbox, type Sandbox } from '../../sandbox';
import { actAsColleague, workOrderShape } from '../../sandbox/desktop';
import { itemsOf, type Credential, type Workflow } from '../n8n/api';
import { newConnection } from '../process/loopback';
import { waitFor } from '../waitFor';
import { withCredential } from '../workflows/credentials';
import { Receiver } from '../workflows/receiver';
import { WEBHOOK_TRIGGER, webhookUrl, webhookWorkflow } from '../workflows/triggerWorkflows';
import { ownerApi, testEnvironment } from './environment';

const WEBHOOK_ID = '6f0d3c1e-5a77-4a3e-9c58-0a1b2c3d4e5f';

describe('the webhook trigger in n8n', () => {
	const { url, credential } = testEnvironment();
	const api = ownerApi(testEnvironment());
	const receiver = new Receiver();
	let sandbox: Sandbox;
	let own: Credential;
	let workflow: Workflow;

	beforeAll(async () => {
		// Other tests act in the sandbox that all share, and their changes would be pushed, too.
		sandbox = await startSandbox({ workOrders: 20 });
		own = await api.createCredential('Webhook', credential.type, sandbox.credentials);
		const file = webhookWorkflow({}, await receiver.open(), WEBHOOK_ID);
		workflow = await api.createWorkflow(withCredential(file, own));
	});

	beforeEach(async () => {
		workflow = await api.activate(workflow);
	});

	afterEach(async () => {
		workflow = await api.deactivate(workflow);
	});

	afterAll(async () => {
		await api.deleteCredential(own);
		await receiver.close();
		await sandbox.close();
	});

	const act = (work: object) => actAsColleague(sandbox.world, workOrderShape.parse(work));
	const address = (kind?: string) => webhookUrl({ url }, WEBHOOK_ID, kind);
	const waitForChange = async (change: string) =>
		await waitFor(
			`the workflow has reported ${change}`,
			() => receiver.changes(),
			(changes) => changes.includes(change),
		);
	const statuses = async () => (await api.executions(workflow.id)).map(({ status }) => status);

	it('shows a test event in the editor that listens for it', async () => {
		const { Id } = act({});
		const execution = await api.runTestEvent(workflow, async () => {
			expect(await sandbox.push({ url: address('webhook-test') })).toMatchObject([{ status: 200 }]);
		});
		expect(execution).toMatchObject({ mode: 'manual', status: 'success' });
		expect(itemsOf(execution, WEBHOOK_TRIGGER).map(({ json }) => json)).toMatchObject([
			{ WorkOrderId: Id, TypeId: 'Create', ChangeKey: expect.stringMatching(/^Test /) as string },
		]);
	});

	it('refuses a push that it cannot read, without an execution', async () => {
		const before = (await statuses()).length;
		const send = async (type: string, body: string) =>
			await fetch(address(), {
				method: 'POST',
				headers: { 'content-type': type, ...newConnection },
				body,
			});
		expect((await send('application/json', '{"Id":')).status).toBe(422);
		expect((await send('text/plain', '{"Id":')).status).toBe(400);
		expect((await send('application/xml', '<x/>')).status).toBe(415);
		expect((await send('application/json', `["${'x'.repeat(1024 * 1024)}"]`)).status).toBe(413);
		expect(await statuses()).toHaveLength(before);
	});

	// Promise: The first push counts, even if n8n started without Corrigo
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
