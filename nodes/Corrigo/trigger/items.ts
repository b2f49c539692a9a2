import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { API_UI_TYPE } from '../catalogue/members';
import { findResultingStatus } from '../catalogue/statusActions';
import { getPreviousStatus } from '../records/actionDetails';
import { lookUp, loadRecordsById, type Requester } from '../records/query';
import { addMemberNames } from '../records/names';
import { type JsonObject, isObject } from '../values/objects';
import { normalize } from '../values/scalars';
import { toInstant, addUtcZones } from '../values/times';
import { and, equal } from '../wire/criteria';
import type { ChangeName } from './comparison/snapshot';
import { describeDeadline, type DeadlinePlan } from './deadlines/deadlines';
import type { VisitTime } from './events';
import { addMs, compareKeys, toKeyText, toMillis, toUtcText, type Key } from './changes/cursor';
import { readKey, type Change, type Feed } from './changes/feed';
import type { AttachedPlan } from './plan/orders';
import type { Plan } from './plan/plan';

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

/** Turns the rows of a feed into the items that the form asks for, with few requests for all. */
export async function completeRows(
	requester: Requester,
	plan: Plan,
	rows: JsonObject[],
): Promise<Results> {
	if (plan.type === 'attached') return await buildAttachedResults(requester, plan, rows);
	if (plan.type === 'deadlines') return await confirmDeadlines(requester, plan, rows);
	const named = await addMemberNames(requester, plan.feed.entity, rows, plan.ends);
	return named.map((row) => toResult(plan, row, row, Number(row.Id)));
}

/** Builds the result of a row, whose item may show another record than the row itself. */
function toResult(plan: Plan, row: JsonObject, json: JsonObject, order?: number): Result {
	const time = toUtcText(row[plan.feed.time ?? plan.timestampProperty ?? '']);
	const at = time && plan.type === 'deadlines' ? addMs(time, plan.rule.offsetMs) : time;
	return { item: { json: json as IDataObject }, order, at };
}

/** Drops work orders that were finished or rescheduled after the rows were read. */
async function confirmDeadlines(
	requester: Requester,
	plan: DeadlinePlan & Plan,
	rows: JsonObject[],
): Promise<Results> {
	const ids = rows.map(({ Id }) => Number(Id));
	const records = await fetchRecords(requester, plan.orders, ids);
	return rows.map((row, index) => {
		const record = records.get(ids[index]);
		if (record === undefined) return undefined;
		const isDue = compareKeys(readKey(plan.feed, record), readKey(plan.feed, row)) === 0;
		return isDue ? toResult(plan, row, record, ids[index]) : undefined;
	});
}

async function buildAttachedResults(
	requester: Requester,
	plan: AttachedPlan & Plan,
	rows: JsonObject[],
): Promise<Results> {
	const { orders, returns, visit } = plan;
	const included = await filterChanges(requester, plan, rows);
	const ids = included.map(getOrderId).filter((id) => id !== undefined);
	const isAlone = returns === 'event' && orders.criteria === undefined;
	const [findVisit, records] = await Promise.all([
		visit && returns !== 'record' ? createVisitFinder(requester, visit, included) : undefined,
		isAlone ? undefined : fetchRecords(requester, orders, ids),
	]);
	const buildResult = (row: JsonObject) => {
		const id = getOrderId(row);
		const record = id === undefined ? undefined : records?.get(id);
		if (record === undefined && orders.criteria !== undefined) return undefined;
		if (id === undefined && returns === 'record') return undefined;
		// A change is delivered even if this API user may not see its work order.
		const WorkOrder = record ?? (id === undefined ? null : { Id: id });
		if (returns === 'record') return toResult(plan, row, { ...WorkOrder }, id);
		const visited = findVisit ? { WoOnSite: findVisit(row) ?? null } : {};
		const event = { ...row, ...visited, ...(returns === 'both' && { WorkOrder }) };
		return toResult(plan, row, event, id);
	};
	const isIncluded = new Set(included);
	return rows.map((row) => (isIncluded.has(row) ? buildResult(row) : undefined));
}

/** Keeps the rows that are changes of this event. */
async function filterChanges(
	requester: Requester,
	{ feed, ignoreApi, isIgnored, visit, changesStatus }: AttachedPlan,
	rows: JsonObject[],
): Promise<JsonObject[]> {
	const isByVendor = ({ Actor }: JsonObject) => isObject(Actor) && Actor.TypeId === 'Provider';
	const own = rows.filter((row) => (visit === undefined || isByVendor(row)) && !isIgnored(row));
	const relevant = ignoreApi ? await dropApiChanges(requester, feed.entity, own) : own;
	return changesStatus ? await dropRepeats(requester, relevant) : relevant;
}

/** Builds the items of the changes that this poll or push has claimed. */
export const buildItems = (plan: Plan, claimed: Array<Change<Result>>, clock?: string) =>
	toItems(
		plan,
		claimed.map(({ key, item }) => item && annotate(plan, key, item, { clock })),
	);

/**
 * Adds the members that describe the change: Deadline, ChangeKey, Lag and Change. A change has the
 * same ChangeKey each time it is delivered. In a manual test the ChangeKey has a `prefix`, so that
 * a node that removes duplicates does not drop the real change later.
 */
