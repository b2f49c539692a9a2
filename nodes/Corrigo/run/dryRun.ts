import type { INodeExecutionData } from 'n8n-workflow';

import { entityNamed } from '../catalogue/entities';
import type { JsonObject } from '../protocol/checks';
import { wouldSend } from '../protocol/dryRun';
import { subjectOf, summaryOf, summaryWithoutWrite } from '../protocol/dryRunSummary';
import { valueAt } from '../protocol/kinds';
import { namePaths } from '../protocol/knownNames';
import { plannedChanges, subjectIn, wouldChange } from '../protocol/plannedChanges';
import { NOT_CREATED, type Plan, type WriteRequest } from '../protocol/requests';
import { recordsById } from '../records/lookup';
import { notFound, wasForbidden } from '../transport/errors';
import { confirmationKey, type Planned, type RecordState } from './confirmation';
import { itemOf, DEFAULT_READS, type ItemContext } from './context';
import { isRunOver, type Outcome } from './outcome';
import { forEachRead, type Source, type Wanted } from './readTogether';
import { knownNamesIn } from './resolve';

/** One update that was not sent, and what it would have changed. */
interface UnsentUpdate extends Wanted {
	write: WriteRequest<unknown>;
	entity: string;
	properties: string[];
}

type Found = { record: JsonObject | undefined } | { failure: unknown };

/**
 * Replaces the output of items whose writes were skipped: their operations have made it of answers that
 * never came. The records that would be changed are read together.
 */
export async function dryRunOutcomes(
	contexts: ItemContext[],
	outcomes: Outcome[],
): Promise<Outcome[]> {
	const [{ run }] = contexts;
	if (!run.isDryRun) return outcomes;
	const output = outcomes.slice();
	const skipped = outcomes.flatMap((outcome, item) => {
		const context = contexts[item];
		if (!('items' in outcome)) return [];
		if (context.skippedWrites.length > 0) return [{ context, items: outcome.items }];
		output[item] = {
			...outcome,
			items: outcome.items.map((one) => unwritten(context, one)),
			planned: NOTHING,
		};
		return [];
	});
	if (skipped.length === 0) return output;
	const reason = run.dryRunRule === 'manual' ? "'When Testing', and this is a test" : "'Always'";
	run.hint(
		`Dry Run is ${reason}: nothing was written. The rules of the Company are known to Corrigo alone, which may still refuse what would be sent.`,
	);
	const records = await recordsOf(
		skipped.flatMap(({ context }) => updatesIn(context)),
		outcomes.some((outcome) => 'failure' in outcome),
	);
	for (const { context, items } of skipped)
		output[context.index] = outcomeOf(context, records, items);
	return output;
}

/** The item of an operation that had nothing to write, or that only reads. */
function unwritten(context: ItemContext, item: INodeExecutionData): INodeExecutionData {
	const Summary = summaryWithoutWrite(item.json, knownNamesIn(context).nameOf);
	if (Summary === undefined) return item;
	return { ...item, json: { ...item.json, Summary, ConfirmationKey: confirmationKey(NOTHING) } };
}

const NOTHING: Planned = { writes: [], records: [] };

const updatesIn = (context: ItemContext): UnsentUpdate[] =>
	context.skippedWrites.flatMap((write) => {
		const { plan } = write.dryRun;
		if (plan.does !== 'update' || plan.record !== undefined) return [];
		const { entity, changes } = plan;
		const id = Number(changes.Entity.Id ?? NOT_CREATED);
		return id === NOT_CREATED
			? []
			: [{ context, write, entity, id, properties: changes.Properties }];
	});

type Records = Map<WriteRequest<unknown>, Found>;

async function recordsOf(updates: UnsentUpdate[], hasFailures: boolean): Promise<Records> {
	const found: Records = new Map();
	if (updates.length === 0) return found;
	const [{ context }] = updates;
	const concurrency = context.concurrency(DEFAULT_READS);
	const isOver = () => isRunOver(context.caller, hasFailures);
	await forEachRead(updates, source, { concurrency, isOver }, async ({ write }, read) => {
		const one = await read().then(
			(record) => ({ record }),
			(failure: unknown) => ({ failure }),
		);
		hasFailures ||= 'failure' in one && !wasForbidden(one.failure);
		found.set(write, one);
	});
	return found;
}

