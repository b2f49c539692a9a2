import { createHmac } from 'node:crypto';
import {
	OperationalError,
	UserError,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
} from 'n8n-workflow';

import { regions, type RegionName } from '../catalogue/regions';
import { commandAnswerOf } from '../protocol/answers';
import { isObject } from '../protocol/checks';
import { DISCOVERY_PATH, discoveryBody } from '../protocol/requests';

/**
 * Asks for a session other than the one it names, by its `Authorization`, before this request.
 * `authenticate` takes it off: it never travels.
 */
export const RENEW_MARKER = 'x-corrigo-renew-session';
export const ANY_SESSION = 'any';

const DEFAULT_LIFE_SECONDS = 20 * 60;
const LONGEST_MARGIN_MS = 60_000;
const SESSION_TIMEOUT_MS = 60_000;
const MOST_SESSIONS_KEPT = 100;

interface Settings {
	locatorUrl: string;
	tokenUrl: string;
	companyName: string;
	clientId: string;
	clientSecret: string;
}

/** What n8n stores with the credential, in its hidden fields. */
export interface Session extends IDataObject {
	accessToken: string;
	baseUrl: string;
	/** When to renew: a little before the token ends. */
	n8n_expires_at: number;
	issuedFor: string;
}

/** How the transport knows these apart from what happens to a request on its way. */
export const SESSION_HINT = 'Open the Corrigo credential of this node and test it.';
export const SESSION_ENDED = 'The Corrigo session has ended';

/** No session could be opened, or the request must not have one. The text names the field to look at. */
export class SessionRefusal extends UserError {
	constructor(message: string) {
		super(message, { description: SESSION_HINT });
	}
}

export const loopback = (hostname: string) =>
	hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);

/** Secrets travel encrypted, or not beyond this machine. */
function secureUrl(field: string, text: string): URL {
	const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
	if (!URL.canParse(withScheme)) {
		throw new SessionRefusal(`'${field}' is not a web address: "${text}"`);
	}
	const url = new URL(withScheme);
	if (url.protocol === 'https:' || (url.protocol === 'http:' && loopback(url.hostname))) return url;
	throw new SessionRefusal(
		`'${field}' must start with https://, but it is "${url.protocol}//${url.host}"`,
	);
}

function settingsOf(credentials: ICredentialDataDecryptedObject): Settings {
	const text = (name: string, label: string) => {
		const value = String(credentials[name] ?? '').trim();
		if (value === '') throw new SessionRefusal(`'${label}' is empty in the Corrigo credential`);
		return value;
	};
	const token = secureUrl('Token Server URL', text('tokenUrl', 'Token Server URL'));
	return {
		locatorUrl: locatorOf(credentials),
		tokenUrl: token.origin + token.pathname.replace(/\/+$/, '').replace(/\/OAuth\/token$/i, ''),
		companyName: text('companyName', 'Company Name'),
		clientId: text('clientId', 'Client ID'),
		clientSecret: text('clientSecret', 'Client Secret'),
	};
}

export function locatorOf({ region, locatorUrl }: ICredentialDataDecryptedObject): string {
	if (region !== 'custom') {
		const known = regions[region as RegionName];
		if (known === undefined) throw new SessionRefusal(`'Region' is unknown: "${String(region)}"`);
		return known.locatorUrl;
	}
	const own = String(locatorUrl ?? '').trim();
	if (own === '') throw new SessionRefusal("'Locator URL' is empty in the Corrigo credential");
	return secureUrl('Locator URL', own).origin;
}

/**
 * Ties a session to every setting it was opened with: when one is edited, the secret included,
 * the stored token must not serve any longer.
 */
const ownerOf = (settings: Settings) =>
	createHmac('sha256', settings.clientSecret)
		.update(JSON.stringify({ ...settings, clientSecret: undefined }))
		.digest('hex');

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
		flight = requestSession(helpers, settings, owner, isProven).finally(() =>
			flights.delete(owner),
		);
		flights.set(owner, flight);
	}
	const session = await flight;
	// Who has none is served by any.
	for (const each of [place, owner]) keep(each, session);
	return session;
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
		if (replacements.size <= MOST_SESSIONS_KEPT) break;
		replacements.delete(oldest);
	}
}

async function requestSession(
	helpers: IHttpRequestHelper['helpers'],
	settings: Settings,
	owner: string,
	isProven: boolean,
): Promise<Session> {
	for (let tries = isProven ? 1 : 2; ; tries++) {
		const askedAt = Date.now();
		const { accessToken, lifeMs } = await requestToken(helpers, settings);
		const answer = await askForHost(helpers, settings, accessToken);
		// Where the settings are proven, all tokens were revoked just now, this one with them.
		if (refusesToken(answer) && tries === 1) continue;
		return {
			accessToken,
			baseUrl: hostIn(answer, settings),
			n8n_expires_at: askedAt + lifeMs - Math.min(LONGEST_MARGIN_MS, lifeMs / 4),
			issuedFor: owner,
		};
	}
}

