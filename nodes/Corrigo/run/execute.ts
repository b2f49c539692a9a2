import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { type OperationForm, optionFields } from '../form/options';
import { isRaw } from '../form/form';
import { NodeForm, type RunForm } from '../form/nodeForm';
import { buildBeforeState } from '../compare/differences';
import { chooseAdvice, formatList, ValidationError } from '../values/errors';
import { createRedactor, redactTexts } from '../values/redaction';
import {
	avoidReservedWords,
	createCancelledError,
	createStoppedError,
	joinSentences,
} from '../transport/errors';
import { forEachLimit, letOthersRun, KeyedMutex } from '../transport/concurrency';
import { getCancelSignal, isCancelled } from '../transport/send';
import {
	listChangedParts,
	parseConfirmationKey,
	createNotConfirmableError,
	UsedKeys,
} from './preview/confirmation';
import { toItem, RunContext, DEFAULT_READS, type ItemContext } from './context';
import { type EachOperation, type Operation, type RecordKeys } from './operation';
import type { Failed, Outcome } from './outcomes';
import { applyDryRun, type DryRunOutcome } from './preview/dryRun';
import { formatText } from './preview/texts';
import { createNotConfirmedError, type Approval } from './writes';
import { logWarning } from '../transport/log';

/** Every operation runs its input items through this loop. */
export async function execute(
	caller: IExecuteFunctions,
	operation: Operation,
	form: RunForm = new NodeForm(caller, operation.fields),
): Promise<INodeExecutionData[][]> {
	const run = new RunContext(caller, form);
	const { contexts } = run;
	if (contexts.length === 0) return [[]];
	const work = carryOut(operation, run).catch((failure: unknown) => {
		const failed: Outcome = { failure, isOfRun: true };
		return contexts.map(() => failed);
	});
	const outcomes = await untilStopped(caller, work, () => listStopped(run));

	const output: INodeExecutionData[] = [];
	for (const [item, outcome] of outcomes.entries()) {
		// A run that was stopped has no outcome of items that did not start.
		if (outcome === undefined) continue;
		if (!isCancelled(caller)) await letOthersRun();
		// All outputs of an item share one object to save memory; there may be 100,000 of them.
		const pairedItem = { item };
		if ('items' in outcome) {
			for (const one of outcome.items) output.push(Object.assign(one, { pairedItem }));
			continue;
		}
		const error = toNodeError(run, item, outcome.failure);
		const endsRun = !caller.continueOnFail() || isCancelled(caller);
		if (!operation.reads) describeItem(error, item, outcome, run.latest.contexts, endsRun);
		if (endsRun) {
			if (!operation.reads) {
				describeOthers(error, item, outcomes, run.latest.contexts);
				if (isCancelled(caller)) logStop(caller, error);
			}
			const isOfItem = contexts.length > 1 && !outcome.isOfRun;
			if (isOfItem && !isCancelled(caller)) nameItem(error, item);
			throw run.isTool ? addNextAction(error) : error;
		}
		const json = run.isTool
			? { error: error.message, nextAction: getNextAction(error) }
			: toErrorJson(error);
		output.push({ json, pairedItem });
	}
	const hints = run.isTool ? run.latest.listHints() : [];
	// A model would take what was left out for written, and what it has read for all there is.
	if (hints.length > 0 && output.length > 0) output[0].json = { ...output[0].json, Hints: hints };
	return [output];
}

/**
 * n8n stores a run that reached its time limit directly after it stops the node, so the node ends
 * at once, whatever it waits for.
 */
async function untilStopped<T>(
	caller: IExecuteFunctions,
	work: Promise<T>,
	getStopped: () => T,
): Promise<T> {
	const signal = getCancelSignal(caller);
	if (signal === undefined) return await work;
	let stop = (): void => undefined;
	const stopped = new Promise<T>((resolve) => {
		stop = () => resolve(getStopped());
		signal.addEventListener('abort', stop);
		if (signal.aborted) stop();
	});
	return await Promise.race([work, stopped]).finally(() =>
		signal.removeEventListener('abort', stop),
	);
}

/** The outcomes when the run was stopped. Items that have not started have none. */
function listStopped({ caller, latest: { contexts, outcomes } }: RunContext): Outcome[] {
	const failure = createCancelledError(caller.getNode());
	if (contexts[0].isDryRun) return [{ failure, isOfRun: true }];
	const list = outcomes.list.slice();
	for (const { index, writes } of contexts) {
		if (list[index] !== undefined || !(writes.mayHaveRun || writes.underWay)) continue;
		list[index] = {
			failure: createStoppedError(caller.getNode(), writes.underWay),
			mayHaveWritten: true,
		};
	}
	const next = contexts.findIndex(({ index }) => list[index] === undefined);
	if (next >= 0 && !list.some((one) => 'failure' in one)) {
		list[next] = { failure, isOfRun: true };
	}
	return list;
}

