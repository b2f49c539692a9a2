import type { Row, Store } from '../store/store';

const ENDS: readonly unknown[] = ['Stop', 'Complete'];

/** Whoever starts work on site checks in, and checks out when the work stops or is complete. */
export function recordVisit(store: Store, action: Row): void {
	const { WorkOrderId, TypeId, ActionDate, TimeZone } = action;
	const EmployeeId = (action.Actor as Row).Id;
	if (TypeId === 'Start') {
		const visit = { WorkOrderId, EmployeeId, TimeZone, InStatusId: 'Unverified' };
		store.insert('WoOnSite', { ...visit, DtCheckIn: ActionDate });
	} else if (ENDS.includes(TypeId)) {
		const open = store
			.children('WoOnSite', 'WorkOrderId', WorkOrderId)
			.findLast((visit) => visit.EmployeeId === EmployeeId && !visit.DtCheckOut);
		if (open) store.change('WoOnSite', open.Id, { DtCheckOut: ActionDate });
	}
}

export const toActor = ({ Id, ActorTypeId, DisplayAs }: Row) => ({
	Id,
	TypeId: ActorTypeId,
	DisplayAs,
});
