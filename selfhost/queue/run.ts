import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { startSandbox, type Sandbox } from '../../sandbox';
import { buildPackage } from '../build';
import { step } from '../console/progress';
import { installN8n } from '../install';
import type { N8nApi } from '../n8n/api';
import { cleanups } from '../process/program';
import { waitFor } from '../waitFor';
import { sendRequests, type LoadResponse } from './load';
import { findPrograms, startPostgres, startRedis, type Database } from './stores';
import { PATH, workflowFor } from './workflow';

export const REQUESTS = 500;
const CONCURRENT_REQUESTS = 25;
export const WORKERS = 2;
const WORKER_CONCURRENCY = 10;
/** Sessions end while requests are under way. */
const LATENCY_MS = 50;

const CREATE = '/api/v1/cmd/WoCreateCommand';

/** Number of changes that are pushed at once. */
export const PUSHED_CHANGES = 30;

/** Signature of the pushes, with the key in the credential. */
export const SIGNATURE = {
	key: 'the key of the webhook',
	header: 'X-Corrigo-Signature',
	algorithm: 'sha256',
	encoding: 'hex',
	prefix: 'sha256=',
} as const;

/**
 * Events by the number of responses before them; each ends all sessions at once. They are so far apart
 * that no execution meets two of them, however busy this machine is.
 */
const SESSION_EVENTS: Record<number, (sandbox: Sandbox) => unknown> = {
	80: (sandbox) => sandbox.revokeTokens(),
	160: async (sandbox) => await sandbox.moveHost('DATABASE_VERSION_MISMATCH'),
	240: (sandbox) => sandbox.revokeTokens(),
	320: async (sandbox) => await sandbox.moveHost('DATABASE_VERSION_MISMATCH'),
	400: (sandbox) => sandbox.revokeTokens(),
};
export const EVENT_COUNT = Object.keys(SESSION_EVENTS).length;

/** Results of the load test. */
export interface LoadReport {
	responses: LoadResponse[];
	seconds: number;
	/** External numbers of the new work orders in the sandbox. */
	created: unknown[];
	/** Number of executions in n8n's database by status. */
	executions: Record<string, number>;
	/** Error messages of failed executions. */
	failures: string[];
	/** Number of executions that each worker has finished, by its log. */
	finished: number[];
	tokens: number;
	discoveries: number;
	creates: number;
	/** Number of creates that the service refused, by error code. */
	refusals: Record<string, number>;
	/** Peak memory of n8n and of each worker, in MB. */
	memory: number[];
}

async function peakMemory(pid: number): Promise<number> {
	const status = await readFile(`/proc/${pid}/status`, 'utf8');
	return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

export const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);

function countBy(keys: string[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
	return counts;
}

/** Waits until all executions of a workflow have ended; counts them by status and reads the errors. */
export async function finishedExecutions(workflowId: string, { database, cluster }: TestSetup) {
	const condition = `"workflowId" = '${workflowId}'`;
	const counts = `select status, count(*) from execution_entity where ${condition} group by 1`;
	// n8n may respond before it has saved the end of an execution.
	const rows = await waitFor(
		'all executions have ended',
		async () => await database.query(counts),
		(found) => found.every(([status]) => !['new', 'running'].includes(status)),
	);
	return {
		executions: Object.fromEntries(rows.map(([status, count]) => [status, Number(count)])),
		failures: await failuresOf(workflowId, database, cluster.api),
	};
}

/** Reads the errors from the executions, because n8n's responses do not have them. */
async function failuresOf(workflowId: string, database: Database, api: N8nApi) {
	const condition = `"workflowId" = '${workflowId}' and status <> 'success'`;
	const rows = await database.query(`select id from execution_entity where ${condition}`);
	const executions = await Promise.all(rows.map(async ([id]) => await api.execution(id)));
	return executions.map(({ error }) =>
		[error?.message, (error as { description?: string })?.description].filter(Boolean).join(': '),
	);
}

const errorCode = (answer = '{}') =>
	String((JSON.parse(answer) as { ErrorCode?: string }).ErrorCode);

/** Requests that reached the sandbox. */
function traffic(sandbox: Sandbox) {
	const creates = sandbox.requestsTo('api').filter(({ path }) => path === CREATE);
	const refused = creates.filter(({ status }) => status !== 200);
	return {
		tokens: sandbox.requestsTo('token').length,
		discoveries: sandbox.requestsTo('locator').length,
		creates: creates.length,
		refusals: countBy(refused.map(({ answer }) => errorCode(answer))),
	};
}

export type TestSetup = Awaited<ReturnType<typeof setUp>>;

/** Starts everything from a fresh clone: the sandbox, the databases and the processes of n8n. */
export async function setUp(folder: string) {
	const programs = findPrograms();
	await installN8n();
	await buildPackage();
	// The module imports packages that have just been installed.
	const { startCluster } = await import('./cluster');
	const sandbox = await startSandbox({ tokenLifeSeconds: 3600, latencyMs: LATENCY_MS });
	cleanups.push(async () => await sandbox.close());
	const [redis, database] = await step('Starting Redis and PostgreSQL', async () => {
		return await Promise.all([
			startRedis(programs, join(folder, 'redis')),
			startPostgres(programs, join(folder, 'postgres')),
		]);
	});
	const cluster = await startCluster({
		folder,
		workers: WORKERS,
		concurrency: WORKER_CONCURRENCY,
		stores: { ...redis, ...database.env },
		credentialData: { ...sandbox.credentials, useWebhook: true, signingSecret: SIGNATURE.key },
	});
	return { sandbox, database, cluster };
}

export async function runLoad(setup: TestSetup): Promise<LoadReport> {
	const { sandbox, cluster } = setup;
	const { url, pid, api, credential, workers } = cluster;
	const workflow = await api.createWorkflow(workflowFor(sandbox, credential));
	await api.activate(workflow);

	const before = new Set(sandbox.store.ids('WorkOrder'));
	const started = Date.now();
	const responses = await step(
		`${REQUESTS} requests, ${CONCURRENT_REQUESTS} at a time`,
		async () => {
			const events = new Map(
				Object.entries(SESSION_EVENTS).map(([after, event]) => [
					Number(after),
					() => event(sandbox),
				]),
			);
			return await sendRequests({
				url: `${url}/webhook/${PATH}`,
				requests: REQUESTS,
				concurrency: CONCURRENT_REQUESTS,
				events,
			});
		},
	);
	const seconds = (Date.now() - started) / 1000;

	const ended = await finishedExecutions(workflow.id, setup);
	const orders = sandbox.store.rows('WoLastAction').filter(({ Id }) => !before.has(Id));
	const pids = [pid, ...workers.map((worker) => worker.pid)];
	return {
		responses,
		seconds,
		created: orders.map(({ XNumber }) => XNumber),
		...ended,
		finished: workers.map(({ finished }) => finished()),
		...traffic(sandbox),
		// Only Linux has the peak memory of other processes in files.
		memory: process.platform === 'linux' ? await Promise.all(pids.map(peakMemory)) : [],
	};
}
