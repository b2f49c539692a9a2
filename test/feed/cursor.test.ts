import fc from 'fast-check';

import {
	addKeys,
	buildCursor,
	later,
	lowerEdge,
	packKeys,
	unpackKeys,
	compareKeys,
	parseKey,
	OVERLAP,
	advance,
	startCursor,
	toKeyText,
	mergeCursors,
	toUtcText,
	type Cursor,
	type Key,
} from '../../nodes/Corrigo/feed/cursor';
import { fetchPresentCursor } from '../../nodes/Corrigo/feed/present';
import { buildChangeKey } from '../../nodes/Corrigo/feed/cursorText';
import { readKey } from '../../nodes/Corrigo/feed/feed';
import type { JsonObject } from '../../nodes/Corrigo/values/objects';
import { endsBelow, timeText } from '../trigger/service';

const at = (units: number, id: number): Key => ({ time: timeText(units), id });
const changesAt = (...keys: Key[]) => keys.map((key) => ({ key }));
/** A cursor at the beginning that knows these keys, the newest of which comes first. */
const startAt = (newest: Key, ...others: Key[]): Cursor => ({
	edge: at(0, 0),
	newest,
	known: [...others, newest],
});
const SECOND = 10_000_000;
const MINUTE = 60 * SECOND;

describe('a time of the service', () => {
	it.each([
		['2026-01-31T17:30:00.6931427Z', '2026-01-31T17:30:00.6931427'],
		['2026-01-31T17:30:00.6931427', '2026-01-31T17:30:00.6931427'],
		['2026-01-31T17:30:00.69314278', '2026-01-31T17:30:00.6931427'],
		['2026-01-31T17:30:00.69', '2026-01-31T17:30:00.6900000'],
		['2026-01-31T17:30:00', '2026-01-31T17:30:00.0000000'],
		['2026-01-31 17:30', '2026-01-31T17:30:00.0000000'],
		[' 2026-01-31 ', '2026-01-31T00:00:00.0000000'],
		['2026-01-31T23:30:00.1234567-05:00', '2026-02-01T04:30:00.1234567'],
		['2026-01-31T17:30:00+0530', '2026-01-31T12:00:00.0000000'],
	])('%s is %s in UTC', (text, utc) => {
		expect(toUtcText(text)).toBe(utc);
	});

	it.each([
		'',
		'yesterday',
		'on 2026-01-31',
		'2026-01-31 or so',
		'2026-13-01T00:00:00',
		undefined,
		null,
		5,
	])('is not read from %p', (value) => {
		expect(toUtcText(value)).toBeUndefined();
	});
});

describe('a key', () => {
	const key = fc.record({ time: fc.nat(3 * SECOND).map(timeText), id: fc.nat(1_000_000) });

	it('is the same when it is read back from text', () => {
		fc.assert(fc.property(key, (one) => expect(parseKey(toKeyText(one))).toEqual(one)));
		expect(parseKey(toKeyText({ time: '', id: 7 }))).toEqual({ time: '', id: 7 });
	});

	it.each([
		'',
		'x',
		'x7',
		'no 7',
		'7 or so',
		'7 2026-01-31',
		'7 2026-02-30T17:30:00.0000000',
		'at 7 2026-01-31T17:30:00.0000000',
		'7 2026-01-31T17:30:00.0000000 UTC',
		7,
		null,
	])('is not read from %p', (text) => {
		expect(parseKey(text)).toBeUndefined();
	});

	it('sorts by second first, then by Id as a number, and then by fraction', () => {
		const sorted = [at(2, 9), at(1, 10), at(3, 10), at(SECOND, 1)];
		expect([...sorted].reverse().sort(compareKeys)).toEqual(sorted);
	});
});

