import { actAsColleague, workOrderShape } from '../../sandbox/desktop';
import type { Pushed } from '../../sandbox/pushes';
import { opened } from '../process/program';
import { step } from '../console/progress';
import { Receiver } from '../workflows/receiver';
import { withCredential } from '../n8n/instance';
import { pushedWorkflow } from '../workflows/triggerWorkflows';
import { until } from '../waitFor';
import { endedExecutions, SIGNED, STORM, type Company } from './run';

const WEBHOOK_ID = 'b7a0f0d2-3f0e-4d53-9a36-5d1f6c2e8a41';
/** So long Corrigo takes to answer: whoever pushes must not have to wait for that. */
const SLOW_MS = 2000;

/** What came of the pushes, for the checks and for the figures. */
export interface PushReport {
	/** To pushes with the right signature. */
	answers: Pushed[];
	/** To those with a wrong one. */
	refused: Pushed[];
	/** Whether a push was answered before anything that was asked because of it. */
	answeredFirst: boolean;
	/** Requests to the service because of the storm. */
	reads: number;
	/** What was pushed as it has to be, and what the workflow has told of. */
	happened: string[];
	told: string[];
	executions: Record<string, number>;
	/** What those that failed say of it. */
	failures: string[];
	/** How many of them the workers say that they have finished. */
	carried: number;
}

type PushSpec = Partial<Parameters<Company['sandbox']['push']>[0]>;

const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);

/** A workflow that tells of what is pushed to it, active; and somebody who makes work orders. */
async function listening({ sandbox, database, cluster }: Company) {
	const { api, credential } = cluster;
	const receiver = new Receiver();
	opened.push(async () => await receiver.close());
	const { header, algorithm, encoding } = SIGNED;
	const form = {
		output: 'event',
		signature: 'hmac',
		signatureHeader: header,
		signatureAlgorithm: algorithm,
		signatureEncoding: encoding,
	};
	const file = pushedWorkflow(form, await receiver.open(), WEBHOOK_ID);
	const workflow = await api.createWorkflow(withCredential(file, credential));
	await api.activate(workflow);

	const happened: string[] = [];
	const answers: Pushed[] = [];
	const told = () => receiver.received.map((query) => String(query.get('told')));
	const makeOrder = () => actAsColleague(sandbox.world, workOrderShape.parse({})).Id as number;
	const push = async (to: { url: string }, spec: PushSpec) =>
		await sandbox.push({ url: `${to.url}/webhook/${WEBHOOK_ID}/webhook`, ...spec });
	return {
		workflow,
		happened,
		answers,
		told,
		/** New orders, and a push for each. */
		async happens(to: { url: string }, count = 1, spec: PushSpec = {}) {
			const made = Array.from({ length: count }, makeOrder);
			happened.push(...made.map((id) => `${id}-Create`));
			answers.push(...(await push(to, { signed: SIGNED, ...spec })));
		},
		async again(to: { url: string }) {
			answers.push(...(await push(to, { signed: SIGNED, again: true, atOnce: 10 })));
		},
		/** A new order, and a push that is not signed as it has to be. */
		async forges(to: { url: string }, spec: PushSpec) {
			makeOrder();
			return await push(to, spec);
		},
		/** Until all is told of, and also kept in the database, from which a new process knows it. */
		async isTold() {
			await until('all is told of', told, (all) => happened.every((one) => all.includes(one)));
			const newest = sandbox.store.ids('WoActionLog').at(-1);
			const state = `select "staticData" from workflow_entity where id = '${workflow.id}'`;
			await until(
				'the state is kept',
				async () => (await database.query(state)).join(),
				(text) => text.includes(`"${newest} `),
			);
		},
	};
}

/** Pushes to the webhook process, which is started anew in between, and to the main one. */
export async function push(company: Company): Promise<PushReport> {
	const { sandbox, cluster } = company;
	const { webhook, workers } = cluster;
	const carried = () => sum(workers.map(({ finished }) => finished()));
	const before = carried();
	// What was there before the workflow is not pushed to it.
	sandbox.pushes.forget();
	// A session lives longer than it takes to open one at a Corrigo that is slow, on a busy machine.
	sandbox.set({ tokenLifeSeconds: 3600 });
	const desk = await listening(company);

	const refused = await step('Pushes with a wrong signature', async () => [
		...(await desk.forges(webhook, { signed: SIGNED, forged: true })),
		...(await desk.forges(webhook, { signed: { ...SIGNED, key: 'another key' } })),
		...(await desk.forges(webhook, {})),
	]);

	const title = `${STORM} changes, each pushed twice and in any order`;
	const { answeredFirst, reads } = await step(title, async () => {
		sandbox.set({ latencyMs: SLOW_MS });
		sandbox.forgetRequests();
		await desk.happens(webhook);
		const asked = sandbox.requestsTo('api').map(({ status }) => status);
		await desk.happens(webhook, STORM, { times: 2, shuffled: true, atOnce: 10 });
		await desk.isTold();
		sandbox.set({ latencyMs: 0 });
		return {
			answeredFirst: asked.every((status) => status === undefined),
			reads: sandbox.requestsTo('api').length,
		};
	});

	await step('The same once more, to a new webhook process', async () => {
		await webhook.restart();
		await desk.again(webhook);
		await desk.happens(webhook);
		await desk.isTold();
	});

	await step('And once more, to another process and back', async () => {
		for (const to of [cluster, webhook]) {
			await desk.again(to);
			await desk.happens(to);
			await desk.isTold();
		}
	});

	const ended = await endedExecutions(desk.workflow.id, company);
	const started = sum(Object.values(ended.executions));
	await until('the workers have finished', carried, (count) => count - before >= started);
	const { answers, happened } = desk;
	return {
		answers,
		refused,
		answeredFirst,
		reads,
		happened,
		...ended,
		told: desk.told(),
		carried: carried() - before,
	};
}
