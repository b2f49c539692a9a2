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
import type { FilterContext } from '../protocol/names';
import {
	before,
	inSpace,
	nextDays,
	anyOf,
	anyText,
	NEVER,
	ofRecord,
	ofWeek,
	yesNo,
	dateRange,
	text,
	type Filter,
	type Row,
} from './filterKinds';
import { isEmpty } from './form';

/** A filter compares a path of the entity, or the Id of the reference at its end. */
type Searched<Entity extends EntityName> = Path<Entity> | `${Path<Entity>}.Id`;

const of = <Entity extends EntityName>(
	entity: Entity,
	rows: Record<string, Row<Searched<Entity>>>,
): Record<string, Filter[]> => ({
	[entity]: Object.entries(rows).map(([name, [label, property, kind]]) => ({
		entity,
		name,
		label,
		property,
		kind,
	})),
});

/** Each key names a filter of the form; its value holds the label, the property and the type. */
export const filters: Readonly<Record<string, readonly Filter[]>> = {
	...of('Contact', {
		address: ['Email or Phone', 'ContactAddresses.Address', text],
		customer: ['Customer', 'CustomerId', ofRecord()],
		name: ['Name', 'DisplayAs', text],
		number: ['Number', 'Number', text],
		type: ['Type', 'TypeId', anyOf()],
	}),
	...of('Customer', {
		name: ['Name', 'DisplayAs', text],
		tenantCode: ['Tenant Code', 'TenantCode', text],
		workZone: ['Work Zone', 'WorkZone.Id', ofRecord()],
	}),
	...of('Document', {
		public: ['Public', 'IsPublic', yesNo('Whether to return public or non-public documents')],
		title: ['Title', 'Title', text],
		type: ['Type', 'DocType.Id', ofRecord({ kind: 'documentType' })],
		...dateRange('updated', 'Updated', 'UpdatedDate'),
	}),
	...of('Employee', {
		active: [
			'Active',
			'IsRemoved',
			yesNo('Whether to return active or deleted records', (removed) => ({
				yes: equal(removed, false),
				no: equal(removed, true),
			})),
		],
		address: ['Email or Phone', 'ContactAddresses.Address', text],
		kind: ['Employee or Provider', 'ActorTypeId', anyOf(['Employee', 'Provider'])],
		name: ['Name', 'DisplayAs', text],
		number: ['Number', 'Number', text],
		role: ['Role', 'Role.Id', ofRecord()],
		specialty: ['Specialty', 'Specialties.SpecialtyId', ofRecord()],
		team: ['Team', 'Teams.TeamId', ofRecord()],
		workZone: ['Work Zone', 'WorkZones.WorkZoneId', ofRecord()],
	}),
	...of('FinancialItem', {
		category: ['Category', 'CostCategoryId', anyOf()],
		comment: ['Comment', 'Comment', text],
		employee: ['Employee', 'Employee.Id', ofRecord()],
		type: ['Type', 'TypeId', anyOf()],
		...dateRange('started', 'Start Date', 'StartDate'),
	}),
	...of('Location', {
		name: ['Name', 'Name', text],
		offline: ['Offline', 'IsOffline', yesNo('Whether to return offline records or those in use')],
		serialNumber: ['Serial Number', 'Info.SerialNumber', text],
		tag: ['Tag', 'Info.TagId', text],
		type: ['Type', 'TypeId', anyOf()],
	}),
	...of('Note', {
		resolved: ['Resolved', 'IsResolved', yesNo('Whether to return resolved or unresolved notes')],
		text: ['Text', 'NoteText', text],
		type: ['Type', 'NoteTypeLookup.Id', ofRecord({ kind: 'noteType' })],
		...dateRange('created', 'Created', 'CreatedAt'),
	}),
	...of('ProviderCoi', {
		expiresInDays: ['Expires in Next Days', 'EndDate', nextDays],
		provider: ['Provider', 'EmployeeId', ofRecord({ kind: 'employee' })],
	}),
	...of('ReplenishmentOrder', {
		exported: [
			'Exported',
			'IsExported',
			yesNo('Whether to return orders that were exported or those that were not'),
		],
		status: ['Status', 'StatusId', anyOf()],
		supplier: ['Supplier', 'Supplier.Id', ofRecord({ kind: 'employee' })],
	}),
	...of('Space', {
		customer: ['Customer', 'CustomerId', ofRecord()],
		name: ['Name', 'Asset.Name', text],
		status: ['Status', 'StatusId', anyOf()],
		workZone: ['Work Zone', 'WorkZone.Id', ofRecord()],
	}),
	...of('TimeCardItem', {
		employee: ['Employee', 'Employee.Id', ofRecord()],
		week: ['Week', 'WeekStartDate', ofWeek],
	}),
	...of('WoNote', {
		body: ['Body', 'Body', text],
		type: ['Type', 'NoteTypeId', anyOf()],
		...dateRange('created', 'Created', 'CreatedDate'),
	}),
	...of('WorkOrder', {
		asset: ['Asset', 'Items.Asset.Id', ofRecord({ description: 'Asset of one of the items' })],
		assignee: [
			'Assignee',
			'Assignments.EmployeeId',
			ofRecord({
				kind: 'employee',
				description: 'Assigned employee or provider, primary or secondary',
			}),
		],
		comment: ['Comment of an Item', 'Items.Comment', text],
		contact: ['Contact Name', 'ContactName', text],
		customer: ['Customer', 'Customer.Id', ofRecord()],
		dueNextDays: ['Due in Next Days', 'DtDue', nextDays],
		emergency: [
			'Emergency',
			'Priority.IsEmergency',
			yesNo('Whether to return emergencies or other orders'),
		],
		externalNumber: [
			'External Number',
			'LastAction.XNumber',
			anyText('External number of the order, or several, comma-separated'),
		],
		flagged: [
			'Flagged',
			'FlagId',
			yesNo('Whether to return flagged or unflagged orders', (flag) => ({
				yes: greaterThan(flag, 0),
				no: or(atMost(flag, 0), isNull(flag)),
			})),
		],
		location: ['Location', 'ShortLocation', text],
		number: ['Number', 'Number', text],
		open: [
			'Open',
			'StatusId',
			yesNo('Whether to return open orders or closed ones', (status) => ({
				yes: notIn(status, FINISHED),
				no: isIn(status, FINISHED),
			})),
		],
		overdue: [
			'Overdue',
			'DueDateUtc',
			yesNo('Whether to return overdue orders or all others', (due, now) => ({
				yes: and(notIn('StatusId', FINISHED), before(due, now())),
				no: or(isIn('StatusId', FINISHED), atLeast(due, now()), lessThan(due, NEVER), isNull(due)),
			})),
		],
		priority: ['Priority', 'Priority.Id', ofRecord()],
		scheduledNextDays: ['Scheduled in Next Days', 'DtScheduledStart', nextDays],
		space: [
			'Space',
			'Items.Asset.Id',
			inSpace('Space whose unit, or an asset in it, is in one of the items'),
		],
		specialty: ['Specialty', 'Specialty.Id', ofRecord()],
		status: ['Status', 'StatusId', anyOf()],
		subType: ['Sub Type', 'SubType.Id', ofRecord()],
		workZone: ['Work Zone', 'WorkZone.Id', ofRecord()],
		...dateRange('changed', 'Last Changed', 'LastActionDate'),
		...dateRange('created', 'Created', 'DtCreated'),
		...dateRange('due', 'Due', 'DtDue'),
		...dateRange('onSiteBy', 'On Site By', 'DtOnSiteBy'),
		...dateRange('scheduled', 'Scheduled', 'DtScheduledStart'),
	}),
	...of('WorkOrderCost', {
		apState: ['AP State', 'ApStateId', anyOf()],
		apStatus: ['AP Status', 'ApStatusId', ofRecord()],
		costState: ['Cost State', 'CostState', anyOf()],
		costStatus: ['Cost Status', 'CostStatusId', ofRecord()],
		number: ['Number', 'Number', text],
	}),
	...of('WorkZone', {
		name: ['Name', 'DisplayAs', text],
		number: ['Number', 'Number', text],
		offline: ['Offline', 'IsOffline', yesNo('Whether to return offline records or those in use')],
	}),
};

