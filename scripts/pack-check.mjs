// The package holds what users need and nothing else: no tests, no sandbox, no sources.
import { execFileSync } from 'node:child_process';

const ALLOWED =
	/^(dist\/(credentials|icons|nodes)\/|dist\/package\.json$|package\.json$|README\.md$|LICENSE$|CHANGELOG\.md$)/;
const REQUIRED = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'dist/icons/corrigo.svg'];

const [{ files, size }] = JSON.parse(
	execFileSync('npm', ['pack', '--dry-run', '--json'], { encoding: 'utf8' }),
);
const paths = files.map(({ path }) => path);
const strangers = paths.filter((path) => !ALLOWED.test(path));
const missing = REQUIRED.filter((path) => !paths.includes(path));

console.log(`${paths.length} files, ${Math.round(size / 1024)} kB packed`);
if (strangers.length > 0) console.log(`Does not belong in the package: ${strangers.join(', ')}`);
if (missing.length > 0) console.log(`Missing in the package: ${missing.join(', ')}`);
if (strangers.length + missing.length > 0) process.exitCode = 1;
