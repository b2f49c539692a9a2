import { toUtcText } from '../feed/cursor';
import { buildNumber, buildToggle, defineField, toChoices } from '../form/fields';
import { optionsField } from '../form/options';
import { type Form, isSimplified, wantsUrl } from '../form/form';
import { type EventName, events, isCombinable, listEventNames } from './events';

const DEFAULT_BATCH_SIZE = 5000;

/** n8n's node panel would write abbreviations such as AP in lower case, too. */
const toPanelText = (name: string) => name.replace(/[A-Z][a-z]/g, (start) => start.toLowerCase());

export const eventField = defineField({
	displayName: 'Trigger On',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	options: toChoices<EventName>(events).map((choice) => ({
		...choice,
		action: `On ${toPanelText(choice.name)}`,
	})),
	default: 'workOrderCreated',
});

const combinable = listEventNames(isCombinable);

export const eventsField = defineField({
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	noDataExpression: true,
	required: true,
	options: toChoices<EventName>(events).filter(({ value }) => combinable.includes(value)),
	default: [],
	description: 'Events that trigger the workflow',
});

export const startFromField = defineField({
	displayName: 'Start From',
	name: 'startFrom',
	type: 'options',
	options: [
		{ name: 'Now', value: 'now', description: 'Changes after the workflow is published' },
		{ name: 'Given Time', value: 'time', description: 'Changes since the start time' },
	],
	default: 'now',
	description:
		'Where the first poll of a published workflow begins. Later polls continue where the previous one ended. After you choose an event of another kind, such as Work Order Created in place of Note Added, the next poll begins here again. <a href="https://github.com/n8n-nodes-corrigo/n8n-nodes-corrigo/blob/main/docs/triggers.md#filters" target="_blank">When the trigger starts over</a>.',
});

export const startTimeField = defineField({
	displayName: 'Start Time',
	name: 'startTime',
	type: 'dateTime',
	required: true,
	default: '',
	displayOptions: { show: { startFrom: ['time'] } },
	description: 'In UTC, unless the value has a time zone',
});

export const lagField = defineField({
	name: 'lag',
	...buildToggle(
		'Add Lag',
		'Whether to add Lag to each item: the seconds between the change and its delivery, by the clock of Corrigo',
	),
});

export const batchSizeField = defineField({
	name: 'batchSize',
	...buildNumber(
		'Batch Size',
		'Maximum number of changes per poll, counted separately for actions, notes and documents. The rest follow with the next poll.',
		DEFAULT_BATCH_SIZE,
	),
});

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

export const deliveryField = defineField({
	displayName: 'Delivery',
	name: 'delivery',
	type: 'options',
	options: buildDeliveries(
		'When n8n restarts, changes from the last poll trigger the workflow again',
		'changes from the last poll',
	),
	default: 'once',
	description: 'What to do with the last changes if n8n was killed',
});

export function readPlanSettings(form: Form) {
	/** A change may then be delivered more than once, each time with the same ChangeKey. */
	const atLeastOnce = form.readAdded(optionsField, deliveryField) === 'atLeastOnce';
	return {
		atLeastOnce,
		/** Maximum number of changes per poll. */
		limit: form.readAdded(optionsField, batchSizeField) ?? DEFAULT_BATCH_SIZE,
		/** True if items get a Lag: the time from their change to their delivery. */
		addLag: form.readAdded(optionsField, lagField) ?? false,
		isSimplified: isSimplified(form),
		/** True if work orders get their address. */
		addUrl: wantsUrl(form),
		/** The start time in UTC; undefined to start from now. */
		since: form.read(startFromField) === 'now' ? undefined : toUtcText(form.read(startTimeField)),
	};
}
