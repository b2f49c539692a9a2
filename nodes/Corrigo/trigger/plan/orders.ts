import type { INodeProperties } from 'n8n-workflow';

import { findActorEntity } from '../../catalogue/members';
import { STATUS_ACTIONS } from '../../catalogue/statusActions';
import { getRecordTarget, type Target } from '../../catalogue/targets';
import { buildToggle, defineField, listChoices, toChoices } from '../../form/fields';
import {
	buildFilterCriteria,
	filtersField,
	mayRepeatRows,
	readConditions,
} from '../../form/filters';
import { type Form, isSimplified, readOutputProperties } from '../../form/form';
import { buildReferenceField } from '../../form/subjects';
import { ValidationError } from '../../values/errors';
import { type JsonObject, isObject } from '../../values/objects';
import type { FilterContext, IdResolver, RecordNames } from '../../values/references';
import { joinCriteria, and, isIn } from '../../wire/criteria';
import { actionLog, isAttached, type EventName, type EventType, type VisitTime } from '../events';
import type { Feed } from '../changes/feed';

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

export const ignoreApiField = defineField({
	name: 'ignoreApi',
	...buildToggle(
		'Ignore API Changes',
		'Whether to ignore changes by integrations, including this workflow, which prevents endless loops',
	),
});

type Own = Pick<INodeProperties, 'description' | 'displayName' | 'name'>;

/** Each row of the field holds one record. */
function defineRecordList(
	type: 'apStatus' | 'employee',
	row: 'Status' | 'Employee',
	{ displayName, name, description }: Own,
) {
	const recordField = buildReferenceField(type, row.toLowerCase());
	const field = defineField({
		displayName,
		name,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: `Add ${row.toLowerCase()}`,
		default: {},
		options: [{ displayName: row, name: 'values', values: [recordField] }],
		description,
	});
	const readIds = (form: Form, resolveId: IdResolver): number[] =>
		form
			.readRows(field)
			.map((one) => resolveId(displayName, one.getInput(recordField), getRecordTarget(type)));
	return { field, readIds };
}

export const apStatuses = defineRecordList('apStatus', 'Status', {
	displayName: 'AP Statuses',
	name: 'apStatuses',
	description: 'AP (accounts payable) statuses that trigger the workflow. Leave empty for all.',
});

export const ignoredEmployees = defineRecordList('employee', 'Employee', {
	displayName: 'Ignore Changes By',
	name: 'ignoreChangesBy',
	description:
		'Employees whose changes do not trigger the workflow. Add the service user of the credential to prevent endless loops. Of a document, the last change counts.',
});

/**
 * The work orders that pass the filters of the form; changes of others are ignored. Simplified
 * orders show the time of their change.
 */
export function buildOrderFeed(form: Form, context: FilterContext, time?: string): Feed {
	const own = readConditions(form, 'WorkOrder', context.resolveId);
	const filters = form.read(filtersField);
	const ids = apStatuses.readIds(form, context.resolveId);
	return {
		entity: 'WorkOrder',
		properties: [
			...readOutputProperties(form, 'WorkOrder'),
			...(time !== undefined && isSimplified(form) ? [time] : []),
		],
		criteria: joinCriteria(
			buildFilterCriteria('WorkOrder', filters, context),
			ids.length > 0 ? and(isIn('WorkOrderCost.ApStatusId', ids)) : undefined,
			own,
		),
		...((own !== undefined || mayRepeatRows('WorkOrder', filters)) && { distinct: true }),
	};
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
	if (name === 'workOrderAction') return form.read(actionTypesField);
	if (name !== 'workOrderEnteredStatus') return actionTypes;
	const statuses = form.read(statusesField);
	if (statuses.length === 0) throw new ValidationError(`'${statusesField.displayName}' is empty`);
	return statuses.flatMap((status) => STATUS_ACTIONS[status]);
}

/** The changes of this employee are ignored. */
interface Author {
	id: number;
	name: string;
}

/** The author of a change is read with these members. */
const AUTHOR_MEMBERS = ['Id', 'TypeId', 'DisplayAs'] as const;

const employeeById: Target = {
	entity: 'Employee',
	by: ['Id'],
	read: ['DisplayAs'],
	includeRemoved: true,
};

const readAuthors = (form: Form, { resolveId, findRows }: RecordNames): Author[] =>
	ignoredEmployees.readIds(form, resolveId).map((id) => {
		const [found] = findRows(employeeById, id);
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
