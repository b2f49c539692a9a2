import { isFileLink, mentionsSecret } from '../catalogue/members';
import { HIDDEN } from './errors';
import { isObject, mapMembers } from './objects';
import { createTable } from '../catalogue/table';

const MARK = '***';

/** Shorter secrets, and shorter beginnings of long ones, would match parts of ordinary words. */
const MIN_LENGTH = 4;

/** Reading letters takes memory, and no message is longer. */
const MAX_LENGTH = 4_000;

/** A text that repeats so much of a secret repeats it. */
const MAX_COMPARED = 1_000;

/** Each text is compared with each secret, so more of them would take too long. */
const MAX_SECRETS = 100;

/** Programs escape what others have escaped, but not for ever. */
const MAX_ROUNDS = 5;

interface Letter {
	letter: string;
	/** The spelling of the letter begins here in the text, and ends at `end`. */
	start: number;
	end: number;
}

const ESCAPES =
	/\\u([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|\\x([0-9a-f]{2})|&#x([0-9a-f]{1,6});?|&#(\d{1,7});?|&(amp|apos|gt|lt|nbsp|quot);|(?:%[0-9a-f]{2})+|\\[bfnrt]/gi;

const ENTITIES = createTable<string>({
	amp: '&',
	apos: "'",
	gt: '>',
	lt: '<',
	nbsp: ' ',
	quot: '"',
});

function decode([spelling, u, point, x, hex, decimal, entity]: RegExpExecArray): string {
	if (spelling.startsWith('%')) return decodeAddress(spelling);
	if (entity !== undefined) return ENTITIES[entity.toLowerCase()];
	const digits = u ?? point ?? x ?? hex;
	const code = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
	// A break of a line has no code.
	return code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
}

function decodeAddress(spelling: string): string {
	try {
		return decodeURIComponent(spelling);
	} catch {
		// Other encodings than UTF-8 have one byte for each letter.
		const bytes = spelling.slice(1).split('%');
		return bytes.map((byte) => String.fromCharCode(Number.parseInt(byte, 16))).join('');
	}
}

/** Blanks and backslashes come and go with escapes and lines, and a form writes a blank as a plus sign. */
const IGNORED = /[\s\\+\p{Cc}\p{Cf}]/u;

/** Messages show these letters in place of those that would begin a tag or end a label. */
const SHOWN_AS = createTable<string | undefined>({ '‹': '<', '’': "'" });

const spell = (letters: readonly Letter[]): string => letters.map(({ letter }) => letter).join('');

/** Reads a text without escapes, however often it was escaped, and without case. */
function readLetters(text: string): Letter[] {
	let letters: Letter[] = text
		.split('')
		.map((letter, index) => ({ letter, start: index, end: index + 1 }));
	for (let round = 0; round < MAX_ROUNDS; round++) {
		const decoded: Letter[] = [];
		let next = 0;
		for (const escape of spell(letters).matchAll(ESCAPES)) {
			const after = escape.index + escape[0].length;
			const span = { start: letters[escape.index].start, end: letters[after - 1].end };
			decoded.push(...letters.slice(next, escape.index));
			for (const letter of decode(escape).split('')) decoded.push({ letter, ...span });
			next = after;
		}
		letters = [...decoded, ...letters.slice(next)];
	}
	return letters
		.filter(({ letter }) => !IGNORED.test(letter))
		.flatMap(({ letter, ...span }) =>
			// Some letters are two in upper case.
			[...(SHOWN_AS[letter] ?? letter.toUpperCase().toLowerCase())].map((one) => ({
				letter: one,
				...span,
			})),
		);
}

const isInWord = (letter: string): boolean => /[\p{L}\p{N}]/u.test(letter);

type Span = Pick<Letter, 'start' | 'end'>;

/** The end of a text, of a quotation, or of a text that was cut, perhaps within an escape. */
const CUT =
	/^(?:%[\da-f]?|\\+(?:u[\da-f]{0,3}|x[\da-f]?)?|&[#\w]{0,8})?(?:…|\.{3}|$)|^\\*["'’”]|^&/i;

/** Finds a secret, and beginnings of it after which a text was cut. */
function findSecret(
	text: string,
	letters: readonly Letter[],
	said: string,
	wanted: string,
): Span[] {
	const beginning = wanted.slice(0, MIN_LENGTH);
	const isRepeated = ({ start, end }: Span, length: number): boolean => {
		const isWord = !isInWord(text.charAt(start - 1)) && !isInWord(text.charAt(end));
		if (length === wanted.length) return isWord || length >= MIN_LENGTH;
		const isCut = CUT.test(text.slice(end, end + 16));
		return isCut || (isWord && length * 2 >= wanted.length);
	};
	const spans: Span[] = [];
	for (let at = said.indexOf(beginning); at >= 0; ) {
		let length = beginning.length;
		while (length < wanted.length && said[at + length] === wanted[length]) length++;
		const span = { start: letters[at].start, end: letters[at + length - 1].end };
		const isFound = isRepeated(span, length);
		if (isFound) spans.push(span);
		at = said.indexOf(beginning, at + (isFound ? length : 1));
	}
	return spans;
}

/** Shorter ones would match parts of ordinary words. */
const MIN_BASE64_LENGTH = 8;

/** Lists the letters of base64 for a secret, also as a part of a longer text, which shifts its bits. */
function listBase64(secret: string): string[] {
	const bytes = Buffer.from(secret);
	return [0, 1, 2].flatMap((before) => {
		const whole = Buffer.concat([Buffer.alloc(before), bytes]);
		const digits = Math.floor((whole.length * 8) / 6);
		// The first and the last digit may also hold bits of the text around it.
		const own = [0, 2, 3][before];
		const spellings = new Set([whole.toString('base64'), whole.toString('base64url')]);
		return [...spellings]
			.map((text) => text.slice(own, digits).replace(/\+/g, '').toLowerCase())
			.filter(({ length }) => length >= MIN_BASE64_LENGTH);
	});
}

/**
 * Creates a function that takes secrets out of a text, whatever their case and escapes are, also where
 * the text was cut.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
	const compared = [...new Set(secrets)].map((secret) => secret.slice(0, MAX_COMPARED));
	if (compared.length > MAX_SECRETS) return () => HIDDEN;
	const wanted = [
		...compared.map((secret) => spell(readLetters(secret))),
		...compared.flatMap(listBase64),
	].filter((letters) => letters !== '');
	return (text) => {
		if (wanted.length === 0) return text;
		if (text.length > MAX_LENGTH) {
			const isSuspect = mentionsSecret(text) || secrets.some((secret) => text.includes(secret));
			return isSuspect ? HIDDEN : text;
		}
		const letters = readLetters(text);
		const said = spell(letters);
		const spans = wanted
			.flatMap((secret) => findSecret(text, letters, said, secret))
			.sort((a, b) => a.start - b.start);
		let [redacted, next] = ['', 0];
		for (const { start, end } of spans) {
			if (start >= next) redacted += text.slice(next, start) + MARK;
			next = Math.max(next, end);
		}
		return redacted + text.slice(next);
	};
}

/** Takes secrets out of all texts but links in the members that n8n hides. */
export function redactTexts<T>(value: T, redact: (text: string) => string, name = ''): T {
	const redactInside = (one: unknown, member: string): unknown => {
		if (typeof one === 'string') return isFileLink(member) ? one : redact(one);
		if (Array.isArray(one)) return one.map((inner) => redactInside(inner, member));
		return isObject(one) ? mapMembers(one, (inner, given) => redactInside(given, inner)) : one;
	};
	return redactInside(value, name) as T;
}
