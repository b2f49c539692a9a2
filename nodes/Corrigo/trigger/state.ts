import { randomUUID } from 'node:crypto';
import {
	NodeOperationError,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
} from 'n8n-workflow';

import { readSettings } from '../session/credential';
import { tryJson } from '../values/json';
import { isObject, remember } from '../values/objects';
import {
	getOverlapStart,
	mergeCursors,
	packKeys,
	parseKey,
	skipChanges,
	toKeyText,
	toUtcText,
	unpackKeys,
	type Cursor,
} from '../feed/cursor';
import { startTimeField, type Opening, type Plan, type TriggerContext, type Warn } from './plan';

/** Limits the nodes of which a process keeps what it knows. */
export const MAX_NODES = 1000;

/** Identifies this process; every n8n process has its own value. */
const PROCESS = randomUUID();

/** Numbers the states that this process has left, so that an older copy of one is recognized. */
let lastRevision = 0;

/** A place is where a trigger goes on. */
interface Left<Place> {
	place: Place;
	revision: number;
	/** The member `before` of the state. */
	before?: string;
}

/**
 * What this process knows of a node beyond what n8n may pass to it: n8n stores the state of a poll
 * only if it starts an execution, discards both if the workflow was published, unpublished or saved
 * meanwhile, and passes an older copy to a push, or to the first poll after such a change.
 */
export interface Memory<Place> {
	/** The sequence of changes that all of this is about. */
	feed: string;
	/** The last state that n8n has taken. */
	taken?: Left<Place>;
	/** The state that the last poll with items has left, until n8n has taken its items. */
	returned?: Left<Place>;
	/** The member `before` of the last state, unless n8n has discarded its items. */
	before?: string;
	/** The object that n8n created for the newest activation of the workflow. */
	activation?: object;
	/** Corrigo's clock at the last poll. */
	clock?: string;
	/** The earlier one of Corrigo's clocks at the last two polls, as one answer may be wrong. */
	polled?: string;
	/** A comparison that takes longer than its interval is not repeated at the same time. */
	isRunning?: boolean;
	/** A position that only one answer has shown, with its time. */
	doubt?: { name: string; newest: number; at: number };
	/** Warnings that the log has. */
	readonly warned: Set<string>;
}

const memories = new Map<string, Memory<unknown>>();

/** Returns what is known of a node, which is nothing if it had other settings before. */
function recall<Place>(node: string, feed: string): Memory<Place> {
	const known = memories.get(node) as Memory<Place> | undefined;
	const memory = known?.feed === feed ? known : { feed, warned: new Set<string>() };
	remember(memories, node, memory, MAX_NODES);
	return memory;
}

/** Notes that n8n has taken the items of a poll. */
function noteTaken<Place>(memory: Memory<Place>, left: Left<Place>): void {
	if (memory.taken === undefined || memory.taken.revision < left.revision) {
		memory.taken = left;
		memory.before = left.before;
	}
	if (memory.returned === left) memory.returned = undefined;
}

/** What to do when n8n takes the items that a poll has returned. */
const takings = new WeakMap<object, () => void>();

const onTaken = (items: INodeExecutionData[][], note: () => void) => takings.set(items, note);

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

export function notePolled(memory: Memory<unknown>, clock?: string): void {
	const { clock: last = clock } = memory;
	memory.polled = last !== undefined && clock !== undefined && last < clock ? last : clock;
	memory.clock = clock;
}

/**
 * One answer proves nothing, as it may come from a copy of the database that is behind. Returns what
 * an earlier poll has found of the same kind, and notes `newest` otherwise.
 */
export function confirmDoubt(
	memory: Memory<unknown>,
	name: string,
	newest: number,
	begunAt: number,
): number | undefined {
	const { doubt } = memory;
	const isSame = doubt?.name === name && doubt.newest <= newest && doubt.at < begunAt;
	memory.doubt = isSame ? undefined : { name, newest, at: performance.now() };
	return isSame ? doubt.newest : undefined;
}

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
	const { companyName, locatorUrl } = readSettings(credentials);
	const { feed, since, order } = plan;
	const start =
		since === undefined ? 'now' : String(caller.getNode().parameters[startTimeField.name]);
	return JSON.stringify([locatorUrl, companyName, feed.entity, order, start]);
}

/** Says how the places of a strategy are stored. */
export interface Codec<Place> {
	/** Returns undefined if there is no place in the members of a state. */
	read: (members: IDataObject, warn?: Warn) => Place | undefined;
	/** Returns the place from which the last changes are delivered again. */
	readBefore: (members: IDataObject, warn?: Warn) => Place | undefined;
	write: (place: Place) => IDataObject;
	/** Combines two places that went on from the same one. */
	merge: (stored: Place, known: Place) => Place;
}

/** If a part of a stored cursor is damaged, changes may be delivered twice, but none is missed. */
export function createCursorCodec(isTimed: boolean): Codec<Cursor> {
	const read: Codec<Cursor>['read'] = ({ edge, newest, known }, warn = () => {}) => {
		const unpacked = unpackKeys(known);
		const keys = unpacked.keys.filter(({ time }) => (time !== '') === isTimed);
		const isWhole = unpacked.isWhole && keys.length === unpacked.keys.length;
		const parsedEdge = parseKey(edge);
		const last = parseKey(newest);
		// All known keys are above the edge.
		const lowest = keys[0] ?? last;
		const from = parsedEdge ?? (lowest && getOverlapStart(lowest));
		if (from === undefined || (from.time !== '') !== isTimed) return undefined;
		if (!isWhole || parsedEdge === undefined || last === undefined) {
			warn(
				'A part of the state of this trigger cannot be read: some changes may come a second time',
			);
		}
		return { edge: from, newest: last ?? from, known: keys };
	};
	return {
		read,
		readBefore: ({ before }, warn) => read(parseState(before), warn),
		write: ({ edge, newest, known }) => ({
			edge: toKeyText(edge),
			newest: toKeyText(newest),
			known: packKeys(known),
		}),
		merge: mergeCursors,
	};
}

