import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { step } from '../console/progress';
import { N8nApi } from '../n8n/api';
import { installPackage, packageEnvironment, packPackage } from '../n8n/communityPackage';
import { owner } from '../n8n/instance';
import { startN8n, type N8nOptions } from '../n8n/server';

const INSTALLED = 'Community package installed';
const FINISHED = 'Worker finished execution';

export interface ClusterOptions {
	folder: string;
	workers: number;
	/** Executions that a worker runs at a time. */
	concurrency: number;
	/** Environment with the addresses of Redis and PostgreSQL. */
	stores: NodeJS.ProcessEnv;
	credentialData: ICredentialDataDecryptedObject;
}

/** Starts a webhook process or a worker, and reads its progress from its log. */
async function startSecondary(options: N8nOptions) {
	let finished = 0;
	let setInstalled: () => void;
	const installed = new Promise<void>((resolve) => (setInstalled = resolve));
	const onLine = (line: string) => {
		if (line.includes(INSTALLED)) setInstalled();
		if (line.includes(FINISHED)) finished++;
	};
	const { ended, logFile, ...rest } = await startN8n({ ...options, onLine });
	return {
		...rest,
		finished: () => finished,
		installed: async () => {
			const hasEnded = await Promise.race([installed, ended.then(() => true)]);
			if (hasEnded) throw new Error(`A process stopped unexpectedly. Its log: ${logFile}`);
		},
	};
}

/**
 * Starts n8n in queue mode: a main process with the editor and the API, a webhook process, and
 * workers. As in containers, each has its own folder; they share only the databases and the key.
 */
export async function startCluster(options: ClusterOptions) {
	const { folder, concurrency, stores, credentialData } = options;
	const packed = await packPackage(join(folder, 'packed'));
	const env = {
		...stores,
		...packageEnvironment(packed),
		EXECUTIONS_MODE: 'queue',
		// n8n 3.0 always does so.
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		N8N_ENCRYPTION_KEY: randomBytes(24).toString('base64'),
	};
	const userFolder = join(folder, 'main');
	const { url, pid } = await step('Starting n8n', async () => await startN8n({ userFolder, env }));

	const startWebhook = async (port?: number) =>
		await startSecondary({ command: 'webhook', userFolder: join(folder, 'webhook'), env, port });
	const workerEnv = { ...env, N8N_CONCURRENCY_PRODUCTION_LIMIT: String(concurrency) };
	const startWorker = async (_: unknown, index: number) =>
		await startSecondary({
			command: 'worker',
			userFolder: join(folder, `worker-${index + 1}`),
			env: workerEnv,
		});
	const started = await step(
		`Starting a webhook process and ${options.workers} workers`,
		async () => {
			return await Promise.all([
				startWebhook(),
				...Array.from({ length: options.workers }, startWorker),
			]);
		},
	);
	const [first, ...workers] = started;
	let webhook = first;

	const api = new N8nApi(url);
	await api.setUpOrLogIn(owner);
	await step('Installing this package into all processes of n8n', async () => {
		await installPackage(api, packed, userFolder);
		await Promise.all(started.map(async ({ installed }) => await installed()));
	});
	const credential = await api.createCredential('Corrigo sandbox', 'corrigoApi', credentialData);
	return {
		url,
		pid,
		api,
		credential,
		workers,
		webhook: {
			url: first.url,
			/** Restarts the process at the same address and in the same folder. */
			restart: async () => {
				await webhook.stop();
				webhook = await startWebhook(Number(new URL(first.url).port));
				if (webhook.url !== first.url) throw new Error(`Another process uses ${first.url}`);
			},
		},
	};
}
