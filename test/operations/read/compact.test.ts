import fc from 'fast-check';

import { Compact } from '../../../nodes/Corrigo/operations/read/search';

const compactRows = (
	records: ReadonlyArray<Record<string, unknown>>,
	max: number,
	limit: number,
) => {
	const compact = new Compact(max);
	for (const record of records) compact.add(record);
	return compact.toItem(limit);
};

it('has the first records that fit, without gaps, and the total', () => {
	const record = fc.record({ Name: fc.string({ maxLength: 20 }) });
	fc.assert(
		fc.property(fc.array(record), fc.nat(200), (records, max) => {
			const { records: shown, total, complete } = compactRows(records, max, Infinity);
			const lengths = records.map((one) => JSON.stringify(one).length + 1);
			const long = (count: number) => lengths.slice(0, count).reduce((sum, one) => sum + one, 0);
			const count = lengths.filter((_, index) => long(index + 1) <= max).length;
			expect(shown).toEqual(records.slice(0, count));
			expect([total, complete]).toEqual([records.length, count === records.length]);
		}),
	);
});

it('notes omitted records, and that there may be more beyond the limit', () => {
	const records = [{ Id: 1 }, { Id: 2 }, { Id: 3 }];
	expect(compactRows(records, 1000, 5)).toEqual({ records, total: 3, complete: true });
	expect(compactRows([], 1000, 5)).toEqual({ records: [], total: 0, complete: true });
	expect(compactRows(records, 1000, 3)).toEqual({
		records,
		total: 3,
		complete: false,
		note: 'Stopped at the limit of 3: there may be more.',
	});
	expect(compactRows(records, 20, 3)).toEqual({
		records: records.slice(0, 2),
		total: 3,
		complete: false,
		note: 'Only the first 2 of 3 records are here: more would be over 20 characters. Ask for fewer fields, or narrow the search. Stopped at the limit of 3: there may be more.',
	});
});
