import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { isBlank, ValidationError } from '../protocol/checks';
import { oneOf } from '../protocol/values';
import type { TriggerContext } from '../trigger/context';
import { formOf } from '../trigger/plan/form';
import { ALGORITHMS, ENCODINGS, type Signing } from './signature';

/** `off` checks no signature; `learn` reports which way of signing fits. */
export type SignatureCheck = 'learn' | 'off' | Signing;

export function signatureCheckOf(caller: TriggerContext): SignatureCheck {
	const form = formOf(caller);
	const check = oneOf('Signature', form.param('signature', 'off'), ['hmac', 'learn', 'off']);
	if (check !== 'hmac') return check;
	return {
		header: headerNamed(form.text('signatureHeader')),
		algorithm: oneOf('Algorithm', form.param('signatureAlgorithm', 'sha256'), ALGORITHMS),
		encoding: oneOf('Encoding', form.param('signatureEncoding', 'hex'), ENCODINGS),
	};
}

function headerNamed(given: string): string {
	const hint = "Set 'Signature' to Learn and listen for a test event to find out which one it is.";
	if (given === '') throw new ValidationError("'Header' is empty", hint);
	if (/^[\w!#$%&'*+.^`|~-]+$/.test(given)) return given;
	throw new ValidationError(`'Header' is "${given}", which is no name of a header`, hint);
}

/** Returns the signing keys of the credential by the labels of their fields. */
export function keysIn(credentials: ICredentialDataDecryptedObject): Map<string, string> {
	const { signingSecret, formerSigningSecret } = credentials;
	const all = Object.entries({
		'Signing Key': signingSecret,
		'Former Signing Key': formerSigningSecret,
	});
	return new Map(all.filter(([, key]) => !isBlank(key)).map(([name, key]) => [name, String(key)]));
}
