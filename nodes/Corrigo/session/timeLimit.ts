import type { IHttpRequestHelper, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

/** Node.js timers overflow beyond this value and fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Limits the whole request, as the time-out of n8n's HTTP helper restarts with every byte. */
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

	/** Starts the time, again if the request is sent again. */
	start(): AbortSignal {
		this.timer?.removeEventListener('abort', this.abort);
		this.timer = AbortSignal.timeout(Math.min(this.ms, MAX_TIMER_MS));
		this.timer.addEventListener('abort', this.abort);
		return this.controller.signal;
	}

	get isOver(): boolean {
		return this.timer?.aborted === true;
	}

	/** Ends with the limit at the latest, even in an n8n that ignores the signal. */
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

/** n8n passes a request to the credential before it is sent; the limit starts there. */
const limits = new WeakMap<IHttpRequestOptions, TimeLimit>();

export const limitRequest = (request: IHttpRequestOptions, limit: TimeLimit) =>
	limits.set(request, limit);

/** Called last before the request is sent, because n8n replaces the signal with its own before that. */
export function startLimit(request: IHttpRequestOptions): void {
	const limit = limits.get(request);
	if (limit !== undefined) request.abortSignal = limit.start();
}

/** Every status is an answer. A redirect would pass the token on. */
export const WHOLE_ANSWER = {
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
} as const;

/**
 * Sends a request without a session, and returns the code of a failure without an answer. The limit
 * covers reading the answer, too.
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
