import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { JsonObject } from '../protocol/checks';
import { allOf, and, equal, isIn, type Criteria } from '../protocol/criteria';
import { LARGEST_PAGE } from '../protocol/paging';
import { queryRequest } from '../protocol/requests';
import { send, type SendOptions } from '../transport/send';
import { keyText, type Key } from './cursor';
import type { OrderPlan, Plan, Watcher } from './plan';
import { FEW } from './tick';

/** So many fit into one condition. */
const MOST_IDS = 500;

/** The mark of the API in the log of actions. */
const API = 'IntegrationWS';

export interface Result {
	item: INodeExecutionData;
	/** The work order it is about. */
	order?: number;
}

type Results = Array<Result | undefined>;

/** Puts the rows of a feed into the form that was asked for, with few requests for all of them. */
export async function finish(
	caller: Watcher,
	plan: Plan,
	rows: JsonObject[],
	options: SendOptions,
): Promise<Results> {
	const { feed, workOrders } = plan;
	if (workOrders === undefined) return rows.map((row) => resultOf(row, Number(row.Id)));
	const others = plan.ignoreApi ? await madeByPeople(caller, feed.entity, rows, options) : rows;
	const wanted = new Set(others);
	if (workOrders.output === 'event' && workOrders.criteria === undefined) {
		return rows.map((row) => (wanted.has(row) ? resultOf(row, orderIn(row)) : undefined));
	}
	const records = await ordersNamed(caller, workOrders, others, options);
	return rows.map((row) => (wanted.has(row) ? joined(workOrders, row, records) : undefined));
}

/**
 * The same for a change whenever it is handed out, for whoever takes it in more than once. An example
 * has another one: who has taken that in takes in the change as well.
 */
export function marked(
	{ again, feed }: Plan,
	key: Key,
	{ item, order }: Result,
	kind = '',
): Result {
	const ChangeKey = `${kind}${feed.entity} ${keyText(key)}`;
	return { item: again ? { json: { ...item.json, ChangeKey } } : item, order };
}

export function itemsOf({ latestOnly, workOrders }: Plan, results: Results) {
	const kept = results.filter((result) => result !== undefined);
	if (!latestOnly || workOrders === undefined) return kept.map(({ item }) => item);
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

async function ordersNamed(
	caller: Watcher,
	{ properties, criteria, distinct }: OrderPlan,
	rows: JsonObject[],
	options: SendOptions,
): Promise<Map<number, JsonObject>> {
	const ids = [...new Set(rows.map(orderIn).filter((id) => id !== undefined))];
	const found = await among(caller, 'WorkOrder', 'Id', ids, options, {
		properties: properties.includes('*') ? properties : ['Id', ...properties],
		criteria,
		distinct,
	});
	return new Map(found.map((row) => [Number(row.Id), row]));
}

/** Actions say where they come from; of a note, the first one in the log does: the others changed it. */
async function madeByPeople(
	caller: Watcher,
	entity: string,
	rows: JsonObject[],
	options: SendOptions,
): Promise<JsonObject[]> {
	if (entity !== 'WoNote') return rows.filter(({ UiTypeId }) => UiTypeId !== API);
	const ids = rows.map(({ Id }) => Number(Id));
	const actions = await among(caller, 'WoActionLog', 'ObjectId', ids, options, {
		properties: ['Id', 'ObjectId', 'UiTypeId'],
		criteria: and(equal('TypeId', 'Note')),
		count: LARGEST_PAGE,
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
	caller: Watcher,
	entity: string,
	property: string,
	ids: number[],
	options: SendOptions,
	asked: Asked,
): Promise<JsonObject[]> {
	const found: JsonObject[] = [];
	for (let start = 0; start < ids.length; start += MOST_IDS) {
		let missing = ids.slice(start, start + MOST_IDS);
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
