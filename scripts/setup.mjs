// What `npm start` and `npm test` do first on a fresh clone: install, once per lock file.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';

const LOCK = 'package-lock.json';
const INSTALLED = 'node_modules/.package-lock.json';

const isInstalled = existsSync(INSTALLED) && statSync(INSTALLED).mtimeMs >= statSync(LOCK).mtimeMs;

if (!isInstalled) {
	console.log('Installing the packages that the lock file names (about a minute) …');
	const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
	const { status } = spawnSync(npm, ['ci'], { stdio: 'inherit' });
	if (status !== 0) process.exit(status ?? 1);
}
