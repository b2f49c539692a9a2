import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox';
import { actAsColleague, workOrderShape } from '../../sandbox/desktop';
import type { Credential, Workflow, WorkflowFile } from '../n8n/api';
import { killN8n, restartN8n, startInstance, type Instance } from '../n8n/instance';
import { waitFor } from '../waitFor';
import { withCredential } from '../workflows/credentials';
import { Receiver } from '../workflows/receiver';
import {
	atLeastOnceWorkflow,
	onceWorkflow,
	pollTimes,
	recordedWorkflow,
	webhookUrl,
	webhookWorkflow,
} from '../workflows/triggerWorkflows';
import { troubles, WRONG_SECRET } from '../workflows/troubles';
import { blockInserts, runSql } from './database';

// n8n restarts twice.
jest.setTimeout(600_000);

/** n8n gives up an activation after five attempts, which take 15 seconds. */
const ACTIVATION_ATTEMPTS_MS = 16_000;
/** On a slow machine n8n cannot keep up with more polls. */
const SECONDS_IN_TROUBLE = 20;
/** One of each kind. `test/engine/trigger/trigger.test.ts` tries every status with every body. */
const TROUBLES = [
	'is down',
	'answers 401 with JSON',
	'answers 404 with a page',
	'refuses the client with 403',
	'gets a wrong secret',
];
const WEBHOOK_ID = '6f0d3c1e-5a77-4a3e-9c58-0a1b2c3d4e5f';

const parameters = (delivery: string, secondsBetween = 5) => ({
	pollTimes: pollTimes(secondsBetween),
	event: 'workOrderCreated',
	options: { delivery },
});

