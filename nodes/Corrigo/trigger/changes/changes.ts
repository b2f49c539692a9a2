import type { INodeExecutionData } from 'n8n-workflow';

import { advance, compareKeys, lowerEdge, startCursor, type Cursor } from '../../feed/cursor';
import { writeLast } from '../../feed/cursorText';
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
import type { Plan, Service, PollSession, Strategy, Result, Warn } from '../plan';
import {
	buildLagWarning,
	getLag,
	getMaxLag,
	LAG_WARNING_SECONDS,
	toItems,
	toResults,
} from '../service';
import { confirmDoubt, isStoreDue, openCursorStore, type Memory } from '../state';

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
			fetchFirst: async () => await fetchFirstCursor(plan, session.service),
			fetch: async (cursor, ...known) => await fetchChanges(plan, cursor, session, ...known),
		}),
};

async function fetchChanges(
	plan: Plan,
	cursor: Cursor,
	{ service, warn }: PollSession,
	memory: Memory<Cursor>,
	polled?: Polled,
): Promise<Fetched> {
	const begunAt = performance.now();
	const found = await pollChanges(plan.feed, cursor, service, plan);
	const { reached, isEmpty } = found;
	const read = { isEmpty, begunAt, polled };
	const place = await findLowerPlace(plan, cursor, { service, warn }, memory, read);
	if (place !== undefined) {
		const reached = place.edge.time || undefined;
		return { hasMore: true, reached, move: () => ({ cursor: place, claimed: [] }) };
	}
	if (found.isWaiting) warnOnce(memory, warn, 'waiting', WAITING);
	// An empty answer proves nothing, as what was delivered usually comes again.
	const newestBefore = isEmpty ? cursor.edge : cursor.newest;
	const isSure = !isEmpty || memory.foundBy !== plan.kind;
	memory.foundBy = isEmpty ? undefined : plan.kind;
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
	memory: Memory<Cursor>,
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
	const [newest] = await service.read(buildNewestQuery(all, { count: 1, keysOnly: true }));
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

/** The strategies that keep a cursor differ in these parts. */
interface CursorStrategy {
	/** True if all that exists at the first poll is old. */
	startsNow: boolean;
	/** Returns undefined if the start has not come yet. */
	fetchFirst: () => Promise<Cursor | undefined>;
	fetch: (cursor: Cursor, memory: Memory<Cursor>, polled?: Polled) => Promise<Fetched>;
}

/** Reads what comes after the stored cursor, and stores the cursor after that. */
export async function pollCursor(
	plan: Plan,
	session: PollSession,
	{ startsNow, fetchFirst, fetch }: CursorStrategy,
): Promise<INodeExecutionData[][] | null> {
	const { service, warn } = session;
	const store = openCursorStore(session, plan);
	const { memory, state } = store;
	const stored = store.read(warn);
	const { last } = state;
	const cursor = stored ?? (await fetchFirst());
	if (cursor === undefined) return null;
	if (stored === undefined && startsNow) {
		// Two first polls may overlap; the one that finishes first decides which changes are old.
		if (store.isSuperseded() || store.read() !== undefined) return null;
		const clock = trustClock(memory, service);
		store.save(cursor, { polled: buildPolled(memory.lead, clock) });
		return null;
	}
	const before = store.getPolled();
	const { hasMore, isSure = true, reached, move } = await fetch(cursor, memory, before);
	// Nothing is awaited from here on, so an overlapping poll sees all of the new state or none.
	if (store.isSuperseded()) return null;
	const settledAt = trustClock(memory, service);
	const moved = move(store.read() ?? cursor, settledAt);
	const results = toResults(moved.claimed);
	const items = toItems(plan, results, { clock: service.now() });
	const lag = getMaxLag([...results, { at: reached }], service.now());
	if (lag <= LAG_WARNING_SECONDS) memory.warned.delete('lag');
	else warnOnce(memory, warn, 'lag', buildLagWarning(lag, hasMore));
	const gain = getLag(settledAt, service.clock()) ?? 0;
	if (gain <= CLOCK_WARNING_SECONDS) memory.warned.delete('clock');
	else warnOnce(memory, warn, 'clock', buildClockWarning(gain));
	const polled = isSure ? buildPolled(memory.lead, settledAt, reached) : undefined;
	const isDue = isStoreDue(memory, {
		isStored: session.isStored === true || session.mayDiscard === true || items.length > 0,
		hasLeftOut: results.includes(undefined),
		isClockRight: isRightAgain(before, polled),
	});
	const delivery = isDue || items.length > 0 ? [items] : null;
	const own = writeLast(
		moved.cursor,
		moved.claimed.filter(({ item }) => item !== undefined),
	);
	// Another poll may have delivered meanwhile.
	const inDoubt = state.last === last ? own : `${own};${String(state.last)}`;
	store.save(moved.cursor, {
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
