import { randomUUID } from 'node:crypto';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isObject, positiveId, wholeNumber, type JsonObject } from '../protocol/checks';
import type { ServiceRequest } from '../protocol/requests';
import { send } from '../transport/send';

/** A node that carries on shows the item; the rest of the form is read through here too. */
export class Call {
	constructor(
		readonly caller: IExecuteFunctions,
		readonly item: number,
	) {}

	/** The value of a field; of a resource locator, what was chosen in it. */
	param(name: string, fallback?: unknown): unknown {
		return chosen(this.caller.getNodeParameter(name, this.item, fallback as string));
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

	get options(): JsonObject {
		return this.collection('options');
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

	async send<T>(request: ServiceRequest<T>): Promise<T> {
		return await send(this.caller, request, this.sendOptions);
	}
}

export const chosen = (value: unknown): unknown =>
	isObject(value) && '__rl' in value ? value.value : value;

export const itemOf = (json: JsonObject): INodeExecutionData => ({ json }) as INodeExecutionData;
