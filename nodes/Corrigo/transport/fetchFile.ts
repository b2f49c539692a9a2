import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { judge, TIMED_OUT, type Reply } from '../protocol/verdict';
import { apiError, cancelledError } from './errors';
import { pause } from './pause';
import { isCancelled, DEFAULT_TIMEOUT_MS, type SendOptions } from './send';
import { isLoopback } from '../session/settings';
import { sendPlain } from '../session/timeLimit';

const MAX_REDIRECTS = 5;

interface StoredFile {
	body: Buffer;
	/** `undefined` where the storage does not know. */
	mimeType?: string;
}

/** The link is the permission: the token must not go there, and storages refuse a second one. */
export async function fetchFile(
	caller: IExecuteFunctions,
	link: string,
	{ timeoutMs = DEFAULT_TIMEOUT_MS }: SendOptions,
): Promise<StoredFile> {
	const failure = (reason: string, hint: string, httpCode?: string) =>
		apiError(caller.getNode(), `The file cannot be fetched: ${reason}`, hint, { httpCode });
	// Redirects are followed here, so that each address is checked before anything is sent there.
	let url = trustedUrl(link);
	for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
		if (url === undefined) throw failure(UNTRUSTED, HTTPS_ONLY);
		const fetched = await fetchWithRetries(caller, url, timeoutMs);
		if (fetched.kind === 'cancelled') throw cancelledError(caller.getNode());
		if (fetched.kind === 'lost') {
			const hint = `Check the network between n8n and ${url.host}.`;
			throw failure(lossOf(fetched.code), hint, fetched.code);
		}
		const { status, body, headers } = fetched;
		if (status === 200) return { body, mimeType: mimeTypeOf(headers) };
		const isRedirect = status >= 300 && status < 400 && headers.location !== undefined;
		if (!isRedirect) {
			const hint = status < 500 ? LINK_IS_OLD : 'Try again later.';
			throw failure(`${url.host} answered with status ${status}`, hint, String(status));
		}
		url = trustedUrl(String(headers.location), url);
	}
	throw failure(
		`its link was passed on ${MAX_REDIRECTS + 1} times`,
		'Open the document in Corrigo.',
	);
}

/** Plain http is trusted on this machine only, and not after a redirect from https. */
function trustedUrl(link: string, from?: URL): URL | undefined {
	if (!URL.canParse(link, from?.href)) return undefined;
	const url = new URL(link, from?.href);
	const isLocal =
		url.protocol === 'http:' && isLoopback(url.hostname) && from?.protocol !== 'https:';
	return url.protocol === 'https:' || isLocal ? url : undefined;
}

const UNTRUSTED = 'its link is not one that can be trusted';
const HTTPS_ONLY =
	'Files are fetched over https only. Documents that are links to other places are opened there.';
const LINK_IS_OLD =
	'Links live for a short time, and files of Companies that were copied are not there. Run the node again, or open the document in Corrigo.';

/** n8n replaces a message that contains one of these codes with a general one. */
const lossOf = (code: string) =>
	TIMED_OUT.includes(code)
		? 'the storage did not answer in time'
		: 'the connection to the storage failed';

type Fetched =
	| Exclude<Reply, { kind: 'answer' }>
	| (Extract<Reply, { kind: 'answer' }> & { body: Buffer; headers: Record<string, unknown> });

/** Downloads are repeated like any other read. */
async function fetchWithRetries(
	caller: IExecuteFunctions,
	url: URL,
	timeoutMs: number,
): Promise<Fetched> {
	for (let repeats = 0; ; repeats++) {
		if (isCancelled(caller)) return { kind: 'cancelled', sent: false };
		const fetched = await fetchOnce(caller, url, timeoutMs);
		const verdict = judge({ reads: true, renewals: 1, repeats }, fetched, Date.now());
		if (verdict.do !== 'repeat') return fetched;
		await pause(verdict.afterMs, caller.getExecutionCancelSignal());
	}
}

async function fetchOnce(caller: IExecuteFunctions, url: URL, timeoutMs: number): Promise<Fetched> {
	const request: IHttpRequestOptions = { method: 'GET', url: url.href, encoding: 'arraybuffer' };
	const cancel = caller.getExecutionCancelSignal();
	const answer = await sendPlain(caller.helpers, request, timeoutMs, cancel);
	if ('code' in answer) return { kind: 'lost', code: answer.code };
	const { statusCode: status, body, headers } = answer;
	return {
		kind: 'answer',
		status,
		body: Buffer.isBuffer(body) ? body : Buffer.from(body as unknown as ArrayBuffer),
		expected: true,
		retryAfter: headers['retry-after'] as string | undefined,
		headers,
	};
}

/** `octet-stream` means that the storage does not know the type; n8n detects it from the content then. */
function mimeTypeOf(headers: Record<string, unknown>): string | undefined {
	const [type] = String(headers['content-type'] ?? '').split(';');
	const known = type.trim().toLowerCase();
	return known === '' || /^(application|binary)\/octet-stream$/.test(known) ? undefined : known;
}
