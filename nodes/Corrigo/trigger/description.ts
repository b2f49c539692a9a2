import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { toTitle } from '../catalogue/enumerations/labels';
import {
	buildLabelExpression,
	buildPropertyField,
	buildSearchByField,
	buildToggle,
	conditionFields,
	entityField,
	listChoices,
} from '../form/fields';
import { buildFilterFields } from '../form/filters';
import { buildOptionsCollection } from '../form/options';
import { outputFields } from '../form/form';
import { buildReferenceField } from '../form/subjects';
import { DEFAULT_AGE_HOURS, deadlines, OPTIONAL_STATUSES } from './deadlines/deadlines';
import { listEventNames, events, isAttached, isPushed, type EventName } from './events';
import { CHANGES } from './comparison/snapshot';

export const DEFAULT_BATCH_SIZE = 5000;

const restrictToEvents = (event: EventName[], field: INodeProperties): INodeProperties => ({
	...field,
	displayOptions: { show: { ...field.displayOptions?.show, event } },
});

const toChoices = (table: Readonly<Record<string, { name: string; description: string }>>) =>
	Object.entries(table).map(([value, { name, description }]) => ({ name, value, description }));

const eventChoices = toChoices(events);

/** The subtitle reads, for example, "Work Order Created". */
export const subtitle = `={{ ${buildLabelExpression('event', eventChoices)} }}`;

const eventField: INodeProperties = {
	displayName: 'Trigger On',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	options: eventChoices,
	default: 'workOrderCreated',
};

/** Each row of the field holds one record. */
const buildRecordList = (type: 'apStatus' | 'employee', row: 'Status' | 'Employee') => {
	const name = row.toLowerCase();
	return {
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: `Add ${name}`,
		default: {},
		options: [{ displayName: row, name: 'values', values: [buildReferenceField(type, name)] }],
	} satisfies Partial<INodeProperties>;
};

