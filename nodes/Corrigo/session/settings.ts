import { createHmac } from 'node:crypto';
import { WorkflowOperationError, type ICredentialDataDecryptedObject } from 'n8n-workflow';

import { regions, type RegionName } from '../catalogue/regions';

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
		"Nothing was sent. To write, set 'Access' of the credential to Full, or use another credential.",
	unsafe: 'Nothing was sent. Change the address or the options of the node.',
};

/**
 * No session can be opened, or the request must not have one. The message names the field. n8n
 * replaces the error by its own, but passes the context of this type of error on.
 */
export class SessionError extends WorkflowOperationError {
	constructor(message: string, reason: SessionFailure = 'credential') {
		super(message, undefined, ADVICE[reason]);
		this.context.reason = reason;
	}
}

/** n8n does not store the default value. A value from a newer version allows reading only. */
export const isReadOnly = ({ access }: ICredentialDataDecryptedObject): boolean =>
	access !== undefined && access !== 'full';

/** Secrets must be sent encrypted, unless they stay on this machine. */
export function requireSecureUrl(field: string, text: string): URL {
	const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
	if (!URL.canParse(withScheme)) {
		throw new SessionError(`'${field}' is not a web address: "${text}"`);
	}
	const url = new URL(withScheme);
	if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)))
		return url;
	throw new SessionError(
		`'${field}' must start with https://, but it is "${url.protocol}//${url.host}"`,
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
		`'${label}' is ${JSON.stringify(value)}, which has characters that cannot be sent to Corrigo: those of Western European languages can`,
	);
}

export function readSettings(credentials: ICredentialDataDecryptedObject): Settings {
	const { tokenUrl, companyName, clientId, clientSecret } = credentials;
	const token = requireSecureUrl('Token Server URL', requireLine('Token Server URL', tokenUrl));
	return {
		locatorUrl: readLocatorUrl(credentials),
		tokenUrl: token.origin + token.pathname.replace(/\/+$/, '').replace(/\/OAuth\/token$/i, ''),
		companyName: requireLatin1('Company Name', requireLine('Company Name', companyName)),
		clientId: requireLine('Client ID', clientId),
		clientSecret: requireLine('Client Secret', clientSecret),
	};
}

export function readLocatorUrl({ region, locatorUrl }: ICredentialDataDecryptedObject): string {
	if (region === 'custom') {
		return requireSecureUrl('Locator URL', requireLine('Locator URL', locatorUrl)).origin;
	}
	const known = regions[region as RegionName];
	if (known === undefined) throw new SessionError(`'Region' is unknown: "${String(region)}"`);
	return known.locatorUrl;
}

/** Ties a session to all settings, because a stored token must not be used after one is edited. */
export const digestSettings = (settings: Settings) =>
	createHmac('sha256', settings.clientSecret)
		.update(JSON.stringify({ ...settings, clientSecret: undefined }))
		.digest('hex');
export const isLoopback = (hostname: string) =>
	hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
