import type {
	INode,
	INodeParameters,
	INodeProperties,
	INodePropertyOptions,
	ICredentialDataDecryptedObject,
} from 'n8n-workflow';

import {
	buildLabelExpression,
	buildSearchByField,
	conditionFields,
	entityField,
} from '../form/fields';
import { buildFilterFields } from '../form/filters';
import { Form, outputFields } from '../form/form';
import { explainEmptyFields, refuseEmptyExpression } from '../form/nodeForm';
import { buildOptionsCollection } from '../form/options';
import { Resolver } from '../records/resolver';
import { getDigest } from '../feed/digest';
import { ComparisonTime, ServiceClock } from '../values/times';
import { send } from '../transport/send';
import { remember } from '../values/objects';
import { ValidationError } from '../values/errors';
import type { FilterContext } from '../values/references';
import { buildQueryRequest } from '../wire/requests';
import {
	actionTypesField,
	returnsField,
	statusesField,
	actionLog,
	buildAttachedPlan,
} from './changes/attached';
import {
	apStatuses,
	ignoreApiField,
	ignoredEmployees,
	ignoresAuthors,
	dateField,
	includeRemovedField,
	buildOrderFeed,
	buildRecordPlan,
	buildRowPlan,
} from './changes/records';
import { changes } from './changes/changes';
import {
	beforeField,
	changesField,
	comparedField,
	buildComparisonPlan,
} from './comparison/comparison';
import { deadlineFields, oldestField, buildDeadlinePlan } from './deadlines/deadlines';
import {
	events,
	hasRows,
	isLogged,
	isOfAnyEntity,
	isPushed,
	isSeveral,
	listEventNames,
	type EventType,
} from './events';
import { buildNewestQuery } from '../feed/feed';
import { MAX_NODES } from './state';
import type { Plan, PlanParts, TriggerContext } from './plan';
import {
	readPlanSettings,
	deliveryField,
	batchSizeField,
	lagField,
	startTimeField,
	startFromField,
	eventField,
	eventsField,
} from './fields';
import { buildAdvice } from './service';

const isCompared = hasRows('compared');
const isDeadline = hasRows('deadlines');
/** The rows are actions, notes or documents, which are attached to a work order. */
const isAttached = hasRows('actions', 'attached');

const restrictToEvents = (
	matches: (event: EventType) => boolean,
	field: INodeProperties,
): INodeProperties => ({
	...field,
	displayOptions: { show: { ...field.displayOptions?.show, event: listEventNames(matches) } },
});

/** Shows a field for an event, also if it is one of several. */
const restrictToEvent = (
	matches: (event: EventType) => boolean,
	field: INodeProperties,
): INodeProperties[] => {
	const several = restrictToEvents(isSeveral, field);
	const events = listEventNames(matches);
	return [
		restrictToEvents(matches, field),
		{ ...field, displayOptions: { show: { ...several.displayOptions?.show, events } } },
	];
};

const isOfOrders = (event: EventType) => !isOfAnyEntity(event);
const hasAuthor = (event: EventType) => isPushed(event) && isOfOrders(event);
/** Notes do not say which application made them, but the log does. */
const showsApplication = (event: EventType) =>
	'actionTypes' in event || ('entity' in event && event.entity === 'WoNote');
const countsActions = (types: unknown) => (event: EventType) =>
	'actionTypes' in event && event.actionTypes === types;

/** The subtitle reads, for example, "Work Order Created". */
export const triggerSubtitle = `={{ ${buildLabelExpression(eventField.name, eventField.options)} }}`;

const filtersFields: INodeProperties[] = buildFilterFields('WorkOrder').map((field) =>
	restrictToEvents(isOfOrders, {
		...field,
		description: 'Work orders that trigger the workflow. All filters must match.',
	}),
);