const recordFields: INodeProperties[] = [
	restrictToEvents(['record', 'recordEdited'], entityField),
	restrictToEvents(
		['record'],
		buildPropertyField('searchDates', {
			displayName: 'Date Field',
			name: 'dateProperty',
			description:
				'Field with the UTC time of creation or change. Leave empty to detect new records by their ID.',
		}),
	),
	restrictToEvents(['recordEdited'], {
		displayName: 'Changes',
		name: 'changes',
		type: 'multiOptions',
		options: CHANGES.map((value) => ({ name: toTitle(value), value })),
		default: [],
		description:
			'Changes that trigger the workflow. Leave empty for all. Deleted records have only their entity and ID.',
	}),
	restrictToEvents(['recordEdited'], {
		displayName: 'Compare Field Names or IDs',
		name: 'compare',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getProperties', loadOptionsDependsOn: ['entity.value'] },
		default: [],
		description:
			'Fields whose edits count. Leave empty for all but rows such as addresses and custom fields. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	}),
];

const chosenFields: INodeProperties[] = [
	restrictToEvents(['workOrderAction'], {
		displayName: 'Actions',
		name: 'actionTypes',
		type: 'multiOptions',
		options: listChoices('WOActionType'),
		default: [],
		description: 'Actions that trigger the workflow. Leave empty for all.',
	}),
	restrictToEvents(['workOrderEnteredStatus'], {
		displayName: 'Statuses',
		name: 'statuses',
		type: 'multiOptions',
		options: listChoices('WorkOrderStatus'),
		required: true,
		default: [],
		description: 'Statuses that trigger the workflow',
	}),
	restrictToEvents(['invoiceEnteredApStatus'], {
		displayName: 'AP Statuses',
		name: 'apStatuses',
		...buildRecordList('apStatus', 'Status'),
		description: 'AP (accounts payable) statuses that trigger the workflow. Leave empty for all.',
	}),
];

const deadlineFields: INodeProperties[] = [
	{
		displayName: 'Deadline',
		name: 'deadline',
		type: 'options',
		options: toChoices(deadlines),
		default: 'due',
		description: 'Time of a work order to watch',
		hint: `Test events may be older. Once the workflow is published, deadlines of the last ${DEFAULT_AGE_HOURS} hours count, unless 'Oldest (Hours)' says otherwise.`,
	},
	{
		displayName: 'Notify',
		name: 'offsetMinutes',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description: 'Number of minutes before or after the deadline',
	},
	{
		displayName: 'When',
		name: 'offsetDirection',
		type: 'options',
		options: [
			{ name: 'Minutes After the Deadline', value: 'after' },
			{ name: 'Minutes Before the Deadline', value: 'before' },
		],
		default: 'before',
		description: 'Whether the work order is due soon or overdue at the event',
	},
	{
		displayName: 'Also Include Statuses',
		name: 'alsoStatuses',
		type: 'multiOptions',
		options: listChoices('WorkOrderStatus').filter(({ value }) =>
			(OPTIONAL_STATUSES as readonly unknown[]).includes(value),
		),
		default: [],
		description: 'Statuses that are ignored unless chosen here',
	},
];

const startFields: INodeProperties[] = [
	{
		displayName: 'Start From',
		name: 'startFrom',
		type: 'options',
		options: [
			{ name: 'Now', value: 'now', description: 'Changes after the workflow is published' },
			{ name: 'Given Time', value: 'time', description: 'Changes since the start time' },
		],
		default: 'now',
		description:
			'Where the first poll of a published workflow begins. Later polls continue where the previous one ended.',
	},
	{
		displayName: 'Start Time',
		name: 'startTime',
		type: 'dateTime',
		required: true,
		default: '',
		displayOptions: { show: { startFrom: ['time'] } },
		description: 'In UTC, unless the value has a time zone',
	},
];

const returnsField: INodeProperties = restrictToEvents(listEventNames(isAttached), {
	displayName: 'Returns',
	name: 'returns',
	type: 'options',
	options: toChoices({
		event: {
			name: 'Event Only',
			description: 'The action, note or document. Takes the fewest requests.',
		},
		both: {
			name: 'Event With Its Work Order',
			description: 'The action, note or document, including its work order',
		},
		record: {
			name: 'Work Order Only',
			description: 'The work order of the action, note or document',
		},
	}),
	default: 'both',
});

const workOrderEvents = listEventNames(({ entity }) => entity !== undefined);

const ignoreFields: INodeProperties[] = [
	restrictToEvents(
		listEventNames(({ actionTypes, entity }) => actionTypes !== undefined || entity === 'WoNote'),
		{
			name: 'ignoreApi',
			...buildToggle(
				'Ignore API Changes',
				'Whether to ignore changes by integrations, including this workflow, which prevents endless loops',
			),
		},
	),
	restrictToEvents(
		listEventNames(({ actionTypes, author }) => actionTypes !== undefined || author !== undefined),
		{
			displayName: 'Ignore Changes By',
			name: 'ignoreChangesBy',
			...buildRecordList('employee', 'Employee'),
			description:
				'Employees whose changes do not trigger the workflow. Add the service user of the credential to prevent endless loops. Of a document, the last change counts.',
		},
	),
];

const filtersFields: INodeProperties[] = buildFilterFields('WorkOrder').map((field) =>
	restrictToEvents(workOrderEvents, {
		...field,
		description: 'Work orders that trigger the workflow. All filters must match.',
	}),
);

export const buildDeliveries = (repetition: string, lost: string) =>
	toChoices({
		atLeastOnce: {
			name: 'At Least Once',
			description: `${repetition}. ChangeKey is the same both times.`,
		},
		once: {
			name: 'Once',
			description: `Changes never trigger twice. If n8n is killed, ${lost} may be lost.`,
		},
	});

const optionsField = buildOptionsCollection([
	{
		name: 'lag',
		...buildToggle(
			'Add Lag',
			'Whether to add Lag to each item: the seconds between the change and its delivery, by the clock of Corrigo',
		),
	},
	{
		displayName: 'Batch Size',
		name: 'batchSize',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: DEFAULT_BATCH_SIZE,
		description: 'Maximum number of changes per poll. The rest follow with the next poll.',
	},
	{
		displayName: 'Delivery',
		name: 'delivery',
		type: 'options',
		options: buildDeliveries(
			'When n8n restarts, changes from the last poll trigger the workflow again',
			'changes from the last poll',
		),
		default: 'once',
		description: 'What to do with the last changes if n8n was killed',
	},
	{
		name: 'includeRemoved',
		...buildToggle(
			'Include Removed',
			'Whether to include deleted records that can be restored. Applies to Record Added or Changed only.',
		),
	},
	{
		displayName: 'Oldest (Hours)',
		name: 'oldest',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: DEFAULT_AGE_HOURS,
		description:
			'Maximum age of a deadline at the start and after n8n was down. Applies to Work Order Due Soon or Overdue only.',
	},
]);

/** Adapts a field to a form with fewer events. The result is empty if none of them shows it. */
export function narrowToEvents(
	field: INodeProperties,
	offered: readonly unknown[],
): INodeProperties[] {
	const isOffered = (event: unknown) => offered.includes(event);
	if (field.name === 'event') {
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
	...recordFields,
	...chosenFields,
	...deadlineFields.map((field) => restrictToEvents(['workOrderDeadline'], field)),
	...startFields.map((field) => restrictToEvents(listEventNames(isPushed), field)),
	returnsField,
	...outputFields.map((field) => ({
		...field,
		displayOptions: { ...field.displayOptions, hide: { returns: ['event'] } },
	})),
	...ignoreFields,
	...filtersFields,
	restrictToEvents(workOrderEvents, buildSearchByField(true)),
	restrictToEvents(['record', 'recordEdited'], buildSearchByField(false)),
	...conditionFields,
	optionsField,
];
