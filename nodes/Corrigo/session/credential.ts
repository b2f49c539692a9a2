import { createHmac } from 'node:crypto';
import { WorkflowOperationError, type ICredentialDataDecryptedObject } from 'n8n-workflow';

import { regionsByName } from '../catalogue/regions';
import { isReadOnlyCommand, namesType } from '../catalogue/commands';
import { quoteText } from '../values/errors';
import { tryJson, findLostJson } from '../values/json';
import { toMessage } from '../values/lines';
import { isObject } from '../values/objects';

export interface Settings {
	locatorUrl: string;
	tokenUrl: string;
	companyName: string;
	clientId: string;
	clientSecret: string;
}

/** `credential` and `unavailable` mean that no session can be opened. */
export type SessionFailure = 'credential' | 'unavailable' | 'readOnly' | 'unsafe';

const ADVICE: Readonly<Record<SessionFailure, string>> = {
	credential: 'Open the Corrigo credential of this node and test it.',
	unavailable:
		'Try again later. If it happens every time, open the Corrigo credential of this node and test it.',
	readOnly:
		"The request was not sent. To write, set 'Access' of the credential to Full, or use another credential.",
	unsafe: 'The request was not sent. Change the address or the options of the node.',
};

/**
 * No session can be opened, or the request must not have one. The message names the field. n8n
 * replaces the error by its own, but passes the context of this type of error on.
 */
export class SessionError extends WorkflowOperationError {
	constructor(message: string, reason: SessionFailure = 'credential') {
		super(toMessage(message), undefined, ADVICE[reason]);
		this.context.reason = reason;
	}
}

/** n8n does not store the default value. A value from a newer version allows reading only. */
export const isReadOnlyAccess = ({ access }: ICredentialDataDecryptedObject): boolean =>
	access !== undefined && access !== 'full';

/** Secrets must be sent encrypted, unless they stay on this machine. */
export function requireSecureUrl(field: string, text: string): URL {
	const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
	if (!URL.canParse(withScheme)) {
		throw new SessionError(`'${field}' is not a web address: ${quoteText(text)}`);
	}
	const url = new URL(withScheme);
	if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)))
		return url;
	throw new SessionError(
		`'${field}' must start with https://, but it is ${quoteText(`${url.protocol}//${url.host}`)}`,
	);
}

function requireLine(label: string, input: unknown): string {
	const value = String(input ?? '').trim();
	if (value === '') throw new SessionError(`'${label}' is empty in the Corrigo credential`);
	if (!/[\r\n]/.test(value)) return value;
	throw new SessionError(`'${label}' has a line break in it in the Corrigo credential`);
}

/** n8n silently drops other characters from headers, which could leave another Company's name. */
function requireLatin1(label: string, value: string): string {
	if (/^[\x20-\x7e\xa0-\xff]*$/.test(value)) return value;
	throw new SessionError(
		`'${label}' is ${quoteText(value)}, which has characters that cannot be sent to Corrigo: those of Western European languages can`,
	);
}

/** People follow the links that begin with it, so a typing error must show before the first one. */
export function readWebAddress({ webAddress }: ICredentialDataDecryptedObject): string {
	const given = String(webAddress ?? '').trim();
	if (given === '') return '';
	const { hostname, href, origin } = requireSecureUrl('Web Address', given);
	const isHost = hostname.includes('.') || isLoopback(hostname);
	if (isHost && href === `${origin}/`) return origin;
	throw new SessionError(
		`'Web Address' must be a whole address without a page, such as https://example.corrigo.com, but it is ${quoteText(given)}`,
	);
}

export function readCredential(credentials: ICredentialDataDecryptedObject): Settings {
	const { tokenUrl, companyName, clientId, clientSecret } = credentials;
	readWebAddress(credentials);
	const token = requireSecureUrl('Token Server URL', requireLine('Token Server URL', tokenUrl));
	return {
		locatorUrl: readLocatorUrl(credentials),
		tokenUrl: token.origin + token.pathname.replace(/\/+$/, '').replace(/\/OAuth\/token$/i, ''),
		companyName: requireLatin1('Company Name', requireLine('Company Name', companyName)),
		clientId: requireLine('Client ID', clientId),
		clientSecret: requireLine('Client Secret', clientSecret),
	};
}

