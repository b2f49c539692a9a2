import { crossesCollection, getKeyProperties } from '../catalogue/entities';
import { ATTRIBUTE_PROPERTIES, buildDescriptorCriteria } from '../compare/customFields';
import { type JsonObject, collectValues } from '../values/objects';
import { normalize } from '../values/input';
import {
	MAX_VALUES,
	type Criteria,
	type RowCheck,
	type RowQuery,
	and,
	atLeast,
	atMost,
	excludeRemoved,
	joinCriteria,
	isIn,
	or,
	batches,
} from '../wire/criteria';
import {
	MAX_PAGE_SIZE,
	buildPageExpression,
	getPageSize,
	isPagedById,
	mayBeCutOff,
	splitIntoRanges,
	START,
	takePage,
	restrictToRange,
	type PageLength,
	type PagePosition,
	type Query,
	type Range,
} from '../wire/paging';
import { buildQueryRequest, NEWEST_FIRST } from '../wire/requests';
import { createApiError, emptyIfForbidden } from '../transport/errors';
import { MAX_ANSWER_BYTES, send, type Caller, type SendOptions } from '../transport/send';
import { MEGABYTE } from '../session/exchange';
import { passesTest } from '../values/typedTexts';

interface ReadOptions {
	isolationLevel?: string;
	/** Makes each row smaller before it waits for others. */
	foldRow?: (row: JsonObject) => JsonObject;
	max?: ReadingSize;
}

interface Page {
	rows: JsonObject[];
	next?: PagePosition;
	/** Id of the first row, which folding may remove. */
	firstId: number;
}

type LoadPage = (query: Query, position?: PagePosition) => Promise<Page>;

/** Shows, from the answers of one run or poll, how many rows the page limit allows at least. */
interface KnownAnswers {
	longest: number;
	probes: Map<string, Promise<JsonObject[]>>;
}

const knownAnswers = new WeakMap<object, KnownAnswers>();

/** An active trigger keeps its caller for months, in which the Company may lower its limit. */
export function startPoll({ caller }: Requester): void {
	knownAnswers.delete(caller);
}

function noteAnswer({ caller }: Requester, length: number): KnownAnswers {
	const known = knownAnswers.get(caller) ?? { longest: 0, probes: new Map() };
	knownAnswers.set(caller, known);
	known.longest = Math.max(known.longest, length);
	return known;
}

/**
 * Reads as many Ids of an entity as one answer may have, once per run. A shorter page was not cut
 * off then, so reads of a Company without a limit need no other request to confirm their ends.
 * Returns the newest Id, unless an earlier page has caused the probe.
 */
async function probeLimit(
	{ caller, sendOptions }: Requester,
	entity: string,
	known: KnownAnswers,
): Promise<number | undefined> {
	const former = known.probes.get(entity);
	const request = buildQueryRequest(entity, {
		PropertySet: { Properties: ['Id'] },
		Orders: NEWEST_FIRST,
		Count: MAX_PAGE_SIZE,
		FirstResultIndex: 0,
	});
	// Without an answer, the next page shows whether there are more rows.
	const probe = former ?? send(caller, request, sendOptions).catch(() => []);
	known.probes.set(entity, probe);
	const rows = await probe;
	known.longest = Math.max(known.longest, rows.length);
	const [newest, oldest] = [rows[0], rows[rows.length - 1]].map((row) => Number(row?.Id));
	return former === undefined && newest >= oldest ? newest : undefined;
}

/** Tells whether a page that a trigger has read has all there are. */
export async function isLastPage(
	requester: Requester,
	entity: string,
	{ length, count, lastId = -Infinity }: PageLength,
): Promise<boolean> {
	const known = noteAnswer(requester, length);
	const isOpen = () => mayBeCutOff(length, count, known.longest);
	const newest = isOpen() ? await probeLimit(requester, entity, known) : undefined;
	// No row comes after the newest one of the entity.
	if (newest !== undefined && newest <= lastId) return true;
	return length < count && !isOpen();
}

/** The size of what a reading receives. */
interface ReadingSize {
	rows: number;
	bytes: number;
}

