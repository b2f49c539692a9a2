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
