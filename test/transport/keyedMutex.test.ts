import { KeyedMutex } from '../../nodes/Corrigo/transport/keyedMutex';

/** Work that says when it begins, and ends when it is told to. */
function worker(turns: KeyedMutex) {
	const begun: string[] = [];
	const ends = new Map<
		string,
		{ resolve: (value: string) => void; reject: (why: Error) => void }
	>();
	const take = async (thing: string | string[], name: string) =>
		await turns.run(thing, async () => {
			begun.push(name);
			return await new Promise<string>((resolve, reject) => ends.set(name, { resolve, reject }));
		});
	const settled = async () => await new Promise(setImmediate);
	return { begun, take, ends, settled };
}

it('goes one by one on the same thing, in the order of asking, whatever came of the one before', async () => {
	const { begun, take, ends, settled } = worker(new KeyedMutex());
	const [first, second, third] = ['1', '2', '3'].map(async (name) => await take('order', name));
	await settled();
	expect(begun).toEqual(['1']);
	ends.get('1')?.reject(new Error('Refused'));
	await expect(first).rejects.toThrow('Refused');
	await settled();
	expect(begun).toEqual(['1', '2']);
	ends.get('2')?.resolve('done');
	expect(await second).toBe('done');
	await settled();
	ends.get('3')?.resolve('too');
	expect(await third).toBe('too');
});

it('goes at once on other things, and on nothing in particular', async () => {
	const { begun, take, ends, settled } = worker(new KeyedMutex());
	const all = [take('a', '1'), take('b', '2'), take('', '3'), take('', '4')];
	await settled();
	expect(begun.sort()).toEqual(['1', '2', '3', '4']);
	for (const name of begun) ends.get(name)?.resolve(name);
	expect(await Promise.all(all)).toEqual(['1', '2', '3', '4']);
});

it('waits for all work that has one of several keys in common', async () => {
	const { begun, take, ends, settled } = worker(new KeyedMutex());
	const all = [take('a', '1'), take('b', '2'), take(['a', 'b'], '3'), take('b', '4')];
	await settled();
	expect(begun).toEqual(['1', '2']);
	ends.get('1')?.resolve('1');
	await settled();
	expect(begun).toEqual(['1', '2']);
	ends.get('2')?.resolve('2');
	await settled();
	expect(begun).toEqual(['1', '2', '3']);
	ends.get('3')?.resolve('3');
	await settled();
	ends.get('4')?.resolve('4');
	expect(await Promise.all(all)).toEqual(['1', '2', '3', '4']);
});
