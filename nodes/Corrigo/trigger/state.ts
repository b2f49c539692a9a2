import { NodeOperationError, type IDataObject } from 'n8n-workflow';

import { isObject } from '../protocol/checks';
import { compare, keyFrom, keyText, overlapBefore, type Cursor } from './cursor';
import type { Plan } from './plan/plan';
import type { TriggerContext } from './context';

/** What n8n keeps of this node from one poll to the next. */
export function stateOf(caller: TriggerContext): IDataObject {
	const state: unknown = caller.getWorkflowStaticData('node');
	if (isObject(state)) return state as IDataObject;
	throw new NodeOperationError(
		caller.getNode(),
		'What n8n has stored for this node is no state of a trigger, and cannot be replaced',
		{ description: "Rename the node: under another name it begins anew at 'Start From'." },
	);
}

/** Nothing else stays in it: what an unknown version or another node has left there means nothing. */
export function keep(state: IDataObject, kept: IDataObject): void {
	for (const name of Object.keys(state)) delete state[name];
	Object.assign(state, kept);
}

/**
 * A change of these begins a new queue: the old cursor means nothing in it. The start counts as it is
 * written in the form, since an expression may give another time at every poll.
 */
export async function identityOf(caller: TriggerContext, { feed, since }: Plan): Promise<string> {
	const { companyName } = await caller.getCredentials('corrigoApi');
	const { startTime } = caller.getNode().parameters;
	const start = since === undefined ? 'now' : String(startTime);
	return JSON.stringify([companyName, feed.entity, feed.time ?? 'Id', start]);
}

export type Warn = (what: string) => void;

/**
 * The place that a state holds; nothing where no place can be read from it. Whatever is wrong with it,
 * nothing is passed over: rather some changes come a second time.
 */
export function cursorFrom(
	{ edge, newest, known }: IDataObject,
	warn: Warn = () => {},
): Cursor | undefined {
	const texts = Array.isArray(known) ? known : [];
	const keys = texts
		.map(keyFrom)
		.filter((key) => key !== undefined)
		.sort(compare);
	const first = keyFrom(edge);
	const last = keyFrom(newest);
	// Nothing is known that is not above the edge.
	const lowest = keys[0] ?? last;
	const from = first ?? (lowest && overlapBefore(lowest));
	if (from === undefined) return undefined;
	if (first === undefined || last === undefined || texts !== known || keys.length < texts.length) {
		warn('A part of the state of this trigger cannot be read: some changes may come a second time');
	}
	return {
		edge: from,
		newest: last ?? from,
		known: keys,
	};
}

export const textsOf = ({ edge, newest, known }: Cursor) => ({
	edge: keyText(edge),
	newest: keyText(newest),
	known: known.map(keyText),
});
