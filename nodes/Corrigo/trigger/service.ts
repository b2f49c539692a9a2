import {
	NodeApiError,
	NodeOperationError,
	type ICredentialDataDecryptedObject,
	type INodeExecutionData,
	type IDataObject,
} from 'n8n-workflow';

import { arrangeAction } from '../records/actionDetails';
import { addUrl, arrangeMembers, readWebOrigin, simplifyRecord } from '../records/names';
import {
	isLastPage,
	startPoll,
	keepPassing,
	loadRecordsById,
	type Requester,
} from '../records/query';
import { ServiceClock, addUtcZones } from '../values/times';
import { createApiError } from '../transport/errors';
import { send, type SendOptions } from '../transport/send';
import { createRedactor } from '../values/redaction';
import { listSecrets } from '../values/secrets';
import { ValidationError } from '../values/errors';
import { isObject, type JsonObject } from '../values/objects';
import type { Reason } from '../wire/answers';
import type { PageLength } from '../wire/paging';
import { buildQueryRequest, type QueryExpression } from '../wire/requests';
import { toUtcText, toMillis } from '../feed/cursor';
import { buildChangeKey } from '../feed/cursorText';
import { readKey, buildNewestQuery, type Change, type Feed } from '../feed/feed';
import { readClocks } from '../feed/lead';
import {
	listFeedPlans,
	type Plan,
	type Service,
	type Result,
	type Results,
	type TriggerContext,
} from './plan';

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
	load: async (expression: QueryExpression): Promise<JsonObject[]> => {
		const request = buildQueryRequest(plan.feed.entity, expression);
		return await send(requester.caller, request, requester.sendOptions);
	},
	isLastPage: async (page: PageLength): Promise<boolean> =>
		await isLastPage(requester, plan.feed.entity, page),
	keep: async (rows: JsonObject[]) => await keepPassing(requester, rows, plan.feed.checks),
	complete: async (rows: JsonObject[]) => {
		const results = await plan.complete(requester, rows);
		if (!plan.addUrl || results.every((result) => result === undefined)) return results;
		// The rows were read with a session, so the host is known.
		const origin = await readWebOrigin(requester.caller, credentials);
		return results.map((result) => result && { ...result, origin });
	},
});

interface ServiceOptions {
	/** The credential as it was when the poll or push began. */
	credentials: ICredentialDataDecryptedObject;
	deadline: Deadline;
	advice: Advice;
}

/** Creates the requests of a trigger. `advice` says what to do about a failure of this node. */
export function createService(
	caller: TriggerContext,
	plan: Plan,
	{ credentials, deadline, advice }: ServiceOptions,
): Service {
	const clock = new ServiceClock();
	const sendOptions: SendOptions = { deadline: deadline.at, advice, onDate: clock.onDate };
	const requester: Requester = { caller, sendOptions };
	startPoll(requester);
	const open: Service['open'] = (one, later = 0) => ({
		...createSource(requester, one, credentials),
		requester,
		...readClocks(clock),
		find: async (ids, feed) => await fetchRecords(requester, feed, ids),
		hasTime: (pages = 1) => deadline.hasTime(pages + later * PAGES_OF_FEED),
		open,
	});
	return open(plan);
}

/** A feed that is read later needs time for its first page, and for what else it may read. */
const PAGES_OF_FEED = 2;

/**
 * Returns the newest items, whether they were delivered or not. Their ChangeKeys differ from those
 * of real changes.
 */
export async function fetchRecentItems(
	plan: Plan,
	service: Service,
): Promise<INodeExecutionData[]> {
	const found: Results[] = [];
	for (const one of listFeedPlans(plan)) {
		const { feed, related } = one;
		const { load, keep, complete } = service.open(one);
		const mayExclude = related.length + (feed.checks?.length ?? 0) > 0;
		const count = mayExclude ? MAX_EXAMPLE_ROWS : MAX_EXAMPLES;
		const rows = (await load(buildNewestQuery(feed, { count }))).reverse();
		found.push(await complete(await keep(rows)));
	}
	const results = mergeResults(found);
	return toItems(plan, results, { clock: service.now(), prefix: 'Test ' }).slice(-MAX_EXAMPLES);
}

/** Merges the results of several feeds by time. Each feed keeps its own order. */
export function mergeResults(feeds: readonly Results[]): Results {
	const timed = feeds.flatMap((results) => {
		let latest = '';
		return results.map((result) => {
			const { at = '' } = result ?? {};
			latest = at > latest ? at : latest;
			return { result, latest };
		});
	});
	timed.sort((a, b) => (a.latest === b.latest ? 0 : a.latest < b.latest ? -1 : 1));
	return timed.map(({ result }) => result);
}

/** Builds the result of a row, whose item may show another record than the row itself. */
export const toResult = (
	feed: Feed,
	row: JsonObject,
	json: JsonObject,
	order?: number,
	entity = feed.entity,
): Result => ({
	item: { json: json as IDataObject },
	entity,
	changeKey: buildChangeKey(feed.entity, readKey(feed, row)),
	order,
	at: toUtcText(row[feed.time ?? feed.timestamp ?? '']),
});

/** Reads the records with these IDs that pass the filters of the feed. */
export const fetchRecords = async (
	requester: Requester,
	{ entity, properties, criteria: where, checks, distinct }: Feed,
	ids: number[],
): Promise<Map<number, JsonObject>> => {
	const found = await loadRecordsById(requester, entity, ids, { properties, where, distinct });
	const passing = new Set(await keepPassing(requester, [...found.values()], checks));
	return new Map([...found].filter(([, record]) => passing.has(record)));
};

