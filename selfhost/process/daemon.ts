import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';

import { opened } from './program';
import { Tail } from './command';

export const LOOPBACK = '127.0.0.1';
const LONGEST_START_MS = 180_000;
const LONGEST_STOP_MS = 15_000;

class StartError extends Error {
	constructor(
		name: string,
		reason: string,
		readonly logFile: string,
		readonly lastLines: readonly string[],
	) {
		super(
			[`${name} did not come up: ${reason}`, ...lastLines, `The whole log: ${logFile}`].join('\n'),
		);
		this.name = 'StartError';
	}
}

export interface DaemonOptions {
	/** What people call it. */
	name: string;
	command: string;
	args: readonly string[];
	cwd: string;
	env?: NodeJS.ProcessEnv;
	/** Another user than the one who starts it. */
	user?: { uid: number; gid: number };
	logFile: string;
	/** What it says when it can be used. */
	ready: string;
	onLine?: (line: string) => void;
}

export interface Daemon {
	pid: number;
	logFile: string;
	/** Settles when it has ended, asked to or not. */
	ended: Promise<void>;
	stop(): Promise<void>;
}

export async function freePort(wanted = 0): Promise<number> {
	const server = createServer();
	const port = await new Promise<number | undefined>((resolve) => {
		server.once('error', () => resolve(undefined));
		server.listen(wanted, LOOPBACK, () => resolve((server.address() as AddressInfo).port));
	});
	if (port === undefined) return await freePort();
	await new Promise((resolve) => server.close(resolve));
	return port;
}

/** Ends whatever is left of a process group; that nothing is left is the usual case. */
function endGroup(leader: number, signal: NodeJS.Signals) {
	try {
		process.kill(-leader, signal);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
	}
}

/** Starts a server as a process of its own and waits until it says that it is ready. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
	const { name, command, args, cwd, env, user, logFile, onLine } = options;
	// A group of its own: a Ctrl-C meant for the whole terminal does not end it behind our back, and
	// what it has started can be ended with it.
	const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
	const child = spawn(command, args, { cwd, detached: true, env, ...user, stdio });
	const unable = new Promise<string>((resolve) => {
		child.once('error', ({ message }) => resolve(message));
	});
	const { pid } = child;
	if (pid === undefined) throw new StartError(name, await unable, logFile, []);

	const tail = new Tail();
	const log = createWriteStream(logFile);
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
	// Also one that is still starting is stopped when everything is.
	opened.push(stop);

	const ready = new Promise<void>((resolve) => {
		const read = (line: string) => {
			if (line.includes(options.ready)) resolve();
			onLine?.(line);
		};
		tail.read(child.stdout, read);
		tail.read(child.stderr, read);
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
		throw new StartError(name, outcome, logFile, tail.lines);
	}
	return { pid, logFile, ended, stop };
}
