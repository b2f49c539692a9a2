import type { World } from '../runtime/world';
import type { Stamp } from '../runtime/clock';
import { SERVICE_USER } from '../seed/lookups';
import type { Row, Values } from '../store/store';
import { insertDetails, type ActionDetails } from './actionDetails';

/** The author of changes through the API, whom the log shows as the system. */
export const SERVICE_ACTOR = { ...SERVICE_USER, TypeId: 'CorrigoNet' } as const;

interface Action extends Values {
	TypeId: string;
	/** The local time at which the action is said to have happened, where that is not now. */
	backDate?: string;
	details?: ActionDetails;
}

/** Logs an action on a work order, and makes it the last action of the order. */
export function logAction(
	world: World,
	order: Row,
	action: Action,
	stamp: Stamp = world.clock.stamp(),
): Row | undefined {
	const { recordedActions } = world.settings;
	if (recordedActions && !recordedActions.includes(action.TypeId)) return undefined;
	const { backDate, details = {}, ...members } = action;
	const zone = Number(order.TimeZone ?? 0);
	const ActionDate = backDate ?? stamp.local(zone);
	const log = world.store.insert('WoActionLog', {
		WorkOrderId: order.Id,
		Actor: SERVICE_ACTOR,
		UiTypeId: 'IntegrationWS',
		TimeZone: zone,
		ActionDate,
		IsBackDate: backDate !== undefined,
		SystemDateUtc: stamp.utc,
		...members,
	});
	insertDetails(world.store, log.Id, details);
	const last: Values = { LastAction: { Id: log.Id } };
	if (members.ActionReasonId) last.Reason = { Id: members.ActionReasonId };
	world.store.change('WoLastAction', order.Id, last);
	world.store.change('WorkOrder', order.Id, {
		LastActionDate: ActionDate,
		LastActionDateUtc: stamp.utc,
	});
	return log;
}
