import {
	sleep,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
} from 'n8n-workflow';

import { judge, type Outcome } from '../protocol/verdict';
import { apiError } from './errors';
import { isCancelled, type SendOptions } from './send';
import { loopback } from './session';

const MOST_REDIRECTS = 5;

export interface StoredFile {
	body: Buffer;
	/** Nothing where the storage does not know either. */
	mimeType?: string;
}

/**
 * A file from where the service keeps it. The link is the permission: the token of the session must
 * not go there, and storages refuse a second one. Redirects are followed by hand, so that each
 * address is checked before anything is sent to it.
 */
export async function download(
	caller: IExecuteFunctions,
	link: string,
	{ item, timeoutMs }: SendOptions,
): Promise<StoredFile> {
	const failed = (why: string, hint: string, httpCode?: string) =>
		apiError(caller.getNode(), `The file cannot be fetched: ${why}`, hint, {
			itemIndex: item,
			httpCode,
		});
	let url = secure(link);
	for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
		if (url === undefined) {
			throw failed(
				'its link is not one that can be trusted',
				'Files are fetched over https only. Documents that are links to other places are opened there.',
			);
		}
		const outcome = await fetchPatiently(caller, url, timeoutMs);
		if (outcome.kind !== 'answer') {
			const code = outcome.kind === 'lost' ? outcome.code : undefined;
			const why = isCancelled(caller) ? 'the execution was stopped' : lossWords(code);
			throw failed(why, `Check the network between n8n and ${url.host}.`, code);
		}
		const { status, body, headers } = outcome;
		if (status === 200) return { body, mimeType: mimeTypeOf(headers) };
		if (status < 300 || status > 399 || headers.location === undefined) {
			throw failed(
				`${url.host} answered with status ${status}`,
				status < 500
					? 'Links live for a short time, and files of Companies that were copied are not there. Run the node again, or open the document in Corrigo.'
					: 'Try again later.',
				String(status),
			);
		}
		url = secure(String(headers.location), url);
	}
	throw failed(
		`its link was passed on ${MOST_REDIRECTS + 1} times`,
		'Open the document in Corrigo.',
	);
}

function secure(link: string, base?: URL): URL | undefined {
	if (!URL.canParse(link, base?.href)) return undefined;
	const url = new URL(link, base?.href);
	const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && loopback(url.hostname));
	return isSafe ? url : undefined;
}

type Fetched =
	| Exclude<Outcome, { kind: 'answer' }>
	| { kind: 'answer'; status: number; body: Buffer; headers: Record<string, unknown> };

/** Reading twice does no harm: what fails for a moment is tried again, as for any other read. */
async function fetchPatiently(
	caller: IExecuteFunctions,
	url: URL,
	timeoutMs: number | undefined,
): Promise<Fetched> {
	for (let repeats = 0; ; repeats++) {
		if (isCancelled(caller)) return { kind: 'cancelled', sent: false };
		const fetched = await fetchOnce(caller, url, timeoutMs);
		const verdict = judge({ reads: true, renewed: true, repeats }, judged(fetched), Date.now());
		if (verdict.do !== 'repeat') return fetched;
		// A stopped execution ends the pause; the next turn looks why it ended.
		await sleep(verdict.afterMs, caller.getExecutionCancelSignal()).catch(() => undefined);
	}
}

const judged = (fetched: Fetched): Outcome =>
	fetched.kind !== 'answer'
		? fetched
		: {
				kind: 'answer',
				status: fetched.status,
				body: undefined,
				expected: true,
				retryAfter: fetched.headers['retry-after'] as string | undefined,
			};

async function fetchOnce(
	{ helpers }: IExecuteFunctions,
	url: URL,
	timeoutMs: number | undefined,
): Promise<Fetched> {
	const request: IHttpRequestOptions = {
		method: 'GET',
		url: url.href,
		encoding: 'arraybuffer',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		...(timeoutMs ? { timeout: timeoutMs } : {}),
	};
	return await (helpers.httpRequest(request) as Promise<IN8nHttpFullResponse>).then(
		({ statusCode, body, headers }) => ({
			kind: 'answer' as const,
			status: statusCode,
			body: Buffer.isBuffer(body) ? body : Buffer.from(body as unknown as ArrayBuffer),
			headers,
		}),
		({ code }: { code?: unknown }) => ({
			kind: 'lost' as const,
			code: typeof code === 'string' ? code : 'unknown',
		}),
	);
}

/** In words: n8n replaces a message that holds one of these codes by a general one. */
const lossWords = (code?: string) =>
	code === 'ECONNABORTED' || code === 'ETIMEDOUT'
		? 'the storage did not answer in time'
		: 'the connection to the storage failed';

/** Storages that were not told say that anything may be in it; n8n looks at the content then. */
function mimeTypeOf(headers: Record<string, unknown>): string | undefined {
	const [type] = String(headers['content-type'] ?? '').split(';');
	const known = type.trim().toLowerCase();
	return known === '' || /^(application|binary)\/octet-stream$/.test(known) ? undefined : known;
}
