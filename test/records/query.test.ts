import { Readable } from 'node:stream';
import fc from 'fast-check';

import { and, atMost, type Criteria } from '../../nodes/Corrigo/wire/criteria';
import type { Query } from '../../nodes/Corrigo/wire/paging';
import type { QueryExpression } from '../../nodes/Corrigo/wire/requests';
import { loadAllRows, loadPagesInParallel } from '../../nodes/Corrigo/records/query';
import { collectValues } from '../../nodes/Corrigo/values/objects';
import type { Caller } from '../../nodes/Corrigo/transport/send';
import { cases } from '../cases';

interface Company {
	/** The Company returns no more rows in one answer. */
	limit: number;
	total: number;
	/** How far apart the Ids are. */
	gap: number;
	/** Answers in ascending order, whatever is asked for. */
	ignoresOrder?: boolean;
}

const FIRST_ID = 7;
const getId = (index: number, gap: number) => FIRST_ID + index * gap;

const findValue = (criteria: Criteria | undefined, operator: string, fallback: number): number => {
	const groups = [criteria, ...(criteria?.Filters ?? [])];
	const conditions = groups.flatMap((group) => group?.Conditions ?? []);
	return Number(conditions.find(({ Operator }) => Operator === operator)?.Values[0] ?? fallback);
};

/** The Ids that a Company with evenly spread ones returns for a query. */
function selectIds(
	{ limit, total, gap, ignoresOrder }: Company,
	expression: QueryExpression,
): number[] {
	const { Criteria: criteria, Orders = [], Count, FirstResultIndex: skip = 0 } = expression;
	const findIndex = (id: number) => Math.floor((id - FIRST_ID) / gap) + 1;
	const begin = Math.max(0, findIndex(findValue(criteria, 'GreaterThan', 0)));
	const end = Math.min(total, findIndex(findValue(criteria, 'LessOrEqual', Infinity)));
	const count = Math.max(0, Math.min(Count, limit, end - begin - skip));
	const isDescending = Orders[0]?.OrderType === 'Descending' && !ignoresOrder;
	return Array.from({ length: count }, (_, nth) =>
		getId(isDescending ? end - 1 - skip - nth : begin + skip + nth, gap),
	);
}

function createCaller(company: Company, onRequest: () => void = () => undefined): Caller {
	const httpRequestWithAuthentication = async (
		_: string,
		{ body }: { body: { QueryExpression: QueryExpression } },
	) => {
		onRequest();
		const Entities = selectIds(company, body.QueryExpression).map((Id) => ({ Data: { Id } }));
		const answer = Readable.from([Buffer.from(JSON.stringify({ Entities }))]);
		return { statusCode: 200, headers: {}, body: answer };
	};
	const getNode = () => ({ type: 'corrigo' });
	return { getNode, helpers: { httpRequestWithAuthentication } } as unknown as Caller;
}

async function read(
	company: Company,
	query: Partial<Query>,
	streams: number,
	options?: Parameters<typeof loadPagesInParallel>[4],
) {
	let requests = 0;
	const caller = createCaller(company, () => (requests += 1));
	const ids: unknown[] = [];
	const whole = { properties: ['Id'], limit: Infinity, ...query };
	for await (const rows of loadPagesInParallel({ caller }, 'WorkOrder', whole, streams, options)) {
		for (const { Id } of rows) ids.push(Id);
	}
	return { ids, requests };
}

const listIds = ({ total, gap }: Company, limit = Infinity) =>
	Array.from({ length: Math.min(total, limit) }, (_, index) => getId(index, gap));

const limits = fc.oneof(
	fc.constantFrom(100, 125, 333, 375, 500, 4000),
	fc.integer({ min: 100, max: 4000 }),
);
const totals = (limit: number) =>
	fc.oneof(
		fc.integer({ min: 0, max: Math.min(12_000, 60 * limit) }),
		// At the end of a page, and right next to it.
		fc
			.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: -1, max: 1 }))
			.map(([pages, more]) => Math.max(0, pages * limit + more)),
	);
const companies = limits.chain((limit) =>
	fc.record({ limit: fc.constant(limit), total: totals(limit), gap: fc.constantFrom(1, 3) }),
);
const pageSizes = fc.oneof(
	fc.constantFrom(undefined, 50, 1000, 2000, 4000),
	fc.integer({ min: 30, max: 4000 }),
);

// Promise: *Return All* returns every record once
it('reads every row once, whatever the page limit of the Company and the page size are', async () => {
	await fc.assert(
		fc.asyncProperty(
			companies,
			fc.record({
				pageSize: pageSizes,
				pagingMethod: fc.constantFrom('byId' as const, 'byOffset' as const),
				limit: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 12_000 })),
			}),
			fc.integer({ min: 1, max: 8 }),
			async (company, query, streams) => {
				const { ids } = await read(company, query, streams);
				expect(ids.join()).toBe(listIds(company, query.limit).join());
			},
		),
		{ numRuns: cases(60, 300) },
	);
});

