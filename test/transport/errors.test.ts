import { NodeApiError, type INode } from 'n8n-workflow';

import { buildGetRequest, buildCreateRequest } from '../../nodes/Corrigo/wire/requests';
import type { Failure, Reason, Reply } from '../../nodes/Corrigo/wire/answers';
import {
	createApiError,
	getErrorCode,
	createFailureError,
	isMissing,
	isUnknownCommand,
	isSessionFailure,
	mayHaveRun,
	isTransient,
	emptyIfForbidden,
	createNotFoundError,
	createPartError,
	joinSentences,
	wasForbidden,
	wasRefused,
} from '../../nodes/Corrigo/transport/errors';

const node: INode = {
	id: '1',
	name: 'Corrigo',
	type: 'n8n-nodes-corrigo.corrigo',
	typeVersion: 2,
	position: [0, 0],
	parameters: {},
};

const read = buildGetRequest('WorkOrder', 1, ['*']);
const write = buildCreateRequest('WoNote', {}, 'own-7');
const answered = (status: number): Reply => ({
	kind: 'answer',
	status,
	body: {},
});

const failed = (
	reason: Reason,
	{ fault, mayHaveRun: may = false }: Partial<Failure> = {},
	reply: Reply = answered(400),
	request: typeof read | typeof write = read,
) =>
	createFailureError(node, request, { do: 'fail', reason, mayHaveRun: may, fault }, reply, [
		's3cret',
	]);

const refuse = (code: string, message = 'No') => failed('refused', { fault: { code, message } });
const otherError = new Error('Something else');

it('sentences are joined without blanks for those that are missing', () => {
	expect(joinSentences('One.', undefined, '', false, null, 'Two.')).toBe('One. Two.');
	expect(joinSentences(undefined, 'Two.')).toBe('Two.');
});

it.each([
	[undefined, 'Mend it.'],
	[null, 'Mend it.'],
	['It is late.', 'It is late. Mend it.'],
])('the failure of a part that describes itself as %j gives advice', (description, expected) => {
	const failure = Object.assign(new Error('Too long'), { description });
	expect(createPartError(node, 'The note failed', failure, 'Mend it.')).toMatchObject({
		message: 'The note failed: Too long',
		description: expected,
	});
});

describe('a failure names', () => {
	it('a missing right, if Corrigo forbids the request without a code that says more', () => {
		const fault = { code: 'ACCESS_DENIED', message: 'No rights' };
		const forbidden = failed('refused', { fault }, answered(403));
		expect(forbidden.message).toBe('No rights');
		expect(forbidden.description).toContain("may lack a right: run 'Company: Check Access'");
		for (const other of [
			failed('refused', { fault }, answered(400)),
			failed('refused', { fault: { ...fault, code: 'ERROR_CODE_1019' } }, answered(403)),
		]) {
			expect(other.description).not.toContain('Check Access');
		}
	});

	it('what happened and what to do, if Corrigo gave no message', () => {
		const lost: Reply = { kind: 'lost', code: 'ECONNRESET' };
		const { message, description, httpCode } = failed('lost', {}, lost);
		expect([message, description, httpCode]).toEqual([
			'The connection to Corrigo broke',
			'Check the network of n8n.',
			'ECONNRESET',
		]);
	});

	it('a write that may have been carried out, with its RequestId', () => {
		const { description } = failed('busy', { mayHaveRun: true }, answered(503), write);
		expect(description).toBe(
			'Try again later, or send fewer requests at a time. The request may have been carried out anyway: look in Corrigo before you run it again. (status 503, RequestId own-7)',
		);
	});

	it('the message of Corrigo, a hint for its code, and the RequestId of Corrigo', () => {
		const fault = {
			code: 'ERROR_CODE_1002',
			message: 'No s3cret here',
			requestId: 'theirs-s3cret',
		};
		const error = failed('refused', { fault }, answered(400), write);
		expect(error.message).toBe('No *** here');
		expect(error.description).toMatch(
			/^Check the names in 'Field Names or IDs'.* \(code ERROR_CODE_1002, status 400, RequestId theirs-\*\*\*\)$/,
		);
		expect(error.httpCode).toBe('400');
		expect(error.context.data).toEqual({
			ErrorCode: 'ERROR_CODE_1002',
			ErrorMessage: 'No *** here',
		});
	});

	it('only the details that exist', () => {
		const fault = { code: '', message: '' };
		const { message, description } = failed('refused', { fault }, answered(400), read);
		expect([message, description]).toEqual([
			'Corrigo refused the request',
			'Check the values of this node. (status 400)',
		]);
		const cancelled = failed('cancelled', {}, { kind: 'cancelled', sent: true });
		expect([cancelled.message, cancelled.description]).toEqual([
			'The execution was canceled',
			'The request was stopped.',
		]);
		expect(cancelled.context).not.toHaveProperty('data');
	});
});

