import { findResultingStatus, FINISHED_STATUSES } from '../../../catalogue/statusActions';
import { timeZones } from '../../../catalogue/times';
import { type JsonObject, isObject, readPath, toRows } from '../../../values/objects';
import { isZoned, readTime, toInstant, fromLocalTime } from '../../../values/times';

/** Properties that `summarizeOrder` reads. */
export const PROPERTIES = [
	...['StatusId', 'CreatedDateUtc', 'DtCreated', 'DueDateUtc', 'DtDue', 'AcknowledgeByUtc'],
	...['TimeZone', 'VendorNte', 'WorkOrderCost.CostsTotal', 'WorkOrderCost.VendorInvoiceTotal'],
	...['Id', 'TypeId', 'SystemDateUtc', 'ActionDate', 'IsBackDate', 'TimeZone'].map(
		(member) => `ActionLogRecords.${member}`,
	),
	...['CheckInOuts.DtCheckIn', 'CheckInOuts.TimeZone', 'Verifications.WoRatingId'],
];

/** Times as they were entered: without a zone, they are on the clock of the work zone. */
export interface Period {
	by: 'created' | 'completed' | 'due';
	from: string;
	until?: string;
}

export type Money = { currency: string; value: number };

/** A choice of *Group By*. */
export interface Grouping {
	/** Name in the output, and of the property unless that is another one or a part of the date. */
	name: string;
	property?: string;
	/** The assignee counts only if it is of this type. */
	actorType?: string;
	readDate?: (date: string) => string;
}

/** The assignee is a vendor or an employee. */
export const ACTOR_TYPE = 'Employee.ActorTypeId';

/** The record or value that an order is grouped by; null if it has none. */
function readGroup(order: JsonObject, { name, property = name, actorType }: Grouping): unknown {
	if (actorType !== undefined && readPath(order, ACTOR_TYPE) !== actorType) return null;
	return readPath(order, property) ?? null;
}

/** Returns undefined for a zone that is not known. */
function readLocalTime(value: unknown, zone: unknown): number | undefined {
	const name = timeZones[String(zone)];
	const isSet = name !== undefined && readTime(value) !== undefined;
	return isSet ? fromLocalTime(String(value), name) : undefined;
}

/**
 * Lists the actions in the order in which Corrigo logged them, which decides about the status. The
 * times at which they are said to have happened may contradict it. Nothing counts as done before its
 * order existed.
 */
function readActions(order: JsonObject, created: number) {
	return toRows(order.ActionLogRecords)
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

type Actions = ReturnType<typeof readActions>;

function findFirst(actions: Actions, wanted: string): number | undefined {
	const times = actions.filter(({ type }) => type === wanted).map(({ at }) => at);
	return times.length > 0 ? Math.min(...times) : undefined;
}

const isFinished = (status: unknown) => FINISHED_STATUSES.includes(String(status));

/**
 * The statuses of an order, each with the time until the next one or until now. One that is said to
 * have begun before the status that it ended begins along with that.
 */
function readStatuses(actions: Actions, now: number) {
	let begin = -Infinity;
	const statuses = actions.flatMap(({ type, at }) => {
		const status = findResultingStatus(type);
		if (status === undefined) return [];
		begin = Math.max(begin, at);
		return [{ status, begin }];
	});
	return statuses.map(({ status, begin }, index) => ({
		status,
		duration: Math.max(0, (statuses[index + 1]?.begin ?? now) - begin),
		isReopened: index > 0 && isFinished(statuses[index - 1].status) && !isFinished(status),
	}));
}

function readMoney(value: unknown): Money | undefined {
	if (!isObject(value) || typeof value.Value !== 'number') return undefined;
	return { currency: String(value.CurrencyTypeId), value: value.Value };
}

function isWithin({ from, until }: Period, at: number, local: string): boolean {
	const isBefore = (bound: string) => (isZoned(bound) ? at : toInstant(local)) < toInstant(bound);
	return !isBefore(from) && (until === undefined || isBefore(until));
}

const isNotAfter = (time: number | undefined, limit: number | undefined) =>
	time === undefined || limit === undefined ? undefined : time <= limit;

/** The part of an order that counts, without its log; durations are in milliseconds. */
export type OrderSummary = ReturnType<typeof summarizeOrder>;

/** Keeps of an order with its log only what counts, because hundreds of thousands may be read. */
export function summarizeOrder(
	order: JsonObject,
	period: Period,
	groupBy: readonly Grouping[],
	now: number,
) {
	const created = toInstant(order.CreatedDateUtc);
	const actions = readActions(order, created);
	const statuses = readStatuses(actions, now);
	const holds = statuses.filter(({ status }) => status === 'OnHold' || status === 'Paused');
	const since = (at: number | undefined) => at && at - created;
	const isCompleted = order.StatusId === 'Completed';
	const completion = isCompleted
		? actions.filter(({ type }) => type === 'Complete').pop()
		: undefined;
	const pickedUp = findFirst(actions, 'PickUp');
	const visits = toRows(order.CheckInOuts)
		.map(({ DtCheckIn, TimeZone }) => readLocalTime(DtCheckIn, TimeZone ?? order.TimeZone))
		.filter((time) => time !== undefined)
		.map((time) => Math.max(created, time));
	const arrived = visits.length > 0 ? Math.min(...visits) : findFirst(actions, 'Start');
	const due = readTime(order.DueDateUtc);
	const isOpen = !isFinished(order.StatusId);
	const invoice = readMoney(readPath(order, 'WorkOrderCost.VendorInvoiceTotal'));
	const nte = readMoney(order.VendorNte);
	const date = { created: order.DtCreated, due: order.DtDue, completed: completion?.local }[
		period.by
	];
	return {
		// The query has selected the others.
		isInPeriod:
			period.by !== 'completed' ||
			(completion !== undefined && isWithin(period, completion.at, completion.local)),
		/** The date of the period, on the clock of the work zone. */
		date: String(date),
		/** Values by the properties that the orders are grouped by. */
		groups: groupBy.map((grouping) => readGroup(order, grouping)),
		status: isOpen ? 'open' : isCompleted ? 'completed' : 'cancelled',
		isOverdue: isOpen && due !== undefined && due < now,
		wasReopened: statuses.some(({ isReopened }) => isReopened),
		/** Undefined unless the order is completed and has a due time. */
		isOnTime: isNotAfter(completion?.at, due),
		/** Undefined unless the order was picked up and has a time for that. */
		isPickedUpOnTime: isNotAfter(pickedUp, readTime(order.AcknowledgeByUtc)),
		toPickUp: since(pickedUp),
		toArrive: since(arrived),
		toComplete: since(completion?.at),
		onHold: holds.length > 0 ? holds.reduce((sum, { duration }) => sum + duration, 0) : undefined,
		cost: readMoney(readPath(order, 'WorkOrderCost.CostsTotal')),
		invoice,
		isOverNte:
			nte !== undefined &&
			nte.value > 0 &&
			invoice?.currency === nte.currency &&
			invoice.value > nte.value,
		ratings: toRows(order.Verifications).map(({ WoRatingId }) => String(WoRatingId)),
	};
}