export function annotate(
	plan: Plan,
	key: Key,
	{ item, order, at, change }: Result,
	{ clock, prefix = '', version = '' }: { clock?: string; prefix?: string; version?: string },
): Result {
	const { feed, type, addChangeKey, addLag } = plan;
	const rule = type === 'deadlines' ? plan.rule : undefined;
	const Change = change ?? (type === 'comparison' ? plan.comparison.changes[0] : undefined);
	const json = Change === 'deleted' ? { EntityType: feed.entity, Id: key.id } : item.json;
	const suffix = Change === undefined ? '' : ` ${Change}${version}`;
	const isOfOrder = type === 'attached' && plan.hasOrderKeys;
	const subject = rule?.name ?? (isOfOrder ? 'WorkOrder' : feed.entity);
	const keyText = toKeyText(
		subject === 'WorkOrder' ? { id: isOfOrder ? Number(order) : key.id, time: toShown(key) } : key,
	);
	const members = {
		...(rule && { Deadline: describeDeadline(rule, key, String(clock), item.json.TimeZone) }),
		...(addChangeKey && { ChangeKey: `${prefix}${subject} ${keyText}${suffix}` }),
		...(addLag && { Lag: getLag(at, clock) }),
		...(Change && { Change }),
	};
	return { item: { json: { ...json, ...members } }, order };
}

/** The log and the work order may show other digits of the same time, but not of its first ones. */
const toShown = ({ time }: Key): string => time && `${time.slice(0, 22)}00000`;

export function toItems(plan: Plan, results: Results): INodeExecutionData[] {
	const { latestOnly, isSimplified } = plan;
	const found = results.filter((result) => result !== undefined);
	if (isSimplified) found.forEach(({ item }) => addUtcZones(item.json));
	const last = new Map(found.map((result) => [result.order, result]));
	return found
		.filter((one) => !latestOnly || one.order === undefined || last.get(one.order) === one)
		.map(({ item }) => item);
}

/**
 * A document may belong to any type of record, so its type says whether its actor is a work order.
 */
function getOrderId({ WorkOrderId: id, ActorTypeId: type, ActorId: actor }: JsonObject) {
	const order = type === 'WO' ? actor : id;
	return typeof order === 'number' && order > 0 ? order : undefined;
}

/** Reads the records with these IDs that pass the filters of the feed. */
export const fetchRecords = async (
	requester: Requester,
	{ entity, properties, criteria: where, distinct }: Feed,
	ids: number[],
): Promise<Map<number, JsonObject>> =>
	await loadRecordsById(requester, entity, ids, { properties, where, distinct });

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

/** Drops actions that leave the status of their work order unchanged. */
async function dropRepeats(requester: Requester, actions: JsonObject[]): Promise<JsonObject[]> {
	const details = await lookUp(
		requester,
		{
			entity: 'WoActionLogProp',
			by: ['WoActionLogId'],
			properties: ['ValueInt', 'ValueStr'],
			where: and(equal('TypeId', 'PrevWoStatus')),
			isOptional: true,
		},
		actions.filter(({ TypeId }) => TypeId !== 'Create').map(({ Id }) => Id),
	);
	return actions.filter(({ Id, TypeId }) => {
		const before = details.get(normalize(Id))?.map(getPreviousStatus) ?? [];
		return !before.some((status) => status !== undefined && status === findResultingStatus(TypeId));
	});
}

/** The log and the visit may take their times from different clocks. */
const MAX_VISIT_GAP_MS = 10 * 60_000;

/**
 * Finds the visit that an action begins or ends, if it is recorded: the nearest in time of the same
 * person, because no ID links the two. Both have their times on the clock of the work zone.
 */
async function createVisitFinder(requester: Requester, time: VisitTime, actions: JsonObject[]) {
	const found = await lookUp(
		requester,
		{ entity: 'WoOnSite', by: ['WorkOrderId'], properties: ['*'], isOptional: true },
		actions.map(({ WorkOrderId }) => WorkOrderId),
	);
	return ({ WorkOrderId, Actor, ActionDate }: JsonObject): JsonObject | undefined => {
		const at = toInstant(ActionDate);
		const visits = found.get(normalize(WorkOrderId)) ?? [];
		const [nearest] = visits
			.filter(({ EmployeeId }) => isObject(Actor) && Actor.Id === EmployeeId)
			.map((visit) => ({ visit, gap: Math.abs(at - toInstant(visit[time])) }))
			.filter(({ gap }) => gap <= MAX_VISIT_GAP_MS)
			.sort((a, b) => a.gap - b.gap);
		return nearest?.visit;
	};
}

export const LAG_WARNING_SECONDS = 3600;

/** Returns the seconds from a change to its delivery, or null if one of the times is unknown. */
export const getLag = (change?: string, delivery?: string): number | null =>
	change === undefined || delivery === undefined
		? null
		: Math.max(0, Math.round((toMillis(delivery) - toMillis(change)) / 1000));

export const getMaxLag = (changes: Array<{ at?: string } | undefined>, delivery?: string) =>
	changes.reduce((longest, change) => Math.max(longest, getLag(change?.at, delivery) ?? 0), 0);

export function buildLagWarning(seconds: number, hasMore: boolean): string {
	const hours = Math.round(seconds / 3600);
	const lag =
		hours < 48 ? `${hours} ${hours === 1 ? 'hour' : 'hours'}` : `${Math.round(hours / 24)} days`;
	const more = hasMore ? ', and more are waiting' : '';
	return `This trigger is far behind: it returns changes from up to ${lag} ago${more}`;
}
