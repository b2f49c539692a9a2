import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { resources } from '../../nodes/Corrigo/actions/resources';
import { PREVIEW_FOLDER, previews } from '../../scripts/schema';
import { builtFile } from './built';

/** The answer depends on the command, or nothing of it is published. */
const UNKNOWN = ['command/execute', 'workOrder/createPlanned'];

it('every operation whose answer is known has a preview', () => {
	const operations = resources.flatMap(({ value: resource, operations: all }) =>
		all.map(({ value }) => `${resource}/${value}.json`),
	);
	const without = UNKNOWN.map((name) => `${name}.json`);
	expect([...previews().keys(), ...without].sort()).toEqual(operations.sort());
});

it.each([...previews()])('the preview %s has properties', (_, contents) => {
	const schema = JSON.parse(contents) as { type: string; properties: object };
	expect(schema.type).toBe('object');
	expect(schema.properties).not.toEqual({});
});

it('the package contains every preview', () => {
	const folder = builtFile(`dist/${PREVIEW_FOLDER}`);
	for (const [file, contents] of previews()) {
		expect(readFileSync(join(folder, file), 'utf8')).toBe(contents);
	}
});
