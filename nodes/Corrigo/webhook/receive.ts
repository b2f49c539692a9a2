import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { tryJson } from '../protocol/checks';
import { changeHintsIn, type ChangeHint } from '../protocol/changeHints';
import { nodeError } from '../trigger/hints';
import { feedEntity, formOf } from '../trigger/plan/form';
import { deliver, HINTS, showNewest } from './deliver';
import { queueOf } from './coalescingQueue';
import { signatureReport } from './signatureReport';
import { relevantTo } from './hintCriteria';
import { isSigned, type Message } from './signature';
import { keysIn, signatureCheckOf } from './signatureCheck';

const MAX_BODY = 1024 * 1024;

/** More than this are not pushed by a service that tells of one change at a time. */
const MAX_NUDGES = 1000;

/** How a JSON text may be labelled; some senders label it as plain text, or not at all. */
const JSON_TYPE = /^\s*(application\/([\w.-]+\+)?json|text\/(json|plain))\s*(;|$)/i;

/** Starts nothing, and says nothing beyond what was answered already. */
const NOTHING: IWebhookResponseData = { noWebhookResponse: true };

/** A push that is not taken in, and what its sender is told. */
class NotTaken extends Error {
	constructor(
		readonly status: number,
		line: string,
	) {
		super(line);
	}
}

export async function receive(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	return await received(this).catch((failure: unknown) => {
		if (!(failure instanceof NotTaken)) throw nodeError(this, failure, HINTS);
		answer(this, failure.status, failure.message);
		return NOTHING;
	});
}

async function received(caller: IWebhookFunctions): Promise<IWebhookResponseData> {
	const message = await messageOf(caller);
	const isTest = caller.getMode() === 'manual';
	const check = signatureCheckOf(caller);
	if (check !== 'off') {
		const keys = keysIn(await caller.getCredentials('corrigoApi'));
		if (check === 'learn' && isTest) {
			answer(caller, 200, 'Received');
			return { ...NOTHING, workflowData: [[signatureReport(message, keys)]] };
		}
		if (check === 'learn' || !isSigned(message, check, [...keys.values()])) {
			throw new NotTaken(401, 'The signature is missing or wrong');
		}
	}
	const hints = relevantTo(feedEntity(formOf(caller)), nudgesOf(message));
	const { id } = caller.getWorkflow();
	const queue = queueOf(id, caller.getNode().id);
	if (!isTest && !queue.add(hints)) throw new NotTaken(429, 'Too many records are waiting');
	// The sender need not wait for what is read on account of it.
	answer(caller, 200, 'Received');
	if (hints.length === 0) return NOTHING;
	const items = isTest
		? await showNewest(caller, hints)
		: await queue.pass(async (waiting) => await deliver(caller, queue, waiting));
	return items === undefined || items.length === 0
		? NOTHING
		: { ...NOTHING, workflowData: [items] };
}

function answer(caller: IWebhookFunctions, status: number, line: string): void {
	caller
		.getResponseObject()
		.writeHead(status, {
			'Content-Type': 'text/plain; charset=utf-8',
			// n8n breaks the connection off if the node fails later on: nothing else must travel on it.
			Connection: 'close',
		})
		.end(line);
}

/** As n8n keeps it next to what it has made of it. */
interface Raw {
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
}

async function messageOf(caller: IWebhookFunctions): Promise<Message> {
	const request: Raw = caller.getRequestObject() as unknown as Raw;
	const headers = caller.getHeaderData();
	if (!JSON_TYPE.test(headers['content-type'] ?? 'application/json')) {
		throw new NotTaken(415, 'The body must be JSON, with the Content-Type application/json');
	}
	mustFit(Number(headers['content-length'] ?? 0));
	if (request.rawBody === undefined) await request.readRawBody?.();
	const raw = request.rawBody ?? Buffer.alloc(0);
	mustFit(raw.length);
	return { raw, headers };
}

function mustFit(bytes: number): void {
	if (bytes > MAX_BODY) throw new NotTaken(413, 'The body is larger than 1 MB');
}

function nudgesOf({ raw }: Message): ChangeHint[] {
	const body = tryJson(raw.toString('utf8').replace(/^\uFEFF/, ''));
	if (!('value' in body)) throw new NotTaken(400, 'The body is not valid JSON');
	const hints = changeHintsIn(body.value);
	if (hints.length <= MAX_NUDGES) return hints;
	throw new NotTaken(413, `The body names more than ${MAX_NUDGES} records`);
}
