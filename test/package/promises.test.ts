import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'docs/promises.md'), 'utf8');

const rows = page.split('\n').filter((line) => /^\| (?!Promise \|)/.test(line));

/** Matches `| promise | file: name of the test |`; ` …` is the rest of a long name. */
const ROW = /^\| (.+) \| `([^`]+\.test\.ts)`: (.+) \|$/;

it('docs/promises.md names a test for every promise', () => {
	expect(rows.length).toBeGreaterThan(40);
	expect(rows.filter((row) => !ROW.test(row))).toEqual([]);
});

it.each(rows.map((row) => ROW.exec(row)?.slice(1) ?? [row, '', '']))(
	'%s: the file has one test of this name',
	(_promise, file, name) => {
		expect(existsSync(join(root, file))).toBe(true);
		const titles = readFileSync(join(root, file), 'utf8').matchAll(/\(\s*(['"`])(.+?)\1,/g);
		const isNamed = (title: string) =>
			name.endsWith(' …') ? title.startsWith(name.slice(0, -2)) : title === name;
		expect([...new Set([...titles].map(([, , title]) => title))].filter(isNamed)).toHaveLength(1);
	},
);

it('docs/promises.md names each promise once', () => {
	expect(new Set(rows).size).toBe(rows.length);
});
