import type { IHttpRequestOptions } from 'n8n-workflow';

/** More would not fit into the timers of the platform, and be over at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Bounds a request as a whole. The time-out of n8n's HTTP helper begins anew with every byte that
 * comes, so that an answer which drips never ends.
 */
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

	/** From now on; anew, where the request is sent once more. */
	start(): AbortSignal {
		this.timer?.removeEventListener('abort', this.abort);
		this.timer = AbortSignal.timeout(Math.min(this.ms, MAX_TIMER_MS));
		this.timer.addEventListener('abort', this.abort);
		return this.controller.signal;
	}

	get isOver(): boolean {
		return this.timer?.aborted === true;
	}

	/** Ends with the limit at the latest, even on a host that does not look at the signal. */
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

/** Requests that n8n hands on to the credential, which sends them off. */
const limits = new WeakMap<IHttpRequestOptions, TimeLimit>();

export const limitRequest = (request: IHttpRequestOptions, limit: TimeLimit) =>
	limits.set(request, limit);

/** The session is there, and the request on its way. Hosts put a signal of their own in its place before. */
export function startLimit(request: IHttpRequestOptions): void {
	const limit = limits.get(request);
	if (limit !== undefined) request.abortSignal = limit.start();
}
