import { keyPropertiesOf } from '../catalogue/entities';
import type { JsonObject } from '../protocol/checks';
import type { Criteria } from '../protocol/criteria';
import {
	pageExpression,
	pagesById,
	rangesOf,
	START,
	takePage,
	restrictToRange,
	type Position,
	type Query,
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
		const hint = "Set 'Distinct' in 'Options', or choose another 'Paging Method'.";
		throw apiError(caller.getNode(), page.stuck, hint);
	};

/** Reads page by page. While the caller handles one page, the next is requested. */
async function* pages(read: ReadPage, query: Query, start = START): AsyncGenerator<JsonObject[]> {
	let pending: Promise<Page> | undefined = read(query, start);
	while (pending !== undefined) {
		const { rows, next }: Page = await pending;
		pending = next && read(query, next);
		// A failure is thrown when the caller asks for this page; until then, nobody awaits it.
		pending?.catch(() => undefined);
		yield rows;
	}
}

/**
 * Reads a large table a few pages at a time, in order and each row once. The first page shows whether
 * there are more, and the row with the greatest Id where the table ends.
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
	const first = await read(query);
	yield first.rows;
	if (first.next === undefined) return;
	const pageRead = read(query, first.next);
	const newestRead = newestId(read, query);
	// If one request fails, the other one is still awaited.
	await Promise.allSettled([pageRead, newestRead]);
	const [second, newest] = await Promise.all([pageRead, newestRead]);
	yield second.rows;
	const { next } = second;
	if (next === undefined) return;
	const ranges = rangesOf(query, next.lastId, newest, count);
	yield* readInOrder(ranges, count, async (range) => {
		const [part, start] = restrictToRange(query, range, next);
		return await collect(pages(read, part, start));
	});
}

/** Reads up to `count` parts at a time, and returns them in order. */
async function* readInOrder<T>(
	parts: readonly T[],
	count: number,
	read: (part: T) => Promise<JsonObject[][]>,
): AsyncGenerator<JsonObject[]> {
	const waiting = [...parts];
	const started: Array<Promise<JsonObject[][]>> = [];
	const startNext = () => {
		const part = waiting.shift();
		if (part === undefined) return;
		const pageRead = read(part);
		started.push(pageRead);
		// The loop below throws when it reaches a failed part; no more parts are started.
		pageRead.then(startNext, () => waiting.splice(0));
	};
	for (let stream = 0; stream < count; stream++) startNext();
	for (let part = started.shift(); part !== undefined; part = started.shift()) yield* await part;
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

/** For results that are small enough to be kept in memory. */
export const allRows = async (
	caller: Caller,
	entity: string,
	criteria: Criteria | undefined,
	properties: string[],
	options: QueryOptions = {},
): Promise<JsonObject[]> => {
	const query = { key: keyPropertiesOf(entity), properties, criteria, limit: Infinity };
	return (await collect(pages(pageReader(caller, entity, options), query))).flat();
};

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
	const all: T[] = [];
	for await (const one of source) all.push(one);
	return all;
}
