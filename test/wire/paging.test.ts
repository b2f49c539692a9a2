import fc from 'fast-check';

import type { JsonObject } from '../../nodes/Corrigo/values/objects';
import { and, equal, greaterThan, or, type Criteria } from '../../nodes/Corrigo/wire/criteria';
import {
	buildPageExpression,
	isPagedById,
	splitIntoRanges,
	START,
	takePage,
	restrictToRange,
	type Evidence,
	type PagePosition,
	type Query,
} from '../../nodes/Corrigo/wire/paging';
import type { QueryExpression } from '../../nodes/Corrigo/wire/requests';
import { cases } from '../cases';

const query = (more: Partial<Query> = {}): Query => ({
	properties: ['*'],
	pageSize: 3,
	limit: Infinity,
	...more,
});

interface Row extends JsonObject {
	Id: number;
	/** A condition on a collection returns the row once per match. */
	matches: number;
}

type Server = (expression: QueryExpression) => JsonObject[];

function holds(criteria: Criteria | undefined, row: Row): boolean {
	if (criteria === undefined) return true;
	const parts = [
		...(criteria.Conditions ?? []).map(({ PropertyName, Operator, Values: [value] }) => {
			if (Operator === 'GreaterThan') return (row[PropertyName] as number) > (value as number);
			if (Operator === 'LessOrEqual') return (row[PropertyName] as number) <= (value as number);
			if (Operator === 'Equal') return row[PropertyName] === value;
			throw new Error(`${Operator} is not simulated`);
		}),
		...(criteria.Filters ?? []).map((filter) => holds(filter, row)),
	];
	return criteria.FilterOperator === 'And' ? parts.every(Boolean) : parts.some(Boolean);
}

/** Does what the service documents for a query. */
function answerQuery(rows: Iterable<Row>, expression: QueryExpression): Row[] {
	const { Criteria: criteria, Orders = [], Distinct, Count, FirstResultIndex = 0 } = expression;
	const found = [...rows]
		.filter((row) => holds(criteria, row))
		.flatMap((row) => Array<Row>(Distinct ? 1 : row.matches).fill(row));
	for (const { PropertyName, OrderType } of [...Orders].reverse()) {
		const sign = OrderType === 'Ascending' ? 1 : -1;
		found.sort((a, b) => sign * ((a[PropertyName] as number) - (b[PropertyName] as number)));
	}
	return found.slice(FirstResultIndex, FirstResultIndex + Count);
}

const buildRows = (ids: number[], matches = 1): Row[] => ids.map((Id) => ({ Id, matches }));
const countUp = (last: number) => buildRows(Array.from({ length: last }, (_, index) => index + 1));

const ENDLESS = 500;

function readAll(wanted: Query, server: Server, evidence: Evidence = {}, start = START) {
	const asked: QueryExpression[] = [];
	const rows: JsonObject[] = [];
	let position: PagePosition | undefined = start;
	while (position !== undefined) {
		if (asked.length === ENDLESS) throw new Error('reading does not end');
		const expression = buildPageExpression(wanted, position);
		asked.push(expression);
		const page = takePage(wanted, position, server(expression), evidence);
		if ('stuck' in page) return { asked, rows, stuck: page.stuck };
		rows.push(...page.rows);
		position = page.next;
	}
	return { asked, rows };
}

const listIds = (rows: JsonObject[]) => rows.map(({ Id }) => Id as number);

const uniqueIds = fc.uniqueArray(fc.integer({ min: -20, max: 200 }), { maxLength: 60 });
const pageSize = fc.integer({ min: 1, max: 9 });
const limit = fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 70 }));

/** A page that is not full is the last. */
const countRequests = (rows: number, size: number, most: number) =>
	most <= rows ? Math.ceil(most / size) : Math.floor(rows / size) + 1;

