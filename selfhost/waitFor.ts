import { setTimeout as delay } from 'node:timers/promises';

const INTERVAL_MS = 100;
/** Upper limit for a slow machine; nothing waits for this long. */
const DEFAULT_TIMEOUT_MS = 240_000;

/** Reads a value again and again until it meets the condition, and returns it. */
export async function waitFor<T>(
	description: string,
	read: () => T | Promise<T>,
	isDone: (value: T) => boolean,
	timeoutMs = DEFAULT_TIMEOUT_MS,
): Promise<T> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const start = Date.now();
		const value = await read();
		if (isDone(value)) return value;
		const end = Date.now();
		if (end > deadline) {
			throw new Error(`Timed out waiting until ${description}: ${JSON.stringify(value)}`);
		}
		// A server that is busy gets at least as much time for its other work.
		await delay(Math.max(INTERVAL_MS, end - start));
	}
}
