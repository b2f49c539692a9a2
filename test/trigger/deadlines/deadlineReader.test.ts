import type { QueryExpression } from '../../../nodes/Corrigo/wire/requests';
import { startCursor, type Cursor } from '../../../nodes/Corrigo/feed/cursor';
import {
	describeDeadline,
	commit,
	pollDeadlines,
	type DeadlineRule,
} from '../../../nodes/Corrigo/trigger/deadlines/deadlines';
import { getBeginning, type Feed } from '../../../nodes/Corrigo/feed/feed';
import { answerTo, endsBelow, timeText, type Row } from '../service';

const feed: Feed = { entity: 'Thing', time: 'At', properties: [] };
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const rule: DeadlineRule = { name: 'due', offsetMs: 0, ageMs: DAY * 1000 };

/** Seconds since the beginning. */
const at = (seconds: number) => timeText(seconds * 10_000_000);

function trigger(rows: Row[]) {
	const asked: QueryExpression[] = [];
	let cursor: Cursor = startCursor(getBeginning(feed));
	return {
		asked,
		async poll(now: number | undefined, limit = 5000) {
			asked.length = 0;
			const clock = now === undefined ? undefined : at(now);
			const { changes, window, tooOld, hasMore } = await pollDeadlines(
				feed,
				cursor,
				{
					load: async (expression) => {
						asked.push(expression);
						return answerTo(rows, expression);
					},
					complete: async (found) => found,
					...endsBelow(Infinity),
					hasTime: () => true,
					clock: () => clock,
				},
				rule,
				{ limit },
			);
			cursor = commit(cursor, { window, changes }).cursor;
			return { ids: changes.map(({ key }) => key.id), tooOld, hasMore };
		},
	};
}

/** One order after the other, `apart` seconds from each other. */
const rowsFrom = (first: number, count: number, apart: number): Row[] =>
	Array.from({ length: count }, (_, index) => ({ Id: index + 1, At: at(first + index * apart) }));

it('sends one request when nothing has passed, however many deadlines are known or to come', async () => {
	const rows = rowsFrom(2 * DAY, 5000, MINUTE);
	const { poll, asked } = trigger(rows);
	expect((await poll(2 * DAY - 1)).ids).toEqual([]);
	expect(asked).toHaveLength(1);
	expect((await poll(2 * DAY + 10 * HOUR)).ids).toHaveLength(601);
	expect((await poll(2 * DAY + 10 * HOUR + 1)).ids).toEqual([]);
	expect(asked).toHaveLength(1);
	expect(asked[0].PropertySet.Properties).toEqual(['Id', 'At']);
	expect(asked[0].Count).toBe(651);
});

it.each([1, 2, 3])('sends one request after 3,000 deadlines in %d seconds', async (seconds) => {
	const passed = rowsFrom(2 * DAY, 3000, 0).map(({ Id }) => ({
		Id,
		At: at(2 * DAY + (Id % seconds)),
	}));
	const { poll, asked } = trigger([...passed, { Id: 9999, At: at(3 * DAY) }]);
	expect((await poll(2 * DAY + HOUR)).ids).toHaveLength(3000);
	expect((await poll(2 * DAY + HOUR)).ids).toEqual([]);
	expect(asked).toHaveLength(1);
});

it('reads a backlog of deadlines at one time by full pages', async () => {
	const { poll, asked } = trigger(rowsFrom(2 * DAY, 6000, 0));
	expect(await poll(2 * DAY)).toMatchObject({ hasMore: true });
	const rest = Array.from({ length: 1000 }, (_, index) => 5001 + index);
	expect((await poll(2 * DAY)).ids).toEqual(rest);
	expect(asked.length).toBeLessThanOrEqual(5);
	expect((await poll(2 * DAY)).ids).toEqual([]);
});

it('delivers all of 1,300 deadlines at one time, 300 a poll', async () => {
	const { poll } = trigger(rowsFrom(2 * DAY, 1300, 0));
	const ids: number[] = [];
	for (let polls = 0; polls < 6; polls++) ids.push(...(await poll(2 * DAY + HOUR, 300)).ids);
	expect(ids).toEqual(Array.from({ length: 1300 }, (_, index) => index + 1));
});

