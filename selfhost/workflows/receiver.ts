import { once } from 'node:events';
import { createServer } from 'node:http';

import { listen, LOOPBACK } from '../process/loopback';

/** A server that keeps the query parameters of requests that workflows send. */
export class Receiver {
	readonly received: URLSearchParams[] = [];
	/** Requests that are not answered, so that the workflow waits. */
	isHeld: (query: URLSearchParams) => boolean = () => false;
	private readonly server = createServer((request, response) => {
		const { searchParams } = new URL(request.url ?? '', 'http://localhost');
		this.received.push(searchParams);
		if (this.isHeld(searchParams)) return;
		response.setHeader('content-type', 'application/json');
		response.end('{}');
	});

	async open(): Promise<string> {
		return `http://${LOOPBACK}:${await listen(this.server)}`;
	}

	async close() {
		this.server.closeAllConnections();
		this.server.close();
		await once(this.server, 'close');
	}

	/** IDs of the records that arrived by a route, in the order of their arrival. */
	ids(route: string): number[] {
		return this.received
			.filter((query) => query.get('route') === route)
			.map((query) => Number(query.get('id')));
	}

	/** Changes that a webhook trigger reported, such as `52001-Create`. */
	changes(): string[] {
		return this.received.flatMap((query) => query.get('change') ?? []);
	}
}
