import fc, { jsonValue } from 'fast-check';

import {
	unwrapCommandAnswer,
	findFault,
	isImplausible,
	unwrapRecord,
	unwrapRows,
	unwrapSpecifier,
	stripTermMarkup,
} from '../../nodes/Corrigo/wire/answers';
import { cases } from '../cases';

const wrongForAll = [undefined, null, '', '<html>', 5, true];

const record = { Id: 5, Name: 'x' };

describe('the record in the answer to a read', () => {
	it.each<[string, unknown, unknown]>([
		['wrapped', { Data: record }, record],
		['bare', record, record],
		['wrapped, without its Id', { Data: { Name: 'x' } }, { Name: 'x' }],
		['wrapped, with nothing of what was asked for', { Data: {} }, {}],
		['missing', { Data: null }, null],
	])('%s', (_, body, expected) => {
		expect(unwrapRecord(5)(body)).toEqual(expected);
	});

	it.each([
		...wrongForAll,
		[],
		[{ Id: 5 }],
		{ Data: 'x' },
		{ Data: 5 },
		{ Data: [{ Id: 5 }] },
		{},
		{ message: 'Please log in' },
		{ Id: 6, Name: 'x' },
		{ Id: '5', Name: 'x' },
		{ Data: { Id: 6, Name: 'x' } },
	])('rejects %j', (body) => {
		expect(unwrapRecord(5)(body)).toBeUndefined();
	});
});

describe('the rows in the answer to a query', () => {
	const two = [{ Id: 1 }, { Id: 2 }];

	it.each<[string, unknown, unknown]>([
		['wrapped twice', { Entities: two.map((Data) => ({ Data })) }, two],
		['wrapped once', { Entities: two }, two],
		['bare', [{ Id: 1 }], [{ Id: 1 }]],
		['bare, with a wrapper each', [{ Data: { Id: 1 } }], [{ Id: 1 }]],
		['none', { Entities: [], RequestId: 'r' }, []],
	])('%s', (_, body, expected) => {
		expect(unwrapRows(2)(body)).toEqual(expected);
	});

	it.each([
		...wrongForAll,
		{},
		{ Data: { Id: 1 } },
		{ Entities: null },
		{ Entities: { Id: 1 } },
		{ Entities: [1] },
		{ Entities: [null] },
		[[{ Id: 1 }]],
		['x'],
		[],
		[{ message: 'Please log in' }],
		[{ Id: 1 }, { message: 'x' }],
		{ Entities: [{ Id: 1 }, { Id: 2 }, { Id: 3 }] },
		[{ Id: 1 }, { Id: 2 }, { Id: 3 }],
	])('rejects %j', (body) => {
		expect(unwrapRows(2)(body)).toBeUndefined();
	});
});

describe('the record that a write names', () => {
	const specifier = { EntityType: 'Contact', Id: 5, ConcurrencyId: 1 };

	it.each([{ EntitySpecifier: specifier }, specifier])('%j', (body) => {
		expect(unwrapSpecifier()(body)).toEqual(specifier);
		expect(unwrapSpecifier(5)(body)).toEqual(specifier);
		expect(unwrapSpecifier(6)(body)).toBeUndefined();
	});

	it.each([
		...wrongForAll,
		[],
		{},
		{ EntitySpecifier: null },
		{ EntitySpecifier: {} },
		{ EntitySpecifier: { Id: '5' } },
		{ EntitySpecifier: [{ Id: 5 }], Id: 5 },
		{ message: 'Please log in' },
	])('finds no record in %j', (body) => {
		expect(unwrapSpecifier()(body)).toBeUndefined();
		expect(unwrapSpecifier(5)(body)).toBeUndefined();
	});
});

describe('the answer to a command', () => {
	const answer = { CommandResult: { Wo: { Id: 5 } } };

	it.each<[string, object, object]>([
		['wrapped', { ...answer, RequestId: 'r' }, answer],
		['without a result', { CommandResult: null, RequestId: 'r' }, { CommandResult: {} }],
		['with only the RequestId that was sent', { RequestId: 'r' }, { CommandResult: {} }],
	])('%s', (_, body, expected) => {
		expect(unwrapCommandAnswer('r')(body)).toEqual({ ...expected, RequestId: 'r' });
	});

	it('without a RequestId', () => {
		expect(unwrapCommandAnswer('r')(answer)).toEqual(answer);
	});

	it.each([
		...wrongForAll,
		[],
		{ CommandResult: 'x' },
		{ CommandResult: [1] },
		{},
		{ message: 'Please log in' },
		{ Wo: { Id: 5 } },
		{ RequestId: 'another' },
	])('rejects %j', (body) => {
		expect(unwrapCommandAnswer('r')(body)).toBeUndefined();
		expect(unwrapCommandAnswer('')(body)).toBeUndefined();
		expect(unwrapCommandAnswer()(body)).toBeUndefined();
	});
});

