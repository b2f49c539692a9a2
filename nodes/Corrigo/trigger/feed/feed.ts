import type { JsonObject } from '../../values/checks';
import {
	joinCriteria,
	and,
	atLeast,
	equal,
	greaterThan,
	lessThan,
	or,
	type Criteria,
} from '../../wire/criteria';
import type { SortOrder, QueryExpression } from '../../wire/requests';
import { getSecond, toUtcText, type Key } from './cursor';

/** A feed treats the rows of one entity as changes, in order of time. */
export interface Feed {
	entity: string;
	/** The property with the UTC time of a change. Without one, the feed follows rising IDs. */
	time?: string;
	properties: readonly string[];
	criteria?: Criteria;
	/** Set if a condition on a collection may return a row once per child. */
	distinct?: boolean;
}

/** The next page begins after this position. */
export interface Position {
	after: Key;
	/**
	 * Set if a whole page fell within the second of `after`. The next query then compares fractions
	 * and IDs.
	 */
	dense: boolean;
}

/** Corrigo uses earlier dates as placeholders for a missing date. */
const FIRST_DAY = '1900-01-01T00:00:00.0000000';

export const getBeginning = ({ time }: Feed): Key => ({ time: time ? FIRST_DAY : '', id: 0 });

export function readKey({ time }: Feed, row: JsonObject): Key {
	const at = time === undefined ? '' : toUtcText(row[time]);
	if (typeof row.Id !== 'number' || at === undefined) {
		const missing = at === undefined ? `'${String(time)}'` : 'an Id';
		throw new TypeError(`Corrigo sent a row without ${missing}, so changes cannot be told apart`);
	}
	return { time: at, id: row.Id };
}

/**
 * Conditions compare whole seconds unless a page lies within one second, so a database that rounds
 * fractions hides no row. Rows of that second that come again are recognized by their keys.
 */
function buildPageCriteria({ time }: Feed, { after, dense }: Position): Criteria {
	if (time === undefined) return and(greaterThan('Id', after.id));
	if (!dense) return and(atLeast(time, getSecond(after)));
	const exact = after.time.replace(/\.?0+$/, '');
	return or(greaterThan(time, exact), and(equal(time, exact), greaterThan('Id', after.id)));
}

const buildSortOrders = ({ time }: Feed, OrderType: SortOrder['OrderType']): SortOrder[] =>
	[...(time === undefined ? [] : [time]), 'Id'].map((PropertyName) => ({
		PropertyName,
		OrderType,
	}));

const getKeyMembers = ({ time }: Feed) => ['Id', ...(time === undefined ? [] : [time])];

function selectProperties(feed: Feed, keysOnly: boolean): string[] {
	const own = getKeyMembers(feed);
	if (keysOnly) return own;
	const { properties } = feed;
	return properties.includes('*') ? [...properties] : [...new Set([...own, ...properties])];
}

interface PageOptions {
	count: number;
	keysOnly?: boolean;
}

export const buildPageQuery = (
	feed: Feed,
	position: Position,
	{ count, keysOnly = false }: PageOptions,
): QueryExpression => ({
	PropertySet: { Properties: selectProperties(feed, keysOnly) },
	Criteria: joinCriteria(feed.criteria, buildPageCriteria(feed, position)),
	Orders: buildSortOrders(feed, 'Ascending'),
	...(feed.distinct ? { Distinct: true } : {}),
	Count: count,
	FirstResultIndex: 0,
});

/** The query excludes rows without a time, because they are not changes. */
export const buildNewestQuery = (
	feed: Feed,
	{ count, keysOnly = false, skip = 0 }: PageOptions & { skip?: number },
): QueryExpression => ({
	...buildPageQuery(feed, { after: getBeginning(feed), dense: false }, { count, keysOnly }),
	Orders: buildSortOrders(feed, 'Descending'),
	FirstResultIndex: skip,
});

/**
 * Finds the last row created before `time`, after which a feed by ID starts. Starting at the first
 * row since `time` could reach back to an old row that was changed later.
 */
export const buildLastRowQuery = (feed: Feed, property: string, time: string): QueryExpression => ({
	...buildNewestQuery(feed, { count: 1, keysOnly: true }),
	Criteria: joinCriteria(feed.criteria, and(lessThan(property, time.slice(0, 19)))),
});
