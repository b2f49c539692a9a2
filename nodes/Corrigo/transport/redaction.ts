/** A longer message is an HTML page, or repeats the whole request, and helps nobody. */
const MAX_LENGTH = 1000;

/** Shorter secrets would match parts of ordinary words. */
const MIN_SECRET_LENGTH = 4;

/** The service may repeat secrets in its messages, which are shown and stored. */
export function redact(text: string, secrets: readonly string[]): string {
	const clean = secrets
		.filter(({ length }) => length >= MIN_SECRET_LENGTH)
		.flatMap(getEncodings)
		.reduce((rest, secret) => rest.split(secret).join('***'), text);
	if (clean.length <= MAX_LENGTH) return clean;
	return `${clean.slice(0, MAX_LENGTH).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Covers addresses, forms, JSON and HTML, longest first, so that each is replaced whole. */
function getEncodings(secret: string): string[] {
	const inAddress = encodeURIComponent(secret);
	const inForm = new URLSearchParams({ s: secret }).toString().slice(2);
	const lowerCodes = (text: string) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
	const all = [
		secret,
		inAddress,
		lowerCodes(inAddress),
		inForm,
		lowerCodes(inForm),
		JSON.stringify(secret).slice(1, -1),
		secret.replace(/[&<>"']/g, (sign) => HTML_ENTITIES[sign]),
	];
	return [...new Set(all)].sort((a, b) => b.length - a.length);
}

const HTML_ENTITIES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};
