import {
	findEntityMemberType,
	getEntity,
	isReadOnlyMember,
	isReference,
	type PathsByEntity,
} from './entities';
import { getIdMembers, getNameProperties } from './targets';
import { createTable } from './table';

/** Properties of the attributes of an asset. */
export const ATTRIBUTE_PATHS = [
	...(['Attributes.Id', 'Attributes.Value', 'Attributes.CurrencyTypeId'] as const),
	'Attributes.Descriptor.Id',
	'Attributes.Descriptor.Name',
	'Attributes.Descriptor.Type',
] as const;

/** Properties of the lines of an estimate or a quote. */
const LINE_PATHS = [
	'Items.Description',
	'Items.Quantity',
	'Items.Rate',
	'Items.Amount',
	'Items.InvoiceItem.DisplayAs',
] as const;

const ATTRIBUTES = /^(Child\.)?Attributes\./;

/** Attributes of simplified assets need a right of their own. Undefined if they are not among the paths. */
export function omitAttributes(paths: readonly string[]): string[] | undefined {
	const left = paths.filter((path) => !ATTRIBUTES.test(path));
	return left.length > 0 && paths.length - left.length === ATTRIBUTE_PATHS.length
		? left
		: undefined;
}

/**
 * Properties of the simplified output, which begin with what people read. Names through references
 * save one request per row.
 */
export const summaries = createTable<readonly string[]>({
	Contact: [
		'Id',
		'DisplayAs',
		'FirstName',
		'LastName',
		'Number',
		'TypeId',
		'CustomerId',
		'ContactAddresses.AddrTypeId',
		'ContactAddresses.Address',
	],
	Customer: ['Id', 'DisplayAs', 'Name', 'Dba', 'TenantCode', 'WorkZone.DisplayAs', 'Instructions'],
	Document: [
		'Title',
		'DocType.DisplayAs',
		'MimeType',
		'ActorTypeId',
		'ActorId',
		'UpdatedDate',
		'IsPublic',
		'DocUrl',
		'Id',
	],
	Employee: [
		'Id',
		'DisplayAs',
		'FirstName',
		'LastName',
		'Number',
		'JobTitle',
		'ActorTypeId',
		'Role.DisplayAs',
		'ProviderStatusId',
		'Organization.DisplayAs',
	],
	FinancialItem: [
		'WoId',
		'CostCategoryId',
		'Amount',
		'Quantity',
		'Comment',
		'InvoiceItem.DisplayAs',
		'Employee.DisplayAs',
		'Product.DisplayAs',
		'Id',
	],
	Location: [
		'Id',
		'Name',
		'TypeId',
		'ModelId',
		'ParentId',
		'Info.SerialNumber',
		'Info.TagId',
		'IsOffline',
		...ATTRIBUTE_PATHS,
	],
	Note: [
		'ActorId',
		'ActorTypeId',
		'NoteTypeLookup.DisplayAs',
		'NoteText',
		'IsResolved',
		'CreatedBy.DisplayAs',
		'CreatedAt',
		'Id',
	],
	ProviderCoi: [
		'Id',
		'DisplayAs',
		'EmployeeId',
		'StatusId',
		'AmtCoverage',
		'StartDate',
		'EndDate',
		'Comment',
	],
	ReplenishmentOrder: [
		'Number',
		'Id',
		'PoNumber',
		'StatusId',
		'Description',
		'Supplier.DisplayAs',
		'StockLocation.DisplayAs',
		'DEstimatedtDelivery',
		'IsExported',
		'Items.Id',
		'Items.Product.DisplayAs',
		'Items.QtyOrdered',
		'Items.QtyReceived',
	],
	Space: [
		'Id',
		'CustomerId',
		'Asset.Name',
		'WorkZone.DisplayAs',
		'StatusId',
		'StartDate',
		'EndDate',
		'Instructions',
	],
	TimeCardItem: [
		'WorkOrder.Number',
		'Employee.DisplayAs',
		'TypeId',
		'StartDate',
		'EndDate',
		'Duration',
		'LaborCode.DisplayAs',
		'WorkZone.DisplayAs',
		'Comment',
		'Id',
	],
	WoEstimate: [
		'WorkOrderId',
		'StatusId',
		'Amount',
		'Comment',
		'Reason',
		'ContactId',
		...LINE_PATHS,
		'Id',
	],
	WoNote: ['WorkOrderId', 'NoteTypeId', 'Body', 'CreatedBy.DisplayAs', 'CreatedDate', 'Id'],
	WoOnSite: [
		'WorkOrderId',
		'EmployeeId',
		'DtCheckIn',
		'InStatusId',
		'DtCheckOut',
		'OutStatusId',
		'TimeZone',
		'InDistance',
		'InLatitude',
		'InLongitude',
		'OutDistance',
		'OutLatitude',
		'OutLongitude',
		'Id',
	],
	WoQuote: ['WoId', 'StatusId', 'Amount', 'Description', 'Reason', ...LINE_PATHS, 'Id'],
	WoVerification: ['WorkOrderId', 'WoRatingId', 'Comment', 'Actor.DisplayAs', 'EditedDate', 'Id'],
	WorkOrder: [
		'Number',
		'Id',
		'StatusId',
		'Priority.DisplayAs',
		'Priority.IsEmergency',
		'Customer.DisplayAs',
		'ShortLocation',
		'TaskRefinement',
		'Employee.DisplayAs',
		'DueDateUtc',
		'CreatedDateUtc',
	],
	// The number, the vendor and the limit of the work order are added.
	WorkOrderCost: [
		'Id',
		'Number',
		'VendorInvoiceDate',
		'VendorInvoiceTotal',
		'ApStateId',
		'ApStatusId',
	],
	WorkZone: [
		'Id',
		'DisplayAs',
		'Number',
		'WoNumberPrefix',
		'TimeZone',
		'CurrencyTypeId',
		'IsOffline',
	],
} satisfies PathsByEntity);

/** Each item of a trigger needs its summary. */
const summariesWithIds = new Map<string, readonly string[]>();

/** Simplified records have all properties if the catalogue has no summary of their entity. */
export function getSummary(entity: string): readonly string[] {
	const paths = summaries[entity];
	if (paths === undefined) return ['*', ...listReferenceNames(entity)];
	const known = summariesWithIds.get(entity);
	if (known !== undefined) return known;
	const summary = [...new Set(paths.flatMap((path) => addReferenceId(entity, path)))];
	summariesWithIds.set(entity, summary);
	return summary;
}

/** A record that is written back by a name alone could be given another one of the same name. */
function addReferenceId(entity: string, path: string): string[] {
	const reference = path.slice(0, path.lastIndexOf('.'));
	const isWritten =
		isReference(findEntityMemberType(entity, reference) ?? '') &&
		!isReadOnlyMember(entity, reference.split('.')[0]);
	return isWritten ? [`${reference}.Id`, path] : [path];
}

const listReferenceNames = (entity: string): string[] =>
	Object.entries(getEntity(entity)?.fields ?? {}).flatMap(([member, type]) => {
		const [name = '.'] = getEntity(type) ? getNameProperties(type) : [];
		return name.includes('.') ? [] : [`${member}.Id`, `${member}.${name}`];
	});

/** Members of simplified records that hold Ids of other records, whose names are shown as well. */
export function getNamedMembers(entity: string): string[] {
	const summary = new Set(getSummary(entity));
	return getIdMembers(entity).filter((member) => summary.has('*') || summary.has(member));
}
