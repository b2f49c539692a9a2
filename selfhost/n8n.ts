import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';

import { n8nBinary, nodeForN8n, pathWithNode } from './install';
import { Tail } from './process';

const LOOPBACK = '127.0.0.1';
const STARTED = 'Editor is now accessible via:';
const LONGEST_START_MS = 180_000;
const LONGEST_STOP_MS = 15_000;
const PASSED_ON = ['HOME', 'LANG', 'PATH', 'TMPDIR', 'TZ', 'USER'];

export class N8nStartError extends Error {
	constructor(
		reason: string,
		readonly logFile: string,
		readonly lastLines: readonly string[],
	) {
		super([`n8n did not come up: ${reason}`, ...lastLines, `The whole log: ${logFile}`].join('\n'));
		this.name = 'N8nStartError';
	}
}

export interface N8nOptions {
	/** The folder that holds everything of the instance. */
	userFolder: string;
	/** A port to prefer; another one is taken when it is in use. */
	port?: number;
	env?: NodeJS.ProcessEnv;
}

export interface N8n {
	url: string;
	logFile: string;
	/** Settles when n8n has ended, asked to or not. */
	ended: Promise<void>;
	stop(): Promise<void>;
}

async function freePort(wanted = 0): Promise<number> {
	const server = createServer();
	const port = await new Promise<number | undefined>((resolve) => {
		server.once('error', () => resolve(undefined));
		server.listen(wanted, LOOPBACK, () => resolve((server.address() as AddressInfo).port));
	});
	if (port === undefined) return await freePort();
	await new Promise((resolve) => server.close(resolve));
	return port;
}

/**
 * Only what a process needs of the surrounding environment goes in: settings of another n8n, of npm
 * or of a test runner would change this one.
 */
async function environment({ userFolder, port, env }: N8nOptions) {
	const passedOn = Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]]));
	return {
		...passedOn,
		PATH: [join(__dirname, 'bin'), pathWithNode()].join(delimiter),
		NODE_ENV: 'production',
		N8N_USER_FOLDER: userFolder,
		N8N_HOST: LOOPBACK,
		N8N_LISTEN_ADDRESS: LOOPBACK,
		N8N_PORT: String(await freePort(port)),
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		// The address is plain http on the loopback interface.
		N8N_SECURE_COOKIE: 'false',
		// No call leaves the machine: no telemetry, no look-ups of versions, banners or templates.
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_DISABLED_MODULES: 'mcp-registry',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		// A package that n8n has not verified, as this one before its release, may be installed.
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		// Nothing stands between a new user and the editor.
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_PYTHON_ENABLED: 'false',
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '5',
		...env,
	};
}

/** Ends whatever is left of a process group; that nothing is left is the usual case. */
function endGroup(leader: number, signal: NodeJS.Signals) {
	try {
		process.kill(-leader, signal);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
	}
}

/** Starts a real n8n and waits until its editor can be used. */
export async function startN8n(options: N8nOptions): Promise<N8n> {
	await mkdir(options.userFolder, { recursive: true });
	const logFile = join(options.userFolder, 'n8n.log');
	const env = await environment(options);
	// A group of its own: a Ctrl-C meant for the whole terminal does not end n8n behind our back, and
	// its task runner can be ended with it.
	const child = spawn(nodeForN8n(), [n8nBinary, 'start'], {
		cwd: options.userFolder,
		detached: true,
		env,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const { pid } = child;
	if (pid === undefined) throw new N8nStartError('its Node.js cannot be run', logFile, []);

	const log = createWriteStream(logFile);
	const tail = new Tail();
	child.stdout.pipe(log, { end: false });
	child.stderr.pipe(log, { end: false });
	const kill = () => endGroup(pid, 'SIGKILL');
	process.once('exit', kill);
	child.once('exit', () => {
		process.off('exit', kill);
		kill();
	});
	const ended = new Promise<void>((resolve) => child.once('close', () => log.end(resolve)));
	const stop = async () => {
		const tooLong = setTimeout(kill, LONGEST_STOP_MS);
		if (child.exitCode === null) child.kill('SIGTERM');
		await ended;
		clearTimeout(tooLong);
	};

	const ready = new Promise<void>((resolve) => {
		tail.read(child.stdout, (line) => line.includes(STARTED) && resolve());
		tail.read(child.stderr);
	});
	const outcome = await Promise.race([
		ready.then(() => undefined),
		ended.then(() => `it ended with ${child.signalCode ?? child.exitCode}`),
		new Promise<string>((resolve) => {
			const limit = setTimeout(resolve, LONGEST_START_MS, 'it took too long');
			void Promise.race([ready, ended]).then(() => clearTimeout(limit));
		}),
	]);
	if (outcome) {
		await stop();
		throw new N8nStartError(outcome, logFile, tail.lines);
	}
	return { url: `http://${LOOPBACK}:${env.N8N_PORT}`, logFile, ended, stop };
}