/** Adapts a field to a form with fewer events. The result is empty if none of them shows it. */
export function narrowToEvents(
	field: INodeProperties,
	offered: readonly unknown[],
): INodeProperties[] {
	const isOffered = (event: unknown) => offered.includes(event);
	if (field.name === eventField.name) {
		const options = field.options as INodePropertyOptions[];
		return [{ ...field, options: options.filter(({ value }) => isOffered(value)) }];
	}
	const { show } = field.displayOptions ?? {};
	if (show?.event === undefined) return [field];
	const event = show.event.filter(isOffered);
	return event.length === 0 ? [] : [{ ...field, displayOptions: { show: { ...show, event } } }];
}

/** n8n adds the poll times before these fields. */
export const triggerFields: INodeProperties[] = [
	eventField,
	restrictToEvents(isOfAnyEntity, entityField),
	restrictToEvents((event) => isOfAnyEntity(event) && isPushed(event), dateField),
	restrictToEvents(isCompared, changesField),
	restrictToEvents(isCompared, comparedField),
	restrictToEvents(isCompared, beforeField),
	restrictToEvents(isSeveral, eventsField),
	...restrictToEvent(countsActions('chosen'), actionTypesField),
	...restrictToEvent(countsActions('enteredStatus'), statusesField),
	...restrictToEvent(({ name }) => name === events.invoiceEnteredApStatus.name, apStatuses.field),
	...deadlineFields.map((field) => restrictToEvents(isDeadline, field)),
	...[startFromField, startTimeField].map((field) => restrictToEvents(isPushed, field)),
	restrictToEvents(isAttached, returnsField),
	...outputFields.map((field) => ({
		...field,
		displayOptions: { ...field.displayOptions, hide: { returns: ['event'] } },
	})),
	restrictToEvents(showsApplication, ignoreApiField),
	restrictToEvents(hasAuthor, ignoredEmployees.field),
	restrictToEvents(isOfOrders, buildSearchByField(true)),
	restrictToEvents(isOfAnyEntity, buildSearchByField(false)),
	...filtersFields,
	...conditionFields,
	buildOptionsCollection([
		lagField,
		batchSizeField,
		deliveryField,
		includeRemovedField,
		oldestField,
	]),
];

const ignoring = [ignoreApiField, ignoredEmployees.field].map(({ name }): string => name);

/** Created and updated orders have another source, and so another place, if changes are ignored. */
export const pollingFields = triggerFields.map((field) =>
	ignoring.includes(field.name)
		? {
				...field,
				description: `${field.description} The trigger starts over when you begin or stop ignoring changes of Work Order Created or Work Order Updated.`,
			}
		: field,
);

export const getForm = (caller: TriggerContext) =>
	new Form((name, fallback) => {
		const value: unknown = caller.getNodeParameter(name, fallback as string);
		refuseEmptyExpression(triggerFields, caller.getNode().parameters, name, value);
		return value;
	});

const explainEmpty = (caller: TriggerContext) => (failure: unknown) => {
	if (!(failure instanceof ValidationError)) throw failure;
	const read = (name: string) => caller.getNodeParameter(name);
	throw explainEmptyFields(failure, triggerFields, caller.getNode().parameters, read);
};

/** Returns the entity of a pushed event's rows. Unlike the plan, this needs no request. */
export function readFeedEntity(form: Form): string {
	const event: EventType = events[form.read(eventField)];
	switch (event.rows) {
		case 'actions':
			return actionLog.entity;
		case 'attached':
			return event.entity;
		case 'records':
			return form.entity();
		default:
			return ignoresAuthors(form) ? actionLog.entity : 'WorkOrder';
	}
}

