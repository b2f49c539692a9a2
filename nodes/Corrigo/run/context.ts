import { randomUUID } from 'node:crypto';
import type { IExecuteFunctions, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { Form } from '../form/form';
import { MOST_REQUESTS, optionTitle, type SwitchName } from '../form/options';
import type { JsonObject } from '../protocol/checks';
import { truth, wholeNumber } from '../protocol/values';
import type { ServiceRequest, WriteRequest } from '../protocol/requests';
import { ServiceClock } from '../transport/clock';
import { mayHaveRun } from '../transport/errors';
import { send } from '../transport/send';
import { saidByModel } from './modelInput';

/** How many requests of a read are under way at a time, unless the user says otherwise. */
export const USUAL_READS = 4;

/** As n8n tells them: by the first character. */
const hasExpression = (raw: unknown): boolean =>
	typeof raw === 'string'
		? raw.startsWith('=')
		: typeof raw === 'object' && raw !== null && Object.values(raw).some(hasExpression);

/** One execution of the node: all its input items, and what they share. */
export class Run {
	readonly calls: Call[];
	readonly clock = new ServiceClock();
	/** The fields as they were filled in; each look at them is a copy of the node. */
	private readonly filledIn: INodeParameters;
	private readonly asksModel: boolean;
	/** What was read of those that are the same for all items. */
	private readonly same = new Map<string, unknown>();
	private readonly hints = new Set<string>();

	constructor(readonly caller: IExecuteFunctions) {
		this.filledIn = caller.getNode().parameters;
		this.asksModel = /\$fromAI/i.test(JSON.stringify(this.filledIn));
		this.calls = caller.getInputData().map((_, item) => new Call(this, item));
	}

	/** n8n works a field out, and copies it, anew each time it is asked for it: here it is once. */
	reader(item: number) {
		const own = new Map<string, unknown>();
		return (name: string, fallback?: unknown): unknown => {
			const known = this.same.has(name) ? this.same : own;
			if (known.has(name)) return known.get(name);
			const given: unknown = this.caller.getNodeParameter(name, item, fallback as string);
			const raw = this.filledIn[name];
			const value = this.asksModel ? saidByModel(name, raw, given) : given;
			(hasExpression(raw) ? own : this.same).set(name, value);
			return value;
		};
	}

	/** A note for the person who looks at the output, said once. */
	hint(message: string): void {
		if (this.hints.size === this.hints.add(message).size) return;
		this.caller.addExecutionHints({ message, location: 'outputPane' });
	}
}

/** What the items of a run share: made by the first that asks for it, for all of them. */
export function oncePerRun<T, Key = void>(make: (call: Call, key: Key) => T) {
	const made = new WeakMap<Run, Map<Key, T>>();
	return (call: Call, key: Key): T => {
		const ofRun = made.get(call.run) ?? new Map<Key, T>();
		made.set(call.run, ofRun);
		if (!ofRun.has(key)) ofRun.set(key, make(call, key));
		return ofRun.get(key) as T;
	};
}

/** One input item: the form as it reads for it, and the service. */
export class Call extends Form {
	/** Something was written on behalf of this item, or may have been: it must not be done again. */
	mayHaveWritten = false;
	/** What a dry run would have written, in order. */
	readonly rehearsed: Array<WriteRequest<unknown>> = [];

	constructor(
		readonly run: Run,
		readonly item: number,
	) {
		super(run.reader(item));
	}

	get caller(): IExecuteFunctions {
		return this.run.caller;
	}

	get options(): JsonObject {
		return this.collection('options');
	}

	/** Whether an option is switched on; as usual where it was not added. */
	isOn(name: SwitchName, usual = false): boolean {
		const value = this.options[name];
		return value === undefined ? usual : truth(optionTitle(name), value);
	}

	/** Nothing is written. A switch that says neither on nor off is refused, as off would write. */
	get isDryRun(): boolean {
		return 'dryRun' in this.options && truth(optionTitle('dryRun'), this.options.dryRun);
	}

	/** Names the call in the service's own log and in our messages; made up when the user gave none. */
	requestId(): string {
		return String(this.options.requestId ?? '').trim() || randomUUID();
	}

	get sendOptions() {
		const { timeout } = this.options;
		return {
			heard: this.run.clock.heard,
			...(this.isDryRun
				? { rehearse: (write: WriteRequest<unknown>) => this.rehearsed.push(write) }
				: {}),
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
		const answer = send(this.caller, request, this.sendOptions);
		if (!request.reads && !this.isDryRun) {
			const hasRun = await answer.then(() => true, mayHaveRun);
			this.mayHaveWritten ||= hasRun;
		}
		return await answer;
	}
}

export const itemOf = (json: JsonObject): INodeExecutionData => ({ json }) as INodeExecutionData;
