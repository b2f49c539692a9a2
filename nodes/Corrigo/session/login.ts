import { sleep, type IHttpRequestHelper, type IHttpRequestOptions } from 'n8n-workflow';

import { regions } from '../catalogue/regions';
import { isObject } from '../values/objects';
import { judge, MAX_RENEWALS, unwrapCommandAnswer, type Reply } from '../wire/answers';
import { buildDiscoveryRequest } from '../wire/requests';
import { isPublicName } from './addresses';
import { requireSecureUrl, SessionError, type Settings } from './credential';
import { sendPlain } from './timeLimit';

const DEFAULT_LIFETIME_SECONDS = 20 * 60;
const MAX_LIFETIME_SECONDS = 24 * 60 * 60;
const SESSION_TIMEOUT_MS = 60_000;

/** Requests a token from the token server, then the host of the Company from the locator. */
export async function logIn(
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
	const answer = await sendPlain(
		helpers,
		options,
		SESSION_TIMEOUT_MS,
		({ statusCode, body, headers }) => ({
			status: statusCode,
			body,
			retryAfter: String(headers?.['retry-after'] ?? ''),
		}),
	);
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
const NETWORK_WORDS: Record<string, string> = {
	ECONNREFUSED: 'the connection was refused',
	ENOTFOUND: 'there is no such host',
	EAI_AGAIN: 'the name of the host cannot be looked up',
	ECONNRESET: 'the connection was broken',
	ECONNABORTED: 'no answer in time',
	ETIMEDOUT: 'no answer in time',
};

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
			`Corrigo does not know the Company "${companyName}" in this region: check 'Company Name' (it is case-sensitive) and 'Region'`,
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
			`'${FOUND_URL}' must be a public address with https://, but it is "${found.origin}"`,
		);
	}
	return found.origin;
}
