import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { API_UI_TYPE } from '../catalogue/members';
import { type JsonObject, normalize } from '../values/checks';
import { and, equal } from '../wire/criteria';
import { addEndNames, loadReferenceNames } from '../records/names';
import { lookUp, loadRecordsById, type Requester } from '../records/lookup';
import { isByVendor, fetchVisits, dropRepeats } from './actions';
import { addMs, compareKeys, toKeyText, toUtcText, type Key } from './feed/cursor';
import { describeDeadline } from './deadlines/deadlines';
import { readKey, type Feed } from './feed/feed';
import { getLag } from './lag';
import type { OrderPlan } from './plan/orders';
import type { Plan } from './plan/plan';
import type { ChangeName } from './comparison/snapshot';

export interface Result {
	item: INodeExecutionData;
	/** The ID of the work order that the change belongs to. */
	order?: number;
	/** The time of the change, if it is known. */
	at?: string;
	/** Set if records are compared with their earlier versions. */
	change?: ChangeName;
}

type Results = Array<Result | undefined>;

/**
 * Turns the rows of a feed into the items that the form asks for, with few requests for all rows
 * together.
 */
export async function completeRows(
	requester: Requester,
	plan: Plan,
	rows: JsonObject[],
): Promise<Results> {
	const results = await buildResults(requester, plan, rows);
	return results.map(
		(result, index) => result && { ...result, at: getChangeTime(plan, rows[index]) },
	);
}

function getChangeTime({ feed, timestampProperty, deadlineRule }: Plan, row: JsonObject) {
	const time = toUtcText(row[feed.time ?? timestampProperty ?? '']);
	return time === undefined || deadlineRule === undefined
		? time
		: addMs(time, deadlineRule.offsetMs);
}

async function buildResults(
	requester: Requester,
	plan: Plan,
	rows: JsonObject[],
): Promise<Results> {
	const { feed, orders, ends = [] } = plan;
	if (orders === undefined) {
		const getName = await loadReferenceNames(requester, feed.entity, rows, ends);
		return rows.map((row) =>
			toResult(addEndNames(feed.entity, row, ends, getName), Number(row.Id)),
		);
	}
	if (plan.deadlineRule !== undefined) {
		return await confirmDeadlines(requester, feed, orders, rows);
	}
	const included = await filterChanges(requester, plan, rows);
	const ids = included.map(getOrderId).filter((id) => id !== undefined);
	const isAlone = orders.returns === 'event' && orders.criteria === undefined;
	const visitTime = orders.returns === 'record' ? undefined : plan.visit;
	const [visits, records] = await Promise.all([
		visitTime && fetchVisits(requester, visitTime, included),
		isAlone ? undefined : fetchOrders(requester, orders, ids),
	]);
	const buildResult = (row: JsonObject) => {
		const event = visits ? { ...row, WoOnSite: visits.get(row) ?? null } : row;
		return records ? addOrder(orders, event, records) : toResult(event, getOrderId(row));
	};
	const isIncluded = new Set(included);
	return rows.map((row) => (isIncluded.has(row) ? buildResult(row) : undefined));
}

/** Keeps the rows that are changes of this event. */
async function filterChanges(
	requester: Requester,
	{ feed, ignoreApi, isIgnored, visit, changesStatus }: Plan,
	rows: JsonObject[],
): Promise<JsonObject[]> {
	const own = visit === undefined ? rows : rows.filter(isByVendor);
	const foreign = own.filter((row) => isIgnored?.(row) !== true);
	const relevant = ignoreApi ? await dropApiChanges(requester, feed.entity, foreign) : foreign;
	return changesStatus ? await dropRepeats(requester, relevant) : relevant;
}

/** Drops work orders that were finished or rescheduled after the rows were read. */
async function confirmDeadlines(
	requester: Requester,
	feed: Feed,
	orders: OrderPlan,
	rows: JsonObject[],
): Promise<Results> {
	const ids = rows.map(({ Id }) => Number(Id));
	const records = await fetchOrders(requester, orders, ids);
	return rows.map((row) => {
		const id = Number(row.Id);
		const record = records.get(id);
		const isDue =
			record !== undefined && compareKeys(readKey(feed, record), readKey(feed, row)) === 0;
		return isDue ? toResult(record, id) : undefined;
	});
}

