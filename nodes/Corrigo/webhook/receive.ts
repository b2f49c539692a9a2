import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { changeHintsIn, type PushedHint } from '../protocol/changeHints';
import { tryJson } from '../protocol/checks';
import { nodeError } from '../trigger/hints';
import { feedEntity, formOf } from '../trigger/plan/form';
import { queueOf } from './coalescingQueue';
import { HINTS, isShuttingDown, newItems, testItems } from './deliver';
import { relevantTo } from './hintCriteria';
import { isSigned, type Message } from './signature';
import { keysIn, signatureCheckOf } from './signatureCheck';
import { signatureReport } from './signatureReport';

const MAX_BODY_BYTES = 1024 * 1024;

/** Corrigo pushes one change at a time, so a body with more records is not from Corrigo. */
const MAX_HINTS = 1000;

/** Some senders label JSON as plain text, or not at all. */
const JSON_TYPE = /^(application\/([\w.-]+\+)?json|text\/(json|plain))\s*(;|$)/i;

/** Starts no execution and sends no response, because the push was answered already. */
const NO_EXECUTION: IWebhookResponseData = { noWebhookResponse: true };

/** Refuses a push with an answer to its sender. */
class RefusedPush extends Error {
	constructor(
		readonly status: number,
		line: string,
	) {
		super(line);
	}
}

export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	return await processPush(this).catch((failure: unknown) => {
		if (!(failure instanceof RefusedPush)) throw nodeError(this, failure, HINTS);
		respond(this, failure.status, failure.message);
		return NO_EXECUTION;
	});
}

async function processPush(caller: IWebhookFunctions): Promise<IWebhookResponseData> {
	const message = await messageOf(caller);
	const isTest = caller.getMode() === 'manual';
	const check = signatureCheckOf(caller);
	if (check !== 'off') {
		const keys = keysIn(await caller.getCredentials('corrigoApi'));
		if (check === 'learn' && isTest) {
			respond(caller, 200, 'Received');
			return { ...NO_EXECUTION, workflowData: [[signatureReport(message, keys)]] };
		}
		if (check === 'learn' || !isSigned(message, check, [...keys.values()])) {
			throw new RefusedPush(401, 'The signature is missing or wrong');
		}
	}
	const hints = relevantTo(feedEntity(formOf(caller)), hintsOf(message));
	const { id } = caller.getWorkflow();
	const queue = queueOf(id, caller.getNode().id);
	if (isShuttingDown(caller)) throw new RefusedPush(503, 'n8n is shutting down');
	// The sender gets an answer before the records are read. Even a refused push lets this call read
	// the waiting ones.
	if (isTest || queue.add(hints)) respond(caller, 200, 'Received');
	else respond(caller, 503, 'Too many records are waiting');
	if (hints.length === 0) return NO_EXECUTION;
	const items = isTest
		? await testItems(caller, hints)
		: await queue.run(async (pushed) => await newItems(caller, queue, pushed));
	return items === undefined || items.length === 0
		? NO_EXECUTION
		: { ...NO_EXECUTION, workflowData: [items] };
}

function respond(caller: IWebhookFunctions, status: number, line: string): void {
	caller
		.getResponseObject()
		.writeHead(status, {
			'Content-Type': 'text/plain; charset=utf-8',
			// n8n closes the connection if the node fails later, so it must not carry other requests.
			Connection: 'close',
		})
		.end(line);
}

/** n8n keeps the body as it arrived in addition to the parsed one. */
interface RawRequest {
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
}

async function messageOf(caller: IWebhookFunctions): Promise<Message> {
	const request: RawRequest = caller.getRequestObject() as unknown as RawRequest;
	const headers = caller.getHeaderData();
	if (!JSON_TYPE.test(headers['content-type'] ?? 'application/json')) {
		throw new RefusedPush(415, 'The body must be JSON, with the Content-Type application/json');
	}
	checkSize(Number(headers['content-length'] ?? 0));
	if (request.rawBody === undefined) await request.readRawBody?.();
	const raw = request.rawBody ?? Buffer.alloc(0);
	checkSize(raw.length);
	return { raw, headers };
}

function checkSize(bytes: number): void {
	if (bytes > MAX_BODY_BYTES) throw new RefusedPush(413, 'The body is larger than 1 MB');
}

function hintsOf({ raw }: Message): PushedHint[] {
	const body = tryJson(raw.toString('utf8').replace(/^\uFEFF/, ''));
	if (!('value' in body)) throw new RefusedPush(400, 'The body is not valid JSON');
	const hints = changeHintsIn(body.value);
	if (hints.length <= MAX_HINTS) return hints;
	throw new RefusedPush(413, `The body names more than ${MAX_HINTS} records`);
}
