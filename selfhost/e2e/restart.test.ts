import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startSandbox, type Sandbox } from '../../sandbox';
import { actAsColleague } from '../../sandbox/desktop';
import { N8nApi, type Workflow, type WorkflowFile } from '../n8n/api';
import { root } from '../demo';
import { startN8n } from '../n8n/server';
import { Receiver } from '../workflows/receiver';
import { openSession, withCredential, type Session } from '../n8n/instance';
import { atLeastOnceWorkflow, onceWorkflow, pollTimes } from '../workflows/triggerWorkflows';
import { until } from '../waitFor';
import { inDatabase, stalled } from './database';

// n8n starts anew, several times.
jest.setTimeout(300_000);

/** n8n tries an activation five times, with pauses of 15 seconds in all, and gives it up for good. */
const TRIES_MS = 16_000;
const parameters = (delivery: string) => ({
	pollTimes: pollTimes(5),
	event: 'workOrderCreated',
	options: { delivery },
});

const once = (address: string) => onceWorkflow('Once', parameters('once'), address, 'once');

const atLeastOnce = (address: string) =>
	atLeastOnceWorkflow('At least once', parameters('atLeastOnce'), address, ['kept', 'discarded']);

describe('the trigger in an n8n that starts anew', () => {
	let folder: string;
	let sandbox: Sandbox;
	let session: Session;
	let receiver: Receiver;
	let address: string;

	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), 'corrigo-restart-'));
		sandbox = await startSandbox({ workOrders: 20 });
		const { credentials: credentialData } = sandbox;
		session = await openSession({ root, userFolder: folder, credentialData });
	});

	afterAll(async () => {
		await session?.n8n.stop();
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

	async function kill() {
		process.kill(session.n8n.pid, 'SIGKILL');
		await session.n8n.ended;
	}

	async function start() {
		const n8n = await startN8n({ userFolder: folder });
		session = { ...session, n8n, api: new N8nApi(n8n.url, session.api.session) };
	}

	async function activated(file: WorkflowFile): Promise<Workflow> {
		const { api, credential } = session;
		return await api.activate(await api.createWorkflow(withCredential(file, credential)));
	}

	const orderMade = () => Number(actAsColleague(sandbox.world, { members: {} }).Id);

	/** In the order of their Ids: executions may overtake each other. */
	const told = (way: string) =>
		receiver.received
			.filter((each) => each.get('way') === way)
			.map((each) => Number(each.get('id')))
			.sort((one, other) => one - other);

	const hasTold = async (way: string, id: number) =>
		await until(
			`${way} has told of ${id}`,
			() => told(way),
			(ids) => ids.includes(id),
		);

	async function polledAgain(times: number) {
		sandbox.forgetRequests();
		await until(
			`n8n has polled ${times} times`,
			() => sandbox.requestsTo('api').length,
			(count) => count >= times,
		);
	}

	const failures = async ({ id }: Workflow) =>
		(await session.api.executions(id)).filter(({ status }) => status === 'error').length;

	it('hands out every change once when n8n has started while Corrigo is away', async () => {
		const workflows = [await activated(once(address)), await activated(atLeastOnce(address))];
		const before = orderMade();
		await Promise.all([hasTold('once', before), hasTold('kept', before)]);

		await session.n8n.stop();
		const meanwhile = orderMade();
		sandbox.fault({ kind: 'status', status: 502, times: Number.MAX_SAFE_INTEGER });
		await start();
		const started = Date.now();
		const away = orderMade();
		// Only what is polled at its times fails in an execution.
		for (const workflow of workflows) {
			await until(
				'polls at their times have failed for longer than n8n tries',
				async () => await failures(workflow),
				(count) => count > 0 && Date.now() - started > TRIES_MS,
			);
		}
		sandbox.clearFaults();
		const after = orderMade();
		await Promise.all([hasTold('once', after), hasTold('kept', after)]);
		await polledAgain(2 * workflows.length);

		expect(told('once')).toEqual([before, meanwhile, away, after]);
		expect(told('kept')).toEqual([before, meanwhile, away, after]);
		expect(told('discarded')).toEqual([before]);
		for (const workflow of workflows) await session.api.deactivate(workflow);
	});

	it('loses nothing that n8n was killed with, At Least Once, and Remove Duplicates makes it once', async () => {
		const workflow = await activated(atLeastOnce(address));
		const before = orderMade();
		await hasTold('kept', before);

		// The state is saved, the execution is being created: a moment that is as long as it takes.
		const { begin, end } = stalled('execution_entity');
		await inDatabase(folder, begin);
		const lost = orderMade();
		await until(
			'n8n has saved the state',
			async () => (await session.api.workflow(workflow.id)).staticData,
			(state) => JSON.stringify(state).includes(`"newest":"${lost} `),
		);
		await kill();
		await inDatabase(folder, end);
		expect(told('kept')).toEqual([before]);
		await start();
		await hasTold('kept', lost);
		const after = orderMade();
		await hasTold('kept', after);

		expect(told('kept')).toEqual([before, lost, after]);
		expect(told('discarded')).toEqual([]);
		await session.api.deactivate(workflow);
	});
});
