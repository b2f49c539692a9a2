import {
	OperationalError,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
} from 'n8n-workflow';

import { login } from './login';
import { settingsDigest, SessionError, settingsOf, type Settings } from './settings';
import { startLimit } from './timeLimit';

/**
 * Asks for a session other than the one it names, by its `Authorization`, before this request.
 * `authenticate` takes it off: it never travels.
 */
export const RENEW_MARKER = 'x-corrigo-renew-session';
export const ANY_SESSION = 'any';

const MAX_RENEWAL_MARGIN_MS = 60_000;
const MIN_LIFETIME_MS = 1000;
const MAX_REPLACEMENTS = 100;

/** What n8n stores with the credential, in its hidden fields. */
export interface Session extends IDataObject {
	accessToken: string;
	baseUrl: string;
	/** When to renew: a little before the token ends. */
	n8n_expires_at: number;
	issuedFor: string;
}

/** How the transport tells it from what happens to a request on its way. */
export const SESSION_ENDED = 'The Corrigo session has ended';

/**
 * n8n opens a new session when an error looks like a 401 answer, and it also looks at errors of
 * `authenticate`. So a session that is known to have ended is renewed before anything is sent.
 */
const sessionEnded = (reason: string) =>
	Object.assign(new OperationalError(`${SESSION_ENDED}: ${reason}`), { response: { status: 401 } });

/** Puts the session on a request, or has n8n renew it first. */
export function authenticate(
	credentials: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): IHttpRequestOptions {
	const headers = (request.headers ??= {});
	const bearer = `Bearer ${String(credentials.accessToken)}`;
	const refused = headers[RENEW_MARKER];
	// n8n hands over the same object again after the renewal.
	delete headers[RENEW_MARKER];
	if (refused === bearer || refused === ANY_SESSION) throw sessionEnded('it was not accepted');

	const settings = settingsOf(credentials);
	if (credentials.issuedFor !== settingsDigest(settings)) {
		throw sessionEnded('the credential was changed');
	}
	if (Date.now() >= Number(credentials.n8n_expires_at)) {
		throw sessionEnded('check the clock of this machine');
	}
	const baseUrl = String(credentials.baseUrl);
	checkOrigin(request, baseUrl, settings.locatorUrl);

	request.baseURL ??= baseUrl;
	headers.Authorization = bearer;
	headers.CompanyName = settings.companyName;
	startLimit(request);
	return Object.assign(request, NO_REDIRECTS);
}

/** Hosts send the token along to wherever an answer points. The names are those of both their helpers. */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

/** An absolute address, from the HTTP Request node for example, must not carry the token elsewhere. */
function checkOrigin(request: IHttpRequestOptions, baseUrl: string, locatorUrl: string): void {
	const { url, uri } = request as { url?: unknown; uri?: unknown };
	const base = new URL(request.baseURL ?? baseUrl);
	const target = new URL(String(url ?? uri ?? ''), base);
	// HTTP clients join the two in ways of their own, so neither may be a stranger.
	for (const { origin } of [target, base]) {
		if (origin === baseUrl || origin === locatorUrl) continue;
		throw new SessionError(
			`This Corrigo credential is for ${baseUrl}, but the request goes to ${origin}`,
		);
	}
}

/** Single flight: who asks while a session is being opened waits for that one. */
const flights = new Map<string, Promise<Session>>();
/** The sessions opened here, by what each was opened in place of. */
const replacements = new Map<string, Session>();

/**
 * Opens a session: a token, and the host to use it at. However many requests ask at once, one is
 * opened; a request that comes late with the session before gets the one opened in its place. No
 * other will do: what this worker and another opened at the same time may have ended together.
 */
export async function openSession(
	helpers: IHttpRequestHelper['helpers'],
	credentials: ICredentialDataDecryptedObject,
): Promise<Session> {
	const settings = settingsOf(credentials);
	const digest = settingsDigest(settings);
	const key = replacementKey(digest, credentials);
	const replacement = replacements.get(key);
	if (replacement !== undefined && Date.now() < replacement.n8n_expires_at) return replacement;

	let flight = flights.get(digest);
	if (flight === undefined) {
		const isProven = credentials.issuedFor === digest;
		flight = open(helpers, settings, digest, isProven).finally(() => flights.delete(digest));
		flights.set(digest, flight);
	}
	const session = await flight;
	// Who has none is served by any.
	for (const each of [key, digest]) remember(each, session);
	return session;
}

async function open(
	helpers: IHttpRequestHelper['helpers'],
	settings: Settings,
	digest: string,
	isProven: boolean,
): Promise<Session> {
	const { accessToken, baseUrl, requestedAt, lifetimeMs } = await login(
		helpers,
		settings,
		isProven,
	);
	return {
		accessToken,
		baseUrl,
		n8n_expires_at: Math.max(
			requestedAt + lifetimeMs - Math.min(MAX_RENEWAL_MARGIN_MS, lifetimeMs / 4),
			// However short it lives, and however long it took: one request can be sent with it.
			Date.now() + MIN_LIFETIME_MS,
		),
		issuedFor: digest,
	};
}

/** Which session is in hand; none that helps at first, and after the settings were edited. */
function replacementKey(digest: string, credentials: ICredentialDataDecryptedObject): string {
	if (credentials.issuedFor !== digest) return digest;
	return JSON.stringify([
		digest,
		credentials.accessToken,
		credentials.baseUrl,
		credentials.n8n_expires_at,
	]);
}

function remember(key: string, session: Session): void {
	replacements.delete(key);
	replacements.set(key, session);
	for (const oldest of replacements.keys()) {
		if (replacements.size <= MAX_REPLACEMENTS) break;
		replacements.delete(oldest);
	}
}
