import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const MAX_LINES = 20;

export interface CommandOptions {
	cwd: string;
	env?: NodeJS.ProcessEnv;
	/** The user to run the command as, where it is not the current one. */
	user?: { uid: number; gid: number };
	/** Advice that is shown below the last lines of a failed command. */
	hint?: string;
}

/** The last lines of a stream of text, so that an endless log costs no memory. */
export class Tail {
	readonly lines: string[] = [];

	read(stream: NodeJS.ReadableStream, onLine?: (line: string) => void) {
		createInterface({ input: stream }).on('line', (line) => {
			this.lines.push(line);
			if (this.lines.length > MAX_LINES) this.lines.shift();
			onLine?.(line);
		});
	}
}

/** Runs a command to its end and returns its standard output; a failure shows its last lines. */
export async function runCommand(command: string, args: string[], options: CommandOptions) {
	const { cwd, env = process.env, user, hint } = options;
	const child = spawn(command, args, { cwd, env, ...user, stdio: ['ignore', 'pipe', 'pipe'] });
	const output: string[] = [];
	const tail = new Tail();
	tail.read(child.stdout, (line) => output.push(line));
	tail.read(child.stderr);
	const kill = () => child.kill();
	process.once('exit', kill);
	const failure = await new Promise<string>((resolve) => {
		child.once('error', (error) => resolve(error.message));
		child.once('close', (code, signal) => resolve(code === 0 ? '' : `ended by ${signal ?? code}`));
	});
	process.off('exit', kill);
	if (failure) {
		const title = `${[command, ...args].join(' ')}: ${failure}`;
		throw new Error([title, ...tail.lines, hint].filter(Boolean).join('\n'));
	}
	return output.join('\n');
}
