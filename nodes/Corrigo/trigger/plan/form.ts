import { Form } from '../../form/form';
import { ValidationError, parseDateTime, parseChoice, parseInteger } from '../../values/checks';
import type { TriggerContext } from '../context';
import { toUtcText } from '../feed/cursor';
import { DEFAULT_BATCH_SIZE } from '../description';
import { events, isAttached, isPushed, actionLog, type EventName, type EventType } from '../events';

/** Hidden fields have no value, so the fallback is null. */
export const getForm = (caller: TriggerContext) =>
	new Form((name, fallback = null) => caller.getNodeParameter(name, fallback));

export const readEventName = (form: Form) =>
	parseChoice('Trigger On', form.param('event'), Object.keys(events) as EventName[]);

export function requirePushed(form: Form): void {
	const event = events[readEventName(form)];
	if (isPushed(event)) return;
	throw new ValidationError(
		`'Trigger On' is ${event.name}, of which nothing is pushed`,
		'Use Corrigo Trigger for it.',
	);
}

export const ignoresApi = (form: Form) => form.flag('Ignore API Changes', 'ignoreApi');

/** The log of actions is needed because it alone says who created or updated a work order. */
export const readsLog = (form: Form, event: EventType) =>
	!isAttached(event) && (ignoresApi(form) || form.rows('ignoreChangesBy').length > 0);

/** Returns the entity whose rows are the changes. Unlike the plan, this needs no request. */
export function readFeedEntity(form: Form): string {
	const event: EventType = events[readEventName(form)];
	if (event.entity === undefined) return form.entity();
	return readsLog(form, event) ? actionLog.entity : event.entity;
}

export function readLimit(form: Form): number {
	const input = form.collection('options').batchSize ?? DEFAULT_BATCH_SIZE;
	return parseInteger('Batch Size', input, 1, Number.MAX_SAFE_INTEGER);
}

export const readDelivery = (form: Form) =>
	parseChoice('Delivery', form.collection('options').delivery ?? 'once', ['once', 'atLeastOnce']);

export const readReturns = (form: Form) =>
	parseChoice('Returns', form.param('returns', 'both'), ['event', 'both', 'record'] as const);

export function readStart(form: Form): { since?: string } {
	if (parseChoice('Start From', form.param('startFrom', 'now'), ['now', 'time']) === 'now')
		return {};
	return { since: toUtcText(parseDateTime('Start Time', form.param('startTime', ''))) };
}

export function readList(form: Form, name: string): unknown[] {
	const input = form.param(name, []);
	return Array.isArray(input) ? (input as unknown[]) : [input];
}
