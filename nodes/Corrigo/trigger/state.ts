import { randomUUID } from 'node:crypto';
import {
	NodeOperationError,
	type ICredentialDataDecryptedObject,
	type IDataObject,
} from 'n8n-workflow';

import { tryJson } from '../values/json';
import { isObject } from '../values/objects';
import { remember } from '../values/cache';
import { readSettings } from '../session/settings';
import type { TriggerContext } from './advice';
import {
	compareKeys,
	toKeyText,
	getOverlapStart,
	mergeCursors,
	parseKey,
	type Cursor,
	type Key,
} from './changes/cursor';
import type { Plan } from './plan/plan';

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
 * Identifies the sequence of changes, because a cursor is meaningless in another one. Several
 * environments may have a Company of the same name, so the locator is included. The start time is
 * included as written in the form, because an expression may return another time at every poll.
 */
function getFeedIdentity(
	caller: TriggerContext,
	credentials: ICredentialDataDecryptedObject,
	plan: Plan,
): string {
	const { companyName, locatorUrl } = readSettings(credentials);
	const { feed, since } = plan;
	const start = since === undefined ? 'now' : String(caller.getNode().parameters.startTime);
	const order = plan.type === 'comparison' ? plan.comparison.feed.properties : (feed.time ?? 'Id');
	return JSON.stringify([locatorUrl, companyName, feed.entity, order, start]);
}

export type Warn = (message: string) => void;

/**
 * Reads the cursor from a state, or returns undefined if there is none. If a part is damaged,
 * changes may be delivered twice, but none is missed.
 */
export function parseCursor(
	{ edge, newest, known }: IDataObject,
	warn: Warn = () => {},
): Cursor | undefined {
	const texts = Array.isArray(known) ? known : [];
	const keys = texts
		.map(parseKey)
		.filter((key) => key !== undefined)
		.sort(compareKeys);
	const parsedEdge = parseKey(edge);
	const last = parseKey(newest);
	// All known keys are above the edge.
	const lowest = keys[0] ?? last;
	const from = parsedEdge ?? (lowest && getOverlapStart(lowest));
	if (from === undefined) return undefined;
	const isWhole = parsedEdge && last && texts === known && keys.length === texts.length;
	if (!isWhole) {
		warn('A part of the state of this trigger cannot be read: some changes may come a second time');
	}
	return { edge: from, newest: last ?? from, known: keys };
}

export const serializeCursor = ({ edge, newest, known }: Cursor) => ({
	edge: toKeyText(edge),
	newest: toKeyText(newest),
	known: known.map(toKeyText),
});

/** Identifies this process; every n8n process has its own value. */
export const PROCESS = randomUUID();

/**
 * Keeps the cursors after the activations and last deliveries of this process, because n8n may pass
 * an older copy of the state: to a push that came meanwhile, or to polls after a workflow was
 * published again while a poll ran.
 */
const delivered = new Map<string, Delivered>();

interface Delivered {
	feed: string;
	cursor: Cursor;
	/** The known keys of the cursor, in the text form of states. */
	known: ReadonlySet<unknown>;
	/** The cursor in doubt, in the text form of states. */
	before: IDataObject[string];
}

/** Limits the nodes whose last delivery is kept. */
const MAX_NODES = 100;

/** The state of a trigger for one feed. */
export type Store = ReturnType<typeof openStore>;

/**
 * `mayDiscard` says that n8n may discard what a poll returns, together with the state that the poll
 * has left.
 */
export function openStore(
	caller: TriggerContext,
	credentials: ICredentialDataDecryptedObject,
	plan: Plan,
	mayDiscard = false,
) {
	const state = getState(caller);
	const feed = getFeedIdentity(caller, credentials, plan);
	const { atLeastOnce } = plan;
	/** Deliveries then count only once they are in the stored state. */
	const trustsState = mayDiscard && atLeastOnce;
	const { id, name } = caller.getNode();
	const node = JSON.stringify([caller.getWorkflow().id, id, name]);
	/** Returns whether the state belongs to this feed, rather than to other settings. */
	const isOwn = () => state.feed === feed;
	/**
	 * n8n saves the state a moment before the execution with the changes, and may be killed in
	 * between. If delivery is at least once, the first poll of another process therefore goes back to
	 * the state before these changes.
	 */
	const goesBack = () => atLeastOnce && state.process !== PROCESS;
	const isEmpty = () => Object.keys(state).length === 0;
	const readStored = (warn?: Warn): Cursor | undefined => {
		if (!isOwn()) return undefined;
		const before = goesBack() ? parseCursor(parseState(state.before), warn) : undefined;
		const cursor = before ?? parseCursor(state, warn);
		const isTimed = cursor?.edge.time !== '';
		return isTimed === (plan.feed.time !== undefined) ? cursor : undefined;
	};
	const getDelivered = () => {
		const last = delivered.get(node);
		return last?.feed === feed ? last : undefined;
	};
	/** Removes all other members, because an unknown version or another node may have left them. */
	const save = (members: IDataObject, before?: string): void => {
		const previous = getDelivered()?.before ?? (isOwn() ? state.before : undefined);
		for (const name of Object.keys(state)) delete state[name];
		// If nothing is new, the value of the last delivery is kept.
		const inDoubt = atLeastOnce && { process: PROCESS, before: before ?? previous };
		Object.assign(state, { feed, ...members, ...inDoubt });
	};
	return {
		/** Includes the name, because a renamed node starts over. */
		node,
		feed,
		state,
		trustsState,
		isOwn,
		goesBack,
		save,
		isEmpty,
		/** Returns undefined unless the state has a cursor of this feed. */
		readCursor: (warn?: Warn): Cursor | undefined => {
			const last = getDelivered();
			// Webhooks have thousands of keys, and pushes that come together get older copies of them.
			if (last !== undefined && isOwn() && isPart(state, last)) return last.cursor;
			const stored = readStored(warn);
			if (last === undefined || (stored === undefined && !isEmpty())) return stored;
			return stored === undefined ? last.cursor : mergeCursors(stored, last.cursor);
		},
		/** Call this when the cursor after an activation or a delivery is saved. */
		remember: (cursor: Cursor): void => {
			const known = new Set(cursor.known.map(toKeyText));
			remember(delivered, node, { feed, cursor, known, before: state.before }, MAX_NODES);
		},
		/** `before` is the cursor before the changes that are delivered now, if there are any. */
		saveCursor: (cursor: Cursor, before?: Cursor, members?: IDataObject): void =>
			save(
				{ ...serializeCursor(cursor), ...members },
				before && JSON.stringify(serializeCursor(before)),
			),
	};
}

/** Returns whether merging the cursor of a state would add nothing to a delivery. */
function isPart(state: IDataObject, { cursor, known }: Delivered): boolean {
	const isUpTo = (text: unknown, limit: Key) => {
		const key = parseKey(text);
		return key !== undefined && compareKeys(key, limit) <= 0;
	};
	return (
		isUpTo(state.edge, cursor.edge) &&
		isUpTo(state.newest, cursor.newest) &&
		Array.isArray(state.known) &&
		state.known.every((text) => known.has(text) || isUpTo(text, cursor.edge))
	);
}

function parseState(text: unknown): IDataObject {
	const read = tryJson(String(text));
	return 'value' in read && isObject(read.value) ? (read.value as IDataObject) : {};
}
