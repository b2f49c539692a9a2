import type { INodeProperties } from 'n8n-workflow';

import {
	crossesCollection,
	findEntityMemberType,
	getMemberTypes,
	toRowType,
	type EntityName,
	type Path,
} from '../catalogue/entities';
import { FINISHED_STATUSES } from '../catalogue/statusActions';
import { getColumnLabel } from '../columns/columns';
import type { JsonObject } from '../values/objects';
import {
	collectPaths,
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
	type ConditionNames,
	type RowCheck,
	mapPaths,
	parseCriteria,
	buildFormChecks,
	buildFormCriteria,
} from '../wire/criteria';
import type { FilterContext, RecordNames } from '../values/references';
import { NEVER } from '../values/times';
import { requireFieldType } from '../compare/customFields';
import { defineRows } from '../catalogue/targets';
import {
	attributes,
	before,
	spaceAssets,
	createEmptyFilterError,
	dates,
	anyValue,
	anyText,
	recordFilter,
	week,
	yesNo,
	yesNoAny,
	text,
	vendor,
	type AddedFilter,
	type Filter,
	type FilterDefinition,
} from './filterTypes';
import { isEmpty, type Form } from './form';
import {
	buildSearchByField,
	conditionFields,
	conditionsField,
	criteriaField,
	defineField,
	matchField,
	searchByField,
	sortByTitle,
} from './fields';
import { createTable } from '../catalogue/table';

/** A filter compares a path of the entity, or the Id of the reference at its end. */
type SearchPath<Entity extends EntityName> = Path<Entity> | `${Path<Entity>}.Id`;

const defineFilters = <Entity extends EntityName>(
	entity: Entity,
	definitions: Record<string, FilterDefinition<SearchPath<Entity>>>,
): Record<string, Filter[]> => ({
	[entity]: Object.entries(definitions).map(
		([name, [property, type, label = getColumnLabel(entity, property)]]) => ({
			entity,
			name,
			label,
			property,
			type,
		}),
	),
});

/** The AP state says whether an order has a vendor invoice. */
export const hasInvoice = (state: string) => notIn(state, ['None']);

