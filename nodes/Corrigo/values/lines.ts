/** Characters that nobody sees, but that break a line of a log or turn around what a person reads. */
const INVISIBLE = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\u200b\u2060\ufeff]/gu;

const toCode = (character: string): string =>
	`\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Makes one line of a text that anybody may have written: a message, a line of a log, an approval. */
export const toLine = (text: string): string =>
	text
		.replace(/[\t\r\n]+/g, ' ')
		.trim()
		.replace(INVISIBLE, toCode);
