import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { step } from './console/progress';
import { runCommand } from './process/command';

export const root = join(__dirname, '..');

const SOURCES = [
	...['credentials', 'nodes', 'icons', 'package.json'],
	...['tsconfig.json', 'gulpfile.js', 'scripts/schema.ts'],
];

async function newestChange(path: string): Promise<number> {
	if (!existsSync(path)) return 0;
	const entry = await stat(path);
	if (!entry.isDirectory()) return entry.mtimeMs;
	const times = (await readdir(path)).map(async (name) => await newestChange(join(path, name)));
	return Math.max(0, ...(await Promise.all(times)));
}

/** Builds the package unless it comes packed, or the last build is newer than every source. */
export async function buildPackage() {
	if (process.env.CORRIGO_TARBALL) return;
	const sources = SOURCES.map(async (name) => await newestChange(join(root, name)));
	if (Math.max(...(await Promise.all(sources))) < (await newestChange(join(root, 'dist')))) return;
	await step('Building this package', async () => {
		await runCommand('npm', ['run', 'build'], { cwd: root });
	});
}
