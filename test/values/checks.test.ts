import fc from 'fast-check';

import { quote } from '../../nodes/Corrigo/values/errors';
import {
	parseAnswer,
	parseJson,
	parseJsonArray,
	parseJsonObject,
	parseList,
} from '../../nodes/Corrigo/values/json';
import {
	parseCommandClass,
	parseIdentifier,
	parsePropertyPath,
	parseNumber,
} from '../../nodes/Corrigo/values/input';
import { parsePropertyList } from '../../nodes/Corrigo/form/form';
import { expectRefused, validationMessage } from './validationErrors';

describe('a value in an error message', () => {
	it.each([
		[undefined, 'empty'],
		[null, 'empty'],
		['', 'empty'],
		['  ', '"  "'],
		[0, '"0"'],
		[NaN, '"NaN"'],
		[-Infinity, '"-Infinity"'],
		[false, '"false"'],
		[12n, '"12"'],
		[{ a: 1 }, '{"a":1}'],
		['say "hi" \\', '"say \\"hi\\" \\\\"'],
		[['"'.repeat(80)], `"[\\"${'\\\\\\"'.repeat(39)}…"`],
		[[1, 'x'], '[1,"x"]'],
		[new Date(NaN), '"Invalid Date"'],
		['x'.repeat(80), `"${'x'.repeat(80)}"`],
		['x'.repeat(81), `"${'x'.repeat(80)}…"`],
	])('shows %p as %s', (value, expected) => {
		expect(quote(value)).toBe(expected);
	});
});

describe('a name from an expression', () => {
	const signs = [...' \n\0\\?#&;:@%=,-\u200b', 'é', 'Ｗ'];
	const unit = fc.oneof(
		{ arbitrary: fc.constantFrom('a', 'Z', '7', '_'), weight: 6 },
		{ arbitrary: fc.constantFrom('.', '/', '*'), weight: 4 },
		{ arbitrary: fc.constantFrom(...signs), weight: 1 },
	);
	const parseWithWildcard = (field: string, value: unknown) =>
		parsePropertyPath(field, value, true);

	it.each([
		['an entity', parseIdentifier, /^[a-z]\w*$/i],
		['a command', parseCommandClass, /^[a-z]\w*\s*(\/\s*[a-z]\w*)?$/i],
		['a path', parsePropertyPath, /^[a-z_]\w*(\.[a-z_]\w*)*$/i],
		['a path that may end in *', parseWithWildcard, /^([a-z_]\w*\.)*([a-z_]\w*|\*)$/i],
	])('is %s, without the blanks around it, or is refused', (_, parse, pattern) => {
		fc.assert(
			fc.property(fc.string({ unit, maxLength: 6 }), (text) => {
				if (pattern.test(text.trim())) expect(parse('Name', text)).toBe(text.replace(/\s/g, ''));
				else expect(validationMessage(() => parse('Name', text))).toContain("'Name'");
			}),
			{ numRuns: 2000, examples: [['a/b/c']] },
		);
		const values = [undefined, null, 5, true, {}, ['a'], { toString: () => 'a' }];
		for (const value of [...values, 'a'.repeat(101)]) {
			expectRefused(() => parse('Name', value), 'Name', quote(value));
		}
	});
});

describe('a list of properties', () => {
	it.each<[unknown, string[]]>([
		[undefined, ['*']],
		[null, ['*']],
		['', ['*']],
		['  ', ['*']],
		[' , ', ['*']],
		[[], ['*']],
		['Number', ['Number']],
		['Number, Customer.Id,,Number , Items.*', ['Number', 'Customer.Id', 'Items.*']],
		['NUMBER, customer.id, Number', ['Number', 'Customer.Id']],
		[
			['Number', ' Number', '*'],
			['Number', '*'],
		],
	])('%j', (value, expected) => {
		expect(parsePropertyList('Properties', 'WorkOrder', value)).toEqual(expected);
	});

	it.each<[unknown, string]>([
		['Number, a b', '"a b"'],
		[['Number', ''], 'empty'],
		[['Number', null], 'empty'],
		[['a,b'], '"a,b"'],
		[5, '"5"'],
		[true, '"true"'],
		[{ Number: true }, '{"Number":true}'],
	])('refuses %j', (value, shown) => {
		expectRefused(() => parsePropertyList('Properties', 'WorkOrder', value), 'Properties', shown);
	});
});

