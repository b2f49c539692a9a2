import { advance, startCursor, type Cursor } from '../../nodes/Corrigo/feed/cursor';
import { getBeginning, pollChanges, readKey, type Feed } from '../../nodes/Corrigo/feed/feed';
import { fetchPresentCursor } from '../../nodes/Corrigo/feed/present';
import type { QueryExpression } from '../../nodes/Corrigo/wire/requests';
import { answerTo, endsBelow, Service, timeText, unitsOf, type Row } from '../trigger/service';

const feed: Feed = { entity: 'Thing', time: 'At', properties: ['*'] };
const MINUTE = 60 * 10_000_000;

const answering = (load: (expression: QueryExpression) => Row[], min = Infinity) => ({
	...endsBelow(min),
	load: async (expression: QueryExpression) => load(expression),
	complete: async (rows: object[]) => rows,
	hasTime: () => true,
});

function trigger(most = Infinity, service = new Service()) {
	const asked: QueryExpression[] = [];
	let cursor: Cursor = startCursor(getBeginning(feed));
	return {
		asked,
		service,
		async poll(limit = 5000) {
			asked.length = 0;
			const answers = answering((expression) => {
				asked.push(expression);
				return service.answer(expression).slice(0, most);
			}, most);
			const { changes, ...read } = await pollChanges(feed, cursor, answers, { limit });
			cursor = advance(cursor, { newestBefore: cursor.newest, changes, ...read }).cursor;
			return changes.map(({ key }) => key);
		},
	};
}

const fill = (service: Service, count: number, apart: number) => {
	for (let index = 0; index < count; index++) {
		service.add();
		service.pass(apart);
	}
};

it.each([
	[0, 1],
	[49, 1],
	[1500, 1],
])('sends few requests when nothing is new after %i changes', async (count, requests) => {
	const { poll, asked, service } = trigger();
	fill(service, count, MINUTE / 600);
	expect(await poll()).toHaveLength(count);
	expect(await poll()).toEqual([]);
	expect(asked).toHaveLength(requests);
});

it('reads the keys alone of more than 50 changes that were delivered', async () => {
	const { poll, asked, service } = trigger();
	fill(service, 60, 1000);
	await poll();
	await poll();
	expect(asked[0].PropertySet.Properties).toEqual(['Id', 'At']);
});

it('sends one request for a few new changes, and two after many', async () => {
	const { poll, asked, service } = trigger();
	fill(service, 40, 1000);
	await poll();
	fill(service, 5, 1000);
	expect(await poll()).toHaveLength(5);
	expect(asked).toHaveLength(1);
	fill(service, 600, 1000);
	await poll();
	service.pass(MINUTE);
	fill(service, 5, 1000);
	expect(await poll()).toHaveLength(5);
	expect(asked.map(({ Count }) => Count)).toEqual([4000, 4000]);
});

// Promise: After a failed poll, the next one continues from the same place
it.each([
	['far apart', MINUTE, 4],
	['close together', 100, 4],
	// A page of one second has to be told from the page before it by fractions and Ids.
	['of one and the same time', 0, 5],
])('drains a backlog of changes %s by full pages', async (_, apart, most) => {
	const { poll, asked, service } = trigger();
	fill(service, 20_000, apart);
	const all = [];
	for (let polls = 0; polls < 4; polls++) {
		all.push(...(await poll()));
		expect(asked.length).toBeLessThanOrEqual(most);
	}
	expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 20_000 }, (__, id) => id + 1));
	expect(await poll()).toEqual([]);
});

it.each([100, 500, 1000, 1001])('finds all changes where pages have %i rows', async (most) => {
	const { poll, asked, service } = trigger(most);
	let found = 0;
	for (const count of [10, 100, 1000, 3, 1100, 1]) {
		fill(service, count, 1000);
		for (let got = (await poll()).length; got > 0; got = (await poll()).length) found += got;
		// As many pages as the keys take that are kept, one behind them, and one to see that all are
		// of the same second.
		expect(asked.length).toBeLessThanOrEqual(Math.ceil(1000 / most) + 3);
	}
	expect(found).toBe(2214);
});

