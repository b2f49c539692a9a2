import {
	NodeApiError,
	sleep,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IN8nHttpFullResponse,
	type IPollFunctions,
} from 'n8n-workflow';

import type { ServiceRequest } from '../protocol/requests';
import { judge, type Attempt, type Outcome } from '../protocol/verdict';
import { apiError, failureError } from './errors';
import { RENEW_MARKER, SESSION_ENDED, SESSION_HINT } from './session';

/** Whoever may talk to the service: execute, poll, and what fills the form. */
export type Caller = IExecuteFunctions | IPollFunctions | ILoadOptionsFunctions;

export interface SendOptions {
	item?: number;
	timeoutMs?: number;
	/** Another server of the service than the host of the Company. */
	baseUrl?: string;
}

/** The only door to the service: sends, judges what came of it, renews, repeats, or says why not. */
export async function send<T>(
	caller: Caller,
	request: ServiceRequest<T>,
	options: SendOptions = {},
): Promise<T> {
	const signal = cancelSignal(caller);
	let attempt: Attempt = { reads: request.reads, renewed: false, repeats: 0 };
	let renew = false;
	for (;;) {
		const outcome = await exchange(caller, request, options, renew);
		const verdict = judge(attempt, outcome, Date.now());
		switch (verdict.do) {
			case 'accept':
				return request.unwrap((outcome as { body: unknown }).body) as T;
			case 'renew':
				renew = true;
				attempt = { ...attempt, renewed: true };
				break;
			case 'repeat':
				renew = false;
				attempt = { ...attempt, repeats: attempt.repeats + 1 };
				await pauseUnlessCancelled(verdict.afterMs, signal);
				break;
			case 'fail':
				throw failureError(caller.getNode(), request, verdict, outcome, options.item);
		}
	}
}

/** Poll and form contexts cannot be cancelled. */
const cancelSignal = (caller: Caller): AbortSignal | undefined =>
	'getExecutionCancelSignal' in caller ? caller.getExecutionCancelSignal() : undefined;

export const isCancelled = (caller: Caller) => cancelSignal(caller)?.aborted === true;

async function exchange(
	caller: Caller,
	request: ServiceRequest<unknown>,
	options: SendOptions,
	renew: boolean,
): Promise<Outcome> {
	if (isCancelled(caller)) return { kind: 'cancelled', sent: false };
	const answer = await (
		caller.helpers.httpRequestWithAuthentication.call(
			caller,
			'corrigoApi',
			httpOptions(request, options, renew),
		) as Promise<IN8nHttpFullResponse>
	).catch((error: unknown) => lossOf(caller, error, options.item));
	if ('kind' in answer) return answer;
	const { statusCode: status, body, headers } = answer;
	const retryAfter = headers['retry-after'];
	return {
		kind: 'answer',
		status,
		body,
		expected: request.unwrap(body) !== undefined,
		...(retryAfter === undefined ? {} : { retryAfter: String(retryAfter) }),
	};
}

/** Relative to the host of the Company, which the credential knows; redirects would take the token along. */
function httpOptions(
	{ method, path, query, headers, body }: ServiceRequest<unknown>,
	{ timeoutMs, baseUrl }: SendOptions,
	renew: boolean,
): IHttpRequestOptions {
	return {
		method,
		url: path,
		...(baseUrl ? { baseURL: baseUrl } : {}),
		...(query ? { qs: query } : {}),
		headers: { ...headers, ...(renew ? { [RENEW_MARKER]: 'yes' } : {}) },
		...(body ? { body } : {}),
		...(timeoutMs ? { timeout: timeoutMs } : {}),
		json: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}

/**
 * Statuses come back as answers, so whatever is thrown says why there is none. Which fault it was
 * stands in `httpCode`: older hosts do not pass the original error on.
 */
function lossOf(caller: Caller, error: unknown, itemIndex: number | undefined): Outcome {
	if (isCancelled(caller)) return { kind: 'cancelled', sent: true };
	if (!(error instanceof NodeApiError)) return { kind: 'lost', code: 'unknown' };
	if (error.description === SESSION_HINT) {
		throw apiError(caller.getNode(), error.message, SESSION_HINT, { itemIndex });
	}
	if (error.messages[0]?.startsWith(SESSION_ENDED)) {
		throw apiError(caller.getNode(), error.messages[0], SESSION_HINT, { itemIndex });
	}
	return { kind: 'lost', code: error.httpCode ?? 'unknown' };
}

async function pauseUnlessCancelled(ms: number, signal: AbortSignal | undefined): Promise<void> {
	if (ms === 0 || signal?.aborted) return;
	let stop = () => {};
	const cancelled = new Promise<void>((resolve) => {
		stop = resolve;
		signal?.addEventListener('abort', stop, { once: true });
	});
	// Hosts before 2.41 know no signal here: the race ends the wait there too.
	await Promise.race([sleep(ms, signal).catch(() => undefined), cancelled]);
	signal?.removeEventListener('abort', stop);
}