it('loses no row where the look for the newest Id finds the oldest one', async () => {
	const company: Company = { limit: 4000, total: 9000, gap: 1, ignoresOrder: true };
	expect((await read(company, {}, 4)).ids.join()).toBe(listIds(company).join());
});

it.each([
	['rows', { rows: 20_000, bytes: Infinity }, 'more than 20,000 rows of WorkOrder'],
	['bytes', { rows: Infinity, bytes: 1024 ** 2 }, 'more than 1 MB of WorkOrder'],
])('stops after too many %s of a Company whose answers never end', async (_, max, reason) => {
	for (const streams of [1, 4]) {
		const reading = read({ limit: 4000, total: 1e12, gap: 1 }, {}, streams, { max });
		await expect(reading).rejects.toThrow(`Corrigo sent ${reason}, so reading was stopped`);
	}
});

const uncut = (total: number, gap = 1): Company => ({ limit: 4000, total, gap });

it.each<[string, Company, number, number]>([
	['no rows', uncut(0), 4, 1],
	// One request for the newest Ids shows that no row is missing.
	['rows that fit into one page', uncut(3999), 4, 2],
	['few rows', uncut(99), 4, 1],
	// The next page is read while the newest ID is looked up.
	['one full page', uncut(4000), 4, 3],
	['a little more than a page', uncut(5500), 4, 3],
	['a little more than a page, one after the other', uncut(5500), 1, 2],
	['100,000 rows', uncut(100_000), 4, 1 + 1 + 24 + 1],
	// Ids of other rows lie between: ranges of Ids hold about a page all the same.
	['20,000 rows with one Id in ten', uncut(20_000, 10), 4, 1 + 1 + 5],
	['9,000 rows with one Id in a thousand', uncut(9000, 1000), 4, 1 + 1 + 2],
	['pages that are cut', { limit: 1000, total: 6000, gap: 1 }, 4, 1 + 1 + 1 + 5 + 1],
])('sends few requests for %s', async (_, company, streams, requests) => {
	const reading = await read(company, {}, streams);
	expect(reading.ids.join()).toBe(listIds(company).join());
	expect(reading.requests).toBe(requests);
});

it('folds the rows of every page', async () => {
	const company = uncut(20_000, 10);
	const query = { properties: ['Id'], limit: Infinity };
	const foldRow = ({ Id }: Record<string, unknown>) => ({ folded: Id });
	const requester = { caller: createCaller(company) };
	const pages = loadPagesInParallel(requester, 'WorkOrder', query, 4, { foldRow });
	const folded: unknown[] = [];
	for await (const rows of pages) folded.push(...rows.map((row) => row.folded));
	expect(folded.join()).toBe(listIds(company).join());
});

it('a run pays for one probe, however many reads of however many rows follow', async () => {
	let requests = 0;
	const company: Company = { limit: 4000, total: 900, gap: 1 };
	const caller = createCaller(company, () => (requests += 1));
	for (const last of [3, 1, 700, 20, 100, 700]) {
		const criteria = and(atMost('Id', getId(last - 1, 1)));
		const rows = await loadAllRows({ caller }, 'WorkOrder', criteria, ['Id']);
		expect(rows).toHaveLength(last);
	}
	expect(requests).toBe(6 + 1);
});

it('a query by Ids is confirmed only where a row is missing', async () => {
	let requests = 0;
	const company: Company = { limit: 4000, total: 190, gap: 1 };
	const caller = createCaller(company, () => (requests += 1));
	const limit = 190;
	await loadAllRows({ caller }, 'WorkOrder', undefined, ['Id'], { limit });
	expect(requests).toBe(1);
});

it('an answer of an earlier read proves nothing about rows that were added since', async () => {
	const company: Company = { limit: 100, total: 100, gap: 1 };
	const caller = createCaller(company);
	const read = async () => await loadAllRows({ caller }, 'WorkOrder', undefined, ['Id']);
	expect(await read()).toHaveLength(100);
	company.total = 220;
	expect(await read()).toHaveLength(220);
});

it('a path finds values through references and collections, and none if it ends early', () => {
	const record = {
		Id: 1,
		Zero: 0,
		No: false,
		Empty: '',
		Customer: { Id: 2, WorkZone: null },
		ContactAddresses: [{ Address: 'a' }, { Address: null }, {}, 'x', { Address: 'b' }],
	};
	expect(collectValues(record, 'Id')).toEqual([1]);
	expect(['Zero', 'No', 'Empty'].flatMap((name) => collectValues(record, name))).toEqual([
		0,
		false,
		'',
	]);
	expect(collectValues(record, 'Customer.Id')).toEqual([2]);
	expect(collectValues(record, 'ContactAddresses.Address')).toEqual(['a', 'b']);
	for (const path of ['Customer.WorkZone', 'Customer.WorkZone.Id', 'Nothing', 'Id.Id']) {
		expect(collectValues(record, path)).toEqual([]);
	}
	expect(collectValues(undefined, 'Id')).toEqual([]);
});
