import fc from 'fast-check';

import { redact } from '../../nodes/Corrigo/transport/errors';

const SECRET = `s3cret & <"m'ore">/ü`;

it.each([
	['as it is', SECRET],
	['in an address', encodeURIComponent(SECRET)],
	[
		'in an address, in lower case',
		encodeURIComponent(SECRET).replace(/%../g, (one) => one.toLowerCase()),
	],
	['in a form', new URLSearchParams({ s: SECRET }).toString().slice(2)],
	['in JSON', JSON.stringify(SECRET).slice(1, -1)],
	['in a page', 's3cret &amp; &lt;&quot;m&#39;ore&quot;&gt;/ü'],
])('a secret %s is replaced everywhere', (_, spelling) => {
	expect(redact(`a ${spelling} b ${spelling}`, ['token', SECRET])).toBe('a *** b ***');
});

it('a secret is replaced whole even if one encoding is a prefix of another', () => {
	expect(redact('a abc&amp; b abc& c', ['abc&'])).toBe('a *** b *** c');
});

it('other text stays', () => {
	expect(redact('No such thing: abc', ['', 'abc'])).toBe('No such thing: abc');
	expect(redact('x'.repeat(1000), [])).toBe('x'.repeat(1000));
});

it('long texts are truncated after redaction, and not inside a character', () => {
	expect(redact('x'.repeat(5_000_000), [])).toBe(`${'x'.repeat(1000)}…`);
	expect(redact(`${'x'.repeat(999)}😀 and more`, [])).toBe(`${'x'.repeat(999)}…`);
	expect(redact(`😀${'x'.repeat(1100)}`, [])).toBe(`😀${'x'.repeat(998)}…`);
	fc.assert(
		fc.property(fc.nat(1100), (before) => {
			const shown = redact(`${'x'.repeat(before)}t0ken-of-some-length!`, ['t0ken-of-some-length!']);
			expect(shown).not.toContain('t0k');
		}),
	);
});
