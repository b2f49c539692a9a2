import { sleep } from 'n8n-workflow';

const MAX_TURN_MS = 25;

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

/** Starts jobs in order, a few at a time, and no more of them once one fails or `isOver` returns true. */
export async function forEachLimit(
	jobs: number,
	concurrency: number,
	work: (job: number) => Promise<void>,
	isOver = () => false,
): Promise<void> {
	let next = 0;
	let hasFailed = false;
	const runLane = async () => {
		for (;;) {
			// A lane that waits must not keep a job back, or the jobs would lose their order.
			await letOthersRun();
			if (next >= jobs || hasFailed || isOver()) return;
			await work(next++);
		}
	};
	const stop = (failure: unknown) => {
		hasFailed = true;
		throw failure;
	};
	const lanes = Array.from({ length: Math.min(concurrency, jobs) }, runLane);
	await Promise.all(lanes.map(async (lane) => await lane.catch(stop)));
}

/** Runs work with a common key one at a time, in order. Work without a key starts at once. */
export class KeyedMutex {
	private readonly last = new Map<string, Promise<unknown>>();

	async run<T>(keys: string | readonly string[], work: () => Promise<T>): Promise<T> {
		const all = [keys].flat().filter((key) => key !== '');
		if (all.length === 0) return await work();
		const turn = Promise.all(all.map((key) => this.last.get(key))).then(work);
		const end = turn.catch(() => undefined);
		for (const key of all) this.last.set(key, end);
		return await turn;
	}
}
