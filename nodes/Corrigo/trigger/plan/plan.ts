import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { refuseEmptyExpression } from '../../form/expressions';
import { Form, isSimplified, toFlag } from '../../form/form';
import { Resolver } from '../../records/resolver';
import { ComparisonTime, ServiceClock } from '../../transport/clock';
import { send } from '../../transport/send';
import { ValidationError } from '../../values/errors';
import { parseChoice, parseInteger } from '../../values/scalars';
import { parseDateTime } from '../../values/times';
import type { FilterContext } from '../../values/names';
import { remember } from '../../values/cache';
import { buildQueryRequest } from '../../wire/requests';
import { buildAdvice, type TriggerContext } from '../advice';
import { MAX_NODES } from '../memory';
import { buildDeadlinePlan, type DeadlinePlan } from '../deadlines/deadlines';
import { DEFAULT_BATCH_SIZE, properties } from '../description';
import { actionLog, events, isAttached, isPushed, type EventName, type EventType } from '../events';
import { toUtcText } from '../changes/cursor';
import { buildNewestQuery } from '../changes/feed';
import { buildAttachedPlan, buildOrderFeed, type AttachedPlan } from './orders';
import {
	buildComparisonPlan,
	buildRecordPlan,
	type ComparisonPlan,
	type RecordPlan,
} from './records';

/** A plan holds the settings of the node, read from its form. */
export type Plan = ReturnType<typeof readCommonPlan> &
	(RecordPlan | AttachedPlan | DeadlinePlan | ComparisonPlan);

const ADVICE = buildAdvice('The names are looked up again the next time.');

/** Keeps the names and the clock of the most recently used nodes while the process runs. */
const knownNodes = new Map<string, { names: Resolver; clock: ServiceClock }>();

/** Hidden fields have no value, so the fallback is null. */
export const getForm = (caller: TriggerContext) =>
	new Form((name, fallback = null) => {
		const value: unknown = caller.getNodeParameter(name, fallback);
		refuseEmptyExpression(properties, caller.getNode().parameters, name, value);
		return value;
	});

/**
 * Looks up the names in the form before `deadline`, a time of `performance.now()`. Later polls and
 * pushes reuse the records found, even renamed ones. A manual test looks the names up again.
 */
export async function loadPlan(
	caller: TriggerContext,
	{ companyName, region, locatorUrl }: ICredentialDataDecryptedObject,
	deadline: number,
): Promise<Plan> {
	const { id } = caller.getWorkflow();
	const key = JSON.stringify([companyName, region, locatorUrl, id, caller.getNode().id]);
	const known = caller.getMode() === 'manual' ? undefined : knownNodes.get(key);
	const { names, clock } = known ?? { names: new Resolver(), clock: new ServiceClock() };
	// A name that was not found may exist the next time.
	knownNodes.delete(key);
	const requester = { caller, sendOptions: { advice: ADVICE, deadline, onDate: clock.onDate } };
	const { resolveId, findRows } = names;
	const timeZone = caller.getTimezone();
	const time = new ComparisonTime(clock);
	const plan = await time.read(async (now) => {
		const build = () => buildPlan(getForm(caller), { resolveId, findRows, now, timeZone });
		const built = await names.read(requester, { build });
		if (time.isGuess) {
			// Every answer carries Corrigo's time, so the smallest possible query is sent.
			const { feed } = built;
			const query = buildNewestQuery(feed, { count: 1, keysOnly: true });
			await send(caller, buildQueryRequest(feed.entity, query), requester.sendOptions);
		}
		return built;
	});
	remember(knownNodes, key, { names, clock }, MAX_NODES);
	return plan;
}

const readEventName = (form: Form) =>
	parseChoice('Trigger On', form.param('event'), Object.keys(events) as EventName[]);

const ignoresApi = (form: Form) => form.flag('Ignore API Changes', 'ignoreApi');

/** The log of actions is needed because it alone says who created or updated a work order. */
const readsLog = (form: Form, event: EventType) =>
	!isAttached(event) && (ignoresApi(form) || form.rows('ignoreChangesBy').length > 0);

/** Returns the entity whose rows are the changes. Unlike the plan, this needs no request. */
export function readFeedEntity(form: Form): string {
	const event: EventType = events[readEventName(form)];
	if (event.entity === undefined) return form.entity();
	return readsLog(form, event) ? actionLog.entity : event.entity;
}

export function requirePushed(form: Form): void {
	const event = events[readEventName(form)];
	if (isPushed(event)) return;
	throw new ValidationError(
		`'Trigger On' is ${event.name}, of which nothing is pushed`,
		'Use Corrigo Trigger for it.',
	);
}

/**
 * Builds the plan to read new changes, or to replay earlier ones. Only the log of actions has
 * earlier changes of a work order; their keys are built as if the work orders had been read.
 */
export function buildPlan(form: Form, context: FilterContext, isReplay = false): Plan {
	const name = readEventName(form);
	const event: EventType = events[name];
	const common = readCommonPlan(form, name, event);
	if (name === 'record')
		return { ...common, ...buildRecordPlan(form, context.resolveId, common.since) };
	if (name === 'recordEdited')
		return { ...common, ...buildComparisonPlan(form, context.resolveId) };
	if (name === 'workOrderDeadline') return { ...common, ...buildDeadlinePlan(form, context) };
	const attached = isAttached(event);
	const hasOrderKeys = !attached && !readsLog(form, event);
	const orders = buildOrderFeed(form, context, attached ? undefined : event.time);
	if (hasOrderKeys && !(isReplay && common.latestOnly)) {
		const feed = { ...orders, time: event.time };
		return { ...common, type: 'records', feed, order: event.time ?? 'Id', ends: [] };
	}
	const input = form.param('returns', 'both');
	return {
		...common,
		returns: attached ? parseChoice('Returns', input, ['event', 'both', 'record']) : 'record',
		ignoreApi: ignoresApi(form),
		hasOrderKeys,
		orders,
		...buildAttachedPlan(form, context, name, event),
	};
}

function readCommonPlan(
	form: Form,
	name: EventName,
	{ latestOnly = false, timestampProperty }: EventType,
) {
	const { delivery, batchSize, lag } = form.collection('options');
	const atLeastOnce =
		parseChoice('Delivery', delivery ?? 'once', ['once', 'atLeastOnce']) === 'atLeastOnce';
	const size = batchSize ?? DEFAULT_BATCH_SIZE;
	const start = parseChoice('Start From', form.param('startFrom', 'now'), ['now', 'time']);
	return {
		/** Distinguishes the events that read the same source. */
		kind: JSON.stringify([name, form.param('actionTypes', []), form.param('statuses', [])]),
		/** The property with the time of a change, if the feed follows rising IDs. */
		timestampProperty,
		latestOnly,
		/** True if a change may be delivered more than once, each time with the same ChangeKey. */
		atLeastOnce,
		addChangeKey: atLeastOnce,
		/** Maximum number of changes per poll. */
		limit: parseInteger('Batch Size', size, 1, Number.MAX_SAFE_INTEGER),
		/** True if items get a Lag: the time from their change to their delivery. */
		addLag: toFlag('Add Lag', lag),
		isSimplified: isSimplified(form),
		/** The start time in UTC; undefined to start from now. */
		since:
			start === 'now'
				? undefined
				: toUtcText(parseDateTime('Start Time', form.param('startTime', ''))),
	};
}
