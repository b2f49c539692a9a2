import type { INodeExecutionData } from 'n8n-workflow';

import { buildLagWarning, getMaxLag, LAG_WARNING_SECONDS, toItems } from '../items';
import { notePolled, type Memory } from '../memory';
import type { Plan, Result, Session, Warn } from '../plan';
import { continueCursor, createCursorCodec, openStore } from '../state';
import type { Cursor } from '../feed/cursor';
import type { Change } from '../feed/feed';

const STATE_DISCARDED =
	"The stored state of this trigger belongs to other settings or cannot be read: it starts over at 'Start From'";

/** A poll has read these changes, which are not claimed yet. */
export interface Fetched {
	hasMore: boolean;
	waitingSince?: string;
	/** True if the trigger goes back, against what this process remembers. */
	isBack?: boolean;
	/** Moves the latest cursor, and returns the changes that are still to be delivered. */
	move: (current: Cursor) => { cursor: Cursor; claimed: Array<Change<Result>> };
}

/** The strategies that keep a cursor differ in these parts. */
interface CursorStrategy {
	/** True if all that exists at the first poll is old. */
	startsNow: boolean;
	/** Returns undefined if the start has not come yet. */
	fetchFirst: () => Promise<Cursor | undefined>;
	fetch: (cursor: Cursor, memory: Memory<Cursor>) => Promise<Fetched>;
}

/** Reads what comes after the stored cursor, and stores the cursor after that. */
export async function pollCursor(
	plan: Plan,
	session: Session,
	{ startsNow, fetchFirst, fetch }: CursorStrategy,
): Promise<INodeExecutionData[][] | null> {
	const { service, warn } = session;
	const codec = createCursorCodec(plan.feed.time !== undefined);
	const store = openStore(session, plan, codec);
	const { memory } = store;
	const stored = store.read(warn);
	if (stored === undefined && !store.isEmpty()) warn(STATE_DISCARDED);
	const start = stored ?? (await fetchFirst());
	if (start === undefined) return null;
	const more = () => ({ kind: plan.kind, polled: memory.polled });
	if (stored === undefined && startsNow) {
		// Two first polls may overlap; the one that finishes first decides which changes are old.
		if (store.isSuperseded() || store.read() !== undefined) return null;
		notePolled(memory, service.clock());
		store.save(start, { isTaken: true, ...more() });
		return null;
	}
	const cursor = continueCursor(start, store, plan.kind);
	const { hasMore, waitingSince, isBack, move } = await fetch(cursor, memory);
	// Nothing is awaited from here on, so an overlapping poll sees all of the new state or none.
	if (store.isSuperseded()) return null;
	const current = store.read();
	const moved = move(current === undefined ? cursor : continueCursor(current, store, plan.kind));
	const results = moved.claimed.map(({ item }) => item);
	const items = toItems(plan, results, { clock: service.now() });
	const lag = getMaxLag([...results, { at: waitingSince }], service.now());
	if (lag <= LAG_WARNING_SECONDS) memory.warned.delete('lag');
	else warnOnce(memory, warn, 'lag', buildLagWarning(lag, hasMore));
	notePolled(memory, service.clock());
	if (items.length === 0) {
		store.save(moved.cursor, { isTaken: isBack, ...more() });
		return null;
	}
	const delivery = [items];
	const before = JSON.stringify(codec.write(cursor));
	store.save(moved.cursor, { items: delivery, before, ...more() });
	return delivery;
}

export function warnOnce(
	{ warned }: Memory<Cursor>,
	warn: Warn,
	about: string,
	message: string,
): void {
	if (!warned.has(about)) warn(message);
	warned.add(about);
}
