import { sleep } from 'n8n-workflow';

/** n8n before 2.41 cannot cancel a sleep, so each sleep is short. */
const SLICE_MS = 100;

/** Waits, but returns early if the run is stopped. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
	const end = performance.now() + ms;
	for (let left = ms; left > 0 && !signal?.aborted; left = end - performance.now()) {
		await sleep(Math.min(left, SLICE_MS), signal).catch(() => 'stopped');
	}
}
