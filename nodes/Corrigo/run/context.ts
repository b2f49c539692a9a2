import { randomUUID } from 'node:crypto';
import type { IExecuteFunctions, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { Form } from '../form/form';
import {
	DRY_RUN_RULES,
	MAX_REQUESTS,
	optionFields,
	type DryRunRule,
	type SwitchName,
} from '../form/options';
import {
	isLocator,
	isObject,
	ValidationError,
	type JsonObject,
	type LocatorValue,
	parseBoolean,
	parseChoice,
	parseInteger,
} from '../values/checks';
import type { ServiceRequest, WriteRequest } from '../wire/requests';
import { ServiceClock } from '../transport/clock';
import { mayHaveRun } from '../transport/errors';
import { send, type SendOptions } from '../transport/send';
import { isPlanned, createNotConfirmedError } from './preview/confirmation';
import { normalizeModelInput } from './modelInput';

/** Number of parallel requests of a read, unless the user sets another one. */
export const DEFAULT_READS = 4;

/** n8n recognizes an expression by its first character. */
const hasExpression = (raw: unknown): boolean =>
	typeof raw === 'string'
		? raw.startsWith('=')
		: typeof raw === 'object' && raw !== null && Object.values(raw).some(hasExpression);

const listChoices = (value: unknown): LocatorValue[] => {
	if (isLocator(value)) return hasExpression(value) ? [] : [value];
	return typeof value === 'object' && value !== null
		? Object.values(value).flatMap(listChoices)
		: [];
};

const getChoiceKey = ({ value, cachedResultName }: LocatorValue) =>
	JSON.stringify([value, cachedResultName]);

/** One execution of the node: its input items and what they share. */
export class RunContext {
	readonly contexts: ItemContext[];
	readonly clock = new ServiceClock();
	/** Rule for dry runs; undefined until the first item reads it. */
	dryRunRule?: DryRunRule;
	/** Fields as they were filled in, kept here because n8n copies the node for each access. */
	private readonly parameters: INodeParameters;
	private readonly asksModel: boolean;
	/** Values of fields that are equal for all items. */
	private readonly sharedValues = new Map<string, unknown>();
	private readonly notices = new Set<string>();
	private readonly choices: ReadonlySet<string>;

	constructor(
		readonly caller: IExecuteFunctions,
		/** A dry run that only checks confirmation keys shows no notices. */
		readonly isConfirmationDryRun = false,
	) {
		if (isConfirmationDryRun) this.dryRunRule = 'always';
		this.parameters = caller.getNode().parameters;
		this.asksModel = /\$fromAI/i.test(JSON.stringify(this.parameters));
		this.choices = new Set(listChoices(this.parameters).map(getChoiceKey));
		this.contexts = caller.getInputData().map((_, item) => new ItemContext(this, item));
	}

	/** n8n evaluates and copies a field each time it is read, so a reader does it once. */
	createReader(item: number) {
		const own = new Map<string, unknown>();
		return (name: string, fallback?: unknown): unknown => {
			const known = this.sharedValues.has(name) ? this.sharedValues : own;
			if (known.has(name)) return known.get(name);
			const input: unknown = this.caller.getNodeParameter(name, item, fallback as string);
			const raw = this.parameters[name];
			const value = this.asksModel ? normalizeModelInput(name, raw, input) : input;
			(hasExpression(raw) ? own : this.sharedValues).set(name, value);
			return value;
		};
	}

	/**
	 * Returns the name that a list showed for the record chosen in it. n8n keeps that name after an
	 * expression replaces the choice, so only values chosen in the form have one.
	 */
	getShownName(input: unknown): string | undefined {
		const isChosen = isLocator(input) && this.choices.has(getChoiceKey(input));
		return isChosen && input.cachedResultName ? input.cachedResultName : undefined;
	}

	/** n8n gives a node that a language model uses as a tool a type of its own. */
	get isTool(): boolean {
		return this.caller.getNode().type.endsWith('Tool');
	}

	/** Maximum number of input items for a write. */
	get maxItems(): number {
		const [{ options }] = this.contexts;
		if (!('maxItems' in options)) return this.isTool ? 1 : Infinity;
		return parseInteger(
			optionFields.maxItems.displayName,
			options.maxItems,
			1,
			Number.MAX_SAFE_INTEGER,
		);
	}

	/** n8n's manual mode means that a person started the execution in the editor. */
	get isTest(): boolean {
		return this.caller.getMode() === 'manual';
	}

	get isDryRun(): boolean {
		return this.dryRunRule === 'always' || (this.dryRunRule === 'manual' && this.isTest);
	}

	/** Shows a notice in the output pane, each message once. */
	addNotice(message: string): void {
		if (this.isConfirmationDryRun || this.notices.size === this.notices.add(message).size) return;
		this.caller.addExecutionHints({ message, location: 'outputPane' });
	}
}

/** Creates a value that the items of a run share when the first of them needs it. */
export function oncePerRun<T, Key = void>(make: (context: ItemContext, key: Key) => T) {
	const made = new WeakMap<RunContext, Map<Key, T>>();
	return (context: ItemContext, key: Key): T => {
		const valuesByKey = made.get(context.run) ?? new Map<Key, T>();
		made.set(context.run, valuesByKey);
		if (!valuesByKey.has(key)) valuesByKey.set(key, make(context, key));
		return valuesByKey.get(key) as T;
	};
}

/** One input item: its form, and the requests on its behalf. */
export class ItemContext extends Form {
	/** Something was or may have been written for this item, so it must not run again. */
	mayHaveWritten = false;
	/** Labels of the form for the members that it sets. */
	readonly labels = new Map<string, string>();
	/** Error that keeps the item from being started. */
	refusal?: unknown;
	/** Writes that the confirmation key of the item allows. */
	confirmed?: ReadonlyArray<WriteRequest<unknown>>;
	/** Writes that were sent, in order, if the output shows the record as it was before. */
	readonly done: Array<WriteRequest<unknown>> = [];
	/** Writes that a dry run has skipped, in order. */
	readonly skippedWrites: Array<WriteRequest<unknown>> = [];

	constructor(
		readonly run: RunContext,
		readonly index: number,
	) {
		super(run.createReader(index));
	}

	get caller(): IExecuteFunctions {
		return this.run.caller;
	}

	/** The form nests advanced options, which makes no difference to operations. */
	get options(): JsonObject {
		const { advanced, ...everyday } = this.collection('options');
		return isObject(advanced) ? { ...everyday, ...advanced } : everyday;
	}

	/** The fallback applies if the option was not added. */
	isOn(name: SwitchName, fallback = false): boolean {
		const value = this.options[name];
		return value === undefined ? fallback : parseBoolean(optionFields[name].displayName, value);
	}

	/** An unknown value is refused, because it may stand for a rule that writes nothing. */
	get isDryRun(): boolean {
		if (this.run.isConfirmationDryRun) return true;
		const title = optionFields.dryRun.displayName;
		const isAdded = 'dryRun' in this.options;
		const rule = isAdded ? parseChoice(title, this.options.dryRun, DRY_RUN_RULES) : 'never';
		this.run.dryRunRule ??= rule;
		if (rule === this.run.dryRunRule) return this.run.isDryRun;
		throw new ValidationError(`'${title}' must be the same for all items`);
	}

	/** Identifies the call in Corrigo's log and in messages; generated if the user entered none. */
	getRequestId(): string {
		return String(this.options.requestId ?? '').trim() || randomUUID();
	}

	get sendOptions(): SendOptions {
		const { timeout } = this.options;
		return {
			onDate: this.run.clock.onDate,
			...(this.isDryRun ? { onSkippedWrite: (write) => this.skippedWrites.push(write) } : {}),
			...(timeout === undefined
				? {}
				: { timeoutMs: parseInteger('Timeout', timeout, 1, Number.MAX_SAFE_INTEGER) }),
		};
	}

	/** Maximum number of parallel requests. */
	getConcurrency(fallback: number): number {
		return parseInteger(
			'Parallel Requests',
			this.options.parallelRequests ?? fallback,
			1,
			MAX_REQUESTS,
		);
	}

	async send<T>(request: ServiceRequest<T>): Promise<T> {
		if (!request.reads && !this.isConfirmed(request)) {
			throw createNotConfirmedError(
				undefined,
				this.mayHaveWritten ? 'The rest was not written' : undefined,
			);
		}
		const answer = send(this.caller, request, this.sendOptions);
		if (!request.reads && !this.isDryRun) {
			const hasRun = await answer.then(() => true, mayHaveRun);
			this.mayHaveWritten ||= hasRun;
			if (hasRun && this.isOn('returnBefore')) this.done.push(request);
		}
		return await answer;
	}

	private isConfirmed(request: WriteRequest<unknown>): boolean {
		return this.confirmed?.some((one) => isPlanned(one, request)) ?? true;
	}

	/** A dry run has written nothing, so there is nothing to read. */
	async readAfterWrite<T>(read: () => Promise<T>): Promise<T | undefined> {
		return this.skippedWrites.length === 0 ? await read() : undefined;
	}
}

export const toItem = (json: JsonObject): INodeExecutionData => ({ json }) as INodeExecutionData;
