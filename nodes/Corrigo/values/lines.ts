/** Characters that nobody sees, but that turn around what a person reads, or make two texts look alike. */
const INVISIBLE = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]`;

/** A joiner in one of these scripts decides how the letter before it looks. */
const JOINED = ['Arabic', 'Syriac', 'Nko', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi']
	.concat(['Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer'])
	.concat(['Myanmar', 'Tibetan'])
	.map((script) => `\\p{Script_Extensions=${script}}`)
	.join('');

const EMOJI = String.raw`\p{Extended_Pictographic}`;

/** Joiners and variants that belong to what is seen: parts of emoji, and of the words of some scripts. */
const SEEN = [
	`(?<=[${JOINED}])[\u200c\u200d]`,
	`(?<=[${EMOJI}\\p{Emoji_Modifier}\ufe0f])\u200d(?=${EMOJI})`,
	`(?<=${EMOJI})[\ufe0e\ufe0f]`,
	'(?<=[0-9#*])\ufe0f(?=\u20e3)',
].join('|');

const SPECIAL = new RegExp(`(${SEEN})|${INVISIBLE}`, 'gu');

function toCode(character: string): string {
	const digits = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
	return digits.length > 4 ? `\\u{${digits}}` : `\\u${digits.padStart(4, '0')}`;
}

/** Begins a tag wherever a text is shown as HTML, as n8n shows hints and descriptions of errors. */
const TAG_START = /<(?=[a-z/!?])/gi;

/**
 * Makes one line of a text that anybody may have written: a message, a line of a log, an approval.
 * Blanks of other kinds than the ordinary one, also several, become one, as they can be as wide as a line.
 */
export const toLine = (text: string): string =>
	text
		.replace(/\s+/g, (blanks) => (/[^ ]/.test(blanks) ? ' ' : blanks))
		.trim()
		.replace(TAG_START, '‹')
		.replace(SPECIAL, (character, seen?: string) => seen ?? toCode(character));

/** Cuts a long text, but no character in two. */
export const cutText = (text: string, maxLength: number): string =>
	text.length > maxLength ? `${text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')}…` : text;

/** Anybody may write a text of any length, and a longer message helps nobody. */
export const MAX_MESSAGE_LENGTH = 3_000;

/** Every message of an error and every line of the log passes here. Codes are longer than their characters. */
export const toMessage = (text: string): string =>
	cutText(toLine(cutText(text, MAX_MESSAGE_LENGTH)), MAX_MESSAGE_LENGTH);
