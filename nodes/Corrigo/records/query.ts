import { getKeyProperties } from '../catalogue/entities';
import { type JsonObject, isObject, normalize } from '../values/checks';
import { type Criteria, joinCriteria, isIn, or } from '../wire/criteria';
import {
	MAX_PAGE_SIZE,
	buildPageExpression,
	isPagedById,
	splitIntoRanges,
	START,
	takePage,
	restrictToRange,
	type Position,
	type Query,
	type Range,
} from '../wire/paging';
import { buildQueryRequest } from '../wire/requests';
import { createApiError, emptyIfForbidden } from '../transport/errors';
import { send, type Caller, type SendOptions } from '../transport/send';
import { batches } from '../values/tools';

interface QueryOptions extends SendOptions {
	isolationLevel?: string;
}

type Page = { rows: JsonObject[]; next?: Position };
type LoadPage = (query: Query, position?: Position) => Promise<Page>;

const createPageReader =
	(caller: Caller, entity: string, options: QueryOptions): LoadPage =>
	async (query, position = START) => {
		const request = buildQueryRequest(
			entity,
			buildPageExpression(query, position),
			options.isolationLevel,
		);
		const page = takePage(query, position, await send(caller, request, options));
		if (!('stuck' in page)) return page;
		const advice = "Set 'Distinct' under 'Options > Advanced', or choose another 'Paging Method'.";
		throw createApiError(caller.getNode(), page.stuck, advice);
	};

/** Reads page by page. While the caller handles one page, the next is requested. */
async function* loadPages(
	read: LoadPage,
	query: Query,
	start = START,
): AsyncGenerator<JsonObject[]> {
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
export async function* loadPagesInParallel(
	caller: Caller,
	entity: string,
	query: Query,
	count: number,
	options: QueryOptions = {},
): AsyncGenerator<JsonObject[]> {
	const read = createPageReader(caller, entity, options);
	if (count < 2 || query.limit !== Infinity || !isPagedById(query)) {
		yield* loadPages(read, query);
		return;
	}
	const { rows, next } = await read(query);
	if (next === undefined) {
		yield rows;
		return;
	}
	const ranges = generateRanges(next, loadNewestId(read, query), count, query.pageSize);
	yield* readInOrder(rows, ranges, count, (range) => {
		const [part, start] = restrictToRange(query, range, next);
		return loadPages(read, part, start);
	});
}

/** A full page is almost always followed by another, which is read along with the greatest Id. */
async function* generateRanges(
	{ lastId, longestPage }: Position,
	newestRead: Promise<number>,
	count: number,
	pageSize = MAX_PAGE_SIZE,
): AsyncGenerator<Range> {
	// A failure is thrown below; until then, nobody awaits it.
	newestRead.catch(() => undefined);
	const from = longestPage < pageSize ? lastId : lastId + longestPage;
	if (from > lastId) yield { from: lastId, to: from };
	const newest = await newestRead;
	// An answer below what has been read is wrong, so it does not show where the table ends.
	const isEnd = newest >= lastId && newest <= from;
	if (!isEnd) yield* splitIntoRanges(longestPage, from, newest, count);
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

async function loadNewestId(read: LoadPage, query: Query) {
	const { rows } = await read({
		...query,
		properties: ['Id'],
		orders: [{ PropertyName: 'Id', OrderType: 'Descending' }],
		limit: 1,
		pagingMethod: 'byOffset',
	});
	return Number(rows[0]?.Id ?? 0);
}

interface RowsOptions extends QueryOptions {
	limit?: number;
	distinct?: boolean;
}

/** The result must be small enough to be kept in memory. */
export const loadAllRows = async (
	caller: Caller,
	entity: string,
	criteria: Criteria | undefined,
	properties: string[],
	{ limit = Infinity, distinct, ...options }: RowsOptions = {},
): Promise<JsonObject[]> => {
	const query = { key: getKeyProperties(entity), properties, criteria, limit, distinct };
	return (await collect(loadPages(createPageReader(caller, entity, options), query))).flat();
};

async function collect<T>(source: AsyncIterable<T>, isOver = () => false): Promise<T[]> {
	const all: T[] = [];
	for await (const one of source) {
		all.push(one);
		if (isOver()) break;
	}
	return all;
}

export interface Requester {
	readonly caller: Caller;
	readonly sendOptions?: SendOptions;
}

export interface LookUp {
	entity: string;
	/** Any of these properties may match; paths may lead through references and collections. */
	by: readonly string[];
	/** Rows include these properties in addition to those that are compared. */
	properties?: readonly string[];
	where?: Criteria;
	distinct?: boolean;
}

/** Keys are normalized values, because Corrigo ignores case. */
export type RowsByValue = Map<string, JsonObject[]>;

/**
 * Finds all records that have one of the values in one of the properties, with few requests for many
 * values.
 */
export async function lookUp(
	{ caller, sendOptions }: Requester,
	{ entity, by, properties = [], where, distinct }: LookUp,
	values: Iterable<unknown>,
): Promise<RowsByValue> {
	const wanted = new Map([...values].map((value) => [normalize(value), value]));
	const read = properties.includes('*') ? properties : ['Id', ...by, ...properties];
	const isById = by.join() === 'Id' && getKeyProperties(entity)?.join() === 'Id';
	const found: RowsByValue = new Map();
	for (const some of batches(wanted.values())) {
		const criteria = joinCriteria(or(...by.map((property) => isIn(property, some))), where);
		// An Id has one record at most, so no further page is needed once each Id has its row.
		const options = { ...sendOptions, distinct, limit: isById ? some.length : Infinity };
		const rows = await loadAllRows(caller, entity, criteria, [...new Set(read)], options);
		for (const row of rows) addRow(found, wanted, by, row);
	}
	return found;
}

/** A service user who may not read the records gets none, and no error. */
export const lookUpIfAllowed = async (
	requester: Requester,
	by: LookUp,
	values: Iterable<unknown>,
): Promise<RowsByValue> =>
	await lookUp(requester, by, values).catch(
		(failure: unknown): RowsByValue => new Map(emptyIfForbidden(failure)),
	);

export async function loadRecordsById(
	requester: Requester,
	entity: string,
	ids: Iterable<number>,
	more: Omit<LookUp, 'entity' | 'by'>,
): Promise<Map<number, JsonObject>> {
	const found = await lookUp(requester, { ...more, entity, by: ['Id'] }, ids);
	return new Map([...found.values()].map(([row]) => [Number(row.Id), row]));
}

/** Ignores rows that were not asked for, because Corrigo may compare less strictly. */
function addRow(
	found: RowsByValue,
	wanted: ReadonlyMap<string, unknown>,
	by: readonly string[],
	row: JsonObject,
): void {
	for (const key of new Set(by.flatMap((path) => collectValues(row, path)).map(normalize))) {
		if (!wanted.has(key)) continue;
		const same = found.get(key) ?? [];
		found.set(key, same);
		same.push(row);
	}
}

/** The database of Corrigo may ignore case and accents. */
export const compareLetters = new Intl.Collator('en', { sensitivity: 'base' }).compare;

export const equalsIgnoringAccents = (one: string, other: string) =>
	compareLetters(one, other) === 0;

/** A path through a collection leads to several values. */
export function collectValues(record: unknown, path: string): unknown[] {
	let values: unknown[] = [record];
	for (const name of path.split('.')) {
		values = values.flatMap((one) => (isObject(one) ? one[name] : undefined));
	}
	return values.filter((value) => value !== undefined && value !== null);
}
