import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

const jobs = new Map(
	[...publish.replace(/^[^]*^jobs:\n/m, '').matchAll(/^ {2}(\w+):\n((?: {4}.*\n|\n)+)/gm)].map(
		([, name, text]) => [name, text],
	),
);
const readPermissions = (job = '') =>
	/^ {4}permissions:\n((?: {6}.*\n)+)/m
		.exec(job)?.[1]
		.trim()
		.split(/\s*\n\s*/);

// Promise: The package installs as a community package
it('publishes exactly the tested tarball, with provenance and a bill of materials', () => {
	const [tests, bill, up, out] = places(
		...['FULL=1 bash .ci/run', 'npm sbom', 'upload-artifact', 'npm publish'],
	);
	expect(tests).toBeGreaterThan(-1);
	expect(bill).toBeGreaterThan(tests);
	expect(up).toBeGreaterThan(bill);
	expect(out).toBeGreaterThan(up);
	expect(steps[out]).toMatch(/npm publish "\$PACKED".*\.tgz .*--provenance/);
	expect(publish).not.toContain('npm run release');
	expect(publish).not.toContain('npm pack');
	// All checks must run on one tarball: those of the second lane wait for its path.
	expect(gate.match(/scripts\/pack\.mjs/g)).toHaveLength(1);
	const [packed, told] = ['pack.mjs', 'echo "$CORRIGO_TARBALL" >&3'].map((text) =>
		gate.indexOf(text),
	);
	expect(told).toBeGreaterThan(packed);
	const waited = gate.indexOf('read -r CORRIGO_TARBALL <&3\n\texport CORRIGO_TARBALL\n');
	expect(waited).toBeGreaterThan(-1);
	for (const check of ['preflight', 'test:e2e', 'test:queue']) {
		expect(gate.indexOf(`npm run --silent ${check}`)).toBeGreaterThan(waited);
	}
});

it('all generated cases run each night', () => {
	const ci = read('.github/workflows/ci.yml');
	expect(ci).toMatch(/^ {2}schedule:\n {4}- cron: /m);
	expect(ci).toMatch(/^ {6}FULL: \$\{\{ github\.event_name == 'schedule' && '1' \|\| '' \}\}$/m);
	expect(gate).not.toMatch(/(export|unset) FULL/);
});

it('code of dependencies runs without rights, and what has rights runs none', () => {
	expect(publish).toMatch(/^permissions: \{\}$/m);
	expect([...jobs].map(([name, job]) => [name, readPermissions(job)])).toEqual([
		['test', ['contents: read']],
		['build', ['contents: read']],
		['publish', ['id-token: write']],
		['release', ['contents: write']],
	]);
	for (const name of ['publish', 'release']) {
		expect(jobs.get(name)).not.toMatch(/npm (ci|install|run|test|exec)|npx|checkout/);
	}
	expect(jobs.get('publish')).toMatch(/^ {4}needs: \[test, build\]$/m);
	expect(jobs.get('test')).toMatch(/^ {8}node: \[20, 22, 24\]$/m);
	// setup-node would write the name of a variable with an empty token, which npm prefers to its trust.
	expect(publish).not.toMatch(/NODE_AUTH_TOKEN|registry-url/);
});

