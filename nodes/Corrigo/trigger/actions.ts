import { findResultingStatus } from '../catalogue/statusActions';
import { getPreviousStatus } from '../records/actionDetails';
import { isObject, type JsonObject, toInstant, normalize } from '../values/checks';
import { and, equal } from '../wire/criteria';
import { lookUpIfAllowed, type Requester } from '../records/lookup';
import type { VisitTime } from './events';

/** The log and the visit may take their times from different clocks. */
const MAX_VISIT_GAP_MS = 10 * 60_000;

export const isByVendor = ({ Actor }: JsonObject) => isObject(Actor) && Actor.TypeId === 'Provider';

/** Drops actions that leave the status of their work order unchanged. */
export async function dropRepeats(
	requester: Requester,
	actions: JsonObject[],
): Promise<JsonObject[]> {
	const details = await lookUpIfAllowed(
		requester,
		{
			entity: 'WoActionLogProp',
			by: ['WoActionLogId'],
			properties: ['ValueInt', 'ValueStr'],
			where: and(equal('TypeId', 'PrevWoStatus')),
		},
		actions.filter(({ TypeId }) => TypeId !== 'Create').map(({ Id }) => Id),
	);
	return actions.filter(({ Id, TypeId }) => {
		const before = details.get(normalize(Id))?.map(getPreviousStatus) ?? [];
		return !before.some((status) => status !== undefined && status === findResultingStatus(TypeId));
	});
}

/** Returns the visit that each action begins or ends, if it is recorded. */
export async function fetchVisits(
	requester: Requester,
	time: VisitTime,
	actions: JsonObject[],
): Promise<Map<JsonObject, JsonObject | undefined>> {
	const found = await lookUpIfAllowed(
		requester,
		{ entity: 'WoOnSite', by: ['WorkOrderId'], properties: ['*'] },
		actions.map(({ WorkOrderId }) => WorkOrderId),
	);
	return new Map(
		actions.map((action) => {
			const visits = found.get(normalize(action.WorkOrderId)) ?? [];
			return [action, findVisit(action, time, visits)];
		}),
	);
}

/** No ID links an action to its visit, so the visit of the same person nearest in time is taken. */
function findVisit(
	{ Actor, ActionDate, SystemDateUtc }: JsonObject,
	time: VisitTime,
	visits: JsonObject[],
): JsonObject | undefined {
	const [nearest] = visits
		.filter(({ EmployeeId }) => isObject(Actor) && Actor.Id === EmployeeId)
		.map((visit) => {
			const gaps = [ActionDate, SystemDateUtc].map((at) =>
				Math.abs(toInstant(at) - toInstant(visit[time])),
			);
			return { visit, gap: Math.min(...gaps.filter((gap) => gap <= MAX_VISIT_GAP_MS)) };
		})
		.filter(({ gap }) => gap < Infinity)
		.sort((a, b) => a.gap - b.gap);
	return nearest?.visit;
}
