import type { INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';

import type { RecordNotice, ChangeNotice } from './changeNotices';
import { joinCriteria, type Criteria } from '../wire/criteria';
import { lookUp } from '../records/lookup';
import { pollChanges } from '../trigger/feed/changeReader';
import type { TriggerContext } from '../trigger/context';
import {
	advance,
	compareKeys,
	toKeyText,
	mergeCursors,
	type Cursor,
	type Overlap,
} from '../trigger/feed/cursor';
import { buildAdvice } from '../trigger/advice';
import { annotate, toItems } from '../trigger/items';
import { getForm, requirePushed } from '../trigger/plan/form';
import { loadPlan, type Plan } from '../trigger/plan/plan';
import { Deadline } from '../trigger/pollDeadline';
import { fetchRecentCursor, fetchRecentItems, createService } from '../trigger/service';
import { getFeedIdentity, saveProgress, getState, readCursor, type Warn } from '../trigger/state';
import type { CoalescingQueue, PushBatch } from './coalescingQueue';
import { buildNoticeCriteria } from './noticeCriteria';

export const ADVICE = buildAdvice('What was pushed is read with the next push.');

const UNREAD =
	'n8n is shutting down, so what was pushed last starts no execution. It does when its record is pushed again.';

/** Pushes may arrive long after their change and in any order. */
const OVERLAP: Overlap = { seconds: 24 * 3600, ids: 5000, keys: 5000 };

const BUDGET_MS = 5 * 60_000;

export async function loadPlanAndService(caller: TriggerContext) {
	const deadline = new Deadline(BUDGET_MS);
	const plan = await loadPushPlan(caller, deadline.at);
	const service = createService(caller, plan, { deadline, advice: ADVICE });
	return { plan, service, deadline };
}

/** Every item gets a ChangeKey, which is the same as from the polling trigger. */
async function loadPushPlan(caller: TriggerContext, deadline: number): Promise<Plan> {
	requirePushed(getForm(caller));
	return { ...(await loadPlan(caller, deadline)), addChangeKey: true, limit: Infinity };
}

const narrowPlan = (plan: Plan, criteria: Criteria): Plan => ({
	...plan,
	feed: { ...plan.feed, criteria: joinCriteria(plan.feed.criteria, criteria) },
});

/** Returns the newest changes of the pushed records for a test event, delivered before or not. */
export async function fetchTestItems(
	caller: IWebhookFunctions,
	notices: ChangeNotice[],
): Promise<INodeExecutionData[]> {
	const { plan, service, deadline } = await loadPlanAndService(caller);
	const known = await resolveNumbers(caller, notices, deadline);
	const [criteria] = buildNoticeCriteria(plan.feed.entity, known);
	if (criteria === undefined) return [];
	return await fetchRecentItems(narrowPlan(plan, criteria), service);
}

/**
 * Replaces the numbers of work orders in change notices with their IDs. Unknown numbers are
 * dropped.
 */
async function resolveNumbers(
	caller: TriggerContext,
	notices: ChangeNotice[],
	{ at: deadline }: Deadline,
): Promise<RecordNotice[]> {
	const byId = notices.filter((notice) => 'id' in notice);
	const numbers = notices.flatMap((notice) => ('number' in notice ? [notice.number] : []));
	if (numbers.length === 0) return byId;
	const sendOptions = { advice: ADVICE, deadline };
	const orders = { entity: 'WorkOrder', by: ['Number'] };
	const found = await lookUp({ caller, sendOptions }, orders, numbers);
	const rows = [...found.values()].flat();
	return [...byId, ...rows.map(({ Id }) => ({ id: Number(Id), entity: 'WorkOrder' }))];
}

/** Reads the pushed records and returns the changes that were not returned before. */
export async function fetchNewItems(
	caller: IWebhookFunctions,
	queue: CoalescingQueue,
	{ notices, keep }: PushBatch,
): Promise<INodeExecutionData[]> {
	const { plan, service, deadline } = await loadPlanAndService(caller);
	const state = getState(caller);
	const feed = await getFeedIdentity(caller, plan);
	/** Merges the cursors of the state and of the queue, because either may be newer. */
	const getNewestCursor = (warn?: Warn): Cursor | undefined => {
		const stored = readCursor(state, feed, plan, warn);
		const own = queue.lastCursor?.feed === feed ? queue.lastCursor.cursor : undefined;
		return stored && own ? mergeCursors(stored, own) : (stored ?? own);
	};
	const cursor =
		getNewestCursor((message) => caller.logger.warn(message)) ??
		(await fetchRecentCursor(plan, service));
	const known = await resolveNumbers(caller, notices, deadline);
	const found = [];
	for (const criteria of buildNoticeCriteria(plan.feed.entity, known)) {
		const { feed: part } = narrowPlan(plan, criteria);
		found.push(await pollChanges(part, { ...cursor, known: [] }, service, plan));
	}
	// Nothing is awaited from here on, so a later call sees all of the new state.
	if (found.some(({ reached }) => reached !== undefined)) keep();
	if (!plan.atLeastOnce && isShuttingDown(caller)) {
		caller.logger.warn(UNREAD);
		return [];
	}
	const changes = new Map(
		found.flatMap((part) => part.changes.map((change) => [toKeyText(change.key), change] as const)),
	);
	const current = getNewestCursor() ?? cursor;
	const keys = [...changes.values()].map(({ key }) => key).sort(compareKeys);
	const progress = { clock: service.clock(), newestBefore: current.newest, keys };
	const { claimed, cursor: next } = advance(current, progress, OVERLAP);
	const results = claimed.map((key) => {
		const item = changes.get(toKeyText(key))?.item;
		return item && annotate(plan, key, item, { clock: service.now() });
	});
	const items = toItems(plan, results);
	const mayRepeat = plan.atLeastOnce && items.length > 0;
	const before = mayRepeat ? queue.getCursorInDoubt(feed, current) : undefined;
	queue.lastCursor = { feed, cursor: next };
	if (claimed.length > 0 || state.feed !== feed) {
		saveProgress(state, feed, plan, { cursor: next, before });
	}
	return items;
}

/** When n8n shuts down, it closes its server first and soon starts no more executions. */
export function isShuttingDown(caller: IWebhookFunctions): boolean {
	const { socket } = caller.getRequestObject() as { socket: { server?: { listening?: boolean } } };
	return socket.server?.listening === false;
}
