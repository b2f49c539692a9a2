import type { JsonObject } from '../values/objects';
import { joinCriteria, and, atMost, greaterThan, type Criteria, type RowCheck } from './criteria';
import type { SortOrder, QueryExpression } from './requests';

/** The service returns no more rows in one answer. */
export const MAX_PAGE_SIZE = 4000;

export interface Query {
	properties: string[];
	/** Properties that identify a row; undefined if they are unknown. */
	key?: readonly string[];
	criteria?: Criteria;
	/** The rows of a page must pass these as well. */
	checks?: readonly RowCheck[];
	orders?: SortOrder[];
	distinct?: boolean;
	pageSize?: number;
	/** Largest Id that can occur; reading stops at its row. */
	lastId?: number;
	/** `Infinity` for all rows. */
	limit: number;
	firstResultIndex?: number;
	pagingMethod?: 'byId' | 'byOffset';
}

/** All rows up to this position have been returned. */
export interface PagePosition {
	lastId: number;
	received: number;
	returned: number;
	/** Number of rows in the longest page so far; a shorter page is the last. */
	longestPage: number;
	/** Number of consecutive pages without a row that was not there before. */
	repeated?: number;
	/** Keys of the rows so far, or the rows themselves if no key is known. */
	seen?: Set<string>;
	lastRow?: string;
}

/** Some tables begin with a row of Id 0, so `lastId` starts below that. */
export const START: PagePosition = { lastId: -Infinity, received: 0, returned: 0, longestPage: 0 };

/** Ids greater than `from`, up to and including `to`. */
export interface Range {
	from: number;
	to: number;
}

/** Ids are unevenly distributed: several small ranges per stream keep all streams busy. */
const RANGES_PER_STREAM = 8;

/**
 * Splits the Ids greater than `from` into ranges that are read a few at a time. The last range is
 * open, so that it includes rows that are added meanwhile. Every width is a multiple of the page
 * size, so a range without gaps fills whole pages. An open range needs another request after a full
 * page, so it begins after the newest row if that row ends a page.
 */
export function splitIntoRanges(
	pageSize: number,
	from: number,
	newest: number,
	streams: number,
): Range[] {
	// An Id that cannot be counted shows nothing, and a range could never end.
	if (![from, newest].every(Number.isSafeInteger)) return [{ from, to: Infinity }];
	const pages = Math.ceil((newest - from) / (streams * RANGES_PER_STREAM * pageSize));
	const width = Math.max(1, pages) * pageSize;
	const ranges: Range[] = [];
	for (let start = from; start <= newest || ranges.length === 0; start += width) {
		ranges.push({ from: start, to: start + width });
	}
	ranges[ranges.length - 1].to = Infinity;
	return ranges;
}

export const restrictToRange = (
	query: Query,
	{ from, to }: Range,
	{ received, longestPage }: PagePosition,
): [Query, PagePosition] => [
	to === Infinity
		? query
		: { ...query, lastId: to, criteria: joinCriteria(query.criteria, and(atMost('Id', to))) },
	{ ...START, lastId: from, received, longestPage },
];

const includesId = ({ properties }: Query) => properties.includes('*') || properties.includes('Id');

const ID_KEY = ['Id'];

/**
 * Paging by Id neither loses nor repeats rows if others are added or deleted between two pages.
 * Offsets are needed for another order, a start in the middle, and distinct rows without an Id.
 */
export function isPagedById(query: Query): boolean {
	if (query.pagingMethod !== undefined) return query.pagingMethod === 'byId';
	if ((query.key ?? ID_KEY).join() !== 'Id') return false;
	if (query.firstResultIndex !== undefined || (query.orders?.length ?? 0) > 0) return false;
	return includesId(query) || query.distinct !== true;
}

export function buildPageExpression(query: Query, position: PagePosition): QueryExpression {
	const byId = isPagedById(query);
	const isContinued = byId && position.lastId !== START.lastId;
	const criteria = isContinued
		? joinCriteria(query.criteria, and(greaterThan('Id', position.lastId)))
		: query.criteria;
	return {
		PropertySet: { Properties: getProperties(query, byId) },
		...(criteria ? { Criteria: criteria } : {}),
		...buildOrders(query, byId),
		...(query.distinct === undefined ? {} : { Distinct: query.distinct }),
		Count: getPageSize(query, position),
		FirstResultIndex: byId ? 0 : (query.firstResultIndex ?? 0) + position.received,
	};
}

/** Adds the key, which identifies rows, unless it would change which rows are distinct. */
function getProperties({ properties, key = ID_KEY, distinct }: Query, byId: boolean): string[] {
	if (properties.includes('*') || (distinct && !byId && !properties.includes('Id'))) {
		return properties;
	}
	return [...omitSelected(key, properties), ...properties];
}

/** Names match in any case, and an asterisk selects every property. */
export function omitSelected(key: readonly string[], properties: readonly string[]): string[] {
	const selected = new Set(properties.map((path) => path.toLowerCase()));
	return selected.has('*') ? [] : key.filter((path) => !selected.has(path.toLowerCase()));
}

/** An unknown number of the rows that are checked is left. */
const MIN_CHECKED = 500;

export const getPageSize = (
	{ pageSize = MAX_PAGE_SIZE, limit, checks = [] }: Query,
	{ returned }: PagePosition,
) => Math.min(pageSize, Math.max(limit - returned, checks.length > 0 ? MIN_CHECKED : 0));

