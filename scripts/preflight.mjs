// Runs the community scanner of n8n before publishing: on the source, which the scanner later fetches
// by the commit in the provenance, and on the tarball given by CORRIGO_TARBALL or packed here.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const scannerPackage = createRequire(import.meta.url).resolve(
	'@n8n/scan-community-package/package.json',
);
const scanner = join(dirname(scannerPackage), 'scanner', 'scanner.mjs');
const { analyzePackage, SOURCE_FILE_PATTERNS } = await import(scanner);

const folder = mkdtempSync(join(tmpdir(), 'corrigo-preflight-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

function pack() {
	const options = ['--silent', '--ignore-scripts', '--pack-destination', folder];
	execFileSync('npm', ['pack', ...options], { cwd: root, stdio: 'ignore' });
	return join(folder, readdirSync(folder)[0]);
}

const tarball = process.env.CORRIGO_TARBALL ? resolve(process.env.CORRIGO_TARBALL) : pack();
execFileSync('tar', ['-xzf', tarball, '-C', folder]);

const scans = [
	['source', root, SOURCE_FILE_PATTERNS],
	['tarball', join(folder, 'package'), ['**/*.js', 'package.json']],
];

console.log(`Scanner ${JSON.parse(readFileSync(scannerPackage, 'utf8')).version}`);
for (const [name, directory, patterns] of scans) {
	const result = await analyzePackage(directory, patterns);
	console.log(`${name}: ${result.passed ? 'passed' : `failed: ${result.message}`}`);
	if (result.details) console.log(result.details);
	if (!result.passed || /no files/i.test(result.message ?? '')) process.exitCode = 1;
}
