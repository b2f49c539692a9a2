import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { startSandbox, type Sandbox } from '../../sandbox';
import type { N8nApi } from '../n8n/api';
import { buildPackage } from '../build';
import { root } from '../demo';
import { installN8n } from '../install';
import { opened } from '../process/program';
import { step } from '../console/progress';
import { until } from '../waitFor';
import { load, type Answer } from './load';
import { findPrograms, startPostgres, startRedis, type Database } from './stores';

export const REQUESTS = 500;
const AT_ONCE = 25;
export const WORKERS = 2;
const CONCURRENCY = 10;
/** Tokens end while the suite runs; opening a session must not take as long on a busy machine. */
export const TOKEN_LIFE_SECONDS = 10;
/** Long enough that tokens end, and the Company moves, while requests are on their way. */
const LATENCY_MS = 50;

const CREATE = '/api/v1/cmd/WoCreateCommand';

/** So many changes are pushed at once. */
export const STORM = 30;

/** How what is pushed is signed, with the key that the credential has. */
export const SIGNED = {
	key: 'the key of the webhook',
	header: 'X-Corrigo-Signature',
	algorithm: 'sha256',
	encoding: 'hex',
	prefix: 'sha256=',
} as const;

/** After how many answers, and what: each ends all sessions at once. */
const EVENTS: Record<number, (sandbox: Sandbox) => unknown> = {
	100: (sandbox) => sandbox.revokeTokens(),
	200: async (sandbox) => await sandbox.moveHost('DATABASE_VERSION_MISMATCH'),
	300: (sandbox) => sandbox.revokeTokens(),
	400: async (sandbox) => await sandbox.moveHost('DATABASE_VERSION_MISMATCH'),
};
export const EVENT_COUNT = Object.keys(EVENTS).length;

/** What came of the run, for the checks and for the figures. */
export interface Report {
	answers: Answer[];
	seconds: number;
	/** External numbers of the orders that the sandbox has now and had not before. */
	made: unknown[];
	/** How many executions of the workflow n8n's database has, by their status. */
	executions: Record<string, number>;
	/** What those that failed say of it. */
	failures: string[];
	/** How many of them each worker says that it has finished. */
	finished: number[];
	tokens: number;
	discoveries: number;
	creates: number;
	/** Creates that the service refused, by the code of the refusal. */
	refusals: Record<string, number>;
	/** The most memory that each process held, in MB: of n8n, then of the workers. */
	memory: number[];
}

async function peakMemory(pid: number): Promise<number> {
	const status = await readFile(`/proc/${pid}/status`, 'utf8');
	return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

function countedBy(keys: string[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
	return counts;
}

/** How many executions the workflow has had, by their status, when all have ended; and what failed. */
export async function endedExecutions(workflowId: string, { database, cluster }: Company) {
	const of = `where "workflowId" = '${workflowId}'`;
	// The last answers may come before the end of their executions is written.
	const rows = await until(
		'all executions have ended',
		async () =>
			await database.query(`select status, count(*) from execution_entity ${of} group by 1`),
		(found) => found.every(([status]) => !['new', 'running'].includes(status)),
	);
	return {
		executions: Object.fromEntries(rows.map(([status, count]) => [status, Number(count)])),
		failures: await failuresOf(workflowId, database, cluster.api),
	};
}

/** n8n answers a request no more than that there was an error. */
async function failuresOf(workflowId: string, database: Database, api: N8nApi) {
	const failed = `"workflowId" = '${workflowId}' and status <> 'success'`;
	const rows = await database.query(`select id from execution_entity where ${failed}`);
	const executions = await Promise.all(rows.map(async ([id]) => await api.execution(id)));
	return executions.map(({ error }) =>
		[error?.message, (error as { description?: string })?.description].filter(Boolean).join(': '),
	);
}

const codeOf = (answer = '{}') => String((JSON.parse(answer) as { ErrorCode?: string }).ErrorCode);

/** What the service has seen. */
function traffic(sandbox: Sandbox) {
	const creates = sandbox.requestsTo('api').filter(({ path }) => path === CREATE);
	const refused = creates.filter(({ status }) => status !== 200);
	return {
		tokens: sandbox.requestsTo('token').length,
		discoveries: sandbox.requestsTo('locator').length,
		creates: creates.length,
		refusals: countedBy(refused.map(({ answer }) => codeOf(answer))),
	};
}

export type Company = Awaited<ReturnType<typeof open>>;

/** Everything from a fresh clone to an n8n that can be used. */
export async function open(folder: string) {
	const programs = findPrograms();
	await installN8n();
	await buildPackage(root);
	// This needs what has just been installed.
	const { startCluster } = await import('./cluster');
	const sandbox = await startSandbox({
		tokenLifeSeconds: TOKEN_LIFE_SECONDS,
		latencyMs: LATENCY_MS,
	});
	opened.push(async () => await sandbox.close());
	const [redis, database] = await step('Starting Redis and PostgreSQL', async () => {
		return await Promise.all([
			startRedis(programs, join(folder, 'redis')),
			startPostgres(programs, join(folder, 'postgres')),
		]);
	});
	const cluster = await startCluster({
		root,
		folder,
		workers: WORKERS,
		concurrency: CONCURRENCY,
		stores: { ...redis, ...database.env },
		credentialData: { ...sandbox.credentials, signingSecret: SIGNED.key },
	});
	return { sandbox, database, cluster };
}

export async function run(company: Company): Promise<Report> {
	const { sandbox, cluster } = company;
	const { url, pid, api, credential, workers } = cluster;
	const { PATH, workflowFor } = await import('./workflow');
	const workflow = await api.createWorkflow(workflowFor(sandbox, credential));
	await api.activate(workflow);

	const before = new Set(sandbox.store.ids('WorkOrder'));
	const started = Date.now();
	const answers = await step(`${REQUESTS} requests, ${AT_ONCE} at a time`, async () => {
		const events = new Map(
			Object.entries(EVENTS).map(([after, end]) => [Number(after), () => end(sandbox)]),
		);
		return await load({
			url: `${url}/webhook/${PATH}`,
			requests: REQUESTS,
			atOnce: AT_ONCE,
			events,
		});
	});
	const seconds = (Date.now() - started) / 1000;

	const ended = await endedExecutions(workflow.id, company);
	const orders = sandbox.store.rows('WoLastAction').filter(({ Id }) => !before.has(Id));
	const pids = [pid, ...workers.map((worker) => worker.pid)];
	return {
		answers,
		seconds,
		made: orders.map(({ XNumber }) => XNumber),
		...ended,
		finished: workers.map(({ finished }) => finished()),
		...traffic(sandbox),
		// Only Linux tells it of another process in a file.
		memory: process.platform === 'linux' ? await Promise.all(pids.map(peakMemory)) : [],
	};
}
