import type { INodeProperties } from 'n8n-workflow';

import { throughCollection, type EntityName, type Path } from '../catalogue/entities';
import { FINISHED } from '../catalogue/statusActions';
import { ValidationError, type JsonObject } from '../protocol/checks';
import {
	and,
	atLeast,
	atMost,
	equal,
	greaterThan,
	isIn,
	isNull,
	lessThan,
	notIn,
	or,
	type Criteria,
} from '../protocol/criteria';
import type { RecordNames } from '../protocol/names';
import {
	before,
	inSpace,
	anyOf,
	NEVER,
	ofRecord,
	yesNo,
	dateRange,
	text,
	type Filter,
} from './filterKinds';
import { isEmpty } from './form';

/** A path of the entity, and one step further to the Id of a reference. */
type Searched<Entity extends EntityName> = Path<Entity> | `${Path<Entity>}.Id`;

const of = <Entity extends EntityName>(
	entity: Entity,
	rows: Record<string, Filter<Searched<Entity>>>,
): Record<string, Record<string, Filter>> => ({ [entity]: rows });

/** Every filter there is, by entity: what it is called, what it compares, and how it asks. */
export const filters: Readonly<Record<string, Readonly<Record<string, Filter>>>> = {
	...of('Contact', {
		address: text('Email or Phone', 'ContactAddresses.Address'),
		customer: ofRecord('Customer', 'CustomerId'),
		name: text('Name', 'DisplayAs'),
		number: text('Number', 'Number'),
		type: anyOf('Type', 'TypeId'),
	}),
	...of('Customer', {
		name: text('Name', 'DisplayAs'),
		tenantCode: text('Tenant Code', 'TenantCode'),
		workZone: ofRecord('Work Zone', 'WorkZone.Id'),
	}),
	...of('Document', {
		public: yesNo('Public', 'IsPublic', 'Whether it has to be public, or must not be'),
		title: text('Title', 'Title'),
		type: ofRecord('Type', 'DocType.Id', { kind: 'documentType' }),
		...dateRange('updated', 'Updated', 'UpdatedDate'),
	}),
	...of('Employee', {
		active: yesNo(
			'Active',
			'IsRemoved',
			'Whether they have to be in use, or have been deleted',
			(removed) => ({ yes: equal(removed, false), no: equal(removed, true) }),
		),
		address: text('Email or Phone', 'ContactAddresses.Address'),
		kind: anyOf('Employee or Provider', 'ActorTypeId', ['Employee', 'Provider']),
		name: text('Name', 'DisplayAs'),
		number: text('Number', 'Number'),
		role: ofRecord('Role', 'Role.Id'),
		specialty: ofRecord('Specialty', 'Specialties.SpecialtyId'),
		team: ofRecord('Team', 'Teams.TeamId'),
		workZone: ofRecord('Work Zone', 'WorkZones.WorkZoneId'),
	}),
	...of('FinancialItem', {
		category: anyOf('Category', 'CostCategoryId'),
		comment: text('Comment', 'Comment'),
		employee: ofRecord('Employee', 'Employee.Id'),
		type: anyOf('Type', 'TypeId'),
		...dateRange('started', 'Start Date', 'StartDate'),
	}),
	...of('Location', {
		name: text('Name', 'Name'),
		offline: yesNo('Offline', 'IsOffline', 'Whether it has to be out of use, or must not be'),
		serialNumber: text('Serial Number', 'Info.SerialNumber'),
		tag: text('Tag', 'Info.TagId'),
		type: anyOf('Type', 'TypeId'),
	}),
	...of('Note', {
		resolved: yesNo('Resolved', 'IsResolved', 'Whether it has to be resolved, or must not be'),
		text: text('Text', 'NoteText'),
		type: ofRecord('Type', 'NoteTypeLookup.Id', { kind: 'noteType' }),
		...dateRange('created', 'Created', 'CreatedAt'),
	}),
	...of('Space', {
		customer: ofRecord('Customer', 'CustomerId'),
		name: text('Name', 'Asset.Name'),
		status: anyOf('Status', 'StatusId'),
		workZone: ofRecord('Work Zone', 'WorkZone.Id'),
	}),
	...of('WoNote', {
		body: text('Body', 'Body'),
		type: anyOf('Type', 'NoteTypeId'),
		...dateRange('created', 'Created', 'CreatedDate'),
	}),
	...of('WorkOrder', {
		asset: ofRecord('Asset', 'Items.Asset.Id', { description: 'One of the items is for it' }),
		assignee: ofRecord('Assignee', 'Assignments.EmployeeId', {
			kind: 'employee',
			description: 'Employee or provider, in charge or among others',
		}),
		comment: text('Comment of an Item', 'Items.Comment'),
		contact: text('Contact Name', 'ContactName'),
		customer: ofRecord('Customer', 'Customer.Id'),
		flagged: yesNo(
			'Flagged',
			'FlagId',
			'Whether it has to have an attention flag, or none',
			(flag) => ({ yes: greaterThan(flag, 0), no: or(atMost(flag, 0), isNull(flag)) }),
		),
		location: text('Location', 'ShortLocation'),
		number: text('Number', 'Number'),
		open: yesNo(
			'Open',
			'StatusId',
			'Whether it has to be neither completed nor cancelled, or one of both',
			(status) => ({ yes: notIn(status, FINISHED), no: isIn(status, FINISHED) }),
		),
		overdue: yesNo(
			'Overdue',
			'DueDateUtc',
			'Whether it has to be open and past its due date, or must not be',
			(due, now) => ({
				yes: and(notIn('StatusId', FINISHED), before(due, now)),
				no: or(isIn('StatusId', FINISHED), atLeast(due, now), lessThan(due, NEVER), isNull(due)),
			}),
		),
		priority: ofRecord('Priority', 'Priority.Id'),
		space: inSpace(
			'Space',
			'Items.Asset.Id',
			'One of the items is for the unit or for what is in it',
		),
		specialty: ofRecord('Specialty', 'Specialty.Id'),
		status: anyOf('Status', 'StatusId'),
		subType: ofRecord('Sub Type', 'SubType.Id'),
		workZone: ofRecord('Work Zone', 'WorkZone.Id'),
		...dateRange('changed', 'Last Changed', 'LastActionDate'),
		...dateRange('created', 'Created', 'DtCreated'),
		...dateRange('due', 'Due', 'DtDue'),
		...dateRange('scheduled', 'Scheduled', 'DtScheduledStart'),
	}),
	...of('WorkOrderCost', {
		apState: anyOf('AP State', 'ApStateId'),
		apStatus: ofRecord('AP Status', 'ApStatusId'),
		costState: anyOf('Cost State', 'CostState'),
		costStatus: ofRecord('Cost Status', 'CostStatusId'),
		number: text('Number', 'Number'),
	}),
	...of('WorkZone', {
		name: text('Name', 'DisplayAs'),
		number: text('Number', 'Number'),
		offline: yesNo('Offline', 'IsOffline', 'Whether it has to be out of use, or must not be'),
	}),
};

