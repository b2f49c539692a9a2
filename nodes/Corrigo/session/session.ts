import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import {
	isReadRequest,
	pinRequest,
	requireConfidential,
	toRequestLine,
	isReadOnlyAccess,
	SessionError,
	digestSettings,
	readCredential,
} from './credential';
import { isLimited, startLimit } from './exchange';

/**
 * This header holds the `Authorization` of a refused session and asks for a new session.
 * `authenticate` removes it before the request is sent.
 */
export const RENEW_MARKER = 'x-corrigo-renew-session';
export const ANY_SESSION = 'any';

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
	const refused = request.headers?.[RENEW_MARKER];
	// n8n passes the same object again after the renewal.
	delete request.headers?.[RENEW_MARKER];
	pinRequest(request);
	const headers = (request.headers ??= {});
	const bearer = `Bearer ${String(credentials.accessToken)}`;
	const reads = isReadRequest(request);
	if (isReadOnlyAccess(credentials) && !reads) {
		throw new SessionError(
			`'Access' of the Corrigo credential is Read Only, but ${toRequestLine(request)} could write`,
			'readOnly',
		);
	}
	if (refused === bearer || refused === ANY_SESSION) throw createEndedError('it was not accepted');

	const settings = readCredential(credentials);
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

export const doubts = new WriteDoubts();

/** n8n would send the token to any redirect target. Its two helpers use different option names. */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};
