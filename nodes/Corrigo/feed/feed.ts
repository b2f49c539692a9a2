import { getDigest } from './digest';
import type { JsonObject } from '../values/objects';
import {
	type Criteria,
	type RowCheck,
	joinCriteria,
	and,
	atLeast,
	equal,
	greaterThan,
	lessThan,
	or,
	MAX_VALUES,
} from '../wire/criteria';
import { MAX_PAGE_SIZE, type PageLength } from '../wire/paging';
import type { SortOrder, QueryExpression } from '../wire/requests';
import {
	addMs,
	compareKeys,
	compareTimes,
	earlier,
	getSecond,
	isKeyId,
	isNewTo,
	later,
	OVERLAP,
	parseKey,
	toKeyText,
	toUtcText,
	type Cursor,
	type Key,
	type Look,
} from './cursor';

/** A feed treats the rows of one entity as changes, in order of time. */
export interface Feed {
	entity: string;
	/** The property with the UTC time of a change. Without one, the feed follows rising IDs. */
	time?: string;
	/** Set if `time` is that of the last change, so a row may change again without a new time. */
	followsChanges?: boolean;
	/** The property with the time of a change, if the feed follows rising IDs. */
	timestamp?: string;
	properties: readonly string[];
	criteria?: Criteria;
	/** Records must pass these as well. */
	checks?: readonly RowCheck[];
	/** Set if a condition on a collection may return a row once per child. */
	distinct?: boolean;
}

export const narrowFeed = (feed: Feed, criteria?: Criteria): Feed => ({
	...feed,
	criteria: joinCriteria(feed.criteria, criteria),
});

/** The next page begins with the second of this position. */
export interface FeedPosition {
	after: Key;
	/** Set if a whole page fell within this second, which is then read by ID after this one. */
	dense: boolean;
}

/** Corrigo uses earlier dates as placeholders for a missing date. */
const FIRST_DAY = '1900-01-01T00:00:00.0000000';

export const getBeginning = ({ time }: Feed): Key => ({ time: time ? FIRST_DAY : '', id: 0 });

export function readKey({ time }: Feed, row: JsonObject): Key {
	const at = time === undefined ? '' : toUtcText(row[time]);
	if (!isKeyId(row.Id) || at === undefined) {
		const missing = at === undefined ? `'${String(time)}'` : 'an Id';
		throw new TypeError(`Corrigo sent a row without ${missing}, so changes cannot be told apart`);
	}
	return { time: at, id: row.Id };
}

/**
 * Conditions compare whole seconds, because the database may store more digits than the service
 * shows. Rows that come again are recognized by their keys.
 */
function buildPageCriteria({ time }: Feed, { after, dense }: FeedPosition): Criteria {
	if (time === undefined) return and(greaterThan('Id', after.id));
	const next = getSecond(startNextSecond(after));
	const start = atLeast(time, getSecond(after));
	const second = isLastSecond(after) ? [start] : [start, lessThan(time, next)];
	if (dense) return and(...second, greaterThan('Id', after.id));
	// A record may have changed twice within the second.
	const rest = and(...second, greaterThan('Id', after.id - 1));
	return after.id > 0 ? or(atLeast(time, next), rest) : and(start);
}

const startNextSecond = ({ time }: Key): Key => ({ time: addMs(time, 1000), id: 0 });

/** Systems write the last second of the year 9999 for "never". */
const isLastSecond = (key: Key) => getSecond(startNextSecond(key)) === getSecond(key);

const buildSortOrders = (time: string | undefined, OrderType: SortOrder['OrderType']) =>
	[...(time === undefined ? [] : [time]), 'Id'].map(
		(PropertyName): SortOrder => ({ PropertyName, OrderType }),
	);

function selectProperties({ time, properties }: Feed, keysOnly: boolean): string[] {
	const own = ['Id', ...(time === undefined ? [] : [time])];
	if (keysOnly) return own;
	return properties.includes('*') ? [...properties] : [...new Set([...own, ...properties])];
}

interface PageOptions {
	count: number;
	keysOnly?: boolean;
	/** The ID of a row that is read as well, whatever the criteria. */
	witness?: number;
}

export function buildPageQuery(
	feed: Feed,
	position: FeedPosition,
	{ count, keysOnly = false, witness }: PageOptions,
): QueryExpression {
	const criteria = joinCriteria(feed.criteria, buildPageCriteria(feed, position));
	return {
		PropertySet: { Properties: selectProperties(feed, keysOnly) },
		Criteria: criteria && witness ? or(criteria, and(equal('Id', witness))) : criteria,
		Orders: buildSortOrders(position.dense ? undefined : feed.time, 'Ascending'),
		...(feed.distinct ? { Distinct: true } : {}),
		Count: count,
		FirstResultIndex: 0,
	};
}

