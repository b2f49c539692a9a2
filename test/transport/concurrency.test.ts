import { forEachLimit, KeyedMutex } from '../../nodes/Corrigo/transport/concurrency';

/** Work that records its start, and ends on demand. */
function worker(mutex: KeyedMutex) {
	const started: string[] = [];
	const ends = new Map<
		string,
		{ resolve: (value: string) => void; reject: (why: Error) => void }
	>();
	const run = async (key: string | string[], name: string) =>
		await mutex.run(key, async () => {
			started.push(name);
			return await new Promise<string>((resolve, reject) => ends.set(name, { resolve, reject }));
		});
	const settled = async () => await new Promise(setImmediate);
	return { started, run, ends, settled };
}

it('work with one key runs one after the other, in order, even after a failure', async () => {
	const { started, run, ends, settled } = worker(new KeyedMutex());
	const [first, second, third] = ['1', '2', '3'].map(async (name) => await run('order', name));
	await settled();
	expect(started).toEqual(['1']);
	ends.get('1')?.reject(new Error('Refused'));
	await expect(first).rejects.toThrow('Refused');
	await settled();
	expect(started).toEqual(['1', '2']);
	ends.get('2')?.resolve('done');
	expect(await second).toBe('done');
	await settled();
	ends.get('3')?.resolve('too');
	expect(await third).toBe('too');
});

it('work with different keys or without a key runs at once', async () => {
	const { started, run, ends, settled } = worker(new KeyedMutex());
	const all = [run('a', '1'), run('b', '2'), run('', '3'), run('', '4')];
	await settled();
	expect(started.sort()).toEqual(['1', '2', '3', '4']);
	for (const name of started) ends.get(name)?.resolve(name);
	expect(await Promise.all(all)).toEqual(['1', '2', '3', '4']);
});

it('work with several keys waits for all work that has one of them', async () => {
	const { started, run, ends, settled } = worker(new KeyedMutex());
	const all = [run('a', '1'), run('b', '2'), run(['a', 'b'], '3'), run('b', '4')];
	await settled();
	expect(started).toEqual(['1', '2']);
	ends.get('1')?.resolve('1');
	await settled();
	expect(started).toEqual(['1', '2']);
	ends.get('2')?.resolve('2');
	await settled();
	expect(started).toEqual(['1', '2', '3']);
	ends.get('3')?.resolve('3');
	await settled();
	ends.get('4')?.resolve('4');
	expect(await Promise.all(all)).toEqual(['1', '2', '3', '4']);
});

it('starts no job after one has failed, so that a failed read leaves no request behind', async () => {
	const started: number[] = [];
	const work = async (job: number) => {
		started.push(job);
		await Promise.resolve();
		if (job === 1) throw new Error('job 1');
	};
	await expect(forEachLimit(9, 2, work)).rejects.toThrow('job 1');
	await new Promise(setImmediate);
	expect(started).not.toContain(8);
});