describe('the edge of a cursor', () => {
	it('stays an overlap behind the newest change before the poll, however far the poll read', () => {
		const newestBefore = at(10 * MINUTE, 1);
		const start = { edge: at(0, 0), newest: newestBefore, known: [newestBefore] };
		const { cursor } = advance(start, { newestBefore, changes: changesAt(at(60 * MINUTE, 2)) });
		expect(cursor).toEqual({
			edge: at(5 * MINUTE, 0),
			newest: at(60 * MINUTE, 2),
			known: [newestBefore, at(60 * MINUTE, 2)],
		});
	});

	it('drops the keys that it passes', () => {
		const newestBefore = at(10 * MINUTE, 1);
		const settled = at(4 * MINUTE, 2);
		const start = startAt(newestBefore, settled);
		expect(advance(start, { newestBefore, changes: [] }).cursor.known).toEqual([newestBefore]);
		const here = { newestBefore, changes: [], reached: settled };
		expect(advance(start, here).cursor).toEqual({ ...start, edge: settled, known: [newestBefore] });
	});

	it('does not pass changes that the poll has not read', () => {
		const newestBefore = at(10 * MINUTE, 9);
		const late = changesAt(at(MINUTE, 2), at(2 * MINUTE, 3));
		const reached = late[1].key;
		const { cursor } = advance(startAt(newestBefore), { newestBefore, reached, changes: late });
		expect(cursor.edge).toEqual(reached);
		const changes = changesAt(at(3 * MINUTE, 4));
		expect(advance(cursor, { newestBefore, changes }).claimed).toEqual(changes);
	});

	it('does not pass the clock of the service, whatever rows are stamped with', () => {
		const newestBefore = at(600 * MINUTE, 1);
		const start = startAt(newestBefore);
		const { cursor } = advance(start, {
			newestBefore,
			changes: [],
			settledAt: timeText(10 * MINUTE),
		});
		expect(cursor).toEqual({ ...start, edge: at(5 * MINUTE, 0) });
		const changes = changesAt(at(9 * MINUTE, 2));
		expect(advance(cursor, { newestBefore, changes }).claimed).toEqual(changes);
		// A clock that is ahead moves nothing.
		const ahead = advance(start, { newestBefore, changes: [], settledAt: timeText(6000 * MINUTE) });
		expect(ahead).toEqual(advance(start, { newestBefore, changes: [] }));
	});

	it('follows no clock in feeds by Id', () => {
		const newestBefore = { time: '', id: 500 };
		const start = { ...startAt(newestBefore), edge: { time: '', id: 0 } };
		const { cursor } = advance(start, { newestBefore, changes: [], settledAt: timeText(0) });
		expect(cursor.edge).toEqual({ time: '', id: 500 - OVERLAP.ids });
	});

	it('moves up when there are more keys than are kept', () => {
		const newestBefore = at(0, 0);
		const keys = Array.from({ length: OVERLAP.keys + 500 }, (_, id) => at(SECOND, id + 1));
		const changes = changesAt(...keys);
		const start = startCursor(newestBefore);
		const most = advance(start, { newestBefore, changes: changes.slice(0, OVERLAP.keys) });
		expect(most.cursor.known).toHaveLength(OVERLAP.keys);
		expect(most.cursor.edge).toEqual(newestBefore);
		const { cursor } = advance(start, { newestBefore, changes });
		expect(cursor.known).toHaveLength(OVERLAP.keys);
		expect(cursor.edge).toEqual(keys[499]);
		expect(packKeys(cursor.known).length).toBeLessThan(6_000);
	});

	it('does not go back when an older poll ends after a newer one', () => {
		const newestBefore = at(0, 0);
		const older = { newestBefore, changes: changesAt(at(MINUTE, 1)) };
		const newer = { newestBefore: at(20 * MINUTE, 2), changes: changesAt(at(21 * MINUTE, 3)) };
		const first = advance(startCursor(newestBefore), newer).cursor;
		const { cursor, claimed } = advance(first, older);
		expect(cursor).toEqual(first);
		expect(claimed).toEqual([]);
	});
});

describe('a start from now', () => {
	const start = async (present: Key[]) => {
		const rows = present.map(({ id, time }) => ({ Id: id, At: time }));
		const source = { load: async () => rows, clock: () => undefined, ...endsBelow(Infinity) };
		return await fetchPresentCursor({ entity: 'Thing', time: 'At', properties: [] }, source);
	};

	it('takes existing changes for old, and later finds those that are committed late', async () => {
		const present = [at(10 * MINUTE, 5), at(9 * MINUTE, 4), at(MINUTE, 1)];
		const cursor = await start(present);
		expect(cursor.edge).toEqual(at(5 * MINUTE, 0));
		const late = at(8 * MINUTE, 3);
		const changes = changesAt(...present, late);
		const { claimed } = advance(cursor, { newestBefore: cursor.newest, changes });
		expect(claimed).toEqual(changesAt(late));
	});

	it('begins at the beginning in an empty table', async () => {
		const beginning = { time: '1900-01-01T00:00:00.0000000', id: 0 };
		expect(await start([])).toEqual(startCursor(beginning));
	});
});