/** Equal IDs and versions in another Company, such as a copy for tests, mean other records. */
export const identifyCompany = ({
	locatorUrl,
	companyName,
}: Pick<Settings, 'locatorUrl' | 'companyName'>): string =>
	JSON.stringify([new URL(locatorUrl).hostname, companyName]);

export function readLocatorUrl({ region, locatorUrl }: ICredentialDataDecryptedObject): string {
	if (region === 'custom') {
		return requireSecureUrl('Locator URL', requireLine('Locator URL', locatorUrl)).origin;
	}
	const known = regionsByName[String(region)];
	if (known === undefined)
		throw new SessionError(`'Region' is unknown: ${quoteText(String(region))}`);
	return known.locatorUrl;
}

/** Ties a session to all settings, because a stored token must not be used after one is edited. */
export const digestSettings = (settings: Settings) =>
	createHmac('sha256', settings.clientSecret)
		.update(JSON.stringify({ ...settings, clientSecret: undefined }))
		.digest('hex');

export const isLoopback = (hostname: string) =>
	hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);

/** A request before it is sent, in the format of any of n8n's helpers. */
export type OutgoingRequest = Partial<
	Record<
		| ('method' | 'baseURL' | 'url' | 'uri' | 'qs' | 'headers' | 'body' | 'form' | 'formData')
		| ('proxy' | 'rejectUnauthorized' | 'skipSslCertificateValidation' | 'agentOptions'),
		unknown
	>
>;

/**
 * Objects of expressions can become another text, or another JSON, each time they are read, so the
 * request keeps what they are now: what is judged is what is sent.
 */
export function pinRequest(request: OutgoingRequest): void {
	for (const name of ['method', 'baseURL', 'url', 'uri'] as const) {
		if (request[name] !== undefined) request[name] = String(request[name]);
	}
	for (const name of ['headers', 'qs'] as const) {
		if (isPlain(request[name])) request[name] = { ...request[name] };
	}
	if (isPlain(request.body)) request.body = JSON.parse(JSON.stringify(request.body) ?? 'null');
}

/** Client certificates, and a certificate authority, which counts for the host alone. */
const TLS_OPTIONS = ['cert', 'key', 'passphrase', 'ca'];

/**
 * The token goes to the host of the Company only, whatever the request asks for, such as the address,
 * the *Proxy* and *Ignore SSL Issues* of the HTTP Request node. Proxies of the environment belong to
 * those who run n8n.
 */
export function requireConfidential(
	request: OutgoingRequest,
	baseUrl: string,
	otherOrigins: readonly string[],
): void {
	const { baseURL = baseUrl, url, uri, headers, proxy, agentOptions } = request;
	const refuse = (reason: string) => {
		throw new SessionError(`This Corrigo credential is for ${baseUrl}, but ${reason}`, 'unsafe');
	};
	const base = new URL(String(baseURL));
	const target = new URL(String(url ?? uri ?? ''), base);
	// HTTP clients join URL and base URL in different ways, so both are checked.
	for (const { origin } of [target, base]) {
		if (origin !== baseUrl && !otherOrigins.includes(origin)) {
			refuse(`the request goes to ${origin}`);
		}
	}
	// A server in front of several hosts passes a request on by this header.
	for (const [name, value] of Object.entries(headers ?? {})) {
		if (/^host$/i.test(name) && value !== target.host) refuse("the request has another 'Host'");
	}
	const options = Object.keys(agentOptions ?? {});
	if (options.some((name) => !TLS_OPTIONS.includes(name))) {
		refuse('the request changes how n8n connects to it');
	}
	const isEncrypted = target.protocol === 'https:';
	const isUnchecked =
		request.rejectUnauthorized === false || Boolean(request.skipSslCertificateValidation);
	if (isEncrypted && isUnchecked) {
		refuse("'Ignore SSL Issues' would let others read the token");
	}
	// An encrypted request passes through a proxy unread, unless the request itself trusts the proxy.
	if (Boolean(proxy) && (!isEncrypted || options.includes('ca'))) {
		refuse("the 'Proxy' of the request could read the token");
	}
}

/**
 * A server may take an unknown header or query parameter for another method or address, so only
 * these are known to leave a request as it is.
 */
const KNOWN_HEADERS = new Set([
	...['accept', 'accept-charset', 'accept-encoding', 'accept-language', 'cache-control', 'pragma'],
	...['content-type', 'if-modified-since', 'if-none-match', 'user-agent'],
	...['authorization', 'companyname', 'dataretrievalisolationlevel'],
	...['traceparent', 'tracestate', 'x-correlation-id', 'x-request-id'],
]);
const KNOWN_PARAMETERS = ['id', 'properties'];

