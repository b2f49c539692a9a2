import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import packageJson from '../../package.json';

const root = join(__dirname, '..', '..');

// Promise: The package installs as a community package
it('has no runtime dependencies, and pins every development dependency', () => {
	expect(packageJson).not.toHaveProperty('dependencies');
	expect(packageJson.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	const loose = Object.entries(packageJson.devDependencies).filter(
		([, version]) => !/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+$/.test(version),
	);
	expect(loose).toEqual([]);
});

it('installs missing packages before each npm script that a contributor runs', () => {
	const { prepublishOnly, release, ...scripts } = packageJson.scripts;
	expect([prepublishOnly, release]).toEqual(['n8n-node prerelease', 'n8n-node release']);
	const first = Object.values(scripts).map((script) => script.split(' && ')[0]);
	expect(
		first.filter(
			(command) => !/^((exec )?node scripts\/setup\.mjs\b|npm run build$)/.test(command),
		),
	).toEqual([]);
});

it('keeps registry addresses out of the lock file', () => {
	expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toContain('"resolved": "http');
});

it('has one .gitignore, so that prettier ignores every file that git ignores', () => {
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
