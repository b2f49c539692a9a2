import type { enumerations } from '../catalogue/enumerations';
import type { OperatorName } from '../catalogue/operators';
import { fail, formatNames } from './errors';
import { isBlank, normalize } from './input';
import { isExactText, normalizeDecimal } from './json';
import { formatDecimal } from './decimals';
import { parseKind, type KindName } from './kinds';
import { readTimeOfDay } from './times';
import { createTable } from '../catalogue/table';

/**
 * Corrigo keeps the value of every custom field and attribute as a text, whose type its definition
 * names. People and the service write one value in several ways, such as 12.5 and 12.50, so only this
 * module knows which texts mean one value, and which of two means more.
 */
export type TextTypeName = (typeof enumerations)['CfType'][number];

/** A value that compares with `<` and `===`. */
type Comparable = number | string;

interface TextType {
	/** Kind of the input. */
	kind: KindName;
	/** Input that a form has for it. */
	column: 'boolean' | 'dateTime' | 'number' | 'string';
	/** Texts have no other order than that of their letters. */
	hasOrder: boolean;
	/** Returns the value of a stored text; undefined if it is none of the type. */
	read: (text: string) => Comparable | undefined;
}

const NUMBER = {
	column: 'number',
	hasOrder: true,
	read: (text) => (normalizeDecimal(text) === undefined ? undefined : Number(text)),
} as const satisfies Partial<TextType>;

const DAY = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/;

/** Types that have values with more than one text. All others are texts, which are as they are. */
const TYPES = createTable<TextType | undefined>({
	Boolean: {
		kind: 'switch',
		column: 'boolean',
		hasOrder: false,
		read: (text) => (/^(true|false)$/i.test(text) ? text.toLowerCase() : undefined),
	},
	Date: { kind: 'day', column: 'dateTime', hasOrder: true, read: (text) => DAY.exec(text)?.[0] },
	Decimal: { kind: 'number', ...NUMBER },
	Integer: { kind: 'wholeNumber', ...NUMBER },
	Money: { kind: 'number', ...NUMBER },
	Time: { kind: 'timeOfDay', column: 'string', hasOrder: true, read: readTimeOfDay },
	Url: { kind: 'text', column: 'string', hasOrder: false, read: (text) => text },
} satisfies Partial<Record<TextTypeName, TextType>>);

export const getColumnType = (type: unknown): TextType['column'] =>
	TYPES[String(type)]?.column ?? 'string';

/** Type of the definition behind a column. A number may be a whole one or an amount, and a text a time. */
export function findTypeOfColumn(column: string | undefined): TextTypeName | undefined {
	switch (column) {
		case 'boolean':
			return 'Boolean';
		case 'dateTime':
			return 'Date';
		case 'options':
			return 'String';
		default:
			return undefined;
	}
}

/** Corrigo compares texts alone; the values of these types the node compares itself. */
export const isComparedHere = (type: unknown): boolean => TYPES[String(type)] !== undefined;

/** Less and more have a meaning for numbers, dates and times only. */
export const hasOrder = (type: unknown): boolean => TYPES[String(type)]?.hasOrder === true;

/** Returns the text that is stored for what a person has written. */
export function parseTypedText(label: string, type: unknown, value: unknown): string {
	const { kind = 'text' } = TYPES[String(type)] ?? {};
	const parsed = parseKind(kind, label, value);
	if (typeof parsed === 'number') return formatDecimal(parsed);
	return kind === 'day' ? String(parsed).slice(0, 10) : String(parsed);
}

/**
 * Choices differ by any character, such as "A-" and "A+", but not by case and by white space around and
 * between words, and those of a type not by the spelling of their value.
 */
export function parseStoredChoice(
	label: string,
	type: unknown,
	text: string,
	options: readonly string[],
): string {
	const close = options.filter((one) => normalizeChoice(one) === normalizeChoice(text));
	const found =
		options.find((one) => isSameTypedText(type, one, text)) ??
		(close.length === 1 ? close[0] : undefined);
	return found ?? fail(label, text, `one of ${formatNames(options)}`);
}

const normalizeChoice = (text: string): string => normalize(text).replace(/\s+/g, ' ');

