// npm scripts start here: a fresh clone, or a changed lock file, needs an install first. The program
// then runs in this process, so that it receives the signals sent to npm.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const LOCK = 'package-lock.json';
const INSTALLED = 'node_modules/.package-lock.json';

// When npm is killed it passes no signal on, so the program would run on for ever.
const { ppid } = process;
const PARENT_CHECK_MS = 500;
const parentCheck = setInterval(() => {
	if (process.env.npm_lifecycle_event === undefined || process.ppid === ppid) return;
	clearInterval(parentCheck);
	if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(1);
}, PARENT_CHECK_MS).unref();

const readPackages = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;

function isInstalled() {
	if (!existsSync(INSTALLED)) return false;
	const installed = readPackages(INSTALLED);
	return Object.entries(readPackages(LOCK)).every(
		// Optional packages are for other platforms.
		([path, { version, optional }]) =>
			path === '' || optional || installed[path]?.version === version,
	);
}

if (!isInstalled()) {
	console.log('Installing the packages that the lock file names (about a minute) …');
	const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
	// Otherwise npm asks the registry for the address of each package, which the lock file lacks.
	const options = ['--prefer-offline', '--loglevel=error'];
	const install = spawn(npm, ['ci', ...options], { stdio: 'inherit' });
	const forwardSignal = (signal) => install.kill(signal);
	process.on('SIGINT', forwardSignal).on('SIGTERM', forwardSignal);
	const [status] = await once(install, 'exit');
	process.off('SIGINT', forwardSignal).off('SIGTERM', forwardSignal);
	if (status !== 0) process.exit(status ?? 1);
}

const [node, , program, ...args] = process.argv;
if (program) {
	process.argv = [node, resolve(program), ...args];
	await import('tsx');
	await import(pathToFileURL(process.argv[1]));
}
