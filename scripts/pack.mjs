// Packs the build once: later checks and the release use this tarball. It must contain no tests, no
// sandbox and no sources.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

const ALLOWED =
	/^(dist\/(credentials|icons|nodes)\/|dist\/package\.json$|package\.json$|README\.md$|LICENSE$|CHANGELOG\.md$)/;
const REQUIRED = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'dist/icons/corrigo.svg'];

const [folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const options = ['--json', '--ignore-scripts', '--pack-destination', folder];
const [{ files, size, filename, integrity }] = JSON.parse(
	execFileSync('npm', ['pack', ...options], { encoding: 'utf8' }),
);
const paths = files.map(({ path }) => path);
const unexpected = paths.filter((path) => !ALLOWED.test(path));
const missing = REQUIRED.filter((path) => !paths.includes(path));

console.log(`${filename}: ${paths.length} files, ${Math.round(size / 1024)} kB, ${integrity}`);
if (unexpected.length > 0) console.log(`Does not belong in the package: ${unexpected.join(', ')}`);
if (missing.length > 0) console.log(`Missing in the package: ${missing.join(', ')}`);
if (unexpected.length + missing.length > 0) process.exitCode = 1;