/** The field is left out for an entity without filters. */
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
					options: filters[entity]
						.map((filter) => ({
							displayName: filter.label,
							name: filter.name,
							...filter.kind.field(filter),
						}))
						.sort((a, b) => a.displayName.localeCompare(b.displayName, 'en')),
					description: 'All filters must match',
					builderHint: {
						propertyHint:
							'Prefer a filter to a condition where there is one: no single condition expresses open, overdue or a range of days.',
					},
				},
			];

/** Unknown names need no check, because n8n drops them. */
const added = (entity: string, given: JsonObject): Filter[] =>
	(filters[entity] ?? []).filter(({ name }) => given[name] !== undefined);

/** A condition on a collection matches once for each of its rows, so records may repeat. */
export const repeatRows = (entity: string, given: JsonObject): boolean =>
	added(entity, given).some(({ property }) => throughCollection(entity, property));

/** A filter by IsRemoved replaces the default, which leaves out deleted records. */
export const decidesRemoved = (entity: string, given: JsonObject): boolean =>
	added(entity, given).some(({ property }) => property === 'IsRemoved');

/** An empty filter is refused, because it would match every record. */
export function filterCriteria(
	entity: string,
	given: JsonObject,
	context: FilterContext,
): Criteria | undefined {
	const parts = added(entity, given).map((filter) => {
		const value = given[filter.name];
		if (isEmpty(value) || (Array.isArray(value) && value.length === 0)) {
			throw new ValidationError(`'${filter.label}' is empty: fill in the filter, or remove it`);
		}
		return filter.kind.criteria(value, filter, context);
	});
	return parts.length === 0 ? undefined : and(...parts);
}
