import type { INodeExecutionData } from 'n8n-workflow';

import { advance, compareKeys, lowerEdge, startCursor, type Cursor } from '../../feed/cursor';
import {
	agreesWithClock,
	buildPolled,
	correctPolled,
	isRightAgain,
	trustClock,
	type Polled,
} from '../../feed/lead';
import { buildNewestQuery, pollChanges, readKey, type Change } from '../../feed/feed';
import { fetchFirstCursor } from '../../feed/present';
import {
	listFeedPlans,
	type Plan,
	type Service,
	type PollSession,
	type Strategy,
	type Result,
	type Warn,
} from '../plan';
import {
	buildLagWarning,
	getLag,
	getMaxLag,
	LAG_WARNING_SECONDS,
	mergeResults,
	toItems,
	toResults,
} from '../service';
import { confirmDoubt, isStoreDue, recallFeed, type FeedMemory, type Memory } from '../state';
import { openCursorStore, writeLastChanges, type Cursors } from './cursors';

const WAITING =
	"Too many changes have a date in the future: the farthest ones wait. Is 'Date Field' the time of a change?";

const CLOCK_WARNING_SECONDS = 300;

const buildClockWarning = (gain: number) =>
	`Corrigo's clock has gained ${Math.round(gain / 60)} minutes: in case it is wrong, this trigger looks again at the changes since then`;

/** Returns the changes after the last poll. */
export const changes: Strategy = {
	watch: async (plan, session) =>
		await pollCursor(plan, session, {
			startsNow: plan.since === undefined,
			fetchFirst: async (feed) => await fetchFirstCursor(feed.plan, feed.service),
			fetch: async (feed, ...known) => await fetchChanges(feed, session.warn, ...known),
		}),
};

async function fetchChanges(
	{ plan, service }: FeedSession,
	warn: Warn,
	cursor: Cursor,
	memory: Memory<Cursors>,
	polled?: Polled,
): Promise<Fetched> {
	const own = recallFeed(memory, plan.feed.entity);
	const begunAt = performance.now();
	const found = await pollChanges(plan.feed, cursor, service, plan);
	const { reached, isEmpty } = found;
	const read = { isEmpty, begunAt, polled };
	const place = await findLowerPlace(plan, cursor, { service, warn }, own, read);
	if (place !== undefined) {
		const reached = place.edge.time || undefined;
		return { hasMore: true, reached, move: () => ({ cursor: place, claimed: [] }) };
	}
	if (found.isWaiting) warnOnce(memory, warn, 'waiting', WAITING);
	// An empty answer proves nothing, as what was delivered usually comes again.
	const newestBefore = isEmpty ? cursor.edge : cursor.newest;
	const isSure = !isEmpty || own.foundBy !== plan.selection;
	own.foundBy = isEmpty ? undefined : plan.selection;
	return {
		hasMore: reached !== undefined,
		isSure,
		reached: reached?.time || undefined,
		move: (current, settledAt) => advance(current, { ...found, settledAt, newestBefore }),
	};
}

/**
 * Returns a place that the trigger goes back to, once it is sure or an earlier read has found it, too.
 * What was read after the cursor is then read again after this place.
 */
export async function findLowerPlace(
	plan: Plan,
	cursor: Cursor,
	{ service, warn }: Pick<PollSession, 'service' | 'warn'>,
	memory: FeedMemory,
	read: { isEmpty: boolean; begunAt: number; polled?: Polled },
): Promise<Cursor | undefined> {
	const lower = await suggestLowerPlace(plan, cursor, service, read);
	if (lower === undefined) {
		memory.doubt = undefined;
		return undefined;
	}
	const { name, newest, isSure } = lower;
	const confirmed = isSure ? newest : confirmDoubt(memory, name, newest, read.begunAt);
	if (confirmed === undefined) return undefined;
	warn(lower.message);
	return lower.toCursor(confirmed);
}

async function suggestLowerPlace(
	{ feed, since }: Plan,
	cursor: Cursor,
	service: Service,
	{ isEmpty, polled }: { isEmpty: boolean; polled?: Polled },
) {
	const { entity, time, properties } = feed;
	const now = service.clock();
	const isSure = agreesWithClock(service);
	const polledAt = isSure ? correctPolled(polled) : undefined;
	const lowered = now && lowerEdge(cursor, { now, isSure, polledAt, since });
	if (lowered) {
		const message =
			"The state of this trigger was ahead of Corrigo's clock: it goes on from a few minutes ago, and some changes may come a second time";
		return { name: 'ahead', newest: 0, isSure, message, toCursor: () => lowered };
	}
	if (!isEmpty || time !== undefined) return undefined;
	const all = { entity, time, properties };
	const [newest] = await service.load(buildNewestQuery(all, { count: 1, keysOnly: true }));
	// A table without any record has no place to go back to.
	if (newest === undefined) return undefined;
	const key = readKey(all, newest);
	if (compareKeys(key, cursor.edge) >= 0) return undefined;
	const message = 'The newest record has a lower ID than before: this trigger goes on from there';
	const toCursor = (id: number) => startCursor({ ...key, id });
	return { name: 'lower', newest: key.id, isSure: false, message, toCursor };
}

