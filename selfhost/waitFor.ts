import { setTimeout as delay } from 'node:timers/promises';

const BETWEEN_LOOKS_MS = 100;
const LONGEST_MS = 60_000;

/** Looks until what it sees is so, and hands that back; what never comes is an error in the end. */
export async function until<T>(
	what: string,
	look: () => T | Promise<T>,
	isSo: (seen: T) => boolean,
	longestMs = LONGEST_MS,
): Promise<T> {
	const deadline = Date.now() + longestMs;
	for (;;) {
		const seen = await look();
		if (isSo(seen)) return seen;
		if (Date.now() > deadline) {
			throw new Error(`Waited in vain until ${what}: ${JSON.stringify(seen)}`);
		}
		await delay(BETWEEN_LOOKS_MS);
	}
}
