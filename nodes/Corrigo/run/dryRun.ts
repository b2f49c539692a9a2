import type { INodeExecutionData } from 'n8n-workflow';

import type { JsonObject } from '../protocol/checks';
import { wouldSend } from '../protocol/dryRun';
import { subjectOf, summaryOf, summaryWithoutWrite } from '../protocol/dryRunSummary';
import { valueAt } from '../protocol/kinds';
import { plannedChanges, subjectIn, wouldChange } from '../protocol/plannedChanges';
import type { WriteRequest } from '../protocol/requests';
import { confirmationKey, type Planned, type RecordState } from './confirmation';
import { itemOf, type ItemContext } from './context';
import type { Outcome } from './outcome';
import { knownNamesIn } from './resolve';

/** Operations in a dry run build output from placeholder answers, so a summary replaces it. */
export function dryRunOutcomes(contexts: ItemContext[], outcomes: Outcome[]): Outcome[] {
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
	for (const { context, items } of skipped) output[context.index] = outcomeOf(context, items);
	return output;
}

/** An item that has nothing to write gets a summary and a key; one that only reads does not. */
function unwritten(context: ItemContext, item: INodeExecutionData): INodeExecutionData {
	const Summary = summaryWithoutWrite(item.json, knownNamesIn(context).nameOf);
	if (Summary === undefined) return item;
	return { ...item, json: { ...item.json, Summary, ConfirmationKey: confirmationKey(NOTHING) } };
}

const NOTHING: Planned = { writes: [], records: [] };

function outcomeOf(context: ItemContext, items: INodeExecutionData[]): Outcome {
	// The operation determined these without an answer, so they are real.
	const { AlreadyExisted, Changed, NotRestored } = items[0].json;
	const planned = plannedBy(context);
	const [{ Outcome, WouldSend, ...first }, ...then] = context.skippedWrites.map((write) =>
		stepOf(context, write),
	);
	return {
		items: [
			itemOf({
				Outcome,
				...(Changed === undefined ? {} : { Changed }),
				...(NotRestored === undefined ? {} : { NotRestored }),
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
}

function plannedBy(context: ItemContext): Planned {
	const writes = context.skippedWrites;
	const { nameOf } = knownNamesIn(context);
	const records = writes.flatMap(({ dryRun: { plan } }): RecordState[] => {
		if (plan.does !== 'update') return [];
		const { entity, changes, record } = plan;
		const id = changes.Entity.Id;
		const paths = changes.Properties.map((path) => path.replace(/\.\*$/, ''));
		const state = record?.ConcurrencyId ?? paths.map((path) => valueAt(record, path) ?? null);
		return [{ name: subjectOf({ entity, id }, nameOf), state: [entity, id, state] }];
	});
	return { writes, records };
}

function stepOf(context: ItemContext, write: WriteRequest<unknown>): JsonObject {
	const { Outcome, plan } = write.dryRun;
	const { nameOf } = knownNamesIn(context);
	const words = { nameOf, labelOf: (member: string) => context.labels.get(member) };
	const changes = plannedChanges(plan, words);
	const subject = subjectIn(plan, changes)?.member;
	const changed = changes.filter(({ member }) => member !== subject);
	return {
		Outcome,
		Summary: summaryOf(plan, changes, nameOf),
		...(plan.does === 'update' || changed.length > 0 ? { WouldChange: wouldChange(changed) } : {}),
		WouldSend: wouldSend(write),
	};
}
