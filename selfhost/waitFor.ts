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
		const value = await read();
		if (isDone(value)) return value;
		if (Date.now() > deadline) {
			throw new Error(`Timed out waiting until ${description}: ${JSON.stringify(value)}`);
		}
		await delay(INTERVAL_MS);
	}
}
