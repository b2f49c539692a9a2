import { isObject } from './checks';

/** The service accepts at most this number of values in one condition. */
export const MAX_VALUES = 500;
/** A page with one record for each value must not be as long as a page limit: see `isLastPage`. */
export const MAX_NAMES = MAX_VALUES - 1;

interface BatchOptions<T> {
	/** The values that an item adds to a request; equal values count once. */
	values?: (item: T) => readonly unknown[];
	/** Items with equal keys may share a request; an item without a key gets its own. */
	key?: (item: T) => string | undefined;
	maxValues?: number;
}

/** Splits items in order into batches of at most `maxValues` different values, or of one item. */
export function batches<T>(
	items: Iterable<T>,
	{ values = (item) => [item], key = () => '', maxValues = MAX_VALUES }: BatchOptions<T> = {},
): T[][] {
	const open = new Map<string, { values: Set<unknown>; items: T[] }>();
	const all: T[][] = [];
	for (const item of items) {
		const name = key(item);
		if (name === undefined) {
			all.push([item]);
			continue;
		}
		const own = values(item);
		let batch = open.get(name);
		const fresh = new Set(own.filter((value) => !batch?.values.has(value)));
		if (batch === undefined || batch.values.size + fresh.size > maxValues) {
			batch = { values: new Set(), items: [] };
			open.set(name, batch);
			all.push(batch.items);
		}
		for (const value of own) batch.values.add(value);
		batch.items.push(item);
	}
	return all;
}

/** Stores a value as the newest of a cache, which forgets its oldest values beyond `max`. */
export function remember<K, V>(cache: Map<K, V>, key: K, value: V, max: number): void {
	cache.delete(key);
	cache.set(key, value);
	const [oldest] = cache.keys();
	if (cache.size > max) cache.delete(oldest);
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

/** Equal values give equal texts, whatever the order of their members. */
export const stableStringify = (value: unknown): string =>
	JSON.stringify(value, (_, one: unknown) =>
		isObject(one)
			? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
			: one,
	);
