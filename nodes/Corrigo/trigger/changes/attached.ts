import type { EntityName, Path } from '../../catalogue/entities';
import { API_UI_TYPE, findActorEntity } from '../../catalogue/members';
import { findResultingStatus, STATUS_ACTIONS } from '../../catalogue/statusActions';
import { getSummary } from '../../catalogue/summaries';
import { defineRows } from '../../catalogue/targets';
import { defineField, listChoices, toChoices } from '../../form/fields';
import { isSimplified, type Form } from '../../form/form';
import { getPreviousStatus } from '../../records/actionDetails';
import { loadReferenceNames } from '../../records/names';
import { listFlaggedSteps, loadProcedures } from '../../records/procedures';
import { lookUp, type Requester } from '../../records/query';
import { createEmptyError, ValidationError } from '../../values/errors';
import { append, isObject, type JsonObject } from '../../values/objects';
import type { FilterContext, RecordNames } from '../../values/references';
import { normalize } from '../../values/input';
import { toInstant } from '../../values/times';
import { and, equal, isIn } from '../../wire/criteria';
import {
	events,
	isCombinable,
	isSeveral,
	type ActionEvent,
	type EventType,
	type OrderedEvent,
	type SingleEvent,
	type VisitTime,
} from '../events';
import { eventsField } from '../fields';
import { buildChangeKey } from '../../feed/cursorText';
import { readKey, type Feed } from '../../feed/feed';
import type { FeedPlan, PlanParts, Result, Results } from '../plan';
import { fetchRecords, toResult } from '../service';
import { changes } from './changes';
import {
	apStatuses,
	buildOrderFeed,
	ignoreApiField,
	ignoredEmployees,
	ignoresAuthors,
} from './records';

export const actionTypesField = defineField({
	displayName: 'Actions',
	name: 'actionTypes',
	type: 'multiOptions',
	options: listChoices('WOActionType'),
	default: [],
	description: 'Actions that trigger the workflow. Leave empty for all.',
});

export const statusesField = defineField({
	displayName: 'Statuses',
	name: 'statuses',
	type: 'multiOptions',
	options: listChoices('WorkOrderStatus'),
	required: true,
	default: [],
	description: 'Statuses that trigger the workflow',
});

export const returnsField = defineField({
	displayName: 'Returns',
	name: 'returns',
	type: 'options',
	options: toChoices({
		event: {
			name: 'Event Only',
			description: 'The action, note or document alone',
		},
		both: {
			name: 'Event With Its Work Order',
			description: 'The action, note or document, including its work order',
		},
		record: {
			name: 'Work Order Only',
			description: 'The work order of the action, note or document',
		},
	}),
	default: 'both',
});

/** The rows of a feed, the member that says who made a change, and what is read of them. */
interface Source {
	entity: EntityName;
	time?: string;
	timestamp?: string;
	paths: readonly string[];
	author: string;
}

/** The log of actions records who did what to a work order. */
export const actionLog = {
	entity: 'WoActionLog',
	time: 'SystemDateUtc',
	author: 'Actor',
	paths: [],
} as const satisfies Source & Record<'author' | 'time', Path<'WoActionLog'>>;

/** The log has only the ID of the reason for an action. */
const REASON = { entity: 'WoActionReasonLookup', member: 'ActionReasonId' } as const;

/** The changes are notes and documents, or actions; each is attached to a work order. */
export function buildAttachedPlan(
	form: Form,
	context: FilterContext,
	event: OrderedEvent,
): PlanParts {
	const parts = readEvents(form, event).map((one) => buildPart(form, one));
	const isOfOrders = event.rows === 'orders';
	const read = buildOrderFeed(form, context, isOfOrders ? event.time : undefined);
	// Whoever approves an invoice compares it with this limit.
	const orders =
		parts.some(isOfInvoice) && isSimplified(form)
			? { ...read, properties: [...read.properties, 'VendorNte'] }
			: read;
	const settings: Settings = {
		orders,
		isSimplified: isSimplified(form),
		returns: isOfOrders ? 'record' : form.read(returnsField),
		authors: readAuthors(form, context),
		ignoreApi: form.read(ignoreApiField),
		wanted: apStatuses.readIds(form, context.resolveId),
		hasOrderKeys: isOfOrders && !ignoresAuthors(form),
		isNamed: isSeveral(event),
	};
	const [first, ...others] = SOURCES.flatMap((source) => {
		const own = parts.filter((part) => part.source === source);
		return own.length === 0 ? [] : buildFeedPlan(source, own, settings);
	});
	// Several events have one sequence, whichever are chosen.
	const { entity, time: order = 'Id' }: Source = isSeveral(event) ? actionLog : parts[0].source;
	return { strategy: changes, sequence: { entity, order }, ...first, others };
}