/**
 * The service may return equal or unsorted rows in a different sequence for each page, so the key
 * is added to the order. Distinct rows can be sorted only by their own columns.
 */
function buildOrders(query: Query, byId: boolean): { Orders?: SortOrder[] } {
	const own = byId ? [] : (query.orders ?? []);
	const isDistinct = !byId && query.distinct === true && !includesId(query);
	const ordered = new Set(own.map(({ PropertyName }) => PropertyName.toLowerCase()));
	const rest = (isDistinct ? [] : (query.key ?? ID_KEY))
		.filter((path) => !ordered.has(path.toLowerCase()))
		.map((PropertyName): SortOrder => ({ PropertyName, OrderType: 'Ascending' }));
	const orders = [...own, ...rest];
	return orders.length > 0 ? { Orders: orders } : {};
}

export type Page =
	| { rows: JsonObject[]; next?: PagePosition }
	/** Reading stops here, because more requests might never end, or lose rows. */
	| { stuck: string };

const REPEATED_ROWS = 'Corrigo sent the same rows a second time, so reading was stopped';
const WITHOUT_ID = 'Corrigo sent a row without an Id, so the next page cannot be found';
const SHARED_ID =
	'Corrigo sent different rows with one Id, so pages cannot be told apart by Id and rows would be lost';

/** Rows of other answers that show where a read ends. */
export interface Evidence {
	/** Number of rows in the longest answer of the Company. */
	longest?: number;
	/** Greatest Id of the entity after the page was read. */
	newestId?: number;
}

/** No Company has a lower page limit, so an answer with fewer rows is whole. */
export const LEAST_PAGE_LIMIT = 100;

/**
 * Tells whether the page limit may have cut off an answer. Any number of rows may be the limit of a
 * Company that has not sent a longer answer.
 */
export const mayBeCutOff = (length: number, asked: number, longest: number): boolean =>
	length < asked && length >= Math.max(LEAST_PAGE_LIMIT, longest);

/** A page has `length` of the `count` rows that were asked for. */
export interface PageLength {
	length: number;
	count: number;
	/** The greatest Id of a page that was read by Id. */
	lastId?: number;
}

export function takePage(
	query: Query,
	position: PagePosition,
	answer: JsonObject[],
	evidence: Evidence = {},
	/** Tells whether a row passes the checks of the query. */
	passes: (row: JsonObject) => boolean = () => true,
): Page {
	const byId = isPagedById(query);
	const { length } = answer;
	const isNewest = byId && Number(answer[length - 1]?.Id) >= (evidence.newestId ?? Infinity);
	const asked = getPageSize(query, position);
	const longest = Math.max(position.longestPage, evidence.longest ?? 0);
	const isEnd = length < asked && (isNewest || !mayBeCutOff(length, asked, longest));
	const taken = byId
		? takeRowsById(query, position.lastId, answer, isEnd && position.received === 0)
		: takeRowsByOffset(query, position, answer);
	if ('stuck' in taken) return taken;

	const { rows, next } = taken;
	const page = rows.filter(passes).slice(0, query.limit - position.returned);
	const returned = position.returned + page.length;
	const isLast = byId && next.lastId === query.lastId;
	if (isEnd || isLast || returned >= query.limit) return { rows: page };
	if ((next.repeated ?? 0) > (mayRepeat(query, answer) ? MAX_REPEATED : 0)) {
		return { stuck: REPEATED_ROWS };
	}
	const received = position.received + length;
	const longestPage = Math.max(position.longestPage, length);
	return { rows: page, next: { ...START, ...next, received, longestPage, returned } };
}

type PageRows = { rows: JsonObject[]; next: Partial<PagePosition> } | { stuck: string };

/**
 * A condition on a collection returns a row once per matching child, so repetitions are dropped. If
 * the key is unknown, only rows that are equal in every member count as repetitions; different rows
 * may share an Id as long as no page has to begin after them.
 */
function takeRowsById(
	{ key }: Query,
	lastId: number,
	answer: JsonObject[],
	isOnlyPage: boolean,
): PageRows {
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

/**
 * Paging by offset can repeat rows of earlier pages as well, so their keys are remembered, or the rows
 * themselves if they have none. Rows without a key may be equal and still be different records.
 */
function takeRowsByOffset({ key }: Query, position: PagePosition, answer: JsonObject[]): PageRows {
	const { seen = new Set() } = position;
	const isKeyed = key !== undefined && answer.every((row) => key.every((path) => path in row));
	const isNew = (row: JsonObject) => {
		const name = JSON.stringify(isKeyed ? key.map((path) => row[path]) : row);
		return seen.size < seen.add(name).size;
	};
	const added = answer.filter(isNew);
	const repeated = added.length === 0 ? (position.repeated ?? 0) + 1 : 0;
	if (isKeyed) return { rows: added, next: { repeated, seen } };
	let { lastRow } = position;
	const rows = answer.filter((row) => {
		const before = lastRow;
		lastRow = JSON.stringify(row);
		return !('Id' in row) || lastRow !== before;
	});
	return { rows, next: { repeated, seen, lastRow } };
}

/**
 * A record with more matching children than a page has rows fills several pages, and so do equal
 * records without an Id.
 */
const MAX_REPEATED = 100;
const mayRepeat = ({ key, distinct }: Query, rows: JsonObject[]) =>
	isEqual(rows[0], rows[rows.length - 1]) ||
	(key === undefined && distinct !== true && !('Id' in rows[0]));
