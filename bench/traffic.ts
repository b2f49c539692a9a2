import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';

/** Node.js itself publishes these channels, so all contenders are counted alike. */
const STARTED = 'http.client.request.start';
const ANSWERED = 'http.client.response.finish';

export interface Traffic {
	requests: number;
	/** Largest number of requests under way at the same time. */
	mostAtOnce: number;
}

/** Counts the HTTP requests of this process during the work. */
export async function countingTraffic<T>(
	work: () => Promise<T>,
): Promise<{ result: T; traffic: Traffic }> {
	const traffic: Traffic = { requests: 0, mostAtOnce: 0 };
	const underWay = new Set<ClientRequest>();
	const started = (message: unknown) => {
		const { request } = message as { request: ClientRequest };
		traffic.requests += 1;
		underWay.add(request);
		traffic.mostAtOnce = Math.max(traffic.mostAtOnce, underWay.size);
		request.once('close', () => underWay.delete(request));
	};
	const answered = (message: unknown) => {
		const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
		// The request ends here, before its caller continues: the connection closes only later.
		response.prependOnceListener('end', () => underWay.delete(request));
	};
	subscribe(STARTED, started);
	subscribe(ANSWERED, answered);
	try {
		return { result: await work(), traffic };
	} finally {
		unsubscribe(STARTED, started);
		unsubscribe(ANSWERED, answered);
	}
}