/** An action comes before a note or document with the same time. */
const SOURCES: readonly Source[] = [
	actionLog,
	...Object.values<EventType>(events).filter((event) => event.rows === 'attached'),
];

/** The feeds of a trigger have these in common. */
interface Settings {
	/** The work orders that count. */
	orders: Feed;
	isSimplified: boolean;
	returns: 'both' | 'event' | 'record';
	authors: readonly Author[];
	ignoreApi: boolean;
	/** The IDs of the AP statuses that count; empty if all do. */
	wanted: readonly number[];
	/** A ChangeKey names the changed work order rather than the row of the feed. */
	hasOrderKeys: boolean;
	/** True if results have the name of their event. */
	isNamed: boolean;
}

/** Builds the plan for events whose changes are rows of one entity. */
function buildFeedPlan(source: Source, parts: readonly Part[], settings: Settings): FeedPlan {
	const { entity, time, timestamp, author, paths } = source;
	const { orders, returns, authors, ignoreApi, wanted, hasOrderKeys, isNamed } = settings;
	const types = parts.map((part) => part.types);
	const countsAll = types.some(({ length }) => length === 0);
	const isFiltered = orders.criteria !== undefined || (orders.checks ?? []).length > 0;
	const feed: Feed = {
		entity,
		time,
		timestamp,
		properties: [
			...(source !== actionLog && settings.isSimplified ? getSummary(entity) : ['*']),
			...paths,
			...AUTHOR_MEMBERS.map((member) => `${author}.${member}`),
		],
		criteria: countsAll ? undefined : and(isIn('TypeId', [...new Set(types.flat())])),
	};
	/** Simplified actions show the status before and the name of the reason, as in Get History. */
	const isDetailed = source === actionLog && returns !== 'record' && settings.isSimplified;

	/** Finds the rows that may be changes of these events. */
	const findMatches = async (requester: Requester, rows: JsonObject[]): Promise<Match[]> => {
		const own = rows.filter((row) => !isIgnoredAuthor(authors, row[author]));
		const relevant = ignoreApi ? await dropApiChanges(requester, entity, own) : own;
		const matches = relevant.flatMap((row) =>
			parts.filter((part) => counts(part, row)).map((part) => ({ row, part })),
		);
		if (wanted.length === 0) return matches;
		const invoices = listRows(matches, isOfInvoice);
		const entries = new Set(await keepEntries(requester, invoices, wanted));
		return matches.filter(({ row, part }) => !isOfInvoice(part) || entries.has(row));
	};

	const complete = async (requester: Requester, rows: JsonObject[]): Promise<Results> => {
		const matches = await findMatches(requester, rows);
		const findSteps = await createStepFinder(requester, listRows(matches, needsSteps));
		const changed = matches.filter(
			({ row, part }) => !needsSteps(part) || findSteps(row).length > 0,
		);
		const leading = listRows(changed, (part) => isDetailed || part.changesStatus);
		const loading = loadPreviousStatuses(requester, leading);
		const changesStatus = parts.some((part) => part.changesStatus);
		const included = changesStatus ? dropRepeats(changed, await loading) : changed;
		const includedRows = listRows(included);
		const ids = includedRows.map(getOrderId).filter((id) => id !== undefined);
		const isAlone = returns === 'event' && !isFiltered;
		const visits =
			returns === 'record' ? [] : listRows(included, ({ visit }) => visit !== undefined);
		const [statuses, findVisit, records, getName] = await Promise.all([
			loading,
			createVisitFinder(requester, visits),
			isAlone ? undefined : fetchRecords(requester, orders, ids),
			isDetailed ? loadReferenceNames(requester, entity, includedRows, [REASON.member]) : undefined,
		]);
		const buildItem = (
			{ row, part: { visit, failedSteps } }: Match,
			WorkOrder: JsonObject | null,
		) => {
			const visited = visit ? { WoOnSite: findVisit(row, visit) ?? null } : {};
			const failed = failedSteps ? { FailedSteps: findSteps(row) } : {};
			const reason = getName?.(REASON.entity, row[REASON.member]);
			const Reason = reason && { Id: row[REASON.member], DisplayAs: reason };
			const own = { ...row, ...(Reason && { Reason }) };
			return { ...own, ...visited, ...failed, ...(returns === 'both' && { WorkOrder }) };
		};
		const buildResult = (match: Match): Result | undefined => {
			const { row } = match;
			const id = getOrderId(row);
			const record = id === undefined ? undefined : records?.get(id);
			if (record === undefined && isFiltered) return undefined;
			if (id === undefined && returns === 'record') return undefined;
			// A change is delivered even if this API user may not see its work order.
			const WorkOrder = record ?? (id === undefined ? null : { Id: id });
			if (returns === 'record') {
				const result = toResult(feed, row, { ...WorkOrder }, id, orders.entity);
				if (!hasOrderKeys) return result;
				const key = { ...readKey(feed, row), id: Number(id) };
				return { ...result, changeKey: buildChangeKey(orders.entity, key) };
			}
			const item = buildItem(match, WorkOrder);
			return { ...toResult(feed, row, item, id), statusBefore: statuses.get(row.Id) };
		};
		const byRow = new Map<JsonObject, Result[]>(rows.map((row) => [row, []]));
		for (const match of included) {
			const result = buildResult(match);
			if (result) byRow.get(match.row)?.push(isNamed ? nameEvent(result, match.part) : result);
		}
		return rows.map((row) => {
			const [first, ...also] = byRow.get(row) ?? [];
			return first && { ...first, also };
		});
	};
	return { feed, related: [orders], complete };
}

