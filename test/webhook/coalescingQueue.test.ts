import type { RecordNotice } from '../../nodes/Corrigo/webhook/changeNotices';
import {
	CoalescingQueue,
	IN_DOUBT_MS,
	MAX_WAITING,
	getQueue,
	type PushBatch,
} from '../../nodes/Corrigo/webhook/coalescingQueue';

const buildNotices = (...ids: number[]): RecordNotice[] =>
	ids.map((id) => ({ id, entity: 'WorkOrder' }));
const buildFirst = (count: number) =>
	buildNotices(...Array.from({ length: count }, (_, index) => index + 1));
const readNotices = async ({ notices }: PushBatch) => await Promise.resolve(notices);
const fail = async () => await Promise.reject(new Error('away'));

/** Work whose end is in the hands of the test. */
function works() {
	const ends: Array<() => void> = [];
	const handed: number[][] = [];
	return {
		handed,
		end: (index: number) => ends[index](),
		read: async ({ notices }: PushBatch) => {
			handed.push(notices.map((notice) => ('id' in notice ? notice.id : 0)));
			await new Promise<void>((resolve) => ends.push(resolve));
			return handed.length;
		},
	};
}

const turn = async () => await new Promise((resolve) => setImmediate(resolve));

it('runs one call at a time, and the next one takes all that others have added', async () => {
	const queue = new CoalescingQueue();
	const { read, handed, end } = works();
	const come = async (...ids: number[]) => {
		expect(queue.add(buildNotices(...ids))).toBe(true);
		return await queue.run(read);
	};
	const first = come(1);
	await turn();
	const rest = [come(2, 3), come(3, 4), come(5)];
	await turn();
	expect(handed).toEqual([[1]]);
	end(0);
	await first;
	await turn();
	expect(handed).toEqual([[1], [2, 3, 4, 5]]);
	const last = come(1);
	end(1);
	expect(await Promise.all(rest)).toEqual([2, undefined, undefined]);
	await turn();
	expect(handed[2]).toEqual([1]);
	end(2);
	await last;
});

it('reads the change notices of a failed call with the next one', async () => {
	const queue = new CoalescingQueue();
	queue.add(buildNotices(1));
	await expect(queue.run(fail)).rejects.toThrow('away');
	queue.add(buildNotices(2));
	expect(await queue.run(readNotices)).toEqual(buildNotices(1, 2));
	queue.add(buildNotices(3));
	expect(await queue.run(readNotices)).toEqual(buildNotices(3));
});

it('reads change notices that are kept with the next call', async () => {
	const queue = new CoalescingQueue();
	queue.add(buildNotices(1));
	await queue.run(async ({ keep }) => await Promise.resolve(keep()));
	expect(await queue.run(readNotices)).toEqual(buildNotices(1));
});

it('takes all change notices of a push, or none when it is full', async () => {
	const queue = new CoalescingQueue();
	expect(queue.add(buildFirst(MAX_WAITING - 1))).toBe(true);
	expect(queue.add(buildNotices(MAX_WAITING, MAX_WAITING + 1))).toBe(false);
	expect(queue.add(buildNotices(1, 2, MAX_WAITING))).toBe(true);
	expect(queue.add(buildNotices(MAX_WAITING + 1))).toBe(false);
	expect(await queue.run(readNotices)).toEqual(buildFirst(MAX_WAITING));
});

it('has room for the change notices that are being read, and loses none when that fails', async () => {
	const queue = new CoalescingQueue();
	queue.add(buildFirst(MAX_WAITING - 1));
	let end!: (failure: Error) => void;
	const reading = queue.run(async () => await new Promise((_, reject) => (end = reject)));
	await turn();
	expect(queue.add(buildNotices(MAX_WAITING, MAX_WAITING + 1))).toBe(false);
	expect(queue.add(buildNotices(1, MAX_WAITING))).toBe(true);
	end(new Error('away'));
	await expect(reading).rejects.toThrow('away');
	expect(await queue.run(readNotices)).toEqual(buildFirst(MAX_WAITING));
});

describe('the deliveries in doubt', () => {
	const START = 1_000_000;
	/** The changes in doubt after those that are delivered at these milliseconds, which are their IDs. */
	function listInDoubt(times: number[], feed = () => 'one') {
		const queue = new CoalescingQueue();
		const note = (at: number) =>
			queue.noteDelivered(feed(), [{ key: { time: '', id: at } }], START + at);
		return times.map((at) => note(at).map(({ key: { id } }) => id));
	}

	it('are those of the last seconds', () => {
		const half = IN_DOUBT_MS / 2;
		expect(listInDoubt([0, 5, half, 2 * half])).toEqual([
			[0],
			[0, 5],
			[0, 5, half],
			[5, half, 2 * half],
		]);
	});

	it('are the last one alone after a pause', () => {
		expect(listInDoubt([0, 5, IN_DOUBT_MS + 5])).toEqual([[0], [0, 5], [IN_DOUBT_MS + 5]]);
	});

	it('are those of the same feed', () => {
		const feeds = ['one', 'two', 'one'];
		expect(listInDoubt([0, 5, 10], () => String(feeds.shift()))).toEqual([[0], [5], [10]]);
	});
});

it('exists once for each node of each workflow', () => {
	expect(getQueue('a', 'b')).toBe(getQueue('a', 'b'));
	expect(
		new Set([getQueue('a', 'b'), getQueue('a', 'c'), getQueue('ab', ''), getQueue(undefined, 'b')])
			.size,
	).toBe(4);
});

