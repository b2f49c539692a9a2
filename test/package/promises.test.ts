import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

/** The lists of promises begin with the first section; what is above them is the reader's part. */
const readPromises = (path: string) => {
	const page = readFileSync(join(root, path), 'utf8');
	return page
		.slice(page.indexOf('\n## '))
		.split('\n')
		.filter((line) => line.startsWith('- '));
};
const promises = readPromises('test/promises.md');

/** Matches `- promise (file: test; test; file: test)`. */
const PROMISE = /^- (.+) \((`[^`]+\.test\.ts`: .+)\)$/;

const tests = promises.flatMap((promise) => {
	const [, text = promise, references = ''] = PROMISE.exec(promise) ?? [];
	return references
		.split(/(?:^|; )(?=`)/)
		.filter(Boolean)
		.flatMap((reference) => {
			const [, file, names] = /^`(.+)`: (.+)$/.exec(reference) ?? [reference, '', ''];
			return names.split('; ').map((name) => [text, file, name] as const);
		});
});

it('test/promises.md names a test for every promise of docs/promises.md', () => {
	expect(promises.length).toBeGreaterThan(40);
	expect(promises.map((promise) => promise.replace(PROMISE, '- $1'))).toEqual(
		readPromises('docs/promises.md'),
	);
	expect(promises.filter((promise) => !PROMISE.test(promise))).toEqual([]);
});

it.each(tests)('%s: %s has one test that begins with "%s"', (_promise, file, name) => {
	expect(existsSync(join(root, file))).toBe(true);
	const titles = readFileSync(join(root, file), 'utf8').matchAll(/\(\s*(['"`])(.+?)\1,/g);
	const named = [...titles].map(([, , title]) => title).filter((title) => title.startsWith(name));
	expect(new Set(named).size).toBe(1);
});

it('docs/promises.md names each promise once', () => {
	expect(new Set(promises).size).toBe(promises.length);
});
