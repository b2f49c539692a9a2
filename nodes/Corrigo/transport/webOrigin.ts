import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { requireSecureUrl } from '../session/settings';
import type { Caller } from './send';

/** People may open Corrigo at another host than programs; both are known once a session was opened. */
export async function readWebOrigin(
	caller: Caller,
	/** The credential as it was read earlier: reading it costs n8n time. */
	known: ICredentialDataDecryptedObject = {},
): Promise<string> {
	const isKnown = Boolean(known.webAddress) || Boolean(known.baseUrl);
	const { webAddress, baseUrl } = isKnown ? known : await caller.getCredentials('corrigoApi');
	const given = String(webAddress ?? '').trim();
	return given === '' ? String(baseUrl ?? '') : requireSecureUrl('Web Address', given).origin;
}
