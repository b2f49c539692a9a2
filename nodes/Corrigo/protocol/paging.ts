import type { JsonObject } from './checks';
import { allOf, and, atMost, greaterThan, type Criteria } from './criteria';
import type { Order, QueryExpression } from './requests';

/** The service hands out no more rows than this in one answer. */
export const MAX_PAGE = 4000;
export const DEFAULT_PAGE = 1000;

export interface Query {
	properties: string[];
	/** The properties that tell rows apart; left out where that is not known. */
	key?: readonly string[];
	criteria?: Criteria;
	orders?: Order[];
	distinct?: boolean;
	/** Left open, the first page is small enough for a quick answer, and the next ones as large as can be. */
	pageSize?: number;
	/** No Id is larger: once it has come, nothing can. */
	lastId?: number;
	/** Exact; `Infinity` for all. */
	limit: number;
	firstResultIndex?: number;
	pagingMethod?: 'byId' | 'byOffset';
}

/** Where the reading stands: everything up to here has been handed out. */
export interface Position {
	lastId: number;
	received: number;
	returned: number;
	previousPage?: string;
	/** The longest page so far: a shorter one is the last. */
	longestPage?: number;
	/** How often in a row that page came again. */
	repeated?: number;
	/** By offset: the keys of what was handed out, or the last row where the key is not known. */
	seen?: Set<string>;
	lastRow?: string;
}

/** Some tables begin with a row of Id 0. */
export const START: Position = { lastId: -Infinity, received: 0, returned: 0 };

/** The rows behind `from`, up to and with `to`. */
export interface Range {
	from: number;
	to: number;
}

/** More parts than can be read at a time, so that uneven Ids leave nobody without work. */
const RANGES_PER_STREAM = 8;

/**
 * The Ids behind `from` in so many ranges that a few at a time can be read. The last one has no end:
 * rows that are added meanwhile belong to it. Where Ids have no gaps, a range fills whole pages.
 */
export function rangesOf(
	{ pageSize = MAX_PAGE }: Query,
	from: number,
	newest: number,
	streams: number,
): Range[] {
	const pages = Math.ceil((newest - from) / (streams * RANGES_PER_STREAM * pageSize));
	const width = Math.max(1, pages) * pageSize;
	const ranges: Range[] = [];
	for (let start = from; start < newest || ranges.length === 0; start += width) {
		ranges.push({ from: start, to: start + width });
	}
	ranges[ranges.length - 1].to = Infinity;
	return ranges;
}

/** One of them: what to ask for, and from where on, by what is known from pages before. */
export const restrictToRange = (
	query: Query,
	{ from, to }: Range,
	{ received, longestPage }: Position,
): [Query, Position] => [
	to === Infinity
		? query
		: { ...query, lastId: to, criteria: allOf(query.criteria, and(atMost('Id', to))) },
	{ ...START, lastId: from, received, longestPage },
];

const carriesId = ({ properties }: Query) => properties.includes('*') || properties.includes('Id');

const ID_KEY = ['Id'];

const idIsKey = ({ key }: Query) => key === undefined || key.join() === ID_KEY.join();

/**
 * By Id, nothing is lost or repeated when rows come and go between two pages. Offsets are for what
 * Ids cannot do: another order, a start in the middle, and distinct rows of columns without an Id.
 */
export function pagesById(query: Query): boolean {
	if (query.pagingMethod !== undefined) return query.pagingMethod === 'byId';
	if (!idIsKey(query)) return false;
	if (query.firstResultIndex !== undefined || (query.orders?.length ?? 0) > 0) return false;
	return carriesId(query) || query.distinct !== true;
}

export function pageExpression(query: Query, position: Position): QueryExpression {
	const byId = pagesById(query);
	const criteria = byId ? allOf(query.criteria, afterId(position.lastId)) : query.criteria;
	return {
		PropertySet: { Properties: propertiesOf(query, byId) },
		...(criteria ? { Criteria: criteria } : {}),
		...ordersOf(query, byId),
		...(query.distinct === undefined ? {} : { Distinct: query.distinct }),
		Count: pageSizeAt(query, position),
		FirstResultIndex: byId ? 0 : (query.firstResultIndex ?? 0) + position.received,
	};
}

/** What tells the rows apart is read along. Distinct columns would be others with it. */
function propertiesOf({ properties, key = ID_KEY, distinct }: Query, byId: boolean): string[] {
	if (properties.includes('*') || (distinct && !byId && !properties.includes('Id'))) {
		return properties;
	}
	return [...key.filter((path) => !properties.includes(path)), ...properties];
}

const pageSizeAt = (query: Query, position: Position) =>
	Math.min(
		query.pageSize ?? (position.received === 0 ? DEFAULT_PAGE : MAX_PAGE),
		query.limit - position.returned,
	);

/**
 * A Company may hand out fewer rows than were asked for, as long as that was nobody's express wish:
 * how many, the longest page tells.
 */
const fullPageSize = (query: Query, position: Position) =>
	query.pageSize === undefined
		? Math.min(pageSizeAt(query, position), Math.max(DEFAULT_PAGE, position.longestPage ?? 0))
		: pageSizeAt(query, position);

