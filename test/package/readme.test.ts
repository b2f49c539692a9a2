import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { events } from '../../nodes/Corrigo/trigger/events';
import { scripts } from '../../package.json';
import { staleFiles } from '../../scripts/generated';
import { eventsTable, operationsTable } from '../../scripts/tables';

const root = join(__dirname, '..', '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

it('shows every operation that the node offers, and no other', () => {
	expect([...staleFiles().keys()]).not.toContain('README.md');
	expect(readme).toContain(operationsTable());
});

it('has a row in docs/trigger.md for every event of the trigger, and no other', () => {
	const page = readFileSync(join(root, 'docs/trigger.md'), 'utf8');
	expect(page).toContain(`<!-- events -->\n${eventsTable()}<!-- end of events -->`);
	for (const { name } of Object.values(events)) expect(page).toContain(`\n| ${name} | `);
});

it('names only commands that exist', () => {
	const named = [...readme.matchAll(/npm (?:run )?([a-z][\w:-]*)/g)].map(([, name]) => name);
	const ofNpm = ['ci', 'install', 'i'];
	expect(named.filter((name) => !ofNpm.includes(name) && !(name in scripts))).toEqual([]);
});

it('links only to files that exist', () => {
	const links = [...readme.matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)].map(([, path]) => path);
	expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([]);
	expect(links.length).toBeGreaterThan(0);
});