/** After a person has stopped a run, n8n keeps nothing of the node that was running. */
function logStop(caller: IExecuteFunctions, { description }: NodeError): void {
	const { name, parameters } = caller.getNode();
	const { resource, operation } = parameters;
	const what = [resource, operation].filter(Boolean).join(': ');
	logWarning(caller, `"${name}" (${what}) was stopped. ${description}`);
}

async function carryOut(operation: Operation, run: RunContext): Promise<Outcome[]> {
	const { contexts } = run;
	if (run.isAfterAnswer) {
		throw new ValidationError(
			'The AI Agent answered before this tool ran, so nothing was sent',
			"In the settings of the workflow, set 'Execution Order' to 'v1 (recommended)'.",
		);
	}
	if ('all' in operation) return await operation.all(contexts);
	if (operation.reads) return await runEach(operation, contexts);
	await checkCount(run);
	if (contexts[0].isDryRun) return await applyDryRun(contexts, await runEach(operation, contexts));
	// An expression for all options may give a key to some items only; the others are refused.
	const hasKey = contexts.some(({ options }) => 'confirmationKey' in options);
	if (!hasKey) return await runEach(operation, contexts);
	const approvals = await checkKeys(operation, run);
	const approved = run.repeat(approvals).contexts;
	return await runEach(operation, approved).finally(() => {
		for (const [item, { key }] of approvals.entries()) {
			if (key !== undefined && !approved[item].writes.mayHaveRun) usedKeys.release(key);
		}
	});
}

const usedKeys = new UsedKeys();

type ClaimedApproval = Approval & { key?: string };

/** Refuses items that would no longer do what was approved, before anything is written. */
async function checkKeys(operation: EachOperation, run: RunContext): Promise<ClaimedApproval[]> {
	const { contexts } = run.repeat('check');
	const outcomes = await applyDryRun(contexts, await runEach(operation, contexts));
	const approvals: ClaimedApproval[] = [];
	for (const context of contexts) {
		await letOthersRun();
		try {
			approvals.push(approve(context, outcomes[context.index]));
		} catch (refusal) {
			approvals.push({ refusal });
		}
	}
	return approvals;
}

function approve(form: OperationForm, outcome?: DryRunOutcome): ClaimedApproval {
	if (outcome !== undefined && 'failure' in outcome) throw outcome.failure;
	const key = parseConfirmationKey(form.options.confirmationKey);
	usedKeys.refuseUsed(key);
	// Another item ended the run before the dry run of this one, which does not start either.
	if (outcome === undefined) return { writes: [] };
	const { planned } = outcome;
	if (planned === undefined) throw createNotConfirmableError();
	const changed = listChangedParts(key, planned);
	if (changed.length > 0) throw createNotConfirmedError(changed);
	const { writes } = planned;
	if (writes.length === 0) return { writes };
	usedKeys.claim(key);
	return { writes, key };
}

/** The smallest number counts if an expression gives the items different ones. */
async function checkCount({ contexts, isTool }: RunContext): Promise<void> {
	let maxItems = Infinity;
	for (const context of contexts) {
		await letOthersRun();
		maxItems = Math.min(maxItems, context.option('maxItems') ?? (isTool ? 1 : Infinity));
	}
	if (contexts.length <= maxItems) return;
	const title = optionFields.maxItems.displayName;
	throw new ValidationError(
		`There are ${contexts.length} items, but '${title}' is ${maxItems}: nothing was written`,
		undefined,
		{ forAuthor: `Check which items come in. If all of them are right, raise '${title}'.` },
	);
}

/** Refuses wrong options and a wrong output, which are read again when an item has its turn. */
function checkSettings(form: OperationForm): void {
	form.checkOptions();
	isRaw(form);
}

