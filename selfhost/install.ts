import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';

import { step } from './console/progress';
import { runCommand } from './process/command';

const MIN_NODE_VERSION = 24;
const modules = join(__dirname, 'node_modules');
const stampFile = join(modules, '.ready');
const platformPackage = join(modules, `node-${process.platform}-${process.arch}`);

/**
 * The Node.js that runs n8n: the binary of the pinned platform package, so that the machine may have
 * an older one. Platforms without such a package use the machine's Node.js.
 */
export function nodeForN8n(): string {
	const binary = join(platformPackage, 'bin', 'node');
	if (existsSync(binary)) return binary;
	if (Number.parseInt(process.versions.node, 10) >= MIN_NODE_VERSION) return process.execPath;
	throw new Error(
		`n8n needs Node.js ${MIN_NODE_VERSION} or newer, and there is no package with it for ` +
			`${process.platform} ${process.arch}. Run this command with Node.js ${MIN_NODE_VERSION}.`,
	);
}

export const n8nBinary = join(modules, 'n8n', 'bin', 'n8n');

/** PATH with n8n's Node.js first, for commands that must run under it. */
export const pathWithNode = () => [dirname(nodeForN8n()), process.env.PATH].join(delimiter);

/**
 * Install scripts are turned off in this folder, but sqlite3 needs its own: the registry has no
 * binary of it, so the script downloads one or, where that host cannot be reached, compiles it
 * against the headers in the platform package.
 */
async function buildSqlite() {
	const headers = existsSync(join(platformPackage, 'include')) ? platformPackage : undefined;
	await runCommand(
		'npm',
		['rebuild', 'sqlite3', '--ignore-scripts=false', '--foreground-scripts'],
		{
			cwd: __dirname,
			env: {
				...process.env,
				PATH: pathWithNode(),
				// Full optimization takes twice the time, and n8n does not use the database much here.
				CFLAGS: '-O1',
				CXXFLAGS: '-O1',
				...(headers && { npm_config_nodedir: headers }),
			},
			hint: 'No prebuilt sqlite3 could be downloaded. Compiling it requires Python 3 and a C++ compiler.',
		},
	);
}

function wantedStamp() {
	const lock = readFileSync(join(__dirname, 'package-lock.json'));
	return createHash('sha256')
		.update(lock)
		.update(`${process.platform}-${process.arch}`)
		.digest('hex');
}

const installedStamp = () => (existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '');

/** Installs the pinned n8n unless it is installed already. */
export async function installN8n() {
	const wanted = wantedStamp();
	if (installedStamp() === wanted) return;
	await step('Installing n8n (2.3 GB, a few minutes)', async () => {
		await runCommand('npm', ['ci'], { cwd: __dirname });
	});
	await step('Building its database driver (up to a minute)', buildSqlite);
	await writeFile(stampFile, wanted);
}

if (require.main === module) void installN8n();
