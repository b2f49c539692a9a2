import type { INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';

import type { ChangeHint, PushedHint } from '../protocol/changeHints';
import { allOf, type Criteria } from '../protocol/criteria';
import { lookUp } from '../records/lookup';
import { pollChanges } from '../trigger/changeReader';
import type { TriggerContext } from '../trigger/context';
import { advance, compare, keyText, merge, type Cursor, type Overlap } from '../trigger/cursor';
import { hintsFor } from '../trigger/hints';
import { annotate, itemsOf } from '../trigger/items';
import { formOf, mustBePushed } from '../trigger/plan/form';
import { planOf, type Plan } from '../trigger/plan/plan';
import { Deadline } from '../trigger/pollDeadline';
import { recentCursor, recentItems, serviceFor } from '../trigger/service';
import { feedIdentity, saveProgress, stateOf, storedCursor, type Warn } from '../trigger/state';
import type { CoalescingQueue, Pushed } from './coalescingQueue';
import { criteriaFor } from './hintCriteria';

export const HINTS = hintsFor('What was pushed is read with the next push.');

const UNREAD =
	'n8n is shutting down, so what was pushed last starts no execution. It does when its record is pushed again.';

/** Pushes may arrive long after their change and in any order. */
const OVERLAP: Overlap = { seconds: 24 * 3600, ids: 5000, keys: 5000 };

const BUDGET_MS = 5 * 60_000;

export async function planAndService(caller: TriggerContext) {
	const deadline = new Deadline(BUDGET_MS);
	const plan = await pushPlan(caller, deadline.at);
	const service = serviceFor(caller, plan, { deadline, hints: HINTS });
	return { plan, service, deadline };
}

/** Every item gets a ChangeKey, which is the same as from the polling trigger. */
async function pushPlan(caller: TriggerContext, deadline: number): Promise<Plan> {
	mustBePushed(formOf(caller));
	return { ...(await planOf(caller, deadline)), addChangeKey: true, limit: Infinity };
}

const narrowed = (plan: Plan, criteria: Criteria): Plan => ({
	...plan,
	feed: { ...plan.feed, criteria: allOf(plan.feed.criteria, criteria) },
});

/** Returns the newest changes of the pushed records for a test event, delivered before or not. */
export async function testItems(
	caller: IWebhookFunctions,
	hints: PushedHint[],
): Promise<INodeExecutionData[]> {
	const { plan, service, deadline } = await planAndService(caller);
	const known = await withIds(caller, hints, deadline);
	const [criteria] = criteriaFor(plan.feed.entity, known);
	if (criteria === undefined) return [];
	return await recentItems(narrowed(plan, criteria), service);
}

/**
 * Replaces the numbers of work orders in change notices with their IDs. Unknown numbers are
 * dropped.
 */
async function withIds(
	caller: TriggerContext,
	hints: PushedHint[],
	{ at: deadline }: Deadline,
): Promise<ChangeHint[]> {
	const byId = hints.filter((hint) => 'id' in hint);
	const numbers = hints.flatMap((hint) => ('number' in hint ? [hint.number] : []));
	if (numbers.length === 0) return byId;
	const sendOptions = { hints: HINTS, deadline };
	const orders = { entity: 'WorkOrder', by: ['Number'] };
	const found = await lookUp({ caller, sendOptions }, orders, numbers);
	const rows = [...found.values()].flat();
	return [...byId, ...rows.map(({ Id }) => ({ id: Number(Id), entity: 'WorkOrder' }))];
}

/** Reads the pushed records and returns the changes that were not returned before. */
export async function newItems(
	caller: IWebhookFunctions,
	queue: CoalescingQueue,
	{ hints, keep }: Pushed,
): Promise<INodeExecutionData[]> {
	const { plan, service, deadline } = await planAndService(caller);
	const state = stateOf(caller);
	const feed = await feedIdentity(caller, plan);
	/** Merges the cursors of the state and of the queue, because either may be newer. */
	const newestCursor = (warn?: Warn): Cursor | undefined => {
		const stored = storedCursor(state, feed, plan, warn);
		const own = queue.lastCursor?.feed === feed ? queue.lastCursor.cursor : undefined;
		return stored && own ? merge(stored, own) : (stored ?? own);
	};
	const cursor =
		newestCursor((message) => caller.logger.warn(message)) ?? (await recentCursor(plan, service));
	const known = await withIds(caller, hints, deadline);
	const found = [];
	for (const criteria of criteriaFor(plan.feed.entity, known)) {
		const { feed: part } = narrowed(plan, criteria);
		found.push(await pollChanges(part, { ...cursor, known: [] }, service, plan));
	}
	// Nothing is awaited from here on, so a later call sees all of the new state.
	if (found.some(({ reached }) => reached !== undefined)) keep();
	if (!plan.atLeastOnce && isShuttingDown(caller)) {
		caller.logger.warn(UNREAD);
		return [];
	}
	const changes = new Map(
		found.flatMap((part) => part.changes.map((change) => [keyText(change.key), change] as const)),
	);
	const current = newestCursor() ?? cursor;
	const keys = [...changes.values()].map(({ key }) => key).sort(compare);
	const progress = { clock: service.clock(), newestBefore: current.newest, keys };
	const { claimed, cursor: next } = advance(current, progress, OVERLAP);
	const results = claimed.map((key) => {
		const item = changes.get(keyText(key))?.item;
		return item && annotate(plan, key, item, { clock: service.now() });
	});
	const items = itemsOf(plan, results);
	const mayRepeat = plan.atLeastOnce && items.length > 0;
	const before = mayRepeat ? queue.cursorInDoubt(feed, current) : undefined;
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
