import { createHmac } from 'node:crypto';
import fc from 'fast-check';

import {
	ALGORITHMS,
	ENCODINGS,
	buildSignatureReport,
	isSigned,
	type Signing,
} from '../../nodes/Corrigo/webhook/signature';
import { startCpuTime } from '../support/cpu';

const sign = (raw: Buffer, key: string, { algorithm, encoding }: Signing) =>
	createHmac(algorithm, key).update(raw).digest(encoding);

const raws = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
const keys = fc.string({ minLength: 1, maxLength: 64 });
const prefixes = fc.constantFrom('', 'sha256=', 'v1=', 'HMAC-SHA512=');
const signings: fc.Arbitrary<Signing> = fc.record({
	header: fc.constantFrom('X-Signature', 'x-hub-signature-256'),
	algorithm: fc.constantFrom(...ALGORITHMS),
	encoding: fc.constantFrom(...ENCODINGS),
});

const withHeader = (raw: Buffer, { header }: Signing, value: string) => ({
	raw,
	headers: { host: 'n8n', 'content-length': '12', [header.toLowerCase()]: value },
});

/** The words of the form. */
const LABELS = {
	...{ sha1: 'SHA-1', sha256: 'SHA-256', sha512: 'SHA-512' },
	...{ base64: 'Base64', hex: 'Hex' },
};

it('a signature is right by any key, with any prefix, and the way of signing is found', () => {
	fc.assert(
		fc.property(raws, keys, keys, signings, prefixes, (raw, key, other, signing, prefix) => {
			const message = withHeader(raw, signing, ` ${prefix}${sign(raw, key, signing)}`);
			expect(isSigned(message, signing, [key])).toBe(true);
			expect(isSigned(message, signing, [other, key])).toBe(true);
			expect(isSigned(message, signing, [])).toBe(false);
			const { json } = buildSignatureReport(message, new Map([['Signing Key', key]]));
			expect(json.Fits).toEqual([
				{
					Header: signing.header.toLowerCase(),
					Algorithm: LABELS[signing.algorithm],
					Encoding: LABELS[signing.encoding],
					SignedBy: 'Signing Key',
				},
			]);
		}),
	);
});

it('a signature is wrong by another key, for another body, or with anything added or missing', () => {
	fc.assert(
		fc.property(raws, keys, signings, fc.nat(), (raw, key, signing, where) => {
			const right = sign(raw, key, signing);
			const at = where % right.length;
			const isOther = (text: string) =>
				Buffer.from(text, signing.encoding).compare(Buffer.from(right, signing.encoding)) !== 0;
			const swapped = right.slice(0, at) + (right[at] === '0' ? '1' : '0') + right.slice(at + 1);
			const wrong = [
				sign(raw, `${key}x`, signing),
				sign(Buffer.concat([raw, Buffer.from([0])]), key, signing),
				`${right}zz`,
				`${right} ${right}`,
				right.slice(0, -4),
				`=${right}`,
				'',
				...(isOther(swapped) ? [swapped] : []),
			];
			for (const value of wrong) {
				expect(isSigned(withHeader(raw, signing, value), signing, [key])).toBe(false);
			}
			const elsewhere = { ...signing, header: 'x-other' };
			expect(isSigned(withHeader(raw, signing, right), elsewhere, [key])).toBe(false);
		}),
	);
});

it('a push with many headers is digested once for each key and algorithm', () => {
	const raw = Buffer.alloc(1_000_000);
	const names = Array.from({ length: 1_500 }, (_, index) => `x${index}`);
	const headers = Object.fromEntries(names.map((name) => [name, 'abcd']));
	const readCpuTime = startCpuTime();
	buildSignatureReport({ raw, headers }, new Map([['Signing Key', 'x']]));
	expect(readCpuTime()).toBeLessThan(2);
});
