import { resources } from '../../nodes/Corrigo/actions/registry';
import { previews } from '../../scripts/schema';

it('every operation except command:execute has a preview', () => {
	const operations = resources.flatMap(({ value: resource, operations: all }) =>
		all.map(({ value }) => `${resource}/${value}.json`),
	);
	expect([...previews().keys(), 'command/execute.json'].sort()).toEqual(operations.sort());
});

it.each([...previews()])('the preview %s has properties', (file, contents) => {
	const schema = JSON.parse(contents) as { type: string; properties: object };
	expect(schema.type).toBe('object');
	// The output of a count is one number.
	const least = file.endsWith('/count.json') ? 1 : 2;
	expect(Object.keys(schema.properties).length).toBeGreaterThanOrEqual(least);
});
