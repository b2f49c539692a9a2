import { join } from 'node:path';

import { isBuilt } from '../scripts/built';
import { step } from './console/progress';
import { runCommand } from './process/command';

export const root = join(__dirname, '..');

/** Builds the package unless it comes packed, or the last build is newer than every source. */
export async function buildPackage() {
	if (await isBuilt(root)) return;
	await step('Building this package', async () => {
		await runCommand('npm', ['run', 'build'], { cwd: root });
	});
}
