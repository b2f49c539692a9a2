import fc from 'fast-check';

import { toLine } from '../../nodes/Corrigo/values/lines';

it.each([
	['a\r\n\tb  c\n', 'a b  c'],
	['a\u202eb', 'a\\u202Eb'],
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
