/** So many values fit into one condition. */
export const MAX_VALUES = 500;

interface BatchOptions<T> {
	/** What a request is asked for on behalf of a thing; the same value counts once. */
	values?: (item: T) => readonly unknown[];
	/** Things of one key may share a request; one without a key has a request of its own. */
	key?: (item: T) => string | undefined;
	maxValues?: number;
}

/**
 * Many things, few requests: chunks of no more than `most` different values, in the order given. A
 * thing that has more of its own is alone.
 */
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