export function requirePushed(form: Form): void {
	const event = events[form.read(eventField)];
	const among = isSeveral(event) ? form.read(eventsField) : [];
	const other = among.map((name) => events[name]).find((one) => !isLogged(one));
	if (other !== undefined) {
		throw new ValidationError(
			`'${eventsField.displayName}' has ${other.name}, which this trigger does not combine with others`,
			`Choose it under '${eventField.displayName}', or use Corrigo Trigger.`,
		);
	}
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
	const settings = readPlanSettings(form);
	return {
		...settings,
		selection: '',
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
	if (event.rows === 'compared') return buildComparisonPlan(form, context);
	if (event.rows === 'deadlines') return buildDeadlinePlan(form, context);
	if (event.rows === 'records') return buildRecordPlan(form, context, since);
	if (event.rows !== 'orders') return buildAttachedPlan(form, context, event);
	// The log alone says who changed a work order, and which changes it had before the last one.
	const needsLog = ignoresAuthors(form) || (use === 'replay' && event.latestOnly);
	if (needsLog) return buildAttachedPlan(form, context, event);
	const { time } = event;
	const followsChanges = 'latestOnly' in event;
	return buildRowPlan(form, { ...buildOrderFeed(form, context, time), time, followsChanges });
}

/** Fields that say which rows of a feed count. */
const SELECTING: readonly string[] = [
	eventField,
	eventsField,
	actionTypesField,
	statusesField,
	apStatuses.field,
	ignoreApiField,
	ignoredEmployees.field,
	buildSearchByField(true),
	...filtersFields,
	...conditionFields,
].map(({ name }) => name);

/**
 * Identifies what counts by the form as it is written, because an expression may return another
 * value at every poll. The order of a list changes nothing.
 */
function identifySelection({ parameters }: INode): string {
	const { includeRemoved } = { ...(parameters.options as INodeParameters) };
	const chosen = Object.fromEntries(SELECTING.map((name) => [name, parameters[name]]));
	return String(getDigest({ ...chosen, includeRemoved }));
}

const ADVICE = buildAdvice('The names are looked up again the next time.');

/** Keeps the names and the clock of the most recently used nodes while the process runs. */
const knownNodes = new Map<string, { names: Resolver; clock: ServiceClock }>();

/**
 * Looks up the names in the form before `deadline`, a time of `performance.now()`. Later polls and
 * pushes reuse the records found, even renamed ones. A manual test looks the names up for itself.
 */
export async function loadPlan(
	caller: TriggerContext,
	{ companyName, region, locatorUrl }: ICredentialDataDecryptedObject,
	deadline: number,
): Promise<Plan> {
	const { id } = caller.getWorkflow();
	const key = JSON.stringify([companyName, region, locatorUrl, id, caller.getNode().id]);
	const isTest = caller.getMode() === 'manual';
	const known = isTest ? undefined : knownNodes.get(key);
	const { names, clock } = known ?? { names: new Resolver(), clock: new ServiceClock() };
	if (!isTest) remember(knownNodes, key, { names, clock }, MAX_NODES);
	const requester = { caller, sendOptions: { advice: ADVICE, deadline, onDate: clock.onDate } };
	const { resolveId, findRows } = names;
	const timeZone = caller.getTimezone();
	const time = new ComparisonTime(clock);
	const load = async (now: () => number) => {
		const build = () => buildPlan(getForm(caller), { resolveId, findRows, now, timeZone });
		const built = await names.resolveForm(requester, { build }).catch(explainEmpty(caller));
		if (time.isGuess) {
			// Every answer carries Corrigo's time, so the smallest possible query is sent.
			const { feed } = built;
			const query = buildNewestQuery(feed, { count: 1, keysOnly: true });
			await send(caller, buildQueryRequest(feed.entity, query), requester.sendOptions);
		}
		return built;
	};
	const plan = await time.repeatIfWrong(load).catch((failure: unknown) => {
		names.forgetUnknown();
		throw failure;
	});
	names.forgetData();
	// Deadlines that count later are delivered then, whatever is edited.
	const isEditable = plan.strategy === changes;
	return isEditable ? { ...plan, selection: identifySelection(caller.getNode()) } : plan;
}
