import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox';
import { logAction } from '../../sandbox/base/actionLog';
import { actAsColleague, workOrderShape } from '../../sandbox/desktop';
import { countHistories } from '../../test/cases';
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
	sharedWorkflow,
	webhookUrl,
	webhookWorkflow,
} from '../workflows/triggerWorkflows';
import { troubles, WRONG_SECRET } from '../workflows/troubles';
import { blockInserts, runSql } from './database';

/** Each history restarts n8n up to two times. */
const RUNS = countHistories(1, 3);

jest.setTimeout(600_000 + RUNS * 240_000);

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

const TYPES = ['PickUp', 'Start', 'Stop'] as const;
const TRIGGERS = ['first', 'second'] as const;

interface Edits {
	/** Actions that start the workflow; an empty list means all. */
	types: readonly string[];
	batchSize: number;
	lag: boolean;
}

type Step =
	| { do: 'act'; type: (typeof TYPES)[number]; times: number }
	| { do: 'edit'; name: (typeof TRIGGERS)[number]; edits: Partial<Edits> }
	| { do: 'poll' };

/** What happens until n8n ends, and while it is down. */
interface Life {
	steps: Step[];
	/** Whether n8n ends while a trigger polls. */
	duringPoll: boolean;
	isKilled: boolean;
	meanwhile: Step[];
}

const act = fc.record({
	...{ do: fc.constant('act' as const), type: fc.constantFrom(...TYPES) },
	times: fc.integer({ min: 1, max: 4 }),
});
const edit = fc.record({
	...{ do: fc.constant('edit' as const), name: fc.constantFrom(...TRIGGERS) },
	edits: fc.constantFrom<Partial<Edits>>(
		...[{}, { lag: true }, { batchSize: 2 }, { batchSize: 5000 }, { types: [] }],
		...[{ types: ['PickUp'] }, { types: ['Start', 'PickUp'] }, { types: ['PickUp', 'Start'] }],
	),
});
const workflowSteps = fc.array(
	fc.oneof(
		{ weight: 3, arbitrary: act },
		{ weight: 2, arbitrary: edit },
		fc.constant<Step>({ do: 'poll' }),
	),
	{ minLength: 3, maxLength: 6 },
);
const lives: fc.Arbitrary<Life[]> = fc.array(
	fc.record({
		...{ steps: workflowSteps, duringPoll: fc.boolean(), isKilled: fc.boolean() },
		meanwhile: fc.array(act, { maxLength: 2 }),
	}),
	{ minLength: 1, maxLength: 2 },
);

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

	/** A trigger of a history: what it has to tell, and what it may tell. */
	class Watched {
		settings: Edits = { types: ['PickUp'], batchSize: 5000, lag: false };
		readonly must = new Set<number>();
		readonly may = new Set<number>();

		constructor(readonly route: string) {}

		reports = () => receiver.received.filter((query) => query.get('route') === this.route);

		toParameters(delivery: string) {
			const { types, batchSize, lag } = this.settings;
			const options = { delivery, batchSize, lag };
			return {
				...{ pollTimes: pollTimes(5), event: 'workOrderAction', returns: 'event', options },
				actionTypes: [...types],
			};
		}

		counts = (type: string) =>
			this.settings.types.length === 0 || this.settings.types.includes(type);

		/** Nobody knows whether a poll has looked at what was not told before an edit. */
		edit(edits: Partial<Edits>, made: ReadonlyMap<number, string>) {
			const told = new Set(receiver.ids(this.route));
			const before = this.settings;
			this.settings = { ...before, ...edits };
			const isSame = JSON.stringify(before.types) === JSON.stringify(this.settings.types);
			for (const [id, type] of made) {
				if (told.has(id) || isSame) continue;
				const didCount = this.must.has(id);
				if (didCount === this.counts(type)) continue;
				this.must.delete(id);
				this.may.add(id);
			}
		}
	}

	describe('with two triggers in one workflow', () => {
		let count = 0;

		async function play(all: Life[], delivery: 'atLeastOnce' | 'once') {
			count += 1;
			const [first, second] = TRIGGERS.map((name) => new Watched(`${count}-${name}`));
			const watched = { first, second };
			const file = sharedWorkflow(
				`History ${count}`,
				Object.fromEntries(
					[first, second].map((one) => [one.route, one.toParameters(delivery)] as const),
				),
				address,
			);
			const company = await Company.connect(file.name, [file]);
			const { sandbox, workflows } = company;
			/** The types of the actions, by ID. */
			const made = new Map<number, string>();

			async function happen(step: Step) {
				if (step.do === 'poll') await company.waitForPolls(4);
				if (step.do === 'act') {
					for (let times = 0; times < step.times; times++) {
						const orders = sandbox.store.rows('WorkOrder');
						const order = orders[made.size % orders.length];
						const id = Number(logAction(sandbox.world, order, { TypeId: step.type })?.Id);
						made.set(id, step.type);
						for (const one of [first, second]) if (one.counts(step.type)) one.must.add(id);
					}
				}
				if (step.do === 'edit') {
					const own = watched[step.name];
					own.edit(step.edits, made);
					const workflow = await instance.api.workflow(workflows[0].id);
					const node = workflow.nodes.find(({ name }) => name === own.route);
					if (node !== undefined) node.parameters = own.toParameters(delivery);
					await instance.api.activate(await instance.api.updateWorkflow(workflow));
				}
			}

			async function waitForAll() {
				for (const { route, must } of [first, second]) {
					await waitFor(
						`${route} has told all`,
						() => [...must].filter((id) => !receiver.ids(route).includes(id)),
						({ length }) => length === 0,
					);
				}
			}
			for (const { steps, duringPoll, isKilled, meanwhile } of all) {
				for (const step of steps) await happen(step);
				// If n8n ends while changes are on their way, they are lost unless they come again.
				if (delivery === 'once') await waitForAll();
				if (duringPoll) await company.waitForPolls(1);
				if (isKilled && delivery === 'atLeastOnce') await killN8n(instance);
				else await instance.n8n.stop();
				for (const step of meanwhile) await happen(step);
				await restart();
			}
			await waitForAll();
			await company.waitForPolls(4);
			await company.deactivate();
			return [first, second];
		}

		// Promise: What was left out stays left out, and what was delivered is delivered once
		it('tells each change once, through edits, publishing and restarts', async () => {
			await fc.assert(
				fc.asyncProperty(lives, fc.constantFrom('atLeastOnce', 'once'), async (all, delivery) => {
					for (const { route, must, may, reports } of await play(all, delivery)) {
						const told = receiver.ids(route);
						const keys = new Set(reports().map((query) => query.get('key')));
						const most = delivery === 'once' ? 1 : 1 + all.length;
						const isTooOften = (id: number) => told.filter((one) => one === id).length > most;
						expect({
							repeated: told.filter(isTooOften),
							leftOut: told.filter((id) => !must.has(id) && !may.has(id)),
							keys: keys.size,
						}).toEqual({ repeated: [], leftOut: [], keys: new Set(told).size });
					}
				}),
				{ numRuns: RUNS, seed: Number(process.env.SEED ?? 81), endOnFailure: true },
			);
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