/** An event says which actions are its changes. */
interface Part extends Pick<ActionEvent, 'failedSteps' | 'visit'> {
	name: string;
	source: Source;
	/** Empty if all rows count. */
	types: readonly string[];
	changesStatus: boolean;
}

/** A row that is a change of an event. */
interface Match {
	row: JsonObject;
	part: Part;
}

/** Returns the events that the trigger follows, in the order of the menu. */
function readEvents(form: Form, event: OrderedEvent): SingleEvent[] {
	if (!isSeveral(event)) return [event];
	const chosen: readonly string[] = form.read(eventsField);
	if (chosen.length === 0) throw createEmptyError(eventsField.displayName);
	return Object.entries<EventType>(events).flatMap(([name, one]) =>
		chosen.includes(name) && isCombinable(one) ? [one] : [],
	);
}

function buildPart(form: Form, event: SingleEvent): Part {
	const { name } = event;
	if (event.rows === 'attached') return { name, source: event, types: [], changesStatus: false };
	const { visit, failedSteps }: Pick<ActionEvent, 'failedSteps' | 'visit'> =
		event.rows === 'actions' ? event : {};
	const types = readActionTypes(form, event.actionTypes);
	const changesStatus = event.actionTypes === 'enteredStatus';
	return { name, source: actionLog, types, visit, failedSteps, changesStatus };
}

const isOfInvoice = ({ name }: Part) => name === events.invoiceEnteredApStatus.name;
const needsSteps = ({ failedSteps }: Part) => failedSteps === true;

/** Returns whether a row may be a change of an event. */
const counts = ({ types, visit }: Part, row: JsonObject): boolean =>
	(types.length === 0 || types.includes(String(row.TypeId))) &&
	(visit === undefined || isByProvider(row));

/** Lists each row once that matches one of certain events. */
const listRows = (matches: Match[], concerns: (part: Part) => boolean = () => true) => [
	...new Set(matches.filter(({ part }) => concerns(part)).map(({ row }) => row)),
];

