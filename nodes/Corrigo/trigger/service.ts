import type { INodeExecutionData } from 'n8n-workflow';

import type { JsonObject } from '../protocol/checks';
import { queryRequest, type QueryExpression } from '../protocol/requests';
import { ServiceClock } from '../transport/clock';
import { send, type SendOptions } from '../transport/send';
import {
	OVERLAP,
	startingAfter,
	startingWith,
	utcText,
	type Cursor,
	type Key,
	type Overlap,
} from './cursor';
import { beginningOf, keyOf, lastBefore, newestOf, type Feed } from './feed';
import type { Hints } from './hints';
import type { Deadline } from './pollDeadline';
import type { Plan } from './plan/plan';
import { finish, itemsOf, marked, type Result } from './records';
import { FEW } from './changeReader';
import type { TriggerContext } from './context';

export type Service = ReturnType<typeof serviceFor>;

/** So many recent items make an example, out of so many rows where some may be filtered out. */
const EXAMPLES = 10;
const EXAMPLE_ROWS = 200;

interface Terms {
	deadline: Deadline;
	/** What to do about a failure, in the words of the node. */
	hints: Hints;
}

export function serviceFor(caller: TriggerContext, plan: Plan, { deadline, hints }: Terms) {
	const clock = new ServiceClock();
	const options: SendOptions = { deadline: deadline.at, hints, onDate: clock.onDate };
	return {
		read: async (expression: QueryExpression): Promise<JsonObject[]> =>
			await send(caller, queryRequest(plan.feed.entity, expression), options),
		finish: async (rows: JsonObject[]): Promise<Array<Result | undefined>> =>
			await finish(caller, plan, rows, options),
		/** Of Corrigo, when the reading began. */
		clock: () => textOf(clock.first),
		/** The same, as it was told last. */
		now: () => textOf(clock.latest),
		mayGoOn: deadline.hasTime,
	};
}

const textOf = (instant?: number): string | undefined =>
	instant === undefined ? undefined : utcText(new Date(instant).toISOString());

export async function firstCursor(plan: Plan, service: Service): Promise<Cursor> {
	const { feed, since, made, deadline } = plan;
	if (deadline !== undefined) return startingAfter(beginningOf(feed));
	if (since === undefined) return await presentCursor(feed, service);
	if (made === undefined) return startingAfter({ time: since, id: 0 });
	const [last] = await service.read(lastBefore(feed, made, since));
	return startingAfter(last === undefined ? beginningOf(feed) : keyOf(feed, last));
}

/**
 * Now, as the service sees it: what is there already is old. That goes for what the filters leave
 * out as well, which they may let through later.
 */
export async function presentCursor(
	{ entity, time, properties }: Feed,
	{ read, clock }: Pick<Service, 'read' | 'clock'>,
	{ overlap, few }: { overlap: Overlap; few: number } = { overlap: OVERLAP, few: FEW },
): Promise<Cursor> {
	const feed: Feed = { entity, time, properties };
	const most = overlap.keys + 1;
	const present: Key[] = [];
	let rows: JsonObject[];
	do {
		const count = most - present.length;
		rows = await read(newestOf(feed, { count, keysOnly: true, skip: present.length }));
		present.push(...rows.map((row) => keyOf(feed, row)));
	} while (rows.length >= few && present.length < most);
	return startingWith(present, beginningOf(feed), overlap, clock());
}

/** The newest changes that fit, as they would be handed out but for their keys. */
export async function recentItems(
	plan: Plan,
	{ read, finish: complete, now }: Service,
): Promise<INodeExecutionData[]> {
	const count = plan.workOrders === undefined ? EXAMPLES : EXAMPLE_ROWS;
	const rows = (await read(newestOf(plan.feed, { count }))).reverse();
	const results = (await complete(rows)).map(
		(result, index) =>
			result &&
			marked(plan, keyOf(plan.feed, rows[index]), result, { clock: now(), kind: 'Test ' }),
	);
	return itemsOf(plan, results).slice(-EXAMPLES);
}
