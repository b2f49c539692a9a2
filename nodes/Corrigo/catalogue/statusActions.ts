/** Statuses in which the work is over. */
export const FINISHED: readonly string[] = ['Completed', 'Cancelled'];

/** The actions in the log of a work order that bring it into a status. */
export const STATUS_ACTIONS: Readonly<Record<string, readonly string[]>> = {
	New: ['Create', 'Reopen'],
	Open: ['PickUp'],
	InProgress: ['Start'],
	Paused: ['Stop'],
	OnHold: ['OnHold'],
	Completed: ['Complete'],
	Cancelled: ['Cancel'],
};

const statusByAction = new Map(
	Object.entries(STATUS_ACTIONS).flatMap(([status, actions]) =>
		actions.map((action) => [action, status]),
	),
);

/** The status to which an action leads; undefined if it changes none. */
export const statusAfter = (action: unknown) => statusByAction.get(String(action));