it('is kept for the 100 nodes that were used last, and while records wait for it', () => {
	const waiting = getQueue('many', 'waiting');
	waiting.add(buildNotices(1));
	const unused = getQueue('many', 'unused');
	const used = getQueue('many', 'used');
	const others = Array.from({ length: 100 }, (_, index) => {
		const other = getQueue('many', String(index));
		expect(getQueue('many', 'used')).toBe(used);
		return other;
	});
	expect(getQueue('many', 'waiting')).toBe(waiting);
	expect(getQueue('many', '2')).toBe(others[2]);
	expect(getQueue('many', '1')).not.toBe(others[1]);
	expect(getQueue('many', 'unused')).not.toBe(unused);
});

it('reads change notices without a result once more, for calls that start nothing', async () => {
	jest.useFakeTimers({ doNotFake: ['setImmediate'] });
	try {
		const queue = new CoalescingQueue();
		const handed: Array<Array<number | undefined>> = [];
		const read = async ({ notices, readAgain }: PushBatch) => {
			handed.push(notices.map((notice) => ('id' in notice ? notice.id : undefined)));
			readAgain(notices.slice(0, -1));
			return await Promise.resolve([handed.length]);
		};
		queue.add(buildNotices(1, 2, 3));
		expect(await queue.run(read)).toEqual([1]);
		const again = queue.runAgain(read);
		expect(await queue.runAgain(read)).toBeUndefined();
		await jest.advanceTimersByTimeAsync(9000);
		expect(handed).toEqual([[1, 2, 3]]);
		queue.add(buildNotices(1, 4));
		await jest.advanceTimersByTimeAsync(1000);
		expect(await again).toEqual([2]);
		expect(handed[1]).toEqual([1, 2, 4]);
		// Only what was pushed again gets another second read.
		const last = queue.runAgain(read);
		await jest.advanceTimersByTimeAsync(10_000);
		await last;
		expect(handed.slice(2)).toEqual([[1]]);
	} finally {
		jest.useRealTimers();
	}
});

it('reads what a call with a result left once more, and forgets the oldest of too many', async () => {
	jest.useFakeTimers({ doNotFake: ['setImmediate'] });
	try {
		const queue = new CoalescingQueue();
		const handed: number[][] = [];
		const alone: boolean[] = [];
		/** Finds a record of which nothing new is left. */
		const read = async ({ notices, readAgain, isAlone }: PushBatch, found: number[]) => {
			const ids = notices.map((notice) => ('id' in notice ? notice.id : 0));
			handed.push(ids);
			alone.push(isAlone());
			readAgain(notices.filter((_, index) => !found.includes(ids[index])));
			return await Promise.resolve(ids.filter((id) => found.includes(id)));
		};
		const push = async (ids: number[], found: number[] = []) => {
			queue.add(buildNotices(...ids));
			const first = await queue.run(async (batch) => await read(batch, found));
			return first?.length
				? first
				: await queue.runAgain(async (batch) => await read(batch, [1, 2]));
		};
		const late = push([1]);
		await jest.advanceTimersByTimeAsync(9_000);
		const other = push([2, 3], [3]);
		expect(await other).toEqual([3]);
		await jest.advanceTimersByTimeAsync(1_000);
		expect(await late).toEqual([1]);
		// The call that found record 1 has ended as well, so the next one looks for record 2.
		const next = push([4]);
		await jest.advanceTimersByTimeAsync(10_000);
		expect(await next).toEqual([2]);
		expect([handed, alone]).toEqual([
			[[1], [2, 3], [1], [4], [2, 4]],
			[true, true, false, true, false],
		]);

		const empty = async (batch: PushBatch) => await read(batch, []);
		for (let from = 0; from < 3 * MAX_WAITING; from += 1000) {
			queue.add(buildFirst(1000).map((notice) => ({ ...notice, id: notice.id + from })));
			await queue.run(empty);
		}
		const many = queue.runAgain(empty);
		await jest.advanceTimersByTimeAsync(10_000);
		await many;
		expect(handed.at(-1)).toHaveLength(MAX_WAITING);
		expect(handed.at(-1)?.at(-1)).toBe(3 * MAX_WAITING);
		expect(queue.isIdle).toBe(true);
	} finally {
		jest.useRealTimers();
	}
});

it('one call for each reading waits to read again, and all others end at once', async () => {
	const queue = new CoalescingQueue();
	const { read, handed, end } = works();
	const nothing = async (batch: PushBatch) => {
		batch.readAgain(batch.notices);
		return await read(batch);
	};
	let open = 0;
	const push = async (id: number) => {
		open++;
		queue.add(buildNotices(id));
		await queue.run(nothing);
		await queue.runAgain(async () => await Promise.resolve([]));
		open--;
	};
	const all = [push(1)];
	await turn();
	for (let id = 2; id <= 400; id++) all.push(push(id));
	await turn();
	expect([handed, open]).toEqual([[[1]], 3]);
	end(0);
	await turn();
	expect([handed[1].length, open]).toEqual([399, 2]);
	for (let id = 1001; id <= 1200; id++) all.push(push(id));
	await turn();
	expect(open).toBe(4);
	jest.useFakeTimers();
	end(1);
	await jest.runAllTimersAsync();
	end(2);
	await jest.runAllTimersAsync();
	jest.useRealTimers();
	await Promise.all(all);
	expect([handed[2].length, open, queue.isIdle]).toEqual([200, 0, true]);
});
