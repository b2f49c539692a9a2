import { NodeOperationError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';

import { allOf, and, atMost } from '../protocol/criteria';
import { pollChanges } from './changeReader';
import { advance, clampToClock, secondOf, type Cursor, type Key } from './cursor';
import { pollDeadlines } from './deadlineReader';
import { commit, windowAt, type DeadlineRule } from './deadlines';
import { newestOf, type Feed } from './feed';
import { comparedItems } from './comparedItems';
import { hintsFor, nodeError } from './hints';
import { annotate, itemsOf } from './items';
import { LAG_WARNING_SECONDS, lagWarning, maxLag } from './lag';
import { planOf, type Plan } from './plan/plan';
import { Deadline } from './pollDeadline';
import { firstCursor, recentItems, serviceFor, type Service } from './service';
import { feedIdentity, saveProgress, stateOf, storedCursor, type Warn } from './state';

const NEXT_POLL = 'The next poll goes on from the same place.';
const STATE_DISCARDED =
	"The stored state of this trigger belongs to other settings or cannot be read: it starts over at 'Start From'";
const HINTS = hintsFor(NEXT_POLL);

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
	return await newItems(this).catch((failure: unknown) => {
		const error = nodeError(this, failure, HINTS);
		if (!isFirst || !isUnattended(this)) throw error;
		warnTo(this)(`The first poll failed: ${error.message}. ${NEXT_POLL}`);
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
	const isScheduled = budgetOf(caller) !== DEFAULT_BUDGET_MS;
	return !isScheduled && stateOf(caller).feed !== undefined;
}

const budgetOf = (caller: IPollFunctions) =>
	(caller as Partial<IPollFunctions>).getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;

const warnTo =
	(caller: IPollFunctions): Warn =>
	(message) =>
		caller.logger.warn(`${message} (${caller.getNode().name})`);

async function newItems(caller: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const deadline = new Deadline(budgetOf(caller));
	const plan = await planOf(caller, deadline.at);
	const service = serviceFor(caller, plan, { deadline, hints: HINTS });
	if (caller.getMode() === 'manual') return [await examples(caller, plan, service)];

	const warn = warnTo(caller);
	if (plan.comparison !== undefined) {
		const items = await comparedItems(caller, plan, plan.comparison, service, warn);
		return items.length > 0 ? [items] : null;
	}
	const state = stateOf(caller);
	const identity = await feedIdentity(caller, plan);
	const stored = storedCursor(state, identity, plan, warn);
	if (stored === undefined && Object.keys(state).length > 0) warn(STATE_DISCARDED);
	const cursor = stored ?? (await firstCursor(plan, service));
	if (stored === undefined && plan.since === undefined && plan.deadlineRule === undefined) {
		// Two first polls may overlap; the one that finishes first decides which changes are old.
		if (storedCursor(state, identity, plan) === undefined) {
			saveProgress(state, identity, plan, { cursor });
		}
		return null;
	}
	const { changes, hasMore, move } = await (plan.deadlineRule === undefined
		? readChanges(plan, cursor, service, warn)
		: readDeadlines(plan, plan.deadlineRule, cursor, service, warn));
	// Nothing is awaited from here on, so an overlapping poll sees either all of the new state or
	// none.
	const moved = move(storedCursor(state, identity, plan) ?? cursor);
	const claimed = new Set(moved.claimed);
	const clock = service.now();
	const results = changes
		.filter(({ key }) => claimed.has(key))
		.map(({ key, item }) => item && annotate(plan, key, item, { clock }));
	const items = itemsOf(plan, results);
	const lag = maxLag(results, clock);
	const isFar = lag > LAG_WARNING_SECONDS;
	if (isFar && state.isFar !== true) warn(lagWarning(lag, hasMore));
	saveProgress(state, identity, plan, {
		cursor: moved.cursor,
		before: items.length > 0 ? cursor : undefined,
		members: { isFar: isFar || undefined },
	});
	return items.length > 0 ? [items] : null;
}

const keysOf = (changes: Array<{ key: Key }>) => changes.map(({ key }) => key);

async function readChanges(plan: Plan, cursor: Cursor, service: Service, warn: Warn) {
	const { changes, reached } = await changesSince(plan, cursor, service, warn);
	const clock = service.clock();
	const progress = { clock, newestBefore: cursor.newest, reached, keys: keysOf(changes) };
	const move = (current: Cursor) => advance(clampToClock(current, clock), progress);
	return { changes, hasMore: reached !== undefined, move };
}

async function changesSince(plan: Plan, cursor: Cursor, service: Service, warn: Warn) {
	const found = await pollChanges(plan.feed, cursor, service, plan);
	const clamped = clampToClock(cursor, service.clock());
	if (clamped === cursor) return found;
	warn('The state of this trigger was years ahead: it goes on from a few minutes ago');
	return await pollChanges(plan.feed, clamped, service, plan);
}

async function readDeadlines(
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
			`${tooOld} or more deadlines of ${secondOf(window.after)} UTC and before are left out, as they are older than 'Oldest (Hours)'`,
		);
	}
	const move = (current: Cursor) => commit(current, { window, keys: keysOf(changes) });
	return { changes, hasMore, move };
}

/**
 * Limits the feed to deadlines that have passed. A first request is needed to learn Corrigo's
 * clock.
 */
async function passedFeed(feed: Feed, rule: DeadlineRule, { read, clock }: Service): Promise<Feed> {
	await read(newestOf(feed, { count: 1 }));
	const { until } = windowAt(clock(), rule);
	return {
		...feed,
		criteria: allOf(feed.criteria, and(atMost(String(feed.time), secondOf(until)))),
	};
}

/** Returns items for a manual test as the workflow would get them. The cursor does not move. */
async function examples(
	caller: IPollFunctions,
	plan: Plan,
	service: Service,
): Promise<INodeExecutionData[]> {
	const { feed, deadlineRule } = plan;
	const shown = deadlineRule === undefined ? feed : await passedFeed(feed, deadlineRule, service);
	const items = await recentItems({ ...plan, feed: shown }, service);
	if (items.length > 0) return items;
	throw new NodeOperationError(caller.getNode(), 'No matching events found', {
		description:
			'No recent change in Corrigo matches this node. Make one or choose other filters, and try again. A published workflow starts as soon as there is a match.',
	});
}
