import type { INodeExecutionData } from 'n8n-workflow';

import { joinCriteria, and, atLeast, lessThan, type Criteria } from '../wire/criteria';
import type { Requester } from '../records/lookup';
import { pollChanges } from './feed/changeReader';
import { addMs, startCursor, type Key } from './feed/cursor';
import { getBeginning } from './feed/feed';
import { annotate, toItems } from './items';
import type { Change, ChangeSource, Sizes } from './feed/pageReader';
import type { Plan } from './plan/plan';
import { createSource } from './service';

/** Limits changes by their time, which is UTC text as in keys. */
export interface TimeWindow {
	from: string;
	/** The first time that is excluded. */
	until?: string;
}

/** Returns the items that a trigger would have returned for the changes in a window. */
export async function replay(
	requester: Requester,
	plan: Plan,
	window: TimeWindow,
): Promise<INodeExecutionData[]> {
	const changes = await fetchWindow(window, plan, createSource(requester, plan));
	const results = changes.map(({ key, item }) => {
		// A few actions in the log do not belong to a work order.
		const isChange = item !== undefined && !(plan.hasOrderKeys && item.order === undefined);
		return isChange ? annotate(plan, key, item, {}) : undefined;
	});
	return toItems(plan, results);
}

/** Reads the whole window with the trigger's own reader, so that both find the same changes. */
export async function fetchWindow<T extends { at?: string }>(
	window: TimeWindow,
	plan: Pick<Plan, 'feed' | 'timestampProperty'>,
	source: Omit<ChangeSource<T>, 'hasTime'>,
	sizes: Sizes = { limit: Infinity },
): Promise<Array<Change<T>>> {
	const { from, until } = window;
	const { feed } = plan;
	const bounded = { ...feed, criteria: joinCriteria(feed.criteria, buildBounds(plan, window)) };
	const all: Array<Change<T>> = [];
	let reached: Key | undefined =
		feed.time === undefined ? getBeginning(feed) : { time: from, id: 0 };
	while (reached !== undefined) {
		const cursor = startCursor(reached);
		const own = { ...source, hasTime: () => true };
		// If a page failed, reading continues with that page and fails if the page fails again.
		const found = await pollChanges(bounded, cursor, own, sizes);
		for (const change of found.changes) {
			const { at = '' } = change.item ?? {};
			if (at >= from && (until === undefined || at < until)) all.push(change);
		}
		reached = found.reached;
	}
	return all;
}

/**
 * Conditions compare whole seconds because a database may round fractions. A feed with a time needs
 * no lower bound, because its cursor begins at `from`.
 */
function buildBounds(
	{ feed, timestampProperty = '' }: Pick<Plan, 'feed' | 'timestampProperty'>,
	{ from, until }: TimeWindow,
): Criteria | undefined {
	const conditions = [
		...(feed.time === undefined ? [atLeast(timestampProperty, from.slice(0, 19))] : []),
		...(until === undefined
			? []
			: [lessThan(feed.time ?? timestampProperty, addMs(until, 1000).slice(0, 19))]),
	];
	return conditions.length > 0 ? and(...conditions) : undefined;
}
