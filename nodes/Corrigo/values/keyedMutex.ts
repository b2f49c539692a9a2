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
