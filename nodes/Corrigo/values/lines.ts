/** Characters that nobody sees, but that break a line of a log or turn around what a person reads. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Parts of emoji and of some scripts, which belong to what is seen. */
const JOINERS = ['\u200c', '\u200d', '\ufe0e', '\ufe0f'];

const toCode = (character: string): string =>
	JOINERS.includes(character)
		? character
		: `\\u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Makes one line of a text that anybody may have written: a message, a line of a log, an approval. */
export const toLine = (text: string): string =>
	text
		.replace(/[\t\r\n]+/g, ' ')
		.trim()
		.replace(INVISIBLE, toCode);
