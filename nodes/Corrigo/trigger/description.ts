import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { refuseEmptyExpression } from '../form/nodeForm';
import {
	buildLabelExpression,
	buildSearchByField,
	conditionFields,
	entityField,
} from '../form/fields';
import { buildFilterFields } from '../form/filters';
import { Form, outputFields } from '../form/form';
import { buildOptionsCollection } from '../form/options';
import type { TriggerContext } from './advice';
import { deadlineFields, oldestField } from './deadlines/deadlines';
import { isAttached, isPushed, listEventNames, type EventName } from './events';
import {
	batchSizeField,
	deliveryField,
	eventField,
	lagField,
	startFromField,
	startTimeField,
} from './plan/common';
import {
	actionTypesField,
	apStatuses,
	ignoreApiField,
	ignoredEmployees,
	returnsField,
	statusesField,
} from './plan/orders';
import { changesField, comparedField, dateField, includeRemovedField } from './plan/records';

const restrictToEvents = (event: EventName[], field: INodeProperties): INodeProperties => ({
	...field,
	displayOptions: { show: { ...field.displayOptions?.show, event } },
});

/** The subtitle reads, for example, "Work Order Created". */
export const subtitle = `={{ ${buildLabelExpression(eventField.name, eventField.options)} }}`;

const workOrderEvents = listEventNames(({ entity }) => entity !== undefined);

const filtersFields: INodeProperties[] = buildFilterFields('WorkOrder').map((field) =>
	restrictToEvents(workOrderEvents, {
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
	restrictToEvents(['record', 'recordEdited'], entityField),
	restrictToEvents(['record'], dateField),
	restrictToEvents(['recordEdited'], changesField),
	restrictToEvents(['recordEdited'], comparedField),
	restrictToEvents(['workOrderAction'], actionTypesField),
	restrictToEvents(['workOrderEnteredStatus'], statusesField),
	restrictToEvents(['invoiceEnteredApStatus'], apStatuses.field),
	...deadlineFields.map((field) => restrictToEvents(['workOrderDeadline'], field)),
	...[startFromField, startTimeField].map((field) =>
		restrictToEvents(listEventNames(isPushed), field),
	),
	restrictToEvents(listEventNames(isAttached), returnsField),
	...outputFields.map((field) => ({
		...field,
		displayOptions: { ...field.displayOptions, hide: { returns: ['event'] } },
	})),
	restrictToEvents(
		listEventNames(({ actionTypes, entity }) => actionTypes !== undefined || entity === 'WoNote'),
		ignoreApiField,
	),
	restrictToEvents(
		listEventNames(({ actionTypes, author }) => actionTypes !== undefined || author !== undefined),
		ignoredEmployees.field,
	),
	...filtersFields,
	restrictToEvents(workOrderEvents, buildSearchByField(true)),
	restrictToEvents(['record', 'recordEdited'], buildSearchByField(false)),
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
