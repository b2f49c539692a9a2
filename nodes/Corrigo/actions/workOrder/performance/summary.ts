import { type JsonObject, isObject, readPath, toRows } from '../../../values/objects';
import { isZoned, readTime, toInstant } from '../../../values/times';
import { isFinished, readActions, readLocalTime, readStatuses, type Actions } from '../timeline';

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

function findFirst(actions: Actions, wanted: string): number | undefined {
	const times = actions.filter(({ type }) => type === wanted).map(({ at }) => at);
	return times.length > 0 ? Math.min(...times) : undefined;
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
