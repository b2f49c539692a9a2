import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { waitFor } from '../waitFor';
import { Tail } from './command';

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

/**
 * Runs an npm script until it prints a line, then terminates npm alone, as a supervisor does. Waits
 * until all processes of the script have ended, and returns their commands.
 */
export async function terminateNpmScript(
	script: string,
	args: string[],
	readyLine: string,
): Promise<string[]> {
	const npm = spawn('npm', ['run', script, '--', ...args], {
		cwd: join(__dirname, '..', '..'),
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const exited = once(npm, 'exit');
	const tail = new Tail();
	const ready = new Promise<true>((resolve) => {
		for (const stream of [npm.stdout, npm.stderr]) {
			tail.read(stream, (line) => line.includes(readyLine) && resolve(true));
		}
	});
	let tree: RunningProcess[] = [];
	const stillRunning = () => {
		const now = new Set(runningProcesses().map(({ pid }) => pid));
		return tree.filter(({ pid }) => now.has(pid));
	};
	try {
		if ((await Promise.race([ready, exited])) !== true) {
			throw new Error([`npm run ${script} never printed "${readyLine}"`, ...tail.lines].join('\n'));
		}
		tree = processTree(npm.pid ?? 0);
		npm.kill('SIGTERM');
		await waitFor(
			`all processes of npm run ${script} have ended`,
			stillRunning,
			({ length }) => !length,
		);
		return tree.map(({ command }) => command);
	} finally {
		for (const { pid } of stillRunning()) process.kill(pid, 'SIGKILL');
	}
}
