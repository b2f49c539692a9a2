import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	NodeExecutionHint,
} from 'n8n-workflow';

import { getNoun } from '../catalogue/views';
import { type DryRunRule, OperationForm, type OptionName, type OptionValue } from '../form/options';
import { isRequestedTool, type RunForm } from '../form/nodeForm';
import { formatList, isTool, ValidationError } from '../values/errors';
import { toLine } from '../values/lines';
import { copyData } from '../values/json';
import { type JsonObject, mapMembers } from '../values/objects';
import { listSecrets } from '../values/secrets';
import { getNameProperty, type Reference } from '../records/names';
import { Resolver, type NamedForm } from '../records/resolver';
import type { ServiceRequest } from '../wire/requests';
import { ComparisonTime, ServiceClock } from '../values/times';
import { explainMissing, explainUnexpected, mayHaveRun } from '../transport/errors';
import { send, type SendOptions } from '../transport/send';
import { Outcomes, RunIsOver } from './outcomes';
import { findChangedRecord, findOnlyRecord } from './preview/plannedChanges';
import { ItemWrites, OwnVersions, type Approval } from './writes';
import type { Target } from '../catalogue/targets';
import type { Form } from '../form/form';
import { findFieldTarget } from '../form/subjects';
import { parseId, type RecordNames } from '../values/references';
import { letOthersRun } from '../transport/concurrency';

/** Number of parallel requests of a read, unless the user sets another one. */
export const DEFAULT_READS = 4;

interface Notice {
	hint: NodeExecutionHint;
	shown: Set<string>;
}

/** One execution of the node: its input items and what they share. */
export class RunContext {
	readonly contexts: ItemContext[];
	readonly clock = new ServiceClock();
	/** The filters of all items compare with one time. */
	readonly time = new ComparisonTime(this.clock);
	readonly versions = new OwnVersions();
	/** Turns names into IDs; a `ResolvingRun` shows it. */
	protected readonly resolver = new Resolver(() => !this.isForCustomers);
	/** Names of records that the run has seen so far. */
	readonly names = this.resolver.names;
	readonly outcomes: Outcomes;
	/** The run itself, or the one that repeats it. */
	latest: RunContext = this;
	private dryRunRule?: DryRunRule;
	private readonly notices = new Map<string, Notice>();

	constructor(
		readonly caller: IExecuteFunctions,
		readonly form: RunForm,
		/** A dry run checks confirmation keys, and the run after it writes what they allow. */
		private readonly confirmation?: 'check' | readonly Approval[],
	) {
		this.outcomes = new Outcomes(caller);
		const approvals = confirmation === 'check' ? [] : confirmation;
		this.contexts = caller
			.getInputData()
			.map((_, item) => new ItemContext(this, item, new ItemWrites(approvals?.[item])));
	}

	/** The run of the same items with the same form, whose expressions are not evaluated again. */
	repeat(confirmation: 'check' | readonly Approval[]): RunContext {
		this.latest = new RunContext(this.caller, this.form, confirmation);
		return this.latest;
	}

	get checksConfirmation(): boolean {
		return this.confirmation === 'check';
	}

	/** Only hosts before 2.41 evaluate an expression in 'Dry Run'. */
	requireSameRule(rule: DryRunRule): void {
		this.dryRunRule ??= rule;
		if (rule === this.dryRunRule) return;
		throw new ValidationError("'Dry Run' must be the same for all items");
	}

	/** Items share what they read, so the output of one is read by whoever reads that of another. */
	get isForCustomers(): boolean {
		return this.contexts.some(({ isForCustomers }) => isForCustomers);
	}

	get isTool(): boolean {
		return isTool(this.caller.getNode());
	}

	/**
	 * With the first order of execution, n8n runs the tools that an AI Agent asks it for only after the
	 * agent has answered: its model reads an empty text, and may call a tool that writes once more.
	 */
	get isAfterAnswer(): boolean {
		// Older hosts do not tell nodes about these settings.
		const { executionOrder } = this.caller.getWorkflowSettings?.() ?? { executionOrder: 'v1' };
		return (
			isRequestedTool(this.caller) &&
			executionOrder !== 'v1' &&
			this.caller.getMode() !== 'internal'
		);
	}

