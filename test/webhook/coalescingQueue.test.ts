import type { ChangeHint } from '../../nodes/Corrigo/protocol/changeHints';
import { CoalescingQueue, queueOf, MAX_WAITING } from '../../nodes/Corrigo/webhook/coalescingQueue';

const hintsOf = (...ids: number[]): ChangeHint[] => ids.map((id) => ({ id, entity: 'WorkOrder' }));

/** Work whose end is in the hands of the test. */
function works() {
	const ends: Array<() => void> = [];
	const handed: number[][] = [];
	return {
		handed,
		end: (index: number) => ends[index](),
		read: async (given: ChangeHint[]) => {
			handed.push(given.map(({ id }) => id));
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
		expect(queue.add(hintsOf(...ids))).toBe(true);
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

it('goes on after a call that failed', async () => {
	const queue = new CoalescingQueue();
	queue.add(hintsOf(1));
	await expect(queue.run(async () => await Promise.reject(new Error('away')))).rejects.toThrow(
		'away',
	);
	queue.add(hintsOf(2));
	expect(await queue.run(async (given) => given)).toEqual(hintsOf(2));
});

it('refuses hints when it is full', () => {
	const queue = new CoalescingQueue();
	const many = hintsOf(...Array.from({ length: MAX_WAITING }, (_, index) => index + 1));
	expect(queue.add(many)).toBe(true);
	expect(queue.add(hintsOf(1, 2))).toBe(true);
	expect(queue.add(hintsOf(MAX_WAITING + 1))).toBe(false);
});

it('exists once for each node of each workflow', () => {
	expect(queueOf('a', 'b')).toBe(queueOf('a', 'b'));
	expect(
		new Set([queueOf('a', 'b'), queueOf('a', 'c'), queueOf('ab', ''), queueOf(undefined, 'b')])
			.size,
	).toBe(4);
});
