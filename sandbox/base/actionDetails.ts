import { enumeration } from '../schema';
import type { Store } from '../store/store';

type Detail = number | string | undefined;

/** The changes of an action by their kind. Numbers are IDs, or positions in an enumeration. */
export type ActionDetails = Readonly<Record<string, Detail | readonly Detail[]>>;

const statuses = new Map(
	enumeration('WorkOrderStatus').map((status, position) => [status, position]),
);

export const previousStatus = (status: unknown): ActionDetails => ({
	PrevWoStatus: statuses.get(String(status)),
});

export function insertDetails(store: Store, WoActionLogId: number, details: ActionDetails): void {
	for (const [TypeId, values] of Object.entries(details)) {
		for (const value of [values].flat()) {
			if (value === undefined) continue;
			const member = typeof value === 'number' ? 'ValueInt' : 'ValueStr';
			store.insert('WoActionLogProp', { WoActionLogId, TypeId, [member]: value });
		}
	}
}
