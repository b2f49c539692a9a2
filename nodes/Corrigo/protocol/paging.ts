import type { JsonObject } from './checks';
import { allOf, and, atMost, greaterThan, type Criteria } from './criteria';
import type { Order, QueryExpression } from './requests';

/** The service returns no more rows in one answer. */
export const MAX_PAGE = 4000;

/** The limits that a Company may have for the rows of one answer: multiples of `step` from `min` on. */
export interface PageLimits {
	min: number;
	step: number;
}

const PAGE_LIMITS: PageLimits = { min: 50, step: 10 };
/** A trigger that took a limit for the end would go on missing changes, so it trusts no round number. */
export const ANY_LIMIT: PageLimits = { min: 50, step: 1 };

/** Whether a page is shorter than requested, and its length cannot be the limit of the Company. */
export const isLastPage = (length: number, requested: number, limits = PAGE_LIMITS): boolean =>
	length < requested && !mayBeLimit(length, limits);

const mayBeLimit = (length: number, { min, step }: PageLimits) =>
	length >= min && (length % step === 0 || Number.isInteger(Math.log2(length)));

export interface Query {
	properties: string[];
	/** The properties that identify a row; missing where they are not known. */
	key?: readonly string[];
	criteria?: Criteria;
	orders?: Order[];
	distinct?: boolean;
	pageSize?: number;
	/** The largest Id that can occur: the row with this Id is the last. */
	lastId?: number;
	/** `Infinity` for all rows. */
	limit: number;
	firstResultIndex?: number;
	pagingMethod?: 'byId' | 'byOffset';
}

/** Everything up to this position has been returned. */
export interface Position {
	lastId: number;
	received: number;
	returned: number;
	previousPage?: string;
	/** The number of rows in the longest page so far: a shorter page is the last. */
	longestPage: number;
	/** How often the previous page was repeated without a break. */
	repeated?: number;
	/** By offset only: the keys of the rows returned, or the last row where the key is not known. */
	seen?: Set<string>;
	lastRow?: string;
}

/** Some tables begin with a row of Id 0, so `lastId` is lower than that. */
export const START: Position = { lastId: -Infinity, received: 0, returned: 0, longestPage: 0 };

/** Ids greater than `from`, up to and including `to`. */
export interface Range {
	from: number;
	to: number;
}

/** Ids are unevenly distributed: several small ranges per stream keep all streams busy. */
const RANGES_PER_STREAM = 8;

/**
 * Splits the Ids greater than `from` into ranges that are read a few at a time. The last range has no
 * end: rows that are added meanwhile belong to it. Where Ids have no gaps, a range fills whole pages.
 * After a full page, a range without an end needs another request, so it begins after the newest row
 * where that row ends a page.
 */
export function rangesOf(pageSize: number, from: number, newest: number, streams: number): Range[] {
	const pages = Math.ceil((newest - from) / (streams * RANGES_PER_STREAM * pageSize));
	const width = Math.max(1, pages) * pageSize;
	const ranges: Range[] = [];
	for (let start = from; start <= newest || ranges.length === 0; start += width) {
		ranges.push({ from: start, to: start + width });
	}
	ranges[ranges.length - 1].to = Infinity;
	return ranges;
}

/** The query and start position for one range. */
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
 * Paging by Id neither loses nor repeats rows when others come and go between two pages. Offsets serve
 * the rest: another order, a start in the middle, and distinct rows of columns without an Id.
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

/** Adds the key, which identifies rows, unless it would change which rows are distinct. */
function propertiesOf({ properties, key = ID_KEY, distinct }: Query, byId: boolean): string[] {
	if (properties.includes('*') || (distinct && !byId && !properties.includes('Id'))) {
		return properties;
	}
	return [...unselected(key, properties), ...properties];
}

/** The properties of the key that are not among these. */
export function unselected(key: readonly string[], properties: readonly string[]): string[] {
	const selected = new Set(properties.map((path) => path.toLowerCase()));
	return selected.has('*') ? [] : key.filter((path) => !selected.has(path.toLowerCase()));
}

const pageSizeAt = ({ pageSize = MAX_PAGE, limit }: Query, { returned }: Position) =>
	Math.min(pageSize, limit - returned);

/**
 * Without an order, or between rows that are equal in it, the service may cut pages anywhere, so the
 * key is added. Distinct columns can only be ordered by themselves.
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
	/** The reason to stop: more requests might never end, or lose rows. */
	| { stuck: string };

const REPEATED_ROWS = 'Corrigo sent the same rows a second time, so reading was stopped';
const WITHOUT_ID = 'Corrigo sent a row without an Id, so the next page cannot be found';
const SHARED_ID =
	'Corrigo sent different rows with one Id, so pages cannot be told apart by Id and rows would be lost';

export function takePage(query: Query, position: Position, answer: JsonObject[]): Page {
	const byId = pagesById(query);
	const { length } = answer;
	const requested = pageSizeAt(query, position);
	const isEnd = isLastPage(length, requested) || length < Math.min(requested, position.longestPage);
	const taken = byId
		? rowsAfter(query, position.lastId, answer, isEnd && position.received === 0)
		: unseenRows(query, position, answer);
	if ('stuck' in taken) return taken;

	const { rows, next } = taken;
	const page = rows.slice(0, query.limit - position.returned);
	const returned = position.returned + page.length;
	const isLast = byId && next.lastId === query.lastId;
	if (isEnd || isLast || returned >= query.limit) return { rows: page };
	if ((next.repeated ?? 0) > (isOneRecord(answer) ? MAX_REPEATED : 0)) {
		return { stuck: REPEATED_ROWS };
	}
	const received = position.received + length;
	const longestPage = Math.max(position.longestPage, length);
	return { rows: page, next: { ...START, ...next, received, longestPage, returned } };
}

type Taken = { rows: JsonObject[]; next: Partial<Position> } | { stuck: string };

/**
 * A condition on a collection returns a row once per matching child: the repetitions are dropped. Where
 * the key is not known, only rows that are equal in every member are repetitions; different rows of one
 * Id are harmless as long as no page has to begin after them.
 */
function rowsAfter(
	{ key }: Query,
	lastId: number,
	answer: JsonObject[],
	isOnlyPage: boolean,
): Taken {
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
	return { rows, next: { lastId: last } };
}

const isEqual = (a: JsonObject, b: JsonObject) => JSON.stringify(a) === JSON.stringify(b);

/** By offset, rows can be repeated in later pages as well. */
function unseenRows({ key }: Query, position: Position, answer: JsonObject[]): Taken {
	const previousPage = fingerprint(answer);
	const repeated = previousPage === position.previousPage ? (position.repeated ?? 0) + 1 : 0;
	if (key !== undefined && answer.every((row) => key.every((path) => path in row))) {
		const seen = position.seen ?? new Set();
		const isNew = (row: JsonObject) => {
			const name = JSON.stringify(key.map((path) => row[path]));
			return seen.size < seen.add(name).size;
		};
		return { rows: answer.filter(isNew), next: { previousPage, repeated, seen } };
	}
	let { lastRow } = position;
	const rows = answer.filter((row) => {
		const before = lastRow;
		lastRow = JSON.stringify(row);
		return !('Id' in row) || lastRow !== before;
	});
	return { rows, next: { previousPage, repeated, lastRow } };
}

/** A record with more matching children than a page has rows fills several pages. */
const MAX_REPEATED = 100;
const isOneRecord = (rows: JsonObject[]) => isEqual(rows[0], rows[rows.length - 1]);

const fingerprint = (rows: JsonObject[]) =>
	JSON.stringify([rows.length, rows[0], rows[rows.length - 1]]);
