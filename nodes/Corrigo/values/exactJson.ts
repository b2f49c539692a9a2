/** Digits and exponent of a decimal number; equal numbers give equal texts. */
function normalizeDecimal(text: string): string | undefined {
	const parts = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text.trim());
	if (parts === null) return undefined;
	const [, sign, whole, fraction, exponent = '0'] = parts;
	const digits = (whole + fraction).replace(/^0+/, '');
	// A regular expression for the zeros at the end takes quadratic time.
	let end = digits.length;
	while (digits[end - 1] === '0') end--;
	if (end === 0) return '0';
	const power = Number(exponent) - fraction.length + digits.length - end;
	return `${sign === '-' ? '-' : ''}${digits.slice(0, end)}e${power}`;
}

/** Other numbers lose digits, or become null or zero. */
export const isExactNumber = (value: number): boolean =>
	Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));

/** Returns true if a number is sent with the digits of its text. */
export const isExactText = (text: string): boolean =>
	isExactNumber(Number(text)) && normalizeDecimal(text) === normalizeDecimal(String(Number(text)));

/** A pattern for whole strings would overflow the stack on long ones. */
const TOKENS = /\\.|"|-?\d[\d.eE+-]*|[[\]{},:]/gs;

/** An open object or list, and the name or index of the member that is being read. */
interface Container {
	names?: Set<string>;
	at: number | string;
}

export interface LostJson {
	place: string;
	/** Undefined for a name that is not the first of its object. */
	number?: string;
}

/** Finds a number or name of valid JSON that `JSON.parse` silently changes or drops. */
export function findLostJson(text: string): LostJson | undefined {
	const open: Container[] = [];
	const getPlace = () => open.map(({ at }) => at).join(' > ');
	let start: number | undefined;
	let string = '';
	for (const { 0: token, index } of text.matchAll(TOKENS)) {
		const inner = open.at(-1);
		if (start !== undefined) {
			if (token !== '"') continue;
			string = text.slice(start, index + 1);
			start = undefined;
		} else if (token === '"') start = index;
		else if (token === '{') open.push({ names: new Set(), at: '' });
		else if (token === '[') open.push({ at: 0 });
		else if (token === '}' || token === ']') open.pop();
		else if (token === ',') {
			if (typeof inner?.at === 'number') inner.at++;
		} else if (token !== ':') {
			if (!isExactText(token)) return { place: getPlace(), number: token };
		} else if (inner?.names) {
			inner.at = JSON.parse(string) as string;
			if (inner.names.size === inner.names.add(inner.at).size) return { place: getPlace() };
		}
	}
	return undefined;
}
