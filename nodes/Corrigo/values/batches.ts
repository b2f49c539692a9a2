/** The service accepts at most this number of values in one condition. */
export const MAX_VALUES = 500;

/** An answer with one record for each value is shorter than a page limit of 500, so it is not read on. */
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
