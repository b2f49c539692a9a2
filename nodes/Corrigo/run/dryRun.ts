import type { INodeExecutionData } from 'n8n-workflow';

import { batches } from '../protocol/batches';
import type { JsonObject } from '../protocol/checks';
import { wouldChange, wouldSend } from '../protocol/dryRun';
import { NOT_CREATED, valuesQuery, type WriteRequest } from '../protocol/requests';
import { notFound, wasForbidden, wasRefused } from '../transport/errors';
import { itemOf, DEFAULT_READS, type ItemContext } from './context';
import { forEachLimit } from './mapLimit';
import type { Outcome } from './outcome';

/** One update that was not sent, and what it would have changed. */
interface Update {
	context: ItemContext;
	write: WriteRequest<unknown>;
	entity: string;
	id: number;
	properties: string[];
}

type Found = { record: JsonObject | undefined } | { failure: unknown };

/**
 * What items come to whose writes were rehearsed: in place of what their operations make of answers
 * that never came. The records that they would change are read together.
 */
export async function dryRunOutcomes(
	contexts: ItemContext[],
	outcomes: Outcome[],
): Promise<Outcome[]> {
	const rehearsed = outcomes.flatMap((outcome, item) =>
		'items' in outcome && contexts[item].skippedWrites.length > 0
			? [{ context: contexts[item], items: outcome.items }]
			: [],
	);
	if (rehearsed.length === 0) return outcomes;
	rehearsed[0].context.run.hint(
		'Dry Run: nothing was written. The rules of the Company are known to Corrigo alone, which may still refuse what would be sent.',
	);
	const records = await recordsOf(rehearsed.flatMap(({ context }) => updatesIn(context)));
	const told = [...outcomes];
	for (const { context, items } of rehearsed)
		told[context.index] = outcomeOf(context, records, items);
	return told;
}

const updatesIn = (context: ItemContext): Update[] =>
	context.skippedWrites.flatMap((write) => {
		const { update } = write.dryRun;
		const id = Number(update?.changes.Entity.Id ?? NOT_CREATED);
		return update === undefined || update.record !== undefined || id === NOT_CREATED
			? []
			: [{ context, write, entity: update.entity, id, properties: update.changes.Properties }];
	});

async function recordsOf(updates: Update[]): Promise<Map<WriteRequest<unknown>, Found>> {
	const found = new Map<WriteRequest<unknown>, Found>();
	const groups = batches(updates, { values: ({ id }) => [id], key: ({ entity }) => entity });
	await forEachLimit(
		groups.length,
		updates[0]?.context.concurrency(DEFAULT_READS) ?? 0,
		async (index) => await read(groups[index], found),
		() => false,
	);
	return found;
}

/** One by one only where the service refuses the query: a property that one item names may be none. */
async function read(group: Update[], found: Map<WriteRequest<unknown>, Found>): Promise<void> {
	const [{ context, entity }] = group;
	const ids = [...new Set(group.map(({ id }) => id))];
	const properties = [...new Set(['Id', ...group.flatMap((one) => one.properties)])];
	const answer = await context.send(valuesQuery(entity, 'Id', ids, properties)).then(
		(rows) => ({ rows: new Map(rows.map((row) => [Number(row.Id), row])) }),
		(failure: unknown) => ({ failure }),
	);
	if ('failure' in answer && group.length > 1 && wasRefused(answer.failure)) {
		for (const one of group) await read([one], found);
		return;
	}
	for (const { write, id } of group) {
		found.set(write, 'failure' in answer ? answer : { record: answer.rows.get(id) });
	}
}

function outcomeOf(
	context: ItemContext,
	records: Map<WriteRequest<unknown>, Found>,
	items: INodeExecutionData[],
): Outcome {
	try {
		// What the operation itself has found out.
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
