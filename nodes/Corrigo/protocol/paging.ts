import type { JsonObject } from './checks';
import { allOf, and, atMost, greaterThan, type Criteria } from './criteria';
import type { Order, QueryExpression } from './requests';

/** The service hands out no more rows than this in one answer. */
export const LARGEST_PAGE = 4000;
export const DEFAULT_PAGE = 1000;

export interface Query {
	properties: string[];
	criteria?: Criteria;
	orders?: Order[];
	distinct?: boolean;
	/** Left open, the first page is small enough for a quick answer, and the next ones as large as can be. */
	pageSize?: number;
	/** Exact; `Infinity` for all. */
	limit: number;
	firstResultIndex?: number;
	pagingMethod?: 'byId' | 'byOffset';
}

/** Where the reading stands: everything up to here has been handed out. */
export interface Position {
	lastId: number;
	received: number;
	handedOut: number;
	previousPage?: string;
}

/** Some tables begin with a row of Id 0. */
export const START: Position = { lastId: -Infinity, received: 0, handedOut: 0 };

/** Behind the row with this id, in the middle of things. */
export const after = (lastId: number): Position => ({ ...START, lastId, received: DEFAULT_PAGE });

/** The rows up to this id only. */
export const upTo = (query: Query, id: number): Query => ({
	...query,
	criteria: allOf(query.criteria, and(atMost('Id', id))),
});

const carriesId = ({ properties }: Query) => properties.includes('*') || properties.includes('Id');

/**
 * By Id, nothing is lost or repeated when rows come and go between two pages. Offsets are for what
 * Ids cannot do: another order, a start in the middle, and distinct rows of columns without an Id.
 */
export function pagesById(query: Query): boolean {
	if (query.pagingMethod !== undefined) return query.pagingMethod === 'byId';
	if (query.firstResultIndex !== undefined || (query.orders?.length ?? 0) > 0) return false;
	return carriesId(query) || query.distinct !== true;
}

export function pageExpression(query: Query, position: Position): QueryExpression {
	const byId = pagesById(query);
	const properties =
		carriesId(query) || (query.distinct && !byId) ? query.properties : ['Id', ...query.properties];
	const criteria = byId ? allOf(query.criteria, afterId(position.lastId)) : query.criteria;
	return {
		PropertySet: { Properties: properties },
		...(criteria ? { Criteria: criteria } : {}),
		...ordersOf(query, byId),
		...(query.distinct === undefined ? {} : { Distinct: query.distinct }),
		Count: pageCount(query, position),
		FirstResultIndex: byId ? 0 : (query.firstResultIndex ?? 0) + position.received,
	};
}

const pageCount = (query: Query, position: Position) =>
	Math.min(
		query.pageSize ?? (position.received === 0 ? DEFAULT_PAGE : LARGEST_PAGE),
		query.limit - position.handedOut,
	);

/** A Company may hand out fewer rows than were asked for, as long as that was nobody's express wish. */
const fullPage = (query: Query, position: Position) =>
	query.pageSize === undefined
		? Math.min(pageCount(query, position), DEFAULT_PAGE)
		: pageCount(query, position);

const byIdAscending: Order = { PropertyName: 'Id', OrderType: 'Ascending' };

/**
 * Without an order the service may cut pages anywhere, and with one still among rows that are equal
 * in it: the Id decides. Distinct columns can only be ordered by themselves.
 */
function ordersOf(query: Query, byId: boolean): { Orders?: Order[] } {
	const own = byId ? [] : (query.orders ?? []);
	const isDecided = own.some(({ PropertyName }) => PropertyName.toLowerCase() === 'id');
	const isDistinct = !byId && query.distinct === true && !carriesId(query);
	const orders = isDecided || isDistinct ? own : [...own, byIdAscending];
	return orders.length > 0 ? { Orders: orders } : {};
}

const afterId = (lastId: number): Criteria | undefined =>
	lastId === START.lastId ? undefined : and(greaterThan('Id', lastId));

export type Page =
	| { rows: JsonObject[]; next?: Position }
	/** Going on might never end, or lose rows: why. */
	| { stuck: string };

const REPEATED = 'Corrigo sent the same rows a second time, so reading was stopped';
const WITHOUT_ID = 'Corrigo sent a row without an Id, so the next page cannot be found';

export function takePage(query: Query, position: Position, answer: JsonObject[]): Page {
	const byId = pagesById(query);
	const rows = byId ? rowsAfter(position.lastId, answer) : answer;
	if ('stuck' in rows) return rows;

	const room = query.limit - position.handedOut;
	const page = rows.length > room ? rows.slice(0, room) : rows;
	const handedOut = position.handedOut + page.length;
	const isLast = answer.length < fullPage(query, position) || handedOut >= query.limit;
	if (isLast) return { rows: page };

	const received = position.received + answer.length;
	if (byId) {
		return {
			rows: page,
			next: { lastId: rows[rows.length - 1].Id as number, received, handedOut },
		};
	}
	const previousPage = fingerprint(answer);
	if (previousPage === position.previousPage) return { stuck: REPEATED };
	return { rows: page, next: { ...START, received, handedOut, previousPage } };
}

/** A condition on a collection brings a row once per matching child: here it counts once. */
function rowsAfter(lastId: number, answer: JsonObject[]): JsonObject[] | { stuck: string } {
	let last = lastId;
	const rows: JsonObject[] = [];
	for (const row of answer) {
		const { Id: id } = row;
		if (typeof id !== 'number') return { stuck: WITHOUT_ID };
		if (id === last && rows.length > 0) continue;
		if (id <= last) return { stuck: REPEATED };
		last = id;
		rows.push(row);
	}
	return rows;
}

const fingerprint = (rows: JsonObject[]) =>
	JSON.stringify([rows.length, rows[0], rows[rows.length - 1]]);
