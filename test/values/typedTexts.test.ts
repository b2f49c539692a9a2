/** A text of a custom field or an attribute means its value, whichever of its spellings is stored. */
import fc from 'fast-check';
import { DateTime } from 'luxon';

import { enumerations } from '../../nodes/Corrigo/catalogue/enumerations';
import { operators, type OperatorName } from '../../nodes/Corrigo/catalogue/operators';
import { formatNames } from '../../nodes/Corrigo/values/errors';
import {
	compareTypedTexts,
	isComparedHere,
	isSameTypedText,
	listTests,
	parseStoredChoice,
	parseTypedText,
	passesTest,
	readTypedText,
	toTypedKey,
} from '../../nodes/Corrigo/values/typedTexts';
import { cases } from '../cases';
import { startCpuTime } from '../support/cpu';

type TypeName = (typeof enumerations)['CfType'][number];

/** Values in rising order, each with the texts that Corrigo and its users store for it. */
const SPELLINGS: Readonly<Partial<Record<TypeName, string[][]>>> = {
	Boolean: [
		['false', 'False', ' FALSE '],
		['true', 'True', 'TRUE '],
	],
	Date: ['2025-12-31', '2026-01-31', '2026-02-01'].map((day) => [
		day,
		`${day}T00:00:00`,
		`${day} 00:00:00`,
		` ${day}T17:30:00Z `,
	]),
	Decimal: [
		['-3', '-3.0'],
		['9', '9.0', ' 9 ', '09'],
		['10', '10.00', '1e1'],
		['12.5', '12.50', '+12.5'],
		['9007199254740992', '9007199254740992.0'],
		['9007199254740993', '9007199254740993.0'],
	],
	Integer: [
		['7', '7.0', ' 7'],
		['10', '10.00'],
	],
	Money: [
		['5.5', '5.50', '5.5000'],
		['193', '193.00'],
	],
	Phone: [['+1 555 0100'], ['1-555-0100']],
	String: [['A'], ['A-'], ['A+'], ['a ']],
	StringAutocomplete: [['Acme'], ['acme']],
	Text: [['line 1\nline 2'], ['line 1 line 2']],
	Time: [
		['0:00', '12:00 am', '00:00'],
		['7:30', '07:30', '07:30:00', ' 7:30 AM ', '7:30:00.5 a.m.'],
		['07:30:15'],
		['10:00'],
		['12:30', '12:30 PM'],
		['19:30', '7:30pm'],
	],
	Unknown: [['1.0'], ['1']],
	Url: [
		['https://a.b/?c=1&d=2', '<a href="https://a.b/?c=1&amp;d=2">x</a>'],
		['https://a.b/?c=1', "<A class='x' HREF = 'https://a.b/?c=1'>x</A>"],
	],
};

const TYPES = Object.entries(SPELLINGS) as Array<[TypeName, string[][]]>;

it('has spellings of every type', () => {
	expect(TYPES.map(([type]) => type).sort()).toEqual([...enumerations.CfType].sort());
});

describe.each(TYPES)('a text of the type %s', (type, values) => {
	const pairs = values.flatMap((texts, index) =>
		texts.flatMap((one) =>
			values.flatMap((others, at) => others.map((other) => ({ one, other, index, at }))),
		),
	);

	it('equals the other spellings of its value, and no others', () => {
		for (const { one, other, index, at } of pairs) {
			expect([one, other, isSameTypedText(type, one, other)]).toEqual([one, other, index === at]);
		}
	});

	it('has the order of its value', () => {
		if (!listTests({ type, isChoice: false }).includes('LessThan') || !isComparedHere(type)) return;
		for (const { one, other, index, at } of pairs) {
			// Numbers beyond 2^53 have an order only among their digits.
			if (one.startsWith('9007') && other.startsWith('9007')) continue;
			expect([one, other, Math.sign(compareTypedTexts(type, one, other))]).toEqual([
				one,
				other,
				Math.sign(index - at),
			]);
			const passes = (operator: OperatorName) =>
				passesTest({ type, operator, values: [other] }, one);
			expect([passes('LessThan'), passes('GreaterThan'), passes('LessOrEqual')]).toEqual([
				index < at,
				index > at,
				index <= at,
			]);
		}
	});

	it('is written as a spelling of itself', () => {
		for (const [first] of values) {
			if (first.startsWith('9007')) continue;
			const text = parseTypedText('A', type, first);
			expect(isSameTypedText(type, text, first)).toBe(true);
			expect(parseTypedText('A', type, text)).toBe(text);
		}
	});

	it('passes no test if it is empty', () => {
		for (const operator of operators.map(({ name }) => name)) {
			for (const none of ['', ' ', null, undefined]) {
				expect(passesTest({ type, operator, values: ['1', '2'] }, none)).toBe(false);
			}
		}
	});
});

