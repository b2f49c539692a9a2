import { confirmDoubt, type Memory } from '../memory';
import type { Plan, Service, Session, Strategy } from '../plan';
import { fetchFirstCursor } from '../service';
import { advance, compareKeys, isAhead, resetEdge, startCursor, type Cursor } from '../feed/cursor';
import { buildNewestQuery, pollChanges, readKey, type Found } from '../feed/feed';
import { pollCursor, warnOnce, type Fetched } from './polling';

const WAITING =
	"Too many changes have a date in the future: the farthest ones wait. Is 'Date Field' the time of a change?";

/** Returns the changes after the last poll. */
export const changes: Strategy = {
	watch: async (plan, session) =>
		await pollCursor(plan, session, {
			startsNow: plan.since === undefined,
			fetchFirst: async () => await fetchFirstCursor(plan, session.service),
			fetch: async (cursor, memory) => await fetchChanges(plan, cursor, session, memory),
		}),
	narrowExamples: async (feed) => feed,
};

async function fetchChanges(
	plan: Plan,
	cursor: Cursor,
	{ service, warn }: Session,
	memory: Memory<Cursor>,
): Promise<Fetched> {
	const begunAt = performance.now();
	const found = await pollChanges(plan.feed, cursor, service, plan);
	const { reached } = found;
	const place = await findEarlierPlace(plan, cursor, found, service, (name, newest) =>
		confirmDoubt(memory, name, newest, begunAt),
	);
	if (place === undefined) memory.doubt = undefined;
	else if (place !== cursor) {
		warn(
			plan.feed.time === undefined
				? 'The newest record has a lower ID than before: this trigger goes on from there'
				: 'The state of this trigger was years ahead: it goes on from a few minutes ago',
		);
		return { hasMore: true, isBack: true, move: () => ({ cursor: place, claimed: [] }) };
	}
	if (found.isWaiting) warnOnce(memory, warn, 'waiting', WAITING);
	const progress = {
		clock: service.clock(),
		newestBefore: cursor.newest,
		reached,
		changes: found.changes,
	};
	const move = (current: Cursor) => advance(current, progress);
	return { hasMore: reached !== undefined, waitingSince: reached?.time || undefined, move };
}

/**
 * Returns where the trigger goes back to, `cursor` if a later poll has to confirm that it goes back,
 * or undefined if it goes on.
 */
async function findEarlierPlace(
	{ feed: { entity, time, properties } }: Plan,
	cursor: Cursor,
	{ isEmpty }: Found<unknown>,
	service: Service,
	confirm: (name: string, newest: number) => number | undefined,
): Promise<Cursor | undefined> {
	const clock = service.clock();
	if (clock !== undefined && isAhead(cursor, clock)) {
		const place = resetEdge(cursor, clock);
		if (compareKeys(place.edge, cursor.edge) === 0) return undefined;
		return confirm('ahead', 0) === undefined ? cursor : place;
	}
	if (!isEmpty || time !== undefined) return undefined;
	const all = { entity, time, properties };
	const [newest] = await service.read(buildNewestQuery(all, { count: 1, keysOnly: true }));
	// A table without any record has no place to go back to.
	if (newest === undefined) return undefined;
	const key = readKey(all, newest);
	if (compareKeys(key, cursor.edge) >= 0) return undefined;
	const id = confirm('lower', key.id);
	return id === undefined ? cursor : startCursor({ ...key, id });
}
