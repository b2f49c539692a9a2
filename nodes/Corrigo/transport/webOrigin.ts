import { requireSecureUrl } from '../session/settings';
import type { Caller } from './send';

/** People may open Corrigo at another host than programs; both are known once a session was opened. */
export async function readWebOrigin(caller: Caller): Promise<string> {
	const { webAddress, baseUrl } = await caller.getCredentials('corrigoApi');
	const given = String(webAddress ?? '').trim();
	return given === '' ? String(baseUrl ?? '') : requireSecureUrl('Web Address', given).origin;
}
