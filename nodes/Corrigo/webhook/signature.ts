import { createHmac, timingSafeEqual } from 'node:crypto';

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

export const isSigned = (message: Message, signing: Signing, keys: readonly string[]): boolean =>
	keys.some((key) => findPrefix(message, signing, key) !== undefined);

interface Match extends Signing {
	/** The text before the signature, such as `sha256=`. */
	prefix: string;
	/** The index of the key in `keys`. */
	key: number;
}

/** Returns all ways of signing that produce a header with one of the keys. */
export const matchSignings = (message: Message, keys: readonly string[]): Match[] =>
	Object.keys(message.headers).flatMap((header) =>
		ALGORITHMS.flatMap((algorithm) =>
			ENCODINGS.flatMap((encoding) =>
				keys.flatMap((secret, key) => {
					const signing = { header, algorithm, encoding };
					const prefix = findPrefix(message, signing, secret);
					return prefix === undefined ? [] : [{ ...signing, prefix, key }];
				}),
			),
		),
	);

/**
 * Returns the prefix of the signature, which is usually empty, or undefined if the signature is
 * wrong.
 */
function findPrefix(
	{ raw, headers }: Message,
	{ header, algorithm, encoding }: Signing,
	key: string,
): string | undefined {
	const value = headers[header.toLowerCase()];
	if (typeof value !== 'string') return undefined;
	const digest = createHmac(algorithm, key).update(raw).digest();
	const [, prefix = ''] = PREFIX.exec(value.trim()) ?? [];
	return ['', prefix].find((start) => isDigest(digest, value.trim().slice(start.length), encoding));
}

/** Base64 that ends in `=` also looks like a prefix, so both readings are tried. */
const PREFIX = /^([\w-]+=)/;

/** Node.js decodes text only up to the first invalid character, so such text is refused first. */
const ENCODED = { hex: /^[\da-f]+$/i, base64: /^[\w+/-]+={0,2}$/ };

function isDigest(digest: Buffer, text: string, encoding: Signing['encoding']): boolean {
	const decoded = Buffer.from(ENCODED[encoding].test(text) ? text : '', encoding);
	return decoded.length === digest.length && timingSafeEqual(decoded, digest);
}
