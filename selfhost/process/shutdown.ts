import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Tail } from './command';
import { until } from '../waitFor';

interface RunningProcess {
	pid: number;
	parent: number;
	command: string;
}

/** Pid, state, parent and command of each process: from files on Linux, which may have no ps. */
function table(): string[] {
	if (process.platform !== 'linux') {
		const columns = ['-o', 'pid=', '-o', 'stat=', '-o', 'ppid=', '-o', 'ucomm='];
		return execFileSync('ps', ['-A', ...columns], { encoding: 'utf8' }).split('\n');
	}
	return readdirSync('/proc').flatMap((pid) => {
		try {
			const stat = readFileSync(join('/proc', pid, 'stat'), 'utf8');
			return [stat.replace(/^(\d+) \((.*)\) (\S+) (\d+).*/s, '$1 $3 $4 $2')];
		} catch {
			// No process, or one that has just ended.
			return [];
		}
	});
}

/** One that has ended, and is only listed until its parent looks (Z), does not run. */
const running = (): RunningProcess[] =>
	table().flatMap((line) => {
		const [, pid, state, parent, command] = /^\s*(\d+) +(\S+) +(\d+) +(.*)$/.exec(line) ?? [];
		if (pid === undefined || state.startsWith('Z')) return [];
		return [{ pid: Number(pid), parent: Number(parent), command }];
	});

/** A process and everything below it. */
function treeOf(root: number): RunningProcess[] {
	const all = running();
	const below = (pid: number): RunningProcess[] =>
		all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)]);
	return [...all.filter(({ pid }) => pid === root), ...below(root)];
}

/**
 * Runs an npm script until it says that it is so far, then ends npm, and npm alone, as a supervisor
 * does. Hands back the commands of all processes that it had, once each of them has ended.
 */
export async function endedByNpm(script: string, args: string[], soFar: string): Promise<string[]> {
	const npm = spawn('npm', ['run', script, '--', ...args], {
		cwd: join(__dirname, '..', '..'),
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const exited = once(npm, 'exit');
	const tail = new Tail();
	const said = new Promise<true>((resolve) => {
		for (const stream of [npm.stdout, npm.stderr]) {
			tail.read(stream, (line) => line.includes(soFar) && resolve(true));
		}
	});
	let started: RunningProcess[] = [];
	const left = () => {
		const now = new Set(running().map(({ pid }) => pid));
		return started.filter(({ pid }) => now.has(pid));
	};
	try {
		if ((await Promise.race([said, exited])) !== true) {
			throw new Error([`npm run ${script} never said "${soFar}"`, ...tail.lines].join('\n'));
		}
		started = treeOf(npm.pid ?? 0);
		npm.kill('SIGTERM');
		await until(`npm run ${script} has ended with all it started`, left, ({ length }) => !length);
		return started.map(({ command }) => command);
	} finally {
		for (const { pid } of left()) process.kill(pid, 'SIGKILL');
	}
}
