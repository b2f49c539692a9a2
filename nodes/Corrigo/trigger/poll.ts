import { NodeOperationError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';

import { and, atMost } from '../wire/criteria';
import { buildAdvice, toNodeError } from './advice';
import { pollComparison } from './comparison/comparison';
import { commit, getWindow, pollDeadlines, type DeadlinePlan } from './deadlines/deadlines';
import { advance, clampToClock, compareKeys, getSecond, type Cursor } from './changes/cursor';
import { buildNewestQuery, narrowFeed, pollChanges } from './changes/feed';
import { buildItems, buildLagWarning, getMaxLag, LAG_WARNING_SECONDS } from './items';
import { loadPlan, type Plan } from './plan/plan';
import {
	createDeadline,
	createService,
	fetchFirstCursor,
	fetchPresentCursor,
	fetchRecentItems,
	type Service,
} from './service';
import { getState, openStore, type Store, type Warn } from './state';

const NEXT_POLL = 'The next poll goes on from the same place.';
const STATE_DISCARDED =
	"The stored state of this trigger belongs to other settings or cannot be read: it starts over at 'Start From'";
const ADVICE = {
	...buildAdvice(NEXT_POLL),
	timeout: `Lower 'Batch Size' if this happens again. ${NEXT_POLL}`,
};

/** Older versions of n8n set no time budget for a poll, so this one applies. */
const DEFAULT_BUDGET_MS = 5 * 60_000;

/**
 * n8n creates one object per activation and passes it to every poll, so it identifies the
 * activation.
 */
const polledBefore = new WeakSet<IPollFunctions>();

export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isFirst = !polledBefore.has(this);
	polledBefore.add(this);
	return await pollItems(this, isFirst).catch((failure: unknown) => {
		const error = toNodeError(this, failure, ADVICE);
		if (!isFirst || !isUnattended(this)) throw error;
		createWarn(this)(`The first poll failed: ${error.message}. ${NEXT_POLL}`);
		return null;
	});
}

/**
 * Returns whether n8n activated the workflow by itself: when it starts, takes over from another
 * process, or repairs an activation (mode 'update'). If the first poll fails then, n8n retries a
 * few times and gives up the trigger for good, even if the cause is gone later, and nobody notices.
 * n8n's durable scheduler also polls in mode 'update', but with a shorter budget.
 */
function isUnattended(caller: IPollFunctions): boolean {
	const activation = caller.getActivationMode();
	if (activation !== 'update') return activation === 'init' || activation === 'leadershipChange';
	return !isScheduled(caller) && getState(caller).feed !== undefined;
}

/**
 * Returns whether n8n's durable scheduler polls. It discards what a poll returns if another process
 * has taken over the poll or the workflow was unpublished meanwhile.
 */
const isScheduled = (caller: IPollFunctions) => getBudget(caller) !== DEFAULT_BUDGET_MS;

const getBudget = (caller: IPollFunctions) =>
	(caller as Partial<IPollFunctions>).getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;

const createWarn =
	(caller: IPollFunctions): Warn =>
	(message) =>
		caller.logger.warn(`${message} (${caller.getNode().name})`);

