import { buildQueryRequest } from '../../wire/requests';
import type { Requester } from '../../records/lookup';
import type { ServiceClock } from '../../transport/clock';
import { send } from '../../transport/send';
import { buildNewestQuery, type Feed } from './feed';

/** Asks Corrigo for its time if the plan depends on it and no recent answer has shown it. */
export async function readWithServiceTime<Plan extends { feed: Feed }>(
	requester: Requester,
	clock: ServiceClock,
	read: (now: () => number) => Promise<Plan>,
): Promise<Plan> {
	let isGuess = false;
	const now = () => {
		isGuess = !clock.isKnown;
		return clock.now();
	};
	const plan = await read(now);
	if (!isGuess) return plan;
	await askTime(requester, plan.feed);
	return await read(now);
}

/** Every answer carries Corrigo's time, so the smallest possible query is sent. */
const askTime = async ({ caller, sendOptions }: Requester, feed: Feed) =>
	await send(
		caller,
		buildQueryRequest(feed.entity, buildNewestQuery(feed, { count: 1, keysOnly: true })),
		sendOptions,
	);
