import { actAsColleague, workOrderShape } from '../../sandbox/desktop';
import type { Delivery } from '../../sandbox/pushes';
import { step } from '../console/progress';
import { cleanups } from '../process/program';
import { waitFor } from '../waitFor';
import { withCredential } from '../workflows/credentials';
import { Receiver } from '../workflows/receiver';
import { webhookWorkflow } from '../workflows/triggerWorkflows';
import { finishedExecutions, PUSHED_CHANGES, SIGNATURE, sum, type TestSetup } from './run';

const WEBHOOK_ID = 'b7a0f0d2-3f0e-4d53-9a36-5d1f6c2e8a41';
/** Response time of Corrigo, which must not delay the response to a push. */
const CORRIGO_LATENCY_MS = 2000;

/** Results of the pushes. */
export interface PushReport {
	/** Responses to pushes with the right signature. */
	responses: Delivery[];
	/** Responses to pushes with a wrong signature or none. */
	refused: Delivery[];
	/** Whether n8n responded to a push before Corrigo responded to any request. */
	respondedFirst: boolean;
	/** Requests to Corrigo for the changes that were pushed at once. */
	requests: number;
	/** Changes that were pushed with the right signature. */
	expected: string[];
	/** Changes that the workflow reported. */
	reported: string[];
	executions: Record<string, number>;
	/** Error messages of failed executions. */
	failures: string[];
	/** Number of executions that the workers have finished, by their logs. */
	finished: number;
}

type PushSpec = Partial<Parameters<TestSetup['sandbox']['push']>[0]>;

/** Activates a workflow that reports pushed changes, and returns ways to make and push changes. */
async function activateWorkflow({ sandbox, database, cluster }: TestSetup) {
	const { api, credential } = cluster;
	const receiver = new Receiver();
	cleanups.push(async () => await receiver.close());
	const { header, algorithm, encoding } = SIGNATURE;
	const form = {
		returns: 'event',
		signature: 'hmac',
		signatureHeader: header,
		signatureAlgorithm: algorithm,
		signatureEncoding: encoding,
	};
	const file = webhookWorkflow(form, await receiver.open(), WEBHOOK_ID);
	const workflow = await api.createWorkflow(withCredential(file, credential));
	await api.activate(workflow);

	const expected: string[] = [];
	const responses: Delivery[] = [];
	const createOrder = () => actAsColleague(sandbox.world, workOrderShape.parse({})).Id as number;
	const sendPush = async (to: { url: string }, spec: PushSpec) =>
		await sandbox.push({ url: `${to.url}/webhook/${WEBHOOK_ID}/webhook`, ...spec });
	return {
		id: workflow.id,
		expected,
		responses,
		reported: () => receiver.changes(),
		/** Creates work orders and pushes each. */
		async pushNew(to: { url: string }, count = 1, spec: PushSpec = {}) {
			const ids = Array.from({ length: count }, createOrder);
			expected.push(...ids.map((id) => `${id}-Create`));
			responses.push(...(await sendPush(to, { signed: SIGNATURE, ...spec })));
		},
		async repeatPushes(to: { url: string }) {
			responses.push(...(await sendPush(to, { signed: SIGNATURE, again: true, atOnce: 10 })));
		},
		/** Creates a work order and pushes it without the right signature. */
		async pushForged(to: { url: string }, spec: PushSpec) {
			createOrder();
			return await sendPush(to, spec);
		},
		/** Waits until all changes are reported, and saved in the database for a new process. */
		async waitForReports() {
			await waitFor(
				'all changes are reported',
				() => receiver.changes(),
				(changes) => expected.every((change) => changes.includes(change)),
			);
			const newest = sandbox.store.ids('WoActionLog').at(-1);
			const state = `select "staticData" from workflow_entity where id = '${workflow.id}'`;
			await waitFor(
				'the state is saved',
				async () => (await database.query(state)).join(),
				(text) => text.includes(`"${newest} `),
			);
		},
	};
}

/** Pushes to the webhook process, which is restarted in between, and to the main process. */
export async function runPushes(setup: TestSetup): Promise<PushReport> {
	const { sandbox, cluster } = setup;
	const { webhook, workers } = cluster;
	const finished = () => sum(workers.map((worker) => worker.finished()));
	const before = finished();
	// Earlier changes are not pushed to the workflow.
	sandbox.pushes.skipExisting();
	const workflow = await activateWorkflow(setup);

	const refused = await step('Pushes with a wrong signature', async () => [
		...(await workflow.pushForged(webhook, { signed: SIGNATURE, forged: true })),
		...(await workflow.pushForged(webhook, { signed: { ...SIGNATURE, key: 'another key' } })),
		...(await workflow.pushForged(webhook, {})),
	]);

	const title = `${PUSHED_CHANGES} changes, each pushed twice and in random order`;
	const { respondedFirst, requests } = await step(title, async () => {
		sandbox.set({ latencyMs: CORRIGO_LATENCY_MS });
		sandbox.forgetRequests();
		await workflow.pushNew(webhook);
		const statuses = sandbox.requestsTo('api').map(({ status }) => status);
		await workflow.pushNew(webhook, PUSHED_CHANGES, { times: 2, shuffled: true, atOnce: 10 });
		await workflow.waitForReports();
		sandbox.set({ latencyMs: 0 });
		return {
			respondedFirst: statuses.every((status) => status === undefined),
			requests: sandbox.requestsTo('api').length,
		};
	});

	await step('The same pushes again, to a new webhook process', async () => {
		await webhook.restart();
		await workflow.repeatPushes(webhook);
		await workflow.pushNew(webhook);
		await workflow.waitForReports();
	});

	await step('The same pushes again, to the main process and back', async () => {
		for (const to of [cluster, webhook]) {
			await workflow.repeatPushes(to);
			await workflow.pushNew(to);
			await workflow.waitForReports();
		}
	});

	const ended = await finishedExecutions(workflow.id, setup);
	const started = sum(Object.values(ended.executions));
	await waitFor('the workers have finished', finished, (count) => count - before >= started);
	return {
		responses: workflow.responses,
		refused,
		respondedFirst,
		requests,
		expected: workflow.expected,
		reported: workflow.reported(),
		...ended,
		finished: finished() - before,
	};
}
