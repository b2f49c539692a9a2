import {
	NodeApiError,
	type IExecuteFunctions,
	type IHookFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IN8nHttpFullResponse,
	type IPollFunctions,
	type IWebhookFunctions,
	sleep,
} from 'n8n-workflow';

import { hasTooManyValues } from '../values/json';
import type { SessionFailure } from '../session/credential';
import {
	limitRequest,
	MEGABYTE,
	parseBody,
	readBody,
	TimeLimit,
	WHOLE_ANSWER,
} from '../session/exchange';
import { ANY_SESSION, RENEW_MARKER } from '../session/session';
import {
	isImplausible,
	judge,
	type Answer,
	type Attempt,
	type Failure,
	type Reply,
} from '../wire/answers';
import type { ServiceRequest, WriteRequest } from '../wire/requests';
import { listSecrets } from '../values/secrets';
import { createApiError, createFailureError, wasForbidden, type FailureWords } from './errors';

/** Contexts of n8n that send requests: execute, poll, webhooks, and lists of the form. */
export type Caller =
	| IExecuteFunctions
	| IHookFunctions
	| ILoadOptionsFunctions
	| IPollFunctions
	| IWebhookFunctions;

/** After its time, a poll may finish what it has begun: a slow Company must not stop it for good. */
const GRACE_MS = 60_000;

export interface SendOptions extends FailureWords {
	/** Time for one request, from sending it to the end of its answer. */
	timeoutMs?: number;
	/** Time in `performance.now()` after which nothing is repeated, and soon nothing is sent. */
	deadline?: number;
	/** Called with the `Date` of every valid answer. */
	onDate?: (date: string) => void;
	/** Called with the content of every valid answer and its size, unpacked. */
	onContent?: (content: unknown, bytes: number) => void;
	/** Dry runs call this instead of sending a write. */
	onSkippedWrite?: (write: WriteRequest<unknown>) => void;
	/** Requests that may be sent to repeat others, in all calls that share this object. Logins do not count. */
	extraRequests?: { left: number };
	/** Server to use instead of the host of the Company. */
	baseUrl?: string;
}

/**
 * Callers whose last write was answered with 503, which may mean that the Company has moved to
 * another host. The write must not be repeated, but the next request looks for the host first.
 */
const maybeMoved = new WeakSet<Caller>();

/** Sends every request to the service, renews the session, and repeats what may be repeated. */
export async function send<T>(
	caller: Caller,
	request: ServiceRequest<T>,
	options: SendOptions = {},
): Promise<T> {
	if (!request.reads && options.onSkippedWrite !== undefined) {
		options.onSkippedWrite(request);
		return request.dryRun.answer;
	}
	let http: IHttpRequestOptions | undefined;
	const first = {
		reads: request.reads,
		hasParts: !request.reads && request.hasParts,
		renewals: maybeMoved.delete(caller) ? 1 : 0,
		repeats: 0,
	};
	const { reply, failure } = await exchangeUntilFinal(caller, first, options, async (renews) => {
		// The credential has added its session to the last request, which is refused by a renewal.
		const refused = renews ? String(http?.headers?.Authorization ?? ANY_SESSION) : undefined;
		http = buildHttpOptions(request, options, refused);
		return await exchange(caller, request, http, options);
	});
	if (failure === undefined) return (reply as Answer<T>).value as T;
	if (reply.kind === 'answer' && reply.status === 503) maybeMoved.add(caller);
	// Only an answer may repeat a secret, and a stopped run waits for nothing.
	const secrets = reply.kind === 'answer' ? await readSecrets(caller, request, http) : [];
	const node = caller.getNode();
	const error = createFailureError(node, request, failure, reply, secrets, options);
	if (request.reads && request.lesser && wasForbidden(error)) {
		return await send(caller, request.lesser, options);
	}
	throw error;
}

export type FirstAttempt = Pick<Attempt, 'reads' | 'hasParts' | 'renewals' | 'repeats'>;

/** Repeats an exchange until its answer is accepted or the failure is final. */
export async function exchangeUntilFinal<T>(
	caller: Caller,
	first: FirstAttempt,
	{ deadline = Infinity, extraRequests = { left: Infinity } }: SendOptions,
	exchangeOnce: (renews: boolean) => Promise<Reply<T>>,
): Promise<{ reply: Reply<T>; failure?: Failure }> {
	const signal = getCancelSignal(caller);
	const attempt = { ...first };
	for (let renews = first.renewals > 0; ; ) {
		const reply: Reply<T> = signal?.aborted
			? { kind: 'cancelled', sent: false }
			: performance.now() >= deadline + GRACE_MS
				? { kind: 'lost', code: 'ETIMEDOUT' }
				: await exchangeOnce(renews);
		const now = {
			msLeft: deadline - performance.now(),
			requestsLeft: extraRequests.left,
			jitter: Math.random(),
		};
		const verdict = judge({ ...attempt, ...now }, reply, Date.now());
		if (verdict.do === 'accept') return { reply };
		if (verdict.do === 'fail') return { reply, failure: verdict };
		renews = verdict.do === 'renew';
		attempt[renews ? 'renewals' : 'repeats']++;
		extraRequests.left--;
		if (verdict.do === 'repeat') await pause(verdict.afterMs, signal);
	}
}