/** One action may be several events, and each of these has a ChangeKey of its own. */
const nameEvent = (result: Result, { name }: Part): Result => ({
	...result,
	event: name,
	changeKey: `${result.changeKey} ${name}`,
});

function readActionTypes(form: Form, types: ActionEvent['actionTypes']): readonly string[] {
	if (types === 'chosen') return form.read(actionTypesField);
	if (types !== 'enteredStatus') return types;
	const statuses = form.read(statusesField);
	if (statuses.length === 0) throw createEmptyError(statusesField.displayName);
	return statuses.flatMap((status) => STATUS_ACTIONS[status]);
}

/** The changes of this employee are ignored. */
interface Author {
	id: number;
	name: string;
}

/** The author of a change is read with these members. */
const AUTHOR_MEMBERS = ['Id', 'TypeId', 'DisplayAs'] as const;

const EMPLOYEES = defineRows('Employee', 'Id', ['DisplayAs'], { includeRemoved: true });

const readAuthors = (form: Form, { resolveId, findRows }: RecordNames): Author[] =>
	ignoredEmployees.readIds(form, resolveId).map((id) => {
		const [found] = findRows(EMPLOYEES, id);
		if (found !== undefined) return { id, name: String(found.DisplayAs) };
		throw new ValidationError(
			`'${ignoredEmployees.field.displayName}': no employee has the ID ${id}`,
			"Choose an employee from the list. The operation 'Check Access' of the Corrigo node names the users of the API.",
		);
	});

/**
 * Returns whether one of the employees made the change. IDs are unique only within one type of
 * record, and the log may show the API user as the system, so the name must match if the type
 * differs.
 */
export const isIgnoredAuthor = (authors: readonly Author[], made: unknown): boolean =>
	isObject(made) &&
	authors.some(
		({ id, name }) =>
			made.Id === id &&
			(findActorEntity(String(made.TypeId)) === 'Employee' || made.DisplayAs === name),
	);

const isByProvider = ({ Actor }: JsonObject) => isObject(Actor) && Actor.TypeId === 'Provider';

/**
 * A document may belong to any type of record, so its type says whether its actor is a work order.
 */
function getOrderId({ WorkOrderId: id, ActorTypeId: type, ActorId: actor }: JsonObject) {
	const order = type === 'WO' ? actor : id;
	return typeof order === 'number' && order > 0 ? order : undefined;
}

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

/** Reads what the log tells of these actions under one type. */
const fetchDetails = async (requester: Requester, actions: JsonObject[], type: string) =>
	await lookUp(
		requester,
		{
			entity: 'WoActionLogProp',
			by: ['WoActionLogId'],
			properties: ['ValueInt', 'ValueStr'],
			where: and(equal('TypeId', type)),
			isOptional: true,
		},
		actions.map(({ Id }) => Id),
	);

/** The status that a work order had before an action, by the ID of the action. */
type Statuses = ReadonlyMap<unknown, string>;

/** Loads the statuses before those actions that lead to a status, by their IDs, as far as they are known. */
async function loadPreviousStatuses(
	requester: Requester,
	actions: JsonObject[],
): Promise<Statuses> {
	const changing = actions.filter(
		({ TypeId }) => TypeId !== 'Create' && findResultingStatus(TypeId) !== undefined,
	);
	const details = await fetchDetails(requester, changing, 'PrevWoStatus');
	const getStatus = ({ Id }: JsonObject) =>
		details
			.get(normalize(Id))
			?.map(getPreviousStatus)
			.find((status) => status !== undefined);
	return new Map(
		changing.flatMap((action) => {
			const status = getStatus(action);
			return status === undefined ? [] : [[action.Id, status] as const];
		}),
	);
}

/**
 * Keeps the actions that entered one of these AP statuses by what they say themselves, as the invoice
 * may have another status by now. If they do not say it, the last one of each work order counts, by
 * the status that the invoice has.
 */
