import { TimeLimit } from '../../nodes/Corrigo/session/timeLimit';

const never = new Promise<never>(() => undefined);

it('a time limit ends work that takes longer', async () => {
	const limit = new TimeLimit(20);
	const signal = limit.start();
	await expect(limit.bound(never)).rejects.toThrow('The time is over');
	expect(signal.aborted).toBe(true);
	expect(limit.isOver).toBe(true);
});

it('a time limit starts when the request is sent', async () => {
	const limit = new TimeLimit(1);
	const work = limit.bound(new Promise((resolve) => setTimeout(resolve, 30, 'done')));
	expect(await work).toBe('done');
	expect(limit.isOver).toBe(false);
});

it('a time limit does not affect work that ends in time', async () => {
	const limit = new TimeLimit(Number.MAX_SAFE_INTEGER);
	const signal = limit.start();
	expect(await limit.bound(Promise.resolve('done'))).toBe('done');
	await expect(limit.bound(Promise.reject(new Error('Away')))).rejects.toThrow('Away');
	expect([signal.aborted, limit.isOver]).toEqual([false, false]);
});

it('a time limit ends with the run, which is not a time-out', async () => {
	const run = new AbortController();
	const limit = new TimeLimit(60_000, run.signal);
	limit.start();
	const work = limit.bound(never);
	run.abort();
	await expect(work).rejects.toThrow();
	expect(limit.isOver).toBe(false);
	await expect(new TimeLimit(60_000, run.signal).bound(never)).rejects.toThrow();
});
