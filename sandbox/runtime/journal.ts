export type ServerName = 'token' | 'locator' | 'api' | 'storage';

export interface RecordedRequest {
	server: ServerName;
	method: string;
	path: string;
	query: Record<string, string>;
	/** Names in lower case. */
	headers: Record<string, string>;
	/** The parsed JSON or form fields; the raw text where it is neither. */
	body: unknown;
	rawBody: string;
	/** Milliseconds on the clock of the service. */
	at: number;
	/** The kind of the fault that applied to this request. */
	fault?: string;
	/** Absent until answered, and for good if the connection was broken or left hanging. */
	status?: number;
	answer?: string;
	/** Whether the operation ran, even if the caller did not learn of it. */
	committed: boolean;
}

type Predicate = (request: RecordedRequest) => boolean;

interface Waiter {
	matches: Predicate;
	resolve: (request: RecordedRequest) => void;
	reject: (reason: Error) => void;
}

/** All requests in the order of arrival. */
export class Journal {
	readonly requests: RecordedRequest[] = [];
	private readonly counts = new Map<string, number>();
	private waiters: Waiter[] = [];

	record(request: RecordedRequest): void {
		this.requests.push(request);
		const key = `${request.method} ${request.path}`;
		this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
		const matching = this.waiters.filter(({ matches }) => matches(request));
		this.waiters = this.waiters.filter((waiter) => !matching.includes(waiter));
		for (const { resolve } of matching) resolve(request);
	}

	/** The number of requests by method and path, for example `POST /OAuth/token`. */
	counters(): Record<string, number> {
		return Object.fromEntries(this.counts);
	}

	/** A matching request that has already arrived counts. */
	async waitFor(matches: Predicate): Promise<RecordedRequest> {
		const known = this.requests.find(matches);
		if (known) return known;
		return await new Promise((resolve, reject) => this.waiters.push({ matches, resolve, reject }));
	}

	forget(): void {
		this.requests.length = 0;
		this.counts.clear();
	}

	close(): void {
		for (const { reject } of this.waiters) reject(new Error('The sandbox was closed'));
		this.waiters = [];
	}
}