/**
 * Adds the members that describe the change: Deadline, ChangeKey, Lag and Change. A change has the
 * same ChangeKey each time it is delivered. In a manual test the ChangeKey has a `prefix`, so that
 * a node that removes duplicates does not drop the real change later.
 */
export function annotate(
	{ addChangeKey, feed, addLag, deadlineRule, comparison, hasOrderKeys }: Plan,
	key: Key,
	{ item, order, at, change: Change = comparison?.changes[0] }: Result,
	{ clock, prefix = '', version = '' }: { clock?: string; prefix?: string; version?: string },
): Result {
	const json = Change === 'deleted' ? { EntityType: feed.entity, Id: key.id } : item.json;
	const suffix = Change === undefined ? '' : ` ${Change}${version}`;
	const [entity, id] = hasOrderKeys ? ['WorkOrder', Number(order)] : [feed.entity, key.id];
	const ChangeKey = `${prefix}${deadlineRule?.name ?? entity} ${toKeyText({ ...key, id })}${suffix}`;
	const members = {
		...(deadlineRule && {
			Deadline: describeDeadline(deadlineRule, key, String(clock), item.json.TimeZone),
		}),
		...(addChangeKey && { ChangeKey }),
		...(addLag && { Lag: getLag(at, clock) }),
		...(Change && { Change }),
	};
	return { item: { json: { ...json, ...members } }, order, at };
}

export function toItems({ latestOnly }: Plan, results: Results): INodeExecutionData[] {
	const found = results.filter((result) => result !== undefined);
	const last = new Map(found.map((result) => [result.order, result]));
	return found
		.filter((one) => !latestOnly || one.order === undefined || last.get(one.order) === one)
		.map(({ item }) => item);
}

const toResult = (json: JsonObject, order?: number): Result => ({
	item: { json: json as IDataObject },
	order,
});

/**
 * A document may belong to any type of record, so its type says whether its actor is a work order.
 */
function getOrderId({ WorkOrderId: id, ActorTypeId: type, ActorId: actor }: JsonObject) {
	const order = type === 'WO' ? actor : id;
	return typeof order === 'number' && order > 0 ? order : undefined;
}

function addOrder(
	{ returns, criteria }: OrderPlan,
	row: JsonObject,
	records: Map<number, JsonObject>,
): Result | undefined {
	const id = getOrderId(row);
	const record = id === undefined ? undefined : records.get(id);
	if (record === undefined && criteria !== undefined) return undefined;
	if (returns === 'event') return toResult(row, id);
	// A change is delivered even if this API user may not see its work order.
	const shown = record ?? (id === undefined ? null : { Id: id });
	return returns === 'record'
		? toResult({ ...shown }, id)
		: toResult({ ...row, WorkOrder: shown }, id);
}

const fetchOrders = async (
	requester: Requester,
	{ properties, criteria: where, distinct }: OrderPlan,
	ids: number[],
): Promise<Map<number, JsonObject>> =>
	await loadRecordsById(requester, 'WorkOrder', ids, {
		properties,
		where,
		...(distinct ? { distinct } : {}),
	});

/**
 * Actions say which application made them. Notes do not, so the first action in the log decides;
 * later actions only changed the note.
 */
async function dropApiChanges(
	requester: Requester,
	entity: string,
	rows: JsonObject[],
): Promise<JsonObject[]> {
	if (entity !== 'WoNote') return rows.filter(({ UiTypeId }) => UiTypeId !== API_UI_TYPE);
	const actions = await lookUp(
		requester,
		{
			entity: 'WoActionLog',
			by: ['ObjectId'],
			properties: ['UiTypeId'],
			where: and(equal('TypeId', 'Note')),
		},
		rows.map(({ Id }) => Id),
	);
	return rows.filter(({ Id }) => actions.get(normalize(Id))?.[0].UiTypeId !== API_UI_TYPE);
}
