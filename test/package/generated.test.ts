import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { staleFiles } from '../../scripts/generated';
import { PREVIEW_FOLDER } from '../../scripts/schema';

const root = join(__dirname, '..', '..');

it('generated files are up to date: run `npx gulp generate` after a change', () => {
	expect([...staleFiles().keys()]).toEqual([]);
});

describe('generated files in a copy of the repository', () => {
	let copy: string;

	beforeEach(() => {
		copy = mkdtempSync(join(tmpdir(), 'corrigo-generated-'));
		for (const path of ['docs', 'test/form', PREVIEW_FOLDER]) {
			cpSync(join(root, path), join(copy, path), { recursive: true });
		}
	});

	afterEach(() => {
		rmSync(copy, { recursive: true });
	});

	it('edited lines in documents are detected and restored', () => {
		const files = ['operations', 'performance', 'internals/triggers', 'triggers'];
		const edited = files.map((name) => {
			const file = `docs/${name}.md`;
			const before = readFileSync(join(copy, file), 'utf8');
			writeFileSync(join(copy, file), before.replace(/(<!-- \w+ -->\n[-|] )/, '$1edited '));
			return [file, before];
		});

		expect([...staleFiles(copy)].sort()).toEqual(edited.sort());
	});

	it('a missing, edited or surplus preview is detected', () => {
		const file = (name: string) => `${PREVIEW_FOLDER}/asset/${name}.json`;
		rmSync(join(copy, file('get')));
		writeFileSync(join(copy, file('update')), '{}\n');
		writeFileSync(join(copy, file('paint')), '{}\n');

		const found = staleFiles(copy);

		expect([...found.keys()].sort()).toEqual(['get', 'paint', 'update'].map(file));
		expect(found.get(file('paint'))).toBeUndefined();
		expect(found.get(file('get'))).toContain('"properties"');
	});

	it('a changed form is detected and restored', () => {
		const file = 'test/form/corrigo.txt';
		const before = readFileSync(join(copy, file), 'utf8');
		writeFileSync(join(copy, file), before.replace('; required', ''));

		expect([...staleFiles(copy)]).toEqual([[file, before]]);
	});

	it('a document without its markers is an error', () => {
		writeFileSync(join(copy, 'docs/operations.md'), 'No table here.');

		expect(() => staleFiles(copy)).toThrow('docs/operations.md lacks the markers of common');
	});
});
