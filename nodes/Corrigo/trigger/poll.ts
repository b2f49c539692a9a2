import { randomUUID } from 'node:crypto';
import {
	NodeOperationError,
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
} from 'n8n-workflow';

import { isObject, tryJson } from '../protocol/checks';
import { mayPass } from '../transport/errors';
import { advance, broughtBack, type Cursor } from './cursor';
import { hintsFor, nodeError } from './hints';
import { planOf, type Plan } from './plan';
import { itemsOf, marked } from './records';
import { firstCursor, recentItems, serviceFor, type Service } from './service';
import { cursorFrom, identityOf, keep, stateOf, textsOf, type Say } from './state';
import { catchUp } from './tick';

const GOES_ON = 'The next poll goes on from the same place.';
const ANEW =
	"The state of this trigger is of other settings, or cannot be read: it begins anew at 'Start From'";
const HINTS = hintsFor(GOES_ON);

/** What hosts grant that do not say. */
const USUAL_BUDGET_MS = 5 * 60_000;

/** n8n makes one for each activation, and polls with it ever after. */
const polledBefore = new WeakSet<IPollFunctions>();

export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isFirst = !polledBefore.has(this);
	polledBefore.add(this);
	return await ticked(this).catch((failure: unknown) => {
		const error = nodeError(this, failure, HINTS);
		if (isFirst && isUnattended(this) && mayPass(error)) {
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
	const isScheduled = budgetOf(caller) !== USUAL_BUDGET_MS;
	return !isScheduled && stateOf(caller).feed !== undefined;
}

/** Older hosts do not know of a budget. */
const budgetOf = (caller: IPollFunctions) =>
	(caller as Partial<IPollFunctions>).getPollBudgetMs?.() ?? USUAL_BUDGET_MS;

async function ticked(caller: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const plan = await planOf(caller);
	const service = serviceFor(caller, plan, { budget: budgetOf(caller), hints: HINTS });
	if (caller.getMode() === 'manual') return [await examples(caller, plan, service)];

	const state = stateOf(caller);
	const say: Say = (what) => caller.logger.warn(`${what} (${caller.getNode().name})`);
	const feed = await identityOf(caller, plan);
	const stored = state.feed === feed ? cursorIn(state, plan, say) : undefined;
	if (stored === undefined && Object.keys(state).length > 0) say(ANEW);
	const cursor = stored ?? (await firstCursor(plan, service));
	if (stored === undefined && plan.since === undefined) {
		// Two first polls may overlap: whichever ends first decides what is old.
		return state.feed === feed && cursorIn(state, plan) ? null : save(state, feed, { cursor });
	}
	const { taken, reached, pages } = await goOn(plan, cursor, service, say);
	// From here on nothing is awaited: another tick of this workflow sees all of it or nothing.
	const current = state.feed === feed ? cursorIn(state, plan) : undefined;
	const now = broughtBack(current ?? cursor, service.clock().clock);
	const keys = taken.map(({ key }) => key);
	const moved = advance(now, { ...service.clock(), began: cursor.newest, reached, keys, pages });
	const mine = new Set(moved.mine);
	const results = taken
		.filter(({ key }) => mine.has(key))
		.map(({ key, item }) => item && marked(plan, key, item));
	const items = itemsOf(plan, results);
	return save(state, feed, {
		cursor: moved.cursor,
		before: plan.again ? cursor : undefined,
		items,
	});
}

async function goOn(plan: Plan, cursor: Cursor, service: Service, say: Say) {
	const caught = await catchUp(plan.feed, cursor, service, plan);
	const present = broughtBack(cursor, service.clock().clock);
	if (present === cursor) return caught;
	say('The state of this trigger was years ahead: it goes on from a few minutes ago');
	return await catchUp(plan.feed, present, service, plan);
}

/** n8n that starts anew loads this anew. */
const PROCESS = randomUUID();

/**
 * n8n saves the state a moment before the execution that the poll has started. A process that was
 * there for the poll after that has lived to do both; a new one begins where the last poll began.
 */
function cursorIn(state: IDataObject, { again, feed }: Plan, say?: Say): Cursor | undefined {
	const { process, before } = state;
	const isInDoubt = again && typeof before === 'string' && process !== PROCESS;
	const began = isInDoubt ? cursorFrom(stateFrom(before), say) : undefined;
	const cursor = began ?? cursorFrom(state, say);
	const isTimed = cursor?.edge.time !== '';
	return isTimed === (feed.time !== undefined) ? cursor : undefined;
}

function stateFrom(text: string): IDataObject {
	const read = tryJson(text);
	return 'value' in read && isObject(read.value) ? (read.value as IDataObject) : {};
}

interface Polled {
	cursor: Cursor;
	/** Where the poll began, if that has to be known later. */
	before?: Cursor;
	items?: INodeExecutionData[];
}

function save(
	state: IDataObject,
	feed: string,
	{ cursor, before, items = [] }: Polled,
): INodeExecutionData[][] | null {
	const kept = state.feed === feed ? state.before : undefined;
	const last = items.length > 0 ? before && JSON.stringify(textsOf(before)) : before && kept;
	keep(state, { feed, ...textsOf(cursor), process: before && PROCESS, before: last });
	return items.length > 0 ? [items] : null;
}

/** By hand, the workflow is shown what it would get, and misses nothing for it later. */
async function examples(
	caller: IPollFunctions,
	plan: Plan,
	service: Service,
): Promise<INodeExecutionData[]> {
	const items = await recentItems(plan, service);
	if (items.length > 0) return items;
	throw new NodeOperationError(caller.getNode(), 'Nothing fits yet', {
		description:
			'There is no recent change in Corrigo that fits this node. Make one, or choose other filters, and try again. An active workflow will start as soon as there is one.',
	});
}
