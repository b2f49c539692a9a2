import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';

import { run } from './process/command';
import { step } from './console/progress';

const OLDEST_NODE_FOR_N8N = 24;
const modules = join(__dirname, 'node_modules');
const stampFile = join(modules, '.ready');
const platformPackage = join(modules, `node-${process.platform}-${process.arch}`);

/**
 * The Node.js that runs n8n: the binary of the pinned platform package, so that the Node.js of the
 * machine may be older. Where no such package exists, the machine's own has to be new enough.
 */
export function nodeForN8n(): string {
	const binary = join(platformPackage, 'bin', 'node');
	if (existsSync(binary)) return binary;
	if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE_FOR_N8N) return process.execPath;
	throw new Error(
		`n8n needs Node.js ${OLDEST_NODE_FOR_N8N} or newer, and there is no packaged one for ` +
			`${process.platform} ${process.arch}: run this command with Node.js ${OLDEST_NODE_FOR_N8N}.`,
	);
}

export const n8nBinary = join(modules, 'n8n', 'bin', 'n8n');

/** The search path with n8n's Node.js first, for commands that must run under it. */
export const pathWithNode = () => [dirname(nodeForN8n()), process.env.PATH].join(delimiter);

/**
 * npm hides the scripts of all packages here. One package needs its own: sqlite3 carries no binary
 * in the registry, so it downloads one or, where that host cannot be reached, compiles it against
 * the headers that come with the platform package.
 */
async function buildSqlite() {
	const headers = existsSync(join(platformPackage, 'include')) ? platformPackage : undefined;
	await run('npm', ['rebuild', 'sqlite3', '--ignore-scripts=false', '--foreground-scripts'], {
		cwd: __dirname,
		env: { ...process.env, PATH: pathWithNode(), ...(headers && { npm_config_nodedir: headers }) },
		hint: 'No ready-made sqlite3 could be downloaded: compiling it takes Python 3 and a C++ compiler.',
	});
}

function wantedStamp() {
	const lock = readFileSync(join(__dirname, 'package-lock.json'));
	return createHash('sha256')
		.update(lock)
		.update(`${process.platform}-${process.arch}`)
		.digest('hex');
}

const installedStamp = () => (existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '');

/** Makes the pinned n8n ready to start; does nothing when it already is. */
export async function installN8n() {
	const wanted = wantedStamp();
	if (installedStamp() === wanted) return;
	await step('Installing n8n (2.3 GB, a few minutes)', async () => {
		await run('npm', ['ci'], { cwd: __dirname });
	});
	await step('Building its database driver (up to a minute)', buildSqlite);
	await writeFile(stampFile, wanted);
}

if (require.main === module) void installN8n();
