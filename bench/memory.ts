import { setTimeout as delay } from 'node:timers/promises';

import { collectGarbage } from './garbage';

/** Bytes that are in use, without what only waits to be collected. */
function inUse(): number {
	collectGarbage();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}

export interface Memory {
	/** Most that was in use at a time while the work was done. */
	peakBytes: number;
	/** What the rows alone take, as they come out of JSON. */
	rowsBytes: number;
}

const MIN_GAP_MS = 20;

/** Collecting garbage takes its time: the longer, the less often it is done. */
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
	// What the run before left behind is let go of only after a while.
	inUse();
	await delay(10 * MIN_GAP_MS);
	const before = inUse();
	const done = new AbortController();
	const sampled = samplePeak(done.signal);
	const result = await work();
	const atTheEnd = inUse();
	done.abort();
	const peak = Math.max(await sampled, atTheEnd);
	return { peakBytes: peak - before, rowsBytes: sizeOf(rowsOf(result)) };
}

function sizeOf(rows: unknown[]): number {
	const before = inUse();
	const copies: unknown[] = rows.map((row) => JSON.parse(JSON.stringify(row)));
	const size = inUse() - before;
	// Used once more, so that it is not let go of before it was weighed.
	copies.length = 0;
	return size;
}
