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
	const reason = run.dryRunRule === 'manual' ? "'When Testing', and this is a test" : "'Always'";
	return outcomes.map((outcome, item): Outcome => {
		if (!('items' in outcome)) return outcome;
		const context = contexts[item];
		if (context.skippedWrites.length === 0) {
			const items = outcome.items.map((one) => addSummary(context, one));
			return { ...outcome, items, planned: NO_WRITES };
		}
		run.addNotice(
			`Dry Run is ${reason}: nothing was written. The rules of the Company are known to Corrigo alone, which may still refuse what would be sent.`,
		);
		return buildOutcome(context, outcome.items);
	});
}

/** An item that has nothing to write gets a summary and a key; one that only reads does not. */
function addSummary(context: ItemContext, item: INodeExecutionData): INodeExecutionData {
	const Summary = buildUnchangedSummary(item.json, getKnownNames(context).getName);
	if (Summary === undefined) return item;
	const ConfirmationKey = createConfirmationKey(NO_WRITES);
	return { ...item, json: { ...item.json, Summary, ConfirmationKey } };
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

export function describeRequest(request: WriteRequest<unknown>) {
	const { method, path, query, headers = {}, body } = request;
	return {
		method,
		path: query === undefined ? path : `${path}?${new URLSearchParams(query)}`,
		...(Object.keys(headers).length > 0 ? { headers } : {}),
		...(body === undefined ? {} : { body: truncateTexts(body) }),
	};
}
