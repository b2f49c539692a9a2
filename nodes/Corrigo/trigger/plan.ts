import { entityNamed, fieldsOf, keyPropertiesOf, suggestEntity } from '../catalogue/entities';
import { enumerationOptions } from '../catalogue/enumerations';
import { memberLabel } from '../catalogue/enumerations/labels';
import { localTime } from '../catalogue/localTimes';
import { STATUS_ACTIONS } from '../catalogue/statusActions';
import { flagOf, Form } from '../form/form';
import { filterCriteria, repeatRows } from '../form/filters';
import { chosenProperties } from '../form/properties';
import { targetOfKind } from '../form/references';
import { identifier, propertyList, ValidationError } from '../protocol/checks';
import type { IdOf, RecordNames } from '../protocol/names';
import { dateTime, oneOf, wholeNumber } from '../protocol/values';
import { allOf, and, criteriaFromForm, isIn, keptOnly, type Criteria } from '../protocol/criteria';
import { utcText } from './cursor';
import { CLOSED, deadlines, type DeadlineName, type DeadlineRule } from './deadlines';
import { events, isBeside, log, type EventName, type EventType } from './events';
import type { Feed } from './feed';
import { ITEMS_PER_POLL, DEFAULT_AGE_HOURS } from './description';
import { hintsFor } from './hints';
import { namedBy } from './names';
import type { TriggerContext } from './context';

type Output = 'event' | 'both' | 'record';

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

export interface OrderPlan {
	output: Output;
	properties: string[];
	/** What the order of a change must fulfil; changes of other orders are passed over. */
	criteria?: Criteria;
	distinct: boolean;
}

// Fields that the form does not show have no value at all.
export const formOf = (caller: TriggerContext) =>
	new Form((name, fallback = null) => caller.getNodeParameter(name, fallback));

const eventIn = (form: Form) =>
	oneOf('Trigger On', form.param('event'), Object.keys(events) as EventName[]);

const ignoresApi = (form: Form) => form.flag('Ignore API Changes', 'ignoreApi');

/** Whose rows are the changes. It takes no request to know that, as it may for the whole plan. */
export function feedEntity(form: Form): string {
	const name = eventIn(form);
	const event: EventType = events[name];
	if (name === 'record') return recordEntity(form);
	const isLogged = !isBeside(event) && ignoresApi(form);
	return isLogged ? log.entity : (event.entity ?? '');
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
	if (name === 'record')
		return { ...common, ...checkStart(recordPlan(form, names.idOf), common.since) };
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
		feed: feedBeside(form, name, beside ? event : { ...event, ...log }),
		workOrders: workOrdersOf(form, names, output),
	};
}

function limitOf(form: Form): number {
	const given = form.collection('options').batchSize ?? ITEMS_PER_POLL;
	return wholeNumber('Batch Size', given, 1, Number.MAX_SAFE_INTEGER);
}

const deliveryOf = (form: Form) =>
	oneOf('Delivery', form.collection('options').delivery ?? 'once', ['once', 'atLeastOnce']);

function startOf(form: Form): { since?: string } {
	if (oneOf('Start From', form.param('startFrom', 'now'), ['now', 'time']) === 'now') return {};
	return { since: utcText(dateTime('Start Time', form.param('startTime', ''))) };
}

function recordEntity(form: Form): string {
	const given = identifier('Entity', form.param('entity', ''));
	const right = suggestEntity(given);
	if (right !== undefined) {
		throw new ValidationError(
			`'Entity' is "${given}", which Corrigo does not know`,
			`Use ${right.name}.`,
		);
	}
	return entityNamed(given)?.name ?? given;
}

function recordPlan(form: Form, idOf: IdOf): { feed: Feed } {
	const entity = recordEntity(form);
	const time = String(form.param('dateProperty', '') ?? '').trim();
	mustHaveIds(entity);
	const own = ownCriteria(form, entity, idOf);
	const includeRemoved = flagOf('Include Removed', form.collection('options').includeRemoved);
	return {
		feed: {
			entity,
			...(time === '' ? {} : { time: dateProperty(entity, time) }),
			properties: propertyList('Properties', form.param('properties', '*')),
			criteria: allOf(own, includeRemoved ? undefined : keptOnly(entity)),
			distinct: own !== undefined,
		},
	};
}

/** Changes are told apart by time and Id. */
function mustHaveIds(entity: string): void {
	const key = keyPropertiesOf(entity);
	if (key === undefined || key.join() === 'Id') return;
	throw new ValidationError(
		`'Entity' is ${entity}, of which several records share an ID: changes cannot be told apart`,
		`${key.join(' and ')} tell them apart: read them with Get Many and compare.`,
	);
}