it('counts deadlines once that have become too old since the last poll', async () => {
	const { poll } = trigger(rowsFrom(0, 10, HOUR));
	expect(await poll(DAY + 3 * HOUR)).toMatchObject({ ids: [4, 5, 6, 7, 8, 9, 10], tooOld: 3 });
	expect(await poll(DAY + 4 * HOUR)).toMatchObject({ ids: [], tooOld: 0 });
});

it('reads once more when the clock was set back far, and delivers no deadline twice', async () => {
	const rows = rowsFrom(2 * DAY, 3, HOUR);
	const { poll, asked } = trigger(rows);
	expect((await poll(2 * DAY + HOUR)).ids).toEqual([1, 2]);
	// For once, it is off by days.
	expect((await poll(12 * DAY)).ids).toEqual([]);
	rows.push({ Id: 9, At: at(2 * DAY + 3 * HOUR) });
	expect((await poll(2 * DAY + 4 * HOUR)).ids).toEqual([3, 9]);
	expect(asked).toHaveLength(2);
	expect((await poll(2 * DAY + 4 * HOUR - 60)).ids).toEqual([]);
	expect(asked).toHaveLength(1);
});

it('counts no deadline again as too old when the clock is a little behind', async () => {
	const rows = rowsFrom(0, 3, HOUR);
	const { poll, asked } = trigger(rows);
	expect(await poll(DAY + 2 * HOUR + MINUTE)).toMatchObject({ tooOld: 3 });
	expect(await poll(DAY + 2 * HOUR + 2 * MINUTE)).toMatchObject({ tooOld: 0 });
	expect(await poll(DAY + 2 * HOUR - 3 * MINUTE)).toMatchObject({ tooOld: 0 });
	expect(asked).toHaveLength(1);
	await poll(DAY + 2 * HOUR - 9 * MINUTE);
	expect(asked).toHaveLength(2);
});

