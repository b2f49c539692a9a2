import { randomUUID } from 'node:crypto';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { MOST_REQUESTS } from '../descriptions/options';
import { isObject, type JsonObject } from '../protocol/checks';
import { positiveId, wholeNumber } from '../protocol/values';
import type { ServiceRequest } from '../protocol/requests';
import { send } from '../transport/send';

/** How many requests of a read are under way at a time, unless the user says otherwise. */
export const USUAL_READS = 4;

/** One execution of the node: all its input items, and what they share. */
export class Run {
	readonly calls: Call[];
	private readonly shared = new Map<string, unknown>();
	private readonly hints = new Set<string>();

	constructor(readonly caller: IExecuteFunctions) {
		this.calls = caller.getInputData().map((_, item) => new Call(this, item));
	}

	/** Made by the first item that asks, for all of them. */
	once<T>(key: string, make: () => T): T {
		if (!this.shared.has(key)) this.shared.set(key, make());
		return this.shared.get(key) as T;
	}

	/** A note for the person who looks at the output, said once. */
	hint(message: string): void {
		if (this.hints.size === this.hints.add(message).size) return;
		this.caller.addExecutionHints({ message, location: 'outputPane' });
	}
}

/** One input item: the form as it reads for it, and the service. */
export class Call {
	private known?: JsonObject;

	constructor(
		readonly run: Run,
		readonly item: number,
	) {}

	get caller(): IExecuteFunctions {
		return this.run.caller;
	}

	/** The value of a field; of a resource locator, what was chosen in it. */
	param(name: string, fallback?: unknown): unknown {
		return chosen(this.field(name, fallback));
	}

	field(name: string, fallback?: unknown): unknown {
		return this.caller.getNodeParameter(name, this.item, fallback as string);
	}

	text(name: string): string {
		return String(this.param(name, '') ?? '').trim();
	}

	flag(name: string): boolean {
		return this.param(name, false) === true;
	}

	id(label: string, name = 'id'): number {
		return positiveId(label, this.param(name, ''));
	}

	/** The rows of a repeatable group. */
	rows(name: string): JsonObject[] {
		const rows = this.param(`${name}.values`, []);
		return Array.isArray(rows) ? rows.filter(isObject) : [];
	}

	collection(name: string): JsonObject {
		const fields = this.param(name, {});
		return isObject(fields) ? fields : {};
	}

	/** Read once: n8n works a field out anew each time it is asked for it. */
	get options(): JsonObject {
		return (this.known ??= this.collection('options'));
	}

	/** Names the call in the service's own log and in our messages; made up when the user gave none. */
	requestId(): string {
		return String(this.options.requestId ?? '').trim() || randomUUID();
	}

	get sendOptions() {
		const { timeout } = this.options;
		return {
			item: this.item,
			...(timeout === undefined
				? {}
				: { timeoutMs: wholeNumber('Timeout', timeout, 1, Number.MAX_SAFE_INTEGER) }),
		};
	}

	/** How many requests may be under way at a time. */
	lanes(usual: number): number {
		return wholeNumber(
			'Parallel Requests',
			this.options.parallelRequests ?? usual,
			1,
			MOST_REQUESTS,
		);
	}

	async send<T>(request: ServiceRequest<T>): Promise<T> {
		return await send(this.caller, request, this.sendOptions);
	}
}

export const chosen = (value: unknown): unknown =>
	isObject(value) && '__rl' in value ? value.value : value;

export const itemOf = (json: JsonObject): INodeExecutionData => ({ json }) as INodeExecutionData;
