import { randomUUID } from 'node:crypto';
import {
	NodeOperationError,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
} from 'n8n-workflow';

import { readCredential } from '../session/credential';
import { isObject, remember } from '../values/objects';
import { DAY_MS } from '../values/times';
import { toUtcText } from '../feed/cursor';
import { getDigest } from '../feed/digest';
import { readPolled, startLead, writePolled, type Lead, type Polled } from '../feed/lead';
import type { Opening, Plan, TriggerContext, Warn } from './plan';
import { startTimeField } from './fields';

/** Limits the nodes of which a process keeps what it knows. */
export const MAX_NODES = 1000;

/** Identifies this process; every n8n process has its own value. */
const PROCESS = randomUUID();

/** Numbers states in order of time, also those of several processes. */
let lastRevision = 0;

const getRevision = (members: unknown): number =>
	isObject(members) ? Number(members.revision) || 0 : 0;

/** A place is where a trigger goes on. The poll that left it had looked at everything up to a time. */
interface Left<Place> {
	place: Place;
	polled?: Polled;
	/** The members of the state that holds the place. */
	members: IDataObject;
}

/** A process remembers this of each feed. */
export interface FeedMemory {
	/** The settings by which the last poll has found rows, delivered before or not. */
	foundBy?: string;
	/** A position that only one answer has shown, with its time. */
	doubt?: { name: string; newest: number; at: number };
}

/**
 * What this process knows of a node beyond what n8n may pass to it: n8n stores the state of a poll
 * only if it starts an execution, discards both if the workflow was published, unpublished or saved
 * meanwhile, and passes an older copy to a push, or to the first poll after such a change.
 */
export interface Memory<Place> {
	readonly workflow?: string;
	readonly name: string;
	/** The sequence of changes that all of this is about. */
	readonly feed: string;
	/** The last state that n8n would go on from: it has taken the items with it, if there were any. */
	taken?: Left<Place>;
	/** The state that the last poll with items has left, until n8n has taken its items. */
	returned?: Left<Place>;
	/** The object that n8n created for the newest activation of the workflow. */
	activation?: object;
	lead?: Lead;
	/** The time by this machine at which changes were first left out since n8n has stored the state. */
	leftOutAt?: number;
	/** A comparison that takes longer than its interval is not repeated at the same time. */
	isRunning?: boolean;
	/** The settings by which another process has left the place. */
	leftBy?: string;
	/** Keeps what is known of each feed, by its entity. */
	readonly feeds: Map<string, FeedMemory>;
	/** Warnings that the log has. */
	readonly warned: Set<string>;
}

const memories = new Map<string, Memory<unknown>>();

/** Returns what is known of a node, which is nothing if it had other settings before. */
function recall<Place>(caller: TriggerContext, feed: string): Memory<Place> {
	const { id: workflow } = caller.getWorkflow();
	const { id, name } = caller.getNode();
	// A renamed node starts over.
	const key = JSON.stringify([workflow, id, name]);
	const known = memories.get(key) as Memory<Place> | undefined;
	const fresh = { workflow, name, feed, feeds: new Map(), warned: new Set<string>() };
	const memory = known?.feed === feed ? known : fresh;
	remember(memories, key, memory, MAX_NODES);
	return memory;
}

/** Returns what is known of one feed of a node. */
export function recallFeed({ feeds, leftBy }: Memory<unknown>, entity: string): FeedMemory {
	const known = feeds.get(entity) ?? { foundBy: leftBy };
	feeds.set(entity, known);
	return known;
}

/** Notes that n8n has taken the items of a poll. */
function noteTaken<Place>(memory: Memory<Place>, left: Left<Place>): void {
	if (getRevision(memory.taken?.members) < getRevision(left.members)) memory.taken = left;
	if (memory.returned === left) memory.returned = undefined;
}

/** The member of the workflow's static data with the states of its other triggers. */
const SHARED = 'corrigoTriggers';

/**
 * n8n gives each trigger that is edited a copy of the states of all triggers, and stores the whole
 * copy with the items of that trigger. Each trigger therefore writes the newest states of the others
 * into its copy, so that n8n does not put back older ones.
 */
function shareStates(caller: TriggerContext, own: Memory<unknown>): void {
	const all = caller.getWorkflowStaticData('global');
	const known = isObject(all[SHARED]) ? (all[SHARED] as IDataObject) : {};
	const newer = [...memories.values()].flatMap(({ workflow, name, taken }) =>
		workflow === own.workflow && getRevision(taken?.members) > getRevision(known[name])
			? [[name, taken?.members] as const]
			: [],
	);
	const others = { ...known, ...Object.fromEntries(newer) };
	delete others[own.name];
	if (Object.keys(others).length + Object.keys(known).length > 0) all[SHARED] = others;
}

