import fc from 'fast-check';

import { ValidationError } from '../../nodes/Corrigo/values/errors';
import { toLine, toMessage } from '../../nodes/Corrigo/values/lines';
import { startCpuTime } from '../support/cpu';

it.each([
	['a\r\n\tb  c\n', 'a b  c'],
	['a\u202eb', 'a\\u202Eb'],
	['a\u00adb\u{e0041}c\ud83dd\u2800e\u180ef', 'a\\u00ADb\\u{E0041}c\\uD83Dd\\u2800e\\u180Ef'],
	['a\u2028b\u0000c\u2066d\u0085e\u200bf', 'a b\\u0000c\\u2066d\\u0085e\\u200Bf'],
	['a \u00a0\u2003 b\u3000c', 'a b c'],
	['<a href=x>b</a> <img/> <!-- <5 t < a <> x<', '‹a href=x>b‹/a> ‹img/> ‹!-- <5 t < a <> x<'],
	['pay\u200dpal 5\ufe0f a\u200c', 'pay\\u200Dpal 5\\uFE0F a\\u200C'],
])('makes one visible line of %j', (text, line) => {
	expect(toLine(text)).toBe(line);
});

it.each([
	'Müller 5 € – وصف',
	...['👩‍🔧', '🤷🏽‍♀️', '🏳️‍🌈', '👨‍👩‍👧', '❤️', '☎︎', '5️⃣'],
	...[
		'\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
		'क्‍ष',
		'ക്‍',
		'\u0dc1\u0dca\u200d\u0dbb\u0dd3 \u0dbd\u0d82\u0d9a\u0dcf',
	],
])('%s stays as it is', (text) => {
	expect(toLine(`"${text}"`)).toBe(`"${text}"`);
});

const CHARACTERS = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code));

/** Nobody knows what private and unassigned characters look like, so they count as seen. */
const isSeen = (character: string): boolean =>
	!/[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u.test(character);

it('every character is seen, a blank, or shown as its code', () => {
	const seen = CHARACTERS.filter(isSeen).join('');
	expect(toLine(seen) === seen).toBe(true);
	for (const character of CHARACTERS.filter((one) => !isSeen(one))) {
		const digits = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
		const code = digits.length > 4 ? `{${digits}}` : digits.padStart(4, '0');
		expect(toLine(`a${character}b`)).toBe(/\s/.test(character) ? 'a b' : `a\\u${code}b`);
	}
});

it('any text becomes a line, and a line stays as it is', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), (text) => {
			const line = toLine(text);
			expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]|[^\S ]/u);
			expect(toLine(line)).toBe(line);
		}),
	);
});

it('a message of a text of any length is a short line', () => {
	for (const text of ['a'.repeat(1_000_000), '\u202e'.repeat(1_000_000), '👩'.repeat(1_000_000)]) {
		expect(toMessage(text).length).toBeLessThan(3_002);
		expect(toMessage(text)).toMatch(/^(a|\\u202E|👩)+…$/u);
		expect(new ValidationError(text, text).message).toBe(toMessage(text));
	}
});

it.each([' ', '\u2003', '\u200d', '👩\u200d'])('takes no long time for many of %j', (part) => {
	const readCpuTime = startCpuTime();
	toLine(part.repeat(100_000));
	expect(readCpuTime()).toBeLessThan(5);
});
