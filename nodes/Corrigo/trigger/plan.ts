import type { IPollFunctions } from 'n8n-workflow';

import { entityNamed, fieldsOf, rightEntityFor } from '../catalogue/entities';
import { enumerationOptions } from '../catalogue/enumerations';
import { STATUS_ACTIONS } from '../catalogue/statusActions';
import { chosenProperties } from '../descriptions/properties';
import { identifier, isObject, propertyList, Refusal } from '../protocol/checks';
import { dateTime, oneOf, positiveId, wholeNumber } from '../protocol/values';
import {
	allOf,
	and,
	criteriaFromForm,
	equal,
	isIn,
	keptOnly,
	type Criteria,
} from '../protocol/criteria';
import { utcText } from './cursor';
import { events, isBeside, log, type EventName, type EventType } from './events';
import type { Feed } from './feed';
import { FILTERS, ITEMS_PER_POLL } from './description';

type Output = 'event' | 'both' | 'record';

/** What the form asks for. */
export interface Plan {
	feed: Feed;
	/** UTC; nothing to start with what comes from now on. */
	since?: string;
	/** For feeds by Id: the property that `since` is compared with. */
	made?: string;
	limit: number;
	ignoreApi: boolean;
	latestOnly: boolean;
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

export function planOf(form: IPollFunctions): Plan {
	const name = oneOf('Trigger On', param(form, 'event'), Object.keys(events) as EventName[]);
	const event: EventType = events[name];
	const ignoreApi = param(form, 'ignoreApi') === true;
	const beside = isBeside(event);
	const common = {
		ignoreApi,
		latestOnly: event.latestOnly === true,
		limit: limitOf(form),
		...startOf(form),
		...(event.made === undefined ? {} : { made: event.made }),
	};
	if (name === 'record') return { ...common, ...checkStart(recordPlan(form), common.since) };
	if (!beside && !ignoreApi) {
		const { entity = '', time } = event;
		const { criteria, distinct, properties } = workOrdersOf(form, 'record');
		return { ...common, feed: { entity, time, properties, criteria, distinct } };
	}
	const output = beside
		? oneOf('Output', param(form, 'output', 'both'), ['event', 'both', 'record'] as const)
		: 'record';
	return {
		...common,
		feed: feedBeside(form, name, beside ? event : { ...event, ...log }),
		workOrders: workOrdersOf(form, output),
	};
}

/** Fields that the form does not show have no value at all. */
const param = (form: IPollFunctions, name: string, fallback: unknown = null): unknown => {
	const value: unknown = form.getNodeParameter(name, fallback);
	return isObject(value) && '__rl' in value ? value.value : value;
};

function limitOf(form: IPollFunctions): number {
	const given = collection(form, 'options').batchSize ?? ITEMS_PER_POLL;
	return wholeNumber('Batch Size', given, 1, Number.MAX_SAFE_INTEGER);
}

function collection(form: IPollFunctions, name: string): Record<string, unknown> {
	const fields = param(form, name, {});
	return isObject(fields) ? fields : {};
}

function startOf(form: IPollFunctions): { since?: string } {
	if (oneOf('Start From', param(form, 'startFrom', 'now'), ['now', 'time']) === 'now') return {};
	return { since: utcText(dateTime('Start Time', param(form, 'startTime', ''))) };
}

function recordPlan(form: IPollFunctions): { feed: Feed } {
	const given = identifier('Entity', param(form, 'entity', ''));
	const right = rightEntityFor(given);
	if (right !== undefined) {
		throw new Refusal(`'Entity' is "${given}", which Corrigo does not know`, `Use ${right.name}.`);
	}
	const entity = entityNamed(given)?.name ?? given;
	const time = String(param(form, 'dateProperty', '') ?? '').trim();
	const own = ownCriteria(form, entity);
	const includeRemoved = collection(form, 'options').includeRemoved === true;
	return {
		feed: {
			entity,
			...(time === '' ? {} : { time: dateProperty(entity, time) }),
			properties: propertyList('Properties', param(form, 'properties', '*')),
			criteria: allOf(own, includeRemoved ? undefined : keptOnly(entity)),
			distinct: own !== undefined,
		},
	};
}

/** As the service writes it in its answers; properties that the catalogue lacks are left to it. */
function dateProperty(entity: string, given: string): string {
	const name = identifier('Date Property', given);
	const known = Object.entries(fieldsOf(entity)).find(
		([field]) => field.toLowerCase() === name.toLowerCase(),
	);
	if (known === undefined) return name;
	const [field, type] = known;
	if (type !== 'datetime') {
		throw new Refusal(`'Date Property' is "${field}", which holds no date`);
	}
	return field;
}

function checkStart<T extends { feed: Feed }>(plan: T, since: string | undefined): T {
	if (since !== undefined && plan.feed.time === undefined) {
		throw new Refusal(
			"'Start From' is Given Time, which needs a 'Date Property'",
			"Fill in 'Date Property', or start from now.",
		);
	}
	return plan;
}

const ownCriteria = (form: IPollFunctions, entity: string) =>
	criteriaFromForm(entity, {
		json: param(form, 'criteriaJson', ''),
		match: param(form, 'match', 'all'),
		rows: rows(form, 'conditions'),
	});

function rows(form: IPollFunctions, name: string): Array<Record<string, unknown>> {
	const given = collection(form, name).values;
	return Array.isArray(given) ? given.filter(isObject) : [];
}

/** Changes that stand in a table of their own, beside the work orders. */
function feedBeside(form: IPollFunctions, name: EventName, event: EventType): Feed {
	const { entity = '', time, details = [] } = event;
	const types = actionTypesOf(form, name, event);
	return {
		entity,
		...(time === undefined ? {} : { time }),
		properties: ['*', ...details],
		...(types.length > 0 ? { criteria: and(isIn('TypeId', types)) } : {}),
	};
}

function actionTypesOf(form: IPollFunctions, name: EventName, { logged = [] }: EventType) {
	switch (name) {
		case 'workOrderAction': {
			const known = enumerationOptions('WOActionType').map(({ value }) => value);
			return listed(form, 'actionTypes').map((type) => oneOf('Actions', type, known));
		}
		case 'workOrderEnteredStatus': {
			const statuses = listed(form, 'statuses');
			if (statuses.length === 0) throw new Refusal("'Statuses' is empty");
			const known = Object.keys(STATUS_ACTIONS);
			return statuses.flatMap((status) => STATUS_ACTIONS[oneOf('Statuses', status, known)]);
		}
		default:
			return logged;
	}
}

function listed(form: IPollFunctions, name: string): unknown[] {
	const given = param(form, name, []);
	return Array.isArray(given) ? (given as unknown[]) : [given];
}

function workOrdersOf(form: IPollFunctions, output: Output): OrderPlan {
	const own = ownCriteria(form, 'WorkOrder');
	return {
		output,
		properties: orderProperties(form),
		criteria: allOf(filters(form), apStatuses(form), own),
		distinct: own !== undefined,
	};
}

const orderProperties = (form: IPollFunctions) =>
	chosenProperties(
		'WorkOrder',
		() => param(form, 'propertySet', 'summary'),
		() => param(form, 'properties', '*'),
	);

const LABELS: Record<keyof typeof FILTERS, string> = {
	customer: 'Customer',
	priority: 'Priority',
	subType: 'Sub Type',
	workZone: 'Work Zone',
};

function filters(form: IPollFunctions): Criteria | undefined {
	const given = collection(form, 'filters');
	const conditions = (Object.keys(FILTERS) as Array<keyof typeof FILTERS>)
		.filter((name) => given[name] !== undefined)
		.map((name) => equal(FILTERS[name], idIn(LABELS[name], given[name])));
	return conditions.length > 0 ? and(...conditions) : undefined;
}

function apStatuses(form: IPollFunctions): Criteria | undefined {
	const ids = rows(form, 'apStatuses').map(({ status }) => idIn('AP Statuses', status));
	return ids.length > 0 ? and(isIn('WorkOrderCost.ApStatusId', ids)) : undefined;
}

const idIn = (field: string, value: unknown): number =>
	positiveId(field, isObject(value) && '__rl' in value ? value.value : value);
