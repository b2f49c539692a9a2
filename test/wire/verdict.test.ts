import fc from 'fast-check';

import { errorCodes } from '../../nodes/Corrigo/catalogue/errorCodes';
import {
	getBackoff,
	judge,
	type Attempt,
	type Reply,
	type Verdict,
} from '../../nodes/Corrigo/wire/answers';
import { cases } from '../cases';

const NOW = Date.UTC(2026, 0, 31, 12);

const first = (reads: boolean): Attempt => ({ reads, renewals: 0, repeats: 0, jitter: 0 });
const third: Attempt = { ...first(true), repeats: 2 };

const answer = (status: number, body: unknown = {}, expected = false): Reply => ({
	kind: 'answer',
	status,
	body,
	value: expected ? body : undefined,
});

const answerBusy = (retryAfter: string, status = 429): Reply => ({
	kind: 'answer',
	status,
	body: {},
	retryAfter,
});

const errorAnswer = (status: number, ErrorCode: string) =>
	answer(status, { ErrorCode, ErrorMessage: 'The reason' });

/** The reason, with a question mark if the request may have been carried out. */
function summary(verdict: Verdict): string {
	if (verdict.do === 'fail') return verdict.reason + (verdict.mayHaveRun ? '?' : '');
	return verdict.do === 'repeat' ? `repeat ${verdict.afterMs}` : verdict.do;
}

const SESSION_CODES = ['EXPIRED_TOKEN', 'INCORRECT_TOKEN', 'DATABASE_VERSION_MISMATCH'];

const ofRead = (outcome: Reply) => summary(judge(first(true), outcome, NOW));
const ofWrite = (outcome: Reply) => summary(judge(first(false), outcome, NOW));

describe('an error of the service', () => {
	const others = Object.keys(errorCodes).filter((code) => !SESSION_CODES.includes(code));

	it.each([...others, 'ERROR_CODE_4711', 'constructor'])('%s with status 400 is final', (code) => {
		expect(ofRead(errorAnswer(400, code))).toBe('refused');
		expect(ofWrite(errorAnswer(400, code))).toBe('refused');
	});

	it.each([
		['COMMAND_NOT_FOUND', 404, 'refused', 'refused'],
		['MISSING_AUTHORIZATION_SCHEME', 403, 'refused', 'refused'],
		['MISSING_AUTHORIZATION_HEADER', 401, 'renew', 'renew'],

		['EXPIRED_TOKEN', 403, 'renew', 'renew'],
		['EXPIRED_TOKEN', 400, 'renew', 'renew'],
		['INCORRECT_TOKEN', 403, 'renew', 'renew'],
		['DATABASE_VERSION_MISMATCH', 400, 'renew', 'renew'],
		['DATABASE_VERSION_MISMATCH', 503, 'renew', 'renew'],

		['BUSINESS_LOGIC_ERROR', 200, 'refused', 'refused'],
		['BUSINESS_LOGIC_ERROR', 429, 'repeat 0', 'repeat 0'],
		['BUSINESS_LOGIC_ERROR', 500, 'failed', 'failed?'],
		['BUSINESS_LOGIC_ERROR', 503, 'renew', 'busy?'],
		['ERROR_CODE_6', 500, 'failed', 'failed?'],
		['ERROR_CODE_4711', 500, 'failed', 'failed?'],
		['__proto__', 500, 'failed', 'failed?'],
	])('%s with status %i: read %s, write %s', (code, status, read, write) => {
		expect(ofRead(errorAnswer(status, code))).toBe(read);
		expect(ofWrite(errorAnswer(status, code))).toBe(write);
	});

	it.each(SESSION_CODES)('%s is final when the session has been renewed twice', (code) => {
		for (const reads of [true, false]) {
			const after = (renewals: number) =>
				judge({ ...first(reads), renewals }, errorAnswer(403, code), NOW);
			expect(after(1)).toEqual({ do: 'renew' });
			expect(after(2)).toEqual({
				do: 'fail',
				reason: 'session',
				mayHaveRun: false,
				fault: { code, message: 'The reason' },
			});
		}
	});

	it('of one of several commands does not tell whether the others ran', () => {
		const info = { Number: 1, Description: 'No', Type: 'Rule' };
		for (const Type of ['Rule', ...SESSION_CODES]) {
			const Responses = [{ EntitySpecifier: { Id: 5 } }, { ErrorInfo: { ...info, Type } }];
			expect(ofWrite(answer(200, { CommandResult: { Responses } }, true))).toBe('refused?');
		}
		const several = { ...first(false), hasParts: true };
		expect(summary(judge(several, errorAnswer(400, 'Rule'), NOW))).toBe('refused?');
		expect(summary(judge(several, errorAnswer(401, 'Rule'), NOW))).toBe('renew');
	});

	it('inside the result of a command is judged like any other', () => {
		const inResult = (ErrorInfo: object) => answer(200, { CommandResult: { ErrorInfo } }, true);
		expect(ofWrite(inResult({ Number: 7, Description: 'No', Type: 'Rule' }))).toBe('refused');
		expect(ofWrite(inResult({ Number: 0, Description: '', Type: '' }))).toBe('accept');
		expect(ofWrite(inResult({ Number: 1, Description: 'x', Type: 'EXPIRED_TOKEN' }))).toBe('renew');
	});
});

