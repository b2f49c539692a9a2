import { newConnection } from '../process/loopback';

const RESPONSE_TIMEOUT_MS = 120_000;

export interface LoadResponse {
	/** External number of the work order. */
	number: string;
	status: number;
	body: string;
}

export interface LoadOptions {
	url: string;
	requests: number;
	concurrency: number;
	/** Events by the number of responses before them. */
	events: ReadonlyMap<number, () => unknown>;
}

async function postRequest(url: string, number: string): Promise<LoadResponse> {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...newConnection },
		body: JSON.stringify({ number }),
		signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
	});
	return { number, status: response.status, body: await response.text() };
}

/** Sends the requests with the given concurrency. */
export async function sendRequests({
	url,
	requests,
	concurrency,
	events,
}: LoadOptions): Promise<LoadResponse[]> {
	const responses: LoadResponse[] = [];
	let sent = 0;
	const worker = async () => {
		while (sent < requests) {
			const response = await postRequest(url, `Q-${++sent}`);
			await events.get(responses.push(response))?.();
		}
	};
	await Promise.all(Array.from({ length: concurrency }, worker));
	return responses;
}
