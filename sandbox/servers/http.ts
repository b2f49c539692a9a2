import findMyWay, { type HTTPMethod } from 'find-my-way';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import type { RecordedRequest } from '../runtime/journal';

export type ReceivedRequest = Omit<RecordedRequest, 'server' | 'at'>;

/** An answer: text and bytes as they are, anything else as JSON. */
export class Answer {
	readonly payload: string | Buffer | Readable;
	readonly headers: Readonly<Record<string, string>>;

	constructor(
		readonly status: number,
		body: unknown,
		headers: Readonly<Record<string, string>> = {},
	) {
		const isPayload = typeof body === 'string' || Buffer.isBuffer(body) || body instanceof Readable;
		const type = isPayload ? 'text/plain' : 'application/json';
		this.payload = isPayload ? body : JSON.stringify(body);
		this.headers = { 'content-type': `${type}; charset=utf-8`, ...headers };
	}
}

/** A connection that is broken, or left open for good, in place of an answer. */
export type NoAnswer = 'reset' | 'hang';

type Params = Record<string, string>;

/** Returns an `Answer`, or what is sent as JSON with status 200. */
type Operation<Request> = (request: Request, params: Params) => unknown;

/** The servers of a sandbox: tests start hundreds, and a whole framework would take 45 ms for each. */
export abstract class HttpServer<Request extends ReceivedRequest = ReceivedRequest> {
	private readonly router = findMyWay({ caseSensitive: false, ignoreDuplicateSlashes: true });
	private readonly server = createServer(
		// Clients keep connections open for longer than the five seconds of Node.js.
		{ keepAliveTimeout: 72_000, requestTimeout: 0 },
		(incoming, response) => {
			// A client that has left gets no answer.
			this.serve(incoming, response).catch(() => response.destroy());
		},
	);

	/** Answers a request; `run` carries it out where its address is known. */
	protected abstract answer(
		received: ReceivedRequest,
		run: ((request: Request) => unknown) | undefined,
	): Promise<Answer | NoAnswer>;

	protected add(methods: HTTPMethod[], path: string, run: Operation<Request>): void {
		this.router.on(methods, path, () => undefined, run);
	}

	async listen(port: number): Promise<string> {
		const { server } = this;
		await new Promise<void>((resolve, reject) => {
			server.once('error', reject).listen(port, '127.0.0.1', resolve);
		});
		return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	}

	async close(): Promise<void> {
		const { server } = this;
		if (!server.listening) return;
		const closed = new Promise((resolve) => server.close(resolve));
		server.closeAllConnections();
		await closed;
	}

	private async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
		const received = await receive(incoming);
		const answer = await this.answer(received, this.findOperation(received));
		if (answer === 'reset') incoming.socket.resetAndDestroy();
		else if (answer !== 'hang') send(answer, response);
	}

	private findOperation({ method, path }: ReceivedRequest) {
		const route = this.router.find(method as HTTPMethod, path);
		if (!route) return undefined;
		const run = route.store as Operation<Request>;
		return (request: Request) => run(request, route.params as Params);
	}
}

async function receive(incoming: IncomingMessage): Promise<ReceivedRequest> {
	const rawBody = await text(incoming);
	const { method = '', url: address = '/', headers } = incoming;
	const url = new URL(`http://sandbox${address}`);
	return {
		method,
		path: url.pathname,
		query: Object.fromEntries(url.searchParams),
		headers: Object.fromEntries(
			Object.entries(headers).map(([key, value]) => [key, String(value)]),
		),
		body: parseBody(rawBody, headers['content-type'] ?? ''),
		rawBody,
		committed: false,
	};
}

function parseBody(rawBody: string, contentType: string): unknown {
	if (contentType.startsWith('application/x-www-form-urlencoded')) {
		return Object.fromEntries(new URLSearchParams(rawBody));
	}
	try {
		return rawBody === '' ? undefined : (JSON.parse(rawBody) as unknown);
	} catch {
		return rawBody;
	}
}

function send({ status, payload, headers }: Answer, response: ServerResponse): void {
	response.statusCode = status;
	for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
	if (payload instanceof Readable) pipeline(payload, response, () => undefined);
	else response.end(payload);
}
