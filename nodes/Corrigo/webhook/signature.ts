import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ICredentialDataDecryptedObject, INodeExecutionData } from 'n8n-workflow';

import type { TriggerContext } from '../trigger/plan';
import { getForm } from '../trigger/triggerForm';
import { createEmptyError, ValidationError, quote } from '../values/errors';
import { isBlank } from '../values/input';
import { algorithmField, encodingField, headerField, signatureField } from './description';

export const ALGORITHMS = ['sha1', 'sha256', 'sha512'] as const;

export const ENCODINGS = ['hex', 'base64'] as const;

/** A signing is one way to sign a push. */
export interface Signing {
	header: string;
	algorithm: (typeof ALGORITHMS)[number];
	encoding: (typeof ENCODINGS)[number];
}

/** A push as it arrived. */
export interface Message {
	raw: Buffer;
	headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The signature may follow a prefix such as `sha256=`. */
export function isSigned(
	{ raw, headers }: Message,
	{ header, algorithm, encoding }: Signing,
	keys: readonly string[],
	digest = createDigester(raw),
): boolean {
	const value = headers[header.toLowerCase()];
	if (typeof value !== 'string') return false;
	// A key that was copied with a blank at its end is the key without it.
	const spellings = [...new Set(keys.flatMap((key) => [key, key.trim()]))];
	const digests = spellings.map((key) => digest(algorithm, key));
	const [, prefix = ''] = PREFIX.exec(value.trim()) ?? [];
	return ['', prefix].some((start) =>
		digests.some((digest) => isDigest(digest, value.trim().slice(start.length), encoding)),
	);
}

/** A push has many headers that may hold its signature, and its body is digested once for each key. */
function createDigester(raw: Buffer) {
	const known = new Map<string, Buffer>();
	return (algorithm: Signing['algorithm'], key: string): Buffer => {
		const id = JSON.stringify([algorithm, key]);
		const digest = known.get(id) ?? createHmac(algorithm, key).update(raw).digest();
		known.set(id, digest);
		return digest;
	};
}

/** Base64 that ends in `=` also looks like a prefix, so both readings are tried. */
const PREFIX = /^([\w-]+=)/;

/** Node.js decodes text only up to the first invalid character, so such text is refused first. */
const ENCODED = { hex: /^[\da-f]+$/i, base64: /^[\w+/-]+={0,2}$/ };

function isDigest(digest: Buffer, text: string, encoding: Signing['encoding']): boolean {
	const decoded = Buffer.from(ENCODED[encoding].test(text) ? text : '', encoding);
	return decoded.length === digest.length && timingSafeEqual(decoded, digest);
}

/** `off` checks no signature; `learn` reports which way of signing fits. */
export type SignatureCheck = 'learn' | 'off' | Signing;

export function readSignatureCheck(caller: TriggerContext): SignatureCheck {
	const form = getForm(caller);
	const check = form.read(signatureField);
	if (check !== 'hmac') return check;
	return {
		header: requireHeader(form.read(headerField).trim()),
		algorithm: form.read(algorithmField),
		encoding: form.read(encodingField),
	};
}

function requireHeader(header: string): string {
	const advice =
		"Set 'Signature' to Learn and listen for a test event to find out which one it is.";
	if (header === '') throw createEmptyError('Header', advice);
	if (/^[\w!#$%&'*+.^`|~-]+$/.test(header)) return header;
	throw new ValidationError(`'Header' is ${quote(header)}, which is not a header name`, advice);
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

const NO_KEY =
	"Enter the key that was chosen in Corrigo as 'Signing Key' in the Corrigo credential, and listen again.";
const NO_FIT =
	'No header has a signature of the body that was made with a key of the credential. Compare the key with the one in Corrigo, letter by letter. If they are the same, Corrigo may not have signed the event.';
const FIT =
	"Set 'Signature' to HMAC, and 'Header', 'Algorithm' and 'Encoding' to these values. SignedBy is the key of the credential that fits.";

const getLabel = (
	field: { options: ReadonlyArray<{ name: string; value: string }> },
	value: string,
) => field.options.find((option) => option.value === value)?.name;

/**
 * Reports which ways of signing fit the keys, in the words of the form, without the body and the
 * values of headers.
 */
export function buildSignatureReport(
	message: Message,
	keys: ReadonlyMap<string, string>,
): INodeExecutionData {
	const digest = createDigester(message.raw);
	const Headers = Object.keys(message.headers);
	const Fits = Headers.flatMap((header) =>
		ALGORITHMS.flatMap((algorithm) =>
			ENCODINGS.flatMap((encoding) =>
				[...keys]
					.filter(([, secret]) =>
						isSigned(message, { header, algorithm, encoding }, [secret], digest),
					)
					.map(([SignedBy]) => ({
						Header: header,
						Algorithm: getLabel(algorithmField, algorithm),
						Encoding: getLabel(encodingField, encoding),
						SignedBy,
					})),
			),
		),
	);
	const Advice = Fits.length > 0 ? FIT : keys.size > 0 ? NO_FIT : NO_KEY;
	return { json: { Advice, Fits, Headers } };
}
