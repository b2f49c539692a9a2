import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { API_UI_TYPE } from '../catalogue/actors';
import type { JsonObject } from '../protocol/checks';
import { and, equal } from '../protocol/criteria';
import { normalize } from '../protocol/values';
import { withEnds } from '../protocol/withNames';
import { namesAtEnds } from '../records/ends';
import { lookUp, recordsById, type Requester } from '../records/lookup';
import { isByVendor, visitsOf, withoutRepeats } from './actions';
import { addMs, compare, keyText, utcText, type Key } from './cursor';
import { deadlineDetails } from './deadlines';
import { keyOf, type Feed } from './feed';
import { lagOf } from './lag';
import type { OrderPlan } from './plan/orders';
import type { Plan } from './plan/plan';
import type { ChangeName } from './snapshot';

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
export async function complete(
	requester: Requester,
	plan: Plan,
	rows: JsonObject[],
): Promise<Results> {
	const results = await resultsOf(requester, plan, rows);
	return results.map((result, index) => result && { ...result, at: timeOf(plan, rows[index]) });
}

function timeOf({ feed, timestampProperty, deadlineRule }: Plan, row: JsonObject) {
	const time = utcText(row[feed.time ?? timestampProperty ?? '']);
	return time === undefined || deadlineRule === undefined
		? time
		: addMs(time, deadlineRule.offsetMs);
}

async function resultsOf(requester: Requester, plan: Plan, rows: JsonObject[]): Promise<Results> {
	const { feed, orders, ends = [] } = plan;
	if (orders === undefined) {
		const nameOf = await namesAtEnds(requester, feed.entity, rows, ends);
		return rows.map((row) => resultOf(withEnds(feed.entity, row, ends, nameOf), Number(row.Id)));
	}
	if (plan.deadlineRule !== undefined) {
		return await confirmDeadlines(requester, feed, orders, rows);
	}
	const included = await changesIn(requester, plan, rows);
	const ids = included.map(workOrderIdOf).filter((id) => id !== undefined);
	const isAlone = orders.returns === 'event' && orders.criteria === undefined;
	const visitTime = orders.returns === 'record' ? undefined : plan.visit;
	const [visits, records] = await Promise.all([
		visitTime && visitsOf(requester, visitTime, included),
		isAlone ? undefined : readOrders(requester, orders, ids),
	]);
	const resultFor = (row: JsonObject) => {
		const event = visits ? { ...row, WoOnSite: visits.get(row) ?? null } : row;
		return records ? withOrder(orders, event, records) : resultOf(event, workOrderIdOf(row));
	};
	const isIncluded = new Set(included);
	return rows.map((row) => (isIncluded.has(row) ? resultFor(row) : undefined));
}

/** Keeps the rows that are changes of this event. */
async function changesIn(
	requester: Requester,
	{ feed, ignoreApi, isIgnored, visit, changesStatus }: Plan,
	rows: JsonObject[],
): Promise<JsonObject[]> {
	const own = visit === undefined ? rows : rows.filter(isByVendor);
	const foreign = own.filter((row) => isIgnored?.(row) !== true);
	const wanted = ignoreApi ? await withoutApiChanges(requester, feed.entity, foreign) : foreign;
	return changesStatus ? await withoutRepeats(requester, wanted) : wanted;
}

/** Drops work orders that were finished or rescheduled after the rows were read. */
async function confirmDeadlines(
	requester: Requester,
	feed: Feed,
	orders: OrderPlan,
	rows: JsonObject[],
): Promise<Results> {
	const ids = rows.map(({ Id }) => Number(Id));
	const records = await readOrders(requester, orders, ids);
	return rows.map((row) => {
		const id = Number(row.Id);
		const record = records.get(id);
		const isDue = record !== undefined && compare(keyOf(feed, record), keyOf(feed, row)) === 0;
		return isDue ? resultOf(record, id) : undefined;
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
	const ChangeKey = `${prefix}${deadlineRule?.name ?? entity} ${keyText({ ...key, id })}${suffix}`;
	const members = {
		...(deadlineRule && {
			Deadline: deadlineDetails(deadlineRule, key, String(clock), item.json.TimeZone),
		}),
		...(addChangeKey && { ChangeKey }),
		...(addLag && { Lag: lagOf(at, clock) }),
		...(Change && { Change }),
	};
	return { item: { json: { ...json, ...members } }, order, at };
}

export function itemsOf({ latestOnly }: Plan, results: Results): INodeExecutionData[] {
	const found = results.filter((result) => result !== undefined);
	const last = new Map(found.map((result) => [result.order, result]));
	return found
		.filter((one) => !latestOnly || one.order === undefined || last.get(one.order) === one)
		.map(({ item }) => item);
}

const resultOf = (json: JsonObject, order?: number): Result => ({
	item: { json: json as IDataObject },
	order,
});

/**
 * A document may belong to any type of record, so its type says whether its actor is a work order.
 */
function workOrderIdOf({ WorkOrderId: id, ActorTypeId: kind, ActorId: actor }: JsonObject) {
	const order = kind === 'WO' ? actor : id;
	return typeof order === 'number' && order > 0 ? order : undefined;
}

function withOrder(
	{ returns, criteria }: OrderPlan,
	row: JsonObject,
	records: Map<number, JsonObject>,
): Result | undefined {
	const id = workOrderIdOf(row);
	const record = id === undefined ? undefined : records.get(id);
	if (record === undefined && criteria !== undefined) return undefined;
	if (returns === 'event') return resultOf(row, id);
	// A change is delivered even if this API user may not see its work order.
	const shown = record ?? (id === undefined ? null : { Id: id });
	return returns === 'record'
		? resultOf({ ...shown }, id)
		: resultOf({ ...row, WorkOrder: shown }, id);
}

const readOrders = async (
	requester: Requester,
	{ properties, criteria: where, distinct }: OrderPlan,
	ids: number[],
): Promise<Map<number, JsonObject>> =>
	await recordsById(requester, 'WorkOrder', ids, {
		properties,
		where,
		...(distinct ? { distinct } : {}),
	});

/**
 * Actions say which application made them. Notes do not, so the first action in the log decides;
 * later actions only changed the note.
 */
async function withoutApiChanges(
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