async function pollItems(
	caller: IPollFunctions,
	isFirst: boolean,
): Promise<INodeExecutionData[][] | null> {
	const deadline = createDeadline(getBudget(caller));
	// Read once: n8n starts a virtual machine for the expressions of a credential each time.
	const credentials = await caller.getCredentials('corrigoApi');
	const plan = await loadPlan(caller, credentials, deadline.at);
	const service = createService(caller, plan, { deadline, advice: ADVICE });
	if (caller.getMode() === 'manual') return [await fetchExamples(caller, plan, service)];

	const warn = createWarn(caller);
	const store = openStore(caller, credentials, plan, isScheduled(caller));
	if (plan.type === 'comparison') {
		const isStored = isFirst && !isScheduled(caller);
		const items = await pollComparison(store, plan, service, { warn, isStored });
		return items && [items];
	}
	const stored = store.readCursor(warn);
	if (stored === undefined && !store.isEmpty()) warn(STATE_DISCARDED);
	const cursor = stored ?? (await fetchFirstCursor(plan, service));
	if (stored === undefined && plan.since === undefined && plan.type !== 'deadlines') {
		// Two first polls may overlap; the one that finishes first decides which changes are old.
		if (store.readCursor() === undefined) {
			store.saveCursor(cursor);
			// n8n's durable scheduler stores nothing of the poll that activates a workflow.
			store.remember(cursor);
		}
		return null;
	}
	const { hasMore, waitingSince, move } = await (plan.type === 'deadlines'
		? fetchDeadlines(plan, cursor, service, warn)
		: fetchChanges(plan, cursor, service, { warn, store }));
	// Nothing is awaited from here on, so an overlapping poll sees all of the new state or none.
	const moved = move(store.readCursor() ?? cursor);
	const items = buildItems(plan, moved.claimed, service.now());
	const results = moved.claimed.map(({ item }) => item);
	const lag = getMaxLag([...results, { at: waitingSince }], service.now());
	const isFar = lag > LAG_WARNING_SECONDS;
	if (isFar && store.state.isFar !== true) warn(buildLagWarning(lag, hasMore));
	const before = items.length > 0 ? cursor : undefined;
	store.saveCursor(moved.cursor, before, { isFar: isFar || undefined });
	if (items.length === 0) return null;
	if (!store.trustsState) store.remember(moved.cursor);
	return [items];
}

async function fetchChanges(
	plan: Plan,
	cursor: Cursor,
	service: Service,
	{ warn, store }: { warn: Warn; store: Store },
) {
	const found = await pollChanges(plan.feed, cursor, service, plan);
	let { changes, reached } = found;
	if (found.isEmpty && plan.feed.time === undefined) {
		const present = await fetchPresentCursor(plan.feed, service);
		if (compareKeys(present.newest, cursor.edge) < 0) {
			warn('The newest record has a lower ID than before: this trigger goes on from there');
			store.remember(present);
			const move = () => ({ cursor: present, claimed: [] });
			return { hasMore: false, waitingSince: undefined, move };
		}
	}
	const clock = service.clock();
	const clamped = clampToClock(cursor, clock);
	if (clamped !== cursor) {
		warn('The state of this trigger was years ahead: it goes on from a few minutes ago');
		({ changes, reached } = await pollChanges(plan.feed, clamped, service, plan));
	}
	const progress = { clock, newestBefore: cursor.newest, reached, changes };
	const move = (current: Cursor) => advance(clampToClock(current, clock), progress);
	return { hasMore: reached !== undefined, waitingSince: reached?.time || undefined, move };
}

async function fetchDeadlines(
	plan: DeadlinePlan & Plan,
	cursor: Cursor,
	service: Service,
	warn: Warn,
) {
	const found = await pollDeadlines(plan.feed, cursor, service, plan.rule, plan);
	const { changes, window, tooOld, hasMore } = found;
	if (tooOld > 0) {
		warn(
			`${tooOld} or more deadlines of ${getSecond(window.after)} UTC and before are left out, as they are older than 'Oldest (Hours)'`,
		);
	}
	const move = (current: Cursor) => commit(current, { window, changes });
	return { hasMore, waitingSince: undefined, move };
}

/** Returns items for a manual test as the workflow would get them. The cursor does not move. */
async function fetchExamples(
	caller: IPollFunctions,
	plan: Plan,
	service: Service,
): Promise<INodeExecutionData[]> {
	let { feed } = plan;
	if (plan.type === 'deadlines') {
		// Only an answer tells Corrigo's clock, and so which deadlines have passed.
		await service.read(buildNewestQuery(feed, { count: 1 }));
		const { until } = getWindow(service.clock(), plan.rule);
		feed = narrowFeed(feed, and(atMost(String(feed.time), getSecond(until))));
	}
	const items = await fetchRecentItems({ ...plan, feed }, service);
	if (items.length > 0) return items;
	throw new NodeOperationError(caller.getNode(), 'No matching events found', {
		description:
			'No recent change in Corrigo matches this node. Make one or choose other filters, and try again. A published workflow starts as soon as there is a match.',
	});
}
