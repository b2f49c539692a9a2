import fc from 'fast-check';

import { countRows, parseGrouping } from '../../../nodes/Corrigo/operations/read/count';
import type { JsonObject } from '../../../nodes/Corrigo/values/objects';
import { validationMessage } from '../../values/validationErrors';

describe('the property to group by', () => {
	it.each([
		['StatusId', ['StatusId']],
		[' Customer.DisplayAs ', ['Customer.DisplayAs']],
		['Customer', ['Customer.Id', 'Customer.DisplayAs']],
		['priority', ['priority.Id', 'priority.DisplayAs']],
		['VendorNte', ['VendorNte']],
		['LastAction', ['LastAction.Id']],
		['LastAction.Reason', ['LastAction.Reason.Id', 'LastAction.Reason.DisplayAs']],
		['NoSuchThing', ['NoSuchThing']],
	])('%s', (given, paths) => {
		expect(parseGrouping('WorkOrder', given)).toEqual({ property: given.trim(), paths });
	});

	it('reads the whole key of a reference', () => {
		expect(parseGrouping('WoNote', 'CreatedBy').paths).toEqual([
			'CreatedBy.Id',
			'CreatedBy.TypeId',
			'CreatedBy.DisplayAs',
		]);
	});

	it.each([
		['Items', /'Group By' is "Items", but a record may have several Items/],
		['Items.Asset.Name', /but a record may have several Items/],
		['*', /'Group By' must be a field name/],
		['a b', /'Group By' must be a field name/],
		[7, /'Group By' must be a field name/],
	])('refuses %s', (given, words) => {
		expect(validationMessage(() => parseGrouping('WorkOrder', given))).toMatch(words);
	});
});

const countGroups = async (property: string, rows: object[]) =>
	await countRows([rows as JsonObject[]], { grouping: { property, paths: [] } });

it('sorts groups of one size by value, numbers by size', async () => {
	const rows = [10, 9, 100].map((Duration, Id) => ({ Id, Duration }));
	const groups = await countGroups('Duration', rows);
	expect(groups.map(({ Duration }) => Duration)).toEqual([9, 10, 100]);
});

it('groups by references, and separates records with equal names', async () => {
	const rows = [
		{ Customer: { Id: 1, DisplayAs: 'Acme' } },
		{ Customer: { Id: 2, DisplayAs: 'Acme' } },
		{ Customer: { Id: 2, DisplayAs: 'Acme' } },
		{},
	];
	expect(await countGroups('Customer', rows)).toEqual([
		{ Customer: { Id: 2, DisplayAs: 'Acme' }, Count: 2 },
		{ Customer: { Id: 1, DisplayAs: 'Acme' }, Count: 1 },
		{ Customer: null, Count: 1 },
	]);
	expect(await countGroups('Customer.DisplayAs', rows)).toEqual([
		{ 'Customer.DisplayAs': 'Acme', Count: 3 },
		{ 'Customer.DisplayAs': null, Count: 1 },
	]);
});

const value = fc.oneof(
	fc.constant(undefined),
	fc.constantFrom('', 'a', 'b', '1', 'null', '__proto__', 'constructor'),
	fc.integer({ min: 0, max: 3 }),
	fc.boolean(),
);

it('has each value once and every row in one group, largest group first', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(value), async (values) => {
			// Names of fields are read in any case.
			const found = await countGroups(
				'X',
				values.map((x) => ({ x })),
			);
			expect(new Set(found.map(({ X }) => X)).size).toBe(found.length);
			for (const { X, Count } of found) {
				expect(
					values.filter((one) => (one === undefined || one === '' ? null : one) === X),
				).toHaveLength(Count as number);
			}
			const counts = found.map(({ Count }) => Count as number);
			expect(counts.reduce((sum, one) => sum + one, 0)).toBe(values.length);
			expect(counts).toEqual([...counts].sort((a, b) => b - a));
		}),
	);
});
