import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startSandbox, type Sandbox } from '../../sandbox';
import { actAsColleague, workOrderShape } from '../../sandbox/desktop';
import { itemsOf, N8nApi, type Workflow } from '../n8n/api';
import { root } from '../demo';
import { startN8n } from '../n8n/server';
import { Receiver } from '../workflows/receiver';
import { openSession, withCredential, type Session } from '../n8n/instance';
import { pushedWorkflow, WEBHOOK_TRIGGER } from '../workflows/triggerWorkflows';
import { until } from '../waitFor';

// n8n starts twice.
jest.setTimeout(300_000);

const WEBHOOK_ID = '6f0d3c1e-5a77-4a3e-9c58-0a1b2c3d4e5f';

describe('the webhook trigger in n8n', () => {
	let folder: string;
	let sandbox: Sandbox;
	let session: Session;
	const receiver = new Receiver();
	let workflow: Workflow;

	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), 'corrigo-webhook-'));
		sandbox = await startSandbox({ workOrders: 20 });
		session = await openSession({
			root,
			userFolder: folder,
			credentialData: sandbox.credentials,
		});
		const file = pushedWorkflow({}, await receiver.open(), WEBHOOK_ID);
		workflow = await session.api.createWorkflow(withCredential(file, session.credential));
	});

	afterAll(async () => {
		await session?.n8n.stop();
		await receiver.close();
		await sandbox?.close();
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	});

	const person = (work: object) => actAsColleague(sandbox.world, workOrderShape.parse(work));
	const address = (kind = 'webhook') => `${session.n8n.url}/${kind}/${WEBHOOK_ID}/webhook`;
	const told = () => receiver.received.map((query) => query.get('told'));
	const hasTold = async (what: string) =>
		await until(
			`the workflow has told of ${what}`,
			() => told(),
			(all) => all.includes(what),
		);
	const statuses = async () =>
		(await session.api.executions(workflow.id)).map(({ status }) => status);

	it('shows a test event to who listens for it', async () => {
		const { Id } = person({});
		const execution = await session.api.test(workflow, async () => {
			expect(await sandbox.push({ url: address('webhook-test') })).toMatchObject([{ status: 200 }]);
		});
		expect(execution).toMatchObject({ mode: 'manual', status: 'success' });
		expect(itemsOf(execution, WEBHOOK_TRIGGER).map(({ json }) => json)).toMatchObject([
			{ WorkOrderId: Id, TypeId: 'Create', ChangeKey: expect.stringMatching(/^Test /) as string },
		]);
	});

	it('starts an execution with what is pushed, once, also after n8n has started anew', async () => {
		workflow = await session.api.activate(workflow);
		receiver.received.length = 0;
		const { Id } = person({});
		const answers = await sandbox.push({ url: address(), times: 3, atOnce: 3 });
		expect(answers.map(({ status, text }) => [status, text])).toEqual(
			answers.map(() => [200, 'Received']),
		);
		await hasTold(`${Id}-Create`);

		await session.n8n.stop();
		const n8n = await startN8n({ userFolder: folder });
		session = { ...session, n8n, api: new N8nApi(n8n.url, session.api.session) };
		expect(await sandbox.push({ url: address(), again: true })).toMatchObject([{ status: 200 }]);
		person({ id: Id, command: 'WoPickUpCommand' });
		await sandbox.push({ url: address() });
		await hasTold(`${Id}-PickUp`);
		expect(told()).toEqual([`${Id}-Create`, `${Id}-PickUp`]);
	});

	it('refuses what cannot be read, and starts nothing with it', async () => {
		const before = (await statuses()).length;
		const send = async (type: string, body: string) =>
			await fetch(address(), { method: 'POST', headers: { 'content-type': type }, body });
		expect((await send('application/json', '{"Id":')).status).toBe(422);
		expect((await send('text/plain', '{"Id":')).status).toBe(400);
		expect((await send('application/xml', '<x/>')).status).toBe(415);
		expect((await send('application/json', `["${'x'.repeat(1024 * 1024)}"]`)).status).toBe(413);
		expect(await statuses()).toHaveLength(before);
	});

	it('shows a failed read as a failed execution, and catches up with the next push', async () => {
		const { Id } = person({});
		const away = {
			kind: 'status',
			status: 502,
			times: 9,
			headers: { 'retry-after': '0' },
		} as const;
		sandbox.fault({ match: { server: 'api' }, ...away });
		expect(await sandbox.push({ url: address() })).toMatchObject([{ status: 200 }]);
		await until('the execution has failed', statuses, (all) => all.includes('error'));
		sandbox.clearFaults();
		const { Id: next } = person({});
		expect(await sandbox.push({ url: address() })).toMatchObject([{ status: 200 }]);
		await hasTold(`${next}-Create`);
		expect(told()).toContain(`${Id}-Create`);
	});
});
