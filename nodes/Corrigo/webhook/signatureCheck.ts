import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { isBlank, ValidationError, parseChoice } from '../values/checks';
import type { TriggerContext } from '../trigger/context';
import { getForm } from '../trigger/plan/form';
import { ALGORITHMS, ENCODINGS, type Signing } from './signature';

/** `off` checks no signature; `learn` reports which way of signing fits. */
export type SignatureCheck = 'learn' | 'off' | Signing;

export function readSignatureCheck(caller: TriggerContext): SignatureCheck {
	const form = getForm(caller);
	const check = parseChoice('Signature', form.param('signature', 'off'), ['hmac', 'learn', 'off']);
	if (check !== 'hmac') return check;
	return {
		header: requireHeader(form.text('signatureHeader')),
		algorithm: parseChoice('Algorithm', form.param('signatureAlgorithm', 'sha256'), ALGORITHMS),
		encoding: parseChoice('Encoding', form.param('signatureEncoding', 'hex'), ENCODINGS),
	};
}

function requireHeader(header: string): string {
	const advice =
		"Set 'Signature' to Learn and listen for a test event to find out which one it is.";
	if (header === '') throw new ValidationError("'Header' is empty", advice);
	if (/^[\w!#$%&'*+.^`|~-]+$/.test(header)) return header;
	throw new ValidationError(`'Header' is "${header}", which is not a header name`, advice);
}

/** Returns the signing keys of the credential by the labels of their fields. */
export function getSigningKeys(credentials: ICredentialDataDecryptedObject): Map<string, string> {
	const { signingSecret, formerSigningSecret } = credentials;
	const all = Object.entries({
		'Signing Key': signingSecret,
		'Former Signing Key': formerSigningSecret,
	});
	return new Map(all.filter(([, key]) => !isBlank(key)).map(([name, key]) => [name, String(key)]));
}
