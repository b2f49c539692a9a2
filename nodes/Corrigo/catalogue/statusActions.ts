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
