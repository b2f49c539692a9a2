import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { explainEmptyFields, refuseEmptyExpression } from '../form/nodeForm';
import {
	buildLabelExpression,
	buildSearchByField,
	conditionFields,
	entityField,
} from '../form/fields';
import { buildFilterFields } from '../form/filters';
import { Form, outputFields } from '../form/form';
import { buildOptionsCollection } from '../form/options';
import { ValidationError } from '../values/errors';
import type { TriggerContext } from './advice';
import {
	actionTypesField,
	ignoreApiField,
	ignoredEmployees,
	returnsField,
	statusesField,
} from './changes/attached';
import { apStatuses } from './changes/orders';
import { dateField, includeRemovedField } from './changes/records';
import { changesField, comparedField } from './comparison/plan';
import { deadlineFields, oldestField } from './deadlines/deadlines';
import {
	events,
	isAttached,
	isOfAnyEntity,
	isPushed,
	listEventNames,
	type EventType,
} from './events';
import {
	batchSizeField,
	deliveryField,
	eventField,
	lagField,
	startFromField,
	startTimeField,
} from './settings';

const restrictToEvents = (
	matches: (event: EventType) => boolean,
	field: INodeProperties,
): INodeProperties => ({
	...field,
	displayOptions: { show: { ...field.displayOptions?.show, event: listEventNames(matches) } },
});

const isOfOrders = (event: EventType) => !isOfAnyEntity(event);
const isCompared = ({ strategy }: EventType) => strategy === 'comparison';
const isDeadline = ({ strategy }: EventType) => strategy === 'deadlines';
const hasAuthor = (event: EventType) => isPushed(event) && isOfOrders(event);
/** Notes do not say which application made them, but the log does. */
const isLogged = (event: EventType) =>
	'actionTypes' in event || ('entity' in event && event.entity === 'WoNote');
const countsActions = (types: unknown) => (event: EventType) =>
	'actionTypes' in event && event.actionTypes === types;

/** The subtitle reads, for example, "Work Order Created". */
export const subtitle = `={{ ${buildLabelExpression(eventField.name, eventField.options)} }}`;

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
export const properties: INodeProperties[] = [
	eventField,
	restrictToEvents(isOfAnyEntity, entityField),
	restrictToEvents((event) => isOfAnyEntity(event) && isPushed(event), dateField),
	restrictToEvents(isCompared, changesField),
	restrictToEvents(isCompared, comparedField),
	restrictToEvents(countsActions('chosen'), actionTypesField),
	restrictToEvents(countsActions('enteredStatus'), statusesField),
	restrictToEvents(({ name }) => name === events.invoiceEnteredApStatus.name, apStatuses.field),
	...deadlineFields.map((field) => restrictToEvents(isDeadline, field)),
	...[startFromField, startTimeField].map((field) => restrictToEvents(isPushed, field)),
	restrictToEvents(isAttached, returnsField),
	...outputFields.map((field) => ({
		...field,
		displayOptions: { ...field.displayOptions, hide: { returns: ['event'] } },
	})),
	restrictToEvents(isLogged, ignoreApiField),
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

export const getForm = (caller: TriggerContext) =>
	new Form((name, fallback) => {
		const value: unknown = caller.getNodeParameter(name, fallback as string);
		refuseEmptyExpression(properties, caller.getNode().parameters, name, value);
		return value;
	});

export const explainEmpty = (caller: TriggerContext) => (failure: unknown) => {
	if (!(failure instanceof ValidationError)) throw failure;
	const read = (name: string) => caller.getNodeParameter(name);
	throw explainEmptyFields(failure, properties, caller.getNode().parameters, read);
};
