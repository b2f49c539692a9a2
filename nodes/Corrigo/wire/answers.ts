import { errorCodes } from '../catalogue/errorCodes';
import { type JsonObject, isObject, toRows } from '../values/objects';

/**
 * Returns the content of an answer, or `undefined` if nothing proves that the service sent it for
 * this very request, because login pages and proxies also return JSON. The documented wrapper must
 * be there, or an Id in its place; everything else is optional, because Companies with different
 * versions of Corrigo leave out different members.
 */
export type Unwrap<T> = (body: unknown) => T | undefined;

const MAX_LEVELS = 100;
const MAX_MEMBERS = 10_000;

/**
 * No answer of the service is nested that deeply, and functions that call themselves would fail. An
 * object with very many members would block n8n for seconds. An Id that is no safe integer might never
 * be reached by counting.
 */
export function isImplausible(body: unknown, levels = MAX_LEVELS): boolean {
	if (typeof body !== 'object' || body === null) return false;
	if (levels === 0) return true;
	// An answer may have millions of members, so neither a list of them nor a function is made.
	if (Array.isArray(body)) {
		for (const one of body) if (isImplausible(one, levels - 1)) return true;
		return false;
	}
	let members = 0;
	for (const name in body) {
		members += 1;
		if (members > MAX_MEMBERS) return true;
		const one = (body as JsonObject)[name];
		if (name === 'Id' && typeof one === 'number' && !Number.isSafeInteger(one)) return true;
		if (isImplausible(one, levels - 1)) return true;
	}
	return false;
}

/**
 * A record is `{"Data": {"Id": 7, "Number": "CHL0000271"}}`, or without the wrapper.
 * `{"Data": null}` means that the record does not exist.
 */
export const unwrapRecord =
	(id: number): Unwrap<JsonObject | null> =>
	(body) => {
		if (!isObject(body)) return undefined;
		if (!('Data' in body)) return body.Id === id ? body : undefined;
		if (body.Data === null) return null;
		return isObject(body.Data) && hasId(id, body.Data) ? body.Data : undefined;
	};

/** The Id may be missing, because an answer contains only the properties that were requested. */
const hasId = (id: number, { Id }: JsonObject) => typeof Id !== 'number' || Id === id;

/**
 * Rows are `{"Entities": [{"Data": {"Id": 7}}, …]}`, or without either wrapper, and never more than
 * were asked for.
 */
export const unwrapRows =
	(count: number): Unwrap<JsonObject[]> =>
	(body) => {
		const rows: unknown = isObject(body) ? body.Entities : body;
		if (!Array.isArray(rows) || rows.length > count || !rows.every(isObject)) return undefined;
		const isWrapped = isObject(body) || (rows.length > 0 && rows.every(isRow));
		return isWrapped ? rows.map((row) => (isObject(row.Data) ? row.Data : row)) : undefined;
	};

const isRow = ({ Data, Id }: JsonObject) => isObject(Data) || typeof Id === 'number';

export interface Specifier extends JsonObject {
	Id: number;
	EntityType?: string;
	ConcurrencyId?: number;
}

/** An ID is unique within its entity only, so the key includes the entity. */
export const getRecordKey = (entity: string, id: unknown) => `${entity} ${String(id)}`;

/**
 * A write answers `{"EntitySpecifier": {"EntityType": "Contact", "Id": 7, "ConcurrencyId": 1}}`.
 * With `id`, no other record is accepted.
 */
export const unwrapSpecifier =
	(id?: number): Unwrap<Specifier> =>
	(body) => {
		const inner: unknown =
			isObject(body) && 'EntitySpecifier' in body ? body.EntitySpecifier : body;
		if (!isObject(inner) || typeof inner.Id !== 'number') return undefined;
		return id === undefined || inner.Id === id ? (inner as Specifier) : undefined;
	};

export interface CommandAnswer {
	CommandResult: JsonObject;
	RequestId?: unknown;
}

/**
 * A command answers `{"CommandResult": {"Wo": {"Id": 7}}, "RequestId": "…"}`. The result may be
 * missing; then the RequestId shows that the service received the command.
 */
export const unwrapCommandAnswer =
	(requestId?: string): Unwrap<CommandAnswer> =>
	(body) => {
		if (!isObject(body)) return undefined;
		const { CommandResult, RequestId } = body;
		const isOurs = Boolean(requestId) && RequestId === requestId;
		if (!('CommandResult' in body) && !isOurs) return undefined;
		const result: unknown = CommandResult ?? {};
		if (!isObject(result)) return undefined;
		return { CommandResult: result, ...(RequestId === undefined ? {} : { RequestId }) };
	};