describe('a poll of deadlines', () => {
	interface More {
		/** The Company cuts its pages at so many rows. */
		most?: number;
		/** Fractions in conditions are rounded up to a hundredth. */
		rounds?: boolean;
		hasTime?: boolean;
		/** Orders that do not count any more when they are read. */
		gone?: number[];
		/** Happens before the second request. */
		before?: () => void;
		from?: Cursor;
	}

	async function once(
		rows: Row[],
		sizes: { limit: number; page?: number },
		{ most, rounds, hasTime = true, gone = [], before, from }: More = {},
	) {
		let requests = 0;
		const { changes, hasMore, tooOld } = await pollDeadlines(
			feed,
			from ?? startCursor(getBeginning(feed)),
			{
				load: async (expression) => {
					requests += 1;
					if (requests === 2) before?.();
					return answerTo(rows, expression, rounds).slice(0, most);
				},
				complete: async (found) =>
					found.map((row) => (gone.includes(Number(row.Id)) ? undefined : row)),
				...endsBelow(most ?? Infinity),
				hasTime: () => hasTime,
				clock: () => at(2 * DAY),
			},
			rule,
			sizes,
		);
		return { ids: changes.map(({ key }) => key.id), hasMore, tooOld, requests };
	}

	const recent = (count: number, apart = MINUTE) => rowsFrom(DAY + 2 * HOUR, count, apart);
	const tight = (...units: number[]): Row[] =>
		units.map((unit, index) => ({
			Id: index + 1,
			At: timeText((DAY + 2 * HOUR) * 10_000_000 + unit),
		}));

	it('stops at the limit, and says that there are more', async () => {
		const sizes = { page: 4 };
		const [some, all] = [
			await once(recent(10), { ...sizes, limit: 5 }),
			await once(recent(5), { ...sizes, limit: 50 }),
		];
		expect(some).toMatchObject({ ids: [1, 2, 3, 4, 5], hasMore: true });
		expect(all).toMatchObject({ ids: [1, 2, 3, 4, 5], hasMore: false });
		expect(await once(recent(7), { limit: 5 })).toMatchObject({ hasMore: true, requests: 1 });
	});

	it('reads the first page even if its time is over', async () => {
		const late = await once(recent(10), { limit: 50, page: 240 }, { hasTime: false });
		// The page may have cut the second of its last row.
		expect(late).toMatchObject({ ids: [1, 2], hasMore: true, requests: 1 });
	});

	it('reads one page of deadlines that are too old', async () => {
		const old = rowsFrom(DAY - HOUR, 40, MINUTE);
		const rows = [...old, ...recent(2).map((row) => ({ ...row, Id: row.Id + 100 }))];
		const found = await once(rows, { limit: 50, page: 240 });
		expect(found).toEqual({ ids: [101, 102], hasMore: false, tooOld: 2, requests: 2 });
	});

	it('finds all passed deadlines where the Company cuts its pages', async () => {
		const cut = await once(recent(10), { limit: 50, page: 9 }, { most: 4 });
		expect(cut).toMatchObject({ hasMore: false });
		expect(cut.ids).toHaveLength(10);
	});

	it('sorts deadlines that are committed while it reads', async () => {
		const rows = tight(0, 10_000_000, 10_000_009, 20_000_000);
		const before = () => rows.push({ ...tight(10_000_005)[0], Id: 5 });
		const { ids } = await once(rows, { limit: 50, page: 4 }, { before });
		expect(ids).toEqual([1, 2, 5, 3, 4]);
	});

	it('reads on behind orders that do not count any more, up to the limit', async () => {
		const rows = tight(0, 1, 2, 3, 4, 5);
		const found = await once(rows, { limit: 2 }, { gone: [1, 2, 3, 4], rounds: true });
		expect(found).toMatchObject({ ids: [5, 6], hasMore: false });
	});

	it('misses no deadline right behind a forgotten one where fractions are rounded', async () => {
		const rows = tight(1_234_567, 1_234_568);
		const edge = { time: rows[0].At, id: 1 };
		const from = { edge, newest: { time: at(2 * DAY - 1), id: 0 }, known: [] };
		expect(await once(rows, { limit: 50 }, { from, rounds: true })).toMatchObject({ ids: [2] });
	});
});

it('forgets the oldest deadlines if there are too many, and nothing else', () => {
	const now = 3 * DAY;
	const key = (seconds: number, id: number) => ({ time: at(seconds), id });
	const [old, recent] = [key(DAY, 1), key(2 * DAY, 2)];
	const cursor = { edge: getBeginning(feed), newest: recent, known: [old, recent] };
	const progress = {
		window: { after: key(2 * DAY, 0), until: { time: at(now), id: Infinity } },
		changes: [{ key: recent }, { key: key(now, 3) }],
	};
	const { claimed, cursor: next } = commit(cursor, progress, 3);
	expect(claimed).toEqual([{ key: key(now, 3) }]);
	const all = [old, recent, key(now, 3)];
	expect(next).toEqual({ edge: cursor.edge, newest: key(now, 0), known: all });
	const { cursor: few } = commit(cursor, progress, 2);
	expect(few).toMatchObject({ edge: old, known: all.slice(1) });
});

it('fails where an answer has no Date', async () => {
	await expect(trigger([]).poll(undefined)).rejects.toThrow("has no 'Date'");
});

it('shows whole minutes left or over', () => {
	const time = '2026-07-01T12:00:30.0000000';
	const on = (clock: string) => describeDeadline(rule, { time, id: 1 }, clock, 110);
	expect(on('2026-07-01T10:59:31.0000000')).toEqual({
		Type: 'due',
		Utc: '2026-07-01T12:00:30Z',
		Local: '2026-07-01T14:00:30',
		TimeZone: 'Europe/Berlin',
		MinutesLeft: 60,
		MinutesOver: 0,
	});
	expect(on('2026-07-01T12:00:30.0000000')).toMatchObject({ MinutesLeft: 0, MinutesOver: 0 });
	expect(on('2026-07-01T12:02:29.0000000')).toMatchObject({ MinutesLeft: 0, MinutesOver: 1 });
});
