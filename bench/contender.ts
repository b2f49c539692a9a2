import './setup';

import { setTimeout as delay } from 'node:timers/promises';

import type { Contender } from './case';
import { cases } from './cases';
import { openContext, type BenchContext } from './context';
import type { Expressions } from './engine';
import { collectGarbage } from './garbage';
import { measureMemory, type Memory } from './memory';
import type { Service } from './service';
import { countingTraffic, type Traffic } from './traffic';

export interface Start {
	case: string;
	contender: number;
	service: Service;
	expressions: Expressions;
}

export interface Timing extends Traffic {
	wallMs: number;
	cpuMs: number;
	/** CPU time of the main thread alone, without garbage collection and compilation, which run next to it. */
	threadMs: number;
	/** Longest time that the process computed without a turn of its event loop. */
	stillMs: number;
}

export type Command = 'time' | 'memory';
export type Reply = { ready: true } | { timing: Timing } | { memory: Memory } | { failure: string };

/** Measures in CPU time, so that other processes do not count. */
function watchTurns() {
	let longest = 0;
	let before = process.cpuUsage();
	const turn = () => {
		const { user, system } = process.cpuUsage(before);
		longest = Math.max(longest, (user + system) / 1000);
		before = process.cpuUsage();
	};
	const timer = setInterval(turn, 1);
	return {
		end: async () => {
			// The last block counts once the loop has turned.
			await delay(5);
			clearInterval(timer);
			return longest;
		},
	};
}

/** Node.js has this from 23.9 on, but its types here are those of the oldest version. */
const { threadCpuUsage = process.cpuUsage } = process as NodeJS.Process & {
	threadCpuUsage?: () => NodeJS.CpuUsage;
};

const toMs = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000;

async function measureTime(work: () => Promise<unknown>): Promise<Timing> {
	collectGarbage();
	const turns = watchTurns();
	const [cpu, thread] = [process.cpuUsage(), threadCpuUsage()].map(toMs);
	const start = performance.now();
	const { traffic } = await countingTraffic(work);
	const wallMs = performance.now() - start;
	const cpuMs = toMs(process.cpuUsage()) - cpu;
	const threadMs = toMs(threadCpuUsage()) - thread;
	return { wallMs, cpuMs, threadMs, stillMs: await turns.end(), ...traffic };
}

function prepareWork(context: BenchContext, start: Start) {
	const { contenders, results } = cases.find(({ name }) => name === start.case) ?? cases[0];
	const contender: Contender = contenders[start.contender];
	const expected = contender.results ?? results(start.service);
	return {
		prepare: async () => await contender.prepare?.(context),
		rows: (found: unknown[]) => (contender.rows ? found.map(contender.rows) : [...found]),
		work: async () => {
			const found = await contender.work(context);
			if (found.length !== expected) throw new Error(`${found.length} results, not ${expected}`);
			return found;
		},
	};
}

const reply = (message: Reply) => process.send?.(message);

process.once('message', (start: Start) => {
	void openContext(start.service, start.expressions).then((context) => {
		const { prepare, work, rows } = prepareWork(context, start);
		process.on('message', (command: Command) => {
			const measure = async () =>
				command === 'time'
					? { timing: await measureTime(work) }
					: { memory: await measureMemory(work, rows) };
			prepare()
				.then(measure)
				.then(reply, (error: Error) => reply({ failure: error.message }));
		});
		reply({ ready: true });
	});
});
process.once('disconnect', () => process.exit());
