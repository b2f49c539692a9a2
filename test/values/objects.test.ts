import { remember } from '../../nodes/Corrigo/values/objects';

it('a cache forgets the value that was stored longest ago', () => {
	const cache = new Map<string, number>();
	for (const key of ['a', 'b', 'c', 'a', 'd']) remember(cache, key, cache.size, 3);
	expect([...cache.keys()]).toEqual(['c', 'a', 'd']);
});
