import { randomUUID } from 'node:crypto';
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { remember } from '../values/cache';

/** Limits the nodes of which a process keeps what it knows. */
export const MAX_NODES = 1000;

/** Identifies this process; every n8n process has its own value. */
export const PROCESS = randomUUID();

/** Numbers the states that this process has left, so that an older copy of one is recognized. */
let lastRevision = 0;
export const createRevision = (): number => ++lastRevision;

/** A place is where a trigger goes on. */
interface Left<Place> {
	place: Place;
	revision: number;
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
	/** The member `before` of the last state. */
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
export function recall<Place>(node: string, feed: string): Memory<Place> {
	const known = memories.get(node) as Memory<Place> | undefined;
	const memory = known?.feed === feed ? known : { feed, warned: new Set<string>() };
	remember(memories, node, memory, MAX_NODES);
	return memory;
}

/** Notes that n8n has taken the items of a poll. */
export function noteTaken<Place>(memory: Memory<Place>, left: Left<Place>): void {
	if (memory.taken === undefined || memory.taken.revision < left.revision) memory.taken = left;
	if (memory.returned === left) memory.returned = undefined;
}

/** What to do when n8n takes the items that a poll has returned. */
const takings = new WeakMap<object, () => void>();

export const onTaken = (items: INodeExecutionData[][], note: () => void) =>
	takings.set(items, note);

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
