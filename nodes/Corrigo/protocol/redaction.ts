/** Longer words of the service help nobody: they are a page, or the request in whole. */
const MAX_LENGTH = 1000;

/** Shorter ones would be found in every other word. */
const MIN_SECRET = 4;

/** What the service said, fit to be shown and kept: without secrets that it may have repeated. */
export function redact(text: string, secrets: readonly string[]): string {
	const clean = secrets
		.filter(({ length }) => length >= MIN_SECRET)
		.flatMap(encodings)
		.reduce((rest, secret) => rest.split(secret).join('***'), text);
	if (clean.length <= MAX_LENGTH) return clean;
	return `${clean.slice(0, MAX_LENGTH).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** As it is, and as it is written in addresses, forms, JSON and pages. The longest first. */
function encodings(secret: string): string[] {
	const inAddress = encodeURIComponent(secret);
	const inForm = new URLSearchParams({ s: secret }).toString().slice(2);
	const lower = (text: string) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
	const all = [
		secret,
		inAddress,
		lower(inAddress),
		inForm,
		lower(inForm),
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