/** A poll has read these changes, which are not claimed yet. */
interface Fetched {
	hasMore: boolean;
	/** False if this poll alone found none of the rows that the poll before has found. */
	isSure?: boolean;
	/** The time up to which the poll has read, if more is left. */
	reached?: string;
	/** Moves the latest cursor, and returns the changes that are still to be delivered. */
	move: (current: Cursor, settledAt?: string) => { cursor: Cursor; claimed: Array<Change<Result>> };
}

/** A feed that begins now has no changes yet. */
const BEGUN: Fetched = { hasMore: false, move: (cursor) => ({ cursor, claimed: [] }) };

/** One of the feeds of a poll. */
interface FeedSession {
	plan: Plan;
	service: Service;
}

/** The strategies that keep a cursor differ in these parts. */
interface CursorStrategy {
	/** True if all that exists at the first poll is old. */
	startsNow: boolean;
	/** Returns undefined if the start has not come yet. */
	fetchFirst: (feed: FeedSession) => Promise<Cursor | undefined>;
	fetch: (
		feed: FeedSession,
		cursor: Cursor,
		memory: Memory<Cursors>,
		polled?: Polled,
	) => Promise<Fetched>;
}

/**
 * Reads what comes after the stored cursors, one feed after the other, and stores the cursors after
 * that, all of them or none. A feed without a cursor begins as in a new trigger.
 */
export async function pollCursor(
	plan: Plan,
	session: PollSession,
	{ startsNow, fetchFirst, fetch }: CursorStrategy,
): Promise<INodeExecutionData[][] | null> {
	const { service, warn } = session;
	const store = openCursorStore(session, plan);
	const { memory, state } = store;
	const stored = store.read(warn);
	const before = store.getPolled();
	const { last } = state;
	const plans = listFeedPlans(plan);
	const all = [];
	for (const [index, own] of plans.entries()) {
		const { entity } = own.feed;
		const feed = { plan: own, service: service.open(own, plans.length - 1 - index) };
		const known = stored?.get(entity);
		const cursor = known ?? (await fetchFirst(feed));
		if (cursor === undefined) continue;
		const isBegun = known === undefined && startsNow;
		const found = isBegun ? BEGUN : await fetch(feed, cursor, memory, before);
		all.push({ ...found, entity, cursor, isBegun });
	}
	// Nothing is awaited from here on, so an overlapping poll sees all of the new state or none.
	if (store.isSuperseded()) return null;
	const current = store.read();
	// Two first polls may overlap; the one that finishes first decides which changes are old.
	const fetched = all.filter(({ entity, isBegun }) => !isBegun || !current?.has(entity));
	if (fetched.length === 0) return null;
	const settledAt = trustClock(memory, service);
	const moved = fetched.map(({ entity, cursor, move }) => ({
		entity,
		...move(current?.get(entity) ?? cursor, settledAt),
	}));
	const results = mergeResults(moved.map(({ claimed }) => toResults(claimed)));
	const items = toItems(plan, results, { clock: service.now() });
	const waiting = fetched.filter(({ reached }) => reached !== undefined);
	const lag = getMaxLag([...results, ...waiting.map(({ reached: at }) => ({ at }))], service.now());
	const hasMore = fetched.some((one) => one.hasMore);
	if (lag <= LAG_WARNING_SECONDS) memory.warned.delete('lag');
	else warnOnce(memory, warn, 'lag', buildLagWarning(lag, hasMore));
	const gain = getLag(settledAt, service.clock()) ?? 0;
	if (gain <= CLOCK_WARNING_SECONDS) memory.warned.delete('clock');
	else warnOnce(memory, warn, 'clock', buildClockWarning(gain));
	const [reached] = waiting.map((one) => one.reached).sort();
	const isSure = fetched.every((one) => one.isSure !== false);
	const polled = isSure ? buildPolled(memory.lead, settledAt, reached) : undefined;
	const isDue = isStoreDue(memory, {
		isStored: session.isStored === true || session.mayDiscard === true || items.length > 0,
		hasLeftOut: results.includes(undefined),
		isClockRight: isRightAgain(before, polled),
	});
	const delivery = isDue || items.length > 0 ? [items] : null;
	const own = writeLastChanges(
		plan,
		moved.map(({ claimed, ...one }) => ({
			...one,
			delivered: claimed.filter(({ item }) => item !== undefined),
		})),
	);
	// Another poll may have delivered meanwhile.
	const inDoubt = state.last === last ? own : `${own};${String(state.last)}`;
	const followed = plans.map(({ feed }) => feed.entity);
	const cursors = [
		...(current ?? []),
		...moved.map(({ entity, cursor }) => [entity, cursor] as const),
	].filter(([entity]) => followed.includes(entity));
	store.save(new Map(cursors), {
		polled,
		...(delivery && { items: delivery }),
		...(items.length > 0 && { last: inDoubt }),
	});
	return delivery;
}

export function warnOnce(
	{ warned }: Memory<unknown>,
	warn: Warn,
	about: string,
	message: string,
): void {
	if (!warned.has(about)) warn(message);
	warned.add(about);
}
