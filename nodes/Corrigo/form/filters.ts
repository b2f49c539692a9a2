import type { INodeProperties } from 'n8n-workflow';

import { crossesCollection, type EntityName, type Path } from '../catalogue/entities';
import { FINISHED_STATUSES } from '../catalogue/statusActions';
import { type JsonObject, parseChoice } from '../values/checks';
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
	parseCriteria,
	buildFormCriteria,
} from '../wire/criteria';
import type { FilterContext, IdResolver } from '../values/names';
import {
	before,
	spaceAssets,
	createEmptyFilterError,
	dates,
	anyValue,
	anyText,
	NEVER,
	record,
	week,
	yesNo,
	text,
	vendor,
	type AddedFilter,
	type Filter,
	type FilterDefinition,
} from './filterTypes';
import { isEmpty, type Form } from './form';
import { conditionFields, buildSearchByField } from './fields';

/** A filter compares a path of the entity, or the Id of the reference at its end. */
type SearchPath<Entity extends EntityName> = Path<Entity> | `${Path<Entity>}.Id`;

const defineFilters = <Entity extends EntityName>(
	entity: Entity,
	definitions: Record<string, FilterDefinition<SearchPath<Entity>>>,
): Record<string, Filter[]> => ({
	[entity]: Object.entries(definitions).map(([name, [label, property, type]]) => ({
		entity,
		name,
		label,
		property,
		type,
	})),
});

