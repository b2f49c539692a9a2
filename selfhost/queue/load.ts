const LONGEST_ANSWER_MS = 120_000;

export interface Answer {
	/** The external number that was asked for. */
	number: string;
	status: number;
	body: string;
}

export interface LoadOptions {
	url: string;
	requests: number;
	atOnce: number;
	/** What is to happen when so many answers have come. */
	events: ReadonlyMap<number, () => unknown>;
}

async function ask(url: string, number: string): Promise<Answer> {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ number }),
		signal: AbortSignal.timeout(LONGEST_ANSWER_MS),
	});
	return { number, status: response.status, body: await response.text() };
}

/** Sends the requests, so many at a time, each as soon as there is room for it. */
export async function load({ url, requests, atOnce, events }: LoadOptions): Promise<Answer[]> {
	const answers: Answer[] = [];
	let sent = 0;
	const lane = async () => {
		while (sent < requests) {
			const answer = await ask(url, `Q-${++sent}`);
			await events.get(answers.push(answer))?.();
		}
	};
	await Promise.all(Array.from({ length: atOnce }, lane));
	return answers;
}