describe('JSON', () => {
	it.each(['__proto__', 'constructor', 'prototype', 'toString'])(
		'refuses a member %s anywhere, which would not be sent, or of which no text can be made',
		(name) => {
			for (const text of [`{"${name}": 1}`, `{"A": {"${name}": 1}}`, `{"A": [[{"${name}": 1}]]}`]) {
				expect(validationMessage(() => parseJsonObject('Body', text))).toBe(
					`'Body' has "${name}", which is not a field name`,
				);
				expect(validationMessage(() => parseJsonArray('Body', [JSON.parse(text)]))).toContain(name);
			}
		},
	);

	it.each([
		'9007199254740993',
		'12345678901234567890123',
		'1e400',
		'1e-400',
		'0.1000000000000000055',
	])('refuses %s anywhere, which would arrive as another number', (number) => {
		for (const [text, place] of [
			[`{"A": ${number}}`, 'A'],
			[`{"A": {"\\u0042": [1, {"C \\" 5": 2, "D":${number} } ]}}`, 'A > B > 2 > D'],
			[`{"A": ["x", [], {}, ${number}]}`, 'A > 4'],
		]) {
			expect(validationMessage(() => parseJsonObject('Body', text))).toBe(
				`'Body' has a number at "${place}", which cannot be sent unchanged`,
			);
		}
		expect(validationMessage(() => parseList('List', `[1, ${number}]`))).toContain('"2"');
		expect(validationMessage(() => parseNumber('Amount', number))).toContain("'Amount'");
	});

	it.each([NaN, Infinity, 2 ** 53, -1e300])('refuses the number %p of an expression', (number) => {
		const message = validationMessage(() => parseJsonObject('Body', { A: [{ B: number }] }));
		expect(message).toContain(`has the number "${number}" at "A > 1 > B"`);
	});

	it.each(['0', '-0', '0e9', '1.50', '1E2', '1e-7', '9007199254740991', '0.1', '2e-308'])(
		'takes the number %s',
		(number) => {
			expect(parseJsonObject('Body', `{"A": ${number}}`).A).toBe(Number(number));
			expect(parseNumber('Amount', ` ${number} `)).toBe(Number(number));
		},
	);

	it.each([
		['{"A": 1, "A": 1}', 'A'],
		['{"A": {"B": [{"C": 1, "\\u0043": 2}]}}', 'A > B > 1 > C'],
		['{"A": [{"A": 1}, {"A": {}, "B": {}, "A": 2}]}', 'A > 2 > A'],
	])('refuses %s, of which only the last value would be sent', (text, place) => {
		expect(validationMessage(() => parseJsonObject('Body', text))).toBe(
			`'Body' has "${place}" more than once`,
		);
	});

	it('takes what looks like a number or a name within a text', () => {
		const json = { A: '{"A": 1e400, "A": 9007199254740993}', B: { A: '"A":' }, C: '\\' };
		expect(parseJsonObject('Body', JSON.stringify(json))).toEqual(json);
	});

	it('of many escapes and digits is read in linear time', () => {
		const text = `{"A": "${'\\n'.repeat(2e6)}"}`;
		expect(Object.keys(parseJsonObject('Body', text))).toEqual(['A']);
		const digits = `{"A": 1${'0'.repeat(2e6)}1}`;
		expect(validationMessage(() => parseJsonObject('Body', digits))).toContain('at "A"');
	});

	it('of an answer lacks members that keep JavaScript from making a text', () => {
		const text = '{"A": [{"toString": 1, "B": "toString"}], "C": {"toSt\\u0072ing": null}}';
		const answer = parseAnswer(text) as { A: object[]; C: object };
		expect(answer).toEqual({ A: [{ B: 'toString' }], C: {} });
		expect([...answer.A, answer.C].map(String)).toEqual(['[object Object]', '[object Object]']);
	});

	it.each(['hasOwnProperty', 'then', 'toJSON', 'valueOf'])('takes a member %s', (name) => {
		expect(parseJsonObject('Body', `{"${name}": 1}`)).toEqual({ [name]: 1 });
	});

	it.each([
		['[', ']'],
		['{"A":', '}'],
	])('of %s is refused when it is nested more than 100 levels deep', (start, end) => {
		const nested = (depth: number) => `{"A":${start.repeat(depth)}1${end.repeat(depth)}}`;
		expect(parseJsonObject('Body', nested(99))).toEqual(JSON.parse(nested(99)));
		for (const depth of [100, 100_000]) {
			expect(validationMessage(() => parseJsonObject('Body', nested(depth)))).toBe(
				"'Body' is nested more than 100 levels deep",
			);
		}
	});

	it('is refused when the paths in it lead more than 100 levels deep', () => {
		const nested = (depth: number) => '{"A.B.C":'.repeat(depth) + '1' + '}'.repeat(depth);
		expect(parseJsonObject('Body', nested(33))).toEqual(JSON.parse(nested(33)));
		expect(validationMessage(() => parseJsonObject('Body', nested(34)))).toBe(
			"'Body' is nested more than 100 levels deep",
		);
	});

	it.each<[unknown, unknown]>([
		['{"a": 1}', { a: 1 }],
		[{ a: 1 }, { a: 1 }],
		['', {}],
		['  ', {}],
		['{}', {}],
	])('object %j', (value, expected) => {
		expect(parseJsonObject('Body', value)).toEqual(expected);
	});

	it.each(['[1]', '5', 'null', '"x"', [1], 5, null, undefined, true, new Date(0)])(
		'%j is not an object',
		(value) => {
			expectRefused(() => parseJsonObject('Body', value), 'Body', quote(value));
		},
	);

	it.each(['{a: 1}', '{"a": 1,}', "{'a': 1}", '{"a": undefined}', 'x', '{'])(
		'%j is not valid JSON',
		(text) => {
			for (const parse of [parseJson, parseJsonObject]) {
				expect(validationMessage(() => parse('Body', text))).toMatch(
					/^'Body' is not valid JSON: ./,
				);
			}
		},
	);
});
