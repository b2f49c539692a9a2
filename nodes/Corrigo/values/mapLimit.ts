/** Starts jobs in order, a few at a time, and no more of them once `isOver` returns true. */
export async function forEachLimit(
	jobs: number,
	concurrency: number,
	work: (job: number) => Promise<void>,
	isOver: () => boolean,
): Promise<void> {
	let next = 0;
	const runLane = async () => {
		while (next < jobs && !isOver()) await work(next++);
	};
	await Promise.all(Array.from({ length: Math.min(concurrency, jobs) }, runLane));
}
