import { setTimeout as delay } from 'node:timers/promises';

import { collectGarbage } from './garbage';

/** Bytes in use after garbage collection. */
function inUse(): number {
	collectGarbage();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}

export interface Memory {
	/** Peak memory during the work. */
	peakBytes: number;
	/** Memory of the rows alone, as parsed from JSON. */
	rowsBytes: number;
}

const MIN_GAP_MS = 20;

/** Samples less often the longer garbage collection takes. */
async function samplePeak(until: AbortSignal): Promise<number> {
	let peak = 0;
	while (!until.aborted) {
		const start = performance.now();
		peak = Math.max(peak, inUse());
		const gap = Math.max(MIN_GAP_MS, 2 * (performance.now() - start));
		await delay(gap, undefined, { signal: until }).catch(() => peak);
	}
	return peak;
}

export async function measureMemory<Result>(
	work: () => Promise<Result>,
	rowsOf: (result: Result) => unknown[],
): Promise<Memory> {
	// The memory of the previous run is released only after a while.
	inUse();
	await delay(10 * MIN_GAP_MS);
	const before = inUse();
	const done = new AbortController();
	const sampled = samplePeak(done.signal);
	const result = await work();
	const atTheEnd = inUse();
	done.abort();
	const peak = Math.max(await sampled, atTheEnd);
	return { peakBytes: peak - before, rowsBytes: measureSize(rowsOf(result)) };
}

function measureSize(rows: unknown[]): number {
	const before = inUse();
	const copies: unknown[] = rows.map((row) => JSON.parse(JSON.stringify(row)));
	const size = inUse() - before;
	// This use keeps the copies from being collected before they are measured.
	copies.length = 0;
	return size;
}