/** The state of a trigger for one feed. */
export type Store<Place> = ReturnType<typeof openStore<Place>>;

export function openStore<Place>(
	{ caller, credentials, activation, mayDiscard = false }: Opening,
	plan: Plan,
	codec: Codec<Place>,
) {
	const state = getState(caller);
	const feed = getFeedIdentity(caller, credentials, plan);
	const { atLeastOnce } = plan;
	/** Deliveries then count only once they are in the stored state. */
	const trustsState = mayDiscard && atLeastOnce;
	const { id, name } = caller.getNode();
	// A renamed node starts over.
	const memory: Memory<Place> = recall(JSON.stringify([caller.getWorkflow().id, id, name]), feed);
	if (activation !== undefined && memory.activation !== activation) {
		memory.activation = activation;
		memory.returned = undefined;
	}
	// An activation polls again only if n8n has taken what it returned.
	if (activation !== undefined && memory.returned !== undefined) {
		noteTaken(memory, memory.returned);
	}

	/** Returns whether the state belongs to this feed, rather than to other settings. */
	const isOwn = () => state.feed === feed;
	const isEmpty = () => Object.keys(state).length === 0;
	/**
	 * n8n saves the state a moment before the execution with the changes, and may be killed in
	 * between. If delivery is at least once, the first poll of another process therefore goes back to
	 * the state before these changes.
	 */
	const goesBack = () => atLeastOnce && state.process !== PROCESS;
	const readStored = (warn?: Warn): Place | undefined => {
		if (!isOwn()) return undefined;
		const before = goesBack() ? codec.readBefore(state, warn) : undefined;
		return before ?? codec.read(state, warn);
	};
	/** Returns whether the stored state is not newer than the known one. */
	const isKnown = ({ revision }: { revision: number }) =>
		isOwn() && state.process === PROCESS && Number(state.revision) <= revision;

	return {
		memory,
		isEmpty,
		state,
		/** True if the workflow was activated again since this poll began. */
		isSuperseded: () => activation !== undefined && memory.activation !== activation,
		/** Returns undefined unless there is a place in this feed. */
		read: (warn?: Warn): Place | undefined => {
			const { taken } = memory;
			if (taken !== undefined && !trustsState && isKnown(taken)) return taken.place;
			const stored = readStored(warn);
			if (taken === undefined || (stored === undefined && !isEmpty())) return stored;
			if (stored === undefined) return taken.place;
			return trustsState ? stored : codec.merge(stored, taken.place);
		},
		/**
		 * Stores a place. `items` are those that the poll returns, and `before` is the place before
		 * them. With `isTaken`, n8n takes the place anyway. Other places are known to n8n alone, so that
		 * an activation with other filters checks again what it has not stored. Removes all other
		 * members, because an unknown version or another node may have left them.
		 */
		save: (
			place: Place,
			{
				items,
				isTaken = false,
				before,
				...more
			}: { items?: INodeExecutionData[][]; isTaken?: boolean; before?: string } & IDataObject,
		): void => {
			const storedBefore = isOwn() ? (state.before as string | undefined) : undefined;
			const lastBefore = trustsState ? storedBefore : (memory.before ?? storedBefore);
			const inDoubt = atLeastOnce ? (before ?? lastBefore) : undefined;
			const members = {
				feed,
				...codec.write(place),
				...more,
				...(inDoubt !== undefined && { before: inDoubt }),
			};
			const isSame = state.process === PROCESS && hasSameMembers(state, members);
			const revision = isSame ? Number(state.revision) : ++lastRevision;
			if (!isSame) {
				for (const member of Object.keys(state)) delete state[member];
				Object.assign(state, members, { process: PROCESS, revision });
			}
			const left = { place, revision, before: inDoubt };
			if (isTaken) memory.taken = left;
			if (isTaken || items === undefined) memory.before = inDoubt;
			if (items === undefined) return;
			memory.returned = left;
			if (!trustsState) onTaken(items, () => noteTaken(memory, left));
		},
	};
}

/** Members that change without anything new. */
const MINOR = new Set(['polled', 'process', 'revision']);

function hasSameMembers(state: IDataObject, members: IDataObject): boolean {
	const names = new Set([...Object.keys(state), ...Object.keys(members)]);
	return [...names].every((name) => MINOR.has(name) || state[name] === members[name]);
}

function parseState(text: unknown): IDataObject {
	const read = tryJson(String(text));
	return 'value' in read && isObject(read.value) ? (read.value as IDataObject) : {};
}

/**
 * Returns where a cursor goes on. If another event of the same source was watched before, this one
 * counts from the last poll on. Of the clocks of two polls the earlier one counts, because one
 * answer may have a wrong `Date`.
 */
export function continueCursor(
	cursor: Cursor,
	{ state, memory }: Store<Cursor>,
	kind: string,
): Cursor {
	const polled = memory.polled ?? toUtcText(state.polled);
	const isOther = state.kind !== undefined && state.kind !== kind;
	return isOther && polled !== undefined && cursor.edge.time !== ''
		? skipChanges(cursor, polled)
		: cursor;
}