/** What to do when n8n takes the items that a poll has returned. */
const takings = new WeakMap<object, () => void>();

/**
 * n8n takes what a poll has returned by passing it to `__emit`, and otherwise discards it without a
 * word. It creates one object per activation and passes it to every poll.
 */
export function watchEmit(caller: IPollFunctions): void {
	const { __emit: emit } = caller;
	caller.__emit = (items, ...more) => {
		takings.get(items)?.();
		emit.call(caller, items, ...more);
	};
}

/**
 * n8n stores a state only with items, or when it activates a workflow. Returns whether an execution
 * without items has to start: after a restart, the trigger would otherwise not know that Corrigo's
 * clock was right, or look again at what was left out. The latter is once a day at most.
 */
export function isStoreDue(
	memory: Memory<unknown>,
	{
		isStored,
		hasLeftOut,
		isClockRight,
	}: Record<'hasLeftOut' | 'isClockRight' | 'isStored', boolean>,
): boolean {
	if (hasLeftOut) memory.leftOutAt ??= Date.now();
	const isOld = Date.now() >= (memory.leftOutAt ?? Infinity) + DAY_MS;
	const isDue = !isStored && (isOld || isClockRight);
	if (isDue || isStored) memory.leftOutAt = undefined;
	return isDue;
}

/**
 * One answer proves nothing, as it may come from a copy of the database that is behind. Returns what
 * an earlier poll has found of the same kind, and notes `newest` otherwise.
 */
export function confirmDoubt(
	memory: FeedMemory,
	name: string,
	newest: number,
	begunAt: number,
): number | undefined {
	const { doubt } = memory;
	const isSame = doubt?.name === name && doubt.newest <= newest && doubt.at < begunAt;
	memory.doubt = isSame ? undefined : { name, newest, at: performance.now() };
	return isSame ? doubt.newest : undefined;
}

/** Returns the later one. */
const laterPolled = (one?: Polled, other?: Polled): Polled | undefined =>
	(one?.time ?? '') < (other?.time ?? '') ? other : one;

/** Returns the static data of the node, which n8n keeps between polls. */
export function getState(caller: TriggerContext): IDataObject {
	const state: unknown = caller.getWorkflowStaticData('node');
	if (isObject(state)) return state as IDataObject;
	throw new NodeOperationError(
		caller.getNode(),
		'What n8n has stored for this node is not a trigger state and cannot be replaced',
		{ description: "Rename the node: under another name it starts over at 'Start From'." },
	);
}

/**
 * Identifies the sequence of changes, because a place is meaningless in another one. Several
 * environments may have a Company of the same name, so the locator is included. The start time is
 * included as written in the form, because an expression may return another time at every poll.
 */
function getFeedIdentity(
	caller: TriggerContext,
	credentials: ICredentialDataDecryptedObject,
	plan: Plan,
): string {
	const { companyName, locatorUrl } = readCredential(credentials);
	const { sequence, since } = plan;
	const start =
		since === undefined ? 'now' : String(caller.getNode().parameters[startTimeField.name]);
	return JSON.stringify([locatorUrl, companyName, sequence.entity, sequence.order, start]);
}

/** Says how the places of a strategy are stored. */
export interface Codec<Place> {
	/** Returns undefined if there is no place in the members of a state. */
	read: (members: IDataObject, warn?: Warn) => Place | undefined;
	/** Lets the last changes be delivered again, which are a text that `save` was given. */
	repeat: (place: Place, last: string) => Place;
	write: (place: Place) => IDataObject;
	/** Combines two places that went on from the same one. */
	merge: (stored: Place, known: Place) => Place;
	/** Passes what was looked at up to a time, when the settings are edited. */
	skip: (place: Place, polled: string) => Place;
}

export const STARTS_OVER =
	'The stored state of this trigger belongs to other settings or cannot be read: it starts over like a new trigger';

/** A poll leaves this beyond its place. */
interface Saved {
	/** The items that it returns, and what a process that comes after a kill delivers again. */
	items?: INodeExecutionData[][];
	last?: string;
	/** Stays that of the poll before unless it is given. */
	polled?: Polled;
}

/** The state of a trigger for one feed. */
export type Store<Place> = ReturnType<typeof openStore<Place>>;

