import { keyPropertiesOf } from '../catalogue/entities';
import type { JsonObject } from '../protocol/checks';
import type { Criteria } from '../protocol/criteria';
import {
	MAX_PAGE,
	pageExpression,
	pagesById,
	rangesOf,
	START,
	takePage,
	restrictToRange,
	type Position,
	type Query,
	type Range,
} from '../protocol/paging';
import { queryRequest } from '../protocol/requests';
import { apiError } from '../transport/errors';
import { send, type Caller, type SendOptions } from '../transport/send';

interface QueryOptions extends SendOptions {
	isolationLevel?: string;
}

type Page = { rows: JsonObject[]; next?: Position };
type ReadPage = (query: Query, position?: Position) => Promise<Page>;

const pageReader =
	(caller: Caller, entity: string, options: QueryOptions): ReadPage =>
	async (query, position = START) => {
		const request = queryRequest(entity, pageExpression(query, position), options.isolationLevel);
		const page = takePage(query, position, await send(caller, request, options));
		if (!('stuck' in page)) return page;
		const hint = "Set 'Distinct' under 'Options > Advanced', or choose another 'Paging Method'.";
		throw apiError(caller.getNode(), page.stuck, hint);
	};

/** Reads page by page. While the caller handles one page, the next is requested. */
async function* pages(read: ReadPage, query: Query, start = START): AsyncGenerator<JsonObject[]> {
	let pending: Promise<Page> | undefined = read(query, start);
	try {
		while (pending !== undefined) {
			const { rows, next }: Page = await pending;
			pending = next && read(query, next);
			// A failure is thrown when the caller asks for this page; until then, nobody awaits it.
			pending?.catch(() => undefined);
			yield rows;
		}
	} finally {
		await Promise.allSettled([pending]);
	}
}

/**
 * Reads a large table several pages at a time, in order and each row once. The first page shows
 * whether there may be more, and the greatest Id shows where the table ends.
 */
export async function* parallelPages(
	caller: Caller,
	entity: string,
	query: Query,
	count: number,
	options: QueryOptions = {},
): AsyncGenerator<JsonObject[]> {
	const read = pageReader(caller, entity, options);
	if (count < 2 || query.limit !== Infinity || !pagesById(query)) {
		yield* pages(read, query);
		return;
	}
	const { rows, next } = await read(query);
	if (next === undefined) {
		yield rows;
		return;
	}
	const ranges = rangesAfter(next, newestId(read, query), count, query.pageSize);
	yield* readInOrder(rows, ranges, count, (range) => {
		const [part, start] = restrictToRange(query, range, next);
		return pages(read, part, start);
	});
}

/** A full page is almost always followed by another, which is read along with the greatest Id. */
async function* rangesAfter(
	{ lastId, longestPage }: Position,
	newestRead: Promise<number>,
	count: number,
	pageSize = MAX_PAGE,
): AsyncGenerator<Range> {
	// A failure is thrown below; until then, nobody awaits it.
	newestRead.catch(() => undefined);
	const from = longestPage < pageSize ? lastId : lastId + longestPage;
	if (from > lastId) yield { from: lastId, to: from };
	const newest = await newestRead;
	// An answer below what has been read is wrong, so it does not show where the table ends.
	const isEnd = newest >= lastId && newest <= from;
	if (!isEnd) yield* rangesOf(longestPage, from, newest, count);
}

/**
 * Returns the first rows, and then those of the parts in order. Up to `count` parts are read at a
 * time, and no other part is started once one has failed.
 */
async function* readInOrder<T>(
	first: JsonObject[],
	parts: AsyncGenerator<T>,
	count: number,
	read: (part: T) => AsyncGenerator<JsonObject[]>,
): AsyncGenerator<JsonObject[]> {
	const started: Array<Promise<JsonObject[][] | undefined>> = [];
	let isOver = false;
	const readNext = async () => {
		const next = await parts.next();
		return next.done === true || isOver ? undefined : await collect(read(next.value), () => isOver);
	};
	const startNext = () => {
		const partRead = readNext();
		started.push(partRead);
		// The loop below throws when it reaches the failed part.
		partRead.then(
			(rows) => {
				if (rows !== undefined && !isOver) startNext();
			},
			() => (isOver = true),
		);
	};
	for (let stream = 0; stream < count; stream++) startNext();
	try {
		yield first;
		for (let part = started.shift(); part !== undefined; part = started.shift()) {
			yield* (await part) ?? [];
		}
	} finally {
		isOver = true;
		await Promise.allSettled(started);
	}
}

async function newestId(read: ReadPage, query: Query) {
	const { rows } = await read({
		...query,
		properties: ['Id'],
		orders: [{ PropertyName: 'Id', OrderType: 'Descending' }],
		limit: 1,
		pagingMethod: 'byOffset',
	});
	return Number(rows[0]?.Id ?? 0);
}

interface AllOptions extends QueryOptions {
	limit?: number;
	distinct?: boolean;
}

/** The result must be small enough to be kept in memory. */
export const allRows = async (
	caller: Caller,
	entity: string,
	criteria: Criteria | undefined,
	properties: string[],
	{ limit = Infinity, distinct, ...options }: AllOptions = {},
): Promise<JsonObject[]> => {
	const query = { key: keyPropertiesOf(entity), properties, criteria, limit, distinct };
	return (await collect(pages(pageReader(caller, entity, options), query))).flat();
};

async function collect<T>(source: AsyncIterable<T>, isOver = () => false): Promise<T[]> {
	const all: T[] = [];
	for await (const one of source) {
		all.push(one);
		if (isOver()) break;
	}
	return all;
}
