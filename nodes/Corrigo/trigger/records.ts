import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { batches } from '../protocol/batches';
import type { JsonObject } from '../protocol/checks';
import { allOf, and, equal, isIn, type Criteria } from '../protocol/criteria';
import { MAX_PAGE } from '../protocol/paging';
import { queryRequest } from '../protocol/requests';
import { send, type SendOptions } from '../transport/send';
import { compare, keyText, shifted, utcText, type Key } from './cursor';
import { deadlineOf } from './deadlines';
import { keyOf, type Feed } from './feed';
import { lagOf } from './lag';
import type { OrderPlan } from './plan/orders';
import type { Plan } from './plan/plan';
import { FEW } from './changeReader';
import type { TriggerContext } from './context';

/** The mark of the API in the log of actions. */
const API = 'IntegrationWS';

export interface Result {
	item: INodeExecutionData;
	/** The work order it is about. */
	order?: number;
	/** When it came about, where that is known. */
	at?: string;
}

type Results = Array<Result | undefined>;

/** Puts the rows of a feed into the form that was asked for, with few requests for all of them. */
export async function finish(
	caller: TriggerContext,
	plan: Plan,
	rows: JsonObject[],
	options: SendOptions,
): Promise<Results> {
	const results = await resultsOf(caller, plan, rows, options);
	return results.map((result, index) => result && { ...result, at: momentOf(plan, rows[index]) });
}

function momentOf({ feed, made, deadline }: Plan, row: JsonObject): string | undefined {
	const time = utcText(row[feed.time ?? made ?? '']);
	return time === undefined || deadline === undefined ? time : shifted(time, deadline.offsetMs);
}

async function resultsOf(
	caller: TriggerContext,
	plan: Plan,
	rows: JsonObject[],
	options: SendOptions,
): Promise<Results> {
	const { feed, workOrders } = plan;
	if (workOrders === undefined) return rows.map((row) => resultOf(row, Number(row.Id)));
	if (plan.deadline !== undefined)
		return await stillSo(caller, plan.feed, workOrders, rows, options);
	const others = plan.ignoreApi ? await madeByPeople(caller, feed.entity, rows, options) : rows;
	const wanted = new Set(others);
	if (workOrders.output === 'event' && workOrders.criteria === undefined) {
		return rows.map((row) => (wanted.has(row) ? resultOf(row, orderIn(row)) : undefined));
	}
	const ids = [...new Set(others.map(orderIn).filter((id) => id !== undefined))];
	const records = await ordersOf(caller, workOrders, ids, options);
	return rows.map((row) => (wanted.has(row) ? joined(workOrders, row, records) : undefined));
}

/** Orders that still count, with the same date. */
async function stillSo(
	caller: TriggerContext,
	feed: Feed,
	workOrders: OrderPlan,
	rows: JsonObject[],
	options: SendOptions,
): Promise<Results> {
	const ids = rows.map(({ Id }) => Number(Id));
	const records = await ordersOf(caller, workOrders, ids, options);
	return rows.map((row) => {
		const order = Number(row.Id);
		const record = records.get(order);
		const isSo = record !== undefined && compare(keyOf(feed, record), keyOf(feed, row)) === 0;
		return isSo ? resultOf(record, order) : undefined;
	});
}

/**
 * The same for a change whenever it is handed out, for whoever takes it in more than once. An example
 * has another one: who has taken that in takes in the change as well.
 */
export function marked(
	{ again, feed, lag, deadline }: Plan,
	key: Key,
	{ item, order, at }: Result,
	{ clock, kind = '' }: { clock?: string; kind?: string },
): Result {
	const { json } = item;
	const ChangeKey = `${kind}${deadline?.deadline ?? feed.entity} ${keyText(key)}`;
	const about = {
		...(deadline && { Deadline: deadlineOf(deadline, key, String(clock), json.TimeZone) }),
		...(again && { ChangeKey }),
		...(lag && { Lag: lagOf(at, clock) }),
	};
	return { item: { json: { ...json, ...about } }, order, at };
}