async function keepEntries(
	requester: Requester,
	actions: JsonObject[],
	wanted: readonly number[],
): Promise<JsonObject[]> {
	const details = await fetchDetails(requester, actions, 'ApInvoiceName');
	const getName = ({ Id }: JsonObject) => details.get(normalize(Id))?.[0].ValueStr;
	const names = actions.map(getName).filter((name) => name !== undefined);
	const byName = { entity: 'ApInvoiceStatus', by: ['DisplayAs'], isOptional: true };
	const statuses = await lookUp(requester, byName, names);
	const getEntered = (action: JsonObject) => statuses.get(normalize(getName(action)));
	const silent = actions.filter((action) => getEntered(action) === undefined);
	const last = new Map(silent.map((action) => [getOrderId(action), action]));
	const current = await lookUp(
		requester,
		{ entity: 'WorkOrder', by: ['Id'], where: and(isIn('WorkOrderCost.ApStatusId', wanted)) },
		[...last.keys()].filter((id) => id !== undefined),
	);
	return actions.filter((action) => {
		const entered = getEntered(action);
		if (entered !== undefined) return entered.some(({ Id }) => wanted.includes(Number(Id)));
		const id = getOrderId(action);
		return last.get(id) === action && current.has(normalize(id));
	});
}

/** Finds the steps of an action's order that have a flag by now. */
async function createStepFinder(requester: Requester, actions: JsonObject[]) {
	const orders = new Set(actions.map(getOrderId).filter((id) => id !== undefined));
	const procedures = await loadProcedures(requester, orders);
	// Any number of actions may belong to one order, and its steps may be many.
	const flagged = new Map([...procedures].map(([id, rows]) => [id, listFlaggedSteps(rows)]));
	return (action: JsonObject) => flagged.get(normalize(getOrderId(action))) ?? [];
}

/** Drops actions that leave the status of their work order unchanged, where only a change counts. */
const dropRepeats = (matches: Match[], statuses: Statuses): Match[] =>
	matches.filter(({ row: { Id, TypeId }, part }) => {
		const before = statuses.get(Id);
		return !part.changesStatus || before === undefined || before !== findResultingStatus(TypeId);
	});

/** The log and the visit may take their times from different clocks. */
const MAX_VISIT_GAP_MS = 10 * 60_000;

/**
 * Finds the visit that an action begins or ends, if it is recorded: the nearest in time of the same
 * person, because no ID links the two. Both have their times on the clock of the work zone.
 */
async function createVisitFinder(requester: Requester, actions: JsonObject[]) {
	const found = await lookUp(
		requester,
		{
			entity: 'WoOnSite',
			by: ['WorkOrderId'],
			properties: getSummary('WoOnSite'),
			isOptional: true,
		},
		actions.map(({ WorkOrderId }) => WorkOrderId),
	);
	const groups = new Map<string, ReturnType<typeof groupVisits>>();
	return ({ WorkOrderId, Actor, ActionDate }: JsonObject, time: VisitTime) => {
		if (!isObject(Actor)) return undefined;
		const order = normalize(WorkOrderId);
		const group = groups.get(`${order} ${time}`) ?? groupVisits(found.get(order) ?? [], time);
		groups.set(`${order} ${time}`, group);
		return findNearestVisit(group.get(Actor.Id) ?? [], toInstant(ActionDate));
	};
}

interface Visit {
	visit: JsonObject;
	at: number;
}

/** Groups visits by their people, in the order of their times. */
function groupVisits(visits: readonly JsonObject[], time: VisitTime): Map<unknown, Visit[]> {
	const groups = new Map<unknown, Visit[]>();
	for (const visit of visits) {
		const at = toInstant(visit[time]);
		if (!Number.isNaN(at)) append(groups, visit.EmployeeId, { visit, at });
	}
	for (const group of groups.values()) group.sort((a, b) => a.at - b.at);
	return groups;
}

/** An order may have many visits, and many actions that look for theirs. */
function findNearestVisit(visits: readonly Visit[], at: number): JsonObject | undefined {
	let [low, high] = [0, visits.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if (visits[middle].at < at) low = middle + 1;
		else high = middle;
	}
	const [nearest] = [visits[low - 1], visits[low]]
		.filter((one): one is Visit => one !== undefined && Math.abs(at - one.at) <= MAX_VISIT_GAP_MS)
		.sort((a, b) => Math.abs(at - a.at) - Math.abs(at - b.at));
	return nearest?.visit;
}
