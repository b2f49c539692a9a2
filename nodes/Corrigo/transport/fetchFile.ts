import type { IExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { isPublicHost, isPublicLookup } from '../session/addresses';
import { MEGABYTE, readBody, sendPlain } from '../session/exchange';
import { isLoopback } from '../session/credential';
import { MAX_RENEWALS, TIMED_OUT, type Reply } from '../wire/answers';
import { quoteUnlessPlain } from '../values/errors';
import { createApiError, createCancelledError } from './errors';
import {
	DEFAULT_TIMEOUT_MS,
	exchangeUntilFinal,
	type FirstAttempt,
	type SendOptions,
} from './send';

const MAX_REDIRECTS = 5;

interface FetchOptions extends SendOptions {
	maxMegabytes: number;
}

/** The link grants access. The token must not be sent, and storages refuse a second permission. */
export async function fetchFile(caller: IExecuteFunctions, link: string, options: FetchOptions) {
	const createFailure = (
		reason: string,
		advice: string,
		more: { httpCode?: string; forAuthor?: string } = {},
	) => createApiError(caller.getNode(), `The file cannot be fetched: ${reason}`, advice, more);
	// Redirects are followed here, so that each address is checked before anything is sent to it.
	let url = toTrustedUrl(link);
	for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
		if (url === undefined) {
			throw createFailure('its link is not one that can be trusted', HTTPS_ONLY);
		}
		const { href, hostname, host } = url;
		if (await isForbidden(caller, url)) {
			throw createFailure(`its link leads to ${hostname}, which is in a private network`, INTERNAL);
		}
		const { reply } = await exchangeUntilFinal(
			caller,
			DOWNLOAD,
			options,
			async () => await fetchOnce(caller, href, options),
		);
		if (reply.kind === 'cancelled') throw createCancelledError(caller.getNode());
		if (reply.kind === 'lost') {
			// n8n replaces messages that contain the code, so the message describes it in words.
			const reason = TIMED_OUT.includes(reply.code)
				? 'the storage did not answer in time'
				: 'the connection to the storage failed';
			const advice = `Check the network between n8n and ${host}.`;
			throw createFailure(reason, advice, { httpCode: reply.code });
		}
		if (reply.kind === 'tooLarge') {
			const size = `it is larger than ${options.maxMegabytes} MB`;
			throw createFailure(size, 'Open the document in Corrigo.', { forAuthor: RAISE_LIMIT });
		}
		const { status, value: { file, location, mimeType, doubt } = {} } = reply;
		if (doubt) throw createFailure(`${host} ${doubt}`, IN_DOUBT);
		if (status === 200 && file) return { body: file, mimeType: mimeType ?? '' };
		if (status < 300 || status >= 400 || location === undefined) {
			const advice = status < 500 ? LINK_IS_OLD : 'Try again later.';
			throw createFailure(`${host} answered with status ${status}`, advice, {
				httpCode: String(status),
			});
		}
		url = toTrustedUrl(location, url);
	}
	const reason = `its link was redirected ${MAX_REDIRECTS + 1} times`;
	throw createFailure(reason, 'Open the document in Corrigo.');
}

/** Downloads are repeated like any other read, but have no session to renew. */
const DOWNLOAD: FirstAttempt = { reads: true, renewals: MAX_RENEWALS, repeats: 0 };

/** Plain http is trusted on this machine only, and not after a redirect from https. */
function toTrustedUrl(link: string, from?: URL): URL | undefined {
	if (!URL.canParse(link, from?.href)) return undefined;
	const url = new URL(link, from?.href);
	const isLocal =
		url.protocol === 'http:' && isLoopback(url.hostname) && from?.protocol !== 'https:';
	return url.protocol === 'https:' || isLocal ? url : undefined;
}

/** A link must not lead n8n into its own network, unless the Company itself is there. */
async function isForbidden(caller: IExecuteFunctions, { hostname }: URL): Promise<boolean> {
	if (isPublicHost(hostname) && (await isPublicInDns(caller, hostname))) return false;
	const { baseUrl } = await caller.getCredentials('corrigoApi');
	return new URL(String(baseUrl)).hostname !== hostname;
}

/** A name may have a local address. Older versions of n8n cannot look it up. */
async function isPublicInDns(caller: IExecuteFunctions, hostname: string): Promise<boolean> {
	const helpers: Partial<typeof caller.helpers> = caller.helpers;
	const lookup = helpers.getSecureEgressFilter?.('enforced').createSecureLookup();
	if (lookup === undefined) return true;
	return await new Promise((resolve) => {
		lookup(hostname, { all: true }, (error, found) => {
			// The proxy of n8n may know a name that cannot be looked up here.
			if (error) resolve(!error.name.startsWith('SsrfBlocked'));
			else resolve([found].flat().every((one) => isPublicLookup(toAddress(one))));
		});
	});
}