/**
 * An error is `{"ErrorCode": "EXPIRED_TOKEN", "ErrorMessage": "…", "RequestId": "…"}`, or is inside
 * the result of a command: `{"CommandResult": {"ErrorInfo": {"Type": "…", "Description": "…"}}}`, or
 * of one of several commands: `{"CommandResult": {"Responses": [{"ErrorInfo": {…}}]}}`.
 */
export interface ServiceFault {
	code: string;
	message: string;
	requestId?: string;
	/** One of several commands failed, so others may have run. */
	isOfPart?: true;
}

export function findFault(body: unknown): ServiceFault | undefined {
	if (!isObject(body)) return undefined;
	if (isNonEmptyText(body.ErrorCode) || isNonEmptyText(body.ErrorMessage)) {
		return {
			code: toText(body.ErrorCode),
			message: stripTermMarkup(toText(body.ErrorMessage)),
			...(body.RequestId === undefined ? {} : { requestId: toText(body.RequestId) }),
		};
	}
	if (!isObject(body.CommandResult)) return undefined;
	const { ErrorInfo, Responses } = body.CommandResult;
	const whole = readErrorInfo(ErrorInfo);
	if (whole !== undefined) return whole;
	const [part] = toRows(Responses).flatMap((one) => readErrorInfo(one.ErrorInfo) ?? []);
	return part && { ...part, isOfPart: true };
}

function readErrorInfo(info: unknown): ServiceFault | undefined {
	if (!isObject(info) || !(info.Description || info.Number)) return undefined;
	const message = stripTermMarkup(toText(info.Description));
	return { code: toText(info.Type || info.Number), message };
}

/** The service returns unset texts as empty texts. */
const isNonEmptyText = (value: unknown) => typeof value === 'string' && value.trim() !== '';

const toText = (value: unknown) =>
	typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');

/** The service marks terms that its own user interface translates, such as `{!{Work Order}!}`. */
export const stripTermMarkup = (text: string) => text.replace(/\{!\{|\}!\}/g, '').trim();

export type Reply<T = unknown> =
	| Answer<T>
	| { kind: 'lost'; code: string }
	| { kind: 'tooLarge' }
	| { kind: 'cancelled'; sent: boolean };

export interface Answer<T> {
	kind: 'answer';
	status: number;
	body: unknown;
	/** Content of the body; undefined if it does not have the shape that the request expects. */
	value?: T;
	retryAfter?: string;
}

/** The attempts of this request so far, and what is left for others. */
export interface Attempt {
	/** Reads change nothing, so they may run twice. */
	reads: boolean;
	/** The request has several commands, and those before the one that is refused may have run. */
	hasParts?: boolean;
	renewals: number;
	repeats: number;
	/** From 0 to 1: requests that failed together wait for different times, so that they do not fail together again. */
	jitter: number;
	/** Time until the deadline, after which nothing is sent again. */
	msLeft?: number;
	requestsLeft?: number;
}

export type Reason =
	| 'refused'
	| 'session'
	| 'busy'
	| 'unreadable'
	| 'redirected'
	| 'unreachable'
	| 'timeout'
	| 'tooLarge'
	| 'lost'
	| 'cancelled'
	| 'failed';

export interface Failure {
	do: 'fail';
	reason: Reason;
	mayHaveRun: boolean;
	fault?: ServiceFault;
}

export type Verdict =
	| { do: 'accept' }
	/** Send again at once, with a new token and a newly discovered host. */
	| { do: 'renew' }
	| { do: 'repeat'; afterMs: number }
	| Failure;

export const MAX_REPEATS = 3;
/** The first new session may come from another worker and have ended as well. */
export const MAX_RENEWALS = 2;
export const MAX_WAIT_MS = 30_000;

/** No connection was made, so nothing left this machine. */
const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];
export const TIMED_OUT = ['ECONNABORTED', 'ETIMEDOUT'];
const TOO_MANY_REQUESTS = 429;
const BUSY = [502, 503, 504];
/** A proxy may have given up, so unlike other 4xx, these do not mean that the service refused. */
const UNDECIDED = [408, 499];

/**
 * No other code sends a request again, and a write is sent again only if it provably did not run.
 * Each rule says where it is known from; the contract itself says nothing about errors.
 */
