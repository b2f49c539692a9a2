import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { isBuilt } from '../../scripts/built';

const PREVIEW = 'dist/nodes/Corrigo/__schema__/get.json';
const FILES = [
	...['credentials/a.ts', 'nodes/deep/b.ts', 'icons/c.svg', 'package.json', 'package-lock.json'],
	...['tsconfig.json', 'gulpfile.js', 'scripts/schema.ts', 'dist/nodes/deep/b.js', PREVIEW],
];

let root: string;
const at = (file: string, seconds: number) => utimesSync(join(root, file), seconds, seconds);

/** Sources of the first minute, and a build that took another one. */
beforeEach(() => {
	// The gate names the package that it tests.
	delete process.env.CORRIGO_TARBALL;
	root = mkdtempSync(join(tmpdir(), 'built-'));
	const folders = new Set<string>();
	for (const file of FILES) {
		mkdirSync(join(root, dirname(file)), { recursive: true });
		writeFileSync(join(root, file), '');
		at(file, file.startsWith('dist') ? 120 : 60);
		for (let name = dirname(file); name !== '.'; name = dirname(name)) folders.add(name);
	}
	for (const name of folders) at(name, name.startsWith('dist') ? 180 : 60);
});

afterEach(() => rmSync(root, { recursive: true }));

it('a build that is newer than every source is used again', async () => {
	expect(await isBuilt(root)).toBe(true);
});

it('a package that comes packed is not built', async () => {
	rmSync(join(root, 'dist'), { recursive: true });
	process.env.CORRIGO_TARBALL = 'package.tgz';
	expect(await isBuilt(root)).toBe(true);
});

it.each<[string, () => void]>([
	...FILES.slice(0, 8).map((file): [string, () => void] => [
		`${file} has changed since`,
		() => at(file, 300),
	]),
	['a source was deleted since', () => at('nodes/deep', 300)],
	['a source has changed while it was built', () => at('credentials/a.ts', 150)],
	['it failed', () => rmSync(join(root, dirname(PREVIEW)), { recursive: true })],
	['there is none', () => rmSync(join(root, 'dist'), { recursive: true })],
])('a build is not used again where %s', async (_, change) => {
	change();
	expect(await isBuilt(root)).toBe(false);
});
