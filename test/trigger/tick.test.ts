import { advance, startingAfter, type Cursor } from '../../nodes/Corrigo/trigger/cursor';
import { beginningOf, keyOf, type Feed } from '../../nodes/Corrigo/trigger/feed';
import { catchUp } from '../../nodes/Corrigo/trigger/tick';
import type { QueryExpression } from '../../nodes/Corrigo/protocol/requests';
import { Service, timeText } from './service';

const feed: Feed = { entity: 'Thing', time: 'At', properties: ['*'] };
const MINUTE = 60 * 10_000_000;

const answering = (read: (expression: QueryExpression) => Array<{ Id: number; At: string }>) => ({
	read: async (expression: QueryExpression) => read(expression),
	finish: async (rows: object[]) => rows,
	mayGoOn: () => true,
});

function desk(service: Service, most = Infinity) {
	const asked: QueryExpression[] = [];
	let cursor: Cursor = startingAfter(beginningOf(feed));
	return {
		asked,
		async tick(limit = 5000) {
			asked.length = 0;
			const answers = answering((expression) => {
				asked.push(expression);
				return service.answer(expression).slice(0, most);
			});
			const { taken, ...read } = await catchUp(feed, cursor, answers, { limit });
			const keys = taken.map(({ key }) => key);
			cursor = advance(cursor, { began: cursor.newest, keys, ...read }).cursor;
			return keys;
		},
	};
}

const fill = (service: Service, count: number, apart: number) => {
	for (let index = 0; index < count; index++) {
		service.add();
		service.pass(apart);
	}
};

it('asks once when there is nothing new, whatever was handed out before', async () => {
	const service = new Service();
	const { tick, asked } = desk(service);
	for (const count of [0, 10, 1500]) {
		fill(service, count, MINUTE / 600);
		expect(await tick()).toHaveLength(count);
		expect(await tick()).toEqual([]);
		expect(asked).toHaveLength(1);
	}
	// After a burst, the keys alone are looked through again.
	expect(asked[0].PropertySet.Properties).toEqual(['Id', 'At']);
});

it('asks behind the longest page that has come, as long as none is longer', async () => {
	const service = new Service();
	const { tick, asked } = desk(service);
	fill(service, 60, 1000);
	expect(await tick()).toHaveLength(60);
	expect(await tick()).toEqual([]);
	expect(asked).toHaveLength(2);
	service.pass(10 * MINUTE);
	fill(service, 70, 1000);
	expect(await tick()).toHaveLength(70);
	service.pass(10 * MINUTE);
	fill(service, 60, 1000);
	expect(await tick()).toHaveLength(60);
	expect(await tick()).toEqual([]);
	expect(asked).toHaveLength(1);
});

it('asks once for a few changes, and twice after many', async () => {
	const service = new Service();
	const { tick, asked } = desk(service);
	fill(service, 40, 1000);
	await tick();
	fill(service, 5, 1000);
	expect(await tick()).toHaveLength(5);
	expect(asked).toHaveLength(1);
	fill(service, 600, 1000);
	await tick();
	fill(service, 5, 1000);
	expect(await tick()).toHaveLength(5);
	expect(asked.map(({ Count }) => Count)).toEqual([4000, 4000]);
});

it.each([
	['far apart', MINUTE, 4],
	['close together', 100, 4],
	// A page of one second has to be told from the page before it by fractions and Ids.
	['of one and the same time', 0, 5],
])('drains a backlog of changes %s by full pages', async (_, apart, most) => {
	const service = new Service();
	const { tick, asked } = desk(service);
	fill(service, 20_000, apart);
	const all = [];
	for (let ticks = 0; ticks < 4; ticks++) {
		all.push(...(await tick()));
		expect(asked.length).toBeLessThanOrEqual(most);
	}
	expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 20_000 }, (__, id) => id + 1));
	expect(await tick()).toEqual([]);
});

it.each([100, 500, 1000, 1001])(
	'finds everything where the Company cuts pages to %i rows',
	async (most) => {
		const service = new Service();
		const { tick, asked } = desk(service, most);
		let found = 0;
		for (const count of [10, 100, 1000, 3, 1100, 1]) {
			fill(service, count, 1000);
			for (let got = (await tick()).length; got > 0; got = (await tick()).length) found += got;
			// As many pages as the keys take that are kept, and one behind them.
			expect(asked.length).toBeLessThanOrEqual(Math.ceil(1000 / most) + 2);
		}
		expect(found).toBe(2214);
	},
);

