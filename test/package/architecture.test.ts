import { readFileSync } from 'node:fs';
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
