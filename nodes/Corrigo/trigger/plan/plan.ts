import { flagOf } from '../../form/form';
import type { RecordNames } from '../../protocol/names';
import { oneOf } from '../../protocol/values';
import type { TriggerContext } from '../context';
import type { DeadlineRule } from '../deadlines';
import { events, isBeside, actionLog, type EventType } from '../events';
import type { Feed } from '../feed';
import { hintsFor } from '../hints';
import { namedBy } from '../names';
import { feedBeside } from './attached';
import { deadlinePlan } from './deadlines';
import { deliveryOf, eventIn, formOf, ignoresApi, limitOf, startOf } from './form';
import { workOrdersOf, type OrderPlan } from './orders';
import { recordPlan } from './records';

/** What the form asks for. */
export interface Plan {
	feed: Feed;
	/** UTC; nothing to start with what comes from now on. */
	since?: string;
	/** For feeds by Id: the property that `since` is compared with. */
	made?: string;
	limit: number;
	/** Whether what a poll handed out is handed out again when n8n may have died with it. */
	again: boolean;
	/** Whether items say how long after their change they come. */
	lag: boolean;
	ignoreApi: boolean;
	latestOnly: boolean;
	/** Where no changes are told of, but deadlines that pass. */
	deadline?: DeadlineRule;
	/** Nothing where a row of the feed is itself what is handed out. */
	workOrders?: OrderPlan;
}

const HINTS = hintsFor('The names are looked up again the next time.');

/** What the form names is looked up before `deadline`, as `performance.now()` has it. */
export async function planOf(caller: TriggerContext, deadline: number): Promise<Plan> {
	const reader = { caller, sendOptions: { hints: HINTS, deadline } };
	return await namedBy(reader, (names) => planFrom(caller, names));
}

function planFrom(caller: TriggerContext, names: RecordNames): Plan {
	const form = formOf(caller);
	const name = eventIn(form);
	const event: EventType = events[name];
	const ignoreApi = ignoresApi(form);
	const beside = isBeside(event);
	const common = {
		ignoreApi,
		latestOnly: event.latestOnly === true,
		limit: limitOf(form),
		again: deliveryOf(form) === 'atLeastOnce',
		lag: flagOf('Add Lag', form.collection('options').lag),
		...startOf(form),
		...(event.made === undefined ? {} : { made: event.made }),
	};
	if (name === 'record') return { ...common, ...recordPlan(form, names.idOf, common.since) };
	if (name === 'workOrderDeadline') return { ...common, ...deadlinePlan(form, names) };
	if (!beside && !ignoreApi) {
		const { entity = '', time } = event;
		const { criteria, distinct, properties } = workOrdersOf(form, names, 'record');
		return { ...common, feed: { entity, time, properties, criteria, distinct } };
	}
	const output = beside
		? oneOf('Output', form.param('output', 'both'), ['event', 'both', 'record'] as const)
		: 'record';
	return {
		...common,
		feed: feedBeside(form, name, beside ? event : { ...event, ...actionLog }),
		workOrders: workOrdersOf(form, names, output),
	};
}
