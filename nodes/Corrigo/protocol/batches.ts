/** So many values fit into one condition. */
export const MOST_VALUES = 500;

interface Rules<T> {
	/** What a request is asked for on behalf of a thing; the same value counts once. */
	value?: (thing: T) => unknown;
	/** Things of one key may share a request; one without a key has a request of its own. */
	key?: (thing: T) => string | undefined;
	most?: number;
}

/** Many things, few requests: chunks of no more than `most` different values, in the order given. */
export function batches<T>(
	things: Iterable<T>,
	{ value = (thing) => thing, key = () => '', most = MOST_VALUES }: Rules<T> = {},
): T[][] {
	const open = new Map<string, { values: Set<unknown>; things: T[] }>();
	const all: T[][] = [];
	for (const thing of things) {
		const name = key(thing);
		if (name === undefined) {
			all.push([thing]);
			continue;
		}
		let batch = open.get(name);
		if (batch === undefined || (batch.values.size === most && !batch.values.has(value(thing)))) {
			batch = { values: new Set(), things: [] };
			open.set(name, batch);
			all.push(batch.things);
		}
		batch.values.add(value(thing));
		batch.things.push(thing);
	}
	return all;
}
