import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

import type { Command, Reply, Start } from './contender';
import type { Service } from './service';

function start(
	script: string,
	args: string[],
	flags: string[],
	execPath = process.execPath,
): ChildProcess {
	const execArgv = ['--import', 'tsx', ...flags];
	const child = fork(join(__dirname, script), args, { execArgv, execPath });
	// A busy child may not notice the disconnect.
	const kill = () => child.kill();
	process.once('exit', kill);
	child.once('exit', () => process.off('exit', kill));
	return child;
}

/** Waits for the next message of a child; throws if the child ends before. */
async function nextMessage<T>(child: ChildProcess): Promise<T> {
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

/** Starts the sandbox in a separate process. */
export async function startService(workOrders: number, customers: number) {
	const child = start(
		'service.ts',
		[String(workOrders), String(customers)],
		['--max-old-space-size=6000'],
	);
	const service = await nextMessage<Service>(child);
	return {
		service,
		setLatency: async (latencyMs: number) =>
			await fetch(`${service.controlUrl}/set`, {
				method: 'POST',
				body: JSON.stringify({ latencyMs }),
			}),
		/** Clears the recorded requests, which would fill the memory. */
		forgetRequests: async () => await fetch(`${service.controlUrl}/requests`, { method: 'DELETE' }),
		end: async () => await end(child),
	};
}

/** Starts one contender of one case in a separate process, on the given Node.js. */
export async function startContender(contender: Start, execPath: string, heapMb?: number) {
	const child = start(
		'contender.ts',
		[],
		['--expose-gc', ...(heapMb ? [`--max-old-space-size=${heapMb}`] : [])],
		execPath,
	);
	const send = async (message: Start | Command) => {
		const next = nextMessage<Reply>(child);
		child.send(message);
		const reply = await next;
		if ('failure' in reply) throw new Error(reply.failure);
		return reply;
	};
	await send(contender);
	return {
		time: async () => {
			const reply = await send('time');
			if ('timing' in reply) return reply.timing;
			throw new Error('No timing');
		},
		memory: async () => {
			const reply = await send('memory');
			if ('memory' in reply) return reply.memory;
			throw new Error('No memory');
		},
		end: async () => await end(child),
	};
}
