import type { IHttpRequestHelper, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

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
export const isLimited = (request: IHttpRequestOptions): boolean => limits.has(request);

/** The signal is set last before the request is sent, because n8n sets its own signal earlier. */
export function startLimit(request: IHttpRequestOptions): void {
	const limit = limits.get(request);
	if (limit !== undefined) request.abortSignal = limit.start();
}

/** Every status counts as an answer. Redirects are not followed, because they pass the token on. */
export const WHOLE_ANSWER = {
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
