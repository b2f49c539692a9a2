import type { Form } from '../../form/form';
import { allOf, and, isIn } from '../../protocol/criteria';
import type { FilterContext } from '../../protocol/names';
import { oneOf, wholeNumber } from '../../protocol/values';
import { OPTIONAL_STATUSES, deadlines, type DeadlineName, type DeadlineRule } from '../deadlines';
import { DEFAULT_AGE_HOURS } from '../description';
import type { Feed } from '../feed';
import { listOf } from './form';
import { orderPlan, type OrderPlan } from './orders';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MAX_HOURS = 366 * 24;

export function deadlinePlan(
	form: Form,
	context: FilterContext,
): { feed: Feed; deadlineRule: DeadlineRule; orders: OrderPlan } {
	const known = Object.keys(deadlines) as DeadlineName[];
	const name = oneOf('Deadline', form.param('deadline', 'due'), known);
	const { time, statuses } = deadlines[name];
	const also = listOf(form, 'alsoStatuses').map((one) =>
		oneOf('Also Include Statuses', one, OPTIONAL_STATUSES),
	);
	const own = orderPlan(form, context, 'record');
	const criteria = allOf(and(isIn('StatusId', [...statuses, ...also])), own.criteria);
	return {
		feed: { entity: 'WorkOrder', time, properties: [], criteria, distinct: own.distinct },
		orders: { ...own, criteria, properties: [...own.properties, time, 'TimeZone'] },
		deadlineRule: { name, offsetMs: offsetOf(form), ageMs: ageOf(form) },
	};
}

function offsetOf(form: Form): number {
	const directions = ['before', 'after'] as const;
	const direction = oneOf('Notify', form.param('offsetDirection', 'before'), directions);
	const given = form.param('offsetMinutes', 0);
	const offset = wholeNumber('Minutes', given, 0, MAX_HOURS * 60) * MINUTE_MS;
	return direction === 'before' ? -offset : offset;
}

const ageOf = (form: Form) =>
	wholeNumber(
		'Oldest (Hours)',
		form.collection('options').oldest ?? DEFAULT_AGE_HOURS,
		1,
		MAX_HOURS,
	) * HOUR_MS;