/** Each row has the property, the type, and the label if it is not that of the property. */
export const filters = createTable<readonly Filter[]>({
	...defineFilters('Contact', {
		address: ['ContactAddresses.Address', text, 'Email or Phone'],
		customer: ['CustomerId', recordFilter('customer')],
		name: ['DisplayAs', text],
		number: ['Number', text],
		type: ['TypeId', anyValue()],
	}),
	...defineFilters('Customer', {
		name: ['DisplayAs', text],
		tenantCode: ['TenantCode', text],
		workZone: ['WorkZone.Id', recordFilter('workZone')],
	}),
	...defineFilters('Document', {
		public: ['IsPublic', yesNo('Whether to return public or non-public documents'), 'Public'],
		title: ['Title', text],
		type: ['DocType.Id', recordFilter('documentType')],
		...dates({ updated: ['UpdatedDate'] }),
	}),
	...defineFilters('Employee', {
		active: [
			'IsRemoved',
			yesNo('Whether to return active or deleted records', (removed) => ({
				yes: equal(removed, false),
				no: equal(removed, true),
			})),
			'Active',
		],
		address: ['ContactAddresses.Address', text, 'Email or Phone'],
		kind: ['ActorTypeId', anyValue(['Employee', 'Provider']), 'Employee or Vendor'],
		name: ['DisplayAs', text],
		number: ['Number', text],
		role: ['Role.Id', recordFilter('role')],
		specialty: ['Specialties.SpecialtyId', recordFilter('specialty'), 'Specialty'],
		team: ['Teams.TeamId', recordFilter('team'), 'Team'],
		workZone: ['WorkZones.WorkZoneId', recordFilter('workZone'), 'Work Zone'],
	}),
	...defineFilters('FinancialItem', {
		category: ['CostCategoryId', anyValue()],
		comment: ['Comment', text],
		employee: ['Employee.Id', recordFilter('employee')],
		type: ['TypeId', anyValue()],
		...dates({ started: ['StartDate', 'Start Date'] }),
	}),
	...defineFilters('Location', {
		attributes: ['Attributes', attributes, 'Attribute'],
		name: ['Name', text],
		offline: ['IsOffline', yesNo('Whether to return offline or other records'), 'Offline'],
		serialNumber: ['Info.SerialNumber', text],
		tag: ['Info.TagId', text, 'Tag'],
		type: ['TypeId', anyValue()],
	}),
	...defineFilters('Note', {
		resolved: ['IsResolved', yesNo('Whether to return resolved or unresolved notes'), 'Resolved'],
		text: ['NoteText', text],
		type: ['NoteTypeLookup.Id', recordFilter('noteType')],
		...dates({ created: ['CreatedAt'] }),
	}),
	...defineFilters('ProviderCoi', {
		provider: ['EmployeeId', recordFilter('provider'), 'Vendor'],
		...dates({ expires: ['EndDate'] }),
	}),
	...defineFilters('ReplenishmentOrder', {
		exported: ['IsExported', yesNo('Whether to return exported or other orders'), 'Exported'],
		status: ['StatusId', anyValue()],
		supplier: ['Supplier.Id', recordFilter('provider')],
	}),
	...defineFilters('Space', {
		customer: ['CustomerId', recordFilter('customer')],
		name: ['Asset.Name', text, 'Name'],
		status: ['StatusId', anyValue()],
		workZone: ['WorkZone.Id', recordFilter('workZone')],
	}),
	...defineFilters('TimeCardItem', {
		employee: ['Employee.Id', recordFilter('employee')],
		week: ['WeekStartDate', week, 'Week'],
	}),
	...defineFilters('WoNote', {
		body: ['Body', text],
		type: ['NoteTypeId', anyValue()],
		...dates({ created: ['CreatedDate'] }),
	}),
	...defineFilters('WorkOrder', {
		asset: ['Items.Asset.Id', recordFilter('asset', 'Asset of one of the items'), 'Asset'],
		assignee: [
			'Assignments.EmployeeId',
			recordFilter('employee', 'Assigned employee or vendor, primary or secondary'),
			'Assignee',
		],
		comment: ['Items.Comment', text, 'Comment of an Item'],
		contact: ['ContactName', text],
		customer: ['Customer.Id', recordFilter('customer')],
		emergency: [
			'Priority.IsEmergency',
			yesNo('Whether to return emergencies or other orders'),
			'Emergency',
		],
		estimateStatus: ['Estimate.StatusId', anyValue()],
		externalNumber: [
			'LastAction.XNumber',
			anyText('External number of the order, or several, comma-separated'),
			'External Number',
		],
		flagged: [
			'FlagId',
			yesNo('Whether to return flagged or unflagged orders', (flag) => ({
				yes: greaterThan(flag, 0),
				no: or(atMost(flag, 0), isNull(flag)),
			})),
			'Flagged',
		],
		location: ['ShortLocation', text],
		number: ['Number', text],
		open: [
			'StatusId',
			yesNo('Whether to return open or closed orders', (status) => ({
				yes: notIn(status, FINISHED_STATUSES),
				no: isIn(status, FINISHED_STATUSES),
			})),
			'Open',
		],
		overdue: [
			'DueDateUtc',
			yesNo('Whether to return overdue or other orders', (due, now) => ({
				yes: and(notIn('StatusId', FINISHED_STATUSES), before(due, now())),
				no: or(
					isIn('StatusId', FINISHED_STATUSES),
					atLeast(due, now()),
					lessThan(due, NEVER),
					isNull(due),
				),
			})),
			'Overdue',
		],
		poNumber: ['PoNumber', text],
		priority: ['Priority.Id', recordFilter('priority')],
		quoteStatus: ['Quote.StatusId', anyValue()],
		space: ['Items.Asset.Id', spaceAssets, 'Space'],
		specialty: ['Specialty.Id', recordFilter('specialty')],
		status: ['StatusId', anyValue()],
		subType: ['SubType.Id', recordFilter('subType')],
		workZone: ['WorkZone.Id', recordFilter('workZone')],
		...dates({
			created: ['DtCreated'],
			due: ['DtDue'],
			changed: ['LastActionDate', 'Last Changed'],
			onSiteBy: ['DtOnSiteBy'],
			scheduled: ['DtScheduledStart', 'Scheduled Start'],
		}),
	}),
	...defineFilters('WorkOrderCost', {
		apState: ['ApStateId', anyValue()],
		apStatus: ['ApStatusId', recordFilter('apStatus')],
		costState: ['CostState', anyValue()],
		costStatus: ['CostStatusId', recordFilter('costStatus')],
		hasInvoice: [
			'ApStateId',
			yesNoAny(
				'Whether there is a vendor invoice. Without this filter, orders without one are left out.',
				(state) => ({
					yes: hasInvoice(state),
					no: isIn(state, ['None']),
				}),
			),
			'Has Invoice',
		],
		number: ['Number', text, 'Invoice Number'],
		vendor: ['Id', vendor, 'Vendor'],
		workOrder: ['Id', recordFilter('workOrder'), 'Work Order'],
		...dates({
			invoiced: ['VendorInvoiceDate', 'Invoice Date'],
			received: ['VendorInvoiceReceivedDate'],
			checkCut: ['CheckCutDate'],
		}),
	}),
	...defineFilters('WorkZone', {
		name: ['DisplayAs', text],
		number: ['Number', text],
		offline: ['IsOffline', yesNo('Whether to return offline or other records'), 'Offline'],
	}),
});

export const filtersField = defineField({
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	description: 'All filters must match',
});

/** The field is left out for an entity without filters. */
export const buildFilterFields = (entity = ''): INodeProperties[] =>
	filters[entity] === undefined
		? []
		: [
				{
					...filtersField,
					options: sortByTitle(
						filters[entity].map((filter) => ({
							displayName: filter.label,
							name: filter.name,
							...filter.type.buildField(filter),
						})),
					),
				},
			];

