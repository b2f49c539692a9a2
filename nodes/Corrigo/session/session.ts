import {
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
} from 'n8n-workflow';

import { remember } from '../values/cache';
import {
	isReadRequest,
	requireConfidential,
	toRequestLine,
	isReadOnly,
	SessionError,
	digestSettings,
	readSettings,
	type Settings,
} from './credential';
import { logIn } from './login';
import { isLimited, startLimit } from './timeLimit';

/**
 * This header holds the `Authorization` of a refused session and asks for a new session.
 * `authenticate` removes it before the request is sent.
 */
export const RENEW_MARKER = 'x-corrigo-renew-session';
export const ANY_SESSION = 'any';

const MAX_RENEWAL_MARGIN_MS = 60_000;
const MIN_LIFETIME_MS = 1000;
const MAX_REPLACEMENTS = 100;

/** n8n stores the session in hidden fields of the credential. */
export interface Session extends IDataObject {
	accessToken: string;
	baseUrl: string;
	/** Time at which n8n renews the session, shortly before the token expires. */
	n8n_expires_at: number;
	issuedFor: string;
}

/**
 * n8n opens a new session when an error looks like a 401 answer, even if `authenticate` throws it.
 * Therefore, a session that is known to have ended is renewed before anything is sent.
 */
const createEndedError = (reason: string) =>
	Object.assign(new SessionError(`The Corrigo session has ended: ${reason}`), {
		response: { status: 401 },
	});

/**
 * Adds the session to a request, or makes n8n renew it first. A request that could write needs full
 * access, no matter which node sends it.
 */
export function authenticate(
	credentials: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): IHttpRequestOptions {
	const headers = (request.headers ??= {});
	const bearer = `Bearer ${String(credentials.accessToken)}`;
	const refused = headers[RENEW_MARKER];
	// n8n passes the same object again after the renewal.
	delete headers[RENEW_MARKER];
	const reads = isReadRequest(request);
	if (isReadOnly(credentials) && !reads) {
		throw new SessionError(
			`'Access' of the Corrigo credential is Read Only, but ${toRequestLine(request)} could write`,
			'readOnly',
		);
	}
	if (refused === bearer || refused === ANY_SESSION) throw createEndedError('it was not accepted');

	const settings = readSettings(credentials);
	if (credentials.issuedFor !== digestSettings(settings)) {
		throw createEndedError('the credential was changed');
	}
	if (doubts.takeRenewal(credentials)) throw createEndedError('a write with it failed');
	if (Date.now() >= Number(credentials.n8n_expires_at)) {
		throw createEndedError('check the clock of this machine');
	}
	const baseUrl = String(credentials.baseUrl);
	// Only this package asks the locator.
	requireConfidential(request, baseUrl, isLimited(request) ? [settings.locatorUrl] : []);

	if (!reads) doubts.noteWrite(credentials);
	request.baseURL ??= baseUrl;
	headers.Authorization = bearer;
	headers.CompanyName = settings.companyName;
	startLimit(request);
	return Object.assign(request, NO_REDIRECTS);
}

const MIN_DOUBT_MS = 60_000;

/**
 * The helper of n8n's HTTP Request node answers every failure with a renewal and sends the same
 * request again. A write gets no renewal there, so n8n reports its failure instead. Its session may
 * have been the cause: the next request renews it, at most once a minute.
 */
class WriteDoubts {
	/** n8n passes an object of its own for each request. */
	private readonly written = new WeakSet<ICredentialDataDecryptedObject>();
	private readonly failed = new Set<unknown>();
	private readonly renewals = new Map<unknown, number>();

	noteWrite(credentials: ICredentialDataDecryptedObject): void {
		this.written.add(credentials);
	}

	/** Returns true if the renewal is asked for because a write has failed. */
	hasFailed(credentials: ICredentialDataDecryptedObject): boolean {
		if (!this.written.has(credentials)) return false;
		this.failed.add(credentials.accessToken);
		return true;
	}

	takeRenewal({ accessToken, issuedFor }: ICredentialDataDecryptedObject): boolean {
		if (!this.failed.delete(accessToken)) return false;
		const now = performance.now();
		if (now - (this.renewals.get(issuedFor) ?? -Infinity) < MIN_DOUBT_MS) return false;
		this.renewals.set(issuedFor, now);
		return true;
	}
}

const doubts = new WriteDoubts();

/** Opens a session if n8n asks for one; n8n takes an answer without a token as nothing to renew. */
export const preAuthenticate = async (
	helpers: IHttpRequestHelper['helpers'],
	credentials: ICredentialDataDecryptedObject,
): Promise<IDataObject> =>
	doubts.hasFailed(credentials) ? {} : await openSession(helpers, credentials);

/** n8n would send the token to any redirect target. Its two helpers use different option names. */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

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
	const settings = readSettings(credentials);
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
