import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeExecutionData,
	IHookFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

import type { Requester } from '../records/query';
import type { JsonObject } from '../values/objects';
import type { ChangeSource, Feed } from '../feed/feed';
import type { Clocks } from '../feed/lead';
import type { readPlanSettings } from './fields';

/** The part of a plan that all events have. */
type Settings = ReturnType<typeof readPlanSettings>;

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
	/** The name of the event, if the trigger follows several. */
	event?: string;
	/** The results of the same change as other events. */
	also?: Result[];
	/** The status of the work order before an action, if it is shown. */
	statusBefore?: string;
	/** Set if records are compared with their earlier versions. */
	change?: string;
	/** Builds members that depend on Corrigo's clock. */
	describe?: (clock: string) => IDataObject;
}

export type Results = Array<Result | undefined>;

/** The requests of a trigger. */
export interface Service extends Omit<ChangeSource<Result>, 'clock'>, Clocks {
	requester: Requester;
	keep: (rows: JsonObject[]) => Promise<JsonObject[]>;
	/** Reads the records with these IDs that pass the filters of the feed. */
	find: (ids: number[], feed: Feed) => Promise<Map<number, JsonObject>>;
	/** Returns the same for another feed of the trigger. It leaves time for those that are read later. */
	open: (plan: Plan, later?: number) => Service;
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
	narrowExamples?: (feed: Feed, service: Service) => Promise<Feed>;
}

/** A feed, and how its rows become results. */
export interface FeedPlan {
	feed: Feed;
	/** Other records that completing a row reads. */
	related: readonly Feed[];
	/** Builds a result from each row with few requests for all, or undefined if it is no change. */
	complete: (requester: Requester, rows: JsonObject[]) => Promise<Results>;
}

/** A plan holds what a form says about the changes; its builders differ by the kind of changes. */
export interface Plan extends Settings, FeedPlan {
	/** Digest of the fields that decide which rows of the feeds count. */
	selection: string;
	strategy: Strategy;
	/** Feeds that the same polls follow as well. */
	others?: readonly FeedPlan[];
	/** Identifies the sequence of changes in stored states. */
	sequence: { entity: string; order: string | readonly string[] };
	/** If a work order changes several times between two polls, the last change counts. */
	latestOnly: boolean;
}

/** The parts of a plan in which the kinds of changes differ. */
export type PlanParts = Omit<Plan, keyof Settings | 'selection' | 'latestOnly'>;

/** Returns a plan for each feed of a plan. */
export const listFeedPlans = ({ others = [], ...first }: Plan): Plan[] => [
	first,
	...others.map((one) => ({ ...first, ...one })),
];
