import {
	getOverlapStart,
	packKeys,
	parseKey,
	toKeyText,
	unpackKeys,
	type Cursor,
	type Key,
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

const OPEN = /^(\d+ [^,]+),(\d+)$/;

/** Reads pairs of a key and a digest. */
function readOpen(text: unknown): Pick<Cursor, 'open'> {
	const parts = typeof text === 'string' ? text.split(';') : [];
	const pairs = parts.flatMap((part): Array<[string, number]> => {
		const [, key, digest] = OPEN.exec(part) ?? [];
		return parseKey(key) === undefined ? [] : [[key, Number(digest)]];
	});
	return pairs.length === 0 ? {} : { open: new Map(pairs) };
}

/** The log and the work order may show other digits of the same time, but not of its first ones. */
const toShown = (time: string): string => time && `${time.slice(0, 22)}00000`;

export const buildChangeKey = (entity: string, { id, time }: Key): string =>
	`${entity} ${toKeyText({ id, time: entity === 'WorkOrder' ? toShown(time) : time })}`;
