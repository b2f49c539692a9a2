import type { QueryExpression } from '../../nodes/Corrigo/protocol/requests';
import { startingAfter, type Cursor } from '../../nodes/Corrigo/trigger/cursor';
import { deadlineOf, settle, type Watch } from '../../nodes/Corrigo/trigger/deadlines';
import { beginningOf, type Feed } from '../../nodes/Corrigo/trigger/feed';
import { readPassed } from '../../nodes/Corrigo/trigger/passing';
import { answerTo, timeText, type Row } from './service';

const feed: Feed = { entity: 'Thing', time: 'At', properties: [] };
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const watch: Watch = { deadline: 'due', offsetMs: 0, ageMs: DAY * 1000 };

/** Seconds since the beginning. */
const at = (seconds: number) => timeText(seconds * 10_000_000);

function desk(rows: Row[]) {
	const asked: QueryExpression[] = [];
	let cursor: Cursor = startingAfter(beginningOf(feed));
	return {
		asked,
		async poll(now: number | undefined, limit = 5000) {
			asked.length = 0;
			const clock = now === undefined ? undefined : at(now);
			const { taken, span, leftOut, hasMore } = await readPassed(
				feed,
				cursor,
				{
					read: async (expression) => {
						asked.push(expression);
						return answerTo(rows, expression);
					},
					finish: async (found) => found,
					mayGoOn: () => true,
					clock: () => ({ clock }),
				},
				watch,
				{ limit },
			);
			const keys = taken.map(({ key }) => key);
			cursor = settle(cursor, { span, keys }).cursor;
			return { ids: keys.map(({ id }) => id), leftOut, hasMore };
		},
	};
}

/** One order after the other, `apart` seconds from each other. */
const rowsFrom = (first: number, count: number, apart: number): Row[] =>
	Array.from({ length: count }, (_, index) => ({
		Id: index + 1,
		At: at(first + index * apart),
	}));

it('asks once when nothing has passed, whatever was handed out and whatever is to come', async () => {
	const rows = rowsFrom(2 * DAY, 5000, MINUTE);
	const { poll, asked } = desk(rows);
	expect((await poll(2 * DAY - 1)).ids).toEqual([]);
	expect(asked).toHaveLength(1);
	expect((await poll(2 * DAY + 10 * HOUR)).ids).toHaveLength(601);
	expect((await poll(2 * DAY + 10 * HOUR + 1)).ids).toEqual([]);
	expect(asked).toHaveLength(1);
	expect(asked[0].PropertySet.Properties).toEqual(['Id', 'At']);
	expect(asked[0].Count).toBe(651);
});

it('reads a backlog by full pages, also where all of it has one time', async () => {
	const { poll, asked } = desk(rowsFrom(2 * DAY, 6000, 0));
	expect(await poll(2 * DAY)).toMatchObject({ hasMore: true });
	expect((await poll(2 * DAY)).ids).toEqual(
		Array.from({ length: 1000 }, (_, index) => 5001 + index),
	);
	expect(asked.length).toBeLessThanOrEqual(5);
	expect((await poll(2 * DAY)).ids).toEqual([]);
});

it('counts what is left out once, where it has become too old since the last poll', async () => {
	const { poll } = desk(rowsFrom(0, 10, HOUR));
	expect(await poll(DAY + 3 * HOUR)).toMatchObject({ ids: [4, 5, 6, 7, 8, 9, 10], leftOut: 3 });
	expect(await poll(DAY + 4 * HOUR)).toMatchObject({ ids: [], leftOut: 0 });
});

it('looks once more when the clock was set back far, and hands out nothing twice', async () => {
	const rows = rowsFrom(2 * DAY, 3, HOUR);
	const { poll, asked } = desk(rows);
	expect((await poll(2 * DAY + HOUR)).ids).toEqual([1, 2]);
	// For once, it is off by days.
	expect((await poll(12 * DAY)).ids).toEqual([]);
	rows.push({ Id: 9, At: at(2 * DAY + 3 * HOUR) });
	expect((await poll(2 * DAY + 4 * HOUR)).ids).toEqual([3, 9]);
	expect(asked).toHaveLength(2);
	expect((await poll(2 * DAY + 4 * HOUR - 60)).ids).toEqual([]);
	expect(asked).toHaveLength(1);
});

it('cannot tell what has passed where no answer tells the time', async () => {
	await expect(desk([]).poll(undefined)).rejects.toThrow("has no 'Date'");
});

it('tells whole minutes, left or over', () => {
	const time = '2026-07-01T12:00:30.0000000';
	const on = (clock: string) => deadlineOf(watch, { time, id: 1 }, clock, 110);
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
