import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { chromiumBinary } from '../browser/chromium';
import { startDemo } from '../demo';
import { cleanUp, cleanUpOnSignals, cleanups } from '../process/program';

async function startEnvironment() {
	// A missing browser is reported before anything is installed or started.
	chromiumBinary();
	cleanUpOnSignals(1);
	const userFolder = await mkdtemp(join(tmpdir(), 'corrigo-n8n-'));
	cleanups.push(async () => await rm(userFolder, { recursive: true, maxRetries: 5 }));
	const { sandbox, instance } = await startDemo(userFolder);
	// The module imports packages that startDemo installs.
	const { publishEnvironment } = await import('./environment');
	publishEnvironment({
		url: instance.n8n.url,
		session: instance.api.session,
		controlUrl: sandbox.controlUrl,
		credential: instance.credential,
		credentialData: sandbox.credentials,
	});
}

/** Cleans up after a failure, because jest runs no teardown then. */
export default async function setUp() {
	try {
		await startEnvironment();
	} catch (error) {
		await cleanUp();
		throw error;
	}
}
