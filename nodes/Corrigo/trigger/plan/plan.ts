import type { Form } from '../../form/form';
import type { FilterContext } from '../../values/references';
import { ValidationError } from '../../values/errors';
import { buildDeadlinePlan, type DeadlinePlan } from '../deadlines/deadlines';
import { actionLog, events, isAttached, isPushed, type EventType } from '../events';
import { eventField, readCommonPlan } from './common';
import {
	buildAttachedPlan,
	buildOrderFeed,
	ignoreApiField,
	ignoredEmployees,
	returnsField,
	type AttachedPlan,
} from './orders';
import {
	buildComparisonPlan,
	buildRecordPlan,
	type ComparisonPlan,
	type RecordPlan,
} from './records';

/** A plan holds the settings of the node, read from its form. */
export type Plan = ReturnType<typeof readCommonPlan> &
	(RecordPlan | AttachedPlan | DeadlinePlan | ComparisonPlan);

/** The log of actions is needed because it alone says who created or updated a work order. */
const readsLog = (form: Form, event: EventType) =>
	!isAttached(event) &&
	(form.read(ignoreApiField) || form.readRows(ignoredEmployees.field).length > 0);

/** Returns the entity whose rows are the changes. Unlike the plan, this needs no request. */
export function readFeedEntity(form: Form): string {
	const event: EventType = events[form.read(eventField)];
	if (event.entity === undefined) return form.entity();
	return readsLog(form, event) ? actionLog.entity : event.entity;
}

export function requirePushed(form: Form): void {
	const event = events[form.read(eventField)];
	if (isPushed(event)) return;
	throw new ValidationError(
		`'${eventField.displayName}' is ${event.name}, of which nothing is pushed`,
		'Use Corrigo Trigger for it.',
	);
}

/**
 * Builds the plan to read new changes, or to replay earlier ones. Only the log of actions has
 * earlier changes of a work order; their keys are built as if the work orders had been read.
 */
export function buildPlan(form: Form, context: FilterContext, isReplay = false): Plan {
	const name = form.read(eventField);
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
	return {
		...common,
		returns: attached ? form.read(returnsField) : 'record',
		ignoreApi: form.read(ignoreApiField),
		hasOrderKeys,
		orders,
		...buildAttachedPlan(form, context, name, event),
	};
}