/** No table of names is larger, and one answer with whole records has half of this size. */
const MAX_LOOK_UP: ReadingSize = { rows: 400_000, bytes: 2 * MAX_ANSWER_BYTES };

/** n8n's memory, 4 GB unless its owner changes that, holds neither more items nor more values. */
const MAX_READING: ReadingSize = { rows: 10_000_000, bytes: 2048 * MEGABYTE };

/** Something that answers for Corrigo may never end, so a reading stops once it has received too much. */
export function limitReading(
	{ caller, sendOptions }: Requester,
	noun: string,
	max = MAX_READING,
): Requester {
	const received: ReadingSize = { rows: 0, bytes: 0 };
	const onContent = (content: unknown, bytes: number) => {
		received.rows += Array.isArray(content) ? content.length : 0;
		received.bytes += bytes;
		const isMany = received.rows > max.rows;
		if (!isMany && received.bytes <= max.bytes) return;
		const amount = isMany
			? `${max.rows.toLocaleString('en-US')} rows`
			: `${max.bytes / MEGABYTE} MB`;
		const message = `Corrigo sent more than ${amount} of ${noun}, so reading was stopped`;
		throw createApiError(caller.getNode(), message, 'Search for less.');
	};
	return { caller, sendOptions: { ...sendOptions, onContent } };
}

const createPageLoader = (
	unlimited: Requester,
	entity: string,
	{ isolationLevel, foldRow = (row) => row, max }: ReadOptions = {},
): LoadPage => {
	const requester = limitReading(unlimited, entity, max);
	return async (query, position = START) => {
		const expression = buildPageExpression(query, position);
		const request = buildQueryRequest(entity, expression, isolationLevel);
		const { caller, sendOptions } = requester;
		const answer = await send(caller, request, sendOptions);
		const known = noteAnswer(requester, answer.length);
		const newestId = mayBeCutOff(answer.length, getPageSize(query, position), known.longest)
			? await probeLimit(requester, entity, known)
			: undefined;
		const evidence = { longest: known.longest, newestId };
		const passing = new Set(await keepPassing(requester, answer, query.checks));
		const page = takePage(query, position, answer, evidence, (row) => passing.has(row));
		if (!('stuck' in page)) {
			const { rows, next } = page;
			return { rows: rows.map(foldRow), next, firstId: Number(rows[0]?.Id ?? 0) };
		}
		const advice = "Set 'Distinct' under 'Options > Advanced', or choose another 'Paging Method'.";
		throw createApiError(caller.getNode(), page.stuck, '', { forAuthor: advice });
	};
};

/** Keeps the records that pass all checks. */
export async function keepPassing(
	requester: Requester,
	records: JsonObject[],
	checks: readonly RowCheck[] = [],
): Promise<JsonObject[]> {
	let left = records;
	for (const { match, queries } of checks) {
		const passing = new Set<number>();
		for (const query of queries) {
			const ids = new Set(left.map(({ Id }) => Number(Id)).filter((id) => !passing.has(id)));
			const owners = await findOwners(requester, query, [...ids]);
			const isPassing = (id: number) => owners.has(id) === (query.passes === 'withRow');
			if (match === 'all') left = left.filter(({ Id }) => isPassing(Number(Id)));
			else for (const id of ids) if (isPassing(id)) passing.add(id);
		}
		if (match === 'any') left = left.filter(({ Id }) => passing.has(Number(Id)));
	}
	return left;
}

/** Finds those of the records that have such a row. */
async function findOwners(
	requester: Requester,
	{ entity, owner, criteria, tests = [] }: RowQuery,
	ids: number[],
): Promise<Set<number>> {
	if (ids.length === 0) return new Set();
	const among =
		ids.length > MAX_VALUES
			? and(atLeast(owner, Math.min(...ids)), atMost(owner, Math.max(...ids)))
			: and(isIn(owner, ids));
	const properties = [owner, ...(tests.length > 0 ? ['Value'] : [])];
	const rows = await loadAllRows(requester, entity, joinCriteria(criteria, among), properties);
	const passing = rows.filter(({ Value }) => tests.every((test) => passesTest(test, Value)));
	return new Set(passing.map((row) => Number(row[owner])));
}

