import axios from 'axios';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IHttpRequestHelper, IHttpRequestOptions } from 'n8n-workflow';

export interface Received {
	method?: string;
	path?: string;
	headers: IncomingHttpHeaders;
	body: string;
}

export interface Reply {
	status?: number;
	/** Objects are sent as JSON, texts as HTML. */
	body?: unknown;
	headers?: Record<string, string>;
}

/** A local server that records all requests and answers each with `reply`. */
export async function openServer(reply: (received: Received, count: number) => Reply) {
	let connections = 0;
	const received: Received[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const { method, url: path, headers } = request;
			const one = { method, path, headers, body: Buffer.concat(chunks).toString() };
			received.push(one);
			const { status = 200, body = '', headers: own } = reply(one, received.length);
			const isText = typeof body === 'string';
			response.writeHead(status, {
				'Content-Type': isText ? 'text/html' : 'application/json',
				Connection: 'close',
				...own,
			});
			response.end(isText ? body : JSON.stringify(body));
		});
	});
	server.on('connection', () => (connections += 1));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		received,
		connections: () => connections,
		url: `http://127.0.0.1:${port}`,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** The one helper that n8n gives to a credential, with the options that the session uses. */
export function createHelpers(seen: IHttpRequestOptions[] = []): IHttpRequestHelper['helpers'] {
	return {
		httpRequest: async (options: IHttpRequestOptions) => {
			seen.push(options);
			const { method, url, baseURL, headers, body, timeout } = options;
			const answer = await axios.request<unknown>({
				method,
				url,
				baseURL,
				headers: headers as Record<string, string>,
				data: body,
				timeout,
				proxy: false,
				responseType: options.encoding,
				...(options.disableFollowRedirect ? { maxRedirects: 0 } : {}),
				...(options.ignoreHttpStatusErrors ? { validateStatus: () => true } : {}),
			});
			if (!options.returnFullResponse) return answer.data;
			return { body: answer.data, headers: answer.headers, statusCode: answer.status };
		},
	} as IHttpRequestHelper['helpers'];
}
