import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { version as coreVersion } from 'n8n-core/package.json';

import { cases, CUSTOMERS, ROWS, type Case } from './cases';
import { startContender, startService } from './children';
import { tableOf, type Results, type Result } from './report';
import { stockIsInstalled, stockVersion } from './stock';

const RESULTS = join(__dirname, 'results.json');

const { values: options } = parseArgs({
	options: {
		/** One run of each, to see that all of it works. */
		quick: { type: 'boolean', default: false },
		case: { type: 'string', multiple: true },
		latency: { type: 'string', multiple: true, default: ['0', '50'] },
		out: { type: 'string', default: RESULTS },
	},
});

const median = (numbers: number[]): number => {
	const sorted = [...numbers].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

type ServiceProcess = Awaited<ReturnType<typeof startService>>;
type ContenderProcess = Awaited<ReturnType<typeof startContender>>;
type Timing = Awaited<ReturnType<ContenderProcess['time']>>;

async function measure(one: Case, beside: ServiceProcess, latencies: number[]): Promise<Result[]> {
	const { service } = beside;
	const running = await Promise.all(
		one.contenders.map(
			async (_, contender) =>
				await startContender({ case: one.name, contender, service }, one.heapMb),
		),
	);
	const runs = options.quick ? 1 : one.runs;
	const results: Result[] = [];
	try {
		await beside.setLatency(0);
		if (runs > 1) for (const contender of running) await contender.time();
		for (const latencyMs of latencies) {
			await beside.setLatency(latencyMs);
			const timings = running.map((): Timing[] => []);
			for (let run = 0; run < runs; run += 1) {
				// One after the other, and round again: what disturbs one disturbs all.
				for (const [index, contender] of running.entries()) {
					timings[index].push(await contender.time());
					await beside.forget();
				}
			}
			one.contenders.forEach(({ who, how }, index) => {
				const of = (pick: (timing: Timing) => number) => median(timings[index].map(pick));
				results.push({
					case: one.name,
					title: one.title,
					latencyMs,
					who,
					how,
					wallMs: of(({ wallMs }) => wallMs),
					cpuMs: of(({ cpuMs }) => cpuMs),
					requests: of(({ requests }) => requests),
					mostAtOnce: Math.max(...timings[index].map(({ mostAtOnce }) => mostAtOnce)),
				});
			});
		}
		await beside.setLatency(0);
		for (const [index, contender] of running.entries()) {
			const { who, how } = one.contenders[index];
			const memory = await contender.memory();
			await beside.forget();
			for (const result of results) {
				if (result.who === who && result.how === how) Object.assign(result, memory);
			}
		}
	} finally {
		await Promise.all(running.map(async (contender) => await contender.end()));
	}
	return results;
}

async function main(): Promise<void> {
	if (!stockIsInstalled()) {
		throw new Error('The stock nodes come with the n8n that "npm start" sets up: run it once.');
	}
	const wanted = cases.filter(({ name }) => options.case?.includes(name) ?? true);
	const load = loadavg()[0];
	const beside = await startService(ROWS, CUSTOMERS);
	const results: Results = {
		node: process.version,
		n8nCore: coreVersion,
		n8nNodesBase: stockVersion(),
		cpus: cpus().length,
		load,
		loadAfter: load,
		results: [],
	};
	try {
		for (const one of wanted) {
			const measured = await measure(one, beside, options.latency.map(Number));
			results.results.push(...measured);
			console.log(tableOf(measured));
		}
	} finally {
		await beside.end();
	}
	[results.loadAfter] = loadavg();
	console.log(`Load average ${load.toFixed(1)} before, ${results.loadAfter.toFixed(1)} after`);
	if (!options.quick) writeFileSync(options.out, `${JSON.stringify(results, null, '\t')}\n`);
}

main().catch((error: Error) => {
	console.error(error.message);
	process.exitCode = 1;
});