export function openStore<Place>(
	{ caller, credentials, activation, mayDiscard = false, isStored = false }: Opening,
	plan: Plan,
	codec: Codec<Place>,
) {
	const state = getState(caller);
	const feed = getFeedIdentity(caller, credentials, plan);
	const { atLeastOnce, selection } = plan;
	/** Deliveries then count only once they are in the stored state. */
	const trustsState = mayDiscard && atLeastOnce;
	const memory: Memory<Place> = recall(caller, feed);
	if (activation !== undefined && memory.activation !== activation) {
		memory.activation = activation;
		memory.returned = undefined;
	}
	// An activation polls again only if n8n has taken what it returned.
	if (activation !== undefined && memory.returned !== undefined) {
		noteTaken(memory, memory.returned);
	}

	const replace = (members: IDataObject) => {
		for (const member of Object.keys(state)) delete state[member];
		Object.assign(state, members);
	};
	const isEmpty = () => Object.keys(state).length === 0;
	const shared = caller.getWorkflowStaticData('global')[SHARED];
	for (const known of [
		isObject(shared) ? shared[memory.name] : undefined,
		trustsState && !isEmpty() ? undefined : memory.taken?.members,
	]) {
		if (getRevision(known) > getRevision(state)) replace(known as IDataObject);
	}
	lastRevision = Math.max(lastRevision, getRevision(state));
	/** Returns whether the state belongs to this feed, rather than to other settings. */
	const isOwn = () => state.feed === feed;
	const isEdited = () => isOwn() && state.selection !== undefined && state.selection !== selection;
	const readStored = (warn?: Warn): Left<Place> | undefined => {
		if (!isOwn()) return undefined;
		// n8n saves the state a moment before the execution with the changes, and may be killed in
		// between. If delivery is at least once, another process therefore delivers these changes again.
		const isInDoubt = atLeastOnce && state.process !== PROCESS && state.last !== undefined;
		const place = codec.read(state, warn);
		if (place === undefined) return undefined;
		return {
			place: isInDoubt ? codec.repeat(place, String(state.last)) : place,
			...{ polled: readPolled(state), members: state },
		};
	};
	const readKnown = (warn?: Warn): Left<Place> | undefined => {
		const { taken } = memory;
		if (taken !== undefined && taken.members.revision === state.revision) return taken;
		const stored = readStored(warn);
		if (!stored || !taken || state.process === PROCESS || trustsState) return stored;
		const place = codec.merge(stored.place, taken.place);
		return { ...stored, place, polled: laterPolled(stored.polled, taken.polled) };
	};

	return {
		memory,
		state,
		/** True if the workflow was activated again since this poll began. */
		isSuperseded: () => activation !== undefined && memory.activation !== activation,
		getPolled: () => readKnown()?.polled,
		/**
		 * Returns undefined unless there is a place in this feed. If the settings are not those that
		 * left it, what these have left out stays left out.
		 */
		read: (warn?: Warn): Place | undefined => {
			const { place, polled } = readKnown(warn) ?? {};
			if (place === undefined && !isEmpty()) warn?.(STARTS_OVER);
			// Another process has left the place.
			if (memory.lead === undefined && polled !== undefined) {
				memory.lead = startLead(polled.lead);
				memory.leftBy = String(state.selection);
			}
			return place && polled && isEdited() ? codec.skip(place, polled.time) : place;
		},
		/** Stores a place. Removes members that an unknown version or another node may have left. */
		save: (
			place: Place,
			{ items, last, polled = readKnown()?.polled, ...more }: Saved & { unread?: string } = {},
		): void => {
			const inDoubt = atLeastOnce ? (last ?? (isOwn() ? state.last : undefined)) : undefined;
			const members = {
				...{ feed, selection },
				...writePolled(polled),
				...codec.write(place),
				...more,
				...(inDoubt !== undefined && { last: inDoubt }),
			};
			const isSame = digestLasting(state) === digestLasting({ ...members, process: PROCESS });
			if (!isSame || isStored || items !== undefined) {
				lastRevision = Math.max(lastRevision + 1, Date.now());
				replace({ ...members, process: PROCESS, revision: lastRevision });
				if (!mayDiscard) shareStates(caller, memory);
			}
			const left = { place, members: { ...state }, polled };
			if (items !== undefined) {
				memory.returned = left;
				if (!trustsState) takings.set(items, () => noteTaken(memory, left));
			} else if (memory.returned === undefined) memory.taken = left;
		},
	};
}

/** Digests what is worth being stored: without anything new, that is the hour of the last poll. */
const digestLasting = (members: IDataObject): number =>
	getDigest({ ...members, lead: 0, revision: 0, polled: toUtcText(members.polled)?.slice(0, 13) });
