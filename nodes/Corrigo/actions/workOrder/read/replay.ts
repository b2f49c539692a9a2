import type { INodeExecutionData } from 'n8n-workflow';

import { limitReading, type Requester } from '../../../records/query';
import { and, atLeast, lessThan, type Criteria } from '../../../wire/criteria';
import {
	addKeys,
	addMs,
	compareTimes,
	startCursor,
	type Cursor,
	type Key,
} from '../../../feed/cursor';
import {
	getBeginning,
	narrowFeed,
	pollChanges,
	type Change,
	type ChangeSource,
	type Feed,
	type Sizes,
} from '../../../feed/feed';
import type { Plan } from '../../../trigger/plan';
import { toItems, createSource } from '../../../trigger/service';

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
	const changes = await fetchWindow(
		window,
		plan.feed,
		createSource(limitReading(requester, 'changes'), plan),
	);
	return toItems(
		plan,
		changes.map(({ item }) => item),
	);
}

/** Reads the whole window as the trigger does, so that both find the same changes. */
export async function fetchWindow<T extends { at?: string }>(
	window: TimeWindow,
	feed: Feed,
	source: Omit<ChangeSource<T>, 'hasTime'>,
	sizes: Omit<Sizes, 'limit'> = {},
): Promise<Array<Change<T>>> {
	const { from, until } = window;
	const bounded = narrowFeed(feed, buildBounds(feed, window));
	const all = { ...sizes, limit: Infinity };
	const changes: Array<Change<T>> = [];
	let rest: Key | undefined = feed.time === undefined ? getBeginning(feed) : { time: from, id: 0 };
	// Much may have been read already, so a page that fails after changes gets a second chance.
	while (rest !== undefined) {
		const known = addKeys(
			[],
			changes.map(({ key }) => key),
		);
		const cursor: Cursor = { ...startCursor(rest), known };
		const found = await pollChanges(bounded, cursor, { ...source, hasTime: () => true }, all);
		changes.push(...found.changes);
		rest = found.reached;
	}
	return changes
		.filter(({ item }) => {
			const { at = '' } = item ?? {};
			return at >= from && (until === undefined || at < until);
		})
		.sort((a, b) => compareTimes(a.key, b.key));
}

/**
 * Conditions compare whole seconds because a database may round fractions. A feed with a time needs
 * no lower bound, because its cursor begins at `from`.
 */
function buildBounds(
	{ time, timestamp = '' }: Feed,
	{ from, until }: TimeWindow,
): Criteria | undefined {
	const conditions = [
		...(time === undefined ? [atLeast(timestamp, from.slice(0, 19))] : []),
		...(until === undefined ? [] : [lessThan(time ?? timestamp, addMs(until, 1000).slice(0, 19))]),
	];
	return conditions.length > 0 ? and(...conditions) : undefined;
}
