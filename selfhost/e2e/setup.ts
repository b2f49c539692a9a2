import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { chromiumBinary } from '../browser/chromium';
import { openDemo } from '../demo';
import { closeAll, closeOnSignals, opened } from '../process/program';

async function openWorld() {
	// Said before anything is installed or started.
	chromiumBinary();
	closeOnSignals(1);
	const userFolder = await mkdtemp(join(tmpdir(), 'corrigo-n8n-'));
	opened.push(async () => await rm(userFolder, { recursive: true, maxRetries: 5 }));
	const { sandbox, session } = await openDemo(userFolder);
	const { publishWorld } = await import('./environment');
	publishWorld({
		url: session.n8n.url,
		session: session.api.session,
		controlUrl: sandbox.controlUrl,
		credential: session.credential,
		credentialData: sandbox.credentials,
	});
}

/** A failed set-up gets no teardown: it closes what it has opened. */
export default async function setUp() {
	try {
		await openWorld();
	} catch (error) {
		await closeAll();
		throw error;
	}
}