describe('paging by Id', () => {
	it('requests the rows after the last one', () => {
		const criteria = or(equal('matches', 1), equal('matches', 2));
		const wanted = query({ criteria, properties: ['Number'], limit: 5 });
		const { asked } = readAll(wanted, (expression) => answerQuery(countUp(9), expression));
		const common = {
			PropertySet: { Properties: ['Id', 'Number'] },
			Orders: [{ PropertyName: 'Id', OrderType: 'Ascending' }],
			FirstResultIndex: 0,
		};
		const rest = { FilterOperator: 'And', Filters: [criteria, and(greaterThan('Id', 3))] };
		expect(asked).toEqual([
			{ ...common, Criteria: criteria, Count: 3 },
			{ ...common, Criteria: rest, Count: 2 },
		]);
	});

	// Promise: *Return All* returns every record once
	it('returns every row that exists all the time once, in order, whatever comes and goes', () => {
		const change = fc.record({
			added: fc.array(fc.integer({ min: -20, max: 200 }), { maxLength: 4 }),
			removed: fc.array(fc.nat(), { maxLength: 4 }),
		});
		fc.assert(
			fc.property(
				uniqueIds,
				fc.array(change, { maxLength: 20 }),
				fc.integer({ min: 1, max: 4 }),
				fc.option(pageSize, { nil: undefined }),
				limit,
				fc.boolean(),
				(ids, changes, most, size, upper, distinct) => {
					const table = new Map(buildRows(ids).map((row) => [row.Id, row]));
					for (const row of table.values()) row.matches = 1 + (Math.abs(row.Id) % most);
					const ever = new Set(table.keys());
					const always = new Set(table.keys());
					let requests = 0;
					const server: Server = (expression) => {
						const answer = answerQuery(table.values(), expression);
						const { added = [], removed = [] } = changes[requests++] ?? {};
						for (const index of removed) {
							const id = [...table.keys()][index % Math.max(table.size, 1)];
							table.delete(id);
							always.delete(id);
						}
						for (const Id of added) {
							if (!table.has(Id)) table.set(Id, { Id, matches: 1 });
							ever.add(Id);
						}
						return answer;
					};
					const wanted = query({ pageSize: size, limit: upper, distinct });
					const { rows, stuck } = readAll(wanted, server);

					expect(stuck).toBeUndefined();
					const got = listIds(rows);
					expect(got).toEqual([...new Set(got)].sort((a, b) => a - b));
					expect(got.filter((id) => !ever.has(id))).toEqual([]);
					expect(got.length).toBeLessThanOrEqual(upper);
					if (always.size >= upper) expect(got).toHaveLength(upper);
					const end = got.length === upper ? got[got.length - 1] : Infinity;
					expect([...always].filter((id) => id <= end && !got.includes(id))).toEqual([]);
				},
			),
			{ numRuns: cases(300, 2_000) },
		);
	});

	it('sends one request per page, never requests more rows than wanted, and accepts more up to the limit', () => {
		fc.assert(
			fc.property(uniqueIds, pageSize, limit, fc.nat(5), (ids, size, upper, extra) => {
				const wanted = query({ pageSize: size, limit: upper });
				const sorted = [...ids].sort((a, b) => a - b);
				const read = (more: number) =>
					readAll(wanted, (one) =>
						answerQuery(buildRows(ids), { ...one, Count: one.Count + more }),
					);
				const [exact, generous] = [read(0), read(extra)];
				for (const { rows } of [exact, generous]) {
					expect(listIds(rows)).toEqual(sorted.slice(0, upper));
				}
				expect(generous.stuck).toBeUndefined();
				expect(exact.asked).toHaveLength(countRequests(ids.length, size, upper));
				for (const { Count } of exact.asked) {
					expect(Count).toBeLessThanOrEqual(Math.min(size, upper));
				}
			}),
		);
	});

	it('returns every row with every page limit from 100 to 4,000', () => {
		const limits = fc.oneof(
			fc.integer({ min: 100, max: 130 }),
			fc.integer({ min: 100, max: 4000 }),
		);
		const pages = fc.integer({ min: 0, max: 3 });
		const more = fc.integer({ min: -1, max: 1 });
		const size = fc.option(fc.integer({ min: 30, max: 4000 }), { nil: undefined });
		const methods = fc.constantFrom('byId', 'byOffset');
		fc.assert(
			fc.property(
				limits,
				pages,
				more,
				size,
				methods,
				(most, full, rest, pageSize, pagingMethod) => {
					const table = countUp(Math.max(0, full * most + rest));
					const { rows } = readAll(query({ pageSize, pagingMethod }), (one) =>
						answerQuery(table, { ...one, Count: Math.min(one.Count, most) }),
					);
					expect(listIds(rows)).toEqual(listIds(table));
				},
			),
			{ numRuns: cases(60, 1000), examples: [[100, 2, 0, undefined, 'byId']] },
		);
	});

	it.each<[string, Partial<Query>, { longest?: number; newestId?: number }, boolean]>([
		['nothing else is known', {}, {}, false],
		['another answer was as long', {}, { longest: 100 }, false],
		['another answer was longer', {}, { longest: 101 }, true],
		['no row is newer', {}, { newestId: 100 }, true],
		['a newer row exists', {}, { newestId: 101 }, false],
		['rows are read by offset', { pagingMethod: 'byOffset' }, { newestId: 100 }, false],
	])('takes a page of 100 rows for the last where %s: %j, %j: %s', (_, more, evidence, isEnd) => {
		const page = takePage(query({ pageSize: 101, ...more }), START, countUp(100), evidence);
		expect('next' in page && page.next !== undefined).toBe(!isEnd);
	});

	it.each<[string, Server]>([
		['ignores conditions', (one) => answerQuery(countUp(9), { ...one, Criteria: undefined })],
		['repeats a page', () => buildRows([1, 2, 3])],
		['repeats a page of one row', () => buildRows([7, 7, 7])],
		['goes back', ({ Criteria: after }) => (after ? buildRows([3, 4, 5]) : buildRows([1, 2, 3]))],
		['ignores the order', () => buildRows([2, 1, 3])],
	])('stops for a server that %s', (_, server) => {
		const { asked, stuck } = readAll(query(), server);
		expect(stuck).toMatch(/same rows a second time/);
		expect(asked.length).toBeLessThanOrEqual(2);
	});

	it.each([[[{}]], [[{ Id: '1' }]], [[{ Id: null }]], [[{ Id: 1 }, { Name: 'x' }]]])(
		'stops for a row without an Id: %j',
		(answer) => {
			expect(readAll(query(), () => answer).stuck).toMatch(/without an Id/);
		},
	);

	it.each<[number, number, number[]]>([
		[0, Infinity, [4000]],
		[99, Infinity, [4000]],
		[999, Infinity, [4000, 4000]],
		[4000, Infinity, [4000, 4000]],
		[9001, Infinity, [4000, 4000, 4000]],
		[9000, 50, [50]],
		[9000, 6000, [4000, 2000]],
	])('%i rows, at most %d, are requested by default in pages of %j', (total, most, expected) => {
		const wanted = query({ pageSize: undefined, limit: most });
		const { asked, rows } = readAll(wanted, (one) => answerQuery(countUp(total), one));
		expect(asked.map(({ Count }) => Count)).toEqual(expected);
		expect(rows).toHaveLength(Math.min(total, most));
	});

	describe('in ranges', () => {
		/** Reads one page, then the rest in ranges. */
		const readInRanges = (wanted: Query, server: Server, newest: number, atATime: number) => {
			const first = takePage(wanted, START, server(buildPageExpression(wanted, START)));
			if ('stuck' in first) throw new Error(first.stuck);
			const { rows, next } = first;
			if (next === undefined) return [{ rows }];
			const rest = splitIntoRanges(next.longestPage, next.lastId, newest, atATime).map((range) => {
				const [part, start] = restrictToRange(wanted, range, next);
				return readAll(part, server, {}, start);
			});
			return [{ rows }, ...rest];
		};
		const listRowIds = (parts: ReadonlyArray<{ rows?: JsonObject[] }>) =>
			parts.flatMap(({ rows = [] }) => listIds(rows));

		it('returns every row once and in order, whatever the newest Id is', () => {
			const [newestId, streams] = [
				fc.integer({ min: -40, max: 260 }),
				fc.integer({ min: 2, max: 16 }),
			];
			fc.assert(
				fc.property(uniqueIds, pageSize, newestId, streams, (ids, size, newest, atATime) => {
					const wanted = query({ pageSize: size, criteria: or(equal('matches', 1)) });
					const table = ids.map((Id) => ({ Id, matches: 1 + (Math.abs(Id) % 2) }));
					const server: Server = (one) => answerQuery(table, one);
					const even = ids.filter((id) => id % 2 === 0).sort((a, b) => a - b);
					expect(listRowIds(readInRanges(wanted, server, newest, atATime))).toEqual(even);
				}),
			);
		});

		it.each<[string, Parameters<typeof splitIntoRanges>, number, number]>([
			[
				'uneven Ids are split into more ranges than are read at a time',
				[4000, 0, 4_000_000, 4],
				32,
				128_000,
			],
			['the remaining Ids count, not the highest one', [10, 1000, 1099, 1], 5, 1020],
			['few Ids are split, too', [10, 0, 79, 1], 8, 10],
			['after the newest Id there is one open range', [3, 7, 7, 4], 1, Infinity],
			['an Id without end shows nothing', [4000, 8000, Infinity, 3], 1, Infinity],
			['Ids that have lost digits show nothing', [4000, 1e22, 1.1e22, 3], 1, Infinity],
			['an Id that is older than the last one is the newest', [3, 7, 0, 4], 1, Infinity],
		])('%s: %j are %i ranges, the first up to %d', (_, given, count, end) => {
			const ranges = splitIntoRanges(...given);
			expect(ranges).toHaveLength(count);
			expect(ranges[0]).toEqual({ from: given[1], to: end });
			expect(ranges.at(-1)?.to).toBe(Infinity);
			expect(ranges.slice(1).map(({ from }) => from)).toEqual(
				ranges.slice(0, -1).map(({ to }) => to),
			);
		});

		it('ends a range at the newest row where a full page would need a look for more', () => {
			const ranges = splitIntoRanges(4000, 8000, 16_000, 4);
			expect(ranges).toEqual([
				{ from: 8000, to: 12_000 },
				{ from: 12_000, to: 16_000 },
				{ from: 16_000, to: Infinity },
			]);
			const asked: QueryExpression[][] = ranges.map((range) => {
				const wanted: Query = { properties: ['Id'], limit: Infinity };
				const [part, start] = restrictToRange(wanted, range, { ...START, longestPage: 4000 });
				return readAll(part, (one) => answerQuery(countUp(16_000), one), {}, start).asked;
			});
			expect(asked.map(({ length }) => length)).toEqual([1, 1, 1]);
		});

		it('keeps the query unchanged in the last range', () => {
			const start = { ...START, received: 3, longestPage: 3 };
			const [part] = restrictToRange(query(), { from: 7, to: Infinity }, start);
			expect(buildPageExpression(part, START)).toEqual(buildPageExpression(query(), START));
		});
	});

	// Promise: *Return All* returns every record once
	it('reads 200,000 rows in a linear number of steps', () => {
		const total = 200_000;
		const size = 4000;
		let next = 1;
		const server: Server = ({ Count }) => {
			const ids = Array.from({ length: Math.min(Count, total - next + 1) }, () => next++);
			return buildRows(ids);
		};
		const { asked, rows } = readAll(query({ pageSize: size }), server);
		expect(rows).toHaveLength(total);
		expect(asked).toHaveLength(total / size + 1);
	});
});