it.each(['publish.yml', 'ci.yml'])('the actions of %s are pinned by commit', (file) => {
	const used = [...read(`.github/workflows/${file}`).matchAll(/uses: (.*)/g)];
	expect(used).not.toEqual([]);
	for (const [, action] of used) expect(action).toMatch(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

/** A package of which only the CHANGELOG is there. */
function buildTarball(changelog: string): Buffer {
	const folder = mkdtempSync(join(tmpdir(), 'package-'));
	try {
		mkdirSync(join(folder, 'package'));
		writeFileSync(join(folder, 'package', 'CHANGELOG.md'), changelog);
		return execFileSync('tar', ['-czf', '-', '-C', folder, 'package']);
	} finally {
		rmSync(folder, { recursive: true });
	}
}

const tarball = buildTarball(
	'## 1.0.1 - 2026-02-28\n\n- Later\n\n## 1.0.0 - 2026-01-31\n\n- The [guide](docs/guide/README.md)\n',
);

/** Runs the script of a step with other programs in place of npm or gh, and returns what these were called with. */
function runStep(words: string, programs: Record<string, string>, cwd?: string): string[] {
	const folder = mkdtempSync(join(tmpdir(), 'packed-'));
	try {
		writeFileSync(join(folder, 'package.tgz'), tarball);
		writeFileSync(join(folder, 'sbom.cdx.json'), '{}');
		for (const [name, script] of Object.entries(programs)) {
			const lines = ['#!/bin/bash', `echo "${name} $*" >> "${folder}/calls"`, script, ''];
			writeFileSync(join(folder, name), lines.join('\n'), { mode: 0o755 });
		}
		writeFileSync(join(folder, 'calls'), '');
		const [step] = steps.filter((one) => one.includes(words));
		const [, script] = / run: \|\n([^]*)$/.exec(step) ?? [];
		execFileSync('bash', ['-e', '-c', script], {
			cwd,
			env: {
				...process.env,
				PATH: `${folder}:${process.env.PATH}`,
				PACKED: folder,
				GITHUB_REF_NAME: '1.0.0',
				GITHUB_SHA: 'HEAD',
				GH_REPO: 'owner/name',
			},
			stdio: 'pipe',
		});
		return readFileSync(join(folder, 'calls'), 'utf8').replaceAll(folder, '').trim().split('\n');
	} finally {
		rmSync(folder, { recursive: true });
	}
}

const checksum = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;

describe('publishing again', () => {
	const view = 'npm view n8n-nodes-corrigo@1.0.0 dist.integrity';
	const out = 'npm publish /package.tgz --ignore-scripts --provenance --access public';

	it.each([
		['npm has no such version', '[ "$1" = publish ] || exit 1', [view, out]],
		['npm has another package', 'echo sha512-other', [view, out]],
		['npm has the package', `echo '${checksum}'`, [view]],
	])('where %s', (_, npm, calls) => {
		expect(runStep('npm publish', { npm })).toEqual(calls);
	});

	const upload = 'gh release upload 1.0.0 --clobber /package.tgz /sbom.cdx.json';
	const create = [
		'gh release create 1.0.0 --verify-tag --notes ',
		'- The [guide](https://github.com/owner/name/blob/1.0.0/docs/guide/README.md)',
		'',
		`Checksum: ${checksum}`,
	];

	it.each([
		['there is no release page', '[ "$2" != view ]', [...create, upload]],
		['there is a release page', '', [upload]],
	])('where %s', (_, gh, calls) => {
		expect(runStep('gh release', { gh })).toEqual(['gh release view 1.0.0', ...calls]);
	});
});

it('a tag that is not on main is not published', () => {
	const folder = mkdtempSync(join(tmpdir(), 'tagged-'));
	const git = (...args: string[]) =>
		execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...args], {
			cwd: folder,
			stdio: 'pipe',
		});
	try {
		git('init', '--initial-branch=main');
		writeFileSync(join(folder, 'package.json'), '{ "version": "1.0.0" }');
		writeFileSync(join(folder, 'CHANGELOG.md'), '## 1.0.0 - 2026-01-31\n');
		git('add', '.');
		git('commit', '-m', 'first');
		git('update-ref', 'refs/remotes/origin/main', 'HEAD');
		expect(runStep('is on main', {}, folder)).toEqual(['']);
		git('commit', '--allow-empty', '-m', 'not on main');
		expect(() => runStep('is on main', {}, folder)).toThrow();
	} finally {
		rmSync(folder, { recursive: true });
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

it('publishing, and nothing else, waits for a reviewer in an environment', () => {
	const jobs = publish
		.slice(publish.indexOf('\njobs:'))
		.split(/^ {2}(?=\w+:$)/m)
		.slice(1);
	const waiting = jobs.filter((job) => /^ {4}environment: npm$/m.test(job));
	expect(waiting.map((job) => job.split(':')[0])).toEqual(['publish']);
});
