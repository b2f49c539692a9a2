import { DateTime } from 'luxon';

import {
	commandClass,
	identifier,
	jsonObject,
	parseJson,
	propertyList,
	propertyPath,
	Refusal,
	show,
} from '../../nodes/Corrigo/protocol/checks';
import { dateTime, oneOf, positiveId, wholeNumber } from '../../nodes/Corrigo/protocol/values';

/** The text of the refusal; anything else that is thrown, or nothing, fails the test. */
function refusal(check: () => unknown): string {
	try {
		const passed = check();
		throw new Error(`${show(passed)} passed`);
	} catch (error) {
		expect(error).toBeInstanceOf(Refusal);
		return (error as Refusal).message;
	}
}

function expectRefused(check: () => unknown, field: string, shown: string) {
	const text = refusal(check);
	expect(text).toContain(`'${field}'`);
	expect(text).toContain(shown);
}

describe('how a value is shown', () => {
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
		[{ a: 1 }, '"{"a":1}"'],
		[[1, 'x'], '"[1,"x"]"'],
		[new Date(NaN), '"Invalid Date"'],
		['x'.repeat(80), `"${'x'.repeat(80)}"`],
		['x'.repeat(81), `"${'x'.repeat(80)}…"`],
	])('%p as %s', (value, expected) => {
		expect(show(value)).toBe(expected);
	});
});

