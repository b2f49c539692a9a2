import { createTable } from './table';

/** Statuses in which no more work is expected. */
export const FINISHED_STATUSES: readonly string[] = ['Completed', 'Cancelled'];

/** Actions in the log of a work order that lead to each status. */
export const STATUS_ACTIONS = createTable<readonly string[]>({
	New: ['Create', 'Reopen'],
	Open: ['PickUp'],
	InProgress: ['Start'],
	Paused: ['Stop'],
	OnHold: ['OnHold'],
	Completed: ['Complete'],
	Cancelled: ['Cancel'],
});

const statusByAction = new Map(
	Object.entries(STATUS_ACTIONS).flatMap(([status, actions]) =>
		actions.map((action) => [action, status]),
	),
);

/** Returns `undefined` for actions that do not change the status. */
export const findResultingStatus = (action: unknown) => statusByAction.get(String(action));

/**
 * Statuses in which an action on a work order has no purpose, or that the vendor's own samples leave
 * out. Corrigo alone decides, so they are only warned of.
 */
const UNFIT_STATUSES = createTable<readonly string[]>({
	WoPickUpCommand: ['Open', ...FINISHED_STATUSES],
	WoStartCommand: ['InProgress', ...FINISHED_STATUSES],
	WoPauseCommand: ['Paused', ...FINISHED_STATUSES],
	WoOnHoldCommand: ['OnHold', 'Paused', ...FINISHED_STATUSES],
	WoCompleteCommand: ['New', ...FINISHED_STATUSES],
	WoCancelCommand: FINISHED_STATUSES,
	WoReopenCommand: ['New'],
});

/** An action also fails if it expects another status than the one that the order has. */
export const isUnfit = (command: string, status: string, expected: unknown): boolean =>
	(typeof expected === 'string' && expected !== status) ||
	UNFIT_STATUSES[command]?.includes(status) === true;
