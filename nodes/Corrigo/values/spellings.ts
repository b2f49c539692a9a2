import { commands } from '../catalogue/commands';
import { entities } from '../catalogue/entities';
import { toTitle } from '../catalogue/enumerations/labels';
import { normalize } from './input';

const MIN_PIECE = 3;

/** Anybody may write a name, and comparing all words of a very long one would stop n8n. */
const MAX_COMPARED = 100;

const getWords = (name: string): string[] => [
	...new Set(normalize(name.slice(0, MAX_COMPARED)).match(/\p{L}{3,}/gu)),
];

/** Short words such as "the" are in many names, so they count only in a name of short words. */
function getTellingWords(name: string): string[] {
	const words = getWords(name);
	const long = words.filter((word) => word.length > MIN_PIECE);
	return long.length > 0 ? long : words;
}

/** Number of letters that may be wrong, missing or superfluous. */
const getMaxErrors = (word: string) => (word.length > 5 ? 2 : word.length > MIN_PIECE ? 1 : 0);

/** A word with one error still has one correct half, so its halves are searched separately. */
export const getPieces = (name: string): string[] =>
	getTellingWords(name).flatMap((word) => {
		const size = Math.max(MIN_PIECE, Math.ceil(word.length / 2));
		return [...new Set([word.slice(0, size), word.slice(Math.min(size, word.length - MIN_PIECE))])];
	});

/**
 * Candidates that contain the name take precedence. Otherwise, those with a similar word are
 * returned, closest first.
 */
export function findMostSimilar<T>(
	name: string,
	candidates: readonly T[],
	getName: (one: T) => string,
): T[] {
	const wanted = normalize(name);
	const containing = candidates.filter((one) => normalize(getName(one)).includes(wanted));
	if (containing.length > 0) return containing;
	const words = getTellingWords(name);
	return candidates
		.map((one) => ({ one, errors: countErrors(words, getWords(getName(one))) }))
		.filter(({ errors }) => errors < words.length * UNRELATED)
		.sort((a, b) => a.errors - b.errors)
		.map(({ one }) => one);
}

/** Number of errors that count for a word without a similar one. */
const UNRELATED = 3;

const countErrors = (wanted: string[], found: string[]): number =>
	wanted
		.map((word) => {
			const max = getMaxErrors(word);
			const near = found.filter((other) => Math.abs(other.length - word.length) <= max);
			const errors = Math.min(...near.map((other) => getEditDistance(word, other)));
			return errors <= max ? errors : UNRELATED;
		})
		.reduce((sum, errors) => sum + errors, 0);

/** Levenshtein distance: letters to replace, add or remove. */
function getEditDistance(a: string, b: string): number {
	let above = Array.from({ length: b.length + 1 }, (_, index) => index);
	for (let row = 1; row <= a.length; row++) {
		const current = [row];
		for (let column = 1; column <= b.length; column++) {
			const replaced = above[column - 1] + (a[row - 1] === b[column - 1] ? 0 : 1);
			current.push(Math.min(replaced, above[column] + 1, current[column - 1] + 1));
		}
		above = current;
	}
	return above[b.length];
}

interface Named {
	name: string;
	label: string;
}

const MAX_SHOWN = 3;

/** Compares names without their blanks first, as names of Corrigo have none. */
function listSimilar(given: string, known: readonly Named[]): string[] {
	const wanted = normalize(given).slice(0, MAX_COMPARED);
	const close = known
		.map(({ name, label }) => ({
			name,
			errors: Math.min(
				...[name, label].map((one) => getEditDistance(wanted, normalize(one).replace(/ /g, ''))),
			),
		}))
		.filter(({ errors }) => errors <= getMaxErrors(wanted))
		.sort((a, b) => a.errors - b.errors);
	const found =
		close.length > 0 ? close : findMostSimilar(toTitle(given), known, ({ label }) => label);
	return found.slice(0, MAX_SHOWN).map(({ name }) => name);
}

const formatSimilar = (names: readonly string[]): string | undefined =>
	names.length > 0 ? `Similar: ${names.join(', ')}.` : undefined;

/** The advice for a name that is not known, undefined if none is similar. */
export const suggestNames = (given: string, names: readonly string[]): string | undefined =>
	formatSimilar(
		listSimilar(
			given,
			names.map((name) => ({ name, label: toTitle(name) })),
		),
	);

const suggestNamed = (known: readonly Named[]) => (given: string) =>
	given === '' || known.some(({ name }) => normalize(name) === normalize(given))
		? undefined
		: formatSimilar(listSimilar(given, known));

export const suggestEntities = suggestNamed(entities);

export const suggestCommands = suggestNamed(commands);
