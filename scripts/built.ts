import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const SOURCES = [
	...['credentials', 'nodes', 'icons', 'package.json', 'package-lock.json'],
	...['tsconfig.json', 'gulpfile.js', 'scripts/schema.ts'],
];

/** A build begins by deleting everything, and writes the output previews last. */
const LAST = 'dist/nodes/Corrigo/__schema__';

/** Lists when a file, or a folder and each entry in it, changed last. */
async function listChanges(path: string): Promise<number[]> {
	const entry = await stat(path);
	const names = entry.isDirectory() ? await readdir(path) : [];
	const changes = names.map(async (name) => await listChanges(join(path, name)));
	return [entry.mtimeMs, ...(await Promise.all(changes)).flat()];
}

/** Tells whether the package comes packed, or its last build succeeded and began after every change of a source. */
export async function isBuilt(root: string): Promise<boolean> {
	if (process.env.CORRIGO_TARBALL) return true;
	if (!existsSync(join(root, LAST))) return false;
	const changes = SOURCES.map(async (name) => await listChanges(join(root, name)));
	const built = await listChanges(join(root, 'dist'));
	return Math.max(...(await Promise.all(changes)).flat()) < Math.min(...built);
}
