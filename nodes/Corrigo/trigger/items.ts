import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { batches } from '../protocol/batches';
import type { JsonObject } from '../protocol/checks';
import { allOf, and, equal, isIn, type Criteria } from '../protocol/criteria';
import { MAX_PAGE } from '../protocol/paging';
import { queryRequest } from '../protocol/requests';
import type { Requester } from '../records/lookup';
import { send } from '../transport/send';
import { addMs, compare, keyText, utcText, type Key } from './cursor';
import { deadlineDetails } from './deadlines';
import { keyOf, type Feed } from './feed';
import { lagOf } from './lag';
import { SMALL_PAGE } from './pageReader';
import type { OrderPlan } from './plan/orders';
import type { Plan } from './plan/plan';

/** `UiTypeId` of actions that came through the API. */
const API = 'IntegrationWS';

export interface Result {
	item: INodeExecutionData;
	/** The work order of the change. */
	order?: number;
	/** The time of the change, where it is known. */
	at?: string;
}

type Results = Array<Result | undefined>;

/** Makes the items that the form asks for of the rows of a feed, with few requests for all of them. */
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
	const { feed, orders } = plan;
	if (orders === undefined) return rows.map((row) => resultOf(row, Number(row.Id)));
	if (plan.deadlineRule !== undefined) {
		return await confirmDeadlines(requester, feed, orders, rows);
	}
	const included = new Set(
		plan.ignoreApi ? await withoutApiChanges(requester, feed.entity, rows) : rows,
	);
	if (orders.output === 'event' && orders.criteria === undefined) {
		return rows.map((row) => (included.has(row) ? resultOf(row, workOrderIdOf(row)) : undefined));
	}
	const ids = [...included].map(workOrderIdOf).filter((id) => id !== undefined);
	const records = await readOrders(requester, orders, [...new Set(ids)]);
	return rows.map((row) => (included.has(row) ? withOrder(orders, row, records) : undefined));
}

/** Leaves out orders that have been done, or whose date has been moved, since the rows were read. */
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
 * Adds the members that tell of the change: Deadline, ChangeKey and Lag. The ChangeKey of a change is
 * the same each time that it is handed out. That of an example has a `prefix`, so that a node that
 * removes duplicates does not drop the change itself later on.
 */
export function annotate(
	{ addChangeKey, feed, addLag, deadlineRule }: Plan,
	key: Key,
	{ item, order, at }: Result,
	{ clock, prefix = '' }: { clock?: string; prefix?: string },
): Result {
	const { json } = item;
	const ChangeKey = `${prefix}${deadlineRule?.name ?? feed.entity} ${keyText(key)}`;
	const members = {
		...(deadlineRule && {
			Deadline: deadlineDetails(deadlineRule, key, String(clock), json.TimeZone),
		}),
		...(addChangeKey && { ChangeKey }),
		...(addLag && { Lag: lagOf(at, clock) }),
	};
	return { item: { json: { ...json, ...members } }, order, at };
}

export function itemsOf({ latestOnly }: Plan, results: Results): INodeExecutionData[] {
	const found = results.filter((result) => result !== undefined);
	const last = new Map(found.map((result) => [result.order, result]));
	return found
		.filter((result) => !latestOnly || last.get(result.order) === result)
		.map(({ item }) => item);
}

const resultOf = (json: JsonObject, order?: number): Result => ({
	item: { json: json as IDataObject },
	order,
});

/** Documents may belong to any kind of record. */
function workOrderIdOf({ WorkOrderId: id, ActorTypeId: kind, ActorId: actor }: JsonObject) {
	const order = kind === 'WO' ? actor : id;
	return typeof order === 'number' ? order : undefined;
}

function withOrder(
	{ output, criteria }: OrderPlan,
	row: JsonObject,
	records: Map<number, JsonObject>,
): Result | undefined {
	const id = workOrderIdOf(row);
	const record = id === undefined ? undefined : records.get(id);
	if (record === undefined && criteria !== undefined) return undefined;
	if (output === 'event') return resultOf(row, id);
	// A change of an order that this user of the API may not see is still handed out.
	const shown = record ?? (id === undefined ? null : { Id: id });
	return output === 'record'
		? resultOf({ ...shown }, id)
		: resultOf({ ...row, WorkOrder: shown }, id);
}

async function readOrders(
	requester: Requester,
	{ properties, criteria, distinct }: OrderPlan,
	ids: number[],
): Promise<Map<number, JsonObject>> {
	const rows = await rowsWithIds(requester, 'WorkOrder', 'Id', ids, {
		properties: properties.includes('*') ? properties : ['Id', ...properties],
		criteria,
		distinct,
	});
	return new Map(rows.map((row) => [Number(row.Id), row]));
}

/**
 * Actions say where they come from. For a note, the first action in the log does: later ones changed
 * the note.
 */
async function withoutApiChanges(
	requester: Requester,
	entity: string,
	rows: JsonObject[],
): Promise<JsonObject[]> {
	if (entity !== 'WoNote') return rows.filter(({ UiTypeId }) => UiTypeId !== API);
	const ids = rows.map(({ Id }) => Number(Id));
	const actions = await rowsWithIds(requester, 'WoActionLog', 'ObjectId', ids, {
		properties: ['Id', 'ObjectId', 'UiTypeId'],
		criteria: and(equal('TypeId', 'Note')),
		count: MAX_PAGE,
	});
	// Reversed, so that the first action of each note stays in the map.
	const first = new Map(actions.reverse().map((action) => [action.ObjectId, action]));
	return rows.filter(({ Id }) => first.get(Id)?.UiTypeId !== API);
}

interface RowQuery {
	properties: string[];
	criteria?: Criteria;
	distinct?: boolean;
	/** Most rows of one page, where there may be several for one id. */
	count?: number;
}

async function rowsWithIds(
	{ caller, sendOptions }: Requester,
	entity: string,
	property: string,
	ids: number[],
	{ properties, criteria, distinct, count }: RowQuery,
): Promise<JsonObject[]> {
	const found: JsonObject[] = [];
	for (const batch of batches(ids)) {
		let missing = batch;
		while (missing.length > 0) {
			const request = queryRequest(entity, {
				PropertySet: { Properties: [...new Set(properties)] },
				Criteria: allOf(and(isIn(property, missing)), criteria),
				Orders: [{ PropertyName: 'Id', OrderType: 'Ascending' }],
				...(distinct ? { Distinct: true } : {}),
				Count: count ?? missing.length,
				FirstResultIndex: 0,
			});
			const rows = await send(caller, request, sendOptions);
			found.push(...rows);
			// A Company may cut its pages: ids that a long page lacks are asked for again.
			const seen = new Set(rows.map((row) => row[property]));
			const rest = missing.filter((id) => !seen.has(id));
			const mayBeCut = rows.length >= SMALL_PAGE && rest.length < missing.length;
			missing = mayBeCut ? rest : [];
		}
	}
	return found;
}