it('two cursors that went on from the same one are merged', () => {
	const [a, b, c, d] = [2, 3, 6, 7].map((minutes) => at(minutes * MINUTE, minutes));
	const one = { edge: at(MINUTE, 1), newest: d, known: [a, b, d] };
	const other = { edge: a, newest: c, known: [b, c] };
	const both = { edge: a, newest: d, known: [b, c, d] };
	expect(mergeCursors(one, other)).toEqual(both);
	expect(mergeCursors(other, one)).toEqual(both);
});

it('what is delivered late is known in its place, so that it is found again', () => {
	const [first, late, last] = [at(MINUTE, 1), at(2 * MINUTE, 2), at(3 * MINUTE, 3)];
	const progress = { newestBefore: last, changes: changesAt(late) };
	const { cursor } = advance(startAt(last, first), progress);
	expect(cursor.known).toEqual([first, late, last]);
	expect(advance(cursor, progress).claimed).toEqual([]);
});

describe('an edge in the future', () => {
	const clock = timeText(10 * MINUTE);
	const DAY = 24 * 60 * MINUTE;
	const buildCursor = (edge: Key, newest = edge) => ({ edge, newest, known: [] });

	const lower = (
		edge: Key,
		isSure: boolean,
		{ newest = edge, ...more }: { newest?: Key; polledAt?: string; since?: string } = {},
	) => lowerEdge(buildCursor(edge, newest), { now: clock, isSure, ...more })?.edge;

	it.each<[string, Key, boolean]>([
		['of a day', at(10 * MINUTE + DAY, 1), false],
		['of a day and less than a second', at(10 * MINUTE + DAY + 1, 1), false],
		['that is over', at(10 * MINUTE, 1), true],
		['that is none, as it is an Id', { time: '', id: 9 }, true],
	])('%s is right', (_, edge, isSure) => {
		expect(lower(edge, isSure, { newest: at(0, 1) })).toBeUndefined();
	});

	it('is moved back to a few minutes ago, but not behind what was delivered unless the clock is sure', () => {
		const edge = at(11 * MINUTE + DAY, 1);
		expect(lower(edge, false, { newest: at(MINUTE, 1) })).toEqual(at(5 * MINUTE, 0));
		expect(lower(edge, false, { newest: at(20 * MINUTE, 1) })).toEqual(at(20 * MINUTE, 1));
		expect(lower(edge, false)).toBeUndefined();
		expect(lower(edge, true)).toEqual(at(5 * MINUTE, 0));
		expect(lower(at(11 * MINUTE, 1), true)).toEqual(at(5 * MINUTE, 0));
	});

	it('is moved back to the right time of the last poll, but never behind the start', () => {
		const polledAt = timeText(8 * MINUTE);
		expect(lower(at(4 * MINUTE, 1), true, { polledAt })).toEqual(at(3 * MINUTE, 0));
		expect(lower(at(3 * MINUTE, 1), true, { polledAt })).toBeUndefined();
		const since = timeText(12 * MINUTE);
		expect(lower(at(12 * MINUTE, 0), true, { since })).toBeUndefined();
		expect(lower(at(14 * MINUTE, 1), true, { since })).toEqual(at(12 * MINUTE, 0));
	});
});

it('a cursor keeps changes that are stamped in the future, and does not forget others for them', () => {
	const past = [at(0, 1), at(SECOND / 2, 2), at(SECOND, 3)];
	const future = [at(3 * SECOND, 3), at(4 * SECOND, 4), at(5 * SECOND, 5)];
	const cursor = buildCursor(at(0, 0), future[2], [...past, ...future], 2, at(2 * SECOND, 0));
	const known = [...past.slice(1), ...future];
	expect(cursor).toEqual({ edge: past[0], newest: future[2], known });
});