/** Each key names a filter of the form; its value holds the label, the property and the type. */
export const filters: Readonly<Record<string, readonly Filter[]>> = {
	...defineFilters('Contact', {
		address: ['Email or Phone', 'ContactAddresses.Address', text],
		customer: ['Customer', 'CustomerId', record('customer')],
		name: ['Name', 'DisplayAs', text],
		number: ['Number', 'Number', text],
		type: ['Type', 'TypeId', anyValue()],
	}),
	...defineFilters('Customer', {
		name: ['Name', 'DisplayAs', text],
		tenantCode: ['Tenant Code', 'TenantCode', text],
		workZone: ['Work Zone', 'WorkZone.Id', record('workZone')],
	}),
	...defineFilters('Document', {
		public: ['Public', 'IsPublic', yesNo('Whether to return public or non-public documents')],
		title: ['Title', 'Title', text],
		type: ['Type', 'DocType.Id', record('documentType')],
		...dates({ updated: ['Updated', 'UpdatedDate'] }),
	}),
	...defineFilters('Employee', {
		active: [
			'Active',
			'IsRemoved',
			yesNo('Whether to return active or deleted records', (removed) => ({
				yes: equal(removed, false),
				no: equal(removed, true),
			})),
		],
		address: ['Email or Phone', 'ContactAddresses.Address', text],
		kind: ['Employee or Vendor', 'ActorTypeId', anyValue(['Employee', 'Provider'])],
		name: ['Name', 'DisplayAs', text],
		number: ['Number', 'Number', text],
		role: ['Role', 'Role.Id', record('role')],
		specialty: ['Specialty', 'Specialties.SpecialtyId', record('specialty')],
		team: ['Team', 'Teams.TeamId', record('team')],
		workZone: ['Work Zone', 'WorkZones.WorkZoneId', record('workZone')],
	}),
	...defineFilters('FinancialItem', {
		category: ['Category', 'CostCategoryId', anyValue()],
		comment: ['Comment', 'Comment', text],
		employee: ['Employee', 'Employee.Id', record('employee')],
		type: ['Type', 'TypeId', anyValue()],
		...dates({ started: ['Start Date', 'StartDate'] }),
	}),
	...defineFilters('Location', {
		name: ['Name', 'Name', text],
		offline: ['Offline', 'IsOffline', yesNo('Whether to return offline records or those in use')],
		serialNumber: ['Serial Number', 'Info.SerialNumber', text],
		tag: ['Tag', 'Info.TagId', text],
		type: ['Type', 'TypeId', anyValue()],
	}),
	...defineFilters('Note', {
		resolved: ['Resolved', 'IsResolved', yesNo('Whether to return resolved or unresolved notes')],
		text: ['Text', 'NoteText', text],
		type: ['Type', 'NoteTypeLookup.Id', record('noteType')],
		...dates({ created: ['Created', 'CreatedAt'] }),
	}),
	...defineFilters('ProviderCoi', {
		provider: ['Vendor', 'EmployeeId', record('provider')],
		...dates({ expires: ['Expires', 'EndDate'] }),
	}),
	...defineFilters('ReplenishmentOrder', {
		exported: [
			'Exported',
			'IsExported',
			yesNo('Whether to return orders that were exported or those that were not'),
		],
		status: ['Status', 'StatusId', anyValue()],
		supplier: ['Supplier', 'Supplier.Id', record('provider')],
	}),
	...defineFilters('Space', {
		customer: ['Customer', 'CustomerId', record('customer')],
		name: ['Name', 'Asset.Name', text],
		status: ['Status', 'StatusId', anyValue()],
		workZone: ['Work Zone', 'WorkZone.Id', record('workZone')],
	}),
	...defineFilters('TimeCardItem', {
		employee: ['Employee', 'Employee.Id', record('employee')],
		week: ['Week', 'WeekStartDate', week],
	}),
	...defineFilters('WoNote', {
		body: ['Body', 'Body', text],
		type: ['Type', 'NoteTypeId', anyValue()],
		...dates({ created: ['Created', 'CreatedDate'] }),
	}),
	...defineFilters('WorkOrder', {
		asset: ['Asset', 'Items.Asset.Id', record('asset', 'Asset of one of the items')],
		assignee: [
			'Assignee',
			'Assignments.EmployeeId',
			record('employee', 'Assigned employee or vendor, primary or secondary'),
		],
		comment: ['Comment of an Item', 'Items.Comment', text],
		contact: ['Contact Name', 'ContactName', text],
		customer: ['Customer', 'Customer.Id', record('customer')],
		emergency: [
			'Emergency',
			'Priority.IsEmergency',
			yesNo('Whether to return emergencies or other orders'),
		],
		estimateStatus: ['Estimate Status', 'Estimate.StatusId', anyValue()],
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
				yes: notIn(status, FINISHED_STATUSES),
				no: isIn(status, FINISHED_STATUSES),
			})),
		],
		overdue: [
			'Overdue',
			'DueDateUtc',
			yesNo('Whether to return overdue orders or all others', (due, now) => ({
				yes: and(notIn('StatusId', FINISHED_STATUSES), before(due, now())),
				no: or(
					isIn('StatusId', FINISHED_STATUSES),
					atLeast(due, now()),
					lessThan(due, NEVER),
					isNull(due),
				),
			})),
		],
		poNumber: ['PO Number', 'PoNumber', text],
		priority: ['Priority', 'Priority.Id', record('priority')],
		quoteStatus: ['Quote Status', 'Quote.StatusId', anyValue()],
		space: [
			'Space',
			'Items.Asset.Id',
			spaceAssets('Space whose unit, or an asset in it, is in one of the items'),
		],
		specialty: ['Specialty', 'Specialty.Id', record('specialty')],
		status: ['Status', 'StatusId', anyValue()],
		subType: ['Sub Type', 'SubType.Id', record('subType')],
		workZone: ['Work Zone', 'WorkZone.Id', record('workZone')],
		...dates({
			created: ['Created', 'DtCreated'],
			due: ['Due', 'DtDue'],
			changed: ['Last Changed', 'LastActionDate'],
			onSiteBy: ['On Site By', 'DtOnSiteBy'],
			scheduled: ['Scheduled Start', 'DtScheduledStart'],
		}),
	}),
	...defineFilters('WorkOrderCost', {
		apState: ['AP State', 'ApStateId', anyValue()],
		apStatus: ['AP Status', 'ApStatusId', record('apStatus')],
		costState: ['Cost State', 'CostState', anyValue()],
		costStatus: ['Cost Status', 'CostStatusId', record('costStatus')],
		hasInvoice: [
			'Has Invoice',
			'ApStateId',
			yesNo('Whether to return orders with or without a vendor invoice', (state) => ({
				yes: notIn(state, ['None']),
				no: isIn(state, ['None']),
			})),
		],
		number: ['Invoice Number', 'Number', text],
		vendor: ['Vendor', 'Id', vendor],
		workOrder: ['Work Order', 'Id', record('workOrder')],
		...dates({
			invoiced: ['Invoice Date', 'VendorInvoiceDate'],
			received: ['Received', 'VendorInvoiceReceivedDate'],
			checkCut: ['Check Cut', 'CheckCutDate'],
		}),
	}),
	...defineFilters('WorkZone', {
		name: ['Name', 'DisplayAs', text],
		number: ['Number', 'Number', text],
		offline: ['Offline', 'IsOffline', yesNo('Whether to return offline records or those in use')],
	}),
};

