import type { ChangeHint } from '../protocol/changeHints';
import type { Cursor } from '../trigger/cursor';

/** More records than this are not kept waiting for one node. */
export const MAX_WAITING = 10_000;

/**
 * The way in of one node, wide enough for one reading at a time. n8n calls the node once for each
 * push: the first one reads, the next one waits, and takes along what all others bring meanwhile,
 * which have nothing left to do.
 */
export class CoalescingQueue {
	/** Where the node stood last. Each call of n8n has a copy of the state that may be older. */
	stand?: { feed: string; cursor: Cursor };
	private readonly waiting = new Map<string, ChangeHint>();
	private isAwaited = false;
	private free: Promise<void> = Promise.resolve();

	/** Whether there was room for all of them. */
	add(hints: readonly ChangeHint[]): boolean {
		for (const hint of hints) {
			const key = `${hint.entity ?? ''} ${hint.id}`;
			if (this.waiting.size >= MAX_WAITING && !this.waiting.has(key)) return false;
			this.waiting.set(key, hint);
		}
		return true;
	}

	/** Hands all that wait to `read` when it is their turn; nothing, if somebody else does. */
	async pass<T>(read: (hints: ChangeHint[]) => Promise<T>): Promise<T | undefined> {
		if (this.isAwaited) return undefined;
		this.isAwaited = true;
		const before = this.free;
		let leave!: () => void;
		this.free = new Promise((resolve) => (leave = resolve));
		await before;
		this.isAwaited = false;
		const hints = [...this.waiting.values()];
		this.waiting.clear();
		try {
			return await read(hints);
		} finally {
			leave();
		}
	}
}

const queues = new Map<string, CoalescingQueue>();

/** One for each node that is called in this process. */
export function queueOf(workflow: string | undefined, node: string): CoalescingQueue {
	const key = JSON.stringify([workflow, node]);
	const queue = queues.get(key) ?? new CoalescingQueue();
	queues.set(key, queue);
	return queue;
}
