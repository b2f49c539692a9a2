import { sleep } from 'n8n-workflow';

/** Hosts before 2.41 cannot break off a nap, so none is long. */
const SLICE_MS = 100;

/** Waits, but not for a run that is stopped meanwhile. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
	const end = performance.now() + ms;
	for (let left = ms; left > 0 && !signal?.aborted; left = end - performance.now()) {
		await sleep(Math.min(left, SLICE_MS), signal).catch(() => 'stopped');
	}
}