describe('an answer without an error', () => {
	const html = '<html>Sign in</html>';

	it.each<[number, unknown, boolean, string, string]>([
		[200, {}, true, 'accept', 'accept'],
		[201, {}, true, 'accept', 'accept'],
		[200, { Other: 1 }, false, 'repeat 0', 'unreadable?'],
		[200, html, false, 'repeat 0', 'unreadable?'],
		[204, '', false, 'repeat 0', 'unreadable?'],
		[300, html, false, 'redirected', 'redirected?'],
		[399, html, false, 'redirected', 'redirected?'],
		[302, html, true, 'redirected', 'redirected?'],
		[307, {}, true, 'redirected', 'redirected?'],
		[400, {}, true, 'refused', 'refused'],
		[401, html, false, 'renew', 'renew'],
		[403, html, false, 'refused', 'refused'],
		[404, html, false, 'refused', 'refused'],
		[405, {}, false, 'refused', 'refused'],
		[408, html, false, 'failed', 'failed?'],
		[413, html, false, 'refused', 'refused'],
		[429, '', false, 'repeat 0', 'repeat 0'],
		[499, '', false, 'failed', 'failed?'],
		[500, html, true, 'failed', 'failed?'],
		[502, html, false, 'repeat 0', 'busy?'],
		[503, html, false, 'renew', 'busy?'],
		[504, html, false, 'repeat 0', 'busy?'],
		[520, html, false, 'failed', 'failed?'],
		[0, '', true, 'failed', 'failed?'],
		[101, '', true, 'failed', 'failed?'],
	])('with status %i, %j, of the expected shape: %j', (status, body, expected, read, write) => {
		expect(ofRead(answer(status, body, expected))).toBe(read);
		expect(ofWrite(answer(status, body, expected))).toBe(write);
	});

	it('with 503 after a renewal is repeated for a read', () => {
		expect(summary(judge({ ...first(true), renewals: 1 }, answer(503), NOW))).toBe('repeat 0');
	});

	it.each([
		[0, 'repeat 0'],
		[1, 'repeat 1000'],
		[2, 'repeat 2000'],
		[3, 'busy'],
		[4, 'busy'],
	])('after %i repeats of a read, or of a write that did not run: %s', (repeats, expected) => {
		expect(summary(judge({ ...first(true), repeats }, answer(502), NOW))).toBe(expected);
		expect(summary(judge({ ...first(false), repeats }, answer(429), NOW))).toBe(expected);
	});
});

describe('a lost request', () => {
	it.each([
		['ECONNREFUSED', 'renew', 'renew'],
		['ENOTFOUND', 'renew', 'renew'],
		['EAI_AGAIN', 'renew', 'renew'],
		['ECONNABORTED', 'timeout', 'timeout?'],
		['ETIMEDOUT', 'timeout', 'timeout?'],
		['ECONNRESET', 'repeat 0', 'lost?'],
		['EPIPE', 'repeat 0', 'lost?'],
		['', 'repeat 0', 'lost?'],
	])('%s: read %s, write %s', (code, read, write) => {
		expect(ofRead({ kind: 'lost', code })).toBe(read);
		expect(ofWrite({ kind: 'lost', code })).toBe(write);
	});

	it('to a host that does not exist is repeated for a write, too, and nothing has run', () => {
		const refused: Reply = { kind: 'lost', code: 'ECONNREFUSED' };
		const after = (repeats: number) =>
			summary(judge({ ...first(false), renewals: 1, repeats }, refused, NOW));
		const pauses = ['repeat 0', 'repeat 1000', 'repeat 2000'];
		expect([0, 1, 2, 3].map(after)).toEqual([...pauses, 'unreachable']);
	});

	it('that the user cancelled may have run only if a write was sent', () => {
		expect(ofRead({ kind: 'cancelled', sent: true })).toBe('cancelled');
		expect(ofWrite({ kind: 'cancelled', sent: true })).toBe('cancelled?');
		expect(ofWrite({ kind: 'cancelled', sent: false })).toBe('cancelled');
	});
});

