import { queryRequest } from '../protocol/requests';
import type { Requester } from '../records/lookup';
import { send } from '../transport/send';
import { newestOf, type Feed } from './feed';

/** Any answer tells the time of Corrigo: this is the smallest one. */
export const askTime = async ({ caller, sendOptions }: Requester, feed: Feed) =>
	await send(
		caller,
		queryRequest(feed.entity, newestOf(feed, { count: 1, keysOnly: true })),
		sendOptions,
	);