	addUnreadableNotice(entity: string): void {
		this.addNotice(`What ${getNoun(entity)} records hold now is not known: they may not be read.`);
	}

	/**
	 * Shows a notice in the output pane: each message once, followed by the details that items give. A
	 * check of keys shows none. The advice is for people, who can change the form, and may have tags.
	 */
	addNotice(message: string, details: readonly string[] = [], advice = ''): void {
		if (this.checksConfirmation) return;
		const { hint, shown } = this.notices.get(message) ?? this.createNotice(message);
		for (const detail of details) shown.add(detail);
		// n8n reads the hint when the node has finished.
		const notice = listDetails(message, shown);
		hint.message = advice ? `${notice.replace(/[^.]$/, '$&.')} ${advice}` : notice;
	}

	/** n8n shows hints to people alone, so a model reads them elsewhere. */
	listHints(): string[] {
		return [...this.notices].map(([message, { shown }]) => listDetails(message, shown));
	}

	private createNotice(message: string): Notice {
		const notice: Notice = { hint: { message, location: 'outputPane' }, shown: new Set() };
		this.notices.set(message, notice);
		this.caller.addExecutionHints(notice.hint);
		return notice;
	}
}

const listDetails = (message: string, details: ReadonlySet<string>): string =>
	toLine(details.size > 0 ? `${message}: ${formatList([...details])}` : message);

/** A run while it reads a form, the only time at which names are looked up. */
export abstract class ResolvingRun extends RunContext {
	declare readonly resolver: Resolver;
}

interface OfRun {
	readonly run: RunContext;
}

/** Creates a value that the items of a run share when the first of them needs it. */
export function oncePerRun<T, Key = void, Context extends OfRun = OfRun>(
	make: (context: Context, key: Key) => T,
) {
	const made = new WeakMap<RunContext, Map<Key, T>>();
	return (context: Context, key: Key): T => {
		const valuesByKey = made.get(context.run) ?? new Map<Key, T>();
		made.set(context.run, valuesByKey);
		if (!valuesByKey.has(key)) valuesByKey.set(key, make(context, key));
		return valuesByKey.get(key) as T;
	};
}

/** Holds what the user set for one input item, without the means to send anything. */
export class ItemForm extends OperationForm {
	constructor(
		readonly run: RunContext,
		readonly index: number,
	) {
		super(run.form.createReader(index));
	}

	/** Options without an expression are read once for all items. */
	override option<Name extends OptionName>(name: Name): OptionValue<Name> | undefined {
		return this.run.form.share(() => super.option(name), name);
	}

	/** Reads parts of the form, and only once for all items if no expression is among them. */
	share<T>(reading: (form: OperationForm) => T): T {
		return this.run.form.share(() => reading(this), reading);
	}

	/** Names a record as the run, the input item, or one of the records, knows it. */
	findName({ entity, id }: Reference, records: readonly JsonObject[] = []): string | undefined {
		const property = getNameProperty(entity) ?? '';
		const all = [...records, this.inputItem.json];
		const same = all.filter((one) => Number(one.Id) === Number(id));
		const names = same.map((one) => one[property]).filter((name) => typeof name === 'string');
		return this.run.names.getName(entity, id) ?? names.find((name) => name !== '');
	}

	protected get inputItem(): INodeExecutionData {
		return this.run.caller.getInputData()[this.index];
	}

	get files(): IBinaryKeyData {
		return this.inputItem.binary ?? {};
	}

	private fields?: IDataObject;

	/** The fields of the input item, each read once; undefined if a model says them. */
	get inputFields(): IDataObject | undefined {
		if (this.run.form.isInputOfModel) return undefined;
		const read = () => mapMembers(this.inputItem.json, (name, value) => copyData(name, value));
		return (this.fields ??= read() as IDataObject);
	}

