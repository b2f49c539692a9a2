import type { Form } from '../../form/form';
import { joinCriteria, and, isIn } from '../../wire/criteria';
import type { FilterContext } from '../../values/names';
import { parseChoice, parseInteger } from '../../values/checks';
import {
	OPTIONAL_STATUSES,
	deadlines,
	type DeadlineName,
	type DeadlineRule,
} from '../deadlines/deadlines';
import { DEFAULT_AGE_HOURS } from '../description';
import type { Feed } from '../feed/feed';
import { readList } from './form';
import { buildOrderPlan, type OrderPlan } from './orders';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MAX_HOURS = 366 * 24;

export function buildDeadlinePlan(
	form: Form,
	context: FilterContext,
): { feed: Feed; deadlineRule: DeadlineRule; orders: OrderPlan } {
	const known = Object.keys(deadlines) as DeadlineName[];
	const name = parseChoice('Deadline', form.param('deadline', 'due'), known);
	const { time, statuses } = deadlines[name];
	const also = readList(form, 'alsoStatuses').map((one) =>
		parseChoice('Also Include Statuses', one, OPTIONAL_STATUSES),
	);
	const own = buildOrderPlan(form, context, 'record');
	const criteria = joinCriteria(and(isIn('StatusId', [...statuses, ...also])), own.criteria);
	return {
		feed: { entity: 'WorkOrder', time, properties: [], criteria, distinct: own.distinct },
		orders: { ...own, criteria, properties: [...own.properties, time, 'TimeZone'] },
		deadlineRule: { name, offsetMs: readOffset(form), ageMs: readAge(form) },
	};
}

function readOffset(form: Form): number {
	const directions = ['before', 'after'] as const;
	const direction = parseChoice('Notify', form.param('offsetDirection', 'before'), directions);
	const input = form.param('offsetMinutes', 0);
	const offset = parseInteger('Minutes', input, 0, MAX_HOURS * 60) * MINUTE_MS;
	return direction === 'before' ? -offset : offset;
}

const readAge = (form: Form) =>
	parseInteger(
		'Oldest (Hours)',
		form.collection('options').oldest ?? DEFAULT_AGE_HOURS,
		1,
		MAX_HOURS,
	) * HOUR_MS;
