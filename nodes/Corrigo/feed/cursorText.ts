import {
	addKeys,
	getOverlapStart,
	listRepeated,
	NO_DIGEST,
	packKeys,
	parseKey,
	toKeyText,
	unpackKeys,
	type Cursor,
	type Key,
	type Look,
} from './cursor';

/** Returns the members of a state that hold a cursor. */
export const writeCursor = ({ edge, newest, known, open }: Cursor) => ({
	edge: toKeyText(edge),
	newest: toKeyText(newest),
	known: packKeys(known),
	...(open && { open: [...open].join(';') }),
});

/**
 * Returns undefined if there is no cursor in the members of a state. If a part of it is damaged,
 * changes may be delivered twice, but none is missed.
 */
export function readCursor(
	{ edge, newest, known, open }: Record<string, unknown>,
	isTimed: boolean,
	noteDamage: () => void,
): Cursor | undefined {
	const unpacked = unpackKeys(known);
	const keys = unpacked.keys.filter(({ time }) => (time !== '') === isTimed);
	const isWhole = unpacked.isWhole && keys.length === unpacked.keys.length;
	const parsedEdge = parseKey(edge);
	const last = parseKey(newest);
	// All known keys are above the edge.
	const lowest = keys[0] ?? last;
	const from = parsedEdge ?? (lowest && getOverlapStart(lowest));
	if (from === undefined || (from.time !== '') !== isTimed) return undefined;
	if (!isWhole || parsedEdge === undefined || last === undefined) noteDamage();
	return { edge: from, newest: last ?? from, known: keys, ...readOpen(open) };
}

const OPEN = /^(-?\d+(?: [^,]+)?),(\d+)$/;

/** Reads pairs of a key and a digest. */
function readOpen(text: unknown): Pick<Cursor, 'open'> {
	const parts = typeof text === 'string' ? text.split(';') : [];
	const pairs = parts.flatMap((part): Array<[string, number]> => {
		const [, key, digest] = OPEN.exec(part) ?? [];
		return parseKey(key) === undefined ? [] : [[key, Number(digest)]];
	});
	return pairs.length === 0 ? {} : { open: new Map(pairs) };
}

/** A change that was delivered. */
export interface Delivered {
	key: Key;
	look?: Look;
}

/**
 * Returns a text with changes that a later process may have to deliver again, and with those of
 * `cursor` that still wait for it. Each row has the digest from which it differed.
 */
export function writeLast(cursor: Cursor, delivered: readonly Delivered[]): string {
	const isChange = ({ look }: Delivered) => look !== undefined && Boolean(look.before);
	const rows = delivered.filter((one) => !isChange(one)).map(({ key }) => key);
	const changes = delivered.filter(isChange);
	return [
		packKeys(addKeys([], [...listRepeated(cursor), ...rows])),
		...changes.map(({ key, look }) => [toKeyText(key), look?.before].join()),
	].join(';');
}

/** Reads one or more such texts, joined in the same way. */
export function readLast(text: string, isTimed: boolean): Array<[string, number]> {
	const changes = [...(readOpen(text).open ?? [])];
	const rows = text.split(';').flatMap((part) => (OPEN.test(part) ? [] : unpackKeys(part).keys));
	const isOwn = ({ time }: Key) => (time !== '') === isTimed;
	return [
		...rows.filter(isOwn).map((key): [string, number] => [toKeyText(key), NO_DIGEST]),
		...changes,
	];
}

/** The log and the work order may show other digits of the same time, but not of its first ones. */
const toShown = (time: string): string => time && `${time.slice(0, 22)}00000`;

export const buildChangeKey = (entity: string, { id, time }: Key): string =>
	`${entity} ${toKeyText({ id, time: entity === 'WorkOrder' ? toShown(time) : time })}`;
