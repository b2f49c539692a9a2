import { and, atMost } from '../../wire/criteria';
import { getSecond, startCursor, type Cursor } from '../changes/cursor';
import { buildNewestQuery, getBeginning, narrowFeed } from '../changes/feed';
import { pollCursor, type Fetched } from '../cursorPoll';
import type { Plan } from '../plan/plan';
import type { Service } from '../service';
import type { Session } from '../session';
import { commit, getWindow, pollDeadlines, type DeadlinePlan } from './deadlines';

/** Returns the deadlines that have passed since the last poll. */
export const watchDeadlines = async (plan: DeadlinePlan & Plan, session: Session) =>
	await pollCursor(plan, session, {
		startsNow: false,
		fetchFirst: async () => startCursor(getBeginning(plan.feed)),
		fetch: async (cursor) => await fetchDeadlines(plan, cursor, session),
	});

async function fetchDeadlines(
	plan: DeadlinePlan & Plan,
	cursor: Cursor,
	{ service, warn }: Session,
): Promise<Fetched> {
	const found = await pollDeadlines(plan.feed, cursor, service, plan.rule, plan);
	const { changes, window, tooOld, hasMore } = found;
	if (tooOld > 0) {
		warn(
			`${tooOld} or more deadlines of ${getSecond(window.after)} UTC and before are left out, as they are older than 'Oldest (Hours)'`,
		);
	}
	const move = (current: Cursor) => commit(current, { window, changes });
	return { hasMore, move };
}

/** Leaves out deadlines that have not passed, for a manual test. */
export async function narrowToPassed<P extends DeadlinePlan & Plan>(
	plan: P,
	service: Service,
): Promise<P> {
	const { feed, rule } = plan;
	// Only an answer tells Corrigo's clock.
	await service.read(buildNewestQuery(feed, { count: 1 }));
	const { until } = getWindow(service.clock(), rule);
	return { ...plan, feed: narrowFeed(feed, and(atMost(String(feed.time), getSecond(until)))) };
}
