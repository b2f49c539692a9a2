import './setup';

import { cases, type Contender } from './cases';
import { openDesk, type Desk } from './context';
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

export type Order = 'time' | 'memory';
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

function workOf(desk: Desk, start: Start) {
	const { contenders, results } = cases.find(({ name }) => name === start.case) ?? cases[0];
	const contender: Contender = contenders[start.contender];
	const wanted = results(start.service);
	return {
		rows: (found: unknown[]) => (contender.rows ? found.map(contender.rows) : [...found]),
		work: async () => {
			const found = await contender.work(desk);
			if (found.length !== wanted) throw new Error(`${found.length} results, not ${wanted}`);
			return found;
		},
	};
}

const reply = (message: Reply) => process.send?.(message);

process.once('message', (start: Start) => {
	void openDesk(start.service).then((desk) => {
		const { work, rows } = workOf(desk, start);
		process.on('message', (order: Order) => {
			const measured =
				order === 'time'
					? measureTime(work).then((timing) => ({ timing }))
					: measureMemory(work, rows).then((memory) => ({ memory }));
			measured.then(reply, (error: Error) => reply({ failure: error.message }));
		});
		reply({ ready: true });
	});
});
process.once('disconnect', () => process.exit());
