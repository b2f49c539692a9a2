import { sleep } from 'n8n-workflow';

import { getNoticeKey, type ChangeNotice } from './changeNotices';
import { remember } from '../values/objects';
import { KeyedMutex } from '../transport/concurrency';
import type { Delivered } from '../feed/cursorText';

/** Limits the records that wait for one node or are being read for it. */
export const MAX_WAITING = 5000;

/**
 * n8n saves the execution of a push milliseconds after the state unless it is busy, and the next
 * push may be read meanwhile.
 */
export const IN_DOUBT_MS = 30_000;

/** A push may come before its change can be read. */
const SECOND_READ_MS = 10_000;

/** A record that fails this often while others can be read is given up. */
const MAX_FAILURES = 3;

export interface PushBatch {
	notices: ChangeNotice[];
	/** Lets change notices of which nothing new was found be read once more, a little later. */
	readAgain: (notices: readonly ChangeNotice[]) => void;
	/** Tells whether all are read for the first time, and no other call would read them once more. */
	isAlone: () => boolean;
	/** Lets change notices, by default all, wait for the next call as well. */
	keep: (notices?: readonly ChangeNotice[]) => void;
}

/**
 * Collects the change notices of a node while the node reads. n8n calls the node once per push: the
 * first call reads, the second waits, and later calls end at once because the second reads for them
 * as well.
 */
export class CoalescingQueue {
	/** The changes of feeds that were delivered in the last seconds. */
	private delivered: Array<{ at: number; feed: string; changes: readonly Delivered[] }> = [];
	private waiting = new Map<string, ChangeNotice>();
	/** Records that are being read go back to `waiting` if reading fails. */
	private reading = new Map<string, ChangeNotice>();
	/** Nothing new was found of these records, so they are read a second time. */
	private unanswered = new Map<string, ChangeNotice>();
	private second = new Map<string, ChangeNotice>();
	private hasWaitingCall = false;
	/** Number of readings that have begun or wait, and the last of them that a call waits for. */
	private readings = 0;
	private awaited = 0;
	private readonly mutex = new KeyedMutex();
	/** Failures in a row of records that were read alone. */
	private readonly failures = new Map<string, number>();
	/** Time in `performance.now()` of a failed activation, or of the first push without a state. */
	waitingSince?: number;

	get isIdle(): boolean {
		return this.waiting.size + this.reading.size + this.unanswered.size + this.second.size === 0;
	}

	/**
	 * Adds all change notices, or none if there is not enough room. Returns whether they were added.
	 */
	add(notices: readonly ChangeNotice[]): boolean {
		const added = toMap(notices);
		const isKnown = (key: string) => this.waiting.has(key) || this.reading.has(key);
		const fresh = [...added.keys()].filter((key) => !isKnown(key)).length;
		const size = this.waiting.size + this.reading.size + fresh;
		if (fresh > 0 && size > MAX_WAITING) return false;
		for (const [key, notice] of added) this.waiting.set(key, notice);
		return true;
	}

	/**
	 * Passes all waiting change notices to `read`, or returns undefined if there are none or another
	 * call will read them. If `read` fails, they wait for the next call.
	 */
	async run<T>(load: (pushed: PushBatch) => Promise<T>): Promise<T | undefined> {
		if (this.hasWaitingCall) return undefined;
		this.hasWaitingCall = true;
		const own = ++this.readings;
		return await this.mutex.run('read', async () => {
			this.hasWaitingCall = false;
			const first = this.waiting;
			const batch = new Map([...this.second, ...first]);
			if (batch.size === 0) return undefined;
			this.reading = batch;
			this.waiting = new Map();
			this.second = new Map();
			const keep = (notices?: readonly ChangeNotice[]) => {
				this.waiting = new Map([...(notices ? toMap(notices) : batch), ...this.waiting]);
			};
			const readAgain = (notices: readonly ChangeNotice[]) => {
				const some = notices.filter((notice) => first.has(getNoticeKey(notice)));
				this.unanswered = limit(new Map([...this.unanswered, ...toMap(some)]));
			};
			const isAlone = () => batch.size === first.size && this.awaited < own;
			return await load({ notices: [...batch.values()], keep, readAgain, isAlone })
				.catch((failure: unknown) => {
					keep();
					throw failure;
				})
				.finally(() => (this.reading = new Map()));
		});
	}

	/**
	 * Reads the change notices without a result once more after a while. One call that starts no
	 * execution does this for all others, which end at once and let their pushes go.
	 */
	async runAgain<T extends readonly unknown[]>(
		load: (pushed: PushBatch) => Promise<T>,
	): Promise<T | undefined> {
		// The newest reading takes what was pushed to this call, and one call waits for its end.
		while (this.awaited < this.readings) {
			this.awaited = this.readings;
			await this.mutex.run('read', async () => {});
			const batch = this.unanswered;
			if (batch.size === 0) return undefined;
			this.unanswered = new Map();
			await sleep(SECOND_READ_MS);
			this.second = limit(new Map([...this.second, ...batch]));
			const found = await this.run(load);
			if (found?.length) return found;
			// A call that has started an execution may have left change notices of its own.
		}
		return undefined;
	}

	/** Notes that a record cannot be read although others can. Returns true if it is given up. */
	noteFailure(notice: ChangeNotice): boolean {
		const key = getNoticeKey(notice);
		const count = (this.failures.get(key) ?? 0) + 1;
		remember(this.failures, key, count, MAX_WAITING);
		return count >= MAX_FAILURES;
	}

	noteRead(notice: ChangeNotice): void {
		this.failures.delete(getNoticeKey(notice));
	}

	/**
	 * Returns the changes of the last seconds, including those about to be delivered, because n8n may
	 * be killed before it saves their executions.
	 */
	noteDelivered(feed: string, changes: readonly Delivered[], now = performance.now()): Delivered[] {
		this.delivered = this.delivered.filter(
			(one) => one.feed === feed && now - one.at < IN_DOUBT_MS,
		);
		this.delivered.push({ at: now, feed, changes });
		return this.delivered.flatMap((one) => one.changes);
	}
}

/** Forgets the oldest change notices, which have been read once. */
const limit = (notices: Map<string, ChangeNotice>): Map<string, ChangeNotice> =>
	new Map([...notices].slice(-MAX_WAITING));

const toMap = (notices: readonly ChangeNotice[]) =>
	new Map(notices.map((notice) => [getNoticeKey(notice), notice]));

const MAX_QUEUES = 100;
const queues = new Map<string, CoalescingQueue>();

/**
 * Returns the queue of a node in this process. Of many queues, an empty one that has not been used
 * for long is dropped.
 */
export function getQueue(workflow: string | undefined, node: string): CoalescingQueue {
	const key = JSON.stringify([workflow, node]);
	const queue = queues.get(key) ?? new CoalescingQueue();
	queues.delete(key);
	const [unused] = [...queues].find(([, { isIdle }]) => isIdle) ?? [];
	if (queues.size >= MAX_QUEUES && unused !== undefined) queues.delete(unused);
	queues.set(key, queue);
	return queue;
}
