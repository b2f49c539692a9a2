import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeExecutionData,
	IPollFunctions,
} from 'n8n-workflow';

import type { Requester } from '../records/query';
import type { JsonObject } from '../values/objects';
import type { ChangeSource, Feed } from './feed/feed';

import type { Settings } from './settings';

export interface Result {
	item: INodeExecutionData;
	/** The entity of the record that the item shows. */
	entity: string;
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
	/** Reads the records with these IDs that pass the filters of the feed. */
	find: (ids: number[], feed: Feed) => Promise<Map<number, JsonObject>>;
	/** Returns Corrigo's clock in its first answer. */
	clock: () => string | undefined;
	/** Returns Corrigo's clock in its latest answer. */
	now: () => string | undefined;
}

export type Warn = (message: string) => void;

/** Says how n8n keeps what a poll leaves. */
interface Keeping {
	/** The object that identifies the activation, if n8n discards what an earlier one returns. */
	activation?: object;
	/** n8n may discard what a poll returns, together with its state, without saying so. */
	mayDiscard?: boolean;
}

/** A strategy needs this for one poll. */
export interface Session {
	caller: IPollFunctions;
	credentials: ICredentialDataDecryptedObject;
	service: Service;
	warn: Warn;
	keeping: Keeping;
	/** True if n8n stores the state after this poll, whatever it returns. */
	isStored: boolean;
}

export interface Strategy {
	/** Polls once, and returns the items, or null to start no execution. */
	watch: (plan: Plan, session: Session) => Promise<INodeExecutionData[][] | null>;
	/** Leaves out what could not be delivered yet, for a manual test. */
	narrowExamples: (feed: Feed, service: Service) => Promise<Feed>;
}

/** A plan holds what a form says about the changes; its builders differ by the kind of changes. */
export interface Plan extends Settings {
	/** Distinguishes the events that read the same source. */
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