/** The service may repeat these secrets in an answer. */
async function readSecrets(
	caller: Caller,
	{ body }: ServiceRequest<unknown>,
	http?: IHttpRequestOptions,
): Promise<string[]> {
	const { clientSecret, accessToken } = await caller.getCredentials('corrigoApi');
	const bearer = String(http?.headers?.Authorization ?? '').replace('Bearer ', '');
	const own = [clientSecret, accessToken, bearer].map((secret) => String(secret ?? ''));
	return [...own, ...listSecrets(body)];
}

/** Room for 4,000 whole records of 32 kB. n8n would stop for seconds to read a larger answer. */
export const MAX_ANSWER_BYTES = 128 * MEGABYTE;

/** Room for 4,000 whole records of 1,000 values. */
const MAX_ANSWER_VALUES = 4_000_000;

/** The description of the option 'Timeout' names this value. */
export const DEFAULT_TIMEOUT_MS = 300_000;
const MIN_TIMEOUT_MS = 1000;

/** Polls cannot be canceled. Forms can, if they set a limit to their waiting time. */
export const getCancelSignal = (caller: Caller): AbortSignal | undefined =>
	'getExecutionCancelSignal' in caller ? caller.getExecutionCancelSignal() : undefined;

export const isCancelled = (caller: Caller) => getCancelSignal(caller)?.aborted === true;

async function exchange<T>(
	caller: Caller,
	request: ServiceRequest<T>,
	http: IHttpRequestOptions,
	{ timeoutMs = DEFAULT_TIMEOUT_MS, deadline = Infinity, onDate, onContent }: SendOptions,
): Promise<Reply<T>> {
	const left = Math.max(MIN_TIMEOUT_MS, Math.ceil(deadline - performance.now()));
	const limit = new TimeLimit(Math.min(timeoutMs, left), getCancelSignal(caller));
	limitRequest(http, limit);
	const sent = caller.helpers.httpRequestWithAuthentication.call(
		caller,
		'corrigoApi',
		http,
	) as Promise<IN8nHttpFullResponse>;
	const read = async (answer: IN8nHttpFullResponse) => ({
		status: answer.statusCode,
		headers: answer.headers,
		content: await readBody(answer, MAX_ANSWER_BYTES),
	});
	const answer = await limit
		.bound(sent.then(read))
		.catch((error: unknown) => toLostReply(caller, limit, error));
	if ('kind' in answer) return answer;
	const { status, headers, content } = answer;
	if (content === undefined || hasTooManyValues(content, MAX_ANSWER_VALUES))
		return { kind: 'tooLarge' };
	const parsed = parseBody(content);
	const body = isImplausible(parsed) ? undefined : parsed;
	const value = request.unwrap(body);
	const { date, 'retry-after': retryAfter } = headers;
	if (value !== undefined && typeof date === 'string') onDate?.(date);
	if (value !== undefined) onContent?.(value, content.length);
	return { kind: 'answer', status, body, value, retryAfter: String(retryAfter ?? '') };
}

/** The credential adds the host of the Company. */
function buildHttpOptions(
	{ method, path, query, headers, body }: ServiceRequest<unknown>,
	{ timeoutMs, baseUrl }: SendOptions,
	refused: string | undefined,
): IHttpRequestOptions {
	return {
		method,
		url: path,
		...(baseUrl ? { baseURL: baseUrl } : {}),
		...(query ? { qs: query } : {}),
		headers: { ...headers, ...(refused ? { [RENEW_MARKER]: refused } : {}) },
		...(body ? { body } : {}),
		...(timeoutMs ? { timeout: timeoutMs } : {}),
		json: true,
		...WHOLE_ANSWER,
	};
}

/**
 * Every status comes back as an answer, so an error means that none came. The code is read from
 * `httpCode`, because older versions of n8n do not pass the original error on.
 */
function toLostReply(caller: Caller, limit: TimeLimit, error: unknown): Reply<never> {
	if (isCancelled(caller)) return { kind: 'cancelled', sent: true };
	if (limit.isOver) return { kind: 'lost', code: 'ETIMEDOUT' };
	if (!(error instanceof NodeApiError)) {
		const { code } = error as { code?: unknown };
		return { kind: 'lost', code: typeof code === 'string' ? code : 'unknown' };
	}
	const { context, description, messages, httpCode } = error;
	// n8n passes the context of a SessionError on, and keeps its message here.
	const reason = context.reason as SessionFailure | undefined;
	if (reason === undefined) return { kind: 'lost', code: httpCode ?? 'unknown' };
	throw createApiError(caller.getNode(), messages[0], description ?? '', {
		reason,
		mayHaveRun: false,
		httpCode: STATUSES[reason],
	});
}

/** After status 401, n8n offers to check the credential, which does not help if nothing answers. */
const STATUSES: Readonly<Record<SessionFailure, string>> = {
	credential: '401',
	readOnly: '403',
	unavailable: '503',
	unsafe: '401',
};

/** n8n before 2.41 cannot cancel a sleep, so each sleep is short. */
const SLICE_MS = 100;

/** Waits, but returns early if the run is stopped. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
	const end = performance.now() + ms;
	for (let left = ms; left > 0 && !signal?.aborted; left = end - performance.now()) {
		await sleep(Math.min(left, SLICE_MS), signal).catch(() => 'stopped');
	}
}
