import { isObject } from './checks';

/** Equal values give equal texts, whatever the order of their members. */
export const stableStringify = (value: unknown): string =>
	JSON.stringify(value, (_, one: unknown) =>
		isObject(one)
			? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
			: one,
	);
