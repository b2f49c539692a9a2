import { randomUUID } from 'node:crypto';
import {
	NodeOperationError,
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
} from 'n8n-workflow';

import { isObject, tryJson } from '../protocol/checks';
import { allOf, and, atMost } from '../protocol/criteria';
import { isTransient } from '../transport/errors';
import { advance, clampToClock, secondOf, type Cursor } from './cursor';
import { commit, windowAt, type DeadlineRule } from './deadlines';
import { newestOf, type Feed } from './feed';
import { hintsFor, nodeError } from './hints';
import { FAR_BEHIND, farBehind, longestLag } from './lag';
import { Deadline } from './pollDeadline';
import { planOf, type Plan } from './plan/plan';
import { pollDeadlines } from './deadlineReader';
import { itemsOf, marked, type Result } from './records';
import { firstCursor, recentItems, serviceFor, type Service } from './service';
import { cursorFrom, identityOf, keep, stateOf, textsOf, type Warn } from './state';
import { pollChanges, type Taken } from './changeReader';

const GOES_ON = 'The next poll goes on from the same place.';
const ANEW =
	"The state of this trigger is of other settings, or cannot be read: it begins anew at 'Start From'";
const HINTS = hintsFor(GOES_ON);

/** What hosts grant that do not say. */
const DEFAULT_BUDGET_MS = 5 * 60_000;

/** n8n makes one for each activation, and polls with it ever after. */
const polledBefore = new WeakSet<IPollFunctions>();

export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isFirst = !polledBefore.has(this);
	polledBefore.add(this);
	return await ticked(this).catch((failure: unknown) => {
		const error = nodeError(this, failure, HINTS);
		if (isFirst && isUnattended(this) && isTransient(error)) {
			this.logger.warn(`${error.message}. ${GOES_ON}`);
			return null;
		}
		throw error;
	});
}

/**
 * n8n starts, takes over from another one, or mends what has come apart, which it calls an update, as
 * it does every poll of its durable scheduler, whose budget is shorter. A first poll that fails then
 * is tried a few times, and the trigger is not polled any more after that, with nobody there to see it.
 */
function isUnattended(caller: IPollFunctions): boolean {
	const activation = caller.getActivationMode();
	if (activation !== 'update') return activation === 'init' || activation === 'leadershipChange';
	const isScheduled = budgetOf(caller) !== DEFAULT_BUDGET_MS;
	return !isScheduled && stateOf(caller).feed !== undefined;
}

/** Older hosts do not know of a budget. */
const budgetOf = (caller: IPollFunctions) =>
	(caller as Partial<IPollFunctions>).getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;

async function ticked(caller: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const deadline = new Deadline(budgetOf(caller));
	const plan = await planOf(caller, deadline.at);
	const service = serviceFor(caller, plan, { deadline, hints: HINTS });
	if (caller.getMode() === 'manual') return [await examples(caller, plan, service)];

	const state = stateOf(caller);
	const warn: Warn = (what) => caller.logger.warn(`${what} (${caller.getNode().name})`);
	const feed = await identityOf(caller, plan);
	const stored = state.feed === feed ? cursorIn(state, plan, warn) : undefined;
	if (stored === undefined && Object.keys(state).length > 0) warn(ANEW);
	const cursor = stored ?? (await firstCursor(plan, service));
	if (stored === undefined && plan.since === undefined && plan.deadline === undefined) {
		// Two first polls may overlap: whichever ends first decides what is old.
		return state.feed === feed && cursorIn(state, plan) ? null : save(state, feed, { cursor });
	}
	const { taken, hasMore, move } = await (plan.deadline === undefined
		? changed(plan, cursor, service, warn)
		: passed(plan, plan.deadline, cursor, service, warn));
	// From here on nothing is awaited: another tick of this workflow sees all of it or nothing.
	const current = state.feed === feed ? cursorIn(state, plan) : undefined;
	const moved = move(current ?? cursor);
	const mine = new Set(moved.mine);
	const clock = service.now();
	const results = taken
		.filter(({ key }) => mine.has(key))
		.map(({ key, item }) => item && marked(plan, key, item, { clock }));
	const items = itemsOf(plan, results);
	const lag = longestLag(results, clock);
	const isFar = lag > FAR_BEHIND;
	if (isFar && state.isFar !== true) warn(farBehind(lag, hasMore));
	return save(state, feed, {
		cursor: moved.cursor,
		before: plan.again ? cursor : undefined,
		isFar,
		items,
	});
}

