import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { version as coreVersion } from 'n8n-core/package.json';

import { installN8n, nodeForN8n } from '../selfhost/install';
import { runProgram } from '../selfhost/process/program';
import { step } from '../selfhost/console/progress';
import { cases, CUSTOMERS, ROWS, type Case } from './cases';
import { startBusyLoops, startContender, startService } from './processes';
import { conditionsOf, tableOf, type Results, type Result } from './report';
import { stockIsInstalled, stockVersion } from './stock';

const MEMORY_RUNS = 3;
const RESULTS = join(__dirname, 'results.json');

const { values: options } = parseArgs({
	options: {
		/** One run of each, to see that all of it works. */
		quick: { type: 'boolean', default: false },
		case: { type: 'string', multiple: true },
		latency: { type: 'string', multiple: true, default: ['50'] },
		/** Where the figures go; those of a whole run replace the published ones. */
		out: { type: 'string' },
	},
});

interface Pass {
	/** The Node.js that the contenders run on. */
	execPath: string;
	/** Loops that keep the processors busy with something else. */
	busy: number;
}

const median = (numbers: number[]): number => {
	const sorted = [...numbers].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

type ServiceProcess = Awaited<ReturnType<typeof startService>>;
type ContenderProcess = Awaited<ReturnType<typeof startContender>>;
type Memory = Awaited<ReturnType<ContenderProcess['memory']>>;
type Timing = Awaited<ReturnType<ContenderProcess['time']>>;

async function measure(
	one: Case,
	beside: ServiceProcess,
	{ execPath, busy }: Pass,
): Promise<Result[]> {
	const latencies = options.latency.map(Number);
	const { service } = beside;
	const running = await Promise.all(
		one.contenders.map(
			async (_, contender) =>
				await startContender({ case: one.name, contender, service }, execPath, one.heapMb),
		),
	);
	const results: Result[] = [];
	try {
		await beside.setLatency(0);
		// Everything is loaded, compiled and connected once before it counts.
		await byTurns(running, beside, 1);
		for (const latencyMs of latencies) {
			await beside.setLatency(latencyMs);
			const timings = await byTurns(running, beside, options.quick ? 1 : one.runs);
			results.push(...timings.map((some, index) => resultOf(one, index, latencyMs, some)));
		}
		// What is in use does not depend on what else the machine has to do.
		for (const [index, contender] of busy > 0 ? [] : running.entries()) {
			const memory = await memoryOf(contender, beside);
			const { who, how } = one.contenders[index];
			const own = results.filter((result) => result.who === who && result.how === how);
			for (const result of own) Object.assign(result, memory);
		}
	} finally {
		await Promise.all(running.map(async (contender) => await contender.end()));
	}
	return results;
}

/** One after the other, and round again: what disturbs one disturbs all. */
async function byTurns(running: ContenderProcess[], beside: ServiceProcess, runs: number) {
	const timings = running.map((): Timing[] => []);
	for (let run = 0; run < runs; run += 1) {
		for (const [index, contender] of running.entries()) {
			timings[index].push(await contender.time());
			await beside.forget();
		}
	}
	return timings;
}

function resultOf(one: Case, index: number, latencyMs: number, timings: Timing[]): Result {
	const { who, how } = one.contenders[index];
	const middle = (pick: (timing: Timing) => number) => median(timings.map(pick));
	return {
		case: one.name,
		title: one.title,
		latencyMs,
		who,
		how,
		wallMs: middle(({ wallMs }) => wallMs),
		cpuMs: middle(({ cpuMs }) => cpuMs),
		requests: middle(({ requests }) => requests),
		mostAtOnce: Math.max(...timings.map(({ mostAtOnce }) => mostAtOnce)),
	};
}

/** Samples catch a page on its way in by chance, so there is more than one run. */
async function memoryOf(contender: ContenderProcess, beside: ServiceProcess) {
	const runs: Memory[] = [];
	for (let run = 0; run < (options.quick ? 1 : MEMORY_RUNS); run += 1) {
		runs.push(await contender.memory());
		await beside.forget();
	}
	return {
		peakBytes: median(runs.map(({ peakBytes }) => peakBytes)),
		rowsBytes: median(runs.map(({ rowsBytes }) => rowsBytes)),
	};
}

const versionOf = (execPath: string) =>
	execFileSync(execPath, ['--version'], { encoding: 'utf8' }).trim();

async function measureAll(wanted: Case[], beside: ServiceProcess, pass: Pass): Promise<Results> {
	const load = loadavg()[0];
	const results: Results = {
		node: versionOf(pass.execPath),
		n8nCore: coreVersion,
		n8nNodesBase: stockVersion(),
		cpus: cpus().length,
		...(pass.busy > 0 ? { busy: pass.busy } : {}),
		load,
		loadAfter: load,
		results: [],
	};
	for (const one of wanted) {
		const measured = await step(`${one.title}, ${conditionsOf(results)}`, async () => {
			return await measure(one, beside, pass);
		});
		results.results.push(...measured);
		console.log(tableOf(measured));
	}
	[results.loadAfter] = loadavg();
	console.log(`Load average ${load.toFixed(1)} before, ${results.loadAfter.toFixed(1)} after`);
	return results;
}

/** The Node.js of this process, then that of n8n, which is measured on a busy machine, too. */
function passes(): Pass[] {
	const ofN8n = { execPath: nodeForN8n(), busy: 0 };
	if (options.quick) return [ofN8n];
	const own = { execPath: process.execPath, busy: 0 };
	return [own, ofN8n, { ...ofN8n, busy: availableParallelism() }];
}

async function main(): Promise<boolean> {
	// The stock nodes come with the n8n that `npm start` runs, and so does its Node.js.
	if (!stockIsInstalled()) await installN8n();
	const wanted = cases.filter(({ name }) => options.case?.includes(name) ?? true);
	const results: Results[] = [];
	for (const pass of passes()) {
		// What the cases before have created is not there for the next one to read.
		const beside = await startService(ROWS, CUSTOMERS);
		const loops = startBusyLoops(pass.busy);
		try {
			results.push(await measureAll(wanted, beside, pass));
		} finally {
			await loops.end();
			await beside.end();
		}
	}
	const isWhole = !options.quick && wanted.length === cases.length;
	const out = options.out ?? (isWhole ? RESULTS : undefined);
	if (out) writeFileSync(out, `${JSON.stringify(results, null, '\t')}\n`);
	return true;
}

void runProgram(main);