/** Reads run in parallel. Writes do so only on request, and never to the same record. */
async function runEach(
	{ each, check, reads, changes }: EachOperation,
	contexts: ItemContext[],
): Promise<Outcome[]> {
	const [{ caller, run }] = contexts;
	const { outcomes } = run;
	if (!(reads || run.checksConfirmation)) {
		const before = getEarlierOutcomes(caller);
		if (before.size > 0) {
			run.addNotice(
				`${before.size} of ${contexts.length} items had their turn in an earlier try and were not sent again.`,
			);
		}
		outcomes.continue(before);
	}
	// Checks run in order, because an item may create the record that a later one updates.
	for (const context of contexts) {
		await outcomes.check(context, () => {
			context.writes.requireApproval();
			if (isCancelled(caller) || check === undefined) return undefined;
			context.share(checkSettings);
			return check(context);
		});
	}
	const concurrency = contexts[0].getConcurrency(reads ? DEFAULT_READS : 1);
	const keys: RecordKeys[] = [];
	if (concurrency > 1 && changes !== undefined) {
		// Keys are read before the first item starts, so that an item whose record must be looked up
		// keeps its place among items with IDs. A form that cannot be read fails when its turn comes.
		for (const context of contexts) {
			await letOthersRun();
			keys.push(await changes(context).catch(() => ''));
		}
	}
	const mutex = new KeyedMutex();
	await forEachLimit(
		contexts.length,
		concurrency,
		async (index) => {
			const context = contexts[index];
			const work = async () =>
				outcomes.isOver ? undefined : addBeforeState(context, await each(context));
			await outcomes.run(context, async () => await mutex.run(keys[index] ?? '', work));
		},
		() => outcomes.isOver,
	);
	return outcomes.list;
}

const triesByInput = new WeakMap<INodeExecutionData[], Map<string, Map<number, Outcome>>>();

/**
 * Retry On Fail runs the whole node again, in the same process. n8n passes the same array of input
 * items on every try, so it identifies the run. Items that are finished or may have written
 * something are remembered as long as the array exists, because they must not run again.
 */
function getEarlierOutcomes(caller: IExecuteFunctions): Map<number, Outcome> {
	const { name, retryOnFail } = caller.getNode();
	if (retryOnFail !== true) return new Map();
	const input = caller.getInputData();
	const runs = triesByInput.get(input) ?? new Map<string, Map<number, Outcome>>();
	triesByInput.set(input, runs);
	// Another node or a later iteration of a loop may receive the same array.
	const runIndex = caller.evaluateExpression('{{ $runIndex }}', 0);
	const run = [caller.getExecutionId(), runIndex, name].join();
	const before = runs.get(run) ?? new Map<number, Outcome>();
	runs.set(run, before);
	return before;
}

/** Adds the record as it was before the item changed it. */
function addBeforeState(
	{ writes }: ItemContext,
	items: INodeExecutionData[],
): INodeExecutionData[] {
	if (writes.kept.length === 0) return items;
	const Before = buildBeforeState(writes.kept.map(({ dryRun: { plannedWrite } }) => plannedWrite));
	const [first, ...rest] = items;
	return Before === undefined ? items : [toItem({ ...first.json, Before }), ...rest];
}

/** n8n writes indexes of items like this. Retry On Fail throws the same error object again, so it must not grow. */
function nameItem(error: NodeError, item: number): void {
	const name = ` [item ${item}]`;
	if (!error.message.endsWith(name)) error.message += name;
}

/**
 * Says which item has failed, as people count, and the name of its record. An item that leaves by the
 * error output is known without a number.
 */
function describeItem(
	error: NodeError,
	item: number,
	failed: Failed,
	contexts: readonly ItemContext[],
	endsRun: boolean,
): void {
	// Retry On Fail throws the same error object again, so it must not grow.
	failed.description ??= error.description ?? '';
	const isAlone = contexts.length === 1 || failed.isOfRun;
	const name = isAlone ? undefined : findSubjectName(contexts[item]);
	const subject = name && hideSecrets(contexts[item], name);
	const isCounted = !isAlone && (endsRun || subject !== undefined);
	const ending = subject === undefined ? '.' : `: ${subject}.`;
	error.description = joinSentences(
		failed.description,
		isCounted && `Counted from 1, this is item ${item + 1} of ${contexts.length}${ending}`,
	);
}

