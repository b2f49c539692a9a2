import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { version } from '../../package.json';

const root = join(__dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const publish = read('.github/workflows/publish.yml');
const steps = [...publish.matchAll(/^ {6}- .*(?:\n {8,}.*)*/gm)].map(([step]) => step);
const gate = read('.ci/run');

const places = (...words: string[]) =>
	words.map((word) => steps.findIndex((step) => step.includes(word)));

// Promise: The package installs as a community package
it('publishes exactly the tested tarball, with provenance and a bill of materials', () => {
	const [tests, bill, out] = places('bash .ci/run', 'npm sbom', 'npm publish');
	expect(tests).toBeGreaterThan(-1);
	expect(bill).toBeGreaterThan(tests);
	expect(out).toBeGreaterThan(bill);
	expect(steps[out]).toMatch(/npm publish "\$PACKED".*\.tgz .*--provenance/);
	expect(publish).not.toContain('npm run release');
	expect(publish).not.toContain('npm pack');
	expect(publish).toContain('id-token: write');
	// All checks must run on one tarball.
	expect(gate.match(/scripts\/pack\.mjs/g)).toHaveLength(1);
	for (const check of ['preflight', 'test:e2e', 'test:queue']) {
		expect(gate.indexOf(`npm run --silent ${check}`)).toBeGreaterThan(gate.indexOf('pack.mjs'));
	}
});

it('the release names the checksum of the package as npm writes it', () => {
	const packed = mkdtempSync(join(tmpdir(), 'packed-'));
	try {
		writeFileSync(join(packed, 'package.tgz'), 'a package');
		const [command] = /checksum=.*$/m.exec(publish) ?? [''];
		const printed = execFileSync('bash', ['-c', `${command}; printf '%s' "$checksum"`], {
			env: { ...process.env, PACKED: packed },
			encoding: 'utf8',
		});
		expect(printed).toBe(`sha512-${createHash('sha512').update('a package').digest('base64')}`);
		expect(steps.at(-1)).toContain('Checksum: $checksum');
	} finally {
		rmSync(packed, { recursive: true });
	}
});

it('the CHANGELOG dates every version, below what is unreleased', () => {
	const sections = [...read('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, title]) => title);
	const versions = sections[0] === 'Unreleased' ? sections.slice(1) : sections;
	expect(sections).not.toEqual([]);
	for (const title of versions) expect(title).toMatch(/^\d+\.\d+\.\d+ - \d{4}-\d{2}-\d{2}$/);
});

it('the bill of materials contains nothing but the package', () => {
	const options = ['--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'];
	const bill = JSON.parse(
		execFileSync('npm', ['sbom', ...options], { cwd: root, encoding: 'utf8' }),
	) as { metadata: { component: { purl: string } }; components: unknown[] };
	expect(bill.metadata.component.purl).toBe(`pkg:npm/n8n-nodes-corrigo@${version}`);
	expect(bill.components).toEqual([]);
});