describe('an id', () => {
	it.each([
		[1, 1],
		['12', 12],
		[' 12 ', 12],
		['0012', 12],
		[Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
		['9007199254740991', Number.MAX_SAFE_INTEGER],
	])('%p', (value, expected) => {
		expect(positiveId('Customer', value)).toBe(expected);
	});

	it.each<[unknown, string]>([
		[0, '"0"'],
		['0', '"0"'],
		[-1, '"-1"'],
		['-1', '"-1"'],
		[1.5, '"1.5"'],
		['1.5', '"1.5"'],
		['12abc', '"12abc"'],
		['abc', '"abc"'],
		['1e3', '"1e3"'],
		['0x10', '"0x10"'],
		['1 2', '"1 2"'],
		['١٢', '"١٢"'],
		[2 ** 53, '"9007199254740992"'],
		['9007199254740992', '"9007199254740992"'],
		['9007199254740993', '"9007199254740993"'],
		[null, 'empty'],
		[undefined, 'empty'],
		['', 'empty'],
		['  ', '"  "'],
		[NaN, '"NaN"'],
		[Infinity, '"Infinity"'],
		[true, '"true"'],
		[12n, '"12"'],
		[{ Id: 1 }, '"{"Id":1}"'],
		[[1], '"[1]"'],
		[new Date(NaN), '"Invalid Date"'],
	])('refuses %p', (value, shown) => {
		expectRefused(() => positiveId('Customer', value), 'Customer', shown);
	});
});

describe('a whole number', () => {
	it.each([
		[0, 0],
		['10', 10],
		[' 7 ', 7],
		[10, 10],
	])('%p', (value, expected) => {
		expect(wholeNumber('Page Size', value, 0, 10)).toBe(expected);
	});

	it.each<[unknown, string]>([
		[-1, '"-1"'],
		[11, '"11"'],
		['11', '"11"'],
		[1.5, '"1.5"'],
		['', 'empty'],
		['  ', '"  "'],
		['x', '"x"'],
		[null, 'empty'],
		[NaN, '"NaN"'],
		[true, '"true"'],
		[[5], '"[5]"'],
	])('refuses %p', (value, shown) => {
		expectRefused(() => wholeNumber('Page Size', value, 0, 10), 'Page Size', shown);
	});

	it('names the range', () => {
		expect(refusal(() => wholeNumber('Limit', 0, 1, 10))).toContain('1 to 10');
		expect(refusal(() => wholeNumber('Limit', 0, 1, Number.MAX_SAFE_INTEGER))).toContain(
			'1 or more',
		);
	});
});

describe('a name that becomes part of the path', () => {
	const tricks = [
		'',
		' ',
		'.',
		'..',
		'../x',
		'a/b',
		'a\\b',
		'a?b',
		'a#b',
		'a&b',
		'a b',
		'a.b',
		'a;b',
		'a:b',
		'a@b',
		'%2e',
		'%2e%2e%2fx',
		'WorkOrder\u0000',
		'Work\nOrder',
		'WorkOrdér',
		'ＷorkOrder',
		'WorkOrder\u200b',
		'1WorkOrder',
		'_WorkOrder',
		'=WorkOrder',
	];
	const noText = [undefined, null, 5, true, {}, ['WorkOrder'], { toString: () => 'WorkOrder' }];

	it.each([
		['WorkOrder', 'WorkOrder'],
		[' WorkOrder\n', 'WorkOrder'],
		['CustomField2', 'CustomField2'],
		['a_b', 'a_b'],
	])('%j', (value, expected) => {
		expect(identifier('Entity', value)).toBe(expected);
	});

	it.each([...tricks, ...noText])('refuses %p', (value) => {
		const shown = value === ' ' ? '" "' : show(value);
		expectRefused(() => identifier('Entity', value), 'Entity', shown);
	});

	it.each([
		['WoCancelCommand', 'WoCancelCommand'],
		[' WorkZone/Create ', 'WorkZone/Create'],
	])('command %j', (value, expected) => {
		expect(commandClass('Command Name', value)).toBe(expected);
	});

	it.each([
		...tricks.filter((trick) => trick !== 'a/b'),
		...noText,
		'/',
		'a/',
		'/a',
		'a/../b',
		'a/..',
		'a/b/c',
		'a//b',
		'a/b?c',
		'a/%2e',
	])('refuses %p as a command', (value) => {
		expect(refusal(() => commandClass('Command Name', value))).toContain("'Command Name'");
	});
});

describe('a property path', () => {
	it.each(['Number', ' Number ', 'Customer.DisplayAs', 'A.B.C', 'A_1.b2', '_x'])('%j', (value) => {
		expect(propertyPath('Property', value)).toBe(value.trim());
		expect(propertyPath('Property', value, true)).toBe(value.trim());
	});

	it.each(['*', 'Items.*', 'A.B.*'])('%j only where a star may be', (value) => {
		expect(propertyPath('Properties', value, true)).toBe(value);
		expectRefused(() => propertyPath('Property', value), 'Property', show(value));
	});

	it.each([
		'',
		'.',
		'A.',
		'.A',
		'A..B',
		'*.A',
		'A.*.B',
		'**',
		'A*',
		'A B',
		'A,B',
		'1A',
		'Ä',
		'A.1',
		'A.*.*',
	])('refuses %j', (value) => {
		expectRefused(() => propertyPath('Property', value, true), 'Property', show(value));
	});

	it.each([undefined, null, 5, {}, ['Number']])('refuses %p', (value) => {
		expectRefused(() => propertyPath('Property', value), 'Property', show(value));
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
		[
			['Number', ' Number', '*'],
			['Number', '*'],
		],
	])('%j', (value, expected) => {
		expect(propertyList('Properties', value)).toEqual(expected);
	});

	it.each<[unknown, string]>([
		['Number, a b', '" a b"'],
		[['Number', ''], 'empty'],
		[['Number', null], 'empty'],
		[['a,b'], '"a,b"'],
		[5, '"5"'],
		[true, '"true"'],
		[{ Number: true }, '"{"Number":true}"'],
	])('refuses %j', (value, shown) => {
		expectRefused(() => propertyList('Properties', value), 'Properties', shown);
	});
});

describe('a date and time', () => {
	it.each<[unknown, string]>([
		['2026-01-31', '2026-01-31T00:00:00'],
		['2026-01-31T17:30', '2026-01-31T17:30:00'],
		['2026-01-31 17:30:00', '2026-01-31T17:30:00'],
		[' 2026-01-31T17:30:00 ', '2026-01-31T17:30:00'],
		['2026-01-31t17:30:00z', '2026-01-31T17:30:00Z'],
		['2026-01-31T17:30:00.6931427', '2026-01-31T17:30:00.6931427'],
		['2026-01-31T17:30:00.6931427Z', '2026-01-31T17:30:00.6931427Z'],
		['2026-01-31Z', '2026-01-31T00:00:00Z'],
		['2028-02-29', '2028-02-29T00:00:00'],
		['2000-02-29T12:00:00', '2000-02-29T12:00:00'],
		['0001-01-01T00:00:00', '0001-01-01T00:00:00'],
		['9999-12-31T23:59:59.9999999', '9999-12-31T23:59:59.9999999'],
	])('%j stays as it is', (value, expected) => {
		expect(dateTime('Start Date', value)).toBe(expected);
	});

	it.each([
		['2026-01-31T17:30:00+02:00', '2026-01-31T15:30:00Z'],
		['2026-01-31T17:30:00+0200', '2026-01-31T15:30:00Z'],
		['2026-01-31T17:30:00+00:00', '2026-01-31T17:30:00Z'],
		['2026-01-31T17:30-05:00', '2026-01-31T22:30:00Z'],
		['2026-12-31T20:30:15-05:30', '2027-01-01T02:00:15Z'],
		['2026-01-31T17:30:59.6931427+05:45', '2026-01-31T11:45:59.6931427Z'],
		['2026-01-31+02:00', '2026-01-30T22:00:00Z'],
	])('%j becomes UTC, to the last digit', (value, expected) => {
		expect(dateTime('Start Date', value)).toBe(expected);
	});

	it('comes from a Date or a luxon DateTime of any zone as well', () => {
		const expected = '2026-01-31T17:30:00.250Z';
		expect(dateTime('Start Date', new Date(expected))).toBe(expected);
		for (const zone of ['utc', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu']) {
			expect(dateTime('Start Date', DateTime.fromISO(expected, { zone }))).toBe(expected);
		}
	});

	it.each([
		'',
		' ',
		'today',
		'2026',
		'2026-01',
		'31.01.2026',
		'01/31/2026',
		'2026-1-31',
		'2026-02-30',
		'2026-02-29',
		'1900-02-29',
		'2026-04-31T10:00:00',
		'2026-13-01',
		'2026-00-10',
		'2026-01-31T25:00:00',
		'2026-01-31T17:60:00',
		'2026-01-31T17:30:61',
		'2026-01-31T17',
		'2026-01-31T17:30:00+99:99',
		'2026-01-31T17:30:00 Europe/Berlin',
		'2026-01-31T17:30:00Zulu',
		'+002026-01-31T17:30:00Z',
		'1769880600000',
	])('refuses %j', (value) => {
		expectRefused(() => dateTime('Start Date', value), 'Start Date', show(value));
	});

	it.each([undefined, null, 0, 1769880600000, true, {}, [], new Date(NaN), { toISO: 'x' }])(
		'refuses %p',
		(value) => {
			expectRefused(() => dateTime('Start Date', value), 'Start Date', show(value));
		},
	);

	it('refuses a luxon DateTime that is not valid', () => {
		const invalid = DateTime.fromISO('2026-02-30');
		expect(refusal(() => dateTime('Start Date', invalid))).toContain("'Start Date'");
	});
});

describe('one of a few', () => {
	it('passes or lists them', () => {
		expect(oneOf('Match', 'all', ['all', 'any'])).toBe('all');
		for (const value of ['All', '', undefined, 5, ['all']]) {
			expectRefused(() => oneOf('Match', value, ['all', 'any']), 'Match', show(value));
			expect(refusal(() => oneOf('Match', value, ['all', 'any']))).toContain('all, any');
		}
	});
});

describe('JSON', () => {
	it.each<[unknown, unknown]>([
		['{"a": 1}', { a: 1 }],
		[{ a: 1 }, { a: 1 }],
		['', {}],
		['  ', {}],
		['{}', {}],
	])('object %j', (value, expected) => {
		expect(jsonObject('Body', value)).toEqual(expected);
	});

	it.each<[unknown]>([['[1]'], ['5'], ['null'], ['"x"'], [[1]], [5], [null], [undefined], [true]])(
		'%j is no object',
		(value) => {
			expectRefused(() => jsonObject('Body', value), 'Body', show(value));
		},
	);

	it('a Date is no object of settings', () => {
		expect(refusal(() => jsonObject('Body', new Date()))).toContain("'Body'");
	});

	it.each(['{a: 1}', '{"a": 1,}', "{'a': 1}", '{"a": undefined}', 'x', '{'])(
		'%j is not JSON',
		(text) => {
			expect(refusal(() => parseJson('Body', text))).toMatch(/^'Body' is not valid JSON: ./);
			expect(refusal(() => jsonObject('Body', text))).toMatch(/^'Body' is not valid JSON: ./);
		},
	);
});
