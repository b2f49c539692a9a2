import { findActorEntity } from '../../catalogue/members';
import { listEnumerationOptions } from '../../catalogue/enumerations';
import { getMemberLabel } from '../../catalogue/enumerations/labels';
import { STATUS_ACTIONS } from '../../catalogue/statusActions';
import { getRecordTarget, type Target } from '../../catalogue/targets';
import { buildFilterCriteria, mayRepeatRows, readConditions } from '../../form/filters';
import { type Form, isSimplified, readOutputProperties } from '../../form/form';
import { ValidationError } from '../../values/errors';
import { type JsonObject, isObject } from '../../values/objects';
import { parseChoice } from '../../values/scalars';
import type { FilterContext, IdResolver, RecordNames } from '../../values/names';
import { joinCriteria, and, isIn, type Criteria } from '../../wire/criteria';
import { actionLog, isAttached, type EventName, type EventType, type VisitTime } from '../events';
import type { Feed } from '../changes/feed';

/** An expression may return one value in place of a list. */
export const readChoices = <T extends string>(
	form: Form,
	[label, name]: [label: string, name: string],
	allowed: readonly T[],
	getLabel?: (one: T) => string,
): T[] => [form.param(name, [])].flat().map((one) => parseChoice(label, one, allowed, getLabel));

/**
 * The work orders that pass the filters of the form; changes of others are ignored. Simplified
 * orders show the time of their change.
 */
export function buildOrderFeed(form: Form, context: FilterContext, time?: string): Feed {
	const own = readConditions(form, 'WorkOrder', context.resolveId);
	const filters = form.collection('filters');
	return {
		entity: 'WorkOrder',
		properties: [
			...readOutputProperties(form, 'WorkOrder'),
			...(time !== undefined && isSimplified(form) ? [time] : []),
		],
		criteria: joinCriteria(
			buildFilterCriteria('WorkOrder', filters, context),
			buildApStatusCriteria(form, context.resolveId),
			own,
		),
		...((own !== undefined || mayRepeatRows('WorkOrder', filters)) && { distinct: true }),
	};
}

function buildApStatusCriteria(form: Form, resolveId: IdResolver): Criteria | undefined {
	const target = getRecordTarget('apStatus');
	const ids = form.rows('apStatuses').map(({ status }) => resolveId('AP Statuses', status, target));
	return ids.length > 0 ? and(isIn('WorkOrderCost.ApStatusId', ids)) : undefined;
}

/** The changes are actions, notes or documents, which are attached to work orders. */
export interface AttachedPlan {
	type: 'attached';
	feed: Feed;
	/** Identifies the order of the feed in stored states. */
	order: string | readonly string[];
	orders: Feed;
	/** Says which of the two an item contains. */
	returns: 'event' | 'both' | 'record';
	ignoreApi: boolean;
	/** Returns whether an employee whose changes are ignored made the change. */
	isIgnored: (row: JsonObject) => boolean;
	/** True if actions that leave the status unchanged are ignored. */
	changesStatus: boolean;
	/** Set if only visits of service providers count. */
	visit?: VisitTime;
	/** True if a ChangeKey names the changed work order rather than the row of the feed. */
	hasOrderKeys: boolean;
}

export function buildAttachedPlan(
	form: Form,
	context: FilterContext,
	name: EventName,
	event: EventType,
): Omit<AttachedPlan, 'orders' | 'returns' | 'ignoreApi' | 'hasOrderKeys'> {
	const { entity = '', time, author = '' } = isAttached(event) ? event : actionLog;
	const { paths = [], changesStatus = false, visit } = event;
	const types = readActionTypes(form, name, event);
	const authors = readAuthors(form, context);
	return {
		type: 'attached',
		order: time ?? 'Id',
		feed: {
			entity,
			time,
			properties: ['*', ...paths, ...AUTHOR_MEMBERS.map((member) => `${author}.${member}`)],
			criteria: types.length > 0 ? and(isIn('TypeId', types)) : undefined,
		},
		isIgnored: (row) => isIgnoredAuthor(authors, row[author]),
		changesStatus,
		visit,
	};
}

function readActionTypes(form: Form, name: EventName, { actionTypes = [] }: EventType) {
	if (name === 'workOrderAction') {
		const known = listEnumerationOptions('WOActionType').map(({ value }) => value);
		return readChoices(form, ['Actions', 'actionTypes'], known, (type) =>
			getMemberLabel('WOActionType', type),
		);
	}
	if (name !== 'workOrderEnteredStatus') return actionTypes;
	const known = Object.keys(STATUS_ACTIONS);
	const statuses = readChoices(form, ['Statuses', 'statuses'], known, (status) =>
		getMemberLabel('WorkOrderStatus', status),
	);
	if (statuses.length === 0) throw new ValidationError("'Statuses' is empty");
	return statuses.flatMap((status) => STATUS_ACTIONS[status]);
}

/** The changes of this employee are ignored. */
interface Author {
	id: number;
	name: string;
}

/** The author of a change is read with these members. */
const AUTHOR_MEMBERS = ['Id', 'TypeId', 'DisplayAs'] as const;

const LABEL = 'Ignore Changes By';
const employeeById: Target = {
	entity: 'Employee',
	by: ['Id'],
	read: ['DisplayAs'],
	includeRemoved: true,
};

const readAuthors = (form: Form, { resolveId, findRows }: RecordNames): Author[] =>
	form.rows('ignoreChangesBy').map(({ employee }) => {
		const id = resolveId(LABEL, employee, getRecordTarget('employee'));
		const [found] = findRows(employeeById, id);
		if (found !== undefined) return { id, name: String(found.DisplayAs) };
		throw new ValidationError(
			`'${LABEL}': no employee has the ID ${id}`,
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
