import {
	OperationalError,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
} from 'n8n-workflow';

import { login } from './login';
import { ownerOf, SessionRefusal, settingsOf, type Settings } from './settings';
import { startLimit } from './timeLimit';

/**
 * Asks for a session other than the one it names, by its `Authorization`, before this request.
 * `authenticate` takes it off: it never travels.
 */
export const RENEW_MARKER = 'x-corrigo-renew-session';
export const ANY_SESSION = 'any';

const MAX_MARGIN_MS = 60_000;
const MIN_LIFE_MS = 1000;
const MAX_SESSIONS_KEPT = 100;

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
const sessionEnded = (why: string) =>
	Object.assign(new OperationalError(`${SESSION_ENDED}: ${why}`), { response: { status: 401 } });

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
	if (credentials.issuedFor !== ownerOf(settings)) {
		throw sessionEnded('the credential was changed');
	}
	if (Date.now() >= Number(credentials.n8n_expires_at)) {
		throw sessionEnded('check the clock of this machine');
	}
	const baseUrl = String(credentials.baseUrl);
	keepAtHome(request, baseUrl, settings.locatorUrl);

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
function keepAtHome(request: IHttpRequestOptions, baseUrl: string, locatorUrl: string): void {
	const { url, uri } = request as { url?: unknown; uri?: unknown };
	const base = new URL(request.baseURL ?? baseUrl);
	const target = new URL(String(url ?? uri ?? ''), base);
	// HTTP clients join the two in ways of their own, so neither may be a stranger.
	for (const { origin } of [target, base]) {
		if (origin === baseUrl || origin === locatorUrl) continue;
		throw new SessionRefusal(
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
	const owner = ownerOf(settings);
	const place = placeOf(owner, credentials);
	const replacement = replacements.get(place);
	if (replacement !== undefined && Date.now() < replacement.n8n_expires_at) return replacement;

	let flight = flights.get(owner);
	if (flight === undefined) {
		const isProven = credentials.issuedFor === owner;
		flight = opened(helpers, settings, owner, isProven).finally(() => flights.delete(owner));
		flights.set(owner, flight);
	}
	const session = await flight;
	// Who has none is served by any.
	for (const each of [place, owner]) keep(each, session);
	return session;
}

async function opened(
	helpers: IHttpRequestHelper['helpers'],
	settings: Settings,
	owner: string,
	isProven: boolean,
): Promise<Session> {
	const { accessToken, baseUrl, askedAt, lifeMs } = await login(helpers, settings, isProven);
	return {
		accessToken,
		baseUrl,
		n8n_expires_at: Math.max(
			askedAt + lifeMs - Math.min(MAX_MARGIN_MS, lifeMs / 4),
			// However short it lives, and however long it took: one request can be sent with it.
			Date.now() + MIN_LIFE_MS,
		),
		issuedFor: owner,
	};
}

/** Which session is in hand; none that helps at first, and after the settings were edited. */
function placeOf(owner: string, held: ICredentialDataDecryptedObject): string {
	if (held.issuedFor !== owner) return owner;
	return JSON.stringify([owner, held.accessToken, held.baseUrl, held.n8n_expires_at]);
}

function keep(place: string, session: Session): void {
	replacements.delete(place);
	replacements.set(place, session);
	for (const oldest of replacements.keys()) {
		if (replacements.size <= MAX_SESSIONS_KEPT) break;
		replacements.delete(oldest);
	}
}