interface PlainAnswer {
	status: number;
	body: unknown;
}

/**
 * A fault without an answer comes back as status 0: the error itself holds the whole request,
 * secret and all, and n8n would take a `response` in it for a reason to ask once more.
 */
async function ask(
	helpers: IHttpRequestHelper['helpers'],
	request: IHttpRequestOptions,
): Promise<PlainAnswer> {
	const options: IHttpRequestOptions = {
		...request,
		method: 'POST',
		json: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: SESSION_TIMEOUT_MS,
	};
	return await (
		helpers.httpRequest(options) as Promise<{ statusCode: number; body: unknown }>
	).then(
		({ statusCode, body }) => ({ status: statusCode, body }),
		({ code }: { code?: unknown }) => ({ status: 0, body: typeof code === 'string' ? code : '' }),
	);
}

/** In words: n8n replaces a message that holds one of these codes by a general one. */
const NETWORK_WORDS: Record<string, string> = {
	ECONNREFUSED: 'the connection was refused',
	ENOTFOUND: 'there is no such host',
	EAI_AGAIN: 'the name of the host cannot be looked up',
	ECONNRESET: 'the connection was broken',
	ECONNABORTED: 'no answer in time',
	ETIMEDOUT: 'no answer in time',
};

const isRefusal = ({ status }: PlainAnswer) => status >= 400 && status < 404;

function unusable(what: string, field: string, { status, body }: PlainAnswer): SessionRefusal {
	if (status === 0) {
		const why = NETWORK_WORDS[String(body)] ?? 'no connection';
		return new SessionRefusal(
			`${what} cannot be reached (${why}): check '${field}' and the network`,
		);
	}
	if (status === 429 || status >= 500) {
		return new SessionRefusal(
			`${what} is not available right now (status ${status}): try again later`,
		);
	}
	return new SessionRefusal(
		`${what} gave an unexpected answer (status ${status}): check '${field}'`,
	);
}

async function requestToken(helpers: IHttpRequestHelper['helpers'], settings: Settings) {
	const answer = await ask(helpers, {
		url: `${settings.tokenUrl}/OAuth/token`,
		headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
		body: new URLSearchParams({
			grant_type: 'client_credentials',
			client_id: settings.clientId,
			client_secret: settings.clientSecret,
		}).toString(),
	});
	if (isRefusal(answer)) {
		throw new SessionRefusal(
			"Corrigo did not accept the credentials: check 'Client ID' and 'Client Secret'",
		);
	}
	const { access_token: accessToken, expires_in: expiresIn } = isObject(answer.body)
		? answer.body
		: {};
	if (answer.status !== 200 || typeof accessToken !== 'string' || accessToken === '') {
		throw unusable(`The token server ${settings.tokenUrl}`, 'Token Server URL', answer);
	}
	const seconds = Number(expiresIn) > 0 ? Number(expiresIn) : DEFAULT_LIFE_SECONDS;
	return { accessToken, lifeMs: seconds * 1000 };
}

const locatorField = (locatorUrl: string) =>
	Object.values(regions).some((region) => region.locatorUrl === locatorUrl)
		? 'Region'
		: 'Locator URL';

async function askForHost(
	helpers: IHttpRequestHelper['helpers'],
	{ locatorUrl, companyName }: Settings,
	accessToken: string,
): Promise<PlainAnswer> {
	return await ask(helpers, {
		url: locatorUrl + DISCOVERY_PATH,
		headers: { Authorization: `Bearer ${accessToken}`, CompanyName: companyName },
		body: discoveryBody(companyName),
	});
}

const refusesToken = (answer: PlainAnswer) => isRefusal(answer) && answer.status !== 400;

function hostIn(answer: PlainAnswer, { locatorUrl, companyName }: Settings): string {
	if (answer.status === 400) {
		throw new SessionRefusal(
			`Corrigo does not know the Company "${companyName}" in this region: check 'Company Name' (capital letters count) and 'Region'`,
		);
	}
	if (refusesToken(answer)) {
		throw new SessionRefusal(
			"Corrigo did not accept the token at the locator of this region: check 'Region' and 'Token Server URL'",
		);
	}
	const url = answer.status === 200 ? commandAnswerOf(answer.body)?.CommandResult.Url : undefined;
	if (typeof url !== 'string' || url === '') {
		throw unusable(`The locator ${locatorUrl}`, locatorField(locatorUrl), answer);
	}
	return secureUrl('Url of the Company, as the locator gave it,', url).origin;
}
