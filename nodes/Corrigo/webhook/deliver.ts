import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';

import { ValidationError } from '../protocol/checks';
import { allOf, type Criteria } from '../protocol/criteria';
import type { ChangeHint } from '../protocol/changeHints';
import { advance, compare, keyText, merge, type Cursor, type Overlap } from '../trigger/cursor';
import { hintsFor } from '../trigger/hints';
import { Deadline } from '../trigger/pollDeadline';
import { planOf, type Plan } from '../trigger/plan/plan';
import { itemsOf, marked } from '../trigger/records';
import { firstCursor, recentItems, serviceFor } from '../trigger/service';
import { cursorFrom, identityOf, keep, stateOf, textsOf, type Warn } from '../trigger/state';
import { pollChanges } from '../trigger/changeReader';
import type { TriggerContext } from '../trigger/context';
import type { CoalescingQueue } from './coalescingQueue';
import { criteriaFor } from './hintCriteria';

export const HINTS = hintsFor('What was pushed is read with the next push.');

/** A sender may come again long after a change, and in any order. */
const OVERLAP: Overlap = { seconds: 24 * 3600, ids: 5000, keys: 5000 };

const BUDGET_MS = 5 * 60_000;

/** What the form asks for, and the service to ask. */
export async function begun(caller: TriggerContext) {
	const deadline = new Deadline(BUDGET_MS);
	const plan = await pushPlan(caller, deadline.at);
	return { plan, service: serviceFor(caller, plan, { deadline, hints: HINTS }) };
}

/** The form of the polling trigger, and a key in every item by which both name the same change. */
async function pushPlan(caller: TriggerContext, deadline: number): Promise<Plan> {
	const plan = await planOf(caller, deadline);
	if (plan.deadline === undefined) return { ...plan, again: true, limit: Infinity };
	throw new ValidationError(
		"'Trigger On' is Work Order Deadline, of which nothing is pushed",
		'Use Corrigo Trigger for it.',
	);
}

const among = (plan: Plan, criteria: Criteria): Plan => ({
	...plan,
	feed: { ...plan.feed, criteria: allOf(plan.feed.criteria, criteria) },
});

/** In a test: the newest changes of what was pushed, whether they are new or not. */
export async function showNewest(
	caller: IWebhookFunctions,
	hints: ChangeHint[],
): Promise<INodeExecutionData[]> {
	const { plan, service } = await begun(caller);
	const [criteria] = criteriaFor(plan.feed.entity, hints);
	return await recentItems(among(plan, criteria), service);
}

/** Reads what was pushed, and hands out the changes that were not handed out before. */
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
	const { plan, service } = await begun(caller);
	const state = stateOf(caller);
	const feed = await identityOf(caller, plan);
	const warn: Warn = (what) => caller.logger.warn(what);
	const cursor = standIn(state, queue, feed, warn) ?? (await firstCursor(plan, service));
	const found = [];
	for (const criteria of criteriaFor(plan.feed.entity, hints)) {
		const { feed: some } = among(plan, criteria);
		found.push(await pollChanges(some, { ...cursor, known: [] }, service, plan));
	}
	// From here on nothing is awaited: a call that comes after this one sees all of it.
	if (found.some(({ reached }) => reached !== undefined)) queue.add(hints);
	const taken = new Map(
		found.flatMap((part) => part.taken.map((one) => [keyText(one.key), one] as const)),
	);
	const now = standIn(state, queue, feed) ?? cursor;
	const keys = [...taken.values()].map(({ key }) => key).sort(compare);
	const { mine, cursor: next } = advance(
		now,
		{ clock: service.clock(), began: now.newest, keys },
		OVERLAP,
	);
	queue.stand = { feed, cursor: next };
	if (mine.length > 0 || state.feed !== feed) keep(state, { feed, ...textsOf(next) });
	const results = mine.map((key) => {
		const item = taken.get(keyText(key))?.item;
		return item && marked(plan, key, item, { clock: service.now() });
	});
	return itemsOf(plan, results);
}

function standIn(
	state: IDataObject,
	queue: CoalescingQueue,
	feed: string,
	warn?: Warn,
): Cursor | undefined {
	const stored = state.feed === feed ? cursorFrom(state, warn) : undefined;
	const own = queue.stand?.feed === feed ? queue.stand.cursor : undefined;
	return stored && own ? merge(stored, own) : (stored ?? own);
}