/** The field is left out for an entity without filters. */
export const buildFilterFields = (entity = ''): INodeProperties[] =>
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
							...filter.type.buildField(filter),
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
const getAddedFilters = (entity: string, input: JsonObject): AddedFilter[] =>
	(filters[entity] ?? [])
		.filter(({ name }) => name in input)
		.flatMap((filter) => {
			const { type } = filter;
			const value = input[filter.name];
			if ('readRows' in type) return type.readRows(value, filter);
			return [
				{
					...filter,
					value,
					buildCriteria: (context: FilterContext) => type.buildCriteria(value, filter, context),
				},
			];
		});

/** Labels of the filters that were added, each with the property that it compares. */
export const readFilterPaths = (form: Form, entity: string): Array<[string, string]> =>
	getAddedFilters(entity, form.collection('filters')).map(({ label, property }) => [
		label,
		property,
	]);

/** A condition on a collection matches once for each of its rows, so records may repeat. */
export const mayRepeatRows = (entity: string, input: JsonObject): boolean =>
	getAddedFilters(entity, input).some(({ property }) => crossesCollection(entity, property));

/** A filter by IsRemoved replaces the default, which leaves out deleted records. */
export const hasRemovedFilter = (entity: string, input: JsonObject): boolean =>
	getAddedFilters(entity, input).some(({ property }) => property === 'IsRemoved');

/** An empty filter is refused, because it would match every record. */
export function buildFilterCriteria(
	entity: string,
	input: JsonObject,
	context: FilterContext,
): Criteria | undefined {
	const parts = getAddedFilters(entity, input).map(({ label, value, buildCriteria }) => {
		if (isEmpty(value) || (Array.isArray(value) && value.length === 0)) {
			throw createEmptyFilterError(label);
		}
		return buildCriteria(context);
	});
	return parts.length === 0 ? undefined : and(...parts);
}

/** Filters depend on the entity, so there are none if the user names it. */
export function buildSearchFields(entity: string | undefined): INodeProperties[] {
	const filters = buildFilterFields(entity);
	return [...filters, buildSearchByField(filters.length > 0), ...conditionFields];
}

/** Filters are read elsewhere. Values left over in hidden fields have no effect. */
export function readConditions(
	form: Form,
	entity: string,
	resolveId: IdResolver,
): Criteria | undefined {
	const ways = ['filters', 'conditions', 'json'] as const;
	switch (parseChoice('Search By', form.param('searchBy', 'filters'), ways)) {
		case 'filters':
			return undefined;
		case 'conditions': {
			const match = parseChoice('Match', form.param('match', 'all'), ['all', 'any']);
			return buildFormCriteria(entity, match, form.choices('conditions'), resolveId);
		}
		case 'json':
			return parseCriteria(entity, 'Criteria (JSON)', form.param('criteriaJson', ''), resolveId);
	}
}
