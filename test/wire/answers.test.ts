import fc from 'fast-check';

import {
	unwrapCommandAnswer,
	findFault,
	unwrapRecord,
	unwrapRows,
	unwrapSpecifier,
	stripTermMarkup,
} from '../../nodes/Corrigo/wire/answers';
import { cases } from '../cases';

const wrongForAll = [undefined, null, '', '<html>', 5, true];

describe('the record in the answer to a read', () => {
	it.each<[string, unknown, unknown]>([
		['wrapped', { Data: { Id: 5, Name: 'x' } }, { Id: 5, Name: 'x' }],
		['bare', { Id: 5, Name: 'x' }, { Id: 5, Name: 'x' }],
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
	it.each<[string, unknown, unknown]>([
		[
			'wrapped twice',
			{ Entities: [{ Data: { Id: 1 } }, { Data: { Id: 2 } }] },
			[{ Id: 1 }, { Id: 2 }],
		],
		['wrapped once', { Entities: [{ Id: 1 }, { Id: 2 }] }, [{ Id: 1 }, { Id: 2 }]],
		['bare', [{ Id: 1 }], [{ Id: 1 }]],
		['bare, with a wrapper each', [{ Data: { Id: 1 } }], [{ Id: 1 }]],
		['none', { Entities: [], RequestId: 'r' }, []],
	])('%s', (_, body, expected) => {
		expect(unwrapRows(body)).toEqual(expected);
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
	])('rejects %j', (body) => {
		expect(unwrapRows(body)).toBeUndefined();
	});
});

describe('the record that a write names', () => {
	it.each([
		[{ EntitySpecifier: { EntityType: 'Contact', Id: 5, ConcurrencyId: 1 } }],
		[{ EntityType: 'Contact', Id: 5, ConcurrencyId: 1 }],
	])('%j', (body) => {
		const expected = { EntityType: 'Contact', Id: 5, ConcurrencyId: 1 };
		expect(unwrapSpecifier()(body)).toEqual(expected);
		expect(unwrapSpecifier(5)(body)).toEqual(expected);
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
	it.each<[string, unknown, unknown]>([
		[
			'wrapped',
			{ CommandResult: { Wo: { Id: 5 } }, RequestId: 'r' },
			{ CommandResult: { Wo: { Id: 5 } }, RequestId: 'r' },
		],
		[
			'without a RequestId',
			{ CommandResult: { Wo: { Id: 5 } } },
			{ CommandResult: { Wo: { Id: 5 } } },
		],
		[
			'without a result',
			{ CommandResult: null, RequestId: 'r' },
			{ CommandResult: {}, RequestId: 'r' },
		],
		[
			'with only the RequestId that was sent',
			{ RequestId: 'r' },
			{ CommandResult: {}, RequestId: 'r' },
		],
	])('%s', (_, body, expected) => {
		expect(unwrapCommandAnswer('r')(body)).toEqual(expected);
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

	it.each<[unknown, unknown]>([
		[{ ErrorCode: 'X' }, { code: 'X', message: '' }],
		[{ ErrorMessage: 'Why' }, { code: '', message: 'Why' }],
		[
			{ ErrorCode: 1002, ErrorMessage: 'Why' },
			{ code: '1002', message: 'Why' },
		],
		[
			{ ErrorCode: 'X', ErrorMessage: null, RequestId: 7 },
			{ code: 'X', message: '', requestId: '7' },
		],
		[
			{ ErrorCode: 'X', ErrorMessage: ['a'] },
			{ code: 'X', message: '["a"]' },
		],
		[
			{ ErrorCode: 'X', ErrorMessage: { toString: 1 } },
			{ code: 'X', message: '{"toString":1}' },
		],
	])('reads incomplete errors and other types: %j', (body, expected) => {
		expect(findFault(body)).toEqual(expected);
	});

	it.each<[unknown, unknown]>([
		[
			{ Number: 7, Description: '{!{Task}!} is gone', Type: 'ERROR_CODE_7' },
			{ code: 'ERROR_CODE_7', message: 'Task is gone' },
		],
		[
			{ Number: 7, Description: 'Why' },
			{ code: '7', message: 'Why' },
		],
		[
			{ Number: 7, Description: '', Type: '' },
			{ code: '7', message: '' },
		],
		[
			{ Description: 'Why', Type: null },
			{ code: '', message: 'Why' },
		],
	])('reads errors inside the result of a command: %j', (ErrorInfo, expected) => {
		expect(findFault({ CommandResult: { ErrorInfo } })).toEqual(expected);
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
	const body = fc.oneof(
		fc.jsonValue(),
		fc.string(),
		fc.object({ key: fc.constantFrom('Data', 'Entities', 'CommandResult', 'ErrorInfo', 'Id') }),
		fc.record({
			ErrorCode: fc.jsonValue(),
			ErrorMessage: fc.jsonValue(),
			RequestId: fc.jsonValue(),
		}),
		fc.record({
			CommandResult: fc.record({
				ErrorInfo: fc.record({
					Number: fc.jsonValue(),
					Description: fc.jsonValue(),
					Type: fc.jsonValue(),
				}),
			}),
		}),
	);
	fc.assert(
		fc.property(body, (one) => {
			const readers = [
				unwrapRecord(5),
				unwrapRows,
				unwrapSpecifier(5),
				unwrapCommandAnswer('r'),
				findFault,
			];
			for (const read of readers) read(one);
			const fault = findFault(one);
			if (fault !== undefined)
				expect(typeof fault.code + typeof fault.message).toBe('stringstring');
		}),
		{ numRuns: cases(200, 2_000) },
	);
});
