import {
	NodeOperationError,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type INodeExecutionData,
} from 'n8n-workflow';

import { readSettings } from '../session/credential';
import { tryJson } from '../values/json';
import { isObject } from '../values/objects';
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
} from './feed/cursor';
import { createRevision, noteTaken, onTaken, PROCESS, recall, type Memory } from './memory';
import { startTimeField, type Plan, type Session, type TriggerContext, type Warn } from './plan';

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

/** Only a poll knows how n8n keeps its state. */
type Opening = Pick<Session, 'credentials'> &
	Partial<Pick<Session, 'keeping'>> & { caller: TriggerContext };

/** The state of a trigger for one feed. */
export type Store<Place> = ReturnType<typeof openStore<Place>>;

export function openStore<Place>(
	{ caller, credentials, keeping = {} }: Opening,
	plan: Plan,
	codec: Codec<Place>,
) {
	const { activation, mayDiscard = false } = keeping;
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
			const inDoubt = before ?? memory.before ?? (isOwn() ? state.before : undefined);
			const members = {
				feed,
				...codec.write(place),
				...more,
				...(atLeastOnce && inDoubt !== undefined && { before: inDoubt }),
			};
			const isSame = state.process === PROCESS && hasSameMembers(state, members);
			const revision = isSame ? Number(state.revision) : createRevision();
			if (!isSame) {
				for (const member of Object.keys(state)) delete state[member];
				Object.assign(state, members, { process: PROCESS, revision });
			}
			const left = { place, revision };
			if (atLeastOnce) memory.before = inDoubt as string | undefined;
			if (isTaken) memory.taken = left;
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
