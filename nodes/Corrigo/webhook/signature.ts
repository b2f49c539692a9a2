import { createHmac, timingSafeEqual } from 'node:crypto';

export const ALGORITHMS = ['sha1', 'sha256', 'sha512'] as const;
export const ENCODINGS = ['hex', 'base64'] as const;

/** How a sender signs what it pushes. */
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

/** Whether one of the keys has signed it. */
export const isSigned = (message: Message, signing: Signing, keys: readonly string[]): boolean =>
	keys.some((key) => signedWith(message, signing, key) !== undefined);

interface Fit extends Signing {
	/** What stands before the signature, such as `sha256=`. */
	prefix: string;
	/** Which of the keys. */
	key: number;
}

/** Every way of signing by which one of the keys has signed it. */
export const fittingWays = (message: Message, keys: readonly string[]): Fit[] =>
	Object.keys(message.headers).flatMap((header) =>
		ALGORITHMS.flatMap((algorithm) =>
			ENCODINGS.flatMap((encoding) =>
				keys.flatMap((secret, key) => {
					const signing = { header, algorithm, encoding };
					const prefix = signedWith(message, signing, secret);
					return prefix === undefined ? [] : [{ ...signing, prefix, key }];
				}),
			),
		),
	);

/** The prefix of a signature that is right; nothing if it is wrong. */
function signedWith(
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

/** The end of a text in base64 looks like one as well, so it is tried with and without. */
const PREFIX = /^([\w-]+=)/;

/** What is no such text is read up to there by Node.js, and must not count. */
const TEXTS = { hex: /^[\da-f]+$/i, base64: /^[\w+/-]+={0,2}$/ };

function isDigest(digest: Buffer, text: string, encoding: Signing['encoding']): boolean {
	const given = Buffer.from(TEXTS[encoding].test(text) ? text : '', encoding);
	return given.length === digest.length && timingSafeEqual(given, digest);
}
