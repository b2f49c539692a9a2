import fc from 'fast-check';

import { expandNumber, getNumberings } from '../../nodes/Corrigo/records/numberings';

const zone = (WoNumberPrefix: unknown, WoNumberDigits: unknown) => ({
	WoNumberPrefix,
	WoNumberDigits,
});

describe('the numberings of the work zones', () => {
	it('contain equal ones once', () => {
		const zones = [zone('ABC', 7), zone('ABC ', '7'), zone('ABC', 6), zone('', 9)];
		expect(getNumberings(zones)).toEqual([
			{ prefix: 'ABC', digits: 7 },
			{ prefix: 'ABC', digits: 6 },
			{ prefix: '', digits: 9 },
		]);
	});

	it('may lack values, or have invalid ones', () => {
		const zones = [zone(undefined, undefined), zone(null, -1), zone('A', 1e9)];
		expect(getNumberings(zones)).toEqual([
			{ prefix: '', digits: 0 },
			{ prefix: 'A', digits: 20 },
		]);
	});
});

describe('the forms of the number of a work order', () => {
	const abc = { prefix: 'ABC', digits: 7 };

	it.each([
		['10001', [abc], ['ABC0010001']],
		['0010001', [abc], ['ABC0010001']],
		['abc10001', [abc], ['ABC0010001']],
		['ABC0010001', [abc], []],
		['10001', [abc, { prefix: 'DE-', digits: 5 }], ['ABC0010001', 'DE-10001']],
		['72460001', [{ prefix: '', digits: 9 }], ['072460001']],
		['123456789', [abc], ['ABC123456789']],
		['XYZ1', [abc], []],
		['ABC', [abc], []],
		['ABC1-2', [abc], []],
		['', [abc], []],
	])('are those of %s', (given, numberings, forms) => {
		expect(expandNumber(given, numberings)).toEqual(forms);
	});

	it('contain the whole number, whether prefix or zeros are missing', () => {
		const prefixes = fc.constantFrom('', 'A', 'ABC', 'AB-', '0724', '1', '007');
		const short = fc.constantFrom<(prefix: string, digits: string) => string>(
			(_, digits) => digits,
			(_, digits) => digits.replace(/^0+/, ''),
			(prefix, digits) => (prefix + digits).replace(/^0+/, ''),
			(prefix, digits) => prefix.toLowerCase() + digits.replace(/^0+/, ''),
		);
		fc.assert(
			fc.property(
				prefixes,
				fc.integer({ min: 1, max: 12 }),
				fc.integer({ min: 1, max: 1e9 }),
				short,
				(prefix, width, count, shorten) => {
					const digits = String(count).padStart(width, '0');
					const given = shorten(prefix, digits);
					const forms = expandNumber(given, [{ prefix, digits: width }]);
					expect([given, ...forms]).toContain(prefix + digits);
				},
			),
		);
	});
});