	/** An unknown value is refused, because it may mean a rule that writes nothing. */
	get isDryRun(): boolean {
		if (this.run.checksConfirmation) return true;
		const rule = this.option('dryRun') ?? 'never';
		this.run.requireSameRule(rule);
		return rule === 'always' || (rule === 'manual' && this.mayBeTest);
	}

	/** A person started the execution in the editor, or that is not known. */
	private get mayBeTest(): boolean {
		return this.run.caller.getMode() === 'manual' || this.isOfAgents;
	}

	/** n8n's Agents run their tools in this mode, whether somebody tests the agent or talks to it. */
	get isOfAgents(): boolean {
		return this.run.caller.getMode() === 'internal';
	}
}

/** A form in which names of records may stand. Only `resolveForm` and `createFormResolver` read one. */
export type ResolvingForm = ItemForm & { readonly run: ResolvingRun };

/** One input item: its form, and the requests on its behalf. */
export class ItemContext extends ItemForm {
	private hasReadRecord = false;

	constructor(
		run: RunContext,
		index: number,
		private readonly ownWrites: ItemWrites,
	) {
		super(run, index);
	}

	get caller(): IExecuteFunctions {
		return this.run.caller;
	}

	/** The writes of the item, to which only `send` adds. */
	get writes(): Readonly<
		Pick<ItemWrites, 'kept' | 'mayHaveRun' | 'requireApproval' | 'skipped' | 'subject' | 'underWay'>
	> {
		return this.ownWrites;
	}

	/** Secrets, and links to files, in all that the item has read and sent. */
	get secrets(): string[] {
		const given = [this.run.form.getRead(this.index), this.inputItem.json];
		return [...this.ownWrites.secrets, ...listSecrets(given)];
	}

	/** The item is about this record. */
	noteSubject(entity: string, id: unknown): void {
		this.ownWrites.subject = { entity, id };
	}

	/** The record is known as it was before the write, so the output can show it without a request. */
	noteRecordRead(): void {
		this.hasReadRecord = true;
	}

	/** Models get old values only on request: they cost tokens, and a model need not see them. */
	private get returnsBefore(): boolean {
		return this.hasReadRecord && this.isOn('returnBefore', !this.run.isTool);
	}

	/** The write of another item may have created the record of this one. */
	noteDoubtfulWrite(): void {
		this.ownWrites.noteRun();
	}

	get sendOptions(): SendOptions {
		return {
			onDate: this.run.clock.onDate,
			hidesWords: () => this.run.isForCustomers,
			onSkippedWrite: this.isDryRun ? (write) => this.ownWrites.noteSkipped(write) : undefined,
			timeoutMs: this.option('timeout'),
		};
	}

	async send<T>(request: ServiceRequest<T>): Promise<T> {
		if (!request.reads) {
			this.ownWrites.subject ??= findChangedRecord(request.dryRun.plannedWrite);
			this.ownWrites.requirePlanned(request, this.run.versions);
		}
		const answer = send(this.caller, request, this.sendOptions);
		if (!request.reads && !this.isDryRun) {
			this.ownWrites.underWay = request;
			if (await answer.then(() => true, mayHaveRun)) {
				this.ownWrites.noteRun(...(this.returnsBefore ? [request] : []));
			}
			this.ownWrites.underWay = undefined;
		}
		return await answer.catch((failure: unknown) => {
			const named = request.reads ? request.run : request.dryRun.plannedWrite;
			const only = named && findOnlyRecord(named);
			const record = only ?? (named && findChangedRecord(named));
			if (record !== undefined) {
				const isOnly = only !== undefined;
				explainMissing(failure, getNoun(record.entity), { ...record, isOnly });
			}
			if (named?.does === 'run') explainUnexpected(failure, named.body);
			throw failure;
		});
	}

