import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { INodeProperties } from 'n8n-workflow';

import { Corrigo } from '../../nodes/Corrigo/Corrigo.node';
import { enumerations, type EnumerationName } from '../../nodes/Corrigo/catalogue/enumerations';
import { getMemberLabel } from '../../nodes/Corrigo/catalogue/enumerations/labels';
import { quote } from '../../nodes/Corrigo/values/errors';
import { parseId } from '../../nodes/Corrigo/values/references';
import {
	parseBoolean,
	parseChoice,
	parseInteger,
	parseMember,
	parseNumber,
	isSameText,
	parseText,
} from '../../nodes/Corrigo/values/input';
import { parseDateTime } from '../../nodes/Corrigo/values/times';

import { expectRefused, validationMessage } from './validationErrors';
import { startCpuTime } from '../support/cpu';

describe('an ID', () => {
	it.each([
		[1, 1],
		['12', 12],
		[' 12 ', 12],
		[Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
		['9007199254740991', Number.MAX_SAFE_INTEGER],
		[{ Id: 12, DisplayAs: 'Bakery' }, 12],
	])('%p', (value, expected) => {
		expect(parseId('Customer', value)).toBe(expected);
	});

	it('of a text consists of digits, without a zero in front, and is a safe number', () => {
		const text = fc.string({ unit: fc.constantFrom(...'0019 .-xe١'), maxLength: 18 });
		fc.assert(
			fc.property(text, (given) => {
				const isId = /^\s*[1-9]\d*(\.0+)?\s*$/.test(given) && Number.isSafeInteger(Number(given));
				if (isId) expect(parseId('Customer', given)).toBe(Number(given));
				else expectRefused(() => parseId('Customer', given), 'Customer', quote(given));
			}),
			{ numRuns: 1000, examples: [['7.00'], ['0x10'], ['1e3'], ['9007199254740992']] },
		);
	});

	it.each<[unknown, string]>([
		[0, '"0"'],
		[-1, '"-1"'],
		[1.5, '"1.5"'],
		[2 ** 53, '"9007199254740992"'],
		[null, 'empty'],
		[undefined, 'empty'],
		[NaN, '"NaN"'],
		[Infinity, '"Infinity"'],
		[true, '"true"'],
		[12n, '"12"'],
		[{ id: 1 }, '{"id":1}'],
		[{ Id: '01' }, '"01"'],
		[{ Id: null }, '{"Id":null}'],
		[[1], '[1]'],
		[new Date(NaN), '"Invalid Date"'],
	])('refuses %p', (value, shown) => {
		expectRefused(() => parseId('Customer', value), 'Customer', shown);
	});
});

describe('a whole number', () => {
	it.each([
		[0, 0],
		['10', 10],
		[' 7 ', 7],
		['7.0', 7],
		['1e1', 10],
		[10, 10],
	])('%p', (value, expected) => {
		expect(parseInteger('Page Size', value, 0, 10)).toBe(expected);
	});

	it.each<[unknown, string]>([
		[-1, '"-1"'],
		[11, '"11"'],
		[1.5, '"1.5"'],
		['', 'empty'],
		['  ', '"  "'],
		[null, 'empty'],
		['0x9', '"0x9"'],
		['0b11', '"0b11"'],
		['7.0000000000000000001', '"7.0000000000000000001"'],
		['.', '"."'],
		[NaN, '"NaN"'],
		[true, '"true"'],
		[[5], '[5]'],
	])('refuses %p', (value, shown) => {
		expectRefused(() => parseInteger('Page Size', value, 0, 10), 'Page Size', shown);
	});

	it('names the range in the error', () => {
		expect(validationMessage(() => parseInteger('Limit', 0, 1, 10))).toContain('1 to 10');
		expect(validationMessage(() => parseInteger('Limit', 0, 1, Number.MAX_SAFE_INTEGER))).toContain(
			'1 or more',
		);
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
	])('leaves %j unchanged', (value, expected) => {
		expect(parseDateTime('Start Date', value)).toBe(expected);
	});

	it.each([
		['2026-01-31T17:30:00+02:00', '2026-01-31T15:30:00Z'],
		['2026-01-31T17:30:00+0200', '2026-01-31T15:30:00Z'],
		['2026-01-31T17:30:00+00:00', '2026-01-31T17:30:00Z'],
		['2026-01-31T17:30-05:00', '2026-01-31T22:30:00Z'],
		['2026-12-31T20:30:15-05:30', '2027-01-01T02:00:15Z'],
		['2026-01-31T17:30:59.6931427+05:45', '2026-01-31T11:45:59.6931427Z'],
		['2026-01-31+02:00', '2026-01-30T22:00:00Z'],
	])('converts %j to UTC, to the last digit', (value, expected) => {
		expect(parseDateTime('Start Date', value)).toBe(expected);
	});

	it('accepts a Date or a luxon DateTime of any zone', () => {
		const expected = '2026-01-31T17:30:00.250Z';
		expect(parseDateTime('Start Date', new Date(expected))).toBe(expected);
		for (const zone of ['utc', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu']) {
			expect(parseDateTime('Start Date', DateTime.fromISO(expected, { zone }))).toBe(expected);
		}
	});

	it.each([
		'',
		' ',
		'today',
		'2026',
		'2026-01',
		'01/31/2026',
		'2026-1-31',
		'2026-02-30',
		'2026-02-29',
		'1900-02-29',
		'2026-13-01',
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
		expectRefused(() => parseDateTime('Start Date', value), 'Start Date', quote(value));
	});

	it.each([undefined, null, 0, 1769880600000, true, {}, [], new Date(NaN), { toISO: 'x' }])(
		'refuses %p',
		(value) => {
			expectRefused(() => parseDateTime('Start Date', value), 'Start Date', quote(value));
		},
	);

	it('refuses an invalid luxon DateTime', () => {
		const invalid = DateTime.fromISO('2026-02-30');
		expect(validationMessage(() => parseDateTime('Start Date', invalid))).toContain("'Start Date'");
	});
});

it('a choice is an allowed value, or the error lists the allowed ones', () => {
	expect(parseChoice('Match', 'all', ['all', 'any'])).toBe('all');
	for (const value of ['All', '', undefined, 5, ['all']]) {
		expectRefused(() => parseChoice('Match', value, ['all', 'any']), 'Match', quote(value));
		expect(validationMessage(() => parseChoice('Match', value, ['all', 'any']))).toContain(
			'all, any',
		);
	}
});

describe('a member of an enumeration', () => {
	it.each([
		['WorkOrderStatus', 'InProgress', 'InProgress'],
		['WorkOrderStatus', 'In Progress', 'InProgress'],
		['WorkOrderStatus', ' in-progress ', 'InProgress'],
		['WorkOrderStatus', 'INPROGRESS', 'InProgress'],
		['ActorType', 'work zone', 'Property'],
		['ActorType', 'property', 'Property'],
		['PTEType', 'Permission to Enter (PTE)', 'PTE'],
		['CurrencyType', 'usd', 'USD'],
		['WorkOrderStatus', 6, 'InProgress'],
		['WorkOrderStatus', ' 6 ', 'InProgress'],
	] as const)('%s: %j is %s', (enumeration, given, member) => {
		expect(parseMember('Field', given, enumeration)).toBe(member);
	});

	it.each(['Progress', '', ' ', '-', 8, -1, 1.5, '08', null, undefined, true, {}, ['New'], [6]])(
		'refuses %p and lists the members',
		(value) => {
			expectRefused(() => parseMember('Status', value, 'WorkOrderStatus'), 'Status', quote(value));
			const words = validationMessage(() => parseMember('Status', value, 'WorkOrderStatus'));
			const offered = enumerations.WorkOrderStatus.filter((name) => name !== 'Unknown');
			expect(words).toContain(`one of ${offered.join(', ')}, but`);
		},
	);

	it('is accepted by name and by label, for every member', () => {
		for (const name of Object.keys(enumerations) as EnumerationName[]) {
			for (const member of enumerations[name]) {
				const label = getMemberLabel(name, member);
				for (const given of [member, label, label.toUpperCase()]) {
					expect([name, given, parseMember('Field', given, name)]).toEqual([name, given, member]);
				}
			}
		}
	});
});

describe('a switch as a value', () => {
	it.each([
		[true, true],
		[false, false],
		['true', true],
		[' FALSE ', false],
	])('%j is %s', (value, meant) => {
		expect(parseBoolean('Field', value)).toBe(meant);
	});

	it.each([['yes'], [''], [null], [1], [{}], [[]]])('refuses %j', (value) => {
		expect(validationMessage(() => parseBoolean('Field', value))).toContain(
			"'Field' must be one of true, false",
		);
	});
});

it('numbers that JSON cannot represent are refused', () => {
	expectRefused(() => parseNumber('Field', Infinity), 'Field', 'Infinity');
	expectRefused(() => parseText('Field', null), 'Field', 'empty');
});

/** Letters and digits of a text, by which a choice is found. */
const toLetters = (text: string) => text.toLowerCase().replace(/[^\p{L}\d]/gu, '');

describe('choices are told apart by their letters', () => {
	it.each(Object.keys(enumerations) as EnumerationName[])('of %s', (name) => {
		const owners = new Map<string, string>();
		for (const member of enumerations[name]) {
			for (const text of new Set([member, getMemberLabel(name, member)].map(toLetters))) {
				expect([text, owners.get(text) ?? member]).toEqual([expect.stringMatching(/./), member]);
				owners.set(text, member);
			}
		}
	});

	it('of the dropdowns of each form', () => {
		let count = 0;
		const visit = (properties: readonly INodeProperties[]) => {
			for (const { type, options = [], values = [] } of properties as Array<
				INodeProperties & { values?: INodeProperties[] }
			>) {
				if (/^(options|multiOptions)$/.test(type)) {
					const letters = options.map(({ name }) => toLetters(name));
					expect(letters).toHaveLength(new Set(letters).size);
					count += 1;
				} else visit(options as INodeProperties[]);
				visit(values);
			}
		};
		visit(new Corrigo().description.properties);
		expect(count).toBeGreaterThan(50);
	});
});

describe('a text', () => {
	const time = DateTime.fromISO('2026-04-01T09:00', { zone: 'America/New_York' });

	it.each([
		[time, '2026-04-01T09:00:00.000-04:00'],
		[new Date('2026-04-01T09:00:00Z'), '2026-04-01T09:00:00.000Z'],
		[12.5, '12.5'],
		[true, 'true'],
		['Nan Miller, NaN', 'Nan Miller, NaN'],
	])('%s is %j', (value, text) => {
		expect(parseText('Field', value)).toBe(text);
	});

	it.each<[unknown, string]>([
		[DateTime.invalid('no time'), 'Invalid DateTime'],
		[new Date(NaN), 'Invalid Date'],
		['Invalid DateTime', 'Invalid DateTime'],
		[NaN, 'NaN'],
		[' NaN', 'NaN'],
		['[object Object]', '[object Object]'],
	])('is not %s', (value, shown) => {
		expectRefused(() => parseText('Field', value), 'Field', shown);
	});
});

it('compares texts as people see them, within a moment also if one letter has thousands of accents', () => {
	expect(isSameText('Cafe\u0301', 'Caf\u00e9')).toBe(true);
	const text = `a${'\u0301\u0316'.repeat(80_000)}`;
	const readCpuTime = startCpuTime();
	expect([isSameText(text, `${text} `), isSameText(text, 'a')]).toEqual([true, false]);
	expect(readCpuTime()).toBeLessThan(2);
});
