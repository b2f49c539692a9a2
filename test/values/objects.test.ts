import { filterMembers, mapMembers, remember } from '../../nodes/Corrigo/values/objects';

it('a cache forgets the value that was stored longest ago', () => {
	const cache = new Map<string, number>();
	for (const key of ['a', 'b', 'c', 'a', 'd']) remember(cache, key, cache.size, 3);
	expect([...cache.keys()]).toEqual(['c', 'a', 'd']);
});

it.each([
	['mapped', (members: object) => mapMembers({ ...members }, (_, value) => value)],
	['filtered', (members: object) => filterMembers({ ...members }, () => true)],
])('a member that has the name of the prototype stays one when members are %s', (_, copy) => {
	const members = JSON.parse('{ "A": 1, "__proto__": { "Id": 7 } }') as object;
	expect(JSON.stringify(copy(members))).toBe(JSON.stringify(members));
	expect(copy(members)).not.toHaveProperty('Id');
});