/**
 * As the service writes it in its answers, and in UTC where it has both: times on the clocks of many
 * zones are in no order. Properties that the catalogue lacks are left to it.
 */
function dateProperty(entity: string, given: string): string {
	const name = identifier('Date Property', given);
	const known = Object.entries(fieldsOf(entity)).find(
		([field]) => field.toLowerCase() === name.toLowerCase(),
	);
	if (known === undefined) return name;
	const [field, type] = known;
	if (type !== 'datetime') {
		throw new ValidationError(`'Date Property' is "${field}", which holds no date`);
	}
	return localTime(entity, field)?.utc ?? field;
}

function checkStart<T extends { feed: Feed }>(plan: T, since: string | undefined): T {
	if (since !== undefined && plan.feed.time === undefined) {
		throw new ValidationError(
			"'Start From' is Given Time, which needs a 'Date Property'",
			"Fill in 'Date Property', or start from now.",
		);
	}
	return plan;
}

const ownCriteria = (form: Form, entity: string, idOf: IdOf) =>
	criteriaFromForm(
		entity,
		{
			json: form.param('criteriaJson', ''),
			match: form.param('match', 'all'),
			rows: form.choices('conditions'),
		},
		idOf,
	);

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A year. */
const MAX_HOURS = 366 * 24;

function deadlinePlan(
	form: Form,
	names: RecordNames,
): Pick<Plan, 'feed' | 'deadline' | 'workOrders'> {
	const known = Object.keys(deadlines) as DeadlineName[];
	const deadline = oneOf('Deadline', form.param('deadline', 'due'), known);
	const { time, statuses } = deadlines[deadline];
	const also = listed(form, 'alsoStatuses').map((one) => oneOf('Also Count Orders', one, CLOSED));
	const own = workOrdersOf(form, names, 'record');
	const criteria = allOf(and(isIn('StatusId', [...statuses, ...also])), own.criteria);
	return {
		feed: { entity: 'WorkOrder', time, properties: [], criteria, distinct: own.distinct },
		workOrders: { ...own, criteria, properties: [...own.properties, time, 'TimeZone'] },
		deadline: { deadline, offsetMs: offsetOf(form), ageMs: ageOf(form) },
	};
}

function offsetOf(form: Form): number {
	const directions = ['before', 'after'] as const;
	const direction = oneOf('Tell', form.param('offsetDirection', 'before'), directions);
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

/** Changes that stand in a table of their own, beside the work orders. */
function feedBeside(form: Form, name: EventName, event: EventType): Feed {
	const { entity = '', time, details = [] } = event;
	const types = actionTypesOf(form, name, event);
	return {
		entity,
		time,
		properties: ['*', ...details],
		...(types.length > 0 ? { criteria: and(isIn('TypeId', types)) } : {}),
	};
}

function actionTypesOf(form: Form, name: EventName, { logged = [] }: EventType) {
	switch (name) {
		case 'workOrderAction': {
			const known = enumerationOptions('WOActionType').map(({ value }) => value);
			const label = (type: string) => memberLabel('WOActionType', type);
			return listed(form, 'actionTypes').map((type) => oneOf('Actions', type, known, label));
		}
		case 'workOrderEnteredStatus': {
			const statuses = listed(form, 'statuses');
			if (statuses.length === 0) throw new ValidationError("'Statuses' is empty");
			const known = Object.keys(STATUS_ACTIONS);
			const label = (status: string) => memberLabel('WorkOrderStatus', status);
			return statuses.flatMap((status) => STATUS_ACTIONS[oneOf('Statuses', status, known, label)]);
		}
		default:
			return logged;
	}
}

function listed(form: Form, name: string): unknown[] {
	const given = form.param(name, []);
	return Array.isArray(given) ? (given as unknown[]) : [given];
}

function workOrdersOf(form: Form, names: RecordNames, output: Output): OrderPlan {
	const own = ownCriteria(form, 'WorkOrder', names.idOf);
	return {
		output,
		properties: orderProperties(form),
		criteria: allOf(
			filterCriteria('WorkOrder', form.collection('filters'), names),
			apStatuses(form, names.idOf),
			own,
		),
		distinct: own !== undefined || repeatRows('WorkOrder', form.collection('filters')),
	};
}

const orderProperties = (form: Form) =>
	chosenProperties(
		'WorkOrder',
		() => form.param('propertySet', 'summary'),
		() => form.param('properties', '*'),
	);

function apStatuses(form: Form, idOf: IdOf): Criteria | undefined {
	const target = targetOfKind('apStatus');
	const ids = form.rows('apStatuses').map(({ status }) => idOf('AP Statuses', status, target));
	return ids.length > 0 ? and(isIn('WorkOrderCost.ApStatusId', ids)) : undefined;
}
