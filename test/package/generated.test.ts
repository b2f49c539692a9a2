import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { staleFiles } from '../../scripts/generated';

const root = join(__dirname, '..', '..');

it('generated files are up to date: run `npx gulp generate` after a change', () => {
	expect([...staleFiles().keys()]).toEqual([]);
});

describe('generated files in a copy of the repository', () => {
	let copy: string;

	beforeEach(() => {
		copy = mkdtempSync(join(tmpdir(), 'corrigo-generated-'));
		for (const path of ['README.md', 'docs', 'test/form', 'nodes/Corrigo/catalogue/contract.ts']) {
			cpSync(join(root, path), join(copy, path), { recursive: true });
		}
	});

	afterEach(() => {
		rmSync(copy, { recursive: true });
	});

	it('edited lines in documents, and a missing form, are detected and restored', () => {
		const files = ['operations', 'internals/performance', 'internals/triggers', 'triggers'];
		const edited = files.map((name) => {
			const file = `docs/${name}.md`;
			const before = readFileSync(join(copy, file), 'utf8');
			writeFileSync(join(copy, file), before.replace(/(<!-- \w+ -->\n[-|] )/, '$1edited '));
			return [file, before];
		});
		const form = 'test/form/corrigo.txt';
		edited.push([form, readFileSync(join(copy, form), 'utf8')]);
		rmSync(join(copy, form));

		expect([...staleFiles(copy)].sort()).toEqual(edited.sort());
	});

	it('a document without its markers is an error', () => {
		writeFileSync(join(copy, 'docs/operations.md'), 'No table here.');

		expect(() => staleFiles(copy)).toThrow('docs/operations.md lacks the markers of common');
	});
});
