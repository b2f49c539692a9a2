import type { INodeExecutionData } from 'n8n-workflow';

import { batches } from '../protocol/batches';
import type { JsonObject } from '../protocol/checks';
import { wouldChange, wouldSend } from '../protocol/dryRun';
import { NOT_MADE, valuesQuery, type WriteRequest } from '../protocol/requests';
import { notFound, wasForbidden, wasRefused } from '../transport/errors';
import { itemOf, USUAL_READS, type Call } from './context';
import { inLanes } from './mapLimit';
import type { Outcome } from './outcome';

/** One update that was not sent, and what it would have changed. */
interface Update {
	call: Call;
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
export async function rehearsals(calls: Call[], outcomes: Outcome[]): Promise<Outcome[]> {
	const rehearsed = outcomes.flatMap((outcome, item) =>
		'items' in outcome && calls[item].rehearsed.length > 0
			? [{ call: calls[item], items: outcome.items }]
			: [],
	);
	if (rehearsed.length === 0) return outcomes;
	rehearsed[0].call.run.hint(
		'Dry Run: nothing was written. The rules of the Company are known to Corrigo alone, which may still refuse what would be sent.',
	);
	const records = await recordsOf(rehearsed.flatMap(({ call }) => updatesIn(call)));
	const told = [...outcomes];
	for (const { call, items } of rehearsed) told[call.item] = outcomeOf(call, records, items);
	return told;
}

const updatesIn = (call: Call): Update[] =>
	call.rehearsed.flatMap((write) => {
		const { update } = write.rehearsal;
		const id = Number(update?.changes.Entity.Id ?? NOT_MADE);
		return update === undefined || update.record !== undefined || id === NOT_MADE
			? []
			: [{ call, write, entity: update.entity, id, properties: update.changes.Properties }];
	});

async function recordsOf(updates: Update[]): Promise<Map<WriteRequest<unknown>, Found>> {
	const found = new Map<WriteRequest<unknown>, Found>();
	const groups = batches(updates, { values: ({ id }) => [id], key: ({ entity }) => entity });
	await inLanes(
		groups.length,
		updates[0]?.call.lanes(USUAL_READS) ?? 0,
		async (index) => await read(groups[index], found),
		() => false,
	);
	return found;
}

/** One by one only where the service refuses the query: a property that one item names may be none. */
async function read(group: Update[], found: Map<WriteRequest<unknown>, Found>): Promise<void> {
	const [{ call, entity }] = group;
	const ids = [...new Set(group.map(({ id }) => id))];
	const properties = [...new Set(['Id', ...group.flatMap((one) => one.properties)])];
	const answer = await call.send(valuesQuery(entity, 'Id', ids, properties)).then(
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
	call: Call,
	records: Map<WriteRequest<unknown>, Found>,
	items: INodeExecutionData[],
): Outcome {
	try {
		// What the operation itself has found out.
		const { AlreadyExisted, Changed } = items[0].json;
		const [first, ...then] = call.rehearsed.map((write) => stepOf(call, write, records.get(write)));
		return {
			items: [
				itemOf({
					...(AlreadyExisted === undefined ? {} : { AlreadyExisted }),
					...first,
					...(Changed === undefined ? {} : { Changed }),
					...(then.length > 0 ? { Then: then } : {}),
				}),
			],
			rehearsed: true,
		};
	} catch (failure) {
		return { failure };
	}
}

function stepOf(call: Call, write: WriteRequest<unknown>, read: Found | undefined): JsonObject {
	const { Outcome, update } = write.rehearsal;
	const step = { WouldSend: wouldSend(write), ...(Outcome ? { Outcome } : {}) };
	const found = update?.record === undefined ? read : { record: update.record };
	if (update === undefined || found === undefined) return step;
	const { entity, changes } = update;
	if ('failure' in found) {
		if (!wasForbidden(found.failure)) throw found.failure;
		call.run.hint(`What would change in ${entity} records is not known: they may not be read.`);
		return step;
	}
	if (found.record !== undefined) {
		return { ...step, WouldChange: wouldChange(entity, changes, found.record) };
	}
	throw notFound(call.caller.getNode(), entity, changes.Entity.Id);
}
