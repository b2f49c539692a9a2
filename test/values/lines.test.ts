import fc from 'fast-check';

import { toLine } from '../../nodes/Corrigo/values/lines';

it.each([
	['a\r\n\tb  c\n', 'a b  c'],
	['a\u202eb', 'a\\u202Eb'],
	['a\u00adb\u{e0041}c\ud83dd\u2800e\u180ef', 'a\\u00ADb\\uE0041c\\uD83Dd\\u2800e\\u180Ef'],
	['a\u2028b\u0000c\u2066d\u0085e\u200bf', 'a\\u2028b\\u0000c\\u2066d\\u0085e\\u200Bf'],
	['Müller 5 € – 👩‍🔧 وصف', 'Müller 5 € – 👩‍🔧 وصف'],
])('makes one visible line of %j', (text, line) => {
	expect(toLine(text)).toBe(line);
});

it('any text becomes a line, and a line stays as it is', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), (text) => {
			const line = toLine(text);
			expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
			expect(toLine(line)).toBe(line);
		}),
	);
});
