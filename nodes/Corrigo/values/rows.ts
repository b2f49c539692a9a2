import { findRowKinds } from '../catalogue/members';
import { type JsonObject, readPath } from './objects';

/** A row has a kind if its collection has one row of each kind. */
export function getKind(type: string, row: JsonObject): string | undefined {
	const { by, fallback } = findRowKinds(type) ?? {};
	const kind = by === undefined ? undefined : readPath(row, by);
	const isKnown = kind !== undefined && kind !== null && !(fallback && kind === 'Unknown');
	return isKnown ? String(kind) : fallback;
}
