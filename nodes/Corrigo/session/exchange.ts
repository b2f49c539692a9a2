import type { IHttpRequestHelper, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { parseAnswer } from '../values/json';

export const MEGABYTE = 1024 * 1024;

/**
 * Reads the content of an answer, or nothing if it is larger. The declared length may be wrong, and
 * compressed content is counted while it is unpacked, so the rest is not read.
 */
export async function readBody(
	{ body }: IN8nHttpFullResponse,
	maxBytes: number,
): Promise<Buffer | undefined> {
	const content = body as unknown as NodeJS.ReadableStream & { destroy: () => void };
	const chunks: Buffer[] = [];
	let size = 0;
	// Iteration costs more than events, and most answers are small.
	return await new Promise((resolve, reject) => {
		content.on('data', (chunk: Buffer) => {
			size += chunk.length;
			if (size <= maxBytes) return chunks.push(chunk);
			chunks.length = 0;
			content.destroy();
			return resolve(undefined);
		});
		content.on('end', () => resolve(Buffer.concat(chunks)));
		content.on('error', reject);
		content.on('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
	});
}

/** Text that is not JSON stays text. */
export function parseBody(body: Buffer): unknown {
	const text = body.toString('utf8').replace(/^\uFEFF/, '');
	try {
		return parseAnswer(text);
	} catch {
		return text;
	}
}

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