/**
 * Without an order the service may cut pages anywhere, and with one still among rows that are equal
 * in it: the key decides. Distinct columns can only be ordered by themselves.
 */
function ordersOf(query: Query, byId: boolean): { Orders?: Order[] } {
	const own = byId ? [] : (query.orders ?? []);
	const isDistinct = !byId && query.distinct === true && !carriesId(query);
	const ordered = new Set(own.map(({ PropertyName }) => PropertyName.toLowerCase()));
	const rest = (isDistinct ? [] : (query.key ?? ID_KEY))
		.filter((path) => !ordered.has(path.toLowerCase()))
		.map((PropertyName): Order => ({ PropertyName, OrderType: 'Ascending' }));
	const orders = [...own, ...rest];
	return orders.length > 0 ? { Orders: orders } : {};
}

const afterId = (lastId: number): Criteria | undefined =>
	lastId === START.lastId ? undefined : and(greaterThan('Id', lastId));

export type Page =
	| { rows: JsonObject[]; next?: Position }
	/** Going on might never end, or lose rows: why. */
	| { stuck: string };

const REPEATED_ROWS = 'Corrigo sent the same rows a second time, so reading was stopped';
const WITHOUT_ID = 'Corrigo sent a row without an Id, so the next page cannot be found';
const SHARED_ID =
	'Corrigo sent different rows with one Id, so pages cannot be told apart by Id and rows would be lost';

export function takePage(query: Query, position: Position, answer: JsonObject[]): Page {
	const byId = pagesById(query);
	const isEnd = answer.length < fullPageSize(query, position);
	const taken = byId
		? rowsAfter(query, position.lastId, answer, isEnd && position.received === 0)
		: unseenRows(query, position, answer);
	if ('stuck' in taken) return taken;

	const { rows } = taken;
	const room = query.limit - position.returned;
	const page = rows.slice(0, room);
	const returned = position.returned + page.length;
	if (isEnd || returned >= query.limit) return { rows: page };

	const received = position.received + answer.length;
	const longestPage = Math.max(position.longestPage ?? 0, answer.length);
	if (byId) {
		const lastId = rows[rows.length - 1].Id as number;
		if (lastId === query.lastId) return { rows: page };
		return { rows: page, next: { lastId, received, longestPage, returned } };
	}
	const previousPage = fingerprint(answer);
	const repeated = previousPage === position.previousPage ? (position.repeated ?? 0) + 1 : 0;
	if (repeated > (isOneRecord(answer) ? MAX_REPEATED : 0)) return { stuck: REPEATED_ROWS };
	const { seen, lastRow } = taken as UnseenRows;
	return {
		rows: page,
		next: { ...START, received, longestPage, returned, previousPage, repeated, seen, lastRow },
	};
}

/**
 * A condition on a collection brings a row once per matching child: here it counts once. Where the
 * key is not known, only what is the same in every member is a repetition; different rows of one Id
 * are harmless as long as no page has to begin behind them.
 */
function rowsAfter(
	{ key }: Query,
	lastId: number,
	answer: JsonObject[],
	isOnlyPage: boolean,
): { rows: JsonObject[] } | { stuck: string } {
	let last = lastId;
	const rows: JsonObject[] = [];
	for (const row of answer) {
		const { Id: id } = row;
		if (typeof id !== 'number') return { stuck: WITHOUT_ID };
		if (id === last && rows.length > 0) {
			if (key !== undefined || isEqual(row, rows[rows.length - 1])) continue;
			if (!isOnlyPage) return { stuck: SHARED_ID };
		} else if (id <= last) return { stuck: REPEATED_ROWS };
		last = id;
		rows.push(row);
	}
	return { rows };
}

const isEqual = (a: JsonObject, b: JsonObject) => JSON.stringify(a) === JSON.stringify(b);

interface UnseenRows {
	rows: JsonObject[];
	seen?: Set<string>;
	lastRow?: string;
}

/** The same by offset: rows that come again, in this page or a later one, are there already. */
function unseenRows({ key }: Query, position: Position, answer: JsonObject[]): UnseenRows {
	if (key !== undefined && answer.every((row) => key.every((path) => path in row))) {
		const seen = position.seen ?? new Set();
		const isNew = (row: JsonObject) => {
			const name = JSON.stringify(key.map((path) => row[path]));
			return seen.size < seen.add(name).size;
		};
		return { rows: answer.filter(isNew), seen };
	}
	let { lastRow } = position;
	const rows = answer.filter((row) => {
		const before = lastRow;
		lastRow = JSON.stringify(row);
		return !('Id' in row) || lastRow !== before;
	});
	return { rows, lastRow };
}

/** A record with more matching children than fit into a page fills several with itself. */
const MAX_REPEATED = 100;
const isOneRecord = (rows: JsonObject[]) => isEqual(rows[0], rows[rows.length - 1]);

const fingerprint = (rows: JsonObject[]) =>
	JSON.stringify([rows.length, rows[0], rows[rows.length - 1]]);