/** The form of them, where the entity has some. */
export const filterFields = (entity = ''): INodeProperties[] =>
	filters[entity] === undefined
		? []
		: [
				{
					displayName: 'Filters',
					name: 'filters',
					type: 'collection',
					placeholder: 'Add filter',
					default: {},
					options: Object.entries(filters[entity])
						.map(([name, { label, field }]) => ({
							displayName: label,
							name,
							...field({ entity, name }),
						}))
						.sort((a, b) => a.displayName.localeCompare(b.displayName, 'en')),
					description:
						'Ready-made searches: all of them have to fit, and the conditions below, too',
					builderHint: {
						propertyHint:
							'Prefer a filter to a condition where there is one: open, overdue and the stretches of time cannot be said by one condition.',
					},
				},
			];

/** The filters that the user added; n8n drops unknown names. */
const added = (entity: string, given: JsonObject) =>
	Object.entries(filters[entity] ?? {})
		.filter(([name]) => given[name] !== undefined)
		.map(([name, filter]) => ({ name, filter, value: given[name] }));

/** Conditions on what stands in a collection fit once for each of its rows. */
export const repeatRows = (entity: string, given: JsonObject): boolean =>
	added(entity, given).some(({ filter }) => throughCollection(entity, filter.property));

/** Whether the user decides about deleted records by a filter. */
export const decidesRemoved = (entity: string, given: JsonObject): boolean =>
	added(entity, given).some(({ filter }) => filter.property === 'IsRemoved');

/** An empty filter is refused, as it would match every record. */
export function filterCriteria(
	entity: string,
	given: JsonObject,
	names: RecordNames,
): Criteria | undefined {
	const parts = added(entity, given).map(({ name, filter, value }) => {
		const { label, criteria } = filter;
		if (isEmpty(value) || (Array.isArray(value) && value.length === 0)) {
			throw new ValidationError(`'${label}' is empty: fill in the filter, or remove it`);
		}
		return criteria(value, { entity, name }, names);
	});
	return parts.length === 0 ? undefined : and(...parts);
}
