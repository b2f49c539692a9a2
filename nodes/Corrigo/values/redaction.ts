import { isFileLink, isSecret, mentionsSecret } from '../catalogue/members';
import { HIDDEN } from './errors';
import { append, isObject, mapMembers } from './objects';
import { createTable } from '../catalogue/table';

const MARK = '***';

/** Shorter secrets, and shorter beginnings of long ones, would match parts of ordinary words. */
const MIN_LENGTH = 4;

/** Reading letters takes memory, and no message is longer. */
const MAX_LENGTH = 4_000;

/** A text that repeats so much of a secret repeats it. */
const MAX_COMPARED = 1_000;

/** Letters that are compared at most, because anybody may write many secrets that look alike. */
const MAX_WORK = 50_000_000;

/** Many letters are passed over in the time in which one is compared. */
const WORK_OF_SEARCH = 1 / 8;

/** The letters around a place are looked at, too. */
const WORK_OF_PLACE = 100;

const UNCHECKED = '(not shown, because it may repeat a secret)';

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

/** Messages have one letter more here, because n8n reads "canceled" as a word of its own. */
const ADDED = /cancel(?=led)/g;

const spell = (letters: readonly Letter[]): string => letters.map(({ letter }) => letter).join('');

/** Reads a text without escapes, however often it was escaped, and without case. */
function readLetters(text: string): Letter[] {
	let letters: Letter[] = text
		.split('')
		.map((letter, index) => ({ letter, start: index, end: index + 1 }));
	for (let round = 0; round < MAX_ROUNDS; round++) {
		const escapes = [...spell(letters).matchAll(ESCAPES)];
		if (escapes.length === 0) break;
		const decoded: Letter[] = [];
		let next = 0;
		for (const escape of escapes) {
			const after = escape.index + escape[0].length;
			const span = { start: letters[escape.index].start, end: letters[after - 1].end };
			for (; next < escape.index; next++) decoded.push(letters[next]);
			for (const letter of decode(escape).split('')) decoded.push({ letter, ...span });
			next = after;
		}
		letters = [...decoded, ...letters.slice(next)];
	}
	const read = letters
		.filter(({ letter }) => !IGNORED.test(letter))
		.flatMap(({ letter, ...span }) =>
			// Some letters are two in upper case.
			[...(SHOWN_AS[letter] ?? letter.toUpperCase().toLowerCase())].map((one) => ({
				letter: one,
				...span,
			})),
		);
	const added = [...spell(read).matchAll(ADDED)].map(({ index, 0: { length } }) => index + length);
	const isAdded = new Set(added);
	return read.filter((_, index) => !isAdded.has(index));
}

const isInWord = (letter: string): boolean => /[\p{L}\p{N}]/u.test(letter);

type Span = Pick<Letter, 'start' | 'end'>;

/** The end of a text, of a quotation, or of a text that was cut, perhaps within an escape. */
const CUT =
	/^(?:%[\da-f]?|\\+(?:u[\da-f]{0,3}|x[\da-f]?)?|&[#\w]{0,8})?(?:…|\.{3}|$)|^\\*["'’”]|^&/i;

/** How much more may be compared. */
interface Budget {
	left: number;
}

/** Secrets by their first letters. */
type SecretIndex = ReadonlyMap<string, readonly string[]>;

function indexSecrets(secrets: readonly string[]): SecretIndex {
	const index = new Map<string, string[]>();
	for (const secret of new Set(secrets)) append(index, secret.slice(0, MIN_LENGTH), secret);
	return index;
}

/** Some letters of a text that are also those with which a secret begins. */
interface Place extends Span {
	isWord: boolean;
	/** The text was cut behind them. */
	isCut: boolean;
}

function createPlace(text: string, { start }: Letter, { end }: Letter): Place {
	return {
		...{ start, end },
		isWord: !isInWord(text.charAt(start - 1)) && !isInWord(text.charAt(end)),
		isCut: CUT.test(text.slice(end, end + 16)),
	};
}

function isRepeated({ isWord, isCut }: Place, length: number, wanted: string): boolean {
	if (length === wanted.length) return isWord || length >= MIN_LENGTH;
	return isCut || (isWord && length * 2 >= wanted.length);
}

/** Finds secrets, and beginnings of them after which a text was cut. */
function findSecrets(
	text: string,
	letters: readonly Letter[],
	index: SecretIndex,
	budget: Budget,
): Span[] {
	const said = spell(letters);
	const lengths = [...new Set([...index.keys()].map((beginning) => beginning.length))];
	const spans: Span[] = [];
	for (let at = 0; at < said.length && budget.left > 0; at++) {
		const places: Place[] = [];
		for (const wanted of lengths.flatMap(
			(length) => index.get(said.slice(at, at + length)) ?? [],
		)) {
			let length = Math.min(wanted.length, MIN_LENGTH);
			while (length < wanted.length && said[at + length] === wanted[length]) length++;
			budget.left -= length;
			if (places[length] === undefined) {
				places[length] = createPlace(text, letters[at], letters[at + length - 1]);
				budget.left -= WORK_OF_PLACE;
			}
			if (isRepeated(places[length], length, wanted)) spans.push(places[length]);
		}
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
	const index = indexSecrets(
		[
			...compared.map((secret) => spell(readLetters(secret))),
			...compared.flatMap(listBase64),
		].filter((letters) => letters !== ''),
	);
	const budget: Budget = { left: MAX_WORK };
	const isSuspect = (text: string): boolean =>
		mentionsSecret(text) || secrets.some((secret) => text.includes(secret));
	return (text) => {
		if (index.size === 0) return text;
		if (text.length > MAX_LENGTH) {
			budget.left -= secrets.length * text.length * WORK_OF_SEARCH;
			if (budget.left > 0) return isSuspect(text) ? HIDDEN : text;
		}
		const spans = budget.left > 0 ? findSecrets(text, readLetters(text), index, budget) : [];
		return budget.left > 0 ? hideSpans(text, spans) : UNCHECKED;
	};
}

function hideSpans(text: string, spans: Span[]): string {
	let [redacted, next] = ['', 0];
	for (const { start, end } of spans.sort((a, b) => a.start - b.start)) {
		if (start >= next) redacted += text.slice(next, start) + MARK;
		next = Math.max(next, end);
	}
	return redacted + text.slice(next);
}

/** Takes secrets out of all texts but links in the members that n8n hides. A secret member needs no search. */
export function redactTexts<T>(value: T, redact: (text: string) => string, name = ''): T {
	const redactInside = (one: unknown, member: string): unknown => {
		if (typeof one === 'string')
			return isSecret(member) ? HIDDEN : isFileLink(member) ? one : redact(one);
		if (Array.isArray(one)) return one.map((inner) => redactInside(inner, member));
		return isObject(one) ? mapMembers(one, (inner, given) => redactInside(given, inner)) : one;
	};
	return redactInside(value, name) as T;
}