const keysOf = (taken: Array<Taken<Result>>) => taken.map(({ key }) => key);

async function changed(plan: Plan, cursor: Cursor, service: Service, warn: Warn) {
	const { taken, reached } = await goOn(plan, cursor, service, warn);
	const clock = service.clock();
	const found = { clock, began: cursor.newest, reached, keys: keysOf(taken) };
	const move = (now: Cursor) => advance(clampToClock(now, clock), found);
	return { taken, hasMore: reached !== undefined, move };
}

async function goOn(plan: Plan, cursor: Cursor, service: Service, warn: Warn) {
	const caught = await pollChanges(plan.feed, cursor, service, plan);
	const present = clampToClock(cursor, service.clock());
	if (present === cursor) return caught;
	warn('The state of this trigger was years ahead: it goes on from a few minutes ago');
	return await pollChanges(plan.feed, present, service, plan);
}

async function passed(
	plan: Plan,
	deadline: DeadlineRule,
	cursor: Cursor,
	service: Service,
	warn: Warn,
) {
	const read = await pollDeadlines(plan.feed, cursor, service, deadline, plan);
	const { taken, window, leftOut, hasMore } = read;
	if (leftOut > 0) {
		warn(
			`${leftOut} or more deadlines of ${secondOf(window.after)} UTC and before are left out, as they are older than 'Oldest (Hours)'`,
		);
	}
	return { taken, hasMore, move: (now: Cursor) => commit(now, { window, keys: keysOf(taken) }) };
}

/** n8n that starts anew loads this anew. */
const PROCESS = randomUUID();

/**
 * n8n saves the state a moment before the execution that the poll has started. A process that was
 * there for the poll after that has lived to do both; a new one begins where the last poll began.
 */
function cursorIn(state: IDataObject, { again, feed }: Plan, warn?: Warn): Cursor | undefined {
	const { process, before } = state;
	const isInDoubt = again && process !== PROCESS;
	const began = isInDoubt ? cursorFrom(stateFrom(before), warn) : undefined;
	const cursor = began ?? cursorFrom(state, warn);
	const isTimed = cursor?.edge.time !== '';
	return isTimed === (feed.time !== undefined) ? cursor : undefined;
}

function stateFrom(kept: unknown): IDataObject {
	const read = tryJson(String(kept));
	return 'value' in read && isObject(read.value) ? (read.value as IDataObject) : {};
}

interface Polled {
	cursor: Cursor;
	/** Where the poll began, if that has to be known later. */
	before?: Cursor;
	/** Whether that it is far behind has been said, until it has caught up. */
	isFar?: boolean;
	items?: INodeExecutionData[];
}

function save(
	state: IDataObject,
	feed: string,
	{ cursor, before, isFar, items = [] }: Polled,
): INodeExecutionData[][] | null {
	const kept = state.feed === feed ? state.before : undefined;
	const last = items.length > 0 ? before && JSON.stringify(textsOf(before)) : before && kept;
	const process = before && PROCESS;
	keep(state, { feed, ...textsOf(cursor), process, before: last, isFar: isFar || undefined });
	return items.length > 0 ? [items] : null;
}

/** What has passed: the clock of Corrigo is heard first. */
async function passedFeed(
	feed: Feed,
	deadline: DeadlineRule,
	{ read, clock }: Service,
): Promise<Feed> {
	await read(newestOf(feed, { count: 1 }));
	const { until } = windowAt(clock(), deadline);
	return {
		...feed,
		criteria: allOf(feed.criteria, and(atMost(String(feed.time), secondOf(until)))),
	};
}

/** By hand, the workflow is shown what it would get, and misses nothing for it later. */
async function examples(
	caller: IPollFunctions,
	plan: Plan,
	service: Service,
): Promise<INodeExecutionData[]> {
	const { feed, deadline } = plan;
	const shown = deadline === undefined ? feed : await passedFeed(feed, deadline, service);
	const items = await recentItems({ ...plan, feed: shown }, service);
	if (items.length > 0) return items;
	throw new NodeOperationError(caller.getNode(), 'Nothing fits yet', {
		description:
			'There is no recent change in Corrigo that fits this node. Make one, or choose other filters, and try again. An active workflow will start as soon as there is one.',
	});
}