describe('by offset', () => {
	const byRank = [{ PropertyName: 'rank', OrderType: 'Descending' as const }];

	it('keeps the requested order with equal rows by Id, starts at the index, and ends at the limit', () => {
		fc.assert(
			fc.property(uniqueIds, pageSize, limit, fc.nat(70), (ids, size, upper, skip) => {
				const table = buildRows(ids).map((row) => ({ ...row, rank: (row.Id * 7919) % 5 }));
				const part = { pageSize: size, limit: upper, firstResultIndex: skip };
				const wanted = query({ ...part, orders: byRank });
				const { asked, rows, stuck } = readAll(wanted, (one) => answerQuery(table, one));
				expect(stuck).toBeUndefined();
				const sorted = [...table].sort((a, b) => b.rank - a.rank || a.Id - b.Id);
				expect(listIds(rows)).toEqual(listIds(sorted.slice(skip, skip + upper)));
				expect(asked).toHaveLength(countRequests(Math.max(ids.length - skip, 0), size, upper));
				expect(asked.map(({ FirstResultIndex }) => FirstResultIndex)).toEqual(
					asked.map((_, page) => skip + Math.min(page * size, Math.max(ids.length - skip, 0))),
				);
				for (const { Orders, Criteria: criteria } of asked) {
					expect(Orders).toEqual([...byRank, { PropertyName: 'Id', OrderType: 'Ascending' }]);
					expect(criteria).toBeUndefined();
				}
			}),
		);
	});

	it('sorts by Id if no order is requested', () => {
		const wanted = query({ pagingMethod: 'byOffset' });
		const { asked, rows } = readAll(wanted, (one) => answerQuery(buildRows([3, 1, 2, 5, 4]), one));
		expect(listIds(rows)).toEqual([1, 2, 3, 4, 5]);
		expect(asked[1]).toEqual({
			PropertySet: { Properties: ['*'] },
			Orders: [{ PropertyName: 'Id', OrderType: 'Ascending' }],
			Count: 3,
			FirstResultIndex: 3,
		});
	});

	it('sorts by Id only once, whatever its case', () => {
		const orders = [{ PropertyName: 'id', OrderType: 'Descending' as const }];
		expect(buildPageExpression(query({ orders }), START).Orders).toEqual(orders);
	});

	it('adds no Id to distinct columns, which would make every row distinct', () => {
		const wanted = query({ properties: ['City'], distinct: true });
		expect(buildPageExpression(wanted, START)).toEqual({
			PropertySet: { Properties: ['City'] },
			Distinct: true,
			Count: 3,
			FirstResultIndex: 0,
		});
	});

	it('advances by the number of rows received, even if they are more than requested', () => {
		const generous: Server = (one) => answerQuery(countUp(9), { ...one, Count: one.Count + 1 });
		const { asked, rows } = readAll(query({ pagingMethod: 'byOffset' }), generous);
		expect(listIds(rows)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
		expect(asked.map(({ FirstResultIndex }) => FirstResultIndex)).toEqual([0, 4, 8]);
	});

	it('stops for a server that ignores the index', () => {
		const server: Server = (one) => answerQuery(countUp(9), { ...one, FirstResultIndex: 0 });
		const { asked, stuck } = readAll(query({ pagingMethod: 'byOffset' }), server);
		expect(stuck).toMatch(/same rows a second time/);
		expect(asked).toHaveLength(2);
	});

	/** Answers with three of its rows, others each time, whatever the index is. */
	const shuffle =
		(rows: JsonObject[]): Server =>
		({ FirstResultIndex = 0 }) =>
			[0, 1, 2].map((index) => rows[(FirstResultIndex * (index + 2) + index * 7) % rows.length]);

	it.each<[string, Partial<Query>, JsonObject[], number]>([
		['by their key', { key: ['Id'] }, buildRows([1, 2, 3, 4, 5, 6, 7]), 20],
		['by their members', {}, buildRows([1, 2, 3, 4, 5, 6, 7]), 20],
		[
			'as distinct ones',
			{ properties: ['City'], distinct: true },
			[...'abcdefg'].map((City) => ({ City })),
			20,
		],
		['though they may be equal', {}, [...'abcdefg'].map((City) => ({ City })), 130],
	])('stops for a server that shuffles its rows, which are known %s', (_, more, rows, most) => {
		const { asked, stuck } = readAll(query({ pagingMethod: 'byOffset', ...more }), shuffle(rows));
		expect(stuck).toMatch(/same rows a second time/);
		expect(asked.length).toBeLessThan(most);
	});

	it.each<[string, Partial<Query>, string]>([
		['equal', {}, 'abababab'],
		['distinct', { properties: ['City'], distinct: true }, 'abcd'],
	])('returns %s rows without an Id, on several pages', (_, more, cities) => {
		const table = [...cities].map((City) => ({ City }));
		const wanted = query({ pagingMethod: 'byOffset', ...more });
		const { rows, stuck } = readAll(wanted, ({ Count, FirstResultIndex: from = 0 }) =>
			table.slice(from, from + Count),
		);
		expect([rows, stuck]).toEqual([table, undefined]);
	});
});

describe('the paging method', () => {
	const orders = [{ PropertyName: 'Number', OrderType: 'Ascending' as const }];

	it.each<[Partial<Query>, boolean]>([
		[{}, true],
		[{ properties: ['Number'] }, true],
		[{ orders: [] }, true],
		[{ distinct: true }, true],
		[{ distinct: true, properties: ['Id', 'City'] }, true],
		[{ distinct: false, properties: ['City'] }, true],
		[{ distinct: true, properties: ['City'] }, false],
		[{ distinct: true, properties: ['City'], pagingMethod: 'byId' }, true],
		[{ firstResultIndex: 0 }, false],
		[{ firstResultIndex: 5 }, false],
		[{ orders }, false],
		[{ pagingMethod: 'byOffset' }, false],
		[{ pagingMethod: 'byId' }, true],
	])('pages %j by Id: %s', (more, byId) => {
		expect(isPagedById(query(more))).toBe(byId);
	});

	it.each<[Partial<Query>, string[]]>([
		[{ properties: ['Number'] }, ['Id', 'Number']],
		[{ properties: ['Number', 'Id'] }, ['Number', 'Id']],
		[{ properties: ['*', 'Customer.DisplayAs'] }, ['*', 'Customer.DisplayAs']],
		[{ properties: ['Customer.Id'] }, ['Id', 'Customer.Id']],
		[{ properties: ['City'], distinct: true }, ['City']],
		[{ properties: ['City'], distinct: true, pagingMethod: 'byId' }, ['Id', 'City']],
		[{ properties: ['City'], pagingMethod: 'byOffset' }, ['Id', 'City']],
	])('requests the Id unless that would change the result: %j', (more, properties) => {
		expect(buildPageExpression(query(more), START).PropertySet.Properties).toEqual(properties);
	});
});

describe('the identity of rows', () => {
	const orders = [{ PropertyName: 'rank', OrderType: 'Ascending' as const }];

	it('is their key: one row per record with each method, and an exact limit', () => {
		const records = fc.uniqueArray(
			fc.record({ Id: fc.nat(50), rank: fc.nat(3), matches: fc.integer({ min: 1, max: 4 }) }),
			{ selector: ({ Id }) => Id },
		);
		const byOffset: Partial<Query> = { pagingMethod: 'byOffset', orders: [] };
		const ways = fc.constantFrom<Partial<Query>>({}, { orders: [] }, byOffset);
		fc.assert(
			fc.property(records, pageSize, limit, ways, (rows, size, upper, way) => {
				const wanted = query({ key: ['Id'], orders, pageSize: size, limit: upper, ...way });
				const read = readAll(wanted, (asked) => answerQuery(rows, asked));
				expect(read.stuck).toBeUndefined();
				const ids = listIds(read.rows);
				expect(new Set(ids).size).toBe(ids.length);
				expect(ids).toHaveLength(Math.min(upper, rows.length));
			}),
		);
	});

	const tree = [3, 1, 2].flatMap((ParentId) =>
		[5, 4, 6].map((ChildId) => ({ Id: ParentId, ParentId, ChildId, matches: 1 })),
	);

	it('is more than the Id if several rows share one', () => {
		const { asked, rows } = readAll(
			query({ key: ['ParentId', 'ChildId'], properties: ['Distance'], pageSize: 2 }),
			(expression) => answerQuery(tree, expression),
		);
		expect(rows).toHaveLength(tree.length);
		expect(new Set(rows)).toEqual(new Set(tree));
		expect(asked[1]).toMatchObject({
			PropertySet: { Properties: ['ParentId', 'ChildId', 'Distance'] },
			Orders: [{ PropertyName: 'ParentId' }, { PropertyName: 'ChildId' }],
			FirstResultIndex: 2,
		});
	});

	it('is every member if the key is not known', () => {
		const twice = tree.flatMap((row) => [row, { ...row }]);
		const whole = readAll(query({ pageSize: 100 }), (asked) => answerQuery(twice, asked), {
			newestId: Math.max(...listIds(twice)),
		});
		expect(whole.rows).toHaveLength(tree.length);
		expect(whole.stuck).toBeUndefined();
	});

	it('stops the reading if rows of one Id would be lost between pages', () => {
		const read = readAll(query({ pageSize: 2 }), (asked) => answerQuery(tree, asked));
		expect(read.stuck).toContain('different rows with one Id');
		const pages = [
			[1, 2, 3],
			[4, 4],
		].map((ids) => ids.map((Id, index) => ({ Id, index })));
		expect(readAll(query(), () => pages.shift() ?? []).stuck).toContain('with one Id');
	});

	it('is only the key if it is known, however the rows differ', () => {
		const rows = [{ Id: 1, Name: 'a' }, { Id: 1, Name: 'b' }, { Id: 2 }];
		const pages = [rows, []];
		expect(readAll(query({ key: ['Id'] }), () => pages.shift() ?? []).rows).toEqual([
			rows[0],
			rows[2],
		]);
	});

	describe('by offset', () => {
		const readPages = (key: string[] | undefined, ...pages: JsonObject[][]) =>
			readAll(query({ key, pagingMethod: 'byOffset' }), () => pages.shift() ?? []).rows;

		it('is the key across pages, however the rows differ', () => {
			const [a, b, c] = [{ Id: 1 }, { Id: 2 }, { Id: 3 }];
			const again = { Id: 1, Name: 'again' };
			expect(readPages(['Id'], [a, b, again], [again, c])).toEqual([a, b, c]);
		});

		it('is unknown if a row lacks a part of the key', () => {
			const rows = [
				{ ParentId: 1, ChildId: 2 },
				{ ParentId: 1, Name: 'a' },
				{ ParentId: 1, Name: 'b' },
			];
			expect(readPages(['ParentId', 'ChildId'], rows)).toEqual(rows);
		});

		it('is every member of a row with an Id if the key is not known', () => {
			const [a, b] = [{ Id: 1 }, { Id: 2 }];
			expect(readPages(undefined, [a, a, b], [b, { Id: 3 }])).toEqual([a, b, { Id: 3 }]);
			const city = { City: 'A' };
			expect(readPages(undefined, [city, city])).toEqual([city, city]);
		});
	});
});
