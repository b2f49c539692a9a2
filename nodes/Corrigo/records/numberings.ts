import type { JsonObject } from '../values/objects';

/** A work zone builds the numbers of its orders from both: ABC and seven digits make ABC0010001. */
interface Numbering {
	prefix: string;
	digits: number;
}

/** Many work zones share one numbering, so each is returned once. */
export function getNumberings(zones: readonly JsonObject[]): Numbering[] {
	const all = zones.map(({ WoNumberPrefix: prefix, WoNumberDigits: digits }) => ({
		prefix: typeof prefix === 'string' ? prefix.trim() : '',
		digits: Number(digits) > 0 ? Math.min(Number(digits), MAX_DIGITS) : 0,
	}));
	return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

const MAX_DIGITS = 20;

/**
 * Users may leave out the prefix or zeros of a number: 10001 and ABC10001 mean ABC0010001, and
 * 72460001 means 072460001.
 */
export function expandNumber(input: string, numberings: readonly Numbering[]): string[] {
	const forms = numberings.flatMap(({ prefix, digits }) =>
		['', prefix, trimZeros(prefix)]
			.filter((start) => input.toLowerCase().startsWith(start.toLowerCase()))
			.map((start) => input.slice(start.length))
			.filter((rest) => /^\d+$/.test(rest))
			.map((rest) => prefix + trimZeros(rest).padStart(digits, '0')),
	);
	return [...new Set(forms)].filter((form) => form !== input);
}

const trimZeros = (text: string) => text.replace(/^0+/, '');
