import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

import { ServiceError } from '../errors';
import { commits, type Fault } from '../runtime/faults';
import type { RecordedRequest, ServerName } from '../runtime/journal';
import type { World } from '../runtime/world';
import { isJsonObject, member } from '../shapes';

interface Exchange {
	record: RecordedRequest;
	fault?: Fault;
}

declare module 'fastify' {
	interface FastifyRequest {
		exchange: Exchange;
	}
}

const HTML =
	'<!DOCTYPE html><html><head><title>Error</title></head><body>Bad gateway</body></html>';
const UPLOAD_LIMIT = 64 * 1024 * 1024;

/** A server that records every request, applies faults and answers with the errors of the service. */
export function createServer(world: World, name: ServerName): FastifyInstance {
	const app = plainServer();
	app.decorateRequest('exchange');
	app.addHook('preHandler', async (request, reply) => {
		const record = recordedRequest(world, name, request);
		request.exchange = { record, fault: world.faults.takeFor(record) };
		record.fault = request.exchange.fault?.kind;
		world.journal.record(record);
		if (world.settings.latencyMs > 0)
			await delay(world.settings.latencyMs, undefined, { ref: false });
		return replaceOperation(request, reply);
	});
	app.addHook('onSend', async (request, reply, payload) => {
		if (!request.exchange) return payload;
		// Tests may set the clock of the service far from that of this machine.
		if (!reply.hasHeader('date')) {
			void reply.header('date', new Date(world.clock.now()).toUTCString());
		}
		return spoilAnswer(request, reply, payload as string | Buffer | null);
	});
	app.setErrorHandler((error, request, reply) =>
		answerError(world, error as Error, request, reply),
	);
	app.setNotFoundHandler(async (request, reply) => {
		await reply.code(404).send({ Message: `No HTTP resource was found for '${request.url}'.` });
	});
	return app;
}

/** Bodies stay text, so that they are recorded as sent and the service reports malformed ones. */
export function plainServer(): FastifyInstance {
	const app = fastify({
		forceCloseConnections: true,
		bodyLimit: UPLOAD_LIMIT,
		exposeHeadRoutes: false,
		routerOptions: { caseSensitive: false },
		rewriteUrl: ({ url = '/' }) => url.replace(/^\/{2,}/, '/'),
	});
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
	return app;
}

export async function listen(app: FastifyInstance, port: number): Promise<string> {
	await app.listen({ host: '127.0.0.1', port });
	return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

/** Marks the operation as carried out; the caller may or may not receive the answer. */
export function commit<Answer>(request: FastifyRequest, answer: Answer): Answer {
	request.exchange.record.committed = true;
	return answer;
}

function recordedRequest(
	world: World,
	server: ServerName,
	request: FastifyRequest,
): RecordedRequest {
	const url = new URL(`http://sandbox${request.originalUrl}`);
	const rawBody = typeof request.body === 'string' ? request.body : '';
	return {
		server,
		method: request.method,
		path: url.pathname,
		query: Object.fromEntries(url.searchParams),
		headers: Object.fromEntries(
			Object.entries(request.headers).map(([key, value]) => [key, String(value)]),
		),
		body: parseBody(rawBody, request.headers['content-type'] ?? ''),
		rawBody,
		at: world.clock.now(),
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

/** Applies a fault that takes the place of the operation. */
function replaceOperation(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
	const { fault } = request.exchange;
	if (!fault || commits(fault)) return undefined;
	switch (fault.kind) {
		case 'resetBefore':
			request.raw.socket.resetAndDestroy();
			return reply.hijack();
		case 'hang':
			return reply.hijack();
		default:
			return sendFault(reply, fault);
	}
}

function sendFault(reply: FastifyReply, fault: Fault): FastifyReply {
	void reply.headers(fault.headers ?? {});
	if (fault.kind === 'html') {
		return reply
			.code(fault.status ?? 502)
			.type('text/html')
			.send(fault.body ?? HTML);
	}
	return reply.code(fault.status ?? 500).send(fault.body ?? '');
}

async function spoilAnswer(
	request: FastifyRequest,
	reply: FastifyReply,
	payload: string | Buffer | null,
): Promise<string | Buffer | Readable | null> {
	const { record, fault } = request.exchange;
	if (fault?.kind === 'resetAfter' || (fault?.kind === 'hang' && commits(fault))) {
		if (fault.kind === 'resetAfter') request.raw.socket.resetAndDestroy();
		return await new Promise(() => undefined);
	}
	const sent = fault && commits(fault) ? spoiledPayload(fault, reply, payload) : payload;
	record.status = reply.statusCode;
	record.answer = typeof sent === 'string' ? sent : undefined;
	return sent;
}

function spoiledPayload(fault: Fault, reply: FastifyReply, payload: string | Buffer | null) {
	void reply.headers(fault.headers ?? {}).removeHeader('content-length');
	const text = String(payload ?? '');
	switch (fault.kind) {
		case 'drip':
			return Readable.from(endlessBlanks());
		case 'empty':
			return '';
		case 'truncated':
			return text.slice(0, Math.floor(text.length / 2));
		case 'wrongShape':
			return JSON.stringify(fault.body === undefined ? { Unexpected: [] } : fault.body);
		case 'html':
			void reply.code(fault.status ?? 502).type('text/html');
			return typeof fault.body === 'string' ? fault.body : HTML;
		default:
			void reply.code(fault.status ?? 500);
			return typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body ?? '');
	}
}

/** Blanks may precede any JSON, so a client that waits for the end of the answer waits for ever. */
async function* endlessBlanks(): AsyncGenerator<string> {
	for (;;) {
		yield ' ';
		await delay(10, undefined, { ref: false });
	}
}

function answerError(world: World, error: Error, request: FastifyRequest, reply: FastifyReply) {
	const known = error instanceof ServiceError;
	const body = request.exchange?.record.body;
	const requestId =
		(isJsonObject(body) ? member(body, 'RequestId') : undefined) ??
		member(request.exchange?.record.query ?? {}, 'requestId');
	return reply.code(known ? error.status : 500).send({
		ErrorMessage: error.message,
		ErrorCode: known ? error.code : 'UNHANDLED_EXCEPTION',
		TimeStamp: world.clock.stamp().utc,
		...(isRequestId(requestId) ? { RequestId: String(requestId) } : {}),
	});
}

const isRequestId = (value: unknown): value is string | number =>
	typeof value === 'string' || typeof value === 'number';
