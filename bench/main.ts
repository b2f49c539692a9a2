import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { version as coreVersion } from 'n8n-core/package.json';

import { buildPackage } from '../selfhost/build';
import { installN8n, nodeForN8n } from '../selfhost/install';
import { runProgram } from '../selfhost/process/program';
import { step } from '../selfhost/console/progress';
import type { Case, ContenderKind } from './case';
import { cases } from './cases';
import { startContender, startService } from './processes';
import { GROWTH } from './growth';
import { formatTable, type Results, type Result } from './report';
import { stockIsInstalled, stockVersion } from './stock';

const MEMORY_RUNS = 3;
const MEMORY_OF: ContenderKind[] = ['node', 'smallest'];
const RESULTS = join(__dirname, 'results.json');

const { values: options } = parseArgs({
	options: {
		/** One run of each case, to check that all of them work. */
		quick: { type: 'boolean', default: false },
		case: { type: 'string', multiple: true },
		/** Expressions in the older evaluator of n8n, instead of its isolated VM. */
		legacy: { type: 'boolean', default: false },
		latency: { type: 'string', multiple: true, default: ['50'] },
		/** File for the results; those of all cases, or of a whole group, replace the published ones. */
		out: { type: 'string' },
	},
});

const expressions = options.legacy ? 'legacy' : 'vm';

const median = (numbers: number[]): number => {
	const sorted = [...numbers].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

type ServiceProcess = Awaited<ReturnType<typeof startService>>;
type ContenderProcess = Awaited<ReturnType<typeof startContender>>;
type Memory = Awaited<ReturnType<ContenderProcess['memory']>>;
type Timing = Awaited<ReturnType<ContenderProcess['time']>>;

async function measure(benchCase: Case, sandbox: ServiceProcess): Promise<Result[]> {
	const latencies =
		benchCase.latencyMs === undefined ? options.latency.map(Number) : [benchCase.latencyMs];
	const { service } = sandbox;
	const running = await Promise.all(
		benchCase.contenders.map(
			async (_, contender) =>
				await startContender(
					{ case: benchCase.name, contender, service, expressions },
					nodeForN8n(),
					benchCase.heapMb,
				),
		),
	);
	const results: Result[] = [];
	try {
		await sandbox.setLatency(0);
		// The first run, which loads, compiles and connects everything, does not count.
		if (!(options.quick && benchCase.group !== undefined)) await runInTurns(running, sandbox, 1);
		for (const latencyMs of latencies) {
			await sandbox.setLatency(latencyMs);
			const timings = await runInTurns(running, sandbox, options.quick ? 1 : benchCase.runs);
			results.push(...timings.map((some, index) => toResult(benchCase, index, latencyMs, some)));
		}
		// Memory is compared between contenders, which work that grows does not have.
		const measured = options.quick || benchCase.group === GROWTH ? [] : running.entries();
		for (const [index, contender] of measured) {
			const { kind, variant } = benchCase.contenders[index];
			if (!MEMORY_OF.includes(kind)) continue;
			const memory = await measureMemory(contender, sandbox);
			const own = results.filter((result) => result.kind === kind && result.variant === variant);
			for (const result of own) Object.assign(result, memory);
		}
	} finally {
		await Promise.all(running.map(async (contender) => await contender.end()));
	}
	return results;
}

/** Alternates between the contenders, so that a disturbance affects all of them. */
async function runInTurns(running: ContenderProcess[], sandbox: ServiceProcess, runs: number) {
	const timings = running.map((): Timing[] => []);
	for (let run = 0; run < runs; run += 1) {
		for (const [index, contender] of running.entries()) {
			timings[index].push(await contender.time());
			await sandbox.forgetRequests();
		}
	}
	return timings;
}

function toResult(benchCase: Case, index: number, latencyMs: number, timings: Timing[]): Result {
	const { kind, variant } = benchCase.contenders[index];
	const middle = (pick: (timing: Timing) => number) => median(timings.map(pick));
	return {
		case: benchCase.name,
		title: benchCase.title,
		latencyMs,
		kind,
		variant,
		wallMs: middle(({ wallMs }) => wallMs),
		cpuMs: middle(({ cpuMs }) => cpuMs),
		threadMs: middle(({ threadMs }) => threadMs),
		stillMs: Math.max(...timings.map(({ stillMs }) => stillMs)),
		requests: middle(({ requests }) => requests),
		mostAtOnce: Math.max(...timings.map(({ mostAtOnce }) => mostAtOnce)),
	};
}

/** Measures several times, because samples may catch or miss a page that is arriving. */
async function measureMemory(contender: ContenderProcess, sandbox: ServiceProcess) {
	const runs: Memory[] = [];
	for (let run = 0; run < (options.quick ? 1 : MEMORY_RUNS); run += 1) {
		runs.push(await contender.memory());
		await sandbox.forgetRequests();
	}
	return {
		peakBytes: median(runs.map(({ peakBytes }) => peakBytes)),
		rowsBytes: median(runs.map(({ rowsBytes }) => rowsBytes)),
	};
}

async function measureAll(wanted: Case[], sandbox: ServiceProcess): Promise<Results> {
	const load = loadavg()[0];
	const results: Results = {
		node: execFileSync(nodeForN8n(), ['--version'], { encoding: 'utf8' }).trim(),
		n8nCore: coreVersion,
		n8nNodesBase: stockVersion(),
		expressions,
		cpus: cpus().length,
		load,
		loadAfter: load,
		results: [],
	};
	for (const benchCase of wanted) {
		const measured = await step(benchCase.title, async () => {
			return await measure(benchCase, sandbox);
		});
		results.results.push(...measured);
		console.log(formatTable(measured));
	}
	[results.loadAfter] = loadavg();
	console.log(`Load average ${load.toFixed(1)} before, ${results.loadAfter.toFixed(1)} after`);
	return results;
}

async function main(): Promise<boolean> {
	// The stock nodes and n8n's Node.js come with the n8n that `npm start` runs.
	if (!stockIsInstalled()) await installN8n();
	await buildPackage();
	const wanted = cases.filter(
		({ name, group = name }) => options.case?.some((one) => one === name || one === group) ?? true,
	);
	const results = JSON.parse(readFileSync(RESULTS, 'utf8')) as Results[];
	let isComplete = !options.quick;
	for (const [index, isGrowth] of [false, true].entries()) {
		const some = wanted.filter(({ group }) => (group === GROWTH) === isGrowth);
		if (some.length === 0) continue;
		const all = cases.filter(({ group }) => (group === GROWTH) === isGrowth);
		isComplete &&= some.length === all.length;
		const getMost = (records: 'workOrders' | 'customers') =>
			Math.max(...some.map((benchCase) => benchCase[records] ?? 100));
		// Each round starts with a new sandbox, without the records that the round before has created.
		const sandbox = await startService(getMost('workOrders'), getMost('customers'));
		try {
			results[index] = await measureAll(some, sandbox);
		} finally {
			await sandbox.end();
		}
	}
	const out = options.out ?? (isComplete ? RESULTS : undefined);
	if (out) writeFileSync(out, `${JSON.stringify(results, null, '\t')}\n`);
	return true;
}

void runProgram(main);
