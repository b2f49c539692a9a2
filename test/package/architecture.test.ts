import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import packageJson from '../../package.json';

const root = join(__dirname, '..', '..');

it('keeps the walls between the folders', () => {
	const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
	const folders = ['nodes', 'credentials', 'sandbox'];
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		[cruiser, '--config', '.dependency-cruiser.js', '--output-type', 'err', ...folders],
		{ cwd: root, encoding: 'utf8' },
	);
	expect({ status, report: status === 0 ? '' : stdout + stderr }).toEqual({
		status: 0,
		report: '',
	});
	expect(stdout).toMatch(/no dependency violations found \(\d{2,} modules/);
});

/** Declared once for each operation, resource and node, and called as the menu and n8n call them. */
const DECLARATIONS = /\/[^/]+\.(operation|resource)\.ts$/;
const FORM_OF_NODE = 'properties';

it.each([
	['nodes', 500],
	['sandbox', 100],
])('gives no name that %s exports two meanings', (room, fewest) => {
	const names = readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts') && !DECLARATIONS.test(file))
		.flatMap((file) => exportedBy(readFileSync(join(root, room, file), 'utf8')))
		.filter((name) => name !== FORM_OF_NODE);
	expect(names.length).toBeGreaterThan(fewest);
	expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

const exportedBy = (text: string): string[] =>
	[...text.matchAll(/^export (?:async )?(?:class|const|function\*?|interface|type) (\w+)/gm)].map(
		([, name]) => name,
	);

it('ships nothing but the host needs, and pins every tool', () => {
	expect(packageJson).not.toHaveProperty('dependencies');
	expect(packageJson.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	const loose = Object.entries(packageJson.devDependencies).filter(
		([, version]) => !/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+$/.test(version),
	);
	expect(loose).toEqual([]);
});

it('keeps the addresses of registries out of the lock file', () => {
	expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toContain('"resolved": "http');
});

it('checks nothing that git ignores: all of it stands in the one .gitignore that prettier reads', () => {
	const others = readdirSync(root).filter((name) => existsSync(join(root, name, '.gitignore')));
	expect(others).toEqual([]);
	const prettier = join(root, 'node_modules/prettier/bin/prettier.cjs');
	const { stdout } = spawnSync(
		process.execPath,
		[prettier, '--file-info', 'selfhost/.data/.n8n/config.json'],
		{ cwd: root, encoding: 'utf8' },
	);
	expect(JSON.parse(stdout)).toMatchObject({ ignored: true });
});
