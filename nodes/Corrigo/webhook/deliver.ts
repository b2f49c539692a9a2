import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';

import type { ChangeHint } from '../protocol/changeHints';
import { ValidationError } from '../protocol/checks';
import { allOf, type Criteria } from '../protocol/criteria';
import { pollChanges } from '../trigger/changeReader';
import type { TriggerContext } from '../trigger/context';
import { advance, compare, keyText, merge, type Cursor, type Overlap } from '../trigger/cursor';
import { hintsFor } from '../trigger/hints';
import { annotate, itemsOf } from '../trigger/items';
import { planOf, type Plan } from '../trigger/plan/plan';
import { Deadline } from '../trigger/pollDeadline';
import { firstCursor, recentItems, serviceFor } from '../trigger/service';
import {
	feedIdentity,
	parseCursor,
	replaceState,
	serializeCursor,
	stateOf,
	type Warn,
} from '../trigger/state';
import type { CoalescingQueue } from './coalescingQueue';
import { criteriaFor } from './hintCriteria';

export const HINTS = hintsFor('What was pushed is read with the next push.');

/** Pushes may come long after their change, and in any order. */
const OVERLAP: Overlap = { seconds: 24 * 3600, ids: 5000, keys: 5000 };

const BUDGET_MS = 5 * 60_000;

export async function planAndService(caller: TriggerContext) {
	const deadline = new Deadline(BUDGET_MS);
	const plan = await pushPlan(caller, deadline.at);
	return { plan, service: serviceFor(caller, plan, { deadline, hints: HINTS }) };
}

/** Each item has a ChangeKey, which is that of the polling trigger for the same change. */
async function pushPlan(caller: TriggerContext, deadline: number): Promise<Plan> {
	const plan = await planOf(caller, deadline);
	if (plan.deadlineRule === undefined) return { ...plan, atLeastOnce: true, limit: Infinity };
	throw new ValidationError(
		"'Trigger On' is Work Order Deadline, of which nothing is pushed",
		'Use Corrigo Trigger for it.',
	);
}

const narrowed = (plan: Plan, criteria: Criteria): Plan => ({
	...plan,
	feed: { ...plan.feed, criteria: allOf(plan.feed.criteria, criteria) },
});

/** For a test event: the newest changes of the pushed records, new or not. */
export async function testItems(
	caller: IWebhookFunctions,
	hints: ChangeHint[],
): Promise<INodeExecutionData[]> {
	const { plan, service } = await planAndService(caller);
	const [criteria] = criteriaFor(plan.feed.entity, hints);
	return await recentItems(narrowed(plan, criteria), service);
}

/** Reads the pushed records, and hands out their changes that were not handed out before. */
export async function deliver(
	caller: IWebhookFunctions,
	queue: CoalescingQueue,
	hints: ChangeHint[],
): Promise<INodeExecutionData[]> {
	return await newItems(caller, queue, hints).catch((failure: unknown) => {
		queue.add(hints);
		throw failure;
	});
}

async function newItems(
	caller: IWebhookFunctions,
	queue: CoalescingQueue,
	hints: ChangeHint[],
): Promise<INodeExecutionData[]> {
	const { plan, service } = await planAndService(caller);
	const state = stateOf(caller);
	const feed = await feedIdentity(caller, plan);
	const warn: Warn = (message) => caller.logger.warn(message);
	const cursor = cursorOf(state, queue, feed, warn) ?? (await firstCursor(plan, service));
	const found = [];
	for (const criteria of criteriaFor(plan.feed.entity, hints)) {
		const { feed: part } = narrowed(plan, criteria);
		found.push(await pollChanges(part, { ...cursor, known: [] }, service, plan));
	}
	// From here on nothing is awaited, so that a later call sees all of the new state.
	if (found.some(({ reached }) => reached !== undefined)) queue.add(hints);
	const changes = new Map(
		found.flatMap((part) => part.changes.map((change) => [keyText(change.key), change] as const)),
	);
	const current = cursorOf(state, queue, feed) ?? cursor;
	const keys = [...changes.values()].map(({ key }) => key).sort(compare);
	const progress = { clock: service.clock(), newestBefore: current.newest, keys };
	const { claimed, cursor: next } = advance(current, progress, OVERLAP);
	queue.lastCursor = { feed, cursor: next };
	if (claimed.length > 0 || state.feed !== feed) {
		replaceState(state, { feed, ...serializeCursor(next) });
	}
	const results = claimed.map((key) => {
		const item = changes.get(keyText(key))?.item;
		return item && annotate(plan, key, item, { clock: service.now() });
	});
	return itemsOf(plan, results);
}

/** The cursor of the state and that of the queue, as either may be newer. */
function cursorOf(
	state: IDataObject,
	{ lastCursor }: CoalescingQueue,
	feed: string,
	warn?: Warn,
): Cursor | undefined {
	const stored = state.feed === feed ? parseCursor(state, warn) : undefined;
	const own = lastCursor?.feed === feed ? lastCursor.cursor : undefined;
	return stored && own ? merge(stored, own) : (stored ?? own);
}
