import { sleep } from 'n8n-workflow';

const MAX_TURN_MS = 50;

let turnedAt = performance.now();

/**
 * n8n serves its editor, webhooks and other workflows in the same thread, and they wait while this
 * package computes. A loop over many items or forms calls this for each of them.
 */
export async function letOthersRun(): Promise<void> {
	if (performance.now() - turnedAt < MAX_TURN_MS) return;
	await sleep(0);
	turnedAt = performance.now();
}
