import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

import type { Order, Reply, Start } from './contender';
import type { Service } from './service';

function start(
	script: string,
	args: string[],
	flags: string[],
	execPath = process.execPath,
): ChildProcess {
	const execArgv = ['--import', 'tsx', ...flags];
	const child = fork(join(__dirname, script), args, { execArgv, execPath });
	// It may be too busy to see that nobody is there any more.
	const kill = () => child.kill();
	process.once('exit', kill);
	child.once('exit', () => process.off('exit', kill));
	return child;
}

/** What the child says next; its end counts as an answer, too. */
async function answer<T>(child: ChildProcess): Promise<T> {
	return await new Promise((resolve, reject) => {
		const ended = (code: number | null, signal: string | null) =>
			reject(new Error(`Ended by ${signal ?? code}`));
		child.once('exit', ended);
		child.once('message', (message) => {
			child.off('exit', ended);
			resolve(message as T);
		});
	});
}

async function end(child: ChildProcess): Promise<void> {
	if (!child.connected) return;
	const ended = new Promise((resolve) => child.once('exit', resolve));
	child.disconnect();
	await ended;
}

/** The sandbox beside the contenders. */
export async function startService(workOrders: number, customers: number) {
	const child = start(
		'service.ts',
		[String(workOrders), String(customers)],
		['--max-old-space-size=6000'],
	);
	const service = await answer<Service>(child);
	return {
		service,
		setLatency: async (latencyMs: number) =>
			await fetch(`${service.controlUrl}/set`, {
				method: 'POST',
				body: JSON.stringify({ latencyMs }),
			}),
		/** What it keeps of each request would fill its memory. */
		forget: async () => await fetch(`${service.controlUrl}/requests`, { method: 'DELETE' }),
		end: async () => await end(child),
	};
}

/** Work that has nothing to do with it, as much as there are processors. */
export function startBusyLoops(count: number) {
	const loops = Array.from({ length: count }, () => start('busyLoop.ts', [], []));
	return { end: async () => await Promise.all(loops.map(end)) };
}

class ContenderError extends Error {}

/** One contender of one case, in a process of its own, by the Node.js that is named. */
export async function startContender(of: Start, execPath: string, heapMb?: number) {
	const child = start(
		'contender.ts',
		[],
		['--expose-gc', ...(heapMb ? [`--max-old-space-size=${heapMb}`] : [])],
		execPath,
	);
	const ask = async (message: Start | Order) => {
		const answered = answer<Reply>(child);
		child.send(message);
		const reply = await answered;
		if ('failure' in reply) throw new ContenderError(reply.failure);
		return reply;
	};
	await ask(of);
	return {
		time: async () => {
			const reply = await ask('time');
			if ('timing' in reply) return reply.timing;
			throw new ContenderError('No timing');
		},
		memory: async () => {
			const reply = await ask('memory');
			if ('memory' in reply) return reply.memory;
			throw new ContenderError('No memory');
		},
		end: async () => await end(child),
	};
}
