/** A comment `// Promise: …` above a test names the promise of docs/internals/promises.md that it keeps, by its beginning. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

// The list begins with the first section; what is above it is the reader's part.
const [, ...sections] = read('docs/internals/promises.md').split('\n## ');
const promises = sections.flatMap((section) =>
	[...section.matchAll(/^- (.+)$/gm)].map(([, promise]) => promise),
);

const marks = ['test', 'selfhost/e2e'].flatMap((folder) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.test.ts'))
		.map((file) => `${folder}/${file}`)
		.flatMap((file) =>
			[...read(file).matchAll(/^\t*\/\/ Promise: (.+)\n((?:\t*\/\/.*\n)*)(.*)/gm)].map(
				([, beginning, , test]) => ({ file, beginning, test: test.trim() }),
			),
		),
);

it.each(promises)('a test keeps the promise "%s"', (promise) => {
	expect(marks.filter(({ beginning }) => promise.startsWith(beginning))).not.toEqual([]);
});

it.each(marks)('$file: "$beginning" is one promise, above a test', ({ beginning, test }) => {
	expect(promises.filter((promise) => promise.startsWith(beginning))).toHaveLength(1);
	expect(test).toMatch(/^(it|describe)(\.each)?\b(?!\.)/);
});
