import type { INodeExecutionData } from 'n8n-workflow';

import { type JsonObject, readPath } from '../../values/checks';
import type { WriteRequest } from '../../wire/requests';
import { describeSubject, buildSummary, buildUnchangedSummary } from './dryRunSummary';
import { getPlannedChanges, findSubject, formatChanges, truncateTexts } from './plannedChanges';
import { createConfirmationKey, type PlannedWrites, type RecordState } from './confirmation';
import { toItem, type ItemContext, type Outcome } from '../context';
import { getKnownNames } from '../resolve';

/** Operations in a dry run build output from placeholder answers, so a summary replaces it. */
export function applyDryRun(contexts: ItemContext[], outcomes: Outcome[]): Outcome[] {
	const [{ run }] = contexts;
	const output = outcomes.slice();
	const skipped = outcomes.flatMap((outcome, item) => {
		const context = contexts[item];
		if (!('items' in outcome)) return [];
		if (context.skippedWrites.length > 0) return [{ context, items: outcome.items }];
		output[item] = {
			...outcome,
			items: outcome.items.map((one) => addSummary(context, one)),
			planned: NO_WRITES,
		};
		return [];
	});
	if (skipped.length === 0) return output;
	const reason = run.dryRunRule === 'manual' ? "'When Testing', and this is a test" : "'Always'";
	run.addNotice(
		`Dry Run is ${reason}: nothing was written. The rules of the Company are known to Corrigo alone, which may still refuse what would be sent.`,
	);
	for (const { context, items } of skipped) output[context.index] = buildOutcome(context, items);
	return output;
}

/** An item that has nothing to write gets a summary and a key; one that only reads does not. */
function addSummary(context: ItemContext, item: INodeExecutionData): INodeExecutionData {
	const Summary = buildUnchangedSummary(item.json, getKnownNames(context).getName);
	if (Summary === undefined) return item;
	return {
		...item,
		json: { ...item.json, Summary, ConfirmationKey: createConfirmationKey(NO_WRITES) },
	};
}

const NO_WRITES: PlannedWrites = { writes: [], records: [] };

function buildOutcome(context: ItemContext, items: INodeExecutionData[]): Outcome {
	// The operation determined these without an answer, so they are real.
	const { AlreadyExisted, Changed, NotRestored } = items[0].json;
	const planned = getPlannedWrites(context);
	const [{ Outcome, WouldSend, ...first }, ...then] = context.skippedWrites.map((write) =>
		toStep(context, write),
	);
	return {
		items: [
			toItem({
				Outcome,
				...(Changed === undefined ? {} : { Changed }),
				...(NotRestored === undefined ? {} : { NotRestored }),
				...(AlreadyExisted === undefined ? {} : { AlreadyExisted }),
				...first,
				...(then.length > 0 ? { Then: then } : {}),
				ConfirmationKey: createConfirmationKey(planned),
				WouldSend,
			}),
		],
		isDryRun: true,
		planned,
	};
}

function getPlannedWrites(context: ItemContext): PlannedWrites {
	const writes = context.skippedWrites;
	const { getName } = getKnownNames(context);
	const records = writes.flatMap(({ dryRun: { plannedWrite } }): RecordState[] => {
		if (plannedWrite.does !== 'update') return [];
		const { entity, changes, record } = plannedWrite;
		const id = changes.Entity.Id;
		const paths = changes.Properties.map((path) => path.replace(/\.\*$/, ''));
		const state = record?.ConcurrencyId ?? paths.map((path) => readPath(record, path) ?? null);
		return [{ name: describeSubject({ entity, id }, getName), state: [entity, id, state] }];
	});
	return { writes, records };
}

function toStep(context: ItemContext, write: WriteRequest<unknown>): JsonObject {
	const { Outcome, plannedWrite } = write.dryRun;
	const { getName } = getKnownNames(context);
	const words = { getName, findLabel: (member: string) => context.labels.get(member) };
	const changes = getPlannedChanges(plannedWrite, words);
	const subject = findSubject(plannedWrite, changes)?.member;
	const changed = changes.filter(({ member }) => member !== subject);
	return {
		Outcome,
		Summary: buildSummary(plannedWrite, changes, getName),
		...(plannedWrite.does === 'update' || changed.length > 0
			? { WouldChange: formatChanges(changed) }
			: {}),
		WouldSend: describeRequest(write),
	};
}

export function describeRequest({
	method,
	path,
	query,
	headers = {},
	body,
}: WriteRequest<unknown>) {
	return {
		method,
		path: query === undefined ? path : `${path}?${new URLSearchParams(query)}`,
		...(Object.keys(headers).length > 0 ? { headers } : {}),
		...(body === undefined ? {} : { body: truncateTexts(body) }),
	};
}