describe('Retry-After', () => {
	const inSeconds = (seconds: number) => new Date(NOW + seconds * 1000).toUTCString();

	it.each<[string, number]>([
		['0', 0],
		['7', 7_000],
		[' 7 ', 7_000],
		['1.5', 1_500],
		['30', 30_000],
		['31', 30_000],
		['99999999999999999999', 30_000],
		[inSeconds(12), 12_000],
		[inSeconds(-3600), 0],
		['Thu, 01 Jan 1970 00:00:00 GMT', 0],
		[inSeconds(3600), 30_000],
		['Fri, 31 Dec 9999 23:59:59 GMT', 30_000],
	])('%j: %i ms', (retryAfter, ms) => {
		expect(getBackoff(third, retryAfter, NOW)).toBe(ms);
	});

	it.each(['', 'soon', '12 minutes', '7s', 'NaN', 'Infinity'])('%j is ignored', (garbage) => {
		expect(getBackoff(third, garbage, NOW)).toBe(getBackoff(third, undefined, NOW));
	});

	it('delays a repeated read or write', () => {
		const busy = answerBusy('5');
		expect([ofRead(busy), ofWrite(busy)]).toEqual(['repeat 5000', 'repeat 5000']);
	});

	it('is never negative, NaN or longer than half a minute, without jitter', () => {
		const header = fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String));
		fc.assert(
			fc.property(fc.nat(9), fc.option(header, { nil: undefined }), (repeats, retryAfter) => {
				const ms = getBackoff({ ...third, repeats }, retryAfter, NOW);
				expect(ms).toBeGreaterThanOrEqual(0);
				expect(ms).toBeLessThanOrEqual(30_000);
			}),
		);
	});

	it.each([undefined, '7', '31'])(
		'of %j: 16 requests come back apart, and none too early',
		(header) => {
			const waits = Array.from({ length: 16 }, (_, index) =>
				getBackoff({ ...third, jitter: index / 15 }, header, NOW),
			);
			const least = getBackoff(third, header, NOW);
			expect(new Set(waits).size).toBe(16);
			expect([Math.min(...waits), Math.max(...waits)]).toEqual([least, 1.5 * least]);
		},
	);
});

