import { join } from 'node:path';

import { startSandbox } from '../sandbox';
import { buildPackage } from './build';
import { installN8n } from './install';
import { opened } from './process/program';
import { step } from './console/progress';

export const root = join(__dirname, '..');

/** From a fresh clone to a running n8n with this package in it and a sandbox behind it. */
export async function openDemo(userFolder: string, port?: number) {
	await installN8n();
	await buildPackage(root);
	const sandbox = await step('Starting the sandbox', async () => await startSandbox());
	opened.push(async () => await sandbox.close());
	// This needs what has just been installed.
	const { openSession } = await import('./n8n/instance');
	const credentialData = sandbox.credentials;
	const session = await openSession({ root, userFolder, credentialData, port });
	opened.push(session.n8n.stop);
	return { sandbox, session };
}
