import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { Form } from '../form/form';
import { Resolver } from '../records/resolver';
import { ComparisonTime, ServiceClock } from '../transport/clock';
import { send } from '../transport/send';
import { remember } from '../values/cache';
import { ValidationError } from '../values/errors';
import type { FilterContext } from '../values/references';
import { buildQueryRequest } from '../wire/requests';
import { buildAdvice, type TriggerContext } from './advice';
import {
	actionLog,
	actionTypesField,
	buildAttachedPlan,
	ignoresAuthors,
	statusesField,
} from './changes/attached';
import { buildNewestQuery } from './feed/feed';
import { buildOrderFeed } from './changes/orders';
import { buildRecordPlan, buildRowPlan } from './changes/records';
import { buildComparisonPlan } from './comparison/plan';
import { buildDeadlinePlan } from './deadlines/deadlines';
import { explainEmpty, getForm } from './description';
import { events, isPushed, type EventType } from './events';
import { MAX_NODES } from './memory';
import type { Plan, PlanParts } from './plan';
import { eventField, readSettings } from './settings';

/** Returns the entity whose rows are the changes. Unlike the plan, this needs no request. */
export function readFeedEntity(form: Form): string {
	const event: EventType = events[form.read(eventField)];
	if (event.strategy !== 'changes') return 'WorkOrder';
	switch (event.rows) {
		case 'actions':
			return actionLog.entity;
		case 'attached':
			return event.entity;
		case 'orders':
			return ignoresAuthors(form) ? actionLog.entity : 'WorkOrder';
		case 'records':
			return form.entity();
	}
}

export function requirePushed(form: Form): void {
	const event = events[form.read(eventField)];
	if (isPushed(event)) return;
	throw new ValidationError(
		`'${eventField.displayName}' is ${event.name}, of which nothing is pushed`,
		'Use Corrigo Trigger for it.',
	);
}

/** Builds the plan to read new changes, or to replay earlier ones. */
export function buildPlan(
	form: Form,
	context: FilterContext,
	use: 'poll' | 'replay' = 'poll',
): Plan {
	const name = form.read(eventField);
	const event: EventType = events[name];
	const settings = readSettings(form);
	return {
		...settings,
		kind: JSON.stringify([name, form.read(actionTypesField), form.read(statusesField)]),
		latestOnly: 'latestOnly' in event,
		...buildParts(form, context, event, { since: settings.since, use }),
	};
}

function buildParts(
	form: Form,
	context: FilterContext,
	event: EventType,
	{ since, use }: { since?: string; use: 'poll' | 'replay' },
): PlanParts {
	if (event.strategy === 'comparison') return buildComparisonPlan(form, context.resolveId);
	if (event.strategy === 'deadlines') return buildDeadlinePlan(form, context);
	if (event.rows === 'records') return buildRecordPlan(form, context.resolveId, since);
	if (event.rows !== 'orders') return buildAttachedPlan(form, context, event);
	// The log alone says who changed a work order, and which changes it had before the last one.
	const needsLog = ignoresAuthors(form) || (use === 'replay' && event.latestOnly);
	if (needsLog) return buildAttachedPlan(form, context, event);
	const { time } = event;
	return buildRowPlan({ ...buildOrderFeed(form, context, time), time });
}

const ADVICE = buildAdvice('The names are looked up again the next time.');

/** Keeps the names and the clock of the most recently used nodes while the process runs. */
const knownNodes = new Map<string, { names: Resolver; clock: ServiceClock }>();

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
		const built = await names.read(requester, { build }).catch(explainEmpty(caller));
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
