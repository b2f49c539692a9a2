import type { INodeExecutionData } from 'n8n-workflow';

import type { JsonObject } from '../protocol/checks';
import { ANY_LIMIT, isLastPage } from '../protocol/paging';
import { queryRequest, type QueryExpression } from '../protocol/requests';
import { recordsById, type Requester } from '../records/lookup';
import { ServiceClock } from '../transport/clock';
import { send, type SendOptions } from '../transport/send';
import type { TriggerContext } from './context';
import {
	OVERLAP,
	overlapStart,
	startingAfter,
	startingAfterAll,
	utcText,
	type Cursor,
	type Key,
} from './cursor';
import { beginningOf, keyOf, lastBefore, newestOf, type Feed } from './feed';
import type { Hints } from './hints';
import { annotate, complete, itemsOf, type Result } from './items';
import type { Plan } from './plan/plan';
import type { Deadline } from './pollDeadline';

export type Service = ReturnType<typeof serviceFor>;

/** A manual test reads more rows than it shows, because filters may exclude some. */
const MAX_EXAMPLES = 10;
const EXAMPLE_ROWS = 200;

/** Creates the requests that read the rows of a plan and complete their items. */
export const sourceFor = (requester: Requester, plan: Plan) => ({
	read: async (expression: QueryExpression): Promise<JsonObject[]> =>
		await send(requester.caller, queryRequest(plan.feed.entity, expression), requester.sendOptions),
	complete: async (rows: JsonObject[]): Promise<Array<Result | undefined>> =>
		await complete(requester, plan, rows),
});

/**
 * Creates the requests of a trigger. `advice` tells a person what to do about a failure of this
 * node.
 */
export function serviceFor(
	caller: TriggerContext,
	plan: Plan,
	{ deadline, hints }: { deadline: Deadline; hints: Hints },
) {
	const clock = new ServiceClock();
	const sendOptions: SendOptions = { deadline: deadline.at, hints, onDate: clock.onDate };
	return {
		...sourceFor({ caller, sendOptions }, plan),
		/** Reads the records with these IDs that pass the filters. */
		find: async (ids: number[]): Promise<Map<number, JsonObject>> => {
			const { entity, properties, criteria: where, distinct } = plan.feed;
			return await recordsById({ caller, sendOptions }, entity, ids, {
				properties,
				where,
				distinct,
			});
		},
		/** Returns Corrigo's clock in its first answer. */
		clock: () => clockText(clock.first),
		/** Returns Corrigo's clock in its latest answer. */
		now: () => clockText(clock.latest),
		hasTime: deadline.hasTime,
	};
}

const clockText = (instant?: number): string | undefined =>
	instant === undefined ? undefined : utcText(new Date(instant).toISOString());

export async function firstCursor(plan: Plan, service: Service): Promise<Cursor> {
	const { feed, since, timestampProperty, deadlineRule } = plan;
	if (deadlineRule !== undefined) return startingAfter(beginningOf(feed));
	if (since === undefined) return await presentCursor(feed, service);
	if (timestampProperty === undefined) return startingAfter({ time: since, id: 0 });
	const [last] = await service.read(lastBefore(feed, timestampProperty, since));
	return startingAfter(last === undefined ? beginningOf(feed) : keyOf(feed, last));
}

/**
 * Creates a cursor that treats the changes of the last minutes as new, by Corrigo's clock. If rows
 * have no time, the last IDs are new instead.
 */
export async function recentCursor(plan: Plan, service: Service): Promise<Cursor> {
	const { entity, time, properties } = plan.feed;
	const feed: Feed = { entity, time, properties };
	const [newest] = await service.read(newestOf(feed, { count: 1, keysOnly: true }));
	const clock = service.clock();
	if (clock !== undefined && (time ?? plan.timestampProperty) !== undefined) {
		const since = overlapStart({ time: clock, id: 0 }).time;
		return await firstCursor({ ...plan, since }, service);
	}
	return startingAfter(newest ? overlapStart(keyOf(feed, newest)) : beginningOf(feed));
}

/**
 * Creates a cursor that treats all rows of the entity as old, including those that the filters
 * exclude, because filters may be widened later.
 */
export async function presentCursor(
	{ entity, time, properties }: Feed,
	{ read, clock }: Pick<Service, 'read' | 'clock'>,
	{ overlap, limits } = { overlap: OVERLAP, limits: ANY_LIMIT },
): Promise<Cursor> {
	const feed: Feed = { entity, time, properties };
	const wanted = overlap.keys + 1;
	const present: Key[] = [];
	let isEnd = false;
	while (!isEnd && present.length < wanted) {
		const count = wanted - present.length;
		const rows = await read(newestOf(feed, { count, keysOnly: true, skip: present.length }));
		present.push(...rows.map((row) => keyOf(feed, row)));
		isEnd = isLastPage(rows.length, count, limits);
	}
	return startingAfterAll(present, beginningOf(feed), overlap, clock());
}

/**
 * Returns the newest items, whether they were delivered or not. Their ChangeKeys differ from those
 * of real changes.
 */
export async function recentItems(plan: Plan, service: Service): Promise<INodeExecutionData[]> {
	const count = plan.orders === undefined ? MAX_EXAMPLES : EXAMPLE_ROWS;
	const rows = (await service.read(newestOf(plan.feed, { count }))).reverse();
	const results = await service.complete(rows);
	const about = { clock: service.now(), prefix: 'Test ' };
	const annotated = results.map(
		(result, index) => result && annotate(plan, keyOf(plan.feed, rows[index]), result, about),
	);
	return itemsOf(plan, annotated).slice(-MAX_EXAMPLES);
}
