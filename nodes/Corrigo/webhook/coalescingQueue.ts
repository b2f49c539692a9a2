import type { ChangeHint } from '../protocol/changeHints';
import { KeyedMutex } from '../transport/keyedMutex';
import type { Cursor } from '../trigger/cursor';

/** Most records that wait for one node. */
export const MAX_WAITING = 10_000;

/**
 * Collects what is pushed to a node while the node reads. n8n calls the node once for each push: the
 * first call reads, the second one waits, and later calls end at once, as the second one will read for
 * them as well.
 */
export class CoalescingQueue {
	/** The newest cursor of the node. Each call of n8n has a copy of the state that may be older. */
	lastCursor?: { feed: string; cursor: Cursor };
	private readonly waiting = new Map<string, ChangeHint>();
	private hasWaitingCall = false;
	private readonly mutex = new KeyedMutex();

	/** Returns whether there was room for all of them. */
	add(hints: readonly ChangeHint[]): boolean {
		for (const hint of hints) {
			const key = `${hint.entity ?? ''} ${hint.id}`;
			if (this.waiting.size >= MAX_WAITING && !this.waiting.has(key)) return false;
			this.waiting.set(key, hint);
		}
		return true;
	}

	/** Passes all hints to `read` in turn; returns undefined if another call will read them. */
	async run<T>(read: (hints: ChangeHint[]) => Promise<T>): Promise<T | undefined> {
		if (this.hasWaitingCall) return undefined;
		this.hasWaitingCall = true;
		return await this.mutex.run('read', async () => {
			this.hasWaitingCall = false;
			const hints = [...this.waiting.values()];
			this.waiting.clear();
			return await read(hints);
		});
	}
}

const queues = new Map<string, CoalescingQueue>();

/** The queue of a node in this process. */
export function queueOf(workflow: string | undefined, node: string): CoalescingQueue {
	const key = JSON.stringify([workflow, node]);
	const queue = queues.get(key) ?? new CoalescingQueue();
	queues.set(key, queue);
	return queue;
}
