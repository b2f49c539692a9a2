import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { compareKeys, OVERLAP, toKeyText, type Key } from '../../nodes/Corrigo/trigger/changes/cursor';
import { parseCursor, serializeCursor } from '../../nodes/Corrigo/trigger/state';
import { timeText } from './service';

const MINUTE = 600_000_000;
const at = (minutes: number, id: number): Key => ({ time: timeText(minutes * MINUTE), id });
const cursor = {
	edge: at(1, 1),
	newest: at(9, 4),
	known: [at(7, 2), at(8, 3), at(9, 4)],
};

/** The cursor read from a state, and the warnings. */
function read(state: IDataObject) {
	const said: string[] = [];
	const place = parseCursor(state, (what) => said.push(what));
	return { place, said };
}

it('a cursor is read back as it was stored, without a warning', () => {
	const key = fc.record({ time: fc.nat(1e9).map(timeText), id: fc.nat() });
	const keys = fc
		.uniqueArray(key, { selector: ({ id }) => id, maxLength: 5 })
		.map((some) => some.sort(compareKeys));
	fc.assert(
		fc.property(fc.record({ edge: key, newest: key, known: keys }), (kept) => {
			expect(read(serializeCursor(kept))).toEqual({ place: kept, said: [] });
		}),
	);
});

it.each<[string, IDataObject, Partial<typeof cursor>]>([
	['an edge before the first that is known', { edge: 'gone' }, { edge: at(2, 0) }],
	['an edge before the newest', { edge: 'gone', known: [] }, { edge: at(4, 0), known: [] }],
	['the edge as the newest', { newest: 'gone' }, { newest: cursor.edge }],
	['nothing that is known', { known: { 0: 'gone' } }, { known: [] }],
	['the rest of what is known', { known: ['gone', toKeyText(at(9, 4))] }, { known: [at(9, 4)] }],
])('reads %s in place of a broken part, and warns', (_, broken, instead) => {
	const { place, said } = read({ ...serializeCursor(cursor), ...broken });
	expect(place).toEqual({ ...cursor, ...instead });
	expect(said).toEqual([expect.stringContaining('cannot be read')]);
});

it('takes known keys in any order', () => {
	const state = serializeCursor(cursor);
	expect(read({ ...state, known: state.known.reverse() })).toEqual({ place: cursor, said: [] });
	const oldest = parseCursor({ ...state, edge: undefined });
	expect(oldest?.edge).toEqual(at(2, 0));
});

it('goes back by Ids in a feed by Id', () => {
	const state = { newest: '400', known: ['350', '400'] };
	expect(parseCursor(state)?.edge).toEqual({ time: '', id: 350 - OVERLAP.ids });
});

it.each([undefined, null, [], ['gone'], 'gone'])(
	'reads no cursor from keys that are %j',
	(known) => {
		expect(read({ known })).toEqual({ place: undefined, said: [] });
	},
);