/** Anything else is turned into a text in ways of its own. */
const SCALARS = ['string', 'number', 'boolean', 'undefined'];

/** Servers read encoded characters and empty segments differently, so only plain paths count. */
const PLAIN_PATH = /^(\/[\w.~-]+)+$/;

const RECORD = /^\/api\/v1\/base\/\w+(\/\d+)?$/i;
const API = /^\/api\/v1\/(query|cmd)\/(\w+)$/i;

const QUERY_MEMBERS: readonly string[] = ['QueryExpression'];

/** A request that is not known to only read counts as a write. It must have been pinned. */
export function isReadRequest(request: OutgoingRequest): boolean {
	const { method, qs = {}, headers = {}, body, form, formData } = request;
	const addresses = [request.url, request.uri].filter((one) => one !== undefined).map(parseAddress);
	const [address] = addresses;
	if (addresses.length !== 1 || address === undefined || !isOrigin(request.baseURL)) return false;
	const isForm = form !== undefined || formData !== undefined;
	if (!isPlain(qs) || !isPlain(headers) || isForm) return false;
	const parameters = [...address.parameters, ...Object.keys(qs)];
	if (!Object.keys(headers).every((name) => KNOWN_HEADERS.has(name.toLowerCase()))) return false;

	switch (getMethod(method)) {
		case 'GET':
			return (
				RECORD.test(address.path) &&
				isEmpty(body) &&
				parameters.every((name) => KNOWN_PARAMETERS.includes(name.toLowerCase())) &&
				Object.values(qs).every((value) => SCALARS.includes(typeof value))
			);
		case 'POST': {
			const [, family, name] = API.exec(address.path) ?? [];
			if (name === undefined || parameters.length > 0) return false;
			const sent = readSentJson(headers, body);
			if (!isPlain(sent)) return false;
			if (family.toLowerCase() !== 'query') return isReadOnlyCommand(name, sent);
			return !namesType(sent) && Object.keys(sent).every((one) => QUERY_MEMBERS.includes(one));
		}
		default:
			return false;
	}
}

/** Returns "POST /api/v1/cmd/WoCancelCommand", or only the method if the address is not plain. */
export function toRequestLine({ method, url, uri }: OutgoingRequest): string {
	const { path = '' } = parseAddress(url ?? uri) ?? {};
	return `${getMethod(method)} ${path}`.trim();
}

const getMethod = (method: unknown) => String(method ?? 'GET').toUpperCase();

const isEmpty = (body: unknown) =>
	body === undefined || body === '' || (isPlain(body) && Object.keys(body).length === 0);

/** Forms and streams are not sent the way they look, so only plain objects can be judged. */
function isPlain(value: unknown): value is object {
	if (!isObject(value)) return false;
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Sent as anything but JSON, a body may mean something else. An object is JSON unless a header says otherwise. */
function readSentJson(headers: object, body: unknown): unknown {
	const types = Object.entries(headers).filter(([name]) => /^content-type$/i.test(name));
	const isJson = types.every(
		([, type]) => typeof type === 'string' && /^application\/json(;\s*charset=utf-8)?$/i.test(type),
	);
	if (!isJson || types.length > 1) return undefined;
	if (typeof body === 'string') return types.length === 1 ? readJson(body) : undefined;
	return body === undefined ? {} : body;
}

/** Servers differ in what they make of repeated names, and of what is not JSON. */
function readJson(text: string): unknown {
	const parsed = tryJson(text);
	return text.trim() !== '' && 'value' in parsed && findLostJson(text) === undefined
		? parsed.value
		: undefined;
}

const isOrigin = (base: unknown) =>
	base === undefined || /^https?:\/\/[^/?#\\]+\/?$/i.test(String(base));

function parseAddress(url: unknown): { path: string; parameters: string[] } | undefined {
	const text = String(url);
	const [path, query = '', ...more] = text.replace(/^https?:\/\/[^/?#\\]+/i, '').split('?');
	// Clients remove control characters and never send the part after a hash.
	if (more.length > 0 || /[\p{Cc}#]/u.test(text) || !PLAIN_PATH.test(path)) return undefined;
	return { path, parameters: [...new URLSearchParams(query).keys()] };
}
