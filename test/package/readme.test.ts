import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { scripts } from '../../package.json';

const root = join(__dirname, '..', '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

it('the README names only npm scripts that exist', () => {
	const named = [...readme.matchAll(/npm (?:run )?([a-z][\w:-]*)/g)].map(([, name]) => name);
	const npmCommands = ['ci', 'install', 'i'];
	expect(named.filter((name) => !npmCommands.includes(name) && !(name in scripts))).toEqual([]);
});

it('the README links only to files that exist', () => {
	const links = [...readme.matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)].map(([, path]) => path);
	expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([]);
	expect(links.length).toBeGreaterThan(0);
});
