import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startSandbox, type Sandbox } from '../../sandbox';
import { actAsColleague } from '../../sandbox/desktop';
import type { Workflow, WorkflowFile } from '../n8n/api';
import { killN8n, restartN8n, startInstance, type Instance } from '../n8n/instance';
import { waitFor } from '../waitFor';
import { withCredential } from '../workflows/credentials';
import { Receiver } from '../workflows/receiver';
import {
	atLeastOnceWorkflow,
	onceWorkflow,
	pollTimes,
	recordedWorkflow,
} from '../workflows/triggerWorkflows';
import { blockInserts, runSql } from './database';

// n8n restarts several times.
jest.setTimeout(300_000);

/** n8n gives up an activation after five attempts, which take 15 seconds. */
const ACTIVATION_ATTEMPTS_MS = 16_000;
const parameters = (delivery: string) => ({
	pollTimes: pollTimes(5),
	event: 'workOrderCreated',
	options: { delivery },
});

const once = (address: string) => onceWorkflow('Once', parameters('once'), address, 'once');

const atLeastOnce = (address: string) =>
	atLeastOnceWorkflow('At least once', parameters('atLeastOnce'), address, ['kept', 'discarded']);

const recorded = (address: string) =>
	recordedWorkflow('Recorded', parameters('atLeastOnce'), address, ['begun', 'done']);

describe('the trigger in an n8n that restarts', () => {
	let folder: string;
	let sandbox: Sandbox;
	let instance: Instance;
	let receiver: Receiver;
	let address: string;

	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), 'corrigo-restart-'));
		sandbox = await startSandbox({ workOrders: 20 });
		instance = await startInstance({ userFolder: folder, credentialData: sandbox.credentials });
	});

	afterAll(async () => {
		await instance?.n8n.stop();
		await sandbox?.close();
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	});

	beforeEach(async () => {
		receiver = new Receiver();
		address = await receiver.open();
	});

	afterEach(async () => {
		sandbox.clearFaults();
		await receiver.close();
	});

	async function restart() {
		instance = await restartN8n(instance, folder);
	}

	async function activate(file: WorkflowFile): Promise<Workflow> {
		const { api, credential } = instance;
		return await api.activate(await api.createWorkflow(withCredential(file, credential)));
	}

	const createOrder = () => Number(actAsColleague(sandbox.world, { members: {} }).Id);

	/** Sorted by ID, because executions may overtake each other. */
	const reported = (route: string) => receiver.ids(route).sort((a, b) => a - b);

	const waitForReport = async (route: string, id: number) =>
		await waitFor(
			`${route} has reported ${id}`,
			() => reported(route),
			(ids) => ids.includes(id),
		);

	async function waitForPolls(times: number) {
		sandbox.forgetRequests();
		await waitFor(
			`n8n has polled ${times} times`,
			() => sandbox.requestsTo('api').length,
			(count) => count >= times,
		);
	}

	const failedExecutions = async ({ id }: Workflow) =>
		(await instance.api.executions(id)).filter(({ status }) => status === 'error').length;

	it('reports every change once after n8n has restarted while Corrigo was down', async () => {
		const workflows = [await activate(once(address)), await activate(atLeastOnce(address))];
		const before = createOrder();
		await Promise.all([waitForReport('once', before), waitForReport('kept', before)]);

		await instance.n8n.stop();
		const duringRestart = createOrder();
		sandbox.fault({ kind: 'status', status: 502, times: Number.MAX_SAFE_INTEGER });
		await restart();
		const started = Date.now();
		const duringOutage = createOrder();
		// Only polls at their times fail in an execution, those of an activation do not.
		for (const workflow of workflows) {
			await waitFor(
				'polls have failed for longer than n8n attempts to activate',
				async () => await failedExecutions(workflow),
				(count) => count > 0 && Date.now() - started > ACTIVATION_ATTEMPTS_MS,
			);
		}
		sandbox.clearFaults();
		const after = createOrder();
		await Promise.all([waitForReport('once', after), waitForReport('kept', after)]);
		await waitForPolls(2 * workflows.length);

		expect(reported('once')).toEqual([before, duringRestart, duringOutage, after]);
		expect(reported('kept')).toEqual([before, duringRestart, duringOutage, after]);
		expect(reported('discarded')).toEqual([before]);
		for (const workflow of workflows) await instance.api.deactivate(workflow);
	});

	const forever = { times: Number.MAX_SAFE_INTEGER };

	/** Restarts n8n, and waits until it has given up activations that fail. */
	async function restartInTrouble(workflow: Workflow) {
		await restart();
		const started = Date.now();
		await waitFor(
			'polls have failed for longer than n8n attempts to activate',
			async () => await failedExecutions(workflow),
			(count) => count > 0 && Date.now() - started > ACTIVATION_ATTEMPTS_MS,
		);
	}

	it('continues after n8n has started while a gateway answers 403 with a page', async () => {
		const workflow = await activate(once(address));
		await instance.n8n.stop();
		const missed = createOrder();
		sandbox.fault({ kind: 'html', status: 403, ...forever });
		await restartInTrouble(workflow);

		sandbox.clearFaults();
		await waitForReport('once', missed);
		expect(reported('once')).toEqual([missed]);
		await instance.api.deactivate(workflow);
	});

	it('continues after n8n has started with a wrong secret that is corrected later', async () => {
		const workflow = await activate(once(address));
		const { api, credential } = instance;
		await api.updateCredential(credential, { ...sandbox.credentials, clientSecret: 'wrong' });
		await instance.n8n.stop();
		const missed = createOrder();
		await restartInTrouble(workflow);

		await instance.api.updateCredential(credential, sandbox.credentials);
		await waitForReport('once', missed);
		expect(reported('once')).toEqual([missed]);
		await instance.api.deactivate(workflow);
	});

	it('leaves no change undone when n8n is killed between two calls for it, and repeats only that one', async () => {
		const workflow = await activate(recorded(address));
		const before = createOrder();
		await waitForReport('done', before);
		// Its change is recorded by the time that the next poll finds something.
		await waitForPolls(2);
		const [first, second, third] = [createOrder(), createOrder(), createOrder()];
		receiver.isHeld = (query) =>
			query.get('route') === 'done' && query.get('id') === String(second);
		await waitForReport('done', second);
		await killN8n(instance);
		receiver.isHeld = () => false;
		expect(reported('begun')).toEqual([before, first, second]);

		await restart();
		await waitForReport('done', third);
		const after = createOrder();
		await waitForReport('done', after);

		expect(reported('begun')).toEqual([before, first, second, second, third, after]);
		expect(reported('done')).toEqual([before, first, second, second, third, after]);
		await instance.api.deactivate(workflow);
	});

	it('reports every change at least once after n8n was killed, and once with Remove Duplicates', async () => {
		const workflow = await activate(atLeastOnce(address));
		const before = createOrder();
		await waitForReport('kept', before);

		// n8n is killed after it has saved the state and before it has created the execution.
		const { begin, end } = blockInserts('execution_entity');
		await runSql(folder, begin);
		const lost = createOrder();
		await waitFor(
			'n8n has saved the state',
			async () => (await instance.api.workflow(workflow.id)).staticData,
			(state) => JSON.stringify(state).includes(`"newest":"${lost} `),
		);
		await killN8n(instance);
		await runSql(folder, end);
		expect(reported('kept')).toEqual([before]);
		await restart();
		await waitForReport('kept', lost);
		const after = createOrder();
		await waitForReport('kept', after);

		expect(reported('kept')).toEqual([before, lost, after]);
		expect(reported('discarded')).toEqual([]);
		await instance.api.deactivate(workflow);
	});
});
