import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { resources } from '../../nodes/Corrigo/actions/registry';
import { PREVIEW_FOLDER, previews } from '../../scripts/schema';

const folder = join(__dirname, '..', '..', PREVIEW_FOLDER);

const committed = () =>
	new Map(
		readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.json'))
			.map((file) => [file.replace(/\\/g, '/'), readFileSync(join(folder, file), 'utf8')]),
	);

it('is what the catalogue gives: run `npx gulp generate` after a change', () => {
	expect(Object.fromEntries(committed())).toEqual(Object.fromEntries(previews()));
});

it('is there for every operation but the one that runs any command', () => {
	const operations = resources.flatMap(({ value: resource, operations: all }) =>
		all.map(({ value }) => `${resource}/${value}.json`),
	);
	expect([...committed().keys(), 'command/execute.json'].sort()).toEqual(operations.sort());
});

it.each([...previews()])('%s says something', (file, contents) => {
	const schema = JSON.parse(contents) as { type: string; properties: object };
	expect(schema.type).toBe('object');
	// A count alone is whole.
	expect(Object.keys(schema.properties).length).toBeGreaterThan(
		file.endsWith('/count.json') ? 0 : 1,
	);
});
