import type { Nudge } from '../protocol/changeHints';
import type { Cursor } from '../trigger/cursor';

/** More records than this are not kept waiting for one node. */
export const MOST_WAITING = 10_000;

/**
 * The way in of one node, wide enough for one reading at a time. n8n calls the node once for each
 * push: the first one reads, the next one waits, and takes along what all others bring meanwhile,
 * which have nothing left to do.
 */
export class Lane {
	/** Where the node stood last. Each call of n8n has a copy of the state that may be older. */
	stand?: { feed: string; cursor: Cursor };
	private readonly waiting = new Map<string, Nudge>();
	private isAwaited = false;
	private free: Promise<void> = Promise.resolve();

	/** Whether there was room for all of them. */
	add(nudges: readonly Nudge[]): boolean {
		for (const nudge of nudges) {
			const key = `${nudge.entity ?? ''} ${nudge.id}`;
			if (this.waiting.size >= MOST_WAITING && !this.waiting.has(key)) return false;
			this.waiting.set(key, nudge);
		}
		return true;
	}

	/** Hands all that wait to `read` when it is their turn; nothing, if somebody else does. */
	async pass<T>(read: (nudges: Nudge[]) => Promise<T>): Promise<T | undefined> {
		if (this.isAwaited) return undefined;
		this.isAwaited = true;
		const before = this.free;
		let leave!: () => void;
		this.free = new Promise((resolve) => (leave = resolve));
		await before;
		this.isAwaited = false;
		const nudges = [...this.waiting.values()];
		this.waiting.clear();
		try {
			return await read(nudges);
		} finally {
			leave();
		}
	}
}

const lanes = new Map<string, Lane>();

/** One for each node that is called in this process. */
export function laneOf(workflow: string | undefined, node: string): Lane {
	const key = JSON.stringify([workflow, node]);
	const lane = lanes.get(key) ?? new Lane();
	lanes.set(key, lane);
	return lane;
}