/** Unknown names need no check, because n8n drops them. */
const getAddedFilters = (entity: string, input: JsonObject): AddedFilter[] =>
	(filters[entity] ?? [])
		.filter(({ name }) => name in input)
		.flatMap((filter) => {
			const { name, type } = filter;
			const value = input[name];
			if ('readRows' in type) return type.readRows(value, filter);
			return [{ ...filter, value, buildCriteria: type.buildCriteria }];
		});

/** Filters that a model adds to a search of which the author of a workflow has fixed a part. */
export const narrowingField = { ...filtersField, name: 'narrowingFilters' };

/** Says whether the conditions of a search are those of such a model. */
export const narrowedField = defineField({
	displayName: 'Narrowed',
	name: 'narrowed',
	type: 'boolean',
	default: false,
});

const readOwnFilters = (form: Form, entity: string): AddedFilter[] =>
	getAddedFilters(entity, form.read(filtersField));

export const readFilters = (form: Form, entity: string): AddedFilter[] => [
	...readOwnFilters(form, entity),
	...getAddedFilters(entity, form.read(narrowingField)),
];

/**
 * A search that leaves out records by itself shows them if a filter or a condition is about them, unless
 * these are there to make the search narrower.
 */
export const comparesProperty = (form: Form, entity: string, property: string): boolean =>
	readOwnFilters(form, entity).some((filter) => filter.property === property) ||
	(!form.read(narrowedField) && listComparedFields(form, entity).includes(property));

/** A condition on a collection matches once for each of its rows, so records may repeat. */
export const mayRepeatRows = (entity: string, added: readonly AddedFilter[]): boolean =>
	added.some(({ property }) => crossesCollection(entity, property));

/** An empty filter is refused, because it would match every record. */
const buildParts = (added: readonly AddedFilter[], context: FilterContext) =>
	added.flatMap(({ value, buildCriteria, ...filter }) => {
		if (isEmpty(value) || (Array.isArray(value) && value.length === 0)) {
			throw createEmptyFilterError(filter.label);
		}
		return buildCriteria(value, filter, context) ?? [];
	});

export function buildFilterCriteria(
	added: readonly AddedFilter[],
	context: FilterContext,
): Criteria | undefined {
	const parts = buildParts(added, context);
	return parts.length === 0 ? undefined : and(...parts);
}

const CUSTOM_VALUES = defineRows(
	'CustomField2',
	'Descriptor.Id',
	['ObjectId', 'ObjectTypeId', 'Value'],
	{ isData: true },
);

const toConditionNames = (
	entity: string,
	{ resolveId, findRows }: RecordNames,
): ConditionNames => ({
	resolveId,
	getTextType: (label, descriptor) => requireFieldType(label, entity, descriptor, findRows),
	listValues: (descriptor) => findRows(CUSTOM_VALUES, descriptor),
});

/** Checks of conditions that the service may answer with too many records. */
export function readConditionChecks(form: Form, entity: string, names: RecordNames): RowCheck[] {
	if (form.read(searchByField) !== 'conditions') return [];
	return buildFormChecks(
		entity,
		form.read(matchField),
		form.readRowValues(conditionsField),
		toConditionNames(entity, names),
	);
}

/** Filters on items are about one item: the asset with the comment. */
export function buildFilterChecks(
	entity: string,
	added: readonly AddedFilter[],
	context: FilterContext,
): RowCheck[] {
	const [collection, owner] = ['Items', `${entity}Id`];
	const rows = toRowType(findEntityMemberType(entity, collection) ?? '');
	const parts = buildParts(
		added.filter(({ property }) => property.startsWith(`${collection}.`)),
		context,
	);
	if (parts.length < 2 || !(owner in getMemberTypes(rows))) return [];
	const criteria = mapPaths(and(...parts), (path) => path.slice(collection.length + 1));
	return [{ match: 'all', queries: [{ entity: rows, owner, criteria, passes: 'withRow' }] }];
}

/** Filters depend on the entity, so there are none if the user names it. */
export function buildSearchFields(entity: string | undefined): INodeProperties[] {
	const filters = buildFilterFields(entity);
	return [buildSearchByField(filters.length > 0), ...filters, ...conditionFields];
}

/** Filters are read elsewhere. Values left over in hidden fields have no effect. */
export const readConditions = (
	form: Form,
	entity: string,
	names: RecordNames,
): Criteria | undefined => buildConditions(form, entity, toConditionNames(entity, names));

/** Lists the fields that conditions compare, without looking up any name or value. */
export function listComparedFields(form: Form, entity: string): string[] {
	const getTextType = () => ({ type: undefined, isChoice: false });
	return collectPaths(buildConditions(form, entity, { resolveId: () => 0, getTextType }));
}

function buildConditions(form: Form, entity: string, names: ConditionNames): Criteria | undefined {
	switch (form.read(searchByField)) {
		case 'filters':
			return undefined;
		case 'conditions':
			return buildFormCriteria(
				entity,
				form.read(matchField),
				form.readRowValues(conditionsField),
				names,
			);
		case 'json':
			return parseCriteria(entity, criteriaField.displayName, form.getInput(criteriaField), names);
	}
}