/** n8n shows no output of a node that throws, so the error describes the other items. */
function describeOthers(
	error: NodeError,
	shown: number,
	outcomes: Outcome[],
	contexts: readonly ItemContext[],
): void {
	const failed = outcomes[shown];
	const done = listItems(outcomes, (one) => 'items' in one && !one.isDryRun);
	// Other items may also have failed, in their checks or in parallel requests.
	const describeFailed = (became: string, isMeant: (one: Failed) => boolean) => {
		const items = listItems(outcomes, (one) => one !== failed && 'failure' in one && isMeant(one));
		const noun = items.length === 1 ? 'item' : 'items';
		return (
			items.length > 0 &&
			`${items.length} other ${noun} ${became}${nameItems(items, outcomes, contexts)}.`
		);
	};
	error.description = joinSentences(
		error.description,
		done.length > 0 &&
			`${done.length} of ${contexts.length} items had been carried out before${nameItems(done, outcomes, contexts)}.`,
		describeFailed('may have been carried out, too', (one) => one.mayHaveWritten === true),
		describeFailed('failed, too', (one) => !one.mayHaveWritten),
	);
}

const listItems = (outcomes: Outcome[], isMeant: (one: Outcome) => boolean): number[] =>
	outcomes.flatMap((one, item) => (isMeant(one) ? [item] : []));

/** The name of the record that an item is about, as people know it. */
function findSubjectName(context: ItemContext, outcome?: Outcome): string | undefined {
	const { subject } = context.writes;
	const records = outcome !== undefined && 'items' in outcome ? outcome.items : [];
	const name =
		subject &&
		context.findName(
			subject,
			records.map(({ json }) => json),
		);
	return name && formatText(name);
}

/** Names of records that an error lists at most. */
const MAX_NAMES = 50;

/** Another field of the item may be a secret that is the name. */
const hideSecrets = ({ secrets }: ItemContext, name: string) => createRedactor(secrets)(name);

/** Records without a name are listed by their IDs, and items without a record as people count. */
function nameItems(items: number[], outcomes: Outcome[], contexts: readonly ItemContext[]): string {
	const names: Array<[ItemContext, string]> = [];
	const ids: unknown[] = [];
	const others: number[] = [];
	for (const item of items) {
		const outcome = outcomes[item];
		const name = findSubjectName(contexts[item], outcome);
		const found = 'items' in outcome ? outcome.items.flatMap(({ json }) => json.Id ?? []) : [];
		if (name !== undefined) names.push([contexts[item], name]);
		else if (found.length > 0) ids.push(...found);
		else others.push(item + 1);
	}
	// One more than is shown tells that there are more.
	const hidden = names.slice(0, MAX_NAMES + 1).map((named) => hideSecrets(...named));
	const parts = [
		names.length > 0 && formatList(hidden, MAX_NAMES),
		ids.length > 0 && `ID ${formatList(ids)}`,
		others.length > 0 && `item ${formatList(others)}, counted from 1`,
	].filter(Boolean);
	return ` (${parts.join(', ')})`;
}

type NodeError = NodeApiError | NodeOperationError;

function toNodeError(run: RunContext, itemIndex: number, failure: unknown): NodeError {
	const { caller, form, latest } = run;
	const clean = createRedactor(latest.contexts[itemIndex].secrets);
	if (failure instanceof NodeApiError || failure instanceof NodeOperationError) {
		failure.context.itemIndex ??= itemIndex;
		failure.message = clean(failure.message);
		failure.description &&= clean(failure.description);
		// n8n stores these, too.
		failure.stack &&= clean(failure.stack);
		failure.context.data &&= redactTexts(failure.context.data, clean);
		return failure;
	}
	const cause =
		failure instanceof ValidationError
			? form.explain(failure, itemIndex)
			: (failure as Error & { advice?: undefined; forAuthor?: undefined });
	const [advice, forAuthor] = [cause.advice, cause.forAuthor].map((text) => text && clean(text));
	const message = clean(cause.message);
	// n8n stores the cause, too.
	const isClean =
		message === cause.message && advice === cause.advice && forAuthor === cause.forAuthor;
	const shown = isClean ? cause : new ValidationError(message, advice, { forAuthor });
	const error = new NodeOperationError(caller.getNode(), shown, {
		itemIndex,
		description: chooseAdvice(caller.getNode(), advice, forAuthor) || undefined,
	});
	error.message = avoidReservedWords(message);
	return error;
}

/** Older hosts send an item with any other key to the success output. */
const toErrorJson = ({ message, description }: NodeError): IDataObject => ({
	error: message,
	message: description || message,
});

const getNextAction = ({ description }: NodeError): string =>
	description || 'Correct the input, then call this tool again.';

/** Some agents of n8n show a model only the message. */
function addNextAction(error: NodeError): NodeError {
	const nextAction = getNextAction(error);
	// Retry On Fail throws the same error object again, so it must not grow.
	if (!error.message.includes(nextAction)) error.message += `\n\nnextAction: ${nextAction}`;
	return error;
}
