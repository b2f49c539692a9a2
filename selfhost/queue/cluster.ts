import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { N8nApi } from '../api';
import { installPackage, packageEnvironment, packPackage } from '../community-package';
import { startN8n } from '../n8n';
import { step } from '../progress';
import { owner } from '../session';

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

/** A worker, and what its log says that it has done. */
async function startWorker(userFolder: string, env: NodeJS.ProcessEnv) {
	let finished = 0;
	let has: () => void;
	const installed = new Promise<void>((resolve) => (has = resolve));
	const onLine = (line: string) => {
		if (line.includes(INSTALLED)) has();
		if (line.includes(FINISHED)) finished++;
	};
	const { pid, ended, logFile } = await startN8n({ command: 'worker', userFolder, env, onLine });
	return {
		pid,
		finished: () => finished,
		installed: async () => {
			const outcome = await Promise.race([installed, ended.then(() => 'ended')]);
			if (outcome) throw new Error(`A worker has ended on its own; its log: ${logFile}`);
		},
	};
}

/**
 * n8n as it grows past one machine: one process with the editor, the API and the webhooks, and
 * workers that carry the executions. They share the two stores and the key, and nothing else: each
 * has a folder of its own, as in containers.
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

	const workerEnv = { ...env, N8N_CONCURRENCY_PRODUCTION_LIMIT: String(concurrency) };
	const workers = await step(`Starting ${options.workers} workers`, async () => {
		const folders = Array.from({ length: options.workers }, (_, index) => `worker-${index + 1}`);
		return await Promise.all(
			folders.map(async (name) => await startWorker(join(folder, name), workerEnv)),
		);
	});

	const api = new N8nApi(url);
	await api.enter(owner);
	await step('Installing this package, first in n8n, then in the workers', async () => {
		await installPackage(api, packed, userFolder);
		await Promise.all(workers.map(async ({ installed }) => await installed()));
	});
	const credential = await api.createCredential('Corrigo sandbox', 'corrigoApi', credentialData);
	return { url, pid, api, credential, workers };
}
