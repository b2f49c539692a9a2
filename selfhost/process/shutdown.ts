import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { waitFor } from '../waitFor';
import { Tail } from './command';

const MAX_SHUTDOWN_MS = 30_000;

interface RunningProcess {
	pid: number;
	parent: number;
	command: string;
}

/** Pid, state, parent and command of each process; read from /proc on Linux, which may lack `ps`. */
function listProcesses(): string[] {
	if (process.platform !== 'linux') {
		const columns = ['-o', 'pid=', '-o', 'stat=', '-o', 'ppid=', '-o', 'ucomm='];
		return execFileSync('ps', ['-A', ...columns], { encoding: 'utf8' }).split('\n');
	}
	return readdirSync('/proc').flatMap((pid) => {
		try {
			const stat = readFileSync(join('/proc', pid, 'stat'), 'utf8');
			return [stat.replace(/^(\d+) \((.*)\) (\S+) (\d+).*/s, '$1 $3 $4 $2')];
		} catch {
			// The entry is no process, or the process has just ended.
			return [];
		}
	});
}

/** Leaves out zombies (Z): they have ended, and are listed only until their parent looks. */
const runningProcesses = (): RunningProcess[] =>
	listProcesses().flatMap((line) => {
		const [, pid, state, parent, command] = /^\s*(\d+) +(\S+) +(\d+) +(.*)$/.exec(line) ?? [];
		if (pid === undefined || state.startsWith('Z')) return [];
		return [{ pid: Number(pid), parent: Number(parent), command }];
	});

/** A process and all its descendants. */
function processTree(root: number): RunningProcess[] {
	const all = runningProcesses();
	const below = (pid: number): RunningProcess[] =>
		all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)]);
	return [...all.filter(({ pid }) => pid === root), ...below(root)];
}

/** Ways to end a program that npm has started. */
const endings = {
	'npm is terminated': (npm: number) => process.kill(npm, 'SIGTERM'),
	'npm is killed': (npm: number) => process.kill(npm, 'SIGKILL'),
	'its terminal is closed': (npm: number) => process.kill(-npm, 'SIGHUP'),
};

export type Ending = keyof typeof endings;

/**
 * Runs npm until its program prints a line, then ends it. Waits until all processes that were running
 * have ended, and returns their commands.
 */
export async function endNpm(args: string[], readyLine: string, ending: Ending): Promise<string[]> {
	const npm = spawn('npm', args, {
		cwd: join(__dirname, '..', '..'),
		// Like a terminal, which sends its signal to the group of npm.
		detached: ending === 'its terminal is closed',
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const exited = once(npm, 'exit');
	const tail = new Tail();
	const ready = new Promise<true>((resolve) => {
		for (const stream of [npm.stdout, npm.stderr]) {
			tail.read(stream, (line) => line.includes(readyLine) && resolve(true));
		}
	});
	const title = `npm ${args.join(' ')}`;
	let tree: RunningProcess[] = [];
	const stillRunning = () => {
		const now = new Set(runningProcesses().map(({ pid }) => pid));
		return tree.filter(({ pid }) => now.has(pid));
	};
	try {
		if ((await Promise.race([ready, exited])) !== true) {
			throw new Error([`${title} never printed "${readyLine}"`, ...tail.lines].join('\n'));
		}
		const pid = Number(npm.pid);
		tree = processTree(pid);
		endings[ending](pid);
		await waitFor(
			`all processes of ${title} have ended`,
			stillRunning,
			({ length }) => !length,
			MAX_SHUTDOWN_MS,
		);
		return tree.map(({ command }) => command);
	} finally {
		for (const { pid } of stillRunning()) process.kill(pid, 'SIGKILL');
	}
}
