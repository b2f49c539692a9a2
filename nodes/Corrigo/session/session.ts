import type {
	ICredentialDataDecryptedObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import {
	isReadRequest,
	pinRequest,
	requireConfidential,
	toRequestLine,
	isReadOnlyAccess,
	SessionError,
	digestSettings,
	readCredential,
} from './credential';

/**
 * This header holds the `Authorization` of a refused session and asks for a new session.
 * `authenticate` removes it before the request is sent.
 */
export const RENEW_MARKER = 'x-corrigo-renew-session';
export const ANY_SESSION = 'any';

/**
 * n8n opens a new session when an error looks like a 401 answer, even if `authenticate` throws it.
 * Therefore, a session that is known to have ended is renewed before anything is sent.
 */
const createEndedError = (reason: string) =>
	Object.assign(new SessionError(`The Corrigo session has ended: ${reason}`), {
		response: { status: 401 },
	});

/**
 * Adds the session to a request, or makes n8n renew it first. A request that could write needs full
 * access, no matter which node sends it.
 */
export function authenticate(
	credentials: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): IHttpRequestOptions {
	const refused = request.headers?.[RENEW_MARKER];
	// n8n passes the same object again after the renewal.
	delete request.headers?.[RENEW_MARKER];
	pinRequest(request);
	const headers = (request.headers ??= {});
	const bearer = `Bearer ${String(credentials.accessToken)}`;
	const reads = isReadRequest(request);
	if (isReadOnlyAccess(credentials) && !reads) {
		throw new SessionError(
			`'Access' of the Corrigo credential is Read Only, but ${toRequestLine(request)} could write`,
			'readOnly',
		);
	}
	if (refused === bearer || refused === ANY_SESSION) throw createEndedError('it was not accepted');

	const settings = readCredential(credentials);
	if (credentials.issuedFor !== digestSettings(settings)) {
		throw createEndedError('the credential was changed');
	}
	if (doubts.takeRenewal(credentials)) throw createEndedError('a write with it failed');
	if (Date.now() >= Number(credentials.n8n_expires_at)) {
		throw createEndedError('check the clock of this machine');
	}
	const baseUrl = String(credentials.baseUrl);
	// Only this package asks the locator.
	requireConfidential(request, baseUrl, isLimited(request) ? [settings.locatorUrl] : []);

	if (!reads) doubts.noteWrite(credentials);
	request.baseURL ??= baseUrl;
	headers.Authorization = bearer;
	headers.CompanyName = settings.companyName;
	startLimit(request);
	return Object.assign(request, NO_REDIRECTS);
}

const MIN_DOUBT_MS = 60_000;

/**
 * The helper of n8n's HTTP Request node answers every failure with a renewal and sends the same
 * request again. A write gets no renewal there, so n8n reports its failure instead. Its session may
 * have been the cause: the next request renews it, at most once a minute.
 */
class WriteDoubts {
	/** n8n passes an object of its own for each request. */
	private readonly written = new WeakSet<ICredentialDataDecryptedObject>();
	private readonly failed = new Set<unknown>();
	private readonly renewals = new Map<unknown, number>();

	noteWrite(credentials: ICredentialDataDecryptedObject): void {
		this.written.add(credentials);
	}

	/** Returns true if the renewal is asked for because a write has failed. */
	hasFailed(credentials: ICredentialDataDecryptedObject): boolean {
		if (!this.written.has(credentials)) return false;
		this.failed.add(credentials.accessToken);
		return true;
	}

	takeRenewal({ accessToken, issuedFor }: ICredentialDataDecryptedObject): boolean {
		if (!this.failed.delete(accessToken)) return false;
		const now = performance.now();
		if (now - (this.renewals.get(issuedFor) ?? -Infinity) < MIN_DOUBT_MS) return false;
		this.renewals.set(issuedFor, now);
		return true;
	}
}

export const doubts = new WriteDoubts();

/** n8n would send the token to any redirect target. Its two helpers use different option names. */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

/** Node.js timers overflow beyond this value and fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Limits the whole request, because the timeout of n8n's HTTP helper restarts with every byte. */
export class TimeLimit {
	private readonly controller = new AbortController();
	private timer?: AbortSignal;

	constructor(
		private readonly ms: number,
		private readonly cancel?: AbortSignal,
	) {
		cancel?.addEventListener('abort', this.abort);
		if (cancel?.aborted) this.abort();
	}

	private readonly abort = () => this.controller.abort();

	/** Starts the time, or restarts it if the request is sent again. */
	start(): AbortSignal {
		this.timer?.removeEventListener('abort', this.abort);
		this.timer = AbortSignal.timeout(Math.min(this.ms, MAX_TIMER_MS));
		this.timer.addEventListener('abort', this.abort);
		return this.controller.signal;
	}

	get isOver(): boolean {
		return this.timer?.aborted === true;
	}

	/** Ends when the time is over, even if n8n ignores the signal. */
	async bound<T>(work: Promise<T>): Promise<T> {
		const { signal } = this.controller;
		try {
			return await new Promise<T>((resolve, reject) => {
				const giveUp = () => reject(new Error('The time is over'));
				if (signal.aborted) giveUp();
				signal.addEventListener('abort', giveUp);
				work.then(resolve, reject);
			});
		} finally {
			this.timer?.removeEventListener('abort', this.abort);
			this.cancel?.removeEventListener('abort', this.abort);
		}
	}
}

/** n8n passes each request to the credential before sending it, and the limit starts there. */
const limits = new WeakMap<IHttpRequestOptions, TimeLimit>();

export const limitRequest = (request: IHttpRequestOptions, limit: TimeLimit) =>
	limits.set(request, limit);

/** Every request of this package has a limit, and no request of another node. */
const isLimited = (request: IHttpRequestOptions): boolean => limits.has(request);

/** The signal is set last before the request is sent, because n8n sets its own signal earlier. */
function startLimit(request: IHttpRequestOptions): void {
	const limit = limits.get(request);
	if (limit !== undefined) request.abortSignal = limit.start();
}

/**
 * Every status counts as an answer. Redirects are not followed, because they pass the token on. The
 * content is read by `readBody`, because n8n's HTTP client has no limit for it.
 */
export const WHOLE_ANSWER = {
	encoding: 'stream',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
} as const;

/**
 * Sends a request without a session. A failure without an answer gives its code. The limit includes
 * the time to read the answer.
 */
export async function sendPlain<T extends object>(
	helpers: IHttpRequestHelper['helpers'],
	request: IHttpRequestOptions,
	timeoutMs: number,
	read: (answer: IN8nHttpFullResponse) => T | Promise<T>,
	cancel?: AbortSignal,
): Promise<T | { code: string }> {
	const limit = new TimeLimit(timeoutMs, cancel);
	const abortSignal = limit.start();
	const options = { ...request, ...WHOLE_ANSWER, timeout: timeoutMs, abortSignal };
	const sent = helpers.httpRequest(options) as Promise<IN8nHttpFullResponse>;
	return await limit.bound(sent.then(read)).catch(({ code }: { code?: unknown }) => ({
		code: limit.isOver ? 'ETIMEDOUT' : typeof code === 'string' ? code : 'unknown',
	}));
}
