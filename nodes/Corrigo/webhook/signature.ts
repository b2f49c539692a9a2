import { createHmac, timingSafeEqual } from 'node:crypto';

export const ALGORITHMS = ['sha1', 'sha256', 'sha512'] as const;
export const ENCODINGS = ['hex', 'base64'] as const;

/** One way of signing a push. */
export interface Signing {
	header: string;
	algorithm: (typeof ALGORITHMS)[number];
	encoding: (typeof ENCODINGS)[number];
}

/** A push as it came in. */
export interface Message {
	raw: Buffer;
	headers: Readonly<Record<string, string | string[] | undefined>>;
}

export const isSigned = (message: Message, signing: Signing, keys: readonly string[]): boolean =>
	keys.some((key) => prefixOf(message, signing, key) !== undefined);

interface Match extends Signing {
	/** The text before the signature, such as `sha256=`. */
	prefix: string;
	/** The index of the key. */
	key: number;
}

/** All ways of signing that explain a header by one of the keys. */
export const matchingSignings = (message: Message, keys: readonly string[]): Match[] =>
	Object.keys(message.headers).flatMap((header) =>
		ALGORITHMS.flatMap((algorithm) =>
			ENCODINGS.flatMap((encoding) =>
				keys.flatMap((secret, key) => {
					const signing = { header, algorithm, encoding };
					const prefix = prefixOf(message, signing, secret);
					return prefix === undefined ? [] : [{ ...signing, prefix, key }];
				}),
			),
		),
	);

/** The prefix of the signature, mostly empty; undefined if the signature is wrong. */
function prefixOf(
	{ raw, headers }: Message,
	{ header, algorithm, encoding }: Signing,
	key: string,
): string | undefined {
	const given = headers[header.toLowerCase()];
	if (typeof given !== 'string') return undefined;
	const digest = createHmac(algorithm, key).update(raw).digest();
	const [, prefix = ''] = PREFIX.exec(given.trim()) ?? [];
	return ['', prefix].find((start) => isDigest(digest, given.trim().slice(start.length), encoding));
}

/** Base64 that ends in `=` looks like a prefix as well, so both readings are tried. */
const PREFIX = /^([\w-]+=)/;

/** Node.js decodes a text up to its first wrong letter, so wrong letters are refused first. */
const ENCODED = { hex: /^[\da-f]+$/i, base64: /^[\w+/-]+={0,2}$/ };

function isDigest(digest: Buffer, text: string, encoding: Signing['encoding']): boolean {
	const given = Buffer.from(ENCODED[encoding].test(text) ? text : '', encoding);
	return given.length === digest.length && timingSafeEqual(given, digest);
}