it.each([1, 60, 200])('finds %i changes that are added behind a cut page', async (more) => {
	const { poll, service } = trigger(100);
	fill(service, 100, 1000);
	expect(await poll()).toHaveLength(100);
	expect(await poll()).toEqual([]);
	fill(service, more, 1000);
	let found = 0;
	for (let polls = 0; polls < 4; polls++) found += (await poll()).length;
	expect(found).toBe(more);
});

it('reads small pages when the limit is small', async () => {
	const { poll, asked, service } = trigger();
	fill(service, 500, 10_000);
	for (let polls = 0; polls < 50; polls++) expect(await poll(10)).toHaveLength(10);
	expect(asked.length).toBeLessThanOrEqual(4);
	expect(asked.at(-1)?.Count).toBe(60);
	expect(await poll(10)).toEqual([]);
});

it.each([
	[2, 1200, 5000, Infinity],
	[0, 1200, 5000, Infinity],
	[2, 120, 20, Infinity],
	[2, 300, 5000, 100],
	[2, 9000, 5000, Infinity],
])(
	'delivers all changes where answers show %i digits: %i in a second, at most %i a poll, pages of %i',
	async (digits, count, limit, most) => {
		const { poll, service } = trigger(most);
		service.digits = digits;
		const all: number[] = [];
		for (let second = 0; second < 2; second++) {
			fill(service, count, Math.floor(10_000_000 / count));
			service.pass(10_000_000);
		}
		for (let polls = 0; polls < Math.ceil((2 * count) / limit) + 2; polls++) {
			all.push(...(await poll(limit)).map(({ id }) => id));
		}
		all.sort((a, b) => a - b);
		expect(all).toEqual(Array.from({ length: 2 * count }, (_, index) => index + 1));
	},
);

it('loses no change where the service rounds fractions in conditions', async () => {
	const { poll, service } = trigger();
	service.rounds = true;
	fill(service, 20_000, 7_777);
	let found = 0;
	// Pages begin with the second in which the one before ended, so a poll may end a little early.
	for (let polls = 0; polls < 5; polls++) found += (await poll()).length;
	expect(found).toBe(20_000);
	// The one that comes next has all but the fraction of one that is known.
	service.add();
	expect(await poll()).toHaveLength(1);
});

it('finds late changes a few at a time, below the edge of the next poll', async () => {
	const rows = [1, 2, 3].map((Id) => ({ Id, At: timeText(Id * MINUTE) }));
	const newest = { time: timeText(10 * MINUTE), id: 9 };
	let cursor: Cursor = { edge: { time: timeText(0), id: 0 }, newest, known: [newest] };
	const found: number[] = [];
	for (let polls = 0; polls < 4; polls++) {
		const { changes, reached } = await pollChanges(
			feed,
			cursor,
			answering(() => rows),
			{ limit: 1 },
		);
		cursor = advance(cursor, { newestBefore: cursor.newest, reached, changes }).cursor;
		found.push(...changes.map(({ key }) => key.id));
	}
	expect(found).toEqual([1, 2, 3]);
});

