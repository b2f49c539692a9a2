import { toFlag, type Form } from '../../form/form';
import type { FilterContext } from '../../values/names';
import { remember } from '../../values/tools';
import { Resolver } from '../../records/resolver';
import { ComparisonTime, ServiceClock } from '../../transport/clock';
import { send } from '../../transport/send';
import { buildQueryRequest } from '../../wire/requests';
import type { TriggerContext } from '../context';
import type { DeadlineRule } from '../deadlines/deadlines';
import { actionLog, events, isAttached, type EventType, type VisitTime } from '../events';
import { buildNewestQuery, type Feed } from '../feed/feed';
import { buildAdvice } from '../advice';
import { buildAttachedPlan, type AttachedPlan } from './attached';
import { buildDeadlinePlan } from './deadlines';
import {
	readDelivery,
	readEventName,
	getForm,
	ignoresApi,
	readLimit,
	readsLog,
	readReturns,
	readStart,
} from './form';
import { buildOrderPlan, type OrderPlan } from './orders';
import { buildComparisonPlan, buildRecordPlan, type Comparison } from './records';

/** A plan holds the settings of the node, read from its form. */
export interface Plan {
	feed: Feed;
	/** The start time in UTC; undefined to start from now. */
	since?: string;
	/** The property with the time of a change, if the feed follows rising IDs. */
	timestampProperty?: string;
	limit: number;
	/** True if a change may be delivered more than once, each time with the same ChangeKey. */
	atLeastOnce: boolean;
	addChangeKey: boolean;
	/** True if a ChangeKey names the changed work order rather than the row of the feed. */
	hasOrderKeys?: boolean;
	/** True if items get a Lag: the time from their change to their delivery. */
	addLag: boolean;
	ignoreApi: boolean;
	/** Returns whether the author of a change is ignored. */
	isIgnored?: AttachedPlan['isIgnored'];
	latestOnly: boolean;
	/** True if actions that leave the status unchanged are ignored. */
	changesStatus: boolean;
	/** Set if only visits of service providers count. */
	visit?: VisitTime;
	/** Members with the IDs of other records, whose names are added next to them. */
	ends?: readonly string[];
	/** Set if the event is a deadline that passes. */
	deadlineRule?: DeadlineRule;
	/** Set if all records are compared with their earlier versions. */
	comparison?: Comparison;
	/** Says how the work orders of the rows are read. Unset if the row is the whole item. */
	orders?: OrderPlan;
}

const ADVICE = buildAdvice('The names are looked up again the next time.');

/** Limits the nodes whose names are kept. */
const MAX_NODES = 1000;

/**
 * Keeps the resolved names and the clock of the most recently used nodes while the process runs.
 */
const knownNodes = new Map<string, { names: Resolver; clock: ServiceClock }>();

/**
 * Looks up the names in the form before `deadline`, a time of `performance.now()`. Later polls and
 * pushes reuse the records found, even if these have been renamed. A manual test looks the names up
 * again.
 */
export async function loadPlan(caller: TriggerContext, deadline: number): Promise<Plan> {
	const { companyName, region, locatorUrl } = await caller.getCredentials('corrigoApi');
	const { id } = caller.getWorkflow();
	const key = JSON.stringify([companyName, region, locatorUrl, id, caller.getNode().id]);
	const known = caller.getMode() === 'manual' ? undefined : knownNodes.get(key);
	const { names, clock } = known ?? { names: new Resolver(), clock: new ServiceClock() };
	// A name that was not found may exist the next time.
	knownNodes.delete(key);
	const requester = { caller, sendOptions: { advice: ADVICE, deadline, onDate: clock.onDate } };
	const { resolveId, findRows } = names;
	const time = new ComparisonTime(clock);
	const plan = await time.read(async (now) => {
		const build = () => buildPlan(getForm(caller), { resolveId, findRows, now });
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

/**
 * Builds the plan to read new changes, or to replay earlier ones. Only the log of actions has
 * earlier changes of a work order; their keys are built as if the work orders had been read.
 */
export function buildPlan(form: Form, context: FilterContext, isReplay = false): Plan {
	const name = readEventName(form);
	const event: EventType = events[name];
	const attached = isAttached(event);
	const atLeastOnce = readDelivery(form) === 'atLeastOnce';
	const common = {
		ignoreApi: ignoresApi(form),
		latestOnly: event.latestOnly === true,
		changesStatus: event.changesStatus === true,
		visit: event.visit,
		limit: readLimit(form),
		atLeastOnce,
		addChangeKey: atLeastOnce,
		addLag: toFlag('Add Lag', form.collection('options').lag),
		...readStart(form),
		timestampProperty: event.timestampProperty,
	};
	if (name === 'record')
		return { ...common, ...buildRecordPlan(form, context.resolveId, common.since) };
	if (name === 'recordEdited')
		return { ...common, ...buildComparisonPlan(form, context.resolveId) };
	if (name === 'workOrderDeadline') return { ...common, ...buildDeadlinePlan(form, context) };
	const hasOrderKeys = !attached && !readsLog(form, event);
	const isFromLog = !hasOrderKeys || (isReplay && common.latestOnly);
	if (!isFromLog) {
		const { entity = '', time } = event;
		const { criteria, distinct, properties } = buildOrderPlan(form, context, 'record');
		return { ...common, feed: { entity, time, properties, criteria, distinct } };
	}
	const returns = attached ? readReturns(form) : 'record';
	const source = attached ? event : { ...event, ...actionLog };
	return {
		...common,
		...buildAttachedPlan(form, context, name, source),
		hasOrderKeys,
		orders: buildOrderPlan(form, context, returns),
	};
}
