import fc from 'fast-check';

import { multiplyDecimals, sumDecimals } from '../../nodes/Corrigo/values/decimals';

it.each([
	[0.35, 10.1, 2, 3.54],
	[1.005, 1, 2, 1.01],
	[2.5, 60.333, 2, 150.83],
	[2.5, 60.333, 3, 150.833],
	[3, -0.335, 2, -1.01],
	[3, -0.335, 3, -1.005],
	[1e-7, 1e7, 2, 1],
	[1e21, 2, 2, 2e21],
	[4, 0, 2, 0],
])('%d times %d with %d digits is %d', (one, other, digits, product) => {
	expect(multiplyDecimals(one, other, digits)).toBe(product);
});

it('rounds what whole numbers of a thousandth give', () => {
	const thousandths = fc.integer({ min: 0, max: 3_000_000 });
	fc.assert(
		fc.property(thousandths, thousandths, (one, other) => {
			// The product of the whole numbers is exact; it counts millionths.
			const cents = Math.floor((one * other + 5000) / 10_000);
			expect(multiplyDecimals(one / 1000, other / 1000, 2)).toBe(cents / 100);
		}),
	);
});

it.each([
	[[0.1, 0.2], 0.3],
	[[0.5025, 0.5025], 1.005],
	[[1e21, -1e-7, 1e-7], 1e21],
	[[-1.1, 1.1], 0],
	[[], 0],
])('the sum of %j is %d', (values, sum) => {
	expect(sumDecimals(values)).toBe(sum);
});
