import { randomUUID } from 'node:crypto';
import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeParameters,
	INodeProperties,
} from 'n8n-workflow';

import { getNoun } from '../catalogue/views';
import {
	hasExpression,
	isFromModel,
	omitEmptyColumns,
	refuseEmptyExpression,
} from '../form/expressions';
import { Form, parseInput } from '../form/form';
import { normalizeModelInput, omitNothing } from '../form/modelInput';
import {
	advancedField,
	optionFields,
	optionsField,
	type DryRunRule,
	type OptionName,
	type OptionValue,
	type SwitchName,
} from '../form/options';
import { ValidationError } from '../values/errors';
import { type LocatorValue, isLocator } from '../values/locators';
import { type JsonObject, isObject } from '../values/objects';
import { getRecordKey, type Specifier } from '../wire/answers';
import type { ServiceRequest, WriteRequest } from '../wire/requests';
import { ComparisonTime, ServiceClock } from '../transport/clock';
import { mayHaveRun } from '../transport/errors';
import { send, type SendOptions } from '../transport/send';
import {
	isPlanned,
	createNotConfirmedError,
	summarizeFiles,
	type IsOwnChange,
} from './preview/confirmation';

/** Number of parallel requests of a read, unless the user sets another one. */
export const DEFAULT_READS = 4;

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
	/** The filters of all items compare with one time. */
	readonly time = new ComparisonTime(this.clock);
	/** Rule for dry runs; undefined until the first item reads it. */
	dryRunRule?: DryRunRule;
	/** Fields as they were filled in, kept here because n8n copies the node for each access. */
	private readonly parameters: INodeParameters;
	private readonly asksModel: boolean;
	/** Values of fields that are equal for all items. */
	private readonly sharedValues = new Map<string, unknown>();
	private readonly notices = new Set<string>();
	/** Versions that this run has written, by record and oldest first. */
	private readonly ownVersions = new Map<string, unknown[]>();
	private readonly choices: ReadonlySet<string>;

	constructor(
		readonly caller: IExecuteFunctions,
		/** The fields of the operation. */
		readonly fields: readonly INodeProperties[],
		/** A dry run that only checks confirmation keys shows no notices. */
		readonly isConfirmationDryRun = false,
	) {
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
			const given = this.asksModel ? normalizeModelInput(name, raw, input) : input;
			refuseEmptyExpression(this.fields, this.parameters, name, given);
			const value = omitEmptyColumns(this.fields, this.parameters, name, given);
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

	/** Leaves out empty members of JSON that a model has filled in. */
	omitModelNothing(name: string, json: JsonObject): JsonObject {
		return isFromModel(this.parameters[name]) ? (omitNothing(json) as JsonObject) : json;
	}

	/** n8n gives a node that a language model uses as a tool a type of its own. */
	get isTool(): boolean {
		return this.caller.getNode().type.endsWith('Tool');
	}

	/** Remembers a change of this run, so that it does not count as somebody else's. */
	noteVersion(entity: string, { Id, ConcurrencyId }: Specifier, before?: unknown): void {
		const key = getRecordKey(entity, Id);
		const own = this.ownVersions.get(key) ?? [before];
		this.ownVersions.set(key, [...(own.at(-1) === before ? own : [before]), ConcurrencyId]);
	}

	/** Tells whether this run alone has changed a record from one version to another. */
	isOwnChange(entity: string, id: unknown, from: unknown, to: unknown): boolean {
		const own = this.ownVersions.get(getRecordKey(entity, id)) ?? [];
		return own.at(-1) === to && own.includes(from);
	}

	addUnreadableNotice(entity: string): void {
		this.addNotice(`What ${getNoun(entity)} records hold now is not known: they may not be read.`);
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
		const { [advancedField.name]: advanced, ...everyday } = this.read(optionsField);
		return isObject(advanced) ? { ...everyday, ...advanced } : everyday;
	}

	/** Undefined if the option was not added. */
	option<Name extends OptionName>(name: Name): OptionValue<Name> | undefined {
		const { options } = this;
		if (!(name in options)) return undefined;
		return parseInput<(typeof optionFields)[Name]>(optionFields[name], options[name]);
	}

	/** The fallback applies if the option was not added. */
	isOn(name: SwitchName, fallback = false): boolean {
		return this.option(name) ?? fallback;
	}

	/** An unknown value is refused, because it may mean a rule that writes nothing. */
	get isDryRun(): boolean {
		if (this.run.isConfirmationDryRun) return true;
		const rule = this.option('dryRun') ?? 'never';
		// Only hosts before 2.41 evaluate an expression in this option.
		this.run.dryRunRule ??= rule;
		if (rule !== this.run.dryRunRule) {
			throw new ValidationError("'Dry Run' must be the same for all items");
		}
		// n8n's manual mode means that a person started the execution in the editor.
		return rule === 'always' || (rule === 'manual' && this.caller.getMode() === 'manual');
	}

	/** Identifies the call in Corrigo's log and in messages; generated if the user entered none. */
	getRequestId(): string {
		return String(this.options.requestId ?? '').trim() || randomUUID();
	}

	get sendOptions(): SendOptions {
		return {
			onDate: this.run.clock.onDate,
			onSkippedWrite: this.isDryRun
				? (write) => this.skippedWrites.push(summarizeFiles(write))
				: undefined,
			timeoutMs: this.option('timeout'),
		};
	}

	/** Maximum number of parallel requests. */
	getConcurrency(fallback: number): number {
		return parseInput(optionFields.parallelRequests, this.options.parallelRequests ?? fallback);
	}

	/** A key allows what was planned, also after an earlier item of the run has changed the record. */
	private isConfirmed(write: WriteRequest<unknown>): boolean {
		if (this.confirmed === undefined) return true;
		const { plannedWrite } = write.dryRun;
		const entity = 'entity' in plannedWrite ? plannedWrite.entity : '';
		const isOwn: IsOwnChange = (...change) => this.run.isOwnChange(entity, ...change);
		const summarized = summarizeFiles(write);
		return this.confirmed.some((one) => isPlanned(one, summarized, isOwn));
	}

	async send<T>(request: ServiceRequest<T>): Promise<T> {
		if (!request.reads && !this.isConfirmed(request)) {
			const left = this.mayHaveWritten ? 'The rest was not written' : undefined;
			throw createNotConfirmedError(undefined, left);
		}
		const answer = send(this.caller, request, this.sendOptions);
		if (!request.reads && !this.isDryRun) {
			const hasRun = await answer.then(() => true, mayHaveRun);
			this.mayHaveWritten ||= hasRun;
			if (hasRun && this.isOn('returnBefore')) this.done.push(request);
		}
		return await answer;
	}

	/** A dry run has written nothing, so there is nothing to read. */
	async readAfterWrite<T>(read: () => Promise<T>): Promise<T | undefined> {
		return this.skippedWrites.length === 0 ? await read() : undefined;
	}
}

export const toItem = (json: JsonObject): INodeExecutionData => ({ json }) as INodeExecutionData;
