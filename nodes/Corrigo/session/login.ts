import {
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	sleep,
} from 'n8n-workflow';

import { regions } from '../catalogue/regions';
import { quoteText } from '../values/errors';
import { isObject, remember } from '../values/objects';
import { judge, MAX_RENEWALS, unwrapCommandAnswer, type Reply } from '../wire/answers';
import { buildDiscoveryRequest } from '../wire/requests';
import { isPublicName } from './addresses';
import {
	digestSettings,
	readCredential,
	requireSecureUrl,
	SessionError,
	type Settings,
} from './credential';
import { MEGABYTE, parseBody, readBody, sendPlain } from './exchange';
import { doubts } from './session';
import { createTable } from '../catalogue/table';

const MAX_RENEWAL_MARGIN_MS = 60_000;
const MIN_LIFETIME_MS = 1000;
const MAX_REPLACEMENTS = 100;
const DEFAULT_LIFETIME_SECONDS = 20 * 60;
const MAX_LIFETIME_SECONDS = 24 * 60 * 60;
const SESSION_TIMEOUT_MS = 60_000;

/** n8n stores the session in hidden fields of the credential. */
export interface Session extends IDataObject {
	accessToken: string;
	baseUrl: string;
	/** Time at which n8n renews the session, shortly before the token expires. */
	n8n_expires_at: number;
	issuedFor: string;
}

/** Opens a session if n8n asks for one; n8n takes an answer without a token as nothing to renew. */
export const preAuthenticate = async (
	helpers: IHttpRequestHelper['helpers'],
	credentials: ICredentialDataDecryptedObject,
): Promise<IDataObject> =>
	doubts.hasFailed(credentials) ? {} : await openSession(helpers, credentials);

/** Requests that need a session while one is being opened wait for that one. */
const openings = new Map<string, Promise<Session>>();
/** Sessions that were opened in this process, by the session that each one replaced. */
const replacements = new Map<string, Session>();

/**
 * Opens one session, no matter how many requests need it at once. A late request with an older
 * session gets only the session that replaced its own: sessions that two workers opened at the
 * same time may have ended together.
 */
export async function openSession(
	helpers: IHttpRequestHelper['helpers'],
	credentials: ICredentialDataDecryptedObject,
): Promise<Session> {
	const settings = readCredential(credentials);
	const digest = digestSettings(settings);
	const isProven = credentials.issuedFor === digest;
	// A credential without a session can use any session of its settings.
	const key = isProven ? getSessionKey(credentials) : digest;
	const replacement = findNewestReplacement(key);
	if (replacement !== undefined && Date.now() < replacement.n8n_expires_at) return replacement;

	let opening = openings.get(digest);
	if (opening === undefined) {
		opening = open(helpers, settings, digest, { isProven }).finally(() => openings.delete(digest));
		openings.set(digest, opening);
	}
	const session = await opening;
	// The Company may have moved back to a host it had before.
	replacements.delete(getSessionKey(session));
	for (const each of [key, digest]) remember(replacements, each, session, MAX_REPLACEMENTS);
	return session;
}

const getSessionKey = (session: Session | ICredentialDataDecryptedObject): string =>
	JSON.stringify([session.issuedFor, session.accessToken, session.baseUrl, session.n8n_expires_at]);

/** A replacement may have been replaced, too, while the credential was idle. */
function findNewestReplacement(key: string): Session | undefined {
	let newest: Session | undefined;
	let next = replacements.get(key);
	while (next !== undefined && next !== newest) {
		newest = next;
		next = replacements.get(getSessionKey(next));
	}
	return newest;
}

async function open(
	helpers: IHttpRequestHelper['helpers'],
	settings: Settings,
	issuedFor: string,
	trust: { isProven: boolean },
): Promise<Session> {
	const { requestedAt, lifetimeMs, ...access } = await logIn(helpers, settings, trust);
	const margin = Math.min(MAX_RENEWAL_MARGIN_MS, lifetimeMs / 4);
	// At least one request can use the session, however short its lifetime and slow the login.
	const end = Math.max(requestedAt + lifetimeMs - margin, Date.now() + MIN_LIFETIME_MS);
	return { ...access, n8n_expires_at: end, issuedFor };
}

/** Requests a token from the token server, then the host of the Company from the locator. */
async function logIn(
	helpers: IHttpRequestHelper['helpers'],
	settings: Settings,
	{ isProven }: { isProven: boolean },
) {
	for (let mayRetry = isProven; ; mayRetry = false) {
		const requestedAt = Date.now();
		const { accessToken, lifetimeMs } = await requestToken(helpers, settings);
		const { path, body } = buildDiscoveryRequest(settings.companyName);
		const answer = await post(helpers, {
			url: settings.locatorUrl + path,
			headers: { Authorization: `Bearer ${accessToken}`, CompanyName: settings.companyName },
			body,
		});
		// Settings that worked before are correct, so all tokens have just been revoked, even this one.
		if (mayRetry && isTokenRefusal(answer)) continue;
		return { accessToken, lifetimeMs, requestedAt, baseUrl: readHost(answer, settings) };
	}
}

interface Answer {
	status: number;
	body: unknown;
	retryAfter?: string;
}

/**
 * A failure without an answer becomes status 0, because the error itself contains the whole request
 * with the secret, and n8n might send the request again because of a `response` in it.
 */