	/** A dry run has written nothing, so there is nothing to read. */
	async loadAfterWrite<T>(load: () => Promise<T>): Promise<T | undefined> {
		return this.writes.skipped.length === 0 ? await load() : undefined;
	}
}

/** Sends on behalf of an item. */
export type Sender = Pick<ItemContext, 'getRequestId' | 'send'>;

export const toItem = (json: JsonObject): INodeExecutionData => ({ json }) as INodeExecutionData;

export function resolveFieldId(
	run: ResolvingRun,
	field: string,
	value: unknown,
	target: Target,
): number {
	const id = run.resolver.resolveId(field, value, target);
	const shown = run.form.getShownName(value);
	if (shown !== undefined) run.names.noteChoice(target.entity, id, shown);
	return id;
}

/** Reads the ID of the record that a field of the form names. */
export const readRecordId = (
	item: ResolvingForm,
	field: INodeProperties,
	target = findFieldTarget(field),
	/** A row of the form, if the field is part of one. */
	form: Form = item,
): number =>
	target === undefined
		? parseId(form.getLabel(field), form.read(field))
		: resolveFieldId(item.run, form.getLabel(field), form.getInput(field), target);

/** Reads what an item needs from its form. Nothing is sent but look-ups of the names of all items. */
export type FormResolver<T> = (context: ItemContext) => Promise<T>;

/**
 * Returns a resolver of forms that may contain names of records. As soon as a name is unknown, `build`
 * runs for all items, and again after the look-up, so it must depend only on its item. What it has
 * returned for an item is kept.
 */
export function createFormResolver<T>(build: (form: ResolvingForm) => T): FormResolver<T> {
	const listForms = oncePerRun((): Array<NamedForm<T>> => []);
	const getForm = (context: ItemContext): NamedForm<T> =>
		(listForms(context)[context.index] ??= { build: () => build(toResolving(context)) });
	return async (context) => await resolveNames(context, getForm);
}

const toResolving = (form: ItemForm) => form as ResolvingForm;

const resolveNames = async <T>(
	context: ItemContext,
	getForm: (context: ItemContext) => NamedForm<T>,
): Promise<T> =>
	await toResolving(context).run.resolver.resolveForm(context, getForm(context), () => {
		// A form shows what is wrong in it without a look-up, too, but nothing more is sent.
		if (context.run.outcomes.isOver) throw new RunIsOver();
		return context.run.contexts.map(getForm);
	});

/** Reads a form of which only one item needs the result, or for which `build` differs each time. */
export const resolveForm = async <T>(
	context: ItemContext,
	build: (form: ResolvingForm) => T,
): Promise<T> => await resolveNames(context, (one) => ({ build: () => build(toResolving(one)) }));

const findFirstItem = oncePerRun<number, string, ItemForm>(({ index }) => index);

/**
 * Refuses an item unless it is the first of the run that does something to something, both named by a
 * key. What a form has read of a record is as it was before the run, so it does not show what another
 * item writes. An item that is refused for another reason writes nothing, so it is not the first.
 */
export const requireFirstItem = (
	form: ResolvingForm,
	key: string,
	createError: (first: number) => Error,
): void =>
	form.run.resolver.checkLast(() => {
		const first = findFirstItem(form, key);
		if (first !== form.index) throw createError(first);
	});

/** Looks up what an output needs of all items alike, once for the run and its forms. */
export const lookUpShared = async <T>(
	context: ItemContext,
	build: (names: RecordNames) => T,
): Promise<T> => {
	const { resolver } = toResolving(context).run;
	return await resolver.resolveForm(context, { build: () => build(resolver) });
};

/** Reads the forms of all items; an item with an invalid form is left out, and fails in its turn. */
export async function resolveForms<T>(
	contexts: readonly ItemContext[],
	resolve: FormResolver<T | undefined>,
): Promise<T[]> {
	const all: T[] = [];
	for (const context of contexts) {
		await letOthersRun();
		const form = await resolve(context).catch(() => undefined);
		if (form !== undefined) all.push(form);
	}
	return all;
}
