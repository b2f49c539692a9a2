import { randomUUID } from 'node:crypto';
import { NodeOperationError, type IDataObject } from 'n8n-workflow';

import { isObject, tryJson } from '../values/checks';
import { readSettings } from '../session/settings';
import { compareKeys, toKeyText, getOverlapStart, parseKey, type Cursor } from './feed/cursor';
import type { TriggerContext } from './context';
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

/** Removes all other members, because an unknown version or another node may have left them. */
function replaceState(state: IDataObject, members: IDataObject): void {
	for (const name of Object.keys(state)) delete state[name];
	Object.assign(state, members);
}

/**
 * Identifies the sequence of changes, because a cursor is meaningless in another one. Several
 * environments may have a Company of the same name, so the locator is included. The start time is
 * included as written in the form, because an expression may return another time at every poll.
 */
export async function getFeedIdentity(
	caller: TriggerContext,
	{ feed, since, comparison }: Plan,
): Promise<string> {
	const { companyName, locatorUrl } = readSettings(await caller.getCredentials('corrigoApi'));
	const { startTime } = caller.getNode().parameters;
	const start = since === undefined ? 'now' : String(startTime);
	const order = comparison?.feed.properties ?? feed.time ?? 'Id';
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
const PROCESS = randomUUID();

/**
 * Returns whether another process delivered the last changes, which may have started no execution.
 */
export const isInDoubt = ({ process }: IDataObject) => process !== PROCESS;

/**
 * Reads the cursor of the feed, or returns undefined if the state has none. n8n saves the state a
 * moment before the execution with the changes, and may be killed in between. If delivery is at
 * least once, another process therefore goes back to the cursor before these changes.
 */
export function readCursor(
	state: IDataObject,
	identity: string,
	{ atLeastOnce, feed }: Plan,
	warn?: Warn,
): Cursor | undefined {
	if (state.feed !== identity) return undefined;
	const isAgain = atLeastOnce && isInDoubt(state);
	const before = isAgain ? parseCursor(parseState(state.before), warn) : undefined;
	const cursor = before ?? parseCursor(state, warn);
	const isTimed = cursor?.edge.time !== '';
	return isTimed === (feed.time !== undefined) ? cursor : undefined;
}

function parseState(text: unknown): IDataObject {
	const read = tryJson(String(text));
	return 'value' in read && isObject(read.value) ? (read.value as IDataObject) : {};
}

interface Progress {
	cursor: Cursor;
	/** The cursor before the changes that are delivered now; undefined if there are none. */
	before?: Cursor;
	/** Other members of the state. */
	members?: IDataObject;
}

export function saveProgress(
	state: IDataObject,
	identity: string,
	plan: Plan,
	{ cursor, before, members }: Progress,
): void {
	const inDoubt = before && JSON.stringify(serializeCursor(before));
	saveState(state, identity, plan, { ...serializeCursor(cursor), ...members }, inDoubt);
}

/**
 * Delivery at least once goes back to `before`. Without new changes, the previous value is kept.
 */
export function saveState(
	state: IDataObject,
	identity: string,
	{ atLeastOnce }: Plan,
	members: IDataObject,
	before?: string,
): void {
	const previous = state.feed === identity ? state.before : undefined;
	replaceState(state, {
		feed: identity,
		...members,
		...(atLeastOnce && { process: PROCESS, before: before ?? previous }),
	});
}
