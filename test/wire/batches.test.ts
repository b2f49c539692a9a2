import fc from 'fast-check';

import { MAX_VALUES, batches } from '../../nodes/Corrigo/wire/criteria';

const items = fc.array(
	fc.record({ id: fc.integer({ min: 1, max: 20 }), key: fc.constantFrom('a', 'b', undefined) }),
);

it('makes few batches that have every item once, one key each and not too many values', () => {
	fc.assert(
		fc.property(items, fc.integer({ min: 1, max: 6 }), (all, max) => {
			const found = batches(all, {
				values: ({ id }) => [id],
				key: ({ key }) => key,
				maxValues: max,
			});
			expect(found.flat()).toHaveLength(all.length);
			expect(new Set(found.flat())).toEqual(new Set(all));
			for (const batch of found) {
				expect(new Set(batch.map(({ id }) => id)).size).toBeLessThanOrEqual(max);
				expect(new Set(batch.map(({ key }) => key)).size).toBe(1);
				if (batch[0].key === undefined) expect(batch).toHaveLength(1);
				expect(batch).toEqual(all.filter((one) => batch.includes(one)));
			}
			for (const key of ['a', 'b']) {
				const ofKey = found.filter(([one]) => one.key === key);
				ofKey.slice(1).forEach(([next], index) => {
					const ids = [...ofKey[index], next].map(({ id }) => id);
					expect(new Set(ids).size).toBeGreaterThan(max);
				});
			}
		}),
	);
});

it('exceeds the number of values only for an item that is alone in its batch', () => {
	const several = fc.array(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 6 }));
	fc.assert(
		fc.property(several, fc.integer({ min: 1, max: 6 }), (all, max) => {
			const found = batches(all, { values: (own) => own, maxValues: max });
			expect(found.flat()).toEqual(all);
			for (const batch of found) {
				expect(new Set(batch.flat()).size <= max || batch.length === 1).toBe(true);
			}
			found.slice(1).forEach(([next], index) => {
				expect(new Set([...found[index].flat(), ...next]).size).toBeGreaterThan(max);
			});
		}),
	);
});

it('splits plain values into batches that fit into one condition', () => {
	const ids = Array.from({ length: 2 * MAX_VALUES + 1 }, (_, id) => id);
	expect(batches(ids).map(({ length }) => length)).toEqual([MAX_VALUES, MAX_VALUES, 1]);
	expect(batches([])).toEqual([]);
});