describe('a failure shows', () => {
	const refused = refuse('NEW_CODE');
	const busy = failed('busy', {}, answered(503));
	const unavailable = createApiError(node, 'Unavailable', '', {
		reason: 'unavailable',
		mayHaveRun: false,
	});
	const credential = createApiError(node, 'Wrong', '', { reason: 'credential', mayHaveRun: false });

	it('whether Corrigo refused the request', () => {
		expect([refused, busy, unavailable, otherError].map(wasRefused)).toEqual([
			true,
			false,
			false,
			false,
		]);
		expect(emptyIfForbidden(refused)).toEqual([]);
		expect(() => emptyIfForbidden(busy)).toThrow(busy);
		expect(() => emptyIfForbidden(otherError)).toThrow(otherError);
	});

	it('whether a permission may be missing', () => {
		const [rights, names] = [refuse('BUSINESS_LOGIC_ERROR'), refuse('ERROR_CODE_1002')];
		expect([refused, rights, names, busy, otherError].map(wasForbidden)).toEqual([
			...[true, true],
			...[false, false, false],
		]);
	});

	it('the code of Corrigo', () => {
		expect([refused, busy, otherError].map(getErrorCode)).toEqual([
			'NEW_CODE',
			undefined,
			undefined,
		]);
	});

	it('whether it is transient', () => {
		const session = failed('session', {}, answered(401));
		expect([busy, unavailable].map(isTransient)).toEqual([true, true]);
		expect([refused, session, credential, otherError].map(isTransient)).toEqual(
			Array(4).fill(false),
		);
	});

	it('whether the request may have been carried out', () => {
		const lost = failed('lost', { mayHaveRun: true }, { kind: 'lost', code: 'ECONNRESET' });
		const unknown = new NodeApiError(node, {}, { message: 'Of somebody else' });
		expect([lost, unknown, otherError].map(mayHaveRun)).toEqual([true, true, true]);
		expect([refused, unavailable].map(mayHaveRun)).toEqual([false, false]);
	});

	it('whether no session could be opened', () => {
		expect([unavailable, credential, otherError].map(isSessionFailure)).toEqual([true, true, true]);
		expect([refused, busy].map(isSessionFailure)).toEqual([false, false]);
	});

	it('whether the record or the command does not exist', () => {
		const gone = failed('refused', {}, answered(404));
		const none = createNotFoundError(node, 'work order', 7);
		expect(none.message).toBe('There is no work order with the ID 7');
		const records = [gone, none, refuse('ENTITYSPECIFIER_NOT_FOUND')];
		expect(records.map(isMissing)).toEqual([true, true, true]);
		const others = [refused, busy, refuse('ERROR_CODE_1002'), otherError];
		expect(others.map(isMissing)).toEqual(Array(4).fill(false));
		expect([gone, refuse('COMMAND_NOT_FOUND')].map(isUnknownCommand)).toEqual([true, true]);
		expect([...others, records[2]].map(isUnknownCommand)).toEqual(Array(5).fill(false));
	});
});
