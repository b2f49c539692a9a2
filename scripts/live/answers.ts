/** Scripts read answers of the service with these functions. */
import type { Answer } from './company';
import type { Json } from './scrub';

export type Row = Record<string, unknown>;

const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null;

/** Returns the records in the answer to a query; undefined if it has no list of them. */
export const readRecords = (body: Json): Row[] | undefined =>
	isObject(body) && Array.isArray(body.Entities)
		? (body.Entities as unknown[])
				.filter(isObject)
				.map(({ Data }) => Data)
				.filter(isObject)
		: undefined;

/** A text of the Company may stand where a code belongs, so only codes are shown. */
export function describeRefusal({ status, body }: Answer): string {
	const code = isObject(body) && /^[A-Z_]+\d*$/.test(String(body.ErrorCode)) && body.ErrorCode;
	return `refused (${[code, status].filter(Boolean).join(', ') || 'no answer'})`;
}