/**
 * Adds the members that describe the change: Event, Change, Deadline, ChangeKey and Lag. A change has the
 * same ChangeKey each time it is delivered. In a manual test the ChangeKey has a `prefix`, so that
 * a node that removes duplicates does not drop the real change later.
 */
export function toItems(
	plan: Plan,
	results: Results,
	{ clock, prefix = '' }: { clock?: string; prefix?: string } = {},
): INodeExecutionData[] {
	const found = results.flatMap((result) => {
		if (result === undefined) return [];
		const { also = [], origin } = result;
		return [result, ...also.map((one) => ({ ...one, origin }))];
	});
	const { addLag, isSimplified, latestOnly } = plan;
	const shownFeeds = listFeedPlans(plan).flatMap(({ feed, related }) => [feed, ...related]);
	const chosen = new Map(
		shownFeeds.map(({ entity, properties }) => [
			entity,
			new Set(properties.map((path) => path.split('.')[0])),
		]),
	);
	const last = new Map(found.map((result) => [result.order, result]));
	const changed = new WeakSet<object>();
	return found
		.filter((one) => !latestOnly || one.order === undefined || last.get(one.order) === one)
		.map(({ item, entity, origin, changeKey, at, event, change, statusBefore, describe }) => {
			const show = (name: string, record: JsonObject): JsonObject => {
				const isLocated = origin !== undefined && name === 'WorkOrder';
				const located = isLocated ? addUrl(origin, record) : record;
				return isSimplified
					? simplifyRecord(name, located, () => undefined, [])
					: arrangeMembers(chosen.get(name), located);
			};
			// An item is a record, or an event with its work order, and with a visit, in it.
			const { WorkOrder, WoOnSite } = item.json;
			const order = isObject(WorkOrder) && { WorkOrder: show('WorkOrder', WorkOrder) };
			const visit = isObject(WoOnSite) && { WoOnSite: show('WoOnSite', WoOnSite) };
			const shown = show(entity, { ...item.json, ...order, ...visit });
			const isAction = isSimplified && entity === 'WoActionLog';
			const arranged = isAction
				? arrangeAction(shown, order ? order.WorkOrder : {}, { previousStatus: statusBefore })
				: shown;
			const happened = { ...(change && { Change: change }), ...describe?.(String(clock)) };
			// People read the work order first, and what happened after the number or name, and the Id.
			const leading = Object.keys(isAction ? arranged : { ...order, ...arranged });
			const first = isSimplified ? leading.slice(0, 2) : Object.keys(arranged);
			const json: IDataObject = {
				...(event && { Event: event }),
				...arrangeMembers(new Set([...first, ...Object.keys(happened)]), {
					...arranged,
					...happened,
				}),
				ChangeKey: `${prefix}${changeKey}`,
				...(addLag && { Lag: getLag(at, clock) }),
			};
			if (isSimplified) addUtcZones(json, changed);
			return { json };
		});
}

/** A second change with the same time has a ChangeKey of its own. */
export const toResults = (claimed: ReadonlyArray<Change<Result>>): Results =>
	claimed.map(({ item, look }) =>
		item && look?.before ? { ...item, changeKey: `${item.changeKey} ${look.digest}` } : item,
	);

export const LAG_WARNING_SECONDS = 3600;

/** Returns the seconds from a change to its delivery, or null if one of the times is unknown. */
export const getLag = (change?: string, delivery?: string): number | null =>
	change === undefined || delivery === undefined
		? null
		: Math.max(0, Math.round((toMillis(delivery) - toMillis(change)) / 1000));

export const getMaxLag = (changes: Array<{ at?: string } | undefined>, delivery?: string) =>
	changes.reduce((longest, change) => Math.max(longest, getLag(change?.at, delivery) ?? 0), 0);

export function buildLagWarning(seconds: number, hasMore: boolean): string {
	const hours = Math.round(seconds / 3600);
	const lag =
		hours < 48 ? `${hours} ${hours === 1 ? 'hour' : 'hours'}` : `${Math.round(hours / 24)} days`;
	const more = hasMore ? ', and more are waiting' : '';
	return `This trigger is far behind: it returns changes from up to ${lag} ago${more}`;
}

export type Advice = Readonly<Record<Reason, string>>;

/**
 * A failed trigger needs advice of its own, because it has neither a timeout to raise nor a value to
 * correct. `next` says how the trigger continues.
 */
export const buildAdvice = (next: string): Advice => ({
	refused: `Check the entity, the fields, the filters and the conditions of this node. ${next}`,
	session: `Check the Corrigo credential: 'Company Name', 'Region' and whether the client is still active. ${next}`,
	busy: next,
	unreadable: `Something between n8n and Corrigo, such as a proxy, may have answered instead. ${next}`,
	redirected: `Something between n8n and Corrigo, such as a proxy or a login page, may have answered instead. ${next}`,
	unreachable: `Check the network of n8n and whether Corrigo is available. ${next}`,
	timeout: next,
	tooLarge: `Return fewer fields, or set filters. ${next}`,
	lost: `Check the network of n8n. ${next}`,
	cancelled: next,
	failed: next,
});

/** n8n treats API errors and errors in the settings differently. */
export function toNodeError(
	caller: TriggerContext,
	failure: unknown,
	{ failed }: Advice,
): NodeApiError | NodeOperationError {
	if (failure instanceof NodeApiError || failure instanceof NodeOperationError) return failure;
	const { message, description = failed } = failure as Error & { description?: string };
	const node = caller.getNode();
	const clean = createRedactor(listSecrets(node.parameters));
	if (failure instanceof ValidationError) {
		const { advice } = failure;
		return new NodeOperationError(node, clean(message), { description: advice && clean(advice) });
	}
	return createApiError(node, clean(message), clean(description));
}