const source: Source<UnsentUpdate, JsonObject> = {
	key: ({ entity }) => entity,
	together: read,
	// A property that one item names may not exist.
	alone: async (update) => (await read([update.id], [update])).get(update.id),
	same: ({ write }) => write,
};

async function read(ids: number[], updates: UnsentUpdate[]): Promise<Map<number, JsonObject>> {
	const [{ context, entity }] = updates;
	const asked = [...new Set(updates.flatMap((one) => one.properties))];
	const version = entityNamed(entity)?.lock ? ['ConcurrencyId'] : [];
	const properties = [...new Set([...asked, ...version, ...namePaths(entity, asked)])];
	const records = await recordsById(context, entity, ids, { properties });
	for (const record of records.values()) {
		knownNamesIn(context).noteRecord(entity, record, asked);
	}
	return records;
}

function outcomeOf(context: ItemContext, records: Records, items: INodeExecutionData[]): Outcome {
	try {
		// The operation has found these out without an answer.
		const { AlreadyExisted, Changed } = items[0].json;
		const planned = plannedBy(context, records);
		const [{ Outcome, WouldSend, ...first }, ...then] = context.skippedWrites.map((write) =>
			stepOf(context, write, records.get(write)),
		);
		return {
			items: [
				itemOf({
					Outcome,
					...(Changed === undefined ? {} : { Changed }),
					...(AlreadyExisted === undefined ? {} : { AlreadyExisted }),
					...first,
					...(then.length > 0 ? { Then: then } : {}),
					ConfirmationKey: confirmationKey(planned),
					WouldSend,
				}),
			],
			isDryRun: true,
			planned,
		};
	} catch (failure) {
		return { failure };
	}
}

function plannedBy(context: ItemContext, records: Records): Planned {
	const writes = context.skippedWrites;
	const { nameOf } = knownNamesIn(context);
	const states = writes.flatMap((write): RecordState[] => {
		const { plan } = write.dryRun;
		if (plan.does !== 'update') return [];
		const { entity, changes } = plan;
		const id = changes.Entity.Id;
		const record = plan.record ?? recordIn(context, plan, records.get(write));
		const paths = changes.Properties.map((path) => path.replace(/\.\*$/, ''));
		const state = record?.ConcurrencyId ?? paths.map((path) => valueAt(record, path) ?? null);
		return [{ name: subjectOf({ entity, id }, nameOf), state: [entity, id, state] }];
	});
	return { writes, records: states };
}

function stepOf(
	context: ItemContext,
	write: WriteRequest<unknown>,
	read: Found | undefined,
): JsonObject {
	const { Outcome, plan } = write.dryRun;
	const record =
		plan.does === 'update' ? (plan.record ?? recordIn(context, plan, read)) : undefined;
	const { nameOf } = knownNamesIn(context);
	const words = { nameOf, labelOf: (member: string) => context.labels.get(member) };
	const changes = plannedChanges(plan, words, record);
	const subject = subjectIn(plan, changes)?.member;
	const changed = changes.filter(({ member }) => member !== subject);
	return {
		Outcome,
		Summary: summaryOf(plan, changes, nameOf, record !== undefined),
		...(plan.does === 'update' || changed.length > 0 ? { WouldChange: wouldChange(changed) } : {}),
		WouldSend: wouldSend(write),
	};
}

/** Nothing where the record may not be read, or is not there yet. */
function recordIn(
	{ run, caller }: ItemContext,
	{ entity, changes }: Extract<Plan, { does: 'update' }>,
	read: Found | undefined,
): JsonObject | undefined {
	if (read === undefined) return undefined;
	if ('failure' in read) {
		if (!wasForbidden(read.failure)) throw read.failure;
		run.hint(`What would change in ${entity} records is not known: they may not be read.`);
		return undefined;
	}
	if (read.record !== undefined) return read.record;
	throw notFound(caller.getNode(), entity, changes.Entity.Id);
}
