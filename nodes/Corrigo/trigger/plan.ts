import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeExecutionData,
	IHookFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import { buildNumber, buildToggle, defineField, toChoices } from '../form/fields';
import { isSimplified, wantsUrl, type Form } from '../form/form';
import { optionsField } from '../form/options';
import type { Requester } from '../records/query';
import type { JsonObject } from '../values/objects';
import { events, type EventName } from './events';
import { toUtcText } from '../feed/cursor';
import type { ChangeSource, Feed } from '../feed/feed';

const DEFAULT_BATCH_SIZE = 5000;

export const eventField = defineField({
	displayName: 'Trigger On',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	options: toChoices<EventName>(events),
	default: 'workOrderCreated',
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
		'Where the first poll of a published workflow begins. Later polls continue where the previous one ended.',
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
		'Maximum number of changes per poll. The rest follow with the next poll.',
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

/** The part of a plan that all events have. */
type Settings = ReturnType<typeof readPlanSettings>;

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

/** The caller is the polling trigger, or the webhook trigger during a push or an activation. */
export type TriggerContext = IPollFunctions | IWebhookFunctions | IHookFunctions;

export interface Result {
	item: INodeExecutionData;
	/** The entity of the record that the item shows. */
	entity: string;
	/** The host of Corrigo's pages, if work orders get their address. */
	origin?: string;
	/** Identifies the change, without the `Test` of a manual test. */
	changeKey: string;
	/** The ID of the work order that the change belongs to. */
	order?: number;
	/** The time of the change, if it is known. */
	at?: string;
	/** Set if records are compared with their earlier versions. */
	change?: string;
	/** Builds members that depend on Corrigo's clock. */
	describe?: (clock: string) => IDataObject;
}

export type Results = Array<Result | undefined>;

/** The requests of a trigger. */
export interface Service extends ChangeSource<Result> {
	requester: Requester;
	keep: (rows: JsonObject[]) => Promise<JsonObject[]>;
	/** Reads the records with these IDs that pass the filters of the feed. */
	find: (ids: number[], feed: Feed) => Promise<Map<number, JsonObject>>;
	/** The time before the first request, by the clock of this machine. */
	begunAt: number;
	/** Returns Corrigo's clock in its first answer. */
	clock: () => string | undefined;
	/** Returns Corrigo's clock in its latest answer. */
	now: () => string | undefined;
}

export type Warn = (message: string) => void;

/** A state is opened for a node and its credential. Only a poll knows how n8n keeps the state. */
export interface Opening {
	caller: TriggerContext;
	credentials: ICredentialDataDecryptedObject;
	/** The object that identifies the activation, if n8n discards what an earlier one returns. */
	activation?: object;
	/** True if n8n may discard what a poll returns, together with its state, without saying so. */
	mayDiscard?: boolean;
	/** True if n8n stores the state after this poll, whatever it returns. */
	isStored?: boolean;
}

/** A strategy needs this for one poll. */
export interface PollSession extends Opening {
	service: Service;
	warn: Warn;
}

export interface Strategy {
	/** Polls once, and returns the items, or null to start no execution. */
	watch: (plan: Plan, session: PollSession) => Promise<INodeExecutionData[][] | null>;
	/** Leaves out what could not be delivered yet, for a manual test. */
	narrowExamples: (feed: Feed, service: Service) => Promise<Feed>;
}

/** A plan holds what a form says about the changes; its builders differ by the kind of changes. */
export interface Plan extends Settings {
	/** Says which rows of the feed count. */
	kind: string;
	strategy: Strategy;
	feed: Feed;
	/** Identifies the order of the feed in stored states. */
	order: string | readonly string[];
	/** Other records that completing a row reads. */
	related: readonly Feed[];
	/** Builds a result from each row with few requests for all, or undefined if it is no change. */
	complete: (requester: Requester, rows: JsonObject[]) => Promise<Results>;
	/** If a work order changes several times between two polls, the last change counts. */
	latestOnly: boolean;
}

/** The parts of a plan in which the kinds of changes differ. */
export type PlanParts = Omit<Plan, keyof Settings | 'kind' | 'latestOnly'>;