it.each([1, 60, 200])(
	'finds what is added behind a page of which the Company sends no more, %i of it',
	async (more) => {
		const service = new Service();
		const { tick } = desk(service, 100);
		fill(service, 100, 1000);
		expect(await tick()).toHaveLength(100);
		expect(await tick()).toEqual([]);
		fill(service, more, 1000);
		let found = 0;
		for (let ticks = 0; ticks < 4; ticks++) found += (await tick()).length;
		expect(found).toBe(more);
	},
);

it('takes up a few at a time with small pages', async () => {
	const service = new Service();
	const { tick, asked } = desk(service);
	fill(service, 500, 10_000);
	for (let ticks = 0; ticks < 50; ticks++) expect(await tick(10)).toHaveLength(10);
	expect(asked.length).toBeLessThanOrEqual(3);
	expect(asked.at(-1)?.Count).toBe(60);
	expect(await tick(10)).toEqual([]);
});

it('loses nothing where the service rounds the fractions that it is asked for', async () => {
	const service = new Service();
	service.rounds = true;
	const { tick } = desk(service);
	fill(service, 20_000, 7_777);
	let found = 0;
	// Pages begin with the second in which the one before ended, so a tick may end a little early.
	for (let ticks = 0; ticks < 5; ticks++) found += (await tick()).length;
	expect(found).toBe(20_000);
});

it('takes up late changes a few at a time, below the edge that the next tick would have', async () => {
	const rows = [1, 2, 3].map((Id) => ({ Id, At: timeText(Id * MINUTE) }));
	const newest = { time: timeText(10 * MINUTE), id: 9 };
	let cursor: Cursor = { edge: { time: timeText(0), id: 0 }, newest, known: [newest] };
	const found: number[] = [];
	for (let ticks = 0; ticks < 4; ticks++) {
		const { taken, reached } = await catchUp(
			feed,
			cursor,
			answering(() => rows),
			{ limit: 1 },
		);
		const keys = taken.map(({ key }) => key);
		cursor = advance(cursor, { began: cursor.newest, reached, keys }).cursor;
		found.push(...keys.map(({ id }) => id));
	}
	expect(found).toEqual([1, 2, 3]);
});

describe('a service that', () => {
	const start = startingAfter(beginningOf(feed));
	const row = (Id: number) => ({ Id, At: `2026-01-31T17:30:${String(Id % 60).padStart(2, '0')}` });
	const run = async (read: (expression: QueryExpression) => Array<{ Id: number; At: string }>) =>
		await catchUp(feed, start, answering(read), { limit: 100, page: 5 });

	it('repeats itself is not asked for ever', async () => {
		const page = Array.from({ length: 5 }, (_, index) => row(index + 1));
		const { taken, reached } = await run(() => page);
		expect(taken).toHaveLength(5);
		// The next tick begins where this one ended, and reports it.
		const rest = startingAfter(reached ?? start.edge);
		const again = catchUp(
			feed,
			rest,
			answering(() => page),
			{ limit: 100, page: 5 },
		);
		await expect(again).rejects.toThrow('the same rows a second time');
	});

	it.each([
		['leaves out the time', () => [{ Id: 1, At: '' }], "without 'At'"],
		[
			'leaves out the Id',
			() => [{ At: '2026-01-31' } as { Id: number; At: string }],
			'without an Id',
		],
	])('%s is told so', async (_, read, words) => {
		await expect(run(read)).rejects.toThrow(words);
	});

	it('brings a row once for each of its children is taken for one change each', async () => {
		const { taken } = await run(() => [row(1), row(1), row(2), row(1)]);
		expect(taken.map(({ key }) => key.id)).toEqual([1, 2]);
	});

	it('fails amid a backlog hands out what came before', async () => {
		let requests = 0;
		const { taken, reached } = await run(({ Count }) => {
			requests += 1;
			if (requests === 3) throw new Error('Away');
			return Array.from({ length: Count }, (_, index) => row((requests - 1) * 5 + index + 1));
		});
		expect(taken.map(({ key }) => key.id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
		expect(reached).toEqual(keyOf(feed, row(10)));
	});
});
