// `npm test`: builds what users install unless the last build has it, then runs the tests. The build
// speaks only if it fails.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';

import { isBuilt } from './built.ts';

console.log(
	process.env.FULL
		? 'Building, then running every test with all its cases (about 30 minutes) …'
		: 'Building, then running the tests (about 3 minutes; FULL=1 runs more, in about 30) …',
);

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
if (!(await isBuilt('.'))) {
	const build = spawnSync(npm, ['run', '--silent', 'build'], { encoding: 'utf8' });
	if (build.status !== 0) {
		console.error(stripVTControlCharacters(build.stdout + build.stderr));
		process.exit(1);
	}
}

// Garbage collection takes a tenth of the time with the sizes that Node.js chooses. In Node.js 20, so does
// the optimization of code that tests run a few times; newer versions have a faster compiler for it.
const options = ['--max-semi-space-size=64'];
if (process.versions.node.startsWith('20.')) options.push('--interrupt-budget=800000');
const jest = [...options, 'node_modules/jest/bin/jest.js', ...process.argv.slice(2)];
const tests = spawn(process.execPath, jest, { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => tests.kill(signal));
const [status] = await once(tests, 'exit');
process.exitCode = status ?? 1;
