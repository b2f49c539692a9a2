import type { INodeProperties } from 'n8n-workflow';

import {
	choices,
	conditionFields,
	entityField,
	propertyField,
	searchByField,
	toggle,
} from '../form/fields';
import { filterFields } from '../form/filters';
import { optionsOf } from '../form/options';
import { outputFields } from '../form/output';
import { reference } from '../form/references';
import { labelOf } from '../form/subtitle';
import { OPTIONAL_STATUSES, deadlines } from './deadlines';
import { eventNames, events, isAttached, type EventName } from './events';

export const ITEMS_PER_POLL = 5000;
export const DEFAULT_AGE_HOURS = 24;

const onlyFor = (names: EventName[], field: INodeProperties): INodeProperties => ({
	...field,
	displayOptions: { show: { ...field.displayOptions?.show, event: names } },
});

const choicesIn = (table: Readonly<Record<string, { name: string; description: string }>>) =>
	Object.entries(table).map(([value, { name, description }]) => ({ name, value, description }));

const eventChoices = choicesIn(events);

/** "Work Order Created" */
export const subtitle = `={{ ${labelOf('event', eventChoices)} }}`;

const eventField: INodeProperties = {
	displayName: 'Trigger On',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	options: eventChoices,
	default: 'workOrderCreated',
};

const recordFields: INodeProperties[] = [
	entityField,
	propertyField('searchDates', {
		displayName: 'Date Property',
		name: 'dateProperty',
		description:
			'A property with the UTC time at which a record was created or changed. Leave empty to find new records by their rising ID.',
	}),
];

const chosenFields: INodeProperties[] = [
	onlyFor(['workOrderAction'], {
		displayName: 'Actions',
		name: 'actionTypes',
		type: 'multiOptions',
		options: choices('WOActionType'),
		default: [],
		description: 'Actions that trigger the workflow. All of them if none is selected.',
	}),
	onlyFor(['workOrderEnteredStatus'], {
		displayName: 'Statuses',
		name: 'statuses',
		type: 'multiOptions',
		options: choices('WorkOrderStatus'),
		required: true,
		default: [],
		description: 'Statuses that trigger the workflow',
	}),
	onlyFor(['invoiceEnteredApStatus'], {
		displayName: 'AP Statuses',
		name: 'apStatuses',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add status',
		default: {},
		options: [{ displayName: 'Status', name: 'values', values: [reference('apStatus', 'status')] }],
		description: 'AP statuses that trigger the workflow. All of them if none is added.',
	}),
];

const deadlineFields: INodeProperties[] = [
	{
		displayName: 'Deadline',
		name: 'deadline',
		type: 'options',
		options: choicesIn(deadlines),
		default: 'due',
		description: 'Which time of a work order to watch, and for how long it counts',
	},
	{
		displayName: 'Minutes',
		name: 'offsetMinutes',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description: 'How long before or after the deadline to tell of it',
	},
	{
		displayName: 'Tell',
		name: 'offsetDirection',
		type: 'options',
		options: [
			{ name: 'After', value: 'after', description: 'That number of minutes after the deadline' },
			{
				name: 'Before',
				value: 'before',
				description: 'That number of minutes before the deadline',
			},
		],
		default: 'before',
		description: 'Whether to tell of a deadline before or after it passes',
	},
	{
		displayName: 'Also Count Orders',
		name: 'alsoStatuses',
		type: 'multiOptions',
		options: choices('WorkOrderStatus').filter(({ value }) =>
			(OPTIONAL_STATUSES as readonly unknown[]).includes(value),
		),
		default: [],
		description: 'Work orders in these statuses count only if they are chosen here',
	},
];

const startFields: INodeProperties[] = [
	{
		displayName: 'Start From',
		name: 'startFrom',
		type: 'options',
		options: [
			{ name: 'Now', value: 'now', description: 'Changes from the activation on' },
			{ name: 'Given Time', value: 'time', description: 'Changes since then, first of all' },
		],
		default: 'now',
		description:
			'Where the first poll of the active workflow begins. Later polls go on where the one before ended.',
	},
	{
		displayName: 'Start Time',
		name: 'startTime',
		type: 'dateTime',
		required: true,
		default: '',
		displayOptions: { show: { startFrom: ['time'] } },
		description: 'UTC, unless the value carries a time zone',
	},
];

const returnsField: INodeProperties = onlyFor(eventNames(isAttached), {
	displayName: 'Returns',
	name: 'returns',
	type: 'options',
	options: [
		{
			name: 'Event Only',
			value: 'event',
			description: 'The action, note or document. Needs no further request.',
		},
		{
			name: 'Event With Its Work Order',
			value: 'both',
			description: 'The action, note or document, with its work order inside',
		},
		{ name: 'Work Order Only', value: 'record', description: 'The work order it belongs to' },
	],
	default: 'both',
});

const workOrderEvents = eventNames(({ entity }) => entity !== undefined);

const apiField: INodeProperties = onlyFor(
	eventNames(({ actionTypes, entity }) => actionTypes !== undefined || entity === 'WoNote'),
	{
		name: 'ignoreApi',
		...toggle(
			'Ignore API Changes',
			'Whether to leave out what integrations did, this workflow included, so that it does not start itself again and again',
		),
	},
);

const filtersFields: INodeProperties[] = filterFields('WorkOrder').map((field) =>
	onlyFor(workOrderEvents, {
		...field,
		description: 'Only work orders that match all filters trigger the workflow',
	}),
);

const optionsField = optionsOf([
	{
		name: 'lag',
		...toggle(
			'Add Lag',
			'Whether to add Lag to each item: the seconds between the change and its delivery, by the clock of Corrigo',
		),
	},
	{
		displayName: 'Batch Size',
		name: 'batchSize',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: ITEMS_PER_POLL,
		description: 'How many changes to take up at a time. The rest follows with the next poll.',
	},
	{
		displayName: 'Delivery',
		name: 'delivery',
		type: 'options',
		options: [
			{
				name: 'At Least Once',
				value: 'atLeastOnce',
				description:
					'What the last poll found comes again when n8n restarts, as n8n may have died with it. ChangeKey in the output is the same both times.',
			},
			{
				name: 'Once',
				value: 'once',
				description: 'Never twice. What n8n had just been handed when it died is lost.',
			},
		],
		default: 'once',
		description: 'What happens to changes with which n8n may have died',
	},
	{
		name: 'includeRemoved',
		...toggle(
			'Include Removed',
			'Whether to include deleted records that can be restored. Applies to any record only.',
		),
	},
	{
		displayName: 'Oldest (Hours)',
		name: 'oldest',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: DEFAULT_AGE_HOURS,
		description:
			'Leaves out deadlines that are overdue by more than this, at the start and after n8n was down. Applies to deadlines only.',
	},
]);

/** All fields but the poll times, which n8n puts in front. */
export const properties: INodeProperties[] = [
	eventField,
	...recordFields.map((field) => onlyFor(['record'], field)),
	...chosenFields,
	...deadlineFields.map((field) => onlyFor(['workOrderDeadline'], field)),
	...startFields.map((field) =>
		onlyFor(
			eventNames(({ isDeadline }) => !isDeadline),
			field,
		),
	),
	returnsField,
	...outputFields.map((field) => ({
		...field,
		displayOptions: { ...field.displayOptions, hide: { returns: ['event'] } },
	})),
	apiField,
	...filtersFields,
	onlyFor(workOrderEvents, searchByField(true)),
	onlyFor(['record'], searchByField(false)),
	...conditionFields,
	optionsField,
];
