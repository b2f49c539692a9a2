import { NodeOperationError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';

import { joinCriteria, and, atMost } from '../wire/criteria';
import { pollChanges } from './feed/changeReader';
import { advance, clampToClock, getSecond, type Cursor, type Key } from './feed/cursor';
import { pollDeadlines } from './deadlines/deadlineReader';
import { commit, getWindow, type DeadlineRule } from './deadlines/deadlines';
import { buildNewestQuery, type Feed } from './feed/feed';
import { pollComparison } from './comparison/comparedItems';
import { buildAdvice, toNodeError } from './advice';
import { annotate, toItems } from './items';
import { LAG_WARNING_SECONDS, buildLagWarning, getMaxLag } from './lag';
import { loadPlan, type Plan } from './plan/plan';
import { Deadline } from './pollDeadline';
import { fetchFirstCursor, fetchRecentItems, createService, type Service } from './service';
import { getFeedIdentity, saveProgress, getState, readCursor, type Warn } from './state';

const NEXT_POLL = 'The next poll goes on from the same place.';
const STATE_DISCARDED =
	"The stored state of this trigger belongs to other settings or cannot be read: it starts over at 'Start From'";
const ADVICE = buildAdvice(NEXT_POLL);

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
	return await pollItems(this).catch((failure: unknown) => {
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
	const isScheduled = getBudget(caller) !== DEFAULT_BUDGET_MS;
	return !isScheduled && getState(caller).feed !== undefined;
}

const getBudget = (caller: IPollFunctions) =>
	(caller as Partial<IPollFunctions>).getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;

const createWarn =
	(caller: IPollFunctions): Warn =>
	(message) =>
		caller.logger.warn(`${message} (${caller.getNode().name})`);

async function pollItems(caller: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const deadline = new Deadline(getBudget(caller));
	const plan = await loadPlan(caller, deadline.at);
	const service = createService(caller, plan, { deadline, advice: ADVICE });
	if (caller.getMode() === 'manual') return [await fetchExamples(caller, plan, service)];

	const warn = createWarn(caller);
	if (plan.comparison !== undefined) {
		const items = await pollComparison(caller, plan, plan.comparison, service, warn);
		return items.length > 0 ? [items] : null;
	}
	const state = getState(caller);
	const identity = await getFeedIdentity(caller, plan);
	const stored = readCursor(state, identity, plan, warn);
	if (stored === undefined && Object.keys(state).length > 0) warn(STATE_DISCARDED);
	const cursor = stored ?? (await fetchFirstCursor(plan, service));
	if (stored === undefined && plan.since === undefined && plan.deadlineRule === undefined) {
		// Two first polls may overlap; the one that finishes first decides which changes are old.
		if (readCursor(state, identity, plan) === undefined) {
			saveProgress(state, identity, plan, { cursor });
		}
		return null;
	}
	const { changes, hasMore, move } = await (plan.deadlineRule === undefined
		? fetchChanges(plan, cursor, service, warn)
		: fetchDeadlines(plan, plan.deadlineRule, cursor, service, warn));
	// Nothing is awaited from here on, so an overlapping poll sees either all of the new state or
	// none.
	const moved = move(readCursor(state, identity, plan) ?? cursor);
	const claimed = new Set(moved.claimed);
	const clock = service.now();
	const results = changes
		.filter(({ key }) => claimed.has(key))
		.map(({ key, item }) => item && annotate(plan, key, item, { clock }));
	const items = toItems(plan, results);
	const lag = getMaxLag(results, clock);
	const isFar = lag > LAG_WARNING_SECONDS;
	if (isFar && state.isFar !== true) warn(buildLagWarning(lag, hasMore));
	saveProgress(state, identity, plan, {
		cursor: moved.cursor,
		before: items.length > 0 ? cursor : undefined,
		members: { isFar: isFar || undefined },
	});
	return items.length > 0 ? [items] : null;
}

const getKeys = (changes: Array<{ key: Key }>) => changes.map(({ key }) => key);

async function fetchChanges(plan: Plan, cursor: Cursor, service: Service, warn: Warn) {
	const { changes, reached } = await pollWithClamp(plan, cursor, service, warn);
	const clock = service.clock();
	const progress = { clock, newestBefore: cursor.newest, reached, keys: getKeys(changes) };
	const move = (current: Cursor) => advance(clampToClock(current, clock), progress);
	return { changes, hasMore: reached !== undefined, move };
}

async function pollWithClamp(plan: Plan, cursor: Cursor, service: Service, warn: Warn) {
	const found = await pollChanges(plan.feed, cursor, service, plan);
	const clamped = clampToClock(cursor, service.clock());
	if (clamped === cursor) return found;
	warn('The state of this trigger was years ahead: it goes on from a few minutes ago');
	return await pollChanges(plan.feed, clamped, service, plan);
}

async function fetchDeadlines(
	plan: Plan,
	rule: DeadlineRule,
	cursor: Cursor,
	service: Service,
	warn: Warn,
) {
	const found = await pollDeadlines(plan.feed, cursor, service, rule, plan);
	const { changes, window, tooOld, hasMore } = found;
	if (tooOld > 0) {
		warn(
			`${tooOld} or more deadlines of ${getSecond(window.after)} UTC and before are left out, as they are older than 'Oldest (Hours)'`,
		);
	}
	const move = (current: Cursor) => commit(current, { window, keys: getKeys(changes) });
	return { changes, hasMore, move };
}

/**
 * Limits the feed to deadlines that have passed. A first request is needed to learn Corrigo's
 * clock.
 */
async function buildPassedFeed(
	feed: Feed,
	rule: DeadlineRule,
	{ read, clock }: Service,
): Promise<Feed> {
	await read(buildNewestQuery(feed, { count: 1 }));
	const { until } = getWindow(clock(), rule);
	return {
		...feed,
		criteria: joinCriteria(feed.criteria, and(atMost(String(feed.time), getSecond(until)))),
	};
}

/** Returns items for a manual test as the workflow would get them. The cursor does not move. */
async function fetchExamples(
	caller: IPollFunctions,
	plan: Plan,
	service: Service,
): Promise<INodeExecutionData[]> {
	const { feed, deadlineRule } = plan;
	const shown =
		deadlineRule === undefined ? feed : await buildPassedFeed(feed, deadlineRule, service);
	const items = await fetchRecentItems({ ...plan, feed: shown }, service);
	if (items.length > 0) return items;
	throw new NodeOperationError(caller.getNode(), 'No matching events found', {
		description:
			'No recent change in Corrigo matches this node. Make one or choose other filters, and try again. A published workflow starts as soon as there is a match.',
	});
}
