/** So many values fit into one condition. */
export const MAX_VALUES = 500;

interface Rules<T> {
	/** What a request is asked for on behalf of a thing; the same value counts once. */
	values?: (thing: T) => readonly unknown[];
	/** Things of one key may share a request; one without a key has a request of its own. */
	key?: (thing: T) => string | undefined;
	most?: number;
}

/**
 * Many things, few requests: chunks of no more than `most` different values, in the order given. A
 * thing that has more of its own is alone.
 */
export function batches<T>(
	things: Iterable<T>,
	{ values = (thing) => [thing], key = () => '', most = MAX_VALUES }: Rules<T> = {},
): T[][] {
	const open = new Map<string, { values: Set<unknown>; things: T[] }>();
	const all: T[][] = [];
	for (const thing of things) {
		const name = key(thing);
		if (name === undefined) {
			all.push([thing]);
			continue;
		}
		const own = values(thing);
		let batch = open.get(name);
		const fresh = new Set(own.filter((value) => !batch?.values.has(value)));
		if (batch === undefined || batch.values.size + fresh.size > most) {
			batch = { values: new Set(), things: [] };
			open.set(name, batch);
			all.push(batch.things);
		}
		for (const value of own) batch.values.add(value);
		batch.things.push(thing);
	}
	return all;
}
