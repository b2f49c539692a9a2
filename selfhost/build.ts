import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { run } from './process/command';
import { step } from './console/progress';

const SOURCES = ['credentials', 'nodes', 'icons', 'package.json', 'tsconfig.json', 'gulpfile.js'];

async function newest(path: string): Promise<number> {
	if (!existsSync(path)) return 0;
	const entry = await stat(path);
	if (!entry.isDirectory()) return entry.mtimeMs;
	const times = (await readdir(path)).map(async (name) => await newest(join(path, name)));
	return Math.max(0, ...(await Promise.all(times)));
}

/** Builds the package unless what was built last is newer than every source. */
export async function buildPackage(root: string) {
	const sources = await Promise.all(SOURCES.map(async (name) => await newest(join(root, name))));
	if (Math.max(...sources) < (await newest(join(root, 'dist')))) return;
	await step('Building this package', async () => {
		await run('npm', ['run', 'build'], { cwd: root });
	});
}
