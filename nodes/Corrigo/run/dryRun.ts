import type { INodeExecutionData } from 'n8n-workflow';

import type { JsonObject } from '../protocol/checks';
import { wouldChange, wouldSend } from '../protocol/dryRun';
import { NOT_CREATED, type WriteRequest } from '../protocol/requests';
import { recordsById } from '../records/lookup';
import { notFound, wasForbidden } from '../transport/errors';
import { itemOf, DEFAULT_READS, type ItemContext } from './context';
import { isRunOver, type Outcome } from './outcome';
import { forEachRead, type Source, type Wanted } from './readTogether';

/** One update that was not sent, and what it would have changed. */
interface Update extends Wanted {
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
	const skipped = outcomes.flatMap((outcome, item) =>
		'items' in outcome && contexts[item].skippedWrites.length > 0
			? [{ context: contexts[item], items: outcome.items }]
			: [],
	);
	if (skipped.length === 0) return outcomes;
	skipped[0].context.run.hint(
		'Dry Run: nothing was written. The rules of the Company are known to Corrigo alone, which may still refuse what would be sent.',
	);
	const records = await recordsOf(
		skipped.flatMap(({ context }) => updatesIn(context)),
		outcomes.some((outcome) => 'failure' in outcome),
	);
	const output = outcomes.slice();
	for (const { context, items } of skipped)
		output[context.index] = outcomeOf(context, records, items);
	return output;
}

const updatesIn = (context: ItemContext): Update[] =>
	context.skippedWrites.flatMap((write) => {
		const { update } = write.dryRun;
		const id = Number(update?.changes.Entity.Id ?? NOT_CREATED);
		return update === undefined || update.record !== undefined || id === NOT_CREATED
			? []
			: [{ context, write, entity: update.entity, id, properties: update.changes.Properties }];
	});

type Records = Map<WriteRequest<unknown>, Found>;

async function recordsOf(updates: Update[], hasFailures: boolean): Promise<Records> {
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

const source: Source<Update, JsonObject> = {
	key: ({ entity }) => entity,
	together: read,
	// A property that one item names may not exist.
	alone: async (update) => (await read([update.id], [update])).get(update.id),
	same: ({ write }) => write,
};

async function read(ids: number[], updates: Update[]): Promise<Map<number, JsonObject>> {
	const [{ context, entity }] = updates;
	const properties = updates.flatMap((one) => one.properties);
	return await recordsById(context, entity, ids, { properties });
}

function outcomeOf(context: ItemContext, records: Records, items: INodeExecutionData[]): Outcome {
	try {
		// The operation has found these out without an answer.
		const { AlreadyExisted, Changed } = items[0].json;
		const [first, ...then] = context.skippedWrites.map((write) =>
			stepOf(context, write, records.get(write)),
		);
		return {
			items: [
				itemOf({
					...(AlreadyExisted === undefined ? {} : { AlreadyExisted }),
					...first,
					...(Changed === undefined ? {} : { Changed }),
					...(then.length > 0 ? { Then: then } : {}),
				}),
			],
			isDryRun: true,
		};
	} catch (failure) {
		return { failure };
	}
}

function stepOf(
	context: ItemContext,
	write: WriteRequest<unknown>,
	read: Found | undefined,
): JsonObject {
	const { Outcome, update } = write.dryRun;
	const step = { WouldSend: wouldSend(write), ...(Outcome ? { Outcome } : {}) };
	const found = update?.record === undefined ? read : { record: update.record };
	if (update === undefined || found === undefined) return step;
	const { entity, changes } = update;
	if ('failure' in found) {
		if (!wasForbidden(found.failure)) throw found.failure;
		context.run.hint(`What would change in ${entity} records is not known: they may not be read.`);
		return step;
	}
	if (found.record !== undefined) {
		return { ...step, WouldChange: wouldChange(entity, changes, found.record) };
	}
	throw notFound(context.caller.getNode(), entity, changes.Entity.Id);
}
