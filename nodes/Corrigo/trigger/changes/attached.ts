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
import { isObject, type JsonObject } from '../../values/objects';
import type { FilterContext, RecordNames } from '../../values/references';
import { normalize } from '../../values/input';
import { toInstant } from '../../values/times';
import { and, equal, isIn } from '../../wire/criteria';
import type { ActionEvent, OrderedEvent, VisitTime } from '../events';
import { buildChangeKey } from '../../feed/cursorText';
import { readKey, type Feed } from '../../feed/feed';
import type { PlanParts, Results } from '../plan';
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
			description: 'The action, note or document. Takes the fewest requests.',
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
	const source: Source = event.rows === 'attached' ? event : actionLog;
	const { entity, time, timestamp, author, paths } = source;
	const types = event.rows === 'attached' ? [] : readActionTypes(form, event.actionTypes);
	const authors = readAuthors(form, context);
	const isOfOrders = event.rows === 'orders';
	const read = buildOrderFeed(form, context, isOfOrders ? event.time : undefined);
	// Whoever approves an invoice compares it with this limit.
	const isOfInvoice = event.rows === 'actions' && event.actionTypes.includes('APInvStatus');
	const orders =
		isOfInvoice && isSimplified(form)
			? { ...read, properties: [...read.properties, 'VendorNte'] }
			: read;
	const isFiltered = orders.criteria !== undefined || (orders.checks ?? []).length > 0;
	const feed: Feed = {
		entity,
		time,
		timestamp,
		properties: [
			...(event.rows === 'attached' && isSimplified(form) ? getSummary(entity) : ['*']),
			...paths,
			...AUTHOR_MEMBERS.map((member) => `${author}.${member}`),
		],
		criteria: types.length > 0 ? and(isIn('TypeId', types)) : undefined,
	};
	const returns = isOfOrders ? 'record' : form.read(returnsField);
	const ignoreApi = form.read(ignoreApiField);
	const changesStatus = event.rows !== 'attached' && event.actionTypes === 'enteredStatus';
	const wanted = apStatuses.readIds(form, context.resolveId);
	const { visit, failedSteps }: Pick<ActionEvent, 'failedSteps' | 'visit'> =
		event.rows === 'actions' ? event : {};
	/** A ChangeKey names the changed work order rather than the row of the feed. */
	const hasOrderKeys = isOfOrders && !ignoresAuthors(form);
	/** Simplified actions show the status before and the name of the reason, as in Get History. */
	const isDetailed = entity === actionLog.entity && returns !== 'record' && isSimplified(form);

	/** Keeps the rows that may be changes of this event. */
	const filterChanges = async (requester: Requester, rows: JsonObject[]): Promise<JsonObject[]> => {
		const own = rows.filter(
			(row) => (visit === undefined || isByProvider(row)) && !isIgnoredAuthor(authors, row[author]),
		);
		const relevant = ignoreApi ? await dropApiChanges(requester, entity, own) : own;
		return wanted.length > 0 ? await keepEntries(requester, relevant, wanted) : relevant;
	};

	const complete = async (requester: Requester, rows: JsonObject[]): Promise<Results> => {
		const relevant = await filterChanges(requester, rows);
		const findSteps = failedSteps && (await createStepFinder(requester, relevant));
		const changed = findSteps ? relevant.filter((row) => findSteps(row).length > 0) : relevant;
		const loading = loadPreviousStatuses(requester, changesStatus || isDetailed ? changed : []);
		const included = changesStatus ? dropRepeats(changed, await loading) : changed;
		const ids = included.map(getOrderId).filter((id) => id !== undefined);
		const isAlone = returns === 'event' && !isFiltered;
		const [statuses, findVisit, records, getName] = await Promise.all([
			loading,
			visit && returns !== 'record' ? createVisitFinder(requester, visit, included) : undefined,
			isAlone ? undefined : fetchRecords(requester, orders, ids),
			isDetailed ? loadReferenceNames(requester, entity, included, [REASON.member]) : undefined,
		]);
		const buildResult = (row: JsonObject) => {
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
			const visited = findVisit ? { WoOnSite: findVisit(row) ?? null } : {};
			const failed = findSteps ? { FailedSteps: findSteps(row) } : {};
			const reason = getName?.(REASON.entity, row[REASON.member]);
			const Reason = reason && { Id: row[REASON.member], DisplayAs: reason };
			const own = { ...row, ...(Reason && { Reason }) };
			const item = { ...own, ...visited, ...failed, ...(returns === 'both' && { WorkOrder }) };
			return { ...toResult(feed, row, item, id), statusBefore: statuses.get(row.Id) };
		};
		const isIncluded = new Set(included);
		return rows.map((row) => (isIncluded.has(row) ? buildResult(row) : undefined));
	};
	return { strategy: changes, feed, order: time ?? 'Id', related: [orders], complete };
}

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
	return (action: JsonObject) => listFlaggedSteps(procedures.get(normalize(getOrderId(action))));
}

/** Drops actions that leave the status of their work order unchanged. */
const dropRepeats = (actions: JsonObject[], statuses: Statuses): JsonObject[] =>
	actions.filter(({ Id, TypeId }) => {
		const before = statuses.get(Id);
		return before === undefined || before !== findResultingStatus(TypeId);
	});

/** The log and the visit may take their times from different clocks. */
const MAX_VISIT_GAP_MS = 10 * 60_000;

/**
 * Finds the visit that an action begins or ends, if it is recorded: the nearest in time of the same
 * person, because no ID links the two. Both have their times on the clock of the work zone.
 */
async function createVisitFinder(requester: Requester, time: VisitTime, actions: JsonObject[]) {
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