/** Reads page by page. While the caller handles one page, the next is requested. */
async function* loadPages(
	loadPage: LoadPage,
	query: Query,
	start = START,
): AsyncGenerator<JsonObject[]> {
	let pending: Promise<Page> | undefined = loadPage(query, start);
	try {
		while (pending !== undefined) {
			const { rows, next }: Page = await pending;
			pending = next && loadPage(query, next);
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
	requester: Requester,
	entity: string,
	query: Query,
	count: number,
	options?: ReadOptions,
): AsyncGenerator<JsonObject[]> {
	const loadPage = createPageLoader(requester, entity, options);
	if (count < 2 || query.limit !== Infinity || !isPagedById(query)) {
		yield* loadPages(loadPage, query);
		return;
	}
	const { rows: first, next, firstId } = await loadPage(query);
	if (next === undefined) {
		yield first;
		return;
	}
	const width = measurePage(next, firstId);
	const newest = loadNewestId(loadPage, query);
	const ranges = generateRanges(next, newest, count, width, query.pageSize);
	yield* loadInOrder(first, ranges, count, (range) => {
		const [part, start] = restrictToRange(query, range, next);
		return loadPages(loadPage, part, start);
	});
}

/** Number of Ids among which about a page of rows is found; a range with more would take two requests. */
function measurePage({ lastId, longestPage }: PagePosition, firstId: number): number {
	const ids = lastId - firstId + 1;
	return ids > longestPage ? Math.max(longestPage, Math.floor(0.95 * ids)) : longestPage;
}

/** A full page is almost always followed by another, which is read along with the greatest Id. */
async function* generateRanges(
	{ lastId, longestPage }: PagePosition,
	newestRead: Promise<number>,
	count: number,
	width: number,
	pageSize = MAX_PAGE_SIZE,
): AsyncGenerator<Range> {
	// A failure is thrown below; until then, nobody awaits it.
	newestRead.catch(() => undefined);
	const from = longestPage < pageSize ? lastId : lastId + width;
	if (from > lastId) yield { from: lastId, to: from };
	const newest = await newestRead;
	// An answer below what has been read is wrong, so it does not show where the table ends.
	const isEnd = newest >= lastId && newest <= from;
	if (!isEnd) yield* splitIntoRanges(width, from, newest, count);
}

/**
 * Returns the first rows, and then those of the parts in order. Up to `count` parts are read at a
 * time, and no other part is started once one has failed.
 */
async function* loadInOrder<T>(
	first: JsonObject[],
	parts: AsyncGenerator<T>,
	count: number,
	load: (part: T) => AsyncGenerator<JsonObject[]>,
): AsyncGenerator<JsonObject[]> {
	const started: Array<Promise<JsonObject[][] | undefined>> = [];
	let isOver = false;
	const loadNext = async () => {
		const next = await parts.next();
		return next.done === true || isOver ? undefined : await collect(load(next.value), () => isOver);
	};
	const startNext = () => {
		const partRead = loadNext();
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

async function loadNewestId(loadPage: LoadPage, query: Query) {
	const newest = { ...query, checks: [], properties: ['Id'], orders: NEWEST_FIRST, limit: 1 };
	return (await loadPage({ ...newest, pagingMethod: 'byOffset' })).firstId;
}

export interface Requester {
	readonly caller: Caller;
	readonly sendOptions?: SendOptions;
}

/** Reads rows that are small enough to be kept in memory. */
function loadRows(
	requester: Requester,
	entity: string,
	criteria: Criteria | undefined,
	properties: readonly string[],
	options: Partial<Pick<Query, 'limit' | 'distinct'>> = {},
): AsyncGenerator<JsonObject[]> {
	const key = getKeyProperties(entity);
	const query = { limit: Infinity, ...options, key, properties: [...properties], criteria };
	return loadPages(createPageLoader(requester, entity, { max: MAX_LOOK_UP }), query);
}

export const loadAllRows = async (...of: Parameters<typeof loadRows>): Promise<JsonObject[]> =>
	(await collect(loadRows(...of))).flat();

/** Longer tables are hard to choose from, and n8n saves the choices of a column in the workflow. */
const MAX_CHOICES = 1000;

/** Loads the rows to choose from: none if they may not be read, undefined if there are too many. */
export async function loadShortTable(
	requester: Requester,
	entity: string,
	criteria: Criteria | undefined,
	properties: string[],
): Promise<JsonObject[] | undefined> {
	const limit = MAX_CHOICES + 1;
	const table = loadAllRows(requester, entity, criteria, properties, { limit });
	const rows = await table.catch(emptyIfForbidden);
	return rows.length > MAX_CHOICES ? undefined : rows;
}

/** Loads the custom fields of an entity; none if it has none, or if they may not be read. */
export async function loadDescriptors(
	requester: Requester,
	entity: string,
	properties: string[],
): Promise<JsonObject[]> {
	const criteria = buildDescriptorCriteria(entity);
	if (criteria === undefined) return [];
	const rows = loadAllRows(requester, 'CustomFieldDescriptor', criteria, properties);
	return await rows.catch(emptyIfForbidden);
}

/** Loads the attributes that assets can have; none if they may not be read. */
export const loadAttributeDescriptors = async (requester: Requester): Promise<JsonObject[]> =>
	await loadAllRows(
		requester,
		'AttributeDescriptor',
		excludeRemoved('AttributeDescriptor'),
		ATTRIBUTE_PROPERTIES,
	).catch(emptyIfForbidden);

async function collect<T>(source: AsyncIterable<T>, isOver = () => false): Promise<T[]> {
	const all: T[] = [];
	for await (const one of source) {
		all.push(one);
		if (isOver()) break;
	}
	return all;
}

export interface LookUp {
	entity: string;
	/** Any of these properties may match; paths may lead through references and collections. */
	by: readonly string[];
	/** Rows include these properties in addition to those that are compared. */
	properties?: readonly string[];
	where?: Criteria;
	distinct?: boolean;
	/** A service user who may not read the records gets none, and no error. */
	isOptional?: boolean;
}

/** Records with whole rows of collections are long, and n8n computes while it decodes an answer. */
const MAX_LONG_RECORDS = MAX_VALUES / 2;

/** Keys are normalized values, because Corrigo ignores case. */
export type RowsByValue = Map<string, JsonObject[]>;

/**
 * Finds all records that have one of the values in one of the properties, with few requests for many
 * values.
 */
export async function lookUp(
	requester: Requester,
	{ entity, by, properties = [], where, distinct, isOptional }: LookUp,
	values: Iterable<unknown>,
): Promise<RowsByValue> {
	const wanted = new Map([...values].map((value) => [normalize(value), value]));
	const read = properties.includes('*') ? properties : ['Id', ...by, ...properties];
	const isById = by.join() === 'Id' && getKeyProperties(entity)?.join() === 'Id';
	const isLong = properties.some((path) => path.endsWith('.*') && crossesCollection(entity, path));
	const maxValues = isLong ? MAX_LONG_RECORDS : MAX_VALUES;
	const groups: RowsByValue = new Map();
	for (const some of batches(wanted.values(), { maxValues })) {
		const criteria = joinCriteria(or(...by.map((property) => isIn(property, some))), where);
		// An Id has one record at most, so no further page is needed once each Id has its row.
		const options = { distinct, limit: isById ? some.length : Infinity };
		const pages = loadRows(requester, entity, criteria, [...new Set(read)], options);
		const reading = (async () => {
			for await (const rows of pages) groupRows(groups, rows, by, wanted);
		})();
		await (isOptional ? reading.catch(emptyIfForbidden) : reading);
	}
	return groups;
}

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
function groupRows(
	groups: RowsByValue,
	rows: JsonObject[],
	by: readonly string[],
	wanted: ReadonlyMap<string, unknown>,
): void {
	for (const row of rows) {
		for (const value of by.flatMap((path) => collectValues(row, path))) {
			const key = normalize(value);
			if (!wanted.has(key)) continue;
			const same = groups.get(key) ?? [];
			groups.set(key, same);
			if (same.at(-1) !== row) same.push(row);
		}
	}
}