export function itemsOf({ latestOnly }: Plan, results: Results) {
	const kept = results.filter((result) => result !== undefined);
	if (!latestOnly) return kept.map(({ item }) => item);
	const last = new Map(kept.map((result) => [result.order, result]));
	return kept.filter((result) => last.get(result.order) === result).map(({ item }) => item);
}

const resultOf = (json: JsonObject, order?: number): Result => ({
	item: { json: json as IDataObject },
	order,
});

/** Documents may belong to any kind of record. */
function orderIn({ WorkOrderId: id, ActorTypeId: kind, ActorId: actor }: JsonObject) {
	const order = kind === 'WO' ? actor : id;
	return typeof order === 'number' ? order : undefined;
}

function joined(
	{ output, criteria }: OrderPlan,
	row: JsonObject,
	records: Map<number, JsonObject>,
): Result | undefined {
	const order = orderIn(row);
	const record = order === undefined ? undefined : records.get(order);
	if (record === undefined && criteria !== undefined) return undefined;
	if (output === 'event') return resultOf(row, order);
	// An order that cannot be seen still had something happen to it.
	const shown = record ?? (order === undefined ? null : { Id: order });
	return output === 'record'
		? resultOf({ ...shown }, order)
		: resultOf({ ...row, WorkOrder: shown }, order);
}

async function ordersOf(
	caller: TriggerContext,
	{ properties, criteria, distinct }: OrderPlan,
	ids: number[],
	options: SendOptions,
): Promise<Map<number, JsonObject>> {
	const found = await among(caller, 'WorkOrder', 'Id', ids, options, {
		properties: properties.includes('*') ? properties : ['Id', ...properties],
		criteria,
		distinct,
	});
	return new Map(found.map((row) => [Number(row.Id), row]));
}

/** Actions say where they come from; of a note, the first one in the log does: the others changed it. */
async function madeByPeople(
	caller: TriggerContext,
	entity: string,
	rows: JsonObject[],
	options: SendOptions,
): Promise<JsonObject[]> {
	if (entity !== 'WoNote') return rows.filter(({ UiTypeId }) => UiTypeId !== API);
	const ids = rows.map(({ Id }) => Number(Id));
	const actions = await among(caller, 'WoActionLog', 'ObjectId', ids, options, {
		properties: ['Id', 'ObjectId', 'UiTypeId'],
		criteria: and(equal('TypeId', 'Note')),
		count: MAX_PAGE,
	});
	const first = new Map<unknown, JsonObject>();
	for (const action of actions) {
		if (!first.has(action.ObjectId)) first.set(action.ObjectId, action);
	}
	return rows.filter(({ Id }) => first.get(Id)?.UiTypeId !== API);
}

interface Asked {
	properties: string[];
	criteria?: Criteria;
	distinct?: boolean;
	/** How many rows at most, where there may be several for one id. */
	count?: number;
}

async function among(
	caller: TriggerContext,
	entity: string,
	property: string,
	ids: number[],
	options: SendOptions,
	asked: Asked,
): Promise<JsonObject[]> {
	const found: JsonObject[] = [];
	for (const some of batches(ids)) {
		let missing = some;
		while (missing.length > 0) {
			const rows = await send(caller, rowsOf(entity, property, missing, asked), options);
			found.push(...rows);
			// A Company may cut its pages, and what it did not send is asked for again.
			const seen = new Set(rows.map((row) => row[property]));
			const left = missing.filter((id) => !seen.has(id));
			const mayBeCut = rows.length >= FEW && left.length < missing.length;
			missing = mayBeCut ? left : [];
		}
	}
	return found;
}

const rowsOf = (
	entity: string,
	property: string,
	ids: number[],
	{ properties, criteria, distinct = false, count = ids.length }: Asked,
) =>
	queryRequest(entity, {
		PropertySet: { Properties: [...new Set(properties)] },
		Criteria: allOf(and(isIn(property, ids)), criteria),
		Orders: [{ PropertyName: 'Id', OrderType: 'Ascending' }],
		...(distinct ? { Distinct: true } : {}),
		Count: count,
		FirstResultIndex: 0,
	});
