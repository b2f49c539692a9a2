import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import {
	compareKeys,
	OVERLAP,
	packKeys,
	toKeyText,
	type Key,
} from '../../nodes/Corrigo/feed/cursor';
import { writeLast } from '../../nodes/Corrigo/feed/cursorText';
import { createCursorCodec } from '../../nodes/Corrigo/trigger/changes/cursors';
import { timeText } from './service';

const MINUTE = 600_000_000;
const at = (minutes: number, id: number): Key => ({ time: timeText(minutes * MINUTE), id });
const cursor = {
	edge: at(1, 1),
	newest: at(9, 4),
	known: [at(7, 2), at(8, 3), at(9, 4)],
};

const { read: readCursor, repeat, write } = createCursorCodec(true);

/** The cursor read from a state, and the warnings. */
function read(state: IDataObject) {
	const said: string[] = [];
	const place = readCursor(state, (what) => said.push(what));
	return { place, said };
}

it('a cursor is read back as it was stored, without a warning', () => {
	const key = fc.record({ time: fc.nat(1e9).map(timeText), id: fc.nat() });
	const keys = fc
		.uniqueArray(key, { selector: ({ id }) => id, maxLength: 5 })
		.map((some) => some.sort(compareKeys));
	fc.assert(
		fc.property(fc.record({ edge: key, newest: key, known: keys }), (kept) => {
			expect(read(write(kept))).toEqual({ place: kept, said: [] });
		}),
	);
});

it.each<[string, IDataObject, Partial<typeof cursor>]>([
	['an edge before the first that is known', { edge: 'gone' }, { edge: at(2, 0) }],
	['an edge before the newest', { edge: 'gone', known: '' }, { edge: at(4, 0), known: [] }],
	['the edge as the newest', { newest: 'gone' }, { newest: cursor.edge }],
	['nothing that is known', { known: { 0: 'gone' } }, { known: [] }],
	['the rest of what is known', { known: `gone ${packKeys([at(9, 4)])}` }, { known: [at(9, 4)] }],
])('reads %s in place of a broken part, and warns', (_, broken, instead) => {
	const { place, said } = read({ ...write(cursor), ...broken });
	expect(place).toEqual({ ...cursor, ...instead });
	expect(said).toEqual([expect.stringContaining('cannot be read')]);
});

it('takes known keys in any order', () => {
	const state = write(cursor);
	const known = packKeys([...cursor.known].reverse());
	expect(read({ ...state, known })).toEqual({ place: cursor, said: [] });
	expect(readCursor({ ...state, edge: undefined })?.edge).toEqual(at(2, 0));
});

it('goes back by Ids in a feed by Id, and reads no time there', () => {
	const state = { newest: '400', known: '350 400' };
	const byId = createCursorCodec(false);
	expect(byId.read(state)?.edge).toEqual({ time: '', id: 350 - OVERLAP.ids });
	expect(readCursor(state)).toBeUndefined();
	expect(byId.read(write(cursor))).toBeUndefined();
});

it.each([undefined, null, [], ['gone'], 'gone', ''])(
	'reads no cursor from keys that are %j',
	(known) => {
		expect(read({ known })).toEqual({ place: undefined, said: [] });
	},
);

it('delivers again what was delivered last, and a second change only as one', () => {
	const changed = { key: at(8, 3), before: 7, digest: 9, isOpen: true };
	const delivered = [{ key: at(7, 2) }, { key: at(8, 3), look: changed }];
	const open = new Map([[toKeyText(at(6, 1)), 0]]);
	const texts = [writeLast({ ...cursor, open }, delivered), writeLast(cursor, [{ key: at(9, 4) }])];
	const { open: repeated } = repeat(cursor, texts.join(';'));
	const rows = [at(6, 1), at(7, 2), at(9, 4)].map((key) => [toKeyText(key), 0]);
	expect([...(repeated ?? [])]).toEqual([...rows, [toKeyText(at(8, 3)), 7]]);
	expect(createCursorCodec(false).repeat(cursor, texts[1])).toEqual(cursor);
});
