import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const KEPT_LINES = 20;

/** A command that ended badly, with the last lines it wrote: they hold the reason. */
class CommandError extends Error {
	constructor(
		command: string,
		outcome: string,
		readonly lastLines: readonly string[],
		hint = '',
	) {
		super([`${command}: ${outcome}`, ...lastLines, hint].filter(Boolean).join('\n'));
		this.name = 'CommandError';
	}
}

export interface CommandOptions {
	cwd: string;
	env?: NodeJS.ProcessEnv;
	/** Another user than the one who runs it. */
	user?: { uid: number; gid: number };
	/** What to try next, shown below the last lines when the command fails. */
	hint?: string;
}

/** The last lines of a stream of text, so that an endless log costs no memory. */
export class Tail {
	readonly lines: string[] = [];

	read(stream: NodeJS.ReadableStream, onLine?: (line: string) => void) {
		createInterface({ input: stream }).on('line', (line) => {
			this.lines.push(line);
			if (this.lines.length > KEPT_LINES) this.lines.shift();
			onLine?.(line);
		});
	}
}

/** Runs a command to its end and hands back what it printed. */
export async function run(command: string, args: string[], options: CommandOptions) {
	const { cwd, env = process.env, user, hint } = options;
	const child = spawn(command, args, { cwd, env, ...user, stdio: ['ignore', 'pipe', 'pipe'] });
	const output: string[] = [];
	const tail = new Tail();
	tail.read(child.stdout, (line) => output.push(line));
	tail.read(child.stderr);
	const kill = () => child.kill();
	process.once('exit', kill);
	const outcome = await new Promise<string>((resolve) => {
		child.once('error', (error) => resolve(error.message));
		child.once('close', (code, signal) => resolve(code === 0 ? '' : `ended by ${signal ?? code}`));
	});
	process.off('exit', kill);
	if (outcome) throw new CommandError([command, ...args].join(' '), outcome, tail.lines, hint);
	return output.join('\n');
}
