import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const EXPORT =
	/^export (?:async )?(?:abstract )?(?:class|const|enum|function\*?|interface|let|type) (\w+)/gm;

it('no two modules export different things under one name', () => {
	const modules = ['credentials', 'nodes'].flatMap((folder) =>
		readdirSync(join(root, folder), { encoding: 'utf8', recursive: true })
			.filter((file) => file.endsWith('.ts'))
			.map((file) => join(folder, file)),
	);
	const exported = modules.flatMap((file) => {
		const names = [...readFileSync(join(root, file), 'utf8').matchAll(EXPORT)];
		return [...new Set(names.map(([, name]) => name))].map((name) => ({ name, file }));
	});
	const first = new Map(
		exported.map(({ name, file }) => [name, file]).reverse() as Array<[string, string]>,
	);

	expect(exported.length).toBeGreaterThan(modules.length);
	expect(exported.filter(({ name, file }) => first.get(name) !== file)).toEqual([]);
});
