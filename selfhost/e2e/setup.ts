import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { certificate } from '../../test/support/tls';
import { chromiumBinary } from '../browser/chromium';
import { buildPackage } from '../build';
import { startDemo } from '../demo';
import { installN8n } from '../install';
import { cleanUp, cleanUpOnSignals, cleanups } from '../process/program';

async function startEnvironment() {
	const userFolder = await mkdtemp(join(tmpdir(), 'corrigo-n8n-'));
	cleanups.push(async () => await rm(userFolder, { recursive: true, maxRetries: 5 }));
	// Some nodes of n8n send to https alone; the stand-ins for their services have this certificate.
	const trusted = join(userFolder, 'trusted.pem');
	await writeFile(trusted, certificate.cert);
	const { sandbox, instance } = await startDemo(userFolder, {
		env: { NODE_EXTRA_CA_CERTS: trusted },
	});
	return {
		url: instance.n8n.url,
		session: instance.api.session,
		controlUrl: sandbox.controlUrl,
		credential: instance.credential,
		credentialData: sandbox.credentials,
	};
}

/** Cleans up after a failure, because jest runs no teardown then. */
export default async function setUp({ maxWorkers }: { maxWorkers: number }) {
	try {
		// A missing browser is reported before anything is installed or started.
		chromiumBinary();
		cleanUpOnSignals(1);
		await installN8n();
		await buildPackage();
		// The module imports packages that have just been installed.
		const { publishEnvironments } = await import('./environment');
		const environments = Array.from({ length: maxWorkers }, startEnvironment);
		publishEnvironments(await Promise.all(environments));
	} catch (error) {
		await cleanUp();
		throw error;
	}
}