describe('the error in an answer', () => {
	it('reads code, clean message and RequestId', () => {
		const body = {
			ErrorCode: 'BUSINESS_LOGIC_ERROR',
			ErrorMessage: "{!{Work Order}!} that is in state 'New' cannot be placed in {!{State}!} 'X'",
			TimeStamp: '2026-01-31T11:45:45.9316199Z',
			RequestId: 'r-1',
		};
		expect(findFault(body)).toEqual({
			code: 'BUSINESS_LOGIC_ERROR',
			message: "Work Order that is in state 'New' cannot be placed in State 'X'",
			requestId: 'r-1',
		});
	});

	it.each<[object, string, string, string?]>([
		[{ ErrorCode: 'X' }, 'X', ''],
		[{ ErrorMessage: 'Why' }, '', 'Why'],
		[{ ErrorCode: 1002, ErrorMessage: 'Why' }, '1002', 'Why'],
		[{ ErrorCode: 'X', ErrorMessage: null, RequestId: 7 }, 'X', '', '7'],
		[{ ErrorCode: 'X', ErrorMessage: ['a'] }, 'X', '["a"]'],
		[{ ErrorCode: 'X', ErrorMessage: { toString: 1 } }, 'X', '{"toString":1}'],
	])(
		'reads incomplete errors and other types: %j',
		(body, code, message, requestId = undefined) => {
			expect(findFault(body)).toEqual({ code, message, requestId });
		},
	);

	it.each([
		[{ Number: 7, Description: '{!{Task}!} is gone', Type: 'RULE_7' }, 'RULE_7', 'Task is gone'],
		[{ Number: 7, Description: 'Why' }, '7', 'Why'],
		[{ Number: 7, Description: '', Type: '' }, '7', ''],
		[{ Description: 'Why', Type: null }, '', 'Why'],
	])('reads errors inside the result of a command: %j', (ErrorInfo, code, message) => {
		expect(findFault({ CommandResult: { ErrorInfo } })).toEqual({ code, message });
		const Responses = [{ EntitySpecifier: { Id: 5 }, ErrorInfo: null }, { ErrorInfo }];
		const fault = { code, message, isOfPart: true };
		expect(findFault({ CommandResult: { Responses } })).toEqual(fault);
	});

	it.each([
		...wrongForAll,
		[],
		{},
		{ ErrorCode: '', ErrorMessage: '' },
		{ ErrorCode: null, ErrorMessage: null },
		{ ErrorCode: 0, ErrorMessage: ' ' },
		{ CommandResult: null },
		{ CommandResult: { ErrorInfo: null } },
		{ CommandResult: { ErrorInfo: 'x' } },
		{ CommandResult: { ErrorInfo: {} } },
		{ CommandResult: { Responses: [null, {}, { ErrorInfo: {} }] } },
		{ CommandResult: { ErrorInfo: { Number: 0, Description: '', Type: 'None' } } },
		{ Data: { ErrorMessage: 'a property of a record' } },
	])('rejects %j', (body) => {
		expect(findFault(body)).toBeUndefined();
	});
});

it.each([
	['{!{Work Order}!}', 'Work Order'],
	[' {!{User}!} with {!{User}!} ID ', 'User with User ID'],
	['{!{}!}', ''],
	['{!Work Order!}', '{!Work Order!}'],
	['nothing to do', 'nothing to do'],
])('term markup: %j becomes %j', (text, expected) => {
	expect(stripTermMarkup(text)).toBe(expected);
});

it('no answer makes a reader throw', () => {
	const error = { Number: jsonValue(), Description: jsonValue(), Type: jsonValue() };
	const body = fc.oneof(
		jsonValue(),
		fc.string(),
		fc.object({ key: fc.constantFrom('Data', 'Entities', 'CommandResult', 'ErrorInfo', 'Id') }),
		fc.record({ ErrorCode: jsonValue(), ErrorMessage: jsonValue(), RequestId: jsonValue() }),
		fc.record({ CommandResult: fc.record({ ErrorInfo: fc.record(error) }) }),
	);
	const readers = [unwrapRecord(5), unwrapRows(9), unwrapSpecifier(5), unwrapCommandAnswer('r')];
	fc.assert(
		fc.property(body, (one) => {
			for (const read of readers) read(one);
			const { code, message } = findFault(one) ?? { code: '', message: '' };
			expect(typeof code + typeof message).toBe('stringstring');
		}),
		{ numRuns: cases(200, 2_000) },
	);
});

it.each<[string, unknown, boolean]>([
	['an object with as many members as no record has', countMembers(10_001), true],
	['rows of such an object', [{ Data: countMembers(10_001) }], true],
	['4,000 records with many members', Array(4000).fill({ Data: countMembers(300) }), false],
	['a record whose Id ends no count', [{ Data: { Id: Infinity } }], true],
	['a record whose Id has lost digits', { Data: { Id: 1e22 } }, true],
	['nothing', null, false],
])('tells whether %s cannot be an answer', (_, body, expected) => {
	expect(isImplausible(body)).toBe(expected);
});

function countMembers(count: number) {
	return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));
}