it('two texts have equal keys if they are the same, and a key is its own', () => {
	fc.assert(
		fc.property(
			fc.constantFrom(...enumerations.CfType),
			fc.string(),
			fc.string(),
			(type, one, other) => {
				expect(isSameTypedText(type, one, one)).toBe(true);
				expect(isSameTypedText(type, one, other)).toBe(isSameTypedText(type, other, one));
				const key = toTypedKey(type, one);
				expect(isSameTypedText(type, one, key)).toBe(true);
			},
		),
		{ numRuns: cases(500, 20_000) },
	);
});

it.each<[string, unknown, unknown]>([
	['Decimal', '12.50', 12.5],
	['Decimal', '9007199254740993', '9007199254740993'],
	['Integer', '7.0', 7],
	['Boolean', 'True', true],
	['Date', '2026-01-31T00:00:00', '2026-01-31'],
	['Date', 'soon', 'soon'],
	['Integer', 'many', 'many'],
	['Url', '<a href="https://a.b">x</a>', 'https://a.b'],
	['Time', '7:30', '07:30'],
	['Time', 'noon', 'noon'],
	['String', ' 1.0', ' 1.0'],
	['String', undefined, null],
])('of the type %s, %j is shown as %j', (type, stored, shown) => {
	expect(readTypedText(type, stored)).toEqual(shown);
});

it.each<[string, unknown]>([
	['Integer', '12.5'],
	['Integer', 'many'],
	['Decimal', '1e400'],
	['Money', ' '],
	['Boolean', 'perhaps'],
	['Integer', '0x1F'],
	['Date', '2026-02-30'],
	['Time', '25:99'],
	['Time', 'noon'],
	['Time', '0730'],
	['Time', '13:00 PM'],
	['Time', '0:30 AM'],
	['Time', '7:60'],
	['Time', '2026-01-31'],
	['Time', '2026-01-31T25:00:00'],
	['Time', new Date('2026-01-31T07:30:00Z')],
	['String', { a: 1 }],
])('of the type %s, %j is refused', (type, value) => {
	expect(() => parseTypedText('A', type, value)).toThrow(/^'A' must be/);
});

it.each<[string, unknown, string]>([
	['Decimal', 1e-7, '0.0000001'],
	['Decimal', '-1.25e-9', '-0.00000000125'],
	['Money', '12.50', '12.5'],
	['Integer', '12.0', '12'],
	['Time', '7:30 p.m.', '19:30'],
	['Time', '7:30:05', '07:30:05'],
	['Time', '2026-01-31T07:30:00', '07:30'],
	['Time', '2026-01-31T19:30:00.250-05:00', '19:30'],
	['Time', DateTime.fromISO('2026-01-31T07:30:09', { zone: 'Pacific/Auckland' }), '07:30:09'],
])('of the type %s, %j is written as %j', (type, value, text) => {
	expect(parseTypedText('A', type, value)).toBe(text);
});

