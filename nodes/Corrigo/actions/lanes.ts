/** Starts the jobs in order, a few at a time, and no new one once it `isOver`. */
export async function inLanes(
	jobs: number,
	lanes: number,
	work: (job: number) => Promise<void>,
	isOver: () => boolean,
): Promise<void> {
	let next = 0;
	const lane = async () => {
		while (next < jobs && !isOver()) await work(next++);
	};
	await Promise.all(Array.from({ length: Math.min(lanes, jobs) }, lane));
}

/** Work on the same thing goes one by one, in the order of asking; on nothing in particular, at once. */
export class Turns {
	private readonly last = new Map<string, Promise<unknown>>();

	async take<T>(thing: string, work: () => Promise<T>): Promise<T> {
		if (thing === '') return await work();
		const before = this.last.get(thing) ?? Promise.resolve();
		const turn = before.then(work);
		this.last.set(
			thing,
			turn.then(
				() => undefined,
				() => undefined,
			),
		);
		return await turn;
	}
}
