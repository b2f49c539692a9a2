// What the npm scripts do first on a fresh clone: install, once per lock file. The program that is
// named is then run by this very process, so that a signal to npm reaches whatever is going on.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const LOCK = 'package-lock.json';
const INSTALLED = 'node_modules/.package-lock.json';

const isInstalled = existsSync(INSTALLED) && statSync(INSTALLED).mtimeMs >= statSync(LOCK).mtimeMs;

if (!isInstalled) {
	console.log('Installing the packages that the lock file names (about a minute) …');
	const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
	const install = spawn(npm, ['ci'], { stdio: 'inherit' });
	const pass = (signal) => install.kill(signal);
	process.on('SIGINT', pass).on('SIGTERM', pass);
	const [status] = await once(install, 'exit');
	process.off('SIGINT', pass).off('SIGTERM', pass);
	if (status !== 0) process.exit(status ?? 1);
}

const [node, , program, ...args] = process.argv;
if (program) {
	process.argv = [node, resolve(program), ...args];
	await import('tsx');
	await import(pathToFileURL(process.argv[1]));
}
