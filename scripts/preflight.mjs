// What the community scanner does after publishing, done before: the source, then what is shipped.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const scannerPackage = createRequire(import.meta.url).resolve(
	'@n8n/scan-community-package/package.json',
);
const scanner = join(dirname(scannerPackage), 'scanner', 'scanner.mjs');
const { analyzePackage, SOURCE_FILE_PATTERNS } = await import(scanner);

const legs = [
	['source', root, SOURCE_FILE_PATTERNS],
	['dist', join(root, 'dist'), ['**/*.js', 'package.json']],
];

console.log(`Scanner ${JSON.parse(readFileSync(scannerPackage, 'utf8')).version}`);
for (const [name, folder, patterns] of legs) {
	const result = await analyzePackage(folder, patterns);
	console.log(`${name}: ${result.passed ? 'passed' : `failed: ${result.message}`}`);
	if (result.details) console.log(result.details);
	if (!result.passed) process.exitCode = 1;
}