it('keys are unpacked as they were, and what is no key is left out', () => {
	const years = {
		min: new Date('0000-01-01T00:00:00Z'),
		max: new Date('9999-12-31T23:59:59.999Z'),
	};
	const text = fc.oneof(
		fc.nat(3 * SECOND).map(timeText),
		fc.date({ ...years, noInvalidDate: true }).map((date) => date.toISOString()),
		fc.constantFrom(
			'9999-12-31T23:59:59.9999999',
			'9999-12-31T24:00:00',
			'9999-12-31T23:59:59-14:00',
			'0000-01-01T00:00:00+14:00',
		),
	);
	const id = fc.oneof(fc.nat(1e6), fc.maxSafeInteger(), fc.constantFrom(-1, 1.5, 1e15, 1e15 - 1));
	const feed = { entity: 'Thing', time: 'At', properties: [] };
	const readKeys = (row: JsonObject) => {
		try {
			return [readKey(feed, row)];
		} catch {
			return [];
		}
	};
	fc.assert(
		fc.property(fc.array(fc.record({ Id: id, At: text })), (rows) => {
			const sorted = rows.flatMap(readKeys).sort(compareKeys);
			expect(unpackKeys(packKeys(sorted))).toEqual({ keys: sorted, isWhole: true });
			expect(sorted.map((key) => parseKey(toKeyText(key)))).toEqual(sorted);
		}),
	);
	const ids = [7, 90].map((id) => ({ time: '', id }));
	expect(unpackKeys(packKeys(ids))).toEqual({ keys: ids, isWhole: true });
	expect(unpackKeys('7 x:1 -zzzzzzzz.1:2 90 9.12345678:3 ')).toEqual({ keys: ids, isWhole: false });
	// Keys that follow an unreadable one are unknown.
	expect(unpackKeys(' x,1 7,83,-9999999999999999,1')).toEqual({ keys: ids, isWhole: false });
	// Earlier states have no distances.
	const former = unpackKeys(' ton10b.64:100000 ton12p.:99998');
	expect(former.isWhole).toBe(true);
	expect(former.keys.map(toKeyText)).toEqual([
		'100000 2026-11-17T08:31:23.6400000',
		'99998 2026-11-17T08:32:49.0000000',
	]);
	expect(unpackKeys(['7'])).toEqual({ keys: [], isWhole: false });
});

describe('the text of known keys', () => {
	const key = fc.tuple(fc.nat(9 * SECOND), fc.nat(99)).map(([units, id]) => at(units, id));

	it('is the same whether they came one by one or together, and some were forgotten', () => {
		const step = fc.record({
			keys: fc.uniqueArray(key, { maxLength: 3, selector: toKeyText }),
			edge: key,
		});
		fc.assert(
			fc.property(fc.array(step), (steps) => {
				let cursor = startCursor(at(0, 0));
				for (const { keys, edge } of steps) {
					packKeys(cursor.known);
					const { claimed } = advance(cursor, { newestBefore: edge, changes: changesAt(...keys) });
					const known = addKeys(
						cursor.known,
						claimed.map(({ key: one }) => one),
					);
					cursor = buildCursor(later(cursor.edge, edge), edge, known, 5);
					expect(packKeys(cursor.known)).toBe(packKeys([...cursor.known]));
				}
			}),
		);
	});

	it('costs a push as little as the keys that it adds, of however many', () => {
		let reads = 0;
		const toCounted = (_: unknown, id: number): Key => ({
			id,
			get time() {
				reads += 1;
				return timeText(id * SECOND);
			},
		});
		const counted = Array.from({ length: 10_003 }, toCounted);
		const [first, late, last] = [counted[0], counted[9990], counted[10_002]];
		const known = counted.slice(0, 10_002).filter((one) => one !== late);
		packKeys(known);
		reads = 0;
		const progress = { newestBefore: known[10_000], changes: changesAt(late, last) };
		const overlap = { ...OVERLAP, seconds: 10_000, keys: 10_000 };
		const { cursor } = advance({ edge: first, newest: known[10_000], known }, progress, overlap);
		packKeys(cursor.known);
		expect(cursor.known).toHaveLength(10_000);
		expect(reads).toBeLessThan(1000);
	});
});

it.each([
	['WorkOrder', 'one key: the log and the order may show other digits after the second', true],
	['WoActionLog', 'two keys', false],
])('times of a %s that differ after two digits of a second give %s', (entity, _, areEqual) => {
	const build = (time: string) => buildChangeKey(entity, { id: 7, time });
	const [key, other] = ['2031-05-05T06:07:30.4512345', '2031-05-05T06:07:30.4587654'].map(build);
	expect(key === other).toBe(areEqual);
	expect(build('2031-05-05T06:07:30.4612345')).not.toBe(key);
});