describe('a choice', () => {
	const CHOICES = ['< 5 t', '> 5 t', 'A', 'A-', 'A+', '10-20', '1020', '25 %', 'N/A', '-'];

	it.each([
		['> 5 t', '> 5 t'],
		[' > 5  T ', '> 5 t'],
		['a-', 'A-'],
		['n/a', 'N/A'],
		[' - ', '-'],
		['1020', '1020'],
		['10-20', '10-20'],
	])('%j is %j', (given, choice) => {
		expect(parseStoredChoice('A', 'String', given, CHOICES)).toBe(choice);
	});

	it.each(['>5 t', '5 t', 'B', 'NA', '25', '10 20', '!', '--'])('is none of %j', (given) => {
		expect(() => parseStoredChoice('A', 'String', given, CHOICES)).toThrow(
			`must be one of ${formatNames(CHOICES)}`,
		);
	});

	it.each(TYPES)('of the type %s is one of the list in each spelling', (type, values) => {
		for (const texts of values.filter(([first]) => !first.startsWith('9007'))) {
			for (const choice of texts) {
				const options = values.filter((others) => others !== texts).flat();
				for (const given of texts) {
					const text = parseTypedText('A', type, given);
					expect(parseStoredChoice('A', type, text, [...options, choice])).toBe(choice);
				}
			}
		}
	});

	it('is none that two choices spell in the same letters, unless it is one of them', () => {
		expect(parseStoredChoice('A', 'String', 'b', ['B', 'b'])).toBe('b');
		expect(() => parseStoredChoice('A', 'String', ' B', ['B', 'b'])).toThrow('must be one of');
	});
});

/** Words of others, which must not take longer than their length. */
const isLike = (pattern: string, stored: string) =>
	passesTest({ type: 'String', operator: 'Like', values: [pattern] }, stored);

it('Like compares as a pattern does in which % matches any text', () => {
	// A condition without a value is refused.
	const texts = fc.string({
		unit: fc.constantFrom('a', 'b', 'B', '.', '%'),
		minLength: 1,
		maxLength: 8,
	});
	fc.assert(
		fc.property(texts, texts, (pattern, stored) => {
			const parts = pattern.split('%').map((part) => part.replace(/\./g, '\\.'));
			const expected = new RegExp(`^${parts.join('[^]*')}$`, 'i').test(stored);
			expect([pattern, stored, isLike(pattern, stored)]).toEqual([pattern, stored, expected]);
		}),
	);
});

it('Like takes no longer than the texts are long', () => {
	const readCpuTime = startCpuTime();
	for (const pattern of ['%'.repeat(1_000), '%e'.repeat(1_000), `${'%e'.repeat(50)}!`])
		expect(isLike(`${pattern}x`, 'e'.repeat(10_000))).toBe(false);
	expect(readCpuTime()).toBeLessThan(2);
});

it.each(['href="" ', "href='' ", 'href="', 'href= ', 'href ', '"href=\''])(
	'reads no link from a tag that repeats %s, within a moment',
	(part) => {
		const readCpuTime = startCpuTime();
		for (const end of ['', '>', '"', '">', '>"'])
			passesTest(
				{ type: 'Url', operator: 'Equal', values: ['x'] },
				`<a ${part.repeat(30_000)}${end}`,
			);
		expect(readCpuTime()).toBeLessThan(2);
	},
);

it('reads each of many values once, however many texts are compared with them', () => {
	const values = Array.from({ length: 500 }, (_, index) => `${index}.0`);
	const test = { type: 'Decimal', operator: 'In', values } as const;
	const readCpuTime = startCpuTime();
	const passing = Array.from({ length: 20_000 }, (_, index) => passesTest(test, String(index)));
	// Each text with each value would take a minute.
	expect(readCpuTime()).toBeLessThan(2);
	expect(passing.filter(Boolean)).toHaveLength(500);
});

it('offers those operators that mean something', () => {
	expect(listTests({ type: 'Boolean', isChoice: false }).sort()).toEqual([
		'Equal',
		'In',
		'NotEqual',
		'NotIn',
		'NotNull',
	]);
	expect(listTests({ type: 'Decimal', isChoice: false }).includes('Like')).toBe(false);
	expect(listTests({ type: 'Url', isChoice: false }).includes('Like')).toBe(true);
	expect(listTests({ type: 'Url', isChoice: false }).includes('LessThan')).toBe(false);
	expect(
		passesTest({ type: 'Url', operator: 'Like', values: ['%a.b%'] }, '<a href="https://a.b">x</a>'),
	).toBe(true);
});
