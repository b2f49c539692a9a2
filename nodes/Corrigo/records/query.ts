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
 * Reads a large table a few pages at a time, in order and each row once. The first page shows whether
 * there may be more, and the row with the greatest Id where the table ends.
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
	const newestRead = next && newestId(read, query);
	// A failure is thrown below; until then, nobody awaits it.
	newestRead?.catch(() => undefined);
	yield rows;
	const newest = await newestRead;
	if (next === undefined || newest === undefined || newest === next.lastId) return;
	const ranges = rangesOf(next.longestPage, next.lastId, newest, count);
	yield* readInOrder(ranges, count, (range) => {
		const [part, start] = restrictToRange(query, range, next);
		return pages(read, part, start);
	});
}

/** Reads up to `count` parts at a time, and returns them in order. Once one has failed, no more is read. */
async function* readInOrder<T>(
	parts: readonly T[],
	count: number,
	read: (part: T) => AsyncGenerator<JsonObject[]>,
): AsyncGenerator<JsonObject[]> {
	const waiting = [...parts];
	const started: Array<Promise<JsonObject[][]>> = [];
	let isOver = false;
	const startNext = () => {
		const part = waiting.shift();
		if (part === undefined || isOver) return;
		const partRead = collect(read(part), () => isOver);
		started.push(partRead);
		// The loop below throws when it reaches the failed part.
		partRead.then(startNext, () => (isOver = true));
	};
	for (let stream = 0; stream < count; stream++) startNext();
	try {
		for (let part = started.shift(); part !== undefined; part = started.shift()) yield* await part;
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

/** For results that are small enough to be kept in memory. */
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