const toAddress = (found: string | { address: string }) =>
	typeof found === 'string' ? found : found.address;

const HTTPS_ONLY =
	'Files are fetched over https only. Documents that are links to other places are opened there.';
const INTERNAL =
	'Files are fetched from addresses on the internet and from the host of the Company only. Open the document in Corrigo.';
const RAISE_LIMIT = "Or raise 'Maximum File Size' in 'Options' if n8n has enough memory.";
const IN_DOUBT =
	'Nobody could tell whether such a file is complete. Open the document in Corrigo, or have that host send files uncompressed and with their length.';
const LINK_IS_OLD =
	'Links live for a short time, and files of Companies that were copied are not there. Run the node again, or open the document in Corrigo.';

interface FileContent {
	/** Unset if the storage gives no file, but an error or another address. */
	file?: Buffer;
	mimeType: string;
	location?: string;
	/** Set if the file may be cut short: what the storage does, in words. */
	doubt?: string;
}

async function fetchOnce(
	caller: IExecuteFunctions,
	url: string,
	{ timeoutMs = DEFAULT_TIMEOUT_MS, maxMegabytes }: FetchOptions,
): Promise<Reply<FileContent>> {
	const headers = { 'accept-encoding': 'identity' };
	const request: IHttpRequestOptions = { method: 'GET', url, headers };
	const cancel = caller.getExecutionCancelSignal();
	const read = async (answer: IN8nHttpFullResponse) =>
		await readFileAnswer(answer, maxMegabytes * MEGABYTE);
	const httpRequest = async (options: IHttpRequestOptions) => await requestFile(caller, options);
	const answer = await sendPlain({ httpRequest }, request, timeoutMs, read, cancel);
	return 'code' in answer ? { kind: 'lost', code: answer.code } : answer;
}

/**
 * n8n's HTTP client unpacks content and then hides that it was compressed. Newer versions show the
 * message as it arrived only with an error, so the wanted status is made one.
 */
async function requestFile(
	{ helpers }: IExecuteFunctions,
	options: IHttpRequestOptions,
): Promise<IN8nHttpFullResponse> {
	const ignoreHttpStatusErrors = { ignore: true as const, except: [200] };
	const sent = helpers.httpRequest({ ...options, ignoreHttpStatusErrors });
	return await (sent as Promise<IN8nHttpFullResponse>).catch((failure: WantedFailure) => {
		const { response, request } = failure;
		if (response?.status !== 200) throw failure;
		const { status: statusCode, headers, data: body } = response;
		const packings = request?.res?.headersDistinct[PACKING];
		return { statusCode, headers: { ...headers, [PACKING]: packings?.join() }, body };
	});
}

interface WantedFailure extends Error {
	response?: { status: number; headers: IN8nHttpFullResponse['headers']; data: never };
	request?: { res?: { headersDistinct: Record<string, string[] | undefined> } };
}

const PACKING = 'content-encoding';
const KNOWN_PACKINGS = /gzip|compress|deflate|\bbr\b|zstd/i;

/** Older versions of n8n give the message itself, or the stream that unpacks it. */
function readPacking({ headers, body }: IN8nHttpFullResponse): string | undefined {
	const said = String(headers[PACKING] ?? '');
	if (KNOWN_PACKINGS.test(said)) return said;
	return 'bytesWritten' in (body as object) ? 'unpacked by n8n' : undefined;
}

/** n8n takes the beginning of such a file for all of it. */
function findDoubt(answer: IN8nHttpFullResponse): string | undefined {
	const packing = readPacking(answer);
	if (packing !== undefined) return `sends it compressed (${quoteUnlessPlain(packing)})`;
	const hasEnd = 'content-length' in answer.headers || 'transfer-encoding' in answer.headers;
	return hasEnd ? undefined : 'does not say how long it is';
}

async function readFileAnswer(
	answer: IN8nHttpFullResponse,
	maxBytes: number,
): Promise<Reply<FileContent>> {
	const { statusCode: status, headers } = answer;
	const doubt = status === 200 ? findDoubt(answer) : undefined;
	const isWanted =
		status === 200 && doubt === undefined && !(Number(headers['content-length']) > maxBytes);
	const file = await readBody(answer, isWanted ? maxBytes : 0);
	if (status === 200 && doubt === undefined && file === undefined) return { kind: 'tooLarge' };
	const { location, 'retry-after': retryAfter } = headers as Record<string, string | undefined>;
	const value = { file, mimeType: readMimeType(headers), location, doubt };
	return { kind: 'answer', status, body: file, value, retryAfter };
}

/** `octet-stream` means that the storage does not know the type, so n8n examines the content. */
function readMimeType(headers: Record<string, unknown>): string {
	const [type] = String(headers['content-type'] ?? '').split(';');
	const known = type.trim().toLowerCase();
	return /^(application|binary)\/octet-stream$/.test(known) ? '' : known;
}
