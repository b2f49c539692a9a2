import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startSandbox } from '../../sandbox';
import { buildPackage } from '../build';
import { installN8n } from '../install';
import { closeAll, opened } from './opened';

async function openWorld() {
	const root = join(__dirname, '..', '..');
	await installN8n();
	await buildPackage(root);
	// These need what has just been installed.
	const { openSession } = await import('../session');
	const { publishWorld } = await import('./world');

	const userFolder = await mkdtemp(join(tmpdir(), 'corrigo-n8n-'));
	opened.push(async () => await rm(userFolder, { recursive: true }));
	const sandbox = await startSandbox();
	opened.push(async () => await sandbox.close());
	const credentialData = sandbox.credentials;
	const { n8n, credential } = await openSession({ root, userFolder, credentialData });
	opened.push(n8n.stop);
	publishWorld({ url: n8n.url, controlUrl: sandbox.controlUrl, credential, credentialData });
}

export default async function setUp() {
	try {
		await openWorld();
	} catch (error) {
		await closeAll();
		throw error;
	}
}