describe('in any sequence of outcomes,', () => {
	const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

	const code = fc.oneof(fc.constantFrom(...Object.keys(errorCodes)), fc.string());
	const text = fc.oneof(fc.string(), fc.jsonValue());
	const ErrorInfo = fc.record({
		Number: fc.nat(),
		Description: text,
		Type: fc.oneof(code, fc.jsonValue()),
	});
	const body = fc.oneof(
		text,
		fc.constant(undefined),
		fc.record({ ErrorCode: code, ErrorMessage: text }),
		fc.record({ ErrorCode: fc.jsonValue(), ErrorMessage: fc.string() }),
		fc.record({ CommandResult: fc.record({ ErrorInfo }) }),
		fc.record({
			CommandResult: fc.record({ Responses: fc.array(fc.record({ ErrorInfo })) }),
		}),
		fc.record({ Data: fc.dictionary(fc.string(), fc.jsonValue()) }),
	);
	const status = fc.oneof(
		fc.constantFrom(200, 201, 204, 302, 400, 401, 403, 404, 408, 429, 499, 500, 502, 503, 504),
		fc.integer({ min: 0, max: 999 }),
	);
	const retryAfter = fc.oneof(fc.nat().map(String), fc.string(), fc.date().map(String));
	const outcome: fc.Arbitrary<Reply> = fc.oneof(
		fc.record(
			{
				kind: fc.constant('answer' as const),
				status,
				body,
				value: fc.constantFrom(undefined, {}),
				retryAfter,
			},
			{ requiredKeys: ['kind', 'status', 'body'] },
		),
		fc.record({
			kind: fc.constant('lost' as const),
			code: fc.oneof(fc.constantFrom(...NEVER_SENT, 'ECONNRESET', 'ETIMEDOUT'), fc.string()),
		}),
		fc.record({ kind: fc.constant('cancelled' as const), sent: fc.boolean() }),
		fc.constant({ kind: 'tooLarge' as const }),
	);

	/** Written from the documentation of the service, independent of the rule under test. */
	function didNotRun(one: Reply): boolean {
		if (one.kind === 'cancelled') return !one.sent;
		if (one.kind === 'tooLarge') return false;
		if (one.kind === 'lost') return NEVER_SENT.includes(one.code);
		if (one.status === 401 || one.status === 429) return true;
		const { ErrorCode, CommandResult } = (one.body ?? {}) as {
			ErrorCode?: unknown;
			CommandResult?: { ErrorInfo?: { Type?: unknown } } | null;
		};
		return [ErrorCode, CommandResult?.ErrorInfo?.Type].some(
			(given) => typeof given === 'string' && SESSION_CODES.includes(given),
		);
	}

	const sendsAgain = ({ do: what }: Verdict) => what === 'renew' || what === 'repeat';

	// Promise: A request that may have run is never silently repeated
	it('a write is sent again only after an outcome that proves it did not run', () => {
		const attempt = fc.record({ renewals: fc.nat(3), repeats: fc.nat(5) });
		fc.assert(
			fc.property(attempt, outcome, (tried, came) => {
				const verdict = judge({ ...first(false), ...tried }, came, NOW);
				expect(sendsAgain(verdict) && !didNotRun(came)).toBe(false);
			}),
			{ numRuns: cases(500, 5_000) },
		);
	});

	it('a write without a clear refusal is reported as possibly carried out', () => {
		fc.assert(
			fc.property(outcome, (came) => {
				const verdict = judge(first(false), came, NOW);
				if (verdict.do !== 'fail' || verdict.mayHaveRun || didNotRun(came)) return;
				if (came.kind !== 'answer') throw new Error(`${came.kind} passes for a refusal`);
				const saidNo = came.status >= 200 && came.status < 300 && verdict.fault !== undefined;
				const refused = came.status >= 400 && came.status < 500;
				expect(saidNo || (refused && ![408, 499].includes(came.status))).toBe(true);
			}),
			{ numRuns: cases(200, 2_000) },
		);
	});

	it('a read is never reported as possibly carried out, and only success is accepted', () => {
		fc.assert(
			fc.property(outcome, (came) => {
				const verdict = judge(first(true), came, NOW);
				expect(verdict).not.toMatchObject({ mayHaveRun: true });
				if (verdict.do !== 'accept') return;
				expect(came).toMatchObject({ kind: 'answer', value: expect.anything() as unknown });
				expect(Math.floor((came as { status: number }).status / 100)).toBe(2);
			}),
			{ numRuns: cases(200, 2_000) },
		);
	});

	/** The first try, two renewals and three repeats. */
	const MAX_SENDS = 6;
	const MAX_WAIT_MS = 3 * 30_000;

	function converse(reads: boolean, outcomes: Reply[]) {
		let attempt = first(reads);
		let [sends, waitedMs, executions] = [0, 0, 0];
		for (const came of outcomes) {
			sends++;
			executions += didNotRun(came) ? 0 : 1;
			const verdict = judge(attempt, came, NOW);
			if (!sendsAgain(verdict)) return { sends, waitedMs, executions, ended: true };
			if (verdict.do === 'repeat') {
				waitedMs += verdict.afterMs;
				attempt = { ...attempt, repeats: attempt.repeats + 1 };
			} else {
				attempt = { ...attempt, renewals: attempt.renewals + 1 };
			}
		}
		return { sends, waitedMs, executions, ended: false };
	}

	it('a request ends after at most six tries and ninety seconds of waiting', () => {
		const troubles = fc.oneof(
			outcome,
			fc.constantFrom<Reply>(
				answer(401),
				answer(503),
				errorAnswer(403, 'EXPIRED_TOKEN'),
				answerBusy('9999'),
				{ kind: 'lost', code: 'ECONNREFUSED' },
				{ kind: 'lost', code: 'ECONNRESET' },
			),
		);
		const many = fc.array(troubles, { minLength: MAX_SENDS, maxLength: 12 });
		fc.assert(
			fc.property(fc.boolean(), many, (reads, outcomes) => {
				const { sends, waitedMs, executions, ended } = converse(reads, outcomes);
				expect(ended).toBe(true);
				expect(sends).toBeLessThanOrEqual(MAX_SENDS);
				expect(waitedMs).toBeLessThanOrEqual(MAX_WAIT_MS);
				if (!reads) expect(executions).toBeLessThanOrEqual(1);
			}),
			{ numRuns: cases(500, 5_000) },
		);
	});

	it('both limits are reached', () => {
		const ended = Array<Reply>(2).fill(errorAnswer(403, 'EXPIRED_TOKEN'));
		const after = (came: Reply, reads = false) =>
			converse(reads, [...ended, ...Array<Reply>(9).fill(came)]);
		const limits = { sends: MAX_SENDS, waitedMs: MAX_WAIT_MS };
		expect(after(answerBusy('9999', 503), true)).toMatchObject(limits);
		expect(after(answerBusy('9999'))).toMatchObject({ ...limits, executions: 0 });
		const unreachable: Reply = { kind: 'lost', code: 'ENOTFOUND' };
		expect(after(unreachable)).toMatchObject({ sends: MAX_SENDS, executions: 0 });
	});
});
