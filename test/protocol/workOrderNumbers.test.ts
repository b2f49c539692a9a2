import fc from 'fast-check';

import { numberForms, numberingsOf } from '../../nodes/Corrigo/protocol/workOrderNumbers';

const zone = (WoNumberPrefix: unknown, WoNumberDigits: unknown) => ({
	WoNumberPrefix,
	WoNumberDigits,
});

describe('how work zones number', () => {
	it('counts once what is alike', () => {
		const zones = [zone('ABC', 7), zone('ABC ', '7'), zone('ABC', 6), zone('', 9)];
		expect(numberingsOf(zones)).toEqual([
			{ prefix: 'ABC', digits: 7 },
			{ prefix: 'ABC', digits: 6 },
			{ prefix: '', digits: 9 },
		]);
	});

	it('reads what the service leaves out, or what cannot be', () => {
		const zones = [zone(undefined, undefined), zone(null, -1), zone('A', 1e9)];
		expect(numberingsOf(zones)).toEqual([
			{ prefix: '', digits: 0 },
			{ prefix: 'A', digits: 20 },
		]);
	});
});

describe('the numbers that one may mean', () => {
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
	])('%s', (given, numberings, forms) => {
		expect(numberForms(given, numberings)).toEqual(forms);
	});

	it('hold the whole number, whichever of prefix and zeros was lost', () => {
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
					const forms = numberForms(given, [{ prefix, digits: width }]);
					expect([given, ...forms]).toContain(prefix + digits);
				},
			),
		);
	});
});