export function judge(attempt: Attempt, reply: Reply, now: number): Verdict {
	if (reply.kind === 'cancelled') return toFailure('cancelled', !attempt.reads && reply.sent);
	if (reply.kind === 'lost') return judgeLoss(attempt, reply.code);
	// The same request would get the same answer.
	if (reply.kind === 'tooLarge') return toFailure('tooLarge', !attempt.reads);

	const { status, value } = reply;
	const fault = findFault(reply.body);
	const afterMs = getBackoff(attempt, reply.retryAfter, now);
	// Contract: the token ends after 20 minutes, and a new one comes with a new discovery. Seen live:
	// 403 with EXPIRED_TOKEN, and DATABASE_VERSION_MISMATCH at the former host. Documented: the others.
	const isOfSession = fault && !fault.isOfPart && errorCodes[fault.code]?.session;
	if (status === 401 || isOfSession) {
		return canRenew(attempt) ? { do: 'renew' } : toFailure('session', false, fault);
	}
	if (isSuccess(status) && fault === undefined) {
		// Caution: a proxy may have answered in place of the service, so a read is repeated.
		return value === undefined ? repeat(attempt, 'unreadable', afterMs) : { do: 'accept' };
	}
	if (status === TOO_MANY_REQUESTS) {
		// Caution: no limit is documented. Calls are counted before they are carried out.
		return repeat({ ...attempt, reads: true }, 'busy', afterMs, fault);
	}
	if (attempt.reads && BUSY.includes(status)) {
		// Seen live: a host answers 503 for a Company that has moved to another host.
		const mayHaveMoved = status === 503 && attempt.renewals === 0;
		if (mayHaveMoved && canRenew(attempt)) return { do: 'renew' };
		// Caution: a gateway gives up on a host that is slow or restarts.
		return repeat(attempt, 'busy', afterMs, fault);
	}
	return judgeRefusal(attempt, status, fault);
}

const isSuccess = (status: number) => status >= 200 && status < 300;

const canRenew = ({ renewals, msLeft = Infinity, requestsLeft = Infinity }: Attempt) =>
	renewals < MAX_RENEWALS && msLeft > 0 && requestsLeft > 0;

function judgeLoss(attempt: Attempt, code: string): Verdict {
	const afterMs = getBackoff(attempt);
	if (NEVER_SENT.includes(code)) {
		// Contract: the host of a Company may change. It is looked up once, then repeats wait for it.
		return attempt.renewals === 0 && canRenew(attempt)
			? { do: 'renew' }
			: repeat({ ...attempt, reads: true }, 'unreachable', afterMs);
	}
	// Caution: the user set the time limit, and did not ask for a second wait of that length.
	if (TIMED_OUT.includes(code)) return toFailure('timeout', !attempt.reads);
	// Caution: the request may have arrived before the connection broke.
	return repeat(attempt, 'lost', afterMs);
}

function judgeRefusal(attempt: Attempt, status: number, fault?: ServiceFault): Verdict {
	const { reads, hasParts = false } = attempt;
	// Caution: the service documents no redirect, so something else has answered.
	if (status >= 300 && status < 400) return toFailure('redirected', !reads);
	if (BUSY.includes(status)) return toFailure('busy', !reads, fault);
	// Documented: the service answers 400 or 403 instead of carrying a request out. Its model has
	// errors in the result of a command, too, whose status is 200.
	const refused =
		(status >= 400 && status < 500 && !UNDECIDED.includes(status)) || isSuccess(status);
	const isWhole = !hasParts && !fault?.isOfPart;
	return toFailure(refused ? 'refused' : 'failed', !reads && !(refused && isWhole), fault);
}

const toFailure = (reason: Reason, mayHaveRun: boolean, fault?: ServiceFault) =>
	({ do: 'fail', reason, mayHaveRun, fault }) satisfies Failure;

function repeat(attempt: Attempt, reason: Reason, afterMs: number, fault?: ServiceFault): Verdict {
	const { reads, repeats, msLeft = Infinity, requestsLeft = Infinity } = attempt;
	const mayRepeat = reads && repeats < MAX_REPEATS && afterMs < msLeft && requestsLeft > 0;
	return mayRepeat ? { do: 'repeat', afterMs } : toFailure(reason, !reads, fault);
}

/** Exponential backoff. The first repeat comes at once: most lost connections were idle ones. */
export function getBackoff({ repeats, jitter }: Attempt, retryAfter = '', now = 0): number {
	const askedMs = parseRetryAfter(retryAfter.trim(), now);
	const waitMs = Number.isNaN(askedMs) ? (repeats === 0 ? 0 : 1000 * 2 ** (repeats - 1)) : askedMs;
	return Math.min(Math.max(waitMs, 0), MAX_WAIT_MS) * (1 + jitter / 2);
}

const parseRetryAfter = (text: string, now: number) =>
	/^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
