import type { INodeProperties } from 'n8n-workflow';

import { isEmpty } from '../../form/form';
import { optionsField } from '../../form/options';
import { searchFields } from '../../form/search';
import { ValidationError } from '../../protocol/checks';
import { dateTime, oneOf } from '../../protocol/values';
import type { ItemContext } from '../../run/context';
import type { Operation } from '../../run/operation';
import { named, namesIn } from '../../run/resolve';
import { readAtServiceTime } from '../../trigger/askTime';
import { utcText } from '../../trigger/cursor';
import { forEvents, properties } from '../../trigger/description';
import { eventNames, events, isPushed } from '../../trigger/events';
import { planFrom, type Plan } from '../../trigger/plan/plan';
import { replay, type TimeWindow } from '../../trigger/replay';

const FROM = 'From';
const UNTIL = 'Until';

/** Changes of other events leave no trace that could be read later. */
const replayed = eventNames((event) => event.entity !== undefined && isPushed(event));

/** Fields of the trigger that choose the changes and their output. */
const FIELDS = [
	...['actionTypes', 'statuses', 'apStatuses', 'ignoreApi', 'ignoreChangesBy'],
	...['returns', 'output', 'properties'],
];

const timeFields: INodeProperties[] = [
	{
		displayName: FROM,
		name: 'from',
		type: 'dateTime',
		required: true,
		default: '',
		description: 'Time of the first changes to return. In UTC, unless the value has a time zone.',
	},
	{
		displayName: UNTIL,
		name: 'until',
		type: 'dateTime',
		default: '',
		description: 'Time before which changes are returned. Leave empty for all until now.',
	},
];

const eventField: INodeProperties = {
	displayName: 'Event',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	options: replayed.map((value) => ({ name: events[value].name, value })),
	default: 'workOrderCreated',
	description: 'Changes to return',
};

const changeFields = properties
	.filter(({ name }) => FIELDS.includes(name))
	.flatMap((field) => forEvents(field, replayed));

export const getChanges: Operation = {
	name: 'Get Changes',
	value: 'getChanges',
	action: 'Get changes of work orders',
	description: 'Retrieve what Corrigo Trigger would have returned between two times',
	fields: [
		eventField,
		...timeFields,
		...changeFields,
		...searchFields('WorkOrder'),
		optionsField('parallelRequests', 'timeout'),
	],
	reads: true,
	each: async (context) => {
		oneOf('Event', context.param('event'), replayed);
		const window = windowOf(context);
		return await replay(context, await planOf(context), window);
	},
};

function windowOf(context: ItemContext): TimeWindow {
	const timeOf = (label: string, value: unknown) => utcText(dateTime(label, value));
	const from = String(timeOf(FROM, context.param('from', '')));
	const given = context.param('until', '');
	const until = isEmpty(given) ? undefined : timeOf(UNTIL, given);
	if (until === undefined || from < until) return { from, until };
	throw new ValidationError(
		`'${UNTIL}' is not after '${FROM}'`,
		`'${FROM}' is ${from.slice(0, 19)} in UTC, and '${UNTIL}' is ${until.slice(0, 19)}.`,
	);
}

const planOf = async (context: ItemContext): Promise<Plan> => ({
	...(await readAtServiceTime(
		context,
		context.run.clock,
		async (now) => await named(context, (one) => planFrom(one, { ...namesIn(one), now }, true)),
	)),
	addChangeKey: true,
});
