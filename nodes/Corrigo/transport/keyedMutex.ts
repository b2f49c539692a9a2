/** Work on the same thing goes one by one, in the order of asking; on nothing in particular, at once. */
export class KeyedMutex {
	private readonly last = new Map<string, Promise<unknown>>();

	async run<T>(thing: string, work: () => Promise<T>): Promise<T> {
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
