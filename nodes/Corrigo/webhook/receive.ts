import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { parseChangeNotices, type ChangeNotice } from './changeNotices';
import { tryJson } from '../values/checks';
import { toNodeError } from '../trigger/advice';
import { readFeedEntity, getForm } from '../trigger/plan/form';
import { getQueue } from './coalescingQueue';
import { ADVICE, isShuttingDown, fetchNewItems, fetchTestItems } from './deliver';
import { filterRelevant } from './noticeCriteria';
import { isSigned, type Message } from './signature';
import { getSigningKeys, readSignatureCheck } from './signatureCheck';
import { buildSignatureReport } from './signatureReport';

const MAX_BODY_BYTES = 1024 * 1024;

/** Corrigo pushes one change at a time, so a body with more records is not from Corrigo. */
const MAX_NOTICES = 1000;

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
		if (!(failure instanceof RefusedPush)) throw toNodeError(this, failure, ADVICE);
		respond(this, failure.status, failure.message);
		return NO_EXECUTION;
	});
}

async function processPush(caller: IWebhookFunctions): Promise<IWebhookResponseData> {
	const message = await readMessage(caller);
	const isTest = caller.getMode() === 'manual';
	const check = readSignatureCheck(caller);
	if (check !== 'off') {
		const keys = getSigningKeys(await caller.getCredentials('corrigoApi'));
		if (check === 'learn' && isTest) {
			respond(caller, 200, 'Received');
			return { ...NO_EXECUTION, workflowData: [[buildSignatureReport(message, keys)]] };
		}
		if (check === 'learn' || !isSigned(message, check, [...keys.values()])) {
			throw new RefusedPush(401, 'The signature is missing or wrong');
		}
	}
	const notices = filterRelevant(readFeedEntity(getForm(caller)), readNotices(message));
	const { id } = caller.getWorkflow();
	const queue = getQueue(id, caller.getNode().id);
	if (isShuttingDown(caller)) throw new RefusedPush(503, 'n8n is shutting down');
	// The sender gets an answer before the records are read. Even a refused push lets this call read
	// the waiting ones.
	if (isTest || queue.add(notices)) respond(caller, 200, 'Received');
	else respond(caller, 503, 'Too many records are waiting');
	if (notices.length === 0) return NO_EXECUTION;
	const items = isTest
		? await fetchTestItems(caller, notices)
		: await queue.run(async (pushed) => await fetchNewItems(caller, queue, pushed));
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

async function readMessage(caller: IWebhookFunctions): Promise<Message> {
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

function readNotices({ raw }: Message): ChangeNotice[] {
	const body = tryJson(raw.toString('utf8').replace(/^\uFEFF/, ''));
	if (!('value' in body)) throw new RefusedPush(400, 'The body is not valid JSON');
	const notices = parseChangeNotices(body.value);
	if (notices.length <= MAX_NOTICES) return notices;
	throw new RefusedPush(413, `The body names more than ${MAX_NOTICES} records`);
}
