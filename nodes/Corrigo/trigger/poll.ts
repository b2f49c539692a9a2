import { randomUUID } from 'node:crypto';
import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
} from 'n8n-workflow';

import { Refusal, type JsonObject } from '../protocol/checks';
import { queryRequest, type QueryExpression } from '../protocol/requests';
import { apiError, mayPass } from '../transport/errors';
import { send, type SendOptions } from '../transport/send';
import {
	advance,
	keyFrom,
	OVERLAP,
	startingAfter,
	startingAt,
	startingWith,
	keyText,
	utcText,
	type Cursor,
	type Key,
	type Pages,
} from './cursor';
import { beginningOf, keyOf, lastBefore, newestOf, type Feed } from './feed';
import { FAILED_HINT, HINTS } from './hints';
import { planOf, type Plan } from './plan';
import { finish, type Result } from './records';
import { catchUp, FEW } from './tick';

/** What hosts grant that do not say. */
const USUAL_BUDGET_MS = 5 * 60_000;

/** So many recent items make an example, out of so many rows where some may be filtered out. */
const EXAMPLES = 10;
const EXAMPLE_ROWS = 200;

/** n8n makes one for each activation, and polls with it ever after. */
const polledBefore = new WeakSet<IPollFunctions>();

export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isFirst = !polledBefore.has(this);
	polledBefore.add(this);
	return await ticked(this).catch((failure: unknown) => {
		const error = nodeError(this, failure);
		if (isFirst && isUnattended(this) && mayPass(error)) {
			this.logger.warn(`${error.message}. The next poll goes on from the same place.`);
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
	return !isScheduled && caller.getWorkflowStaticData('node').feed !== undefined;
}

/** Older hosts do not know of a budget. */
const budgetOf = (caller: IPollFunctions) =>
	(caller as Partial<IPollFunctions>).getPollBudgetMs?.() ?? USUAL_BUDGET_MS;

async function ticked(caller: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const plan = planOf(caller);
	const service = serviceFor(caller, plan);
	if (caller.getMode() === 'manual') return [await examples(caller, plan, service)];

	const state = caller.getWorkflowStaticData('node');
	const feed = await identityOf(caller, plan);
	const stored = state.feed === feed ? cursorIn(state, plan) : undefined;
	const cursor = stored ?? (await firstCursor(plan, service));
	if (stored === undefined && plan.since === undefined) {
		// Two first polls may overlap: whichever ends first decides what is old.
		return state.feed === feed ? null : save(state, feed, { cursor });
	}
	const { taken, reached, pages } = await catchUp(plan.feed, cursor, service, plan);
	// From here on nothing is awaited: another tick of this workflow sees all of it or nothing.
	const now = state.feed === feed ? cursorIn(state, plan) : cursor;
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

/**
 * The same for a change whenever it is handed out, for whoever takes it in more than once. An example
 * has another one: who has taken that in takes in the change as well.
 */
function marked({ again, feed }: Plan, key: Key, { item, order }: Result, kind = ''): Result {
	const ChangeKey = `${kind}${feed.entity} ${keyText(key)}`;
	return { item: again ? { json: { ...item.json, ChangeKey } } : item, order };
}

/** n8n that starts anew loads this anew. */
const PROCESS = randomUUID();

/**
 * n8n saves the state a moment before the execution that the poll has started. A process that was
 * there for the poll after that has lived to do both; a new one begins where the last poll began.
 */
function cursorIn(state: IDataObject, { again }: Plan): Cursor {
	const isInDoubt = again && state.before !== undefined && state.process !== PROCESS;
	return load(isInDoubt ? (JSON.parse(String(state.before)) as IDataObject) : state);
}

/**
 * A change of these begins a new queue: the old cursor means nothing in it. The start counts as it is
 * written in the form, since an expression may give another time at every poll.
 */
async function identityOf(caller: IPollFunctions, { feed, since }: Plan): Promise<string> {
	const { companyName } = await caller.getCredentials('corrigoApi');
	const { startTime } = caller.getNode().parameters;
	const start = since === undefined ? 'now' : String(startTime);
	return JSON.stringify([companyName, feed.entity, feed.time ?? 'Id', start]);
}

const load = ({ edge, newest, known, whole, cut }: IDataObject): Cursor => ({
	edge: keyFrom(String(edge)),
	newest: keyFrom(String(newest)),
	known: (known as string[]).map(keyFrom),
	pages: { whole, cut } as Pages,
});

const textsOf = ({ edge, newest, known, pages }: Cursor) => ({
	edge: keyText(edge),
	newest: keyText(newest),
	known: known.map(keyText),
	whole: pages?.whole,
	cut: pages?.cut,
});

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
	Object.assign(state, { feed, ...textsOf(cursor), process: before && PROCESS, before: last });
	return items.length > 0 ? [items] : null;
}

type Service = ReturnType<typeof serviceFor>;

function serviceFor(caller: IPollFunctions, plan: Plan) {
	const budget = budgetOf(caller);
	const start = performance.now();
	let pageStart = start;
	let longest = 0;
	let clock: string | undefined;
	const options: SendOptions = {
		deadline: start + budget,
		hints: HINTS,
		// The first one: when the poll began.
		heard: (date) => (clock ??= timeOf(date)),
	};
	return {
		read: async (expression: QueryExpression): Promise<JsonObject[]> =>
			await send(caller, queryRequest(plan.feed.entity, expression), options),
		finish: async (rows: JsonObject[]) => await finish(caller, plan, rows, options),
		/** Of Corrigo; the clock of this machine counts for nothing. */
		clock: () => ({ clock }),
		/** Whether one more page, as slow as the slowest so far, fits into the budget. */
		mayGoOn: () => {
			const now = performance.now();
			longest = Math.max(longest, now - pageStart);
			pageStart = now;
			return now - start + longest < budget;
		},
	};
}

const timeOf = (date: string): string | undefined => {
	const instant = Date.parse(date);
	return Number.isNaN(instant) ? undefined : utcText(new Date(instant).toISOString());
};

async function firstCursor(plan: Plan, service: Service): Promise<Cursor> {
	const { feed, since, made } = plan;
	if (since === undefined) return await presentCursor(feed, service);
	if (made === undefined) return startingAt(since);
	const [last] = await service.read(lastBefore(feed, made, since));
	return startingAfter(last === undefined ? beginningOf(feed) : keyOf(feed, last));
}

/**
 * Now, as the service sees it: what is there already is old. That goes for what the filters leave
 * out as well, which they may let through later.
 */
async function presentCursor(
	{ entity, time, properties }: Feed,
	{ read, clock }: Service,
): Promise<Cursor> {
	const feed: Feed = { entity, time, properties };
	const most = OVERLAP.keys + 1;
	const present: Key[] = [];
	let last = 0;
	do {
		const wanted = { count: most - present.length, keysOnly: true, skip: present.length };
		const rows = await read(newestOf(feed, wanted));
		present.push(...rows.map((row) => keyOf(feed, row)));
		last = rows.length;
	} while (last >= FEW && present.length < most);
	return startingWith(present, beginningOf(feed), OVERLAP, clock());
}

function itemsOf({ latestOnly, workOrders }: Plan, results: Array<Result | undefined>) {
	const kept = results.filter((result) => result !== undefined);
	if (!latestOnly || workOrders === undefined) return kept.map(({ item }) => item);
	const last = new Map(kept.map((result) => [result.order, result]));
	return kept.filter((result) => last.get(result.order) === result).map(({ item }) => item);
}

/** By hand, the workflow is shown what it would get, and misses nothing for it later. */
async function examples(
	caller: IPollFunctions,
	plan: Plan,
	{ read, finish: complete }: Service,
): Promise<INodeExecutionData[]> {
	const count = plan.workOrders === undefined ? EXAMPLES : EXAMPLE_ROWS;
	const rows = (await read(newestOf(plan.feed, { count }))).reverse();
	const results = (await complete(rows)).map(
		(result, index) => result && marked(plan, keyOf(plan.feed, rows[index]), result, 'Test '),
	);
	const items = itemsOf(plan, results).slice(-EXAMPLES);
	if (items.length > 0) return items;
	throw new NodeOperationError(caller.getNode(), 'Nothing fits yet', {
		description:
			'There is no recent change in Corrigo that fits this node. Make one, or choose other filters, and try again. An active workflow will start as soon as there is one.',
	});
}

/** The kind of failure decides how n8n counts the tick; the next one goes on from the same place. */
function nodeError(caller: IPollFunctions, failure: unknown): NodeApiError | NodeOperationError {
	if (failure instanceof NodeApiError || failure instanceof NodeOperationError) return failure;
	const { message } = failure as Error;
	if (failure instanceof Refusal) {
		return new NodeOperationError(caller.getNode(), message, { description: failure.hint });
	}
	return apiError(caller.getNode(), message, FAILED_HINT);
}
