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

import { ANY_SESSION, RENEW_MARKER, SESSION_ENDED } from '../session/session';
import { READ_ONLY_ADVICE, SESSION_ADVICE, UNAVAILABLE_ADVICE } from '../session/settings';
import { limitRequest, TimeLimit, WHOLE_ANSWER } from '../session/timeLimit';
import { judge, type Attempt, type Reason, type Reply, type Verdict } from '../wire/answers';
import type { ServiceRequest, WriteRequest } from '../wire/requests';
import { createApiError, createFailureError } from './errors';

/** Contexts of n8n that send requests: execute, poll, webhooks, and lists of the form. */
export type Caller =
	| IExecuteFunctions
	| IHookFunctions
	| ILoadOptionsFunctions
	| IPollFunctions
	| IWebhookFunctions;

export interface SendOptions {
	/** Time for one request, from sending it to the end of its answer. */
	timeoutMs?: number;
	/** Time in `performance.now()` after which nothing is repeated or waited for. */
	deadline?: number;
	/** Called with the `Date` of every valid answer. */
	onDate?: (date: string) => void;
	/** Advice for each reason, in the words of the calling node. */
	advice?: Readonly<Record<Reason, string>>;
	/** Dry runs call this instead of sending a write. */
	onSkippedWrite?: (write: WriteRequest<unknown>) => void;
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
	const signal = getCancelSignal(caller);
	let refused = maybeMoved.delete(caller) ? ANY_SESSION : undefined;
	let attempt: Attempt = { reads: request.reads, renewals: refused ? 1 : 0, repeats: 0 };
	for (;;) {
		const http = buildHttpOptions(request, options, refused);
		const { reply, value } = await exchange(caller, request, http, options);
		const verdict = judgeBeforeDeadline(options, attempt, reply);
		switch (verdict.do) {
			case 'accept':
				return value as T;
			case 'renew':
				// The credential has added its session to the request.
				refused = String(http.headers?.Authorization ?? ANY_SESSION);
				attempt = { ...attempt, renewals: attempt.renewals + 1 };
				break;
			case 'repeat':
				refused = undefined;
				attempt = { ...attempt, repeats: attempt.repeats + 1 };
				await pause(verdict.afterMs, signal);
				break;
			case 'fail':
				if (reply.kind === 'answer' && reply.status === 503) maybeMoved.add(caller);
				throw createFailureError(caller.getNode(), request, verdict, reply, {
					advice: options.advice,
					secrets: await readSecrets(caller, http),
				});
		}
	}
}

/** A failure is final if the deadline leaves no time to repeat the request. */
function judgeBeforeDeadline(
	{ deadline = Infinity }: SendOptions,
	attempt: Attempt,
	reply: Reply,
): Verdict {
	const verdict = judge(attempt, reply, Date.now());
	if (verdict.do !== 'repeat' && verdict.do !== 'renew') return verdict;
	const pauseMs = verdict.do === 'repeat' ? verdict.afterMs : 0;
	if (performance.now() + pauseMs < deadline) return verdict;
	return judge({ ...attempt, repeats: Infinity, renewals: Infinity }, reply, Date.now());
}

/** The service may repeat these secrets in an answer. */
async function readSecrets(caller: Caller, { headers }: IHttpRequestOptions): Promise<string[]> {
	const { clientSecret, accessToken } = await caller.getCredentials('corrigoApi');
	const bearer = String(headers?.Authorization ?? '').replace('Bearer ', '');
	return [clientSecret, accessToken, bearer].map((secret) => String(secret ?? ''));
}

/** The description of the option 'Timeout' names this value. */
export const DEFAULT_TIMEOUT_MS = 300_000;
const MIN_TIMEOUT_MS = 1000;

/** Polls cannot be canceled. Forms can, if they set a limit to their waiting time. */
const getCancelSignal = (caller: Caller): AbortSignal | undefined =>
	'getExecutionCancelSignal' in caller ? caller.getExecutionCancelSignal() : undefined;

export const isCancelled = (caller: Caller) => getCancelSignal(caller)?.aborted === true;

interface Exchange<T> {
	reply: Reply;
	/** Content of the answer, if it has the expected shape. */
	value?: T;
}

async function exchange<T>(
	caller: Caller,
	request: ServiceRequest<T>,
	http: IHttpRequestOptions,
	{ timeoutMs = DEFAULT_TIMEOUT_MS, deadline = Infinity, onDate }: SendOptions,
): Promise<Exchange<T>> {
	if (isCancelled(caller)) return { reply: { kind: 'cancelled', sent: false } };
	const left = Math.max(MIN_TIMEOUT_MS, Math.ceil(deadline - performance.now()));
	const limit = new TimeLimit(Math.min(timeoutMs, left), getCancelSignal(caller));
	limitRequest(http, limit);
	const sent = caller.helpers.httpRequestWithAuthentication.call(
		caller,
		'corrigoApi',
		http,
	) as Promise<IN8nHttpFullResponse>;
	const answer = await limit
		.bound(sent)
		.catch((error: unknown) => toLostReply(caller, limit, error));
	if ('kind' in answer) return { reply: answer };
	const { statusCode: status, body, headers } = answer;
	const value = request.unwrap(body);
	const { date, 'retry-after': retryAfter } = headers;
	if (value !== undefined && typeof date === 'string') onDate?.(date);
	return {
		value,
		reply: {
			kind: 'answer',
			status,
			body,
			expected: value !== undefined,
			...(retryAfter === undefined ? {} : { retryAfter: String(retryAfter) }),
		},
	};
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
function toLostReply(caller: Caller, limit: TimeLimit, error: unknown): Reply {
	if (isCancelled(caller)) return { kind: 'cancelled', sent: true };
	if (limit.isOver) return { kind: 'lost', code: 'ETIMEDOUT' };
	if (!(error instanceof NodeApiError)) return { kind: 'lost', code: 'unknown' };
	if (error.description === READ_ONLY_ADVICE) {
		const details = { reason: 'readOnly', mayHaveRun: false, httpCode: '403' } as const;
		throw createApiError(caller.getNode(), error.message, READ_ONLY_ADVICE, details);
	}
	const isUnavailable = error.description === UNAVAILABLE_ADVICE;
	const refusal =
		isUnavailable || error.description === SESSION_ADVICE
			? error.message
			: error.messages.find((text) => text.startsWith(SESSION_ENDED));
	if (refusal === undefined) return { kind: 'lost', code: error.httpCode ?? 'unknown' };
	const advice = isUnavailable ? UNAVAILABLE_ADVICE : SESSION_ADVICE;
	throw createApiError(caller.getNode(), refusal, advice, {
		reason: isUnavailable ? 'unavailable' : 'credential',
		mayHaveRun: false,
		// n8n recognizes a bad credential by status 401.
		httpCode: '401',
	});
}

/** n8n before 2.41 cannot cancel a sleep, so each sleep is short. */
const SLICE_MS = 100;

/** Waits, but returns early if the run is stopped. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
	const end = performance.now() + ms;
	for (let left = ms; left > 0 && !signal?.aborted; left = end - performance.now()) {
		await sleep(Math.min(left, SLICE_MS), signal).catch(() => 'stopped');
	}
}
