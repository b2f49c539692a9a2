import { Form } from '../../form/form';
import { ValidationError } from '../../protocol/checks';
import { dateTime, oneOf, wholeNumber } from '../../protocol/values';
import type { TriggerContext } from '../context';
import { utcText } from '../cursor';
import { ITEMS_PER_POLL } from '../description';
import { events, isAttached, isPushed, actionLog, type EventName, type EventType } from '../events';

/** Hidden fields have no value, so the fallback is null. */
export const formOf = (caller: TriggerContext) =>
	new Form((name, fallback = null) => caller.getNodeParameter(name, fallback));

export const eventIn = (form: Form) =>
	oneOf('Trigger On', form.param('event'), Object.keys(events) as EventName[]);

export function mustBePushed(form: Form): void {
	const event = events[eventIn(form)];
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
export function feedEntity(form: Form): string {
	const event: EventType = events[eventIn(form)];
	if (event.entity === undefined) return form.entity();
	return readsLog(form, event) ? actionLog.entity : event.entity;
}

export function limitOf(form: Form): number {
	const given = form.collection('options').batchSize ?? ITEMS_PER_POLL;
	return wholeNumber('Batch Size', given, 1, Number.MAX_SAFE_INTEGER);
}

export const deliveryOf = (form: Form) =>
	oneOf('Delivery', form.collection('options').delivery ?? 'once', ['once', 'atLeastOnce']);

export const returnsOf = (form: Form) =>
	oneOf('Returns', form.param('returns', 'both'), ['event', 'both', 'record'] as const);

export function startOf(form: Form): { since?: string } {
	if (oneOf('Start From', form.param('startFrom', 'now'), ['now', 'time']) === 'now') return {};
	return { since: utcText(dateTime('Start Time', form.param('startTime', ''))) };
}

export function listOf(form: Form, name: string): unknown[] {
	const given = form.param(name, []);
	return Array.isArray(given) ? (given as unknown[]) : [given];
}
