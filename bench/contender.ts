import './setup';

import { cases, type Contender } from './cases';
import { openContext, type BenchContext } from './context';
import { collectGarbage } from './garbage';
import { measureMemory, type Memory } from './memory';
import type { Service } from './service';
import { countingTraffic, type Traffic } from './traffic';

export interface Start {
	case: string;
	contender: number;
	service: Service;
}

export interface Timing extends Traffic {
	wallMs: number;
	cpuMs: number;
}

export type Command = 'time' | 'memory';
export type Reply = { ready: true } | { timing: Timing } | { memory: Memory } | { failure: string };

async function measureTime(work: () => Promise<unknown>): Promise<Timing> {
	collectGarbage();
	const cpu = process.cpuUsage();
	const start = performance.now();
	const { traffic } = await countingTraffic(work);
	const wallMs = performance.now() - start;
	const { user, system } = process.cpuUsage(cpu);
	return { wallMs, cpuMs: (user + system) / 1000, ...traffic };
}

function prepareWork(context: BenchContext, start: Start) {
	const { contenders, results } = cases.find(({ name }) => name === start.case) ?? cases[0];
	const contender: Contender = contenders[start.contender];
	const expected = results(start.service);
	return {
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
	void openContext(start.service).then((context) => {
		const { work, rows } = prepareWork(context, start);
		process.on('message', (command: Command) => {
			const measured =
				command === 'time'
					? measureTime(work).then((timing) => ({ timing }))
					: measureMemory(work, rows).then((memory) => ({ memory }));
			measured.then(reply, (error: Error) => reply({ failure: error.message }));
		});
		reply({ ready: true });
	});
});
process.once('disconnect', () => process.exit());
