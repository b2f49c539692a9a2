import { errorCodes } from '../catalogue/errorCodes';
import { faultOf, type ServiceFault } from './answers';

/** What came of one exchange: an answer, or none. */
export type Reply = Answer | { kind: 'lost'; code: string } | { kind: 'cancelled'; sent: boolean };

interface Answer {
	kind: 'answer';
	status: number;
	body: unknown;
	/** Whether the body has the shape the request expects. */
	expected: boolean;
	retryAfter?: string;
}

/** What has been tried with this request so far. */
export interface Attempt {
	/** Nothing changes when it runs twice. */
	reads: boolean;
	renewals: number;
	repeats: number;
}

export type Reason =
	| 'refused'
	| 'session'
	| 'busy'
	| 'unreadable'
	| 'redirected'
	| 'unreachable'
	| 'timeout'
	| 'lost'
	| 'cancelled'
	| 'failed';

export type Verdict =
	| { do: 'accept' }
	/** Once more at once, with a new token and a newly discovered host. */
	| { do: 'renew' }
	| { do: 'repeat'; afterMs: number }
	| { do: 'fail'; reason: Reason; mayHaveRun: boolean; fault?: ServiceFault };

const MAX_REPEATS = 3;
/** What is found in place of a session that has ended may be another worker's that ended with it. */
const MAX_RENEWALS = 2;
const MAX_WAIT_MS = 30_000;

/** Nothing left this machine: no connection was made, or no address was found to connect to. */
const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];
const TIMED_OUT = ['ECONNABORTED', 'ETIMEDOUT'];
const BUSY = [429, 502, 503, 504];
/** Given up by something in between: unlike other 4xx it does not say that the call was refused. */
const UNDECIDED = [408, 499];

/**
 * The one place that decides whether a request is sent again. A write is, only when the outcome
 * proves that it did not run: its token or host was not accepted, or it was never sent.
 */
export function judge(attempt: Attempt, reply: Reply, now: number): Verdict {
	if (reply.kind === 'cancelled') return fail('cancelled', !attempt.reads && reply.sent);
	if (reply.kind === 'lost') return judgeLoss(attempt, reply.code);

	const fault = faultOf(reply.body);
	if (endsSession(reply.status, fault)) {
		return attempt.renewals < MAX_RENEWALS ? { do: 'renew' } : fail('session', false, fault);
	}
	if (isSuccess(reply.status) && fault === undefined) {
		// Something in between may have answered: it is not the service that has to say so again.
		return reply.expected ? { do: 'accept' } : repeat(attempt, 'unreadable', reply.retryAfter, now);
	}
	if (attempt.reads && BUSY.includes(reply.status)) {
		// 503 is also what a host says of a Company that has moved to another one.
		if (reply.status === 503 && attempt.renewals === 0) return { do: 'renew' };
		return repeat(attempt, 'busy', reply.retryAfter, now, fault);
	}
	return judgeRefusal(attempt, reply.status, fault);
}

const isSuccess = (status: number) => status >= 200 && status < 300;

const endsSession = (status: number, fault?: ServiceFault) =>
	status === 401 || (fault !== undefined && errorCodes[fault.code]?.session === true);

function judgeLoss(attempt: Attempt, code: string): Verdict {
	if (NEVER_SENT.includes(code)) {
		// The host may have moved: look once, then wait for it.
		return attempt.renewals > 0
			? repeat({ ...attempt, reads: true }, 'unreachable')
			: { do: 'renew' };
	}
	// A time limit is the user's word; waiting for as long again is not.
	if (TIMED_OUT.includes(code)) return fail('timeout', !attempt.reads);
	return repeat(attempt, 'lost');
}

function judgeRefusal(attempt: Attempt, status: number, fault?: ServiceFault): Verdict {
	if (status >= 300 && status < 400) return fail('redirected', !attempt.reads);
	if (BUSY.includes(status)) return fail('busy', !attempt.reads && status !== 429, fault);
	const refused =
		(status >= 400 && status < 500 && !UNDECIDED.includes(status)) || isSuccess(status);
	return fail(refused ? 'refused' : 'failed', !attempt.reads && !refused, fault);
}

function fail(reason: Reason, mayHaveRun: boolean, fault?: ServiceFault): Verdict {
	return { do: 'fail', reason, mayHaveRun, ...(fault ? { fault } : {}) };
}

function repeat(
	attempt: Attempt,
	reason: Reason,
	retryAfter?: string,
	now = 0,
	fault?: ServiceFault,
): Verdict {
	if (!attempt.reads || attempt.repeats >= MAX_REPEATS) {
		return fail(reason, !attempt.reads, fault);
	}
	return { do: 'repeat', afterMs: backoff(attempt.repeats, retryAfter, now) };
}

/** Exponential backoff: the first repeat comes at once (most lost connections are idle ones), the next ones ever later. */
export function backoff(repeats: number, retryAfter: string | undefined, now: number): number {
	const asked = retryAfter === undefined ? Number.NaN : secondsOrDate(retryAfter.trim(), now);
	const wanted = Number.isNaN(asked) ? (repeats === 0 ? 0 : 1000 * 2 ** (repeats - 1)) : asked;
	return Math.min(Math.max(wanted, 0), MAX_WAIT_MS);
}

const secondsOrDate = (text: string, now: number) =>
	/^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
