import { TimeLimit } from '../../nodes/Corrigo/session/timeLimit';

const never = new Promise<never>(() => undefined);

it('ends what takes longer, and says that the time was over', async () => {
	const limit = new TimeLimit(20);
	const signal = limit.start();
	await expect(limit.bound(never)).rejects.toThrow('The time is over');
	expect(signal.aborted).toBe(true);
	expect(limit.isOver).toBe(true);
});

it('begins when the request is sent, and not before', async () => {
	const limit = new TimeLimit(1);
	const work = limit.bound(new Promise((resolve) => setTimeout(resolve, 30, 'done')));
	expect(await work).toBe('done');
	expect(limit.isOver).toBe(false);
});

it('leaves alone what ends in time, however it ends', async () => {
	const limit = new TimeLimit(Number.MAX_SAFE_INTEGER);
	const signal = limit.start();
	expect(await limit.bound(Promise.resolve('done'))).toBe('done');
	await expect(limit.bound(Promise.reject(new Error('Away')))).rejects.toThrow('Away');
	expect([signal.aborted, limit.isOver]).toEqual([false, false]);
});

it('ends with the run, which is not the same as in time', async () => {
	const run = new AbortController();
	const limit = new TimeLimit(60_000, run.signal);
	limit.start();
	const work = limit.bound(never);
	run.abort();
	await expect(work).rejects.toThrow();
	expect(limit.isOver).toBe(false);
	await expect(new TimeLimit(60_000, run.signal).bound(never)).rejects.toThrow();
});