describe('a trigger in an n8n that restarts', () => {
	let folder: string;
	let instance: Instance;
	let address: string;
	const receiver = new Receiver();
	const companies: Company[] = [];

	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), 'corrigo-restart-'));
		address = await receiver.open();
		const sandbox = await startSandbox({ workOrders: 5 });
		instance = await startInstance({ userFolder: folder, credentialData: sandbox.credentials });
		await sandbox.close();
	});

	afterAll(async () => {
		await instance?.n8n.stop();
		await receiver.close();
		await Promise.all(companies.map(async ({ sandbox }) => await sandbox.close()));
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	});

	/** A Corrigo, and the active workflows for it. */
	class Company {
		workflows: Workflow[] = [];

		private constructor(
			readonly sandbox: Sandbox,
			private readonly credential: Credential,
		) {}

		static async connect(name: string, files: WorkflowFile[]): Promise<Company> {
			const { api, credential } = instance;
			const sandbox = await startSandbox({ workOrders: 5 });
			const own = await api.createCredential(name, credential.type, sandbox.credentials);
			const company = new Company(sandbox, own);
			companies.push(company);
			for (const file of files) {
				const created = await api.createWorkflow(withCredential(file, own));
				company.workflows.push(await api.activate(created));
			}
			return company;
		}

		readonly act = (work: object) =>
			Number(actAsColleague(this.sandbox.world, workOrderShape.parse(work)).Id);

		readonly createOrder = () => this.act({});

		async setSecret(clientSecret = this.sandbox.credentials.clientSecret) {
			const data: ICredentialDataDecryptedObject = { ...this.sandbox.credentials, clientSecret };
			await instance.api.updateCredential(this.credential, data);
		}

		async waitForPolls(times: number) {
			const { sandbox } = this;
			sandbox.forgetRequests();
			await waitFor(
				`n8n has polled ${times} times`,
				() => sandbox.requestsTo('api').length,
				(count) => count >= times,
			);
		}

		/** Only polls at their times fail in an execution, that of an activation does not. */
		async waitForFailedPolls() {
			for (const { id } of this.workflows) {
				await waitFor(
					'a poll has failed',
					async () => await instance.api.executions(id, 'error'),
					({ length }) => length > 0,
				);
			}
		}

		async deactivate() {
			for (const workflow of this.workflows) await instance.api.deactivate(workflow);
		}
	}

	async function restart() {
		instance = await restartN8n(instance, folder);
	}

	/** Sorted by ID, because executions may overtake each other. */
	const reported = (route: string) => receiver.ids(route).sort((a, b) => a - b);

	const waitForReport = async (route: string, id: number) =>
		await waitFor(
			`${route} has reported ${id}`,
			() => reported(route),
			(ids) => ids.includes(id),
		);

	const routeOf = (name: string) => name.replaceAll(' ', '-');

	const onceFor = (name: string) =>
		onceWorkflow(name, parameters('once', SECONDS_IN_TROUBLE), address, routeOf(name));

	const atLeastOnce = (kept: string, discarded: string, secondsBetween?: number) =>
		atLeastOnceWorkflow(kept, parameters('atLeastOnce', secondsBetween), address, [
			kept,
			discarded,
		]);

	describe('after it was killed', () => {
		const before: Record<string, number[]> = {};
		let books: { first: number[]; second: number; third: number[] };
		let messages: number[];

		beforeAll(async () => {
			const recorded = recordedWorkflow('Recorded', parameters('atLeastOnce'), address, [
				'begun',
				'done',
			]);
			const booksCompany = await Company.connect('books', [recorded]);
			const messagesCompany = await Company.connect('messages', [atLeastOnce('kept', 'discarded')]);
			const earlier = booksCompany.createOrder();
			const earlierMessage = messagesCompany.createOrder();
			await waitForReport('done', earlier);
			await waitForReport('kept', earlierMessage);
			// Its change is recorded by the time that the next poll finds something.
			await booksCompany.waitForPolls(2);

			const [first, second, third] = [1, 2, 3].map(() => booksCompany.createOrder());
			receiver.isHeld = (query) =>
				query.get('route') === 'done' && query.get('id') === String(second);
			await waitForReport('done', second);
			// In the other workflow n8n dies after it has saved the state, before it has an execution.
			const { begin, end } = blockInserts('execution_entity');
			await runSql(folder, begin);
			const lost = messagesCompany.createOrder();
			await waitFor(
				'n8n has saved the state',
				async () => (await instance.api.workflow(messagesCompany.workflows[0].id)).staticData,
				(state) => JSON.stringify(state).includes(`"newest":"${lost} `),
			);
			await killN8n(instance);
			receiver.isHeld = () => false;
			await runSql(folder, end);
			before.begun = reported('begun');
			before.kept = reported('kept');

			await restart();
			await waitForReport('done', third);
			await waitForReport('kept', lost);
			const after = booksCompany.createOrder();
			messages = [earlierMessage, lost, messagesCompany.createOrder()];
			books = { first: [earlier, first], second, third: [third, after] };
			await waitForReport('done', after);
			await waitForReport('kept', messages[2]);
			for (const company of [booksCompany, messagesCompany]) await company.deactivate();
		});

		// Promise: With *At Least Once* and a table of completed work
		it('between two calls for a change, leaves no change undone, and repeats only that one', () => {
			const { first, second, third } = books;
			expect(before.begun).toEqual([...first, second]);
			for (const route of ['begun', 'done']) {
				expect(reported(route)).toEqual([...first, second, second, ...third]);
			}
		});

		// Promise: Nothing is lost while n8n or Corrigo is down
		it('before it had an execution, reports every change at least once, and once with Remove Duplicates', () => {
			expect(before.kept).toEqual(messages.slice(0, 1));
			expect(reported('kept')).toEqual(messages);
			expect(reported('discarded')).toEqual([]);
		});
	});

	describe('after it has started while Corrigo', () => {
		const inTrouble = new Map<string, Company>();
		const made = new Map<string, number[]>();
		const KEPT = 'kept-in-outage';
		const DISCARDED = 'discarded-in-outage';
		const WEBHOOK = 'webhook';
		let pushes: Company;
		let pushedOrder: number;

		const createOrders = () => {
			for (const [name, { createOrder }] of inTrouble) {
				made.set(name, [...(made.get(name) ?? []), createOrder()]);
			}
		};

		const pushAddress = () => webhookUrl(instance.n8n, WEBHOOK_ID);

		const waitForPushed = async (change: string) =>
			await waitFor(
				`the webhook trigger has reported ${change}`,
				() => receiver.changes(),
				(changes) => changes.includes(change),
			);

		beforeAll(async () => {
			for (const name of TROUBLES) {
				const more = name === 'is down' ? [atLeastOnce(KEPT, DISCARDED, 10)] : [];
				inTrouble.set(name, await Company.connect(name, [onceFor(name), ...more]));
			}
			pushes = await Company.connect(WEBHOOK, [webhookWorkflow({}, address, WEBHOOK_ID)]);
			const outage = inTrouble.get('is down') as Company;
			const before = outage.createOrder();
			made.set('is down', [before]);
			pushedOrder = pushes.createOrder();
			const answers = await pushes.sandbox.push({ url: pushAddress(), times: 3, atOnce: 3 });
			expect(answers.map(({ status, text }) => [status, text])).toEqual(
				answers.map(() => [200, 'Received']),
			);
			await waitForPushed(`${pushedOrder}-Create`);
			await waitForReport(KEPT, before);

			for (const [name, company] of inTrouble) {
				if (troubles[name] === WRONG_SECRET) await company.setSecret('wrong');
			}
			await instance.n8n.stop();
			createOrders();
			for (const [name, { sandbox }] of inTrouble) {
				const trouble = troubles[name];
				sandbox.revokeTokens();
				if (trouble !== WRONG_SECRET) sandbox.fault(trouble);
			}
			await restart();
			const started = Date.now();
			createOrders();
			for (const company of inTrouble.values()) await company.waitForFailedPolls();
			await waitFor(
				'n8n has given up activations that fail',
				() => Date.now() - started,
				(elapsed) => elapsed > ACTIVATION_ATTEMPTS_MS,
			);
			for (const [name, company] of inTrouble) {
				company.sandbox.clearFaults();
				if (troubles[name] === WRONG_SECRET) await company.setSecret();
			}
			createOrders();
			for (const [name, ids] of made) await waitForReport(routeOf(name), Number(ids.at(-1)));
			await waitForReport(KEPT, Number(made.get('is down')?.at(-1)));
			await outage.waitForPolls(4);
		});

		// Promise: Nothing is lost while n8n or Corrigo is down
		it.each(TROUBLES)('%s, reports every change once', (name) => {
			expect(reported(routeOf(name))).toEqual(made.get(name));
		});

		it('is down, reports every change at least once, and once with Remove Duplicates', () => {
			expect(reported(KEPT)).toEqual(made.get('is down'));
			// The poll before the restart comes again.
			expect(reported(DISCARDED)).toEqual(made.get('is down')?.slice(0, 1));
		});

		// Promise: Each change starts the workflow once, however pushes arrive and n8n restarts
		it('pushes again, starts one execution for each change', async () => {
			const url = pushAddress();
			expect(await pushes.sandbox.push({ url, again: true })).toMatchObject([{ status: 200 }]);
			pushes.act({ id: pushedOrder, command: 'WoPickUpCommand' });
			await pushes.sandbox.push({ url });
			await waitForPushed(`${pushedOrder}-PickUp`);
			expect(receiver.changes()).toEqual([`${pushedOrder}-Create`, `${pushedOrder}-PickUp`]);
		});
	});
});
