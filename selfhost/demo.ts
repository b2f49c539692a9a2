import { startSandbox } from '../sandbox';
import { buildPackage } from './build';
import { step } from './console/progress';
import { installN8n } from './install';
import type { InstanceOptions } from './n8n/instance';
import { cleanups } from './process/program';

/** Starts everything from a fresh clone: the sandbox, and n8n with this package. */
export async function startDemo(
	userFolder: string,
	options: Pick<InstanceOptions, 'port' | 'env'> = {},
) {
	await installN8n();
	await buildPackage();
	const sandbox = await step(
		'Starting the sandbox',
		async () => await startSandbox({ until: Date.now() }),
	);
	cleanups.push(async () => await sandbox.close());
	// The module imports packages that have just been installed.
	const { startInstance } = await import('./n8n/instance');
	const instance = await startInstance({
		...options,
		userFolder,
		credentialData: sandbox.credentials,
	});
	cleanups.push(instance.n8n.stop);
	return { sandbox, instance };
}
