import { flagOf, type Form } from '../../form/form';
import type { FilterContext } from '../../protocol/names';
import { remember } from '../../protocol/remember';
import { Resolver } from '../../records/resolver';
import { ServiceClock } from '../../transport/clock';
import { readAtServiceTime } from '../askTime';
import type { TriggerContext } from '../context';
import type { DeadlineRule } from '../deadlines';
import { actionLog, events, isAttached, type EventType, type VisitTime } from '../events';
import type { Feed } from '../feed';
import { hintsFor } from '../hints';
import { attachedPlan, type AttachedPlan } from './attached';
import { deadlinePlan } from './deadlines';
import {
	deliveryOf,
	eventIn,
	formOf,
	ignoresApi,
	limitOf,
	readsLog,
	returnsOf,
	startOf,
} from './form';
import { orderPlan, type OrderPlan } from './orders';
import { comparisonPlan, recordPlan, type Comparison } from './records';

/** The settings of the node, read from its form. */
export interface Plan {
	feed: Feed;
	/** UTC; undefined to start from now. */
	since?: string;
	/** For feeds by Id: the property with the time of a change. */
	timestampProperty?: string;
	limit: number;
	/** Whether a change may come more than once, each time with the same ChangeKey. */
	atLeastOnce: boolean;
	/** Whether items have a ChangeKey. */
	addChangeKey: boolean;
	/** Whether changes in the log have the keys of the orders that they changed. */
	hasOrderKeys?: boolean;
	/** Whether items have a Lag, the time from their change to their delivery. */
	addLag: boolean;
	ignoreApi: boolean;
	/** Leaves out changes by some employees. */
	isIgnored?: AttachedPlan['isIgnored'];
	latestOnly: boolean;
	/** Whether actions that leave the status as it was are left out. */
	changesStatus: boolean;
	/** Set where only visits of service providers count. */
	visit?: VisitTime;
	/** The members with the Ids of other records, whose names rows have next to them. */
	ends?: readonly string[];
	/** Set where the event is a deadline that passes. */
	deadlineRule?: DeadlineRule;
	/** Set where all records are compared with what they were. */
	comparison?: Comparison;
	/** How work orders are read to the rows of the feed; undefined where a row is all of its item. */
	orders?: OrderPlan;
}

const HINTS = hintsFor('The names are looked up again the next time.');

/** Nodes whose names are kept. */
const MAX_NODES = 1000;

/** Resolved names of the nodes that were read last, and the clock, for as long as this process lives. */
const knownTo = new Map<string, { names: Resolver; clock: ServiceClock }>();

/**
 * Names in the form are looked up before `deadline`, by the clock of `performance.now()`, and once: the
 * next polls and pushes ask for none of them, and go on with the same records whatever these are called
 * by then. A manual test looks the names up again.
 */
export async function planOf(caller: TriggerContext, deadline: number): Promise<Plan> {
	const { companyName, region, locatorUrl } = await caller.getCredentials('corrigoApi');
	const { id } = caller.getWorkflow();
	const key = JSON.stringify([companyName, region, locatorUrl, id, caller.getNode().id]);
	const known = caller.getMode() === 'manual' ? undefined : knownTo.get(key);
	const { names, clock } = known ?? { names: new Resolver(), clock: new ServiceClock() };
	// A name that was not found may exist the next time.
	knownTo.delete(key);
	const requester = { caller, sendOptions: { hints: HINTS, deadline, onDate: clock.onDate } };
	const { idOf, rowsOf } = names;
	const plan = await readAtServiceTime(
		requester,
		clock,
		async (now) =>
			await names.read(requester, () => planFrom(formOf(caller), { idOf, rowsOf, now })),
	);
	remember(knownTo, key, { names, clock }, MAX_NODES);
	return plan;
}

/**
 * The plan to read what comes, or to replay what has been. Only the log of actions still has the earlier
 * changes of an order, whose keys are then made as if the orders had been read.
 */
export function planFrom(form: Form, context: FilterContext, isReplay = false): Plan {
	const name = eventIn(form);
	const event: EventType = events[name];
	const attached = isAttached(event);
	const atLeastOnce = deliveryOf(form) === 'atLeastOnce';
	const common = {
		ignoreApi: ignoresApi(form),
		latestOnly: event.latestOnly === true,
		changesStatus: event.changesStatus === true,
		visit: event.visit,
		limit: limitOf(form),
		atLeastOnce,
		addChangeKey: atLeastOnce,
		addLag: flagOf('Add Lag', form.collection('options').lag),
		...startOf(form),
		timestampProperty: event.timestampProperty,
	};
	if (name === 'record') return { ...common, ...recordPlan(form, context.idOf, common.since) };
	if (name === 'recordEdited') return { ...common, ...comparisonPlan(form, context.idOf) };
	if (name === 'workOrderDeadline') return { ...common, ...deadlinePlan(form, context) };
	const hasOrderKeys = !attached && !readsLog(form, event);
	const isFromLog = !hasOrderKeys || (isReplay && common.latestOnly);
	if (!isFromLog) {
		const { entity = '', time } = event;
		const { criteria, distinct, properties } = orderPlan(form, context, 'record');
		return { ...common, feed: { entity, time, properties, criteria, distinct } };
	}
	const returns = attached ? returnsOf(form) : 'record';
	const source = attached ? event : { ...event, ...actionLog };
	return {
		...common,
		...attachedPlan(form, context, name, source),
		hasOrderKeys,
		orders: orderPlan(form, context, returns),
	};
}