const ANCHOR = /^\s*<a\s[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')[^>]*>/i;

const ENTITIES = createTable<string>({
	'&#39;': "'",
	'&amp;': '&',
	'&gt;': '>',
	'&lt;': '<',
	'&quot;': '"',
});

/** The service returns fields of type Url as HTML. */
export function toPlainUrl(value: unknown): unknown {
	// Without an end of the tag, the pattern would be tried at each of its attributes.
	const mayBeTag = typeof value === 'string' && value.includes('>');
	const anchor = mayBeTag ? ANCHOR.exec(value) : null;
	if (anchor === null) return value ?? null;
	return (anchor[1] ?? anchor[2]).replace(/&(#39|amp|gt|lt|quot);/g, (code) => ENTITIES[code]);
}

/** Returns what people see of a link in place of its address. */
export function findLinkLabel(value: unknown): string | undefined {
	const shown =
		typeof value === 'string' ? /^\s*<a\s[^>]*>(.*?)<\/a>\s*$/is.exec(value)?.[1] : undefined;
	const label = shown?.trim();
	return label === '' || label === toPlainUrl(value) ? undefined : label;
}

const toText = (stored: unknown): string => String(toPlainUrl(stored) ?? '');

/** Returns the value of a stored text: a number, a day, `true` or `false`, or the text itself. */
export function readTypedText(type: unknown, stored: unknown): unknown {
	const text = toText(stored);
	const { kind, column, read } = TYPES[String(type)] ?? {};
	const value = kind === 'text' ? undefined : read?.(text.trim());
	// A number with more digits than JSON has would become another one.
	if (value === undefined || (column === 'number' && !isExactText(text))) return toPlainUrl(stored);
	return column === 'boolean' ? value === 'true' : value;
}

/** Equal values of a type have equal keys, however they are stored. */
export function toTypedKey(type: unknown, stored: unknown): string {
	const text = toText(stored);
	const { column, read } = TYPES[String(type)] ?? {};
	const value = read?.(text.trim());
	if (value === undefined) return text;
	// All digits count, which a number does not have.
	return column === 'number' ? (normalizeDecimal(text) ?? text) : String(value);
}

export const isSameTypedText = (type: unknown, stored: unknown, other: unknown): boolean =>
	toTypedKey(type, stored) === toTypedKey(type, other);

/** The database of the service ignores case, and blanks at the end of a text. */
const toSearchKey = (text: string): string => text.toLowerCase().replace(/(?<! ) +$/, '');

/** Returns a negative number if the first value is less, 0 if both are equal, and NaN if they have no order. */
export function compareTypedTexts(type: unknown, stored: unknown, other: unknown): number {
	if (isSameTypedText(type, stored, other)) return 0;
	const { read } = TYPES[String(type)] ?? {};
	const [a, b] = [stored, other].map((one) =>
		read === undefined ? toSearchKey(toText(one)) : read(toText(one).trim()),
	);
	if (a === undefined || b === undefined || typeof a !== typeof b) return NaN;
	return a < b ? -1 : Number(a > b);
}

/** A comparison that the node makes itself. It is data, as searches are told apart by theirs. */
export interface TextTest {
	type: string;
	operator: OperatorName;
	values: readonly string[];
}

/** Corrigo may keep the row of a custom field without a text. */
export const HAS_TEXT: TextTest = { type: 'String', operator: 'NotNull', values: [] };

type Passes = (test: TextTest, stored: unknown) => boolean;

/** A test may have hundreds of values, and thousands of rows are compared with them. */
const keysOfTests = new WeakMap<TextTest, ReadonlySet<string>>();

function getKeys(test: TextTest): ReadonlySet<string> {
	const { type, values } = test;
	const keys =
		keysOfTests.get(test) ?? new Set(values.map((value) => toSearchKey(toTypedKey(type, value))));
	keysOfTests.set(test, keys);
	return keys;
}

const isEqual: Passes = (test, stored) =>
	getKeys(test).has(toSearchKey(toTypedKey(test.type, stored)));

const isOrdered =
	(fits: (order: number) => boolean, index = 0): Passes =>
	({ type, values }, stored) =>
		fits(compareTypedTexts(type, stored, values[index]));

const isAtLeast = isOrdered((order) => order >= 0);
const isAtMost = isOrdered((order) => order <= 0);

const isBetween: Passes = (test, stored) =>
	isAtLeast(test, stored) && isOrdered((order) => order <= 0, 1)(test, stored);

/**
 * A pattern is compared with what people see; % matches any text. Anybody may write a pattern, and
 * some regular expressions never end, so its parts are looked for one after the other.
 */
const isLike: Passes = ({ values: [pattern] }, stored) => {
	const [first, ...others] = pattern.toLowerCase().split('%');
	const last = others.pop();
	const text = toText(stored).toLowerCase();
	if (last === undefined) return text === first;
	let end = text.startsWith(first) ? first.length : -1;
	for (const part of others) {
		const start = end < 0 ? -1 : text.indexOf(part, end);
		end = start < 0 ? -1 : start + part.length;
	}
	return end >= 0 && text.slice(end).endsWith(last);
};

const not =
	(passes: Passes): Passes =>
	(test, stored) =>
		!passes(test, stored);

const ORDERED: Readonly<Partial<Record<OperatorName, Passes>>> = {
	Between: isBetween,
	GreaterOrEqual: isAtLeast,
	GreaterThan: isOrdered((order) => order > 0),
	LessOrEqual: isAtMost,
	LessThan: isOrdered((order) => order < 0),
	NotBetween: not(isBetween),
};

const LETTERS: Readonly<Partial<Record<OperatorName, Passes>>> = {
	Like: isLike,
	NotLike: not(isLike),
};

const WHOLE: Readonly<Partial<Record<OperatorName, Passes>>> = {
	Equal: isEqual,
	In: isEqual,
	NotEqual: not(isEqual),
	NotIn: not(isEqual),
	NotNull: () => true,
};

/** A condition has to know this of the field whose text it compares. */
export interface FieldType {
	/** Undefined if it is not known. */
	type: unknown;
	/** Says whether the text is one of a list. */
	isChoice: boolean;
}

/** The other texts are compared as they are. */
const getTests = ({ type, isChoice }: FieldType) => ({
	...WHOLE,
	...(hasOrder(type) || !(isComparedHere(type) || isChoice) ? ORDERED : {}),
	...(type === 'Url' || !isComparedHere(type) ? LETTERS : {}),
});

export const listTests = (type: FieldType): string[] => Object.keys(getTests(type));

/** A field without a text passes no test. */
export function passesTest(test: TextTest, stored: unknown): boolean {
	const tests = getTests({ type: test.type, isChoice: false });
	return !isBlank(stored) && tests[test.operator]?.(test, stored) === true;
}
