import { findResultingStatus, FINISHED_STATUSES } from '../../catalogue/statusActions';
import { createTable } from '../../catalogue/table';
import { timeZones } from '../../catalogue/times';
import { type JsonObject, toRows } from '../../values/objects';
import { fromLocalTime, HOUR_MS, readTime, toInstant } from '../../values/times';

/** Returns undefined for a zone that is not known. */
export function readLocalTime(value: unknown, zone: unknown): number | undefined {
	const name = timeZones[String(zone)];
	const isSet = name !== undefined && readTime(value) !== undefined;
	return isSet ? fromLocalTime(String(value), name) : undefined;
}

/**
 * Lists the actions in the order in which Corrigo logged them, which decides about the status. The
 * times at which they are said to have happened may contradict it. Nothing counts as done before its
 * order existed.
 */
export function readActions(order: JsonObject, created: number, log = order.ActionLogRecords) {
	return toRows(log)
		.map((row) => {
			const logged = toInstant(row.SystemDateUtc);
			const said =
				row.IsBackDate === true ? readLocalTime(row.ActionDate, row.TimeZone) : undefined;
			const at = Math.max(created, Math.min(logged, said ?? logged));
			const local = at === created ? order.DtCreated : row.ActionDate;
			// The local time is that on the clock of the work zone.
			return { type: String(row.TypeId), id: Number(row.Id), logged, at, local: String(local) };
		})
		.sort((one, other) => one.logged - other.logged || one.id - other.id);
}

export type Actions = ReturnType<typeof readActions>;

export const isFinished = (status: unknown) => FINISHED_STATUSES.includes(String(status));

/**
 * The statuses of an order, each with the time until the next one or until now. One that is said to
 * have begun before the status that it ended begins along with that.
 */
export function readStatuses(actions: Actions, now: number) {
	let begin = -Infinity;
	const statuses = actions.flatMap(({ type, id, at }) => {
		const status = findResultingStatus(type);
		if (status === undefined) return [];
		begin = Math.max(begin, at);
		return [{ id, status, begin }];
	});
	return statuses.map(({ id, status, begin }, index) => ({
		/** The Id of the action that led to the status. */
		id,
		status,
		duration: Math.max(0, (statuses[index + 1]?.begin ?? now) - begin),
		isReopened: index > 0 && isFinished(statuses[index - 1].status) && !isFinished(status),
	}));
}

export const toHours = (duration: number): number => Math.round((duration / HOUR_MS) * 100) / 100;

/** The first pick-up and the first start have planned times, and so has each completion. */
const PLANS = {
	PickUp: { time: 'AcknowledgeByUtc', isFirstOnly: true },
	Start: { time: 'DtUtcOnSiteBy', isFirstOnly: true },
	Complete: { time: 'DueDateUtc', isFirstOnly: false },
};

const planByAction = createTable<(typeof PLANS)['Start'] | undefined>(PLANS);

/** Properties of an order that `readDelays` reads. */
export const DELAY_PATHS = ['CreatedDateUtc', ...Object.values(PLANS).map(({ time }) => time)];

/**
 * Tells by the Id of each action how long the status lasted that it ended, and how late it was. A log
 * that is not whole does not say which action is the first of its type.
 */
export function readDelays(
	order: JsonObject,
	log: JsonObject[],
	{ isWhole = true } = {},
): Map<number, JsonObject> {
	const actions = readActions(order, readTime(order.CreatedDateUtc) ?? -Infinity, log);
	const statuses = readStatuses(actions, 0);
	const lasted = new Map(statuses.slice(1).map(({ id }, index) => [id, statuses[index].duration]));
	const isFirst = ({ id, type }: Actions[number]) =>
		isWhole && actions.find((action) => action.type === type)?.id === id;
	return new Map(
		actions.map((action) => {
			const plan = planByAction[action.type];
			const planned = plan && (!plan.isFirstOnly || isFirst(action)) ? order[plan.time] : undefined;
			const at = readTime(planned);
			const duration = lasted.get(action.id);
			return [
				action.id,
				{
					...(duration !== undefined && { HoursInStatusBefore: toHours(duration) }),
					...(at !== undefined && { PlannedUtc: planned, HoursLate: toHours(action.at - at) }),
				},
			];
		}),
	);
}
