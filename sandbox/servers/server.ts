import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

import { ServiceError } from '../errors';
import { commits, type Fault } from '../runtime/faults';
import type { RecordedRequest, ServerName } from '../runtime/journal';
import type { World } from '../runtime/world';
import { isJsonObject, member } from '../shapes';
import { Answer, HttpServer, type NoAnswer, type ReceivedRequest } from './http';

const HTML =
	'<!DOCTYPE html><html><head><title>Error</title></head><body>Bad gateway</body></html>';

/** A server that records every request, applies faults and answers with the errors of the service. */
export abstract class ServiceServer extends HttpServer<RecordedRequest> {
	protected constructor(
		protected readonly world: World,
		private readonly name: ServerName,
	) {
		super();
	}

	/** Rejects a request before its address is looked at. */
	protected authorize?(record: RecordedRequest): void;

	protected async answer(
		received: ReceivedRequest,
		run: ((record: RecordedRequest) => unknown) | undefined,
	): Promise<Answer | NoAnswer> {
		const { world } = this;
		const record = { ...received, server: this.name, at: world.clock.now() };
		const fault = world.faults.take(record);
		if (fault) record.fault = fault.kind;
		world.journal.record(record);
		if (world.settings.latencyMs > 0)
			await delay(world.settings.latencyMs, undefined, { ref: false });
		const isCarriedOut = !fault || commits(fault);
		const answer = isCarriedOut ? await this.carryOut(record, run) : replacement(fault);
		if (fault?.kind === 'resetBefore' || fault?.kind === 'resetAfter') return 'reset';
		if (fault?.kind === 'hang') return 'hang';
		return this.recorded(record, fault ? spoil(answer, fault) : answer);
	}

	private async carryOut(
		record: RecordedRequest,
		run: ((record: RecordedRequest) => unknown) | undefined,
	): Promise<Answer> {
		try {
			this.authorize?.(record);
			if (!run) {
				const Message = `No HTTP resource was found for '${record.path}'.`;
				return new Answer(404, { Message });
			}
			const answer = await run(record);
			return answer instanceof Answer ? answer : new Answer(200, answer);
		} catch (error) {
			return errorAnswer(this.world, error as Error, record);
		}
	}

	private recorded(record: RecordedRequest, { status, payload, headers }: Answer): Answer {
		record.status = status;
		record.answer = typeof payload === 'string' ? payload : undefined;
		// Tests may set the clock of the service far from that of this machine.
		const date = new Date(this.world.clock.now()).toUTCString();
		return new Answer(status, payload, { date, ...headers });
	}
}

/** Marks the operation as carried out; the caller may or may not receive the answer. */
export function commit<Result>(record: RecordedRequest, result: Result): Result {
	record.committed = true;
	return result;
}

/** The answer of a fault that takes the place of the operation. */
function replacement({ kind, status, body, headers }: Fault): Answer {
	if (kind !== 'html') return new Answer(status ?? 500, body ?? '', headers);
	return new Answer(status ?? 502, body ?? HTML, { ...headers, 'content-type': 'text/html' });
}

/** The answer of an operation, as a fault leaves it. */
function spoil(answer: Answer, fault: Fault): Answer {
	const headers = { ...answer.headers, ...fault.headers };
	const { status, payload } = answer;
	switch (fault.kind) {
		case 'drip':
			return new Answer(status, Readable.from(endlessBlanks()), headers);
		case 'empty':
			return new Answer(status, '', headers);
		case 'truncated': {
			const text = String(payload);
			return new Answer(status, text.slice(0, Math.floor(text.length / 2)), headers);
		}
		case 'wrongShape': {
			const body = fault.body === undefined ? { Unexpected: [] } : fault.body;
			return new Answer(status, JSON.stringify(body), headers);
		}
		default:
			return replacement({ ...fault, headers });
	}
}

/** Blanks may precede any JSON, so a client that waits for the end of the answer waits for ever. */
async function* endlessBlanks(): AsyncGenerator<string> {
	for (;;) {
		yield ' ';
		await delay(10, undefined, { ref: false });
	}
}

function errorAnswer(world: World, error: Error, { body, query }: RecordedRequest): Answer {
	const known = error instanceof ServiceError;
	const requestId =
		(isJsonObject(body) ? member(body, 'RequestId') : undefined) ?? member(query, 'requestId');
	return new Answer(known ? error.status : 500, {
		ErrorMessage: error.message,
		ErrorCode: known ? error.code : 'UNHANDLED_EXCEPTION',
		TimeStamp: world.clock.stamp().utc,
		...(isRequestId(requestId) ? { RequestId: String(requestId) } : {}),
	});
}

const isRequestId = (value: unknown): value is string | number =>
	typeof value === 'string' || typeof value === 'number';
