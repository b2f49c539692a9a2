import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'docs/promises.md'), 'utf8');

const rows = page.split('\n').filter((line) => /^\| (?!Promise \|)/.test(line));

/** Matches `| promise | file: name of the test |`. */
const ROW = /^\| (.+) \| `([^`]+\.test\.ts)`: (.+) \|$/;

it('docs/promises.md names a test for every promise', () => {
	expect(rows.length).toBeGreaterThan(40);
	expect(rows.filter((row) => !ROW.test(row))).toEqual([]);
});

it.each(rows.map((row) => ROW.exec(row)?.slice(1) ?? [row, '', '']))(
	'%s: the named test exists',
	(_promise, file, name) => {
		expect(existsSync(join(root, file))).toBe(true);
		const titles = readFileSync(join(root, file), 'utf8').matchAll(/\(\s*(['"`])(.+?)\1,/g);
		expect([...titles].map(([, , title]) => title)).toContain(name);
	},
);

it('docs/promises.md names each promise once', () => {
	expect(new Set(rows).size).toBe(rows.length);
});
