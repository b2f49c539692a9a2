import fc from 'fast-check';

import { avoidReservedWords } from '../../nodes/Corrigo/transport/errors';
import { quoteText, toLabel } from '../../nodes/Corrigo/values/errors';
import { toMessage } from '../../nodes/Corrigo/values/lines';
import { createRedactor, redactTexts } from '../../nodes/Corrigo/values/redaction';
import { cases } from '../cases';
import { startCpuTime } from '../support/cpu';

const redact = (text: string, secrets: string[]) => createRedactor(secrets)(text);

const SECRET = `s3cret & <"m'ore">/ü`;

const toCodes = (text: string, toCode: (code: number) => string): string =>
	text.replace(/[^\p{L}\p{N} ]/gu, (sign) => toCode(sign.codePointAt(0) ?? 0));

/** Ways in which a program writes a text of somebody else. Any two of them may follow each other. */
const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
	asItIs: (text) => text,
	inUpperCase: (text) => text.toUpperCase(),
	inLowerCase: (text) => text.toLowerCase(),
	address: (text) => encodeURIComponent(text),
	form: (text) => new URLSearchParams({ s: text }).toString().slice(2),
	json: (text) => JSON.stringify(text).slice(1, -1),
	jsonCodes: (text) =>
		text.replace(/[^a-z\d ]/gi, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
	htmlCodes: (text) => toCodes(text, (code) => `&#${code};`),
	htmlHexCodes: (text) => toCodes(text, (code) => `&#x${code.toString(16)};`),
	html: (text) =>
		text.replace(/[&<>"]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[one] ?? '&quot;'),
	lines: (text) => text.replace(/ /g, '\r\n\t'),
};

it.each(Object.entries(ENCODINGS))('a secret is replaced everywhere: %s', (_, encode) => {
	for (const next of Object.values(ENCODINGS)) {
		const spelling = next(encode(SECRET));
		expect(redact(`a ${spelling} b "${spelling}"`, ['token', SECRET])).toBe('a *** b "***"');
	}
});

it('a secret is replaced where base64 encodes it, also as a part of a longer text', () => {
	const texts = fc.string({ unit: 'binary', minLength: 9, maxLength: 40 });
	const around = fc.string({ unit: 'binary', maxLength: 5 });
	fc.assert(
		fc.property(texts, around, around, (secret, before, after) => {
			for (const encoding of ['base64', 'base64url'] as const) {
				const text = Buffer.from(before + secret + after).toString(encoding);
				const shown = redact(`a '${text}' b`, [secret]);
				expect(shown).toMatch(/^a '.{0,30}\*\*\*.{0,30}' b$/);
			}
		}),
	);
});

it('any secret is replaced in any encoding', () => {
	const texts = fc.string({ unit: 'binary' }).map((text) => `a${text}bcd`);
	const encodings = fc.constantFrom(...Object.values(ENCODINGS));
	fc.assert(
		fc.property(texts, encodings, encodings, (secret, encode, next) => {
			expect(redact(`is '${next(encode(secret))}'.`, [secret])).toBe("is '***'.");
		}),
	);
});

it('a secret is replaced whole even if one encoding is a prefix of another', () => {
	expect(redact('a abc&amp; b abc& c', ['abc&'])).toBe('a *** b *** c');
});

it('a secret is found as messages show it: with codes, without tags, as a label', () => {
	const special = fc.constantFrom(
		'<',
		'>',
		"'",
		'"',
		'\\',
		'&lt;',
		'\u202e',
		'\u{e0041}',
		' ',
		'\n',
		'canceled',
		'CANCELLED',
	);
	const secret = fc
		.array(fc.oneof(special, fc.constantFrom(...'abcXYZ0189/!?-')), { minLength: 6, maxLength: 30 })
		.map((letters) => `pw${letters.join('')}z9`);
	fc.assert(
		fc.property(secret, (one) => {
			const redactOne = createRedactor([one]);
			for (const shown of [toMessage(one), toMessage(quoteText(one)), toMessage(toLabel(one))])
				expect(redactOne(avoidReservedWords(`It is ${shown}.`))).toMatch(/^It is "?\*\*\*"?\.$/);
		}),
		{ numRuns: cases(200, 5_000) },
	);
});

it('other text stays', () => {
	expect(redact('No such thing: abcd!', ['', '  ', 'abc', 'abcd-and-more'])).toBe(
		'No such thing: abcd!',
	);
});

describe('a message may have cut a secret', () => {
	const LONG = 'hunter-2-of-some-length';

	it.each([
		['with dots', `Not accepted: ${LONG.slice(0, 5)}...`, 'Not accepted: ***...'],
		['with an ellipsis', `Not accepted: ${LONG.slice(0, 4)}…`, 'Not accepted: ***…'],
		['at its end', `Not accepted: ${LONG.slice(0, 6)}`, 'Not accepted: ***'],
		['in quotes', `"${LONG.slice(0, 7)}" is too long`, '"***" is too long'],
		['within an escape', `"${LONG.slice(0, 7)}%2…"`, '"***%2…"'],
		['within a code', `"${LONG.slice(0, 7)}\\u00…"`, '"***\\u00…"'],
		['at its half', `${LONG.slice(0, 12)} is too long`, '*** is too long'],
	])('%s', (_, text, shown) => {
		expect(redact(text, [LONG])).toBe(shown);
	});

	it('but a word that begins like it stays', () => {
		expect(redact('All hunters are welcome, even hunter', [`${LONG} one`])).toBe(
			'All hunters are welcome, even ***',
		);
	});
});

it('a short secret is replaced where it is a word', () => {
	expect(redact("PIN '12' of 4512 is not 12.", ['12'])).toBe("PIN '***' of 4512 is not ***.");
});

it('many secrets are found among many texts, and other words stay', () => {
	const secrets = Array.from({ length: 4_000 }, (_, index) => `pw-${index}-abcdef`);
	const readCpuTime = startCpuTime();
	const redactAll = createRedactor(secrets);
	expect(secrets.map((one) => redactAll(`It is ${one}.`))).toEqual(secrets.map(() => 'It is ***.'));
	expect(readCpuTime()).toBeLessThan(5);
});

it('texts that it would take too long to compare are hidden, and say so', () => {
	const secrets = Array.from({ length: 100 }, (_, index) => `${'a'.repeat(900)}${index}`);
	for (const [length, shown] of [
		[4_000, '(not shown, because it may repeat a secret)'],
		[400_000, '(not shown, because it may repeat a secret)'],
	] as const) {
		const text = 'a'.repeat(length);
		const readCpuTime = startCpuTime();
		const redactAll = createRedactor(secrets);
		const texts = Array.from({ length: 1_000 }, () => text);
		expect(new Set(texts.map(redactAll).slice(100))).toEqual(new Set([shown]));
		expect(readCpuTime()).toBeLessThan(5);
	}
});

it('links stay in the members that n8n hides', () => {
	const data = {
		Note: ['At http://x/1234'],
		DocUrl: 'http://x/1234',
		Cut: 'http://x/1…',
		Size: 1234,
	};
	expect(redactTexts(data, createRedactor(['http://x/1234']))).toEqual({
		...{ ...data, Note: ['At ***'], Cut: '***…' },
	});
});

it('takes no long time, however long texts and secrets are', () => {
	const readCpuTime = startCpuTime();
	for (const part of ['a', ' ', '\\', '%25', '&amp;', '\\u005c', 'ab']) {
		for (const length of [1_000, 200_000]) {
			const text = part.repeat(length / part.length);
			redact(text, [text.slice(0, 20_000), `${text}!`, 'aaaa!', 'abab!']);
		}
	}
	const secrets = Array.from({ length: 100 }, (_, index) => `${'a'.repeat(10_000)}${index}`);
	redact('a'.repeat(4_000), secrets);
	redact(`%${'25'.repeat(1_900)}`, secrets);
	expect(readCpuTime()).toBeLessThan(5);
	expect(redact(`${'x'.repeat(30_000)} hunter-2`, ['hunter-2'])).toBe('(not shown)');
});
