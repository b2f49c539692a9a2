import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { N8nApi } from '../n8n/api';
import { installPackage, packageEnvironment, packPackage } from '../n8n/communityPackage';
import { startN8n, type N8nOptions } from '../n8n/server';
import { step } from '../console/progress';
import { owner } from '../n8n/instance';

const INSTALLED = 'Community package installed';
const FINISHED = 'Worker finished execution';

export interface ClusterOptions {
	/** The repository, built. */
	root: string;
	folder: string;
	workers: number;
	/** Executions that a worker carries at a time. */
	concurrency: number;
	/** Where Redis and the database are. */
	stores: NodeJS.ProcessEnv;
	credentialData: ICredentialDataDecryptedObject;
}

/** A process beside the one with the editor, and what its log says that it has done. */
async function startBeside(options: N8nOptions) {
	let finished = 0;
	let has: () => void;
	const installed = new Promise<void>((resolve) => (has = resolve));
	const onLine = (line: string) => {
		if (line.includes(INSTALLED)) has();
		if (line.includes(FINISHED)) finished++;
	};
	const { ended, logFile, ...rest } = await startN8n({ ...options, onLine });
	return {
		...rest,
		finished: () => finished,
		installed: async () => {
			const outcome = await Promise.race([installed, ended.then(() => 'ended')]);
			if (outcome) throw new Error(`A process has ended on its own; its log: ${logFile}`);
		},
	};
}

/**
 * n8n as it grows past one machine: one process with the editor and the API, one that takes in what
 * is sent to webhooks (the first one does so as well), and workers that carry the executions. They
 * share the two stores and the key, and nothing else: each has a folder of its own, as in containers.
 */
export async function startCluster(options: ClusterOptions) {
	const { root, folder, concurrency, stores, credentialData } = options;
	const packed = await packPackage(root, join(folder, 'packed'));
	const env = {
		...stores,
		...packageEnvironment(packed),
		EXECUTIONS_MODE: 'queue',
		N8N_ENCRYPTION_KEY: randomBytes(24).toString('base64'),
	};
	const userFolder = join(folder, 'main');
	const { url, pid } = await step('Starting n8n', async () => await startN8n({ userFolder, env }));

	const startWebhook = async (port?: number) =>
		await startBeside({ command: 'webhook', userFolder: join(folder, 'webhook'), env, port });
	const workerEnv = { ...env, N8N_CONCURRENCY_PRODUCTION_LIMIT: String(concurrency) };
	const startWorker = async (_: unknown, index: number) =>
		await startBeside({
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
	await api.enter(owner);
	await step('Installing this package, first in n8n, then in the others', async () => {
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
			/** Ends it, and starts it again at the same address and in the same folder. */
			restart: async () => {
				await webhook.stop();
				webhook = await startWebhook(Number(new URL(first.url).port));
				if (webhook.url !== first.url) throw new Error(`Somebody else has taken ${first.url}`);
			},
		},
	};
}
