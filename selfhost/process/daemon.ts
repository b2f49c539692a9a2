import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';

import { Tail, type CommandOptions } from './command';
import { cleanups } from './program';

const START_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 15_000;

export interface DaemonOptions extends Omit<CommandOptions, 'hint'> {
	/** Name of the server in error messages. */
	name: string;
	command: string;
	args: readonly string[];
	logFile: string;
	/** Text that the server prints when it is ready. */
	readyLine: string;
	onLine?: (line: string) => void;
}

export interface Daemon {
	pid: number;
	logFile: string;
	/** Settles when the process has ended, whether it was stopped or not. */
	ended: Promise<void>;
	stop(): Promise<void>;
}

/** Kills what is left of a process group, which is mostly nothing. */
function killGroup(leader: number, signal: NodeJS.Signals) {
	try {
		process.kill(-leader, signal);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
	}
}

/** Starts a server as a separate process and waits until it prints that it is ready. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
	const { name, command, args, cwd, env, user, logFile, onLine } = options;
	// With its own process group, a Ctrl-C in the terminal does not reach the server directly, and its
	// children can be killed together with it.
	const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
	const child = spawn(command, args, { cwd, detached: true, env, ...user, stdio });
	const spawnError = new Promise<string>((resolve) => {
		child.once('error', ({ message }) => resolve(message));
	});
	const { pid } = child;
	if (pid === undefined) throw new Error(`${name} did not start: ${await spawnError}`);

	const tail = new Tail();
	const log = createWriteStream(logFile);
	child.stdout.pipe(log, { end: false });
	child.stderr.pipe(log, { end: false });
	const kill = () => killGroup(pid, 'SIGKILL');
	process.once('exit', kill);
	child.once('exit', () => {
		process.off('exit', kill);
		kill();
	});
	const ended = new Promise<void>((resolve) => child.once('close', () => log.end(resolve)));
	const stop = async () => {
		const timer = setTimeout(kill, STOP_TIMEOUT_MS);
		if (child.exitCode === null) child.kill('SIGTERM');
		await ended;
		clearTimeout(timer);
	};
	// A server that is still starting is stopped at the end as well.
	cleanups.push(stop);

	const ready = new Promise<void>((resolve) => {
		const read = (line: string) => {
			if (line.includes(options.readyLine)) resolve();
			onLine?.(line);
		};
		tail.read(child.stdout, read);
		tail.read(child.stderr, read);
	});
	const failure = await Promise.race([
		ready.then(() => undefined),
		ended.then(() => `it exited with ${child.signalCode ?? child.exitCode}`),
		new Promise<string>((resolve) => {
			const limit = setTimeout(resolve, START_TIMEOUT_MS, 'it was not ready in time');
			void Promise.race([ready, ended]).then(() => clearTimeout(limit));
		}),
	]);
	if (failure) {
		await stop();
		const title = `${name} did not start: ${failure}`;
		throw new Error([title, ...tail.lines, `Full log: ${logFile}`].join('\n'));
	}
	return { pid, logFile, ended, stop };
}