describe('a service that', () => {
	const start = startCursor(getBeginning(feed));
	const row = (Id: number) => ({ Id, At: `2026-01-31T17:30:${String(Id % 60).padStart(2, '0')}` });
	const run = async (read: (expression: QueryExpression) => Row[], from = start) =>
		await pollChanges(feed, from, answering(read), { limit: 100, page: 5 });

	it('repeats itself is not asked forever', async () => {
		const page = Array.from({ length: 5 }, (_, index) => row(index + 1));
		const { changes, reached } = await run(() => page);
		// The page may have cut the second of its last row.
		expect(changes).toHaveLength(4);
		// The next poll begins where this one ended, and reports it.
		const again = run(() => page, startCursor(reached ?? start.edge));
		await expect(again).rejects.toThrow('the same rows a second time');
	});

	it.each([
		['time', { Id: 1, At: '' }, "without 'At'"],
		['Id', { At: '2026-01-31' } as Row, 'without an Id'],
	])('leaves out the %s causes an error', async (_, one, words) => {
		await expect(run(() => [one])).rejects.toThrow(words);
	});

	it('sends a row once for each child is read as one change each', async () => {
		const { changes } = await run(() => [row(1), row(1), row(2), row(1)]);
		expect(changes.map(({ key }) => key.id)).toEqual([1, 2]);
	});

	it('fails amid a backlog does not lose the pages before', async () => {
		let requests = 0;
		const { changes, reached } = await run(({ Count }) => {
			requests += 1;
			if (requests === 3) throw new Error('Away');
			return Array.from({ length: Count }, (_, index) => row((requests - 1) * 4 + index + 1));
		});
		expect(changes.map(({ key }) => key.id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
		expect(reached).toEqual({ ...readKey(feed, row(9)), id: 0 });
	});
});

describe('a poll of changes', () => {
	const rowAt = (Id: number, units: number): Row => ({ Id, At: timeText(units) });
	const minutely = (count: number) =>
		Array.from({ length: count }, (_, index) => rowAt(index + 1, (index + 1) * MINUTE));
	const keysIn = (rows: Row[]) => rows.map((row) => readKey(feed, row));

	/** One poll of these rows. */
	async function once(
		rows: Row[],
		{ known = [], edge = getBeginning(feed) }: Partial<Cursor>,
		sizes: { limit: number; page?: number },
		more: {
			most?: number;
			/** No page below this length is cut off. */
			min?: number;
			rounds?: boolean;
			hasTime?: boolean;
			before?: () => void;
			passes?: (row: object) => boolean;
		} = {},
	) {
		const { most, min = most, rounds, hasTime = true, before, passes = () => true } = more;
		const asked: QueryExpression[] = [];
		const cursor = { edge, newest: known.at(-1) ?? edge, known };
		const { changes, reached } = await pollChanges(
			feed,
			cursor,
			{
				...answering((expression) => {
					asked.push(expression);
					if (asked.length === 2) before?.();
					return answerTo(rows, expression, rounds).slice(0, most);
				}, min),
				complete: async (found) => found.map((row) => (passes(row) ? row : undefined)),
				hasTime: () => hasTime,
			},
			sizes,
		);
		const items = changes.filter(({ item }) => item !== undefined).map(({ key }) => key.id);
		return { ids: changes.map(({ key }) => key.id), items, asked, reached };
	}

	it('reads on while there is time, and the first page in any case', async () => {
		const rows = minutely(20);
		const late = await once(rows, {}, { limit: 100, page: 5 }, { hasTime: false });
		expect(late.ids).toEqual([1, 2, 3, 4]);
		expect(late.asked).toHaveLength(1);
		const timely = await once(rows, {}, { limit: 100, page: 5 });
		expect(timely.ids).toHaveLength(20);
		expect(timely.reached).toBeUndefined();
	});

	it('stops at the limit, and the next poll goes on behind that', async () => {
		const rows = minutely(20);
		const some = await once(rows, {}, { limit: 9, page: 5 });
		expect(some.ids).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
		expect(some.asked).toHaveLength(3);
		const less = await once(rows, {}, { limit: 7, page: 5 });
		expect(less.reached).toEqual({ ...keysIn(rows)[7], id: 0 });
		expect(less.asked).toHaveLength(2);
	});

	it('counts only changes that pass the filters against the limit', async () => {
		const rows = minutely(3000);
		const passes = (row: object) => (row as Row).Id % 1000 === 0;
		const { items, ids, asked, reached } = await once(rows, {}, { limit: 2 }, { passes });
		expect(items).toEqual([1000, 2000]);
		expect(ids).toHaveLength(2000);
		expect(reached).toEqual(keysIn(rows)[1999]);
		// Pages of 52 rows, twice as many, and so on.
		expect(asked).toHaveLength(6);
		const late = await once(rows, {}, { limit: 2 }, { passes, hasTime: false });
		expect(late.items).toEqual([]);
		expect(late.reached).toEqual({ ...keysIn(rows)[51], id: 0 });
	});

	it('sorts changes that are committed while it reads', async () => {
		const rows = [rowAt(1, 10), rowAt(2, MINUTE), rowAt(3, MINUTE + 9), rowAt(4, 2 * MINUTE)];
		const before = () => rows.push(rowAt(5, MINUTE + 5));
		const { ids } = await once(rows, {}, { limit: 100, page: 3 }, { before });
		expect(ids).toEqual([1, 2, 5, 3, 4]);
	});

	it('reads all of a backlog at once where fractions are rounded', async () => {
		const rows = Array.from({ length: 60 }, (_, index) => rowAt(index + 1, index * 777_777));
		const { ids } = await once(rows, {}, { limit: 100, page: 20 }, { rounds: true });
		expect(ids).toEqual(rows.map(({ Id }) => Id));
	});

	it('reads a few known changes again in full, to save a request', async () => {
		const rows = minutely(5);
		const from = { known: keysIn(rows).slice(0, 3) };
		const { ids, asked } = await once(rows, from, { limit: 100 });
		expect(ids).toEqual([4, 5]);
		expect(asked).toHaveLength(1);
	});

	it.each([
		[5, 1],
		[4, 2],
	])('asks behind a page of 4 only if pages of %i are not cut', async (min, requests) => {
		const rows = minutely(4);
		const from = { known: keysIn(rows).slice(0, 2) };
		const { ids, asked } = await once(rows, from, { limit: 100 }, { min });
		expect(ids).toEqual([3, 4]);
		expect(asked).toHaveLength(requests);
	});

	it('reads a backlog at once where the Company cuts its pages', async () => {
		const { ids } = await once(minutely(12), {}, { limit: 100 }, { most: 4 });
		expect(ids).toHaveLength(12);
	});

	it('finds a record that changes again within the second in which the last poll ended', async () => {
		const rows = [rowAt(1, 9), rowAt(2, 2), rowAt(3, 3)];
		const edge = { time: timeText(1), id: 1 };
		expect((await once(rows, { edge }, { limit: 100, page: 2 })).ids).toEqual([2, 3, 1]);
	});

	it('finds new changes behind pages of known ones', async () => {
		const rows = minutely(10);
		const from = { known: keysIn(rows).slice(0, 8) };
		const { ids } = await once(rows, from, { limit: 100 }, { most: 4 });
		expect(ids).toEqual([9, 10]);
	});

	it('ends where the last known records were removed', async () => {
		const rows = minutely(9);
		const from = { known: keysIn(rows) };
		const { ids } = await once(rows.slice(0, 4), from, { limit: 100, page: 80 });
		expect(ids).toEqual([]);
	});
});

it.each([
	// All are of one second, which is read whole.
	[1500, Infinity, 2],
	[300, 100, 4],
	[120, 50, 3],
	[40, Infinity, 1],
])('a start from now takes %i changes for old, in pages of %d', async (count, most, requests) => {
	const service = new Service();
	fill(service, count, 1000);
	const asked: QueryExpression[] = [];
	const answers = answering((expression) => {
		asked.push(expression);
		return service.answer(expression).slice(0, most);
	}, most);
	const cursor = await fetchPresentCursor(feed, { ...answers, clock: service.clock });
	expect(asked).toHaveLength(requests);
	// All keys that are kept, and the one after which they begin.
	expect(asked[0].Count).toBe(1001);
	for (const { PropertySet } of asked) expect(PropertySet.Properties).toEqual(['Id', 'At']);
	service.add();
	const { changes } = await pollChanges(feed, cursor, answers, { limit: 5000 });
	expect(changes.map(({ key }) => key.id)).toEqual([count + 1]);
});

it('ends a poll within its time in which its own conditions exclude each row of an endless second', async () => {
	const time = '2026-01-01T00:00:00.0000000';
	const known = Array.from({ length: 60 }, (_, index) => ({ time, id: index + 1 }));
	const cursor = { ...startCursor(getBeginning(feed)), newest: known[59], known };
	let pages = 0;
	const source = {
		...answering(({ Count, Criteria }) => {
			pages += 1;
			const after = /"Id","Operator":"GreaterThan","Values":\[(\d+)/.exec(JSON.stringify(Criteria));
			const from = Number(after?.[1] ?? 0) + 1;
			const rows = Array.from({ length: Count }, (_, index) => ({ Id: from + index, At: time }));
			return pages < 30 ? rows : [];
		}),
		keep: async () => [],
		hasTime: () => false,
	};
	const checked = { ...feed, checks: [{ match: 'all' as const, queries: [] }] };
	const { reached } = await pollChanges(checked, cursor, source, { limit: 100 });
	expect(pages).toBeLessThan(5);
	expect(reached?.time).toBe(time);
});

it('tells changes of the last second that a time can have once, however many there are', async () => {
	const { poll, service, asked } = trigger(200);
	for (let count = 0; count < 450; count++) service.addAhead(unitsOf('9999-12-31T23:59:59') + 1000);
	expect(await poll()).toHaveLength(450);
	expect(await poll()).toEqual([]);
	expect(asked.length).toBeLessThan(10);
});
