import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What workflows call at their end, with what they have to tell in the query of the address. */
export class Receiver {
	readonly received: URLSearchParams[] = [];
	private readonly server: Server = createServer((request, response) => {
		const { searchParams } = new URL(request.url ?? '', 'http://localhost');
		this.received.push(searchParams);
		response.setHeader('content-type', 'application/json');
		response.end('{}');
	});

	async open(): Promise<string> {
		this.server.listen(0, '127.0.0.1');
		await once(this.server, 'listening');
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	async close() {
		this.server.closeAllConnections();
		this.server.close();
		await once(this.server, 'close');
	}
}
