import type { ICredentialDataDecryptedObject, INodeExecutionData } from 'n8n-workflow';

import { isLastPage, startPoll, type AskedPage, type Requester } from '../records/query';
import { ServiceClock } from '../transport/clock';
import { send, type SendOptions } from '../transport/send';
import type { JsonObject } from '../values/objects';
import { buildQueryRequest, type QueryExpression } from '../wire/requests';
import type { Advice, TriggerContext } from './advice';
import {
	OVERLAP,
	addMs,
	advance,
	buildCursor,
	earlier,
	endOfSecond,
	getOverlapStart,
	later,
	startCursor,
	toUtcText,
	type Cursor,
	type Key,
} from './feed/cursor';
import {
	getBeginning,
	readKey,
	buildLastRowQuery,
	buildNewestQuery,
	type Feed,
	type PageSource,
} from './feed/feed';
import { addUrls, fetchRecords, toItems } from './items';
import type { Plan, Service } from './plan';

/**
 * Tells whether another page fits into the time budget of a poll, assuming that it takes as long as
 * the slowest one so far.
 */
export function createDeadline(budget: number, now = () => performance.now()) {
	let pageStart = now();
	let longest = 0;
	const at = pageStart + budget;
	/** Call this after each page: it also measures how long the page took. */
	const hasTime = (pages = 1): boolean => {
		const pageEnd = now();
		longest = Math.max(longest, pageEnd - pageStart);
		pageStart = pageEnd;
		return pageEnd + pages * longest < at;
	};
	return { at, hasTime };
}

type Deadline = ReturnType<typeof createDeadline>;

/** A manual test reads more rows than it shows, because filters may exclude some. */
const MAX_EXAMPLES = 10;
const MAX_EXAMPLE_ROWS = 200;

/** Creates the requests that read the rows of a plan and complete their items. */
export const createSource = (
	requester: Requester,
	plan: Plan,
	credentials?: ICredentialDataDecryptedObject,
) => ({
	read: async (expression: QueryExpression): Promise<JsonObject[]> => {
		const request = buildQueryRequest(plan.feed.entity, expression);
		return await send(requester.caller, request, requester.sendOptions);
	},
	isLastPage: async (length: number, page: AskedPage): Promise<boolean> =>
		await isLastPage(requester, plan.feed.entity, length, page),
	complete: async (rows: JsonObject[]) => {
		const results = await plan.complete(requester, rows);
		return plan.addUrl ? await addUrls(requester, results, credentials) : results;
	},
});

interface ServiceOptions {
	/** The credential as it was when the poll or push began. */
	credentials: ICredentialDataDecryptedObject;
	deadline: Deadline;
	advice: Advice;
	owner?: object;
}

/** Creates the requests of a trigger. `advice` says what to do about a failure of this node. */
export function createService(
	caller: TriggerContext,
	plan: Plan,
	{ credentials, deadline, advice, owner }: ServiceOptions,
): Service {
	const clock = new ServiceClock();
	const sendOptions: SendOptions = { deadline: deadline.at, advice, onDate: clock.onDate };
	const requester: Requester = { caller, sendOptions, owner };
	startPoll(requester);
	return {
		...createSource(requester, plan, credentials),
		requester,
		find: async (ids, feed) => await fetchRecords(requester, feed, ids),
		clock: () => toClockText(clock.first),
		now: () => toClockText(clock.latest),
		hasTime: deadline.hasTime,
	};
}

const toClockText = (instant?: number): string | undefined =>
	instant === undefined ? undefined : toUtcText(new Date(instant).toISOString());

/** Returns undefined if the trigger starts at a time that has not come yet. */
export async function fetchFirstCursor(plan: Plan, service: Service): Promise<Cursor | undefined> {
	const { feed, since } = plan;
	if (since === undefined) return await fetchPresentCursor(feed, service);
	if (feed.timestamp === undefined) return startCursor({ time: since, id: 0 });
	const [last] = await service.read(buildLastRowQuery(feed, feed.timestamp, since));
	if (since > (service.clock() ?? since)) return undefined;
	return startCursor(last === undefined ? getBeginning(feed) : readKey(feed, last));
}

/**
 * Creates a cursor that treats the changes since `ms` ago and of the minutes before as new, by
 * Corrigo's clock. If rows have no time, the last IDs are new instead.
 */
export async function fetchRecentCursor(plan: Plan, service: Service, ms = 0): Promise<Cursor> {
	const { entity, time, properties } = plan.feed;
	const feed: Feed = { entity, time, properties };
	const [newest] = await service.read(buildNewestQuery(feed, { count: 1, keysOnly: true }));
	const clock = service.clock();
	if (clock !== undefined && (time ?? plan.feed.timestamp) !== undefined) {
		const since = getOverlapStart({ time: addMs(clock, -ms), id: 0 }).time;
		const cursor = await fetchFirstCursor({ ...plan, since }, service);
		if (cursor !== undefined) return cursor;
	}
	return startCursor(newest ? getOverlapStart(readKey(feed, newest)) : getBeginning(feed));
}

/**
 * Creates a cursor that treats all rows of the entity as old, including those that the filters
 * exclude, because filters may be widened later.
 */
export async function fetchPresentCursor(
	{ entity, time, properties }: Feed,
	source: PageSource & Pick<Service, 'clock'>,
	overlap = OVERLAP,
): Promise<Cursor> {
	const feed: Feed = { entity, time, properties };
	const total = (time === undefined ? overlap.ids : overlap.keys) + 1;
	const present: Key[] = [];
	let isWhole = false;
	while (!isWhole && present.length < total) {
		const count = total - present.length;
		const rows = await source.read(
			buildNewestQuery(feed, { count, keysOnly: true, skip: present.length }),
		);
		present.push(...rows.map((row) => readKey(feed, row)));
		isWhole = await source.isLastPage(rows.length, { count });
	}
	const beginning = getBeginning(feed);
	const newestBefore = present.reduce(later, beginning);
	const changes = present.map((key) => ({ key }));
	const progress = { newestBefore, changes, clock: source.clock() };
	const { cursor } = advance(startCursor(beginning), progress, overlap);
	if (isWhole || time === undefined) return cursor;
	// Some rows of the oldest second are missing.
	const cut = endOfSecond(present.reduce(earlier, newestBefore));
	const edge = later(cursor.edge, earlier(newestBefore, cut));
	return buildCursor(edge, cursor.newest, cursor.known);
}

/**
 * Returns the newest items, whether they were delivered or not. Their ChangeKeys differ from those
 * of real changes.
 */
export async function fetchRecentItems(
	plan: Plan,
	service: Service,
): Promise<INodeExecutionData[]> {
	const count = plan.related.length > 0 ? MAX_EXAMPLE_ROWS : MAX_EXAMPLES;
	const rows = (await service.read(buildNewestQuery(plan.feed, { count }))).reverse();
	const results = await service.complete(rows);
	return toItems(plan, results, { clock: service.now(), prefix: 'Test ' }).slice(-MAX_EXAMPLES);
}