/** The query excludes rows without a time, because they are not changes. */
export const buildNewestQuery = (
	feed: Feed,
	{
		count,
		keysOnly = false,
		skip = 0,
		position = { after: getBeginning(feed), dense: false },
	}: PageOptions & { skip?: number; position?: FeedPosition },
): QueryExpression => ({
	...buildPageQuery(feed, position, { count, keysOnly }),
	Orders: buildSortOrders(position.dense ? undefined : feed.time, 'Descending'),
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

/** Items are built from `Row`. */
export interface ChangeSource<T, Row = JsonObject> {
	load(expression: QueryExpression): Promise<JsonObject[]>;
	/** Builds an item from each row, or undefined for rows that the filters exclude. */
	complete(rows: Row[]): Promise<Array<T | undefined>>;
	/** Tells whether a page has all rows. */
	isLastPage(page: PageLength): Promise<boolean>;
	/** Keeps the rows that pass the checks of the feed. Others are as if they had not been read. */
	keep?(rows: JsonObject[]): Promise<JsonObject[]>;
	/** Returns whether there is time for this number of pages, by default for one. */
	hasTime(pages?: number): boolean;
	/** Returns Corrigo's clock in its first answer. */
	clock?(): string | undefined;
}

export type PageSource = Pick<ChangeSource<unknown>, 'load' | 'isLastPage' | 'keep'>;

export interface Change<T> {
	key: Key;
	item?: T;
	look?: Look;
}

export interface Sizes {
	/** Maximum number of items per poll. Changes that the filters exclude do not count. */
	limit: number;
	page?: number;
	/** Maximum number of keys to keep of changes that are stamped in the future. */
	keysAhead?: number;
}

/** A page has room for this many rows more than are expected. */
export const getSpare = (page = MAX_PAGE_SIZE): number => Math.ceil(page / 80);

export interface KeyedRow {
	key: Key;
	row: JsonObject;
	look?: Look;
}

/** A row may change again within its second, and become readable a little later. */
const OPEN_MS = 10_000;

/** Looks at a row that may change, or may have changed, without another time. */
function inspect(
	{ followsChanges = false }: Feed,
	{ open }: Cursor,
	{ key, row }: KeyedRow,
	clock?: string,
): Look | undefined {
	const before = open?.get(toKeyText(key));
	const isOpen = followsChanges && clock !== undefined && key.time >= addMs(clock, -OPEN_MS);
	if (before === undefined && !isOpen) return undefined;
	return { key, digest: getDigest(row), before, isOpen };
}

/**
 * Keeps the rows of a page that match the conditions that the node itself checks. Others stay
 * unknown, so one that begins to match later is new then.
 */
export async function keepMatching(
	{ checks = [] }: Feed,
	{ keep }: PageSource,
	rows: KeyedRow[],
): Promise<KeyedRow[]> {
	if (checks.length === 0 || keep === undefined || rows.length === 0) return rows;
	const matching = new Set(await keep(rows.map(({ row }) => row)));
	return rows.filter(({ row }) => matching.has(row));
}

/**
 * Returns the distinct rows of a page in ascending order, without those of a second that the page
 * may have cut. The next page begins at `next`, which is undefined after the last one.
 */
export async function fetchPage(
	feed: Feed,
	source: PageSource,
	from: FeedPosition,
	options: PageOptions,
): Promise<{ rows: KeyedRow[]; next?: FeedPosition; isEmpty: boolean }> {
	const answer = await source.load(buildPageQuery(feed, from, options));
	const rows = answer
		.map((row): KeyedRow => ({ key: readKey(feed, row), row }))
		.sort((a, b) => compareKeys(a.key, b.key))
		.filter(
			({ key }, index, sorted) => index === 0 || compareKeys(key, sorted[index - 1].key) !== 0,
		);
	const lastId = feed.time === undefined ? rows.at(-1)?.key.id : undefined;
	const isLast = await source.isLastPage({ length: answer.length, count: options.count, lastId });
	return { ...splitPage(feed, from, rows, isLast), isEmpty: rows.length === 0 };
}

function splitPage(
	{ time }: Feed,
	from: FeedPosition,
	rows: KeyedRow[],
	isLast: boolean,
): { rows: KeyedRow[]; next?: FeedPosition } {
	const { after, dense } = from;
	if (isLast) {
		const isSecond = dense && time !== undefined && !isLastSecond(after);
		return { rows, next: isSecond ? { after: startNextSecond(after), dense: false } : undefined };
	}
	const last = rows[rows.length - 1].key;
	if (time === undefined || dense) {
		if (compareKeys(last, after) <= 0) throw createRepeatError();
		return { rows, next: { after: later(after, last), dense } };
	}
	const second = getSecond(last);
	const whole = rows.filter(({ key }) => getSecond(key) !== second);
	if (whole.length > 0 ? second <= getSecond(after) : second < getSecond(after)) {
		throw createRepeatError();
	}
	const start = { time: addMs(last.time, 0), id: 0 };
	if (whole.length > 0) return { rows: whole, next: { after: start, dense: false } };
	// The changes of this second up to `after` are settled.
	const id = second === getSecond(after) ? Math.max(0, after.id - 1) : 0;
	return { rows: [], next: { after: { ...start, id }, dense: true } };
}

const createRepeatError = () =>
	new TypeError('Corrigo sent the same rows a second time, so reading was stopped');

/** A poll keeps the keys of its rows, also of those that the filters exclude. */
const MAX_NEW_ROWS = 200_000;

/** Collects the changes of one poll that the cursor does not know. */
export function collectChanges<T>(
	feed: Feed,
	cursor: Cursor,
	source: ChangeSource<T>,
	{ limit, page = MAX_PAGE_SIZE }: Sizes,
) {
	const changes: Array<Change<T>> = [];
	let items = 0;
	/** Usually, the newest rows of the last poll come again. */
	let isEmpty = true;
	const taken = new Set<string>();
	/** Rows that do not match the conditions that the node checks. */
	const passedOver = new Map<string, Key>();
	const isUndelivered = isNewTo(cursor);
	const looks: Look[] = [];
	let newestRead = cursor.edge;

	const fetchFresh = async (from: FeedPosition, options: Partial<PageOptions> = {}) => {
		const { rows, next, ...found } = await fetchPage(feed, source, from, {
			count: page,
			...options,
		});
		isEmpty &&= found.isEmpty;
		newestRead = rows.reduce((last, { key }) => later(last, key), newestRead);
		const looked = rows.map((one): KeyedRow => {
			const look = options.keysOnly ? undefined : inspect(feed, cursor, one, source.clock?.());
			return { ...one, look };
		});
		const unknown = looked.filter((one) => {
			const { before, digest } = one.look ?? {};
			const isChanged = before !== undefined && before !== digest;
			if (one.look && before === digest) looks.push(one.look);
			return (isUndelivered(one) || isChanged) && !taken.has(toKeyText(one.key));
		});
		const fresh = await keepMatching(feed, source, unknown);
		const matching = new Set(fresh);
		for (const one of unknown) {
			if (!matching.has(one)) passedOver.set(toKeyText(one.key), one.key);
		}
		return { fresh, next, isNew: unknown.length > 0 };
	};

	/** Adds rows up to the limit, and returns where the remaining ones begin, if any are left. */
	const take = async (
		found: KeyedRow[],
		isKept: (item?: T) => boolean = () => true,
	): Promise<FeedPosition | undefined> => {
		let count = 0;
		while (count < found.length && items < limit) {
			// How many rows pass the filters is unknown, and one request looks up many.
			const some = found.slice(count, count + Math.max(limit - items, MAX_VALUES));
			const completed = await source.complete(some.map(({ row }) => row));
			for (const [index, { key, look }] of some.entries()) {
				if (items === limit) break;
				const item = completed[index];
				if (isKept(item)) changes.push({ key, item, look });
				if (item !== undefined) items += 1;
				taken.add(toKeyText(key));
				count += 1;
			}
		}
		return count < found.length ? { after: found[count - 1].key, dense: false } : undefined;
	};

	/** Pages grow while the filters exclude what is read. */
	const getPageSize = () =>
		limit - items + (changes.length - items) + passedOver.size + getSpare(page);

	/**
	 * Reads page after page; more changes may be left after `rest`. Pages are read until one has rows
	 * that are new, and further ones only while time and the limit allow. If a page fails after others succeeded, the
	 * poll ends: the next poll begins with that page and reports the failure if it persists.
	 */
	const loadPages = async (
		begin: FeedPosition | undefined,
		loadPage: (from: FeedPosition) => Promise<FeedPosition | undefined>,
	) => {
		let rest = begin;
		const countNew = () => taken.size + passedOver.size;
		const canContinue = () =>
			countNew() === 0 || (items < limit && countNew() < MAX_NEW_ROWS && source.hasTime());
		const loadAll = async () => {
			while (rest !== undefined && canContinue()) rest = await loadPage(rest);
		};
		await loadAll().catch((failure: unknown) => {
			if (changes.length === 0) throw failure;
		});
		// A change that was committed late may turn up while a later page is read.
		changes.sort((a, b) => compareTimes(a.key, b.key));
		return { changes, rest, isEmpty, passedOver: [...passedOver.values()], looks, newestRead };
	};

	return { fetchFresh, take, getPageSize, loadPages };
}

/**
 * Changes that are stamped in the future stay known until then. If there are too many, the farthest
 * ones wait; those that are nearer than a known one do not.
 */
function createHorizon({ known }: Cursor, clock = '9999', keys = OVERLAP.keys) {
	const isAheadOfClock = ({ time }: Key) => time > clock;
	const farthest = known.at(-1);
	let ahead: number | undefined;
	return ({ key, look }: KeyedRow): boolean => {
		// A row that was delivered before is among the known ones.
		if (!isAheadOfClock(key) || look?.before !== undefined) return true;
		const isNear = farthest !== undefined && compareKeys(key, farthest) < 0;
		ahead ??= known.filter(isAheadOfClock).length;
		if (!isNear && ahead >= keys) return false;
		ahead += 1;
		return true;
	};
}

/**
 * Reads pages from the cursor on until nothing is left, time runs out or the limit is reached. The
 * next poll continues at `reached`, which is undefined if nothing is left.
 */
export async function pollChanges<T>(
	feed: Feed,
	cursor: Cursor,
	source: ChangeSource<T>,
	sizes: Sizes,
) {
	const { page = MAX_PAGE_SIZE, keysAhead } = sizes;
	const poll = collectChanges(feed, cursor, source, sizes);
	const known = cursor.known.length;
	const edge: FeedPosition = { after: cursor.edge, dense: false };
	// Among records of which few pass the criteria, one shows that the table is the same as before.
	const witness = feed.time === undefined && feed.criteria ? cursor.newest.id : undefined;

	/** True if changes that are stamped in the future have to wait. */
	let isWaiting = false;

	/** Most polls find nothing new. Among many known rows, the keys are enough to see that. */
	const findStart = async (): Promise<FeedPosition | undefined> => {
		let from = edge;
		for (;;) {
			const options = { keysOnly: true, witness };
			const { fresh, next, isNew } = await poll.fetchFresh(from, options);
			if (fresh.length > 0) {
				const { time, id } = fresh[0].key;
				return { after: { time, id: id - 1 }, dense: from.dense };
			}
			if (isNew || next?.dense !== true) return next;
			from = next;
		}
	};

	// The first page has room for all known rows if there is no limit.
	const isFew = known <= getSpare(page) || sizes.limit === Infinity;
	const open = [...(cursor.open ?? [])].flatMap(([text, before]) => {
		const key = parseKey(text);
		return key ? [{ key, before }] : [];
	});
	const begin = startAtOpen(open, isFew ? edge : await findStart());
	let isRipe: ReturnType<typeof createHorizon> | undefined;
	const { rest, ...found } = await poll.loadPages(begin, async (from) => {
		// Each page repeats the rows of the second in which the previous page ended, and the first
		// page repeats a few known rows.
		const count = Math.min(page, (isFew ? known : open.length) + poll.getPageSize());
		const options = from === begin ? { count, witness } : { count };
		const { fresh, next } = await poll.fetchFresh(from, options);
		isRipe ??= createHorizon(cursor, source.clock?.(), keysAhead);
		const ripe = fresh.filter(isRipe);
		isWaiting ||= ripe.length < fresh.length;
		return (await poll.take(ripe)) ?? (isWaiting ? undefined : next);
	});
	const seen = new Set([...found.looks, ...found.changes].map(({ key }) => toKeyText(key)));
	// A copy of the database that is behind lacks the newest rows.
	const isGone = ({ key }: { key: Key }) =>
		compareKeys(key, found.newestRead) < 0 &&
		!seen.has(toKeyText(key)) &&
		(rest === undefined || compareKeys(key, rest.after) < 0);
	const gone = open
		.filter(isGone)
		.map((one): Look => ({ ...one, digest: one.before, isOpen: false }));
	return { ...found, looks: [...found.looks, ...gone], reached: rest?.after, isWaiting };
}

/** Begins with the first row to look at once more. */
function startAtOpen(
	open: ReadonlyArray<{ key: Key }>,
	start?: FeedPosition,
): FeedPosition | undefined {
	if (open.length === 0) return start;
	const first = open.map(({ key }) => key).reduce(earlier);
	if (start !== undefined && compareKeys(start.after, first) < 0) return start;
	return { after: { ...first, id: first.id - 1 }, dense: false };
}