async function postOnce(
	helpers: IHttpRequestHelper['helpers'],
	request: IHttpRequestOptions,
): Promise<Answer> {
	const options: IHttpRequestOptions = { ...request, method: 'POST', json: true };
	const answer = await sendPlain(helpers, options, SESSION_TIMEOUT_MS, async (answer) => ({
		status: answer.statusCode,
		body: parseBody((await readBody(answer, MEGABYTE)) ?? Buffer.alloc(0)),
		retryAfter: String(answer.headers['retry-after'] ?? ''),
	}));
	return 'code' in answer ? { status: 0, body: answer.code } : answer;
}

/** A login changes nothing, so it is repeated like any read, but no other login can help it. */
async function post(
	helpers: IHttpRequestHelper['helpers'],
	request: IHttpRequestOptions,
): Promise<Answer> {
	const first = { reads: true, renewals: MAX_RENEWALS, jitter: Math.random() };
	for (let repeats = 0; ; repeats++) {
		const answer = await postOnce(helpers, request);
		const { status, body, retryAfter } = answer;
		const value = isObject(body) ? body : undefined;
		const reply: Reply =
			status === 0
				? { kind: 'lost', code: String(body) }
				: { kind: 'answer', status, body, value, retryAfter };
		const verdict = judge({ ...first, repeats }, reply, Date.now());
		if (verdict.do !== 'repeat') return answer;
		await sleep(verdict.afterMs);
	}
}

/** n8n replaces messages that contain one of these codes, so messages describe them in words. */
const NETWORK_WORDS = createTable<string>({
	ECONNREFUSED: 'the connection was refused',
	ENOTFOUND: 'there is no such host',
	EAI_AGAIN: 'the name of the host cannot be looked up',
	ECONNRESET: 'the connection was broken',
	ECONNABORTED: 'no answer in time',
	ETIMEDOUT: 'no answer in time',
});

const isRefusal = ({ status }: Answer) => status >= 400 && status < 404;

/** The server is unavailable, or is not the right one. */
const createServerError = (server: string, field: string, answer: Answer) =>
	new SessionError(`${server} ${describeFailure(field, answer)}`, 'unavailable');

function describeFailure(field: string, { status, body }: Answer): string {
	if (status === 0) {
		const reason = NETWORK_WORDS[String(body)] ?? 'no connection';
		return `cannot be reached (${reason}): check '${field}' and the network`;
	}
	return status === 429 || status >= 500
		? `is not available right now (status ${status}): try again later`
		: `gave an unexpected answer (status ${status}): check '${field}'`;
}

async function requestToken(helpers: IHttpRequestHelper['helpers'], settings: Settings) {
	const answer = await post(helpers, {
		url: `${settings.tokenUrl}/OAuth/token`,
		headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
		body: new URLSearchParams({
			grant_type: 'client_credentials',
			client_id: settings.clientId,
			client_secret: settings.clientSecret,
		}).toString(),
	});
	if (isRefusal(answer)) {
		throw new SessionError(
			"Corrigo did not accept the credentials: check 'Client ID' and 'Client Secret'",
		);
	}
	const { access_token: accessToken, expires_in: expiresIn } = isObject(answer.body)
		? answer.body
		: {};
	if (answer.status !== 200 || typeof accessToken !== 'string' || accessToken === '') {
		throw createServerError(`The token server ${settings.tokenUrl}`, 'Token Server URL', answer);
	}
	return { accessToken, lifetimeMs: 1000 * toLifetimeSeconds(expiresIn) };
}

/** Some servers omit `expires_in`. Invalid values count as missing, too. */
function toLifetimeSeconds(expiresIn: unknown): number {
	const seconds = typeof expiresIn === 'boolean' ? Number.NaN : Number(expiresIn);
	return seconds > 0 ? Math.min(seconds, MAX_LIFETIME_SECONDS) : DEFAULT_LIFETIME_SECONDS;
}

const FOUND_URL = 'Url of the Company, as the locator gave it,';

const isTokenRefusal = (answer: Answer) => isRefusal(answer) && answer.status !== 400;

function readHost(answer: Answer, { locatorUrl, companyName }: Settings): string {
	if (answer.status === 400) {
		throw new SessionError(
			`Corrigo does not know the Company ${quoteText(companyName)} in this region: check 'Company Name' (it is case-sensitive) and 'Region'`,
		);
	}
	if (isTokenRefusal(answer)) {
		throw new SessionError(
			"Corrigo did not accept the token at the locator of this region: check 'Region' and 'Token Server URL'",
		);
	}
	const url =
		answer.status === 200 ? unwrapCommandAnswer()(answer.body)?.CommandResult.Url : undefined;
	const isRegion = Object.values(regions).some((region) => region.locatorUrl === locatorUrl);
	if (typeof url !== 'string' || url === '') {
		const field = isRegion ? 'Region' : 'Locator URL';
		throw createServerError(`The locator ${locatorUrl}`, field, answer);
	}
	const found = requireSecureUrl(FOUND_URL, url.trim());
	// Plain http is allowed only for this machine, which has no public name.
	if (isRegion && !isPublicName(found.hostname)) {
		throw new SessionError(
			`'${FOUND_URL}' must be a public address with https://, but it is ${quoteText(found.origin)}`,
		);
	}
	return found.origin;
}
