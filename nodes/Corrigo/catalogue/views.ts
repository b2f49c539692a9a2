import type { CommandMember, CommandName } from './commands';
import { getEntity, type EntityName, type MemberName, type OwnerName, type Path } from './entities';
import { lowerWords, toTitle } from './enumerations/labels';
import { createTable } from './table';

type Values<Property extends string> = Readonly<Partial<Record<Property, string | boolean>>>;

/** A member that holds Ids, with its owner if the entity is not clear from the name alone. */
type IdField =
	| { [Owner in OwnerName]: OwnedMember<Owner, MemberName<Owner>> }[OwnerName]
	| { [Command in CommandName]: OwnedMember<Command, CommandMember<Command>> }[CommandName];

type OwnedMember<Owner extends string, Member extends string> = Member | `${Owner}.${Member}`;

/** Records that a field of a form can refer to. */
interface Use<Property extends string = string> {
	/** Label of the field, if it is not the words of the type. */
	label?: string;
	/** Name of one of the records, which placeholders show. Unset if the records have no names. */
	example?: string;
	/** Values that a record must have to be found at all. */
	where?: Values<Property>;
	/** Members that hold Ids of such records. */
	idFields?: readonly IdField[];
	/** Values that a record must have to be offered in lists. */
	offered?: Values<Property>;
	/** The service accepts the name instead of the Id. */
	valueIsName?: true;
	/** Few forms offer the list, so Check Access does not try to read it. */
	rarelyUsed?: true;
}

/** An entity as people see it: how they name, find and distinguish its records. */
export interface View<Property extends string = string> extends Use<Property> {
	/** Name by which resources, filters and fields refer to such records. */
	recordType?: string;
	/** "work order cost". Only entities with a resource need it. */
	singular?: string;
	/** Properties that may hold a name, best known first. The default is `display` of the entity. */
	names?: readonly Property[];
	/** Another property that may hold a name, used if nothing is found by the others. */
	otherwise?: Property;
	/** Property that lists show if records have no name. */
	title?: Property;
	/** Properties that lists search in addition to the names. */
	search?: readonly Property[];
	/** Properties that lists show after the name, to distinguish records with the same name. */
	details?: readonly Property[];
	/** Property with the Id of the record's owner. Lists show the name of the owner. */
	owner?: Property;
	/**
	 * Properties with Ids of other records. Lists show the names of those records. The default for a
	 * link is all of its Ids.
	 */
	ends?: readonly Property[];
	/** Lists of records without a name have this order anyway. */
	newestFirst?: true;
	/** Other parameters of the form; the first one with a value shortens the list. */
	narrowedBy?: ReadonlyArray<{
		parameter: string;
		/** Property that must match the value of the parameter. */
		property: Property;
		/** Property of the chosen record that is compared, if it is not the Id. */
		of?: string;
		/** Values that all records in the shorter list must have. */
		where?: Values<Property>;
	}>;
	/** Parameter with a customer, which shortens the list to the assets in the customer's spaces. */
	inSpacesOf?: string;
	/** Columns can offer all records of the entity, because there are few. */
	isShort?: true;
}

type Views = { readonly [Entity in EntityName]?: View<Path<Entity>> };

/** Forms, lists, look-ups and columns all follow this one table. */
export const views = {
	AlertScope: { details: ['AlertTypeId'], ends: ['UserId', 'ScopeId'] },
	AlertSubscription: { details: ['AlertTypeId'], ends: ['UserId'] },
	ApInvoiceStatus: {
		recordType: 'apStatus',
		example: 'Authorized',
		details: ['Description'],
		idFields: ['ApStatusId', 'VendorInvoiceStatusId', 'CurrentStatusId'],
		isShort: true,
	},
	ApprovalScope: { details: ['ApprovalTemplate.DisplayAs'], ends: ['ActorId'] },
	ApprovalTemplate: { idFields: ['ApprovalTemplateId'], isShort: true },
	ApprovalTemplateStep: { details: ['StepNumber'], ends: ['ApprovalTemplateId', 'ActorId'] },
	AssetSystem: { isShort: true },
	AssetTemplate: { idFields: ['AssetTemplateId'], isShort: true },
	AttributeDescriptor: {
		recordType: 'attribute',
		example: 'Criticality',
		details: ['Type'],
		idFields: ['AttributeDescriptorId', 'AttributeOption.ParentId'],
		rarelyUsed: true,
	},
	BillToOption: { details: ['Code'], isShort: true },
	BusinessHours: { details: ['DayIdxDayOfWeek'], ends: ['ActorId'] },
	ChargeCodeLookup: { isShort: true },
	Contact: {
		recordType: 'contact',
		singular: 'contact',
		example: 'Ava Brown or name@email.com',
		names: ['DisplayAs', 'Number'],
		otherwise: 'ContactAddresses.Address',
		search: ['ContactAddresses.Address'],
		details: ['TypeId', 'Number'],
		narrowedBy: [
			{ parameter: 'customer', property: 'CustomerId' },
			{ parameter: 'workOrder', property: 'CustomerId', of: 'Customer.Id' },
		],
		idFields: ['ContactId', 'SupervisorId', 'ContactMoneyValues.ParentId'],
	},
	ContactMoneyValues: { details: ['CurrencyTypeId'], ends: ['ParentId'] },
	CorporateEntity: { names: ['DisplayAs', 'Number'], isShort: true },
	Customer: {
		recordType: 'customer',
		singular: 'customer',
		example: 'Contoso Pharmacy or T1000',
		names: ['DisplayAs', 'Name', 'TenantCode'],
		details: ['TenantCode', 'WorkZone.DisplayAs'],
		idFields: ['CustomerId'],
	},
	CustomerNoteType: { recordType: 'noteType', example: 'Billing', isShort: true, rarelyUsed: true },
	CustomField: { title: 'Value', details: ['Descriptor.Name'] },
	CustomFieldDescriptor: { idFields: ['DescriptorId', 'CustomFieldOption.ParentId'] },
	Disposition: { isShort: true },
	Document: {
		recordType: 'document',
		singular: 'document',
		example: 'manual.pdf',
		details: ['DocType.DisplayAs', 'ActorTypeId'],
		newestFirst: true,
		narrowedBy: [{ parameter: 'workOrder', property: 'ActorId', where: { ActorTypeId: 'WO' } }],
	},
	DocumentType: {
		recordType: 'documentType',
		example: 'Picture',
		details: ['Description'],
		isShort: true,
	},
	Employee: {
		recordType: 'employee',
		singular: 'employee or vendor',
		example: 'Ava Brown or E100',
		names: ['DisplayAs', 'Username', 'Number'],
		otherwise: 'ContactAddresses.Address',
		details: ['ActorTypeId', 'Number', 'JobTitle'],
		idFields: [
			'AfterHoursUserId',
			'Assignees',
			'BizHoursUserId',
			'CompletedEmployeeId',
			'CreatedEmployeeId',
			'EmployeeId',
			'ProviderId',
			'ReplaceById',
			'SupplierId',
			'UserId',
			'UserIds',
			'UserOrProviderSuspendCommand.Id',
		],
	},
	EscalationRule: { details: ['NotifyAfter'], ends: ['ActorId', 'UserId'] },
	FinancialItem: {
		recordType: 'cost',
		singular: 'work order cost',
		title: 'Comment',
		details: ['CostCategoryId', 'Amount'],
		narrowedBy: [{ parameter: 'workOrder', property: 'WoId' }],
		rarelyUsed: true,
	},
	Holiday: { details: ['DtHoliday'], ends: ['ActorId'] },
	InternalCostStatus: {
		recordType: 'costStatus',
		example: 'Approved',
		details: ['Description'],
		idFields: ['CostStatusId', 'CostStatusChangeCommand.CurrentStatusId'],
		isShort: true,
	},
	Invoice: { idFields: ['InvoiceId'] },
	InvoiceDictionaryItem: {
		recordType: 'invoiceItem',
		example: 'Parts',
		details: ['CostCategory'],
		isShort: true,
		rarelyUsed: true,
	},
	LaborCode: {
		recordType: 'laborCode',
		example: 'Overtime',
		details: ['Description'],
		idFields: ['LaborCodeId'],
		isShort: true,
		rarelyUsed: true,
	},
	Location: {
		recordType: 'asset',
		singular: 'asset',
		example: 'Rooftop Unit or TAG100',
		names: ['Name', 'Info.TagId', 'Info.SerialNumber'],
		details: ['TypeId', 'Info.TagId', 'Info.SerialNumber'],
		// Templates have the same names as the assets that are made from them.
		where: { IsTemplate: false },
		inSpacesOf: 'customer',
		idFields: [
			'AssetId',
			'ParentAssetId',
			'RootAssetId',
			'TopAssetId',
			'UnitId',
			'ChildId',
			'AssetTree.ParentId',
			'Location.ParentId',
			'Location.RootId',
		],
	},
	Model: { names: ['DisplayAs', 'Number'], idFields: ['ModelId'], isShort: true },
	Note: {
		recordType: 'customerNote',
		singular: 'customer note',
		title: 'NoteText',
		details: ['NoteTypeLookup.DisplayAs', 'CreatedAt'],
		rarelyUsed: true,
	},
	OnCallRule: { details: ['DayOfWeek'], ends: ['ActorId', 'BizHoursUserId', 'AfterHoursUserId'] },
	Organization: { names: ['DisplayAs', 'Number'] },
	Payment: { idFields: ['PaymentId'] },
	Portfolio: {
		recordType: 'portfolio',
		example: 'East',
		details: ['TypeId'],
		idFields: ['PortfolioId', 'ParentPortfolioId', 'LimitAssignmentByPortfolioId'],
		isShort: true,
	},
	PriceList: { details: ['TypeId'], idFields: ['PriceListId'], isShort: true },
	PriceListItem: { title: 'Description', details: ['Rate'], ends: ['PriceListId'] },
	PrintoutTemplate: {
		recordType: 'printoutTemplate',
		offered: { ActorTypeId: 'WO', IsHidden: false },
		idFields: ['PrintoutTemplateId'],
		isShort: true,
		rarelyUsed: true,
	},
	ProcedureCategory: { idFields: ['ProcedureCategoryId'], isShort: true },
	ProcedureFlagReason: { isShort: true },
	ProcedureTemplate: { idFields: ['ProcedureTemplateId'] },
	ProcedureTemplateStep: {
		title: 'Description',
		details: ['Index'],
		ends: ['ProcedureTemplateId'],
	},
	Product: {
		recordType: 'product',
		example: 'Pump seal',
		search: ['PartNumber'],
		details: ['PartNumber', 'Manufacturer'],
		idFields: ['ProductId', 'ProductMoneyValues.ParentId'],
		rarelyUsed: true,
	},
	ProductCategory: { isShort: true },
	ProductMoneyValues: { details: ['CurrencyTypeId'], ends: ['ParentId'] },
	ProviderCoi: {
		recordType: 'vendorInsurance',
		singular: 'vendor insurance certificate',
		example: 'General Liability',
		details: ['StatusId', 'EndDate'],
		ends: ['EmployeeId'],
	},
	RepairCode: {
		recordType: 'repairCode',
		example: 'Replaced part',
		owner: 'ParentId',
		idFields: ['RepairCodeId', 'RepairCode.ParentId'],
		isShort: true,
	},
	ReplenishmentOrder: {
		recordType: 'purchaseOrder',
		singular: 'purchase order',
		example: 'PO-1000',
		names: ['Number', 'PoNumber'],
		search: ['Description', 'Supplier.DisplayAs'],
		details: ['StatusId', 'Supplier.DisplayAs'],
		newestFirst: true,
		idFields: ['ReplenishmentOrderId'],
	},
	ReplenishmentOrderItem: {
		title: 'Product.DisplayAs',
		details: ['QtyOrdered'],
		ends: ['ReplenishmentOrderId'],
	},
	Responsibility: { title: 'ResponsibilityType.DisplayAs', ends: ['ActorId', 'AssigneeId'] },
	ResponsibilityType: { details: ['ActorTypeId'], isShort: true },
	Role: {
		recordType: 'role',
		example: 'Technician',
		idFields: ['RoleMoneyValues.ParentId'],
		isShort: true,
	},
	RoleMoneyValues: { details: ['CurrencyTypeId'], ends: ['ParentId'] },
	SlaValuesOverride: { ends: ['ActorId', 'PriorityId'] },
	Space: {
		recordType: 'space',
		singular: 'space',
		example: 'Suite 100',
		names: ['Asset.Name'],
		details: ['StatusId', 'WorkZone.DisplayAs'],
		owner: 'CustomerId',
		narrowedBy: [{ parameter: 'customer', property: 'CustomerId' }],
	},
	SpecDispatchRule: { details: ['Index'], ends: ['ActorId', 'SpecialtyId', 'UserId'] },
	Specialty: {
		recordType: 'specialty',
		example: 'Plumbing',
		idFields: ['SpecialtyId', 'SpecialtyMoneyValues.ParentId'],
		isShort: true,
	},
	SpecialtyMoneyValues: { details: ['CurrencyTypeId'], ends: ['ParentId'] },
	StockLocation: { idFields: ['StockLocationId', 'SourceStockLocationId'], isShort: true },
	StockLocationInventoryDetails: { details: ['Quantity'], ends: ['StockLocationId', 'ProductId'] },
	Task: {
		recordType: 'task',
		example: 'No hot water',
		names: ['DisplayAs', 'Number'],
		details: ['Specialty.DisplayAs', 'Priority.DisplayAs'],
		narrowedBy: [{ parameter: 'asset', property: 'ModelId', of: 'ModelId' }],
		idFields: ['TaskMoneyValues.ParentId'],
	},
	TaskMoneyValues: { details: ['CurrencyTypeId'], ends: ['ParentId'] },
	TaxCode: { isShort: true },
	TaxRegion: { idFields: ['TaxRegionId'], isShort: true },
	TaxRegionItem: { title: 'TaxCode.DisplayAs', details: ['TaxRate'], ends: ['TaxRegionId'] },
	Team: { recordType: 'team', example: 'Night Shift', idFields: ['TeamId'], isShort: true },
	TimeCard: { title: 'Employee.DisplayAs', details: ['WeekStartDate', 'StatusId'] },
	TimeCardItem: {
		recordType: 'timeCardEntry',
		singular: 'time card entry',
		title: 'Employee.DisplayAs',
		details: ['StartDate', 'Duration'],
	},
	TimeCardWeek: { details: ['StartDate', 'EndDate'] },
	TimePeriod: { isShort: true },
	ToDoItem: { title: 'Description', details: ['DtUtcDue'], ends: ['ActorId', 'EmployeeId'] },
	ToDoType: { isShort: true },
	Turn: { details: ['StatusId'], ends: ['AssetId', 'WorkOrderId'] },
	UserPayRate: { ends: ['UserId', 'LaborCodeId'] },
	WoActionReasonLookup: {
		where: { Hide: false },
		details: ['Descr'],
		idFields: ['ActionReasonId'],
		isShort: true,
	},
	WoNote: {
		recordType: 'note',
		singular: 'work order note',
		title: 'Body',
		details: ['NoteTypeId', 'CreatedDate'],
		narrowedBy: [{ parameter: 'workOrder', property: 'WorkOrderId' }],
	},
	WoPriority: { recordType: 'priority', example: 'High', idFields: ['PriorityId'], isShort: true },
	WorkOrder: {
		recordType: 'workOrder',
		singular: 'work order',
		search: ['ShortLocation', 'ContactName', 'Customer.DisplayAs', 'PoNumber'],
		details: ['ShortLocation', 'StatusId', 'Customer.DisplayAs'],
		newestFirst: true,
		idFields: ['WorkOrderId', 'WoId', 'ChildWoId', 'MainWorkOrderId', 'DependentWorkOrderId'],
	},
	WorkOrderCost: { ends: ['ApStatusId'] },
	WorkOrderType: {
		recordType: 'subType',
		example: 'Service Request',
		names: ['DisplayAs', 'Abbr'],
		details: ['TypeId', 'Abbr'],
		narrowedBy: [{ parameter: 'typeCategory', property: 'TypeId' }],
		isShort: true,
	},
	WorkZone: {
		recordType: 'workZone',
		singular: 'work zone',
		example: 'Midtown Manhattan',
		names: ['DisplayAs', 'Number'],
		details: ['Number'],
		offered: { IsOffline: false },
		idFields: ['WorkZoneId'],
		isShort: true,
	},
} as const satisfies Views;

const narrow = <Entity extends EntityName>(entity: Entity, use: Use<Path<Entity>>) => ({
	entity,
	...use,
});

/** Narrower uses of an entity, each with its own list. The entity's view has everything else. */
const uses = {
	assetTemplate: narrow('AssetTemplate', {
		example: 'Standard Unit',
		valueIsName: true,
		rarelyUsed: true,
	}),
	offlineWorkZone: narrow('WorkZone', {
		label: 'Work Zone',
		example: 'Midtown Manhattan',
		offered: { IsOffline: true },
		rarelyUsed: true,
	}),
	cancelReason: narrow('WoActionReasonLookup', {
		label: 'Reason',
		example: 'Recalled',
		where: { ActionId: 'Cancel', Hide: false },
		idFields: ['WoCancelCommand.ActionReasonId'],
	}),
	flag: narrow('WoActionReasonLookup', {
		example: 'Failed send',
		where: { ActionId: 'Attention', Hide: false },
		idFields: ['FlagId', 'FlagsToClear', 'FlagsToSet', 'WoFlagCommand.ActionReasonId'],
	}),
	holdReason: narrow('WoActionReasonLookup', {
		label: 'Reason',
		example: 'Deferred',
		where: { ActionId: 'OnHold', Hide: false },
		idFields: ['WoOnHoldCommand.ActionReasonId'],
	}),
	provider: narrow('Employee', {
		example: 'Mechanical Partners',
		offered: { ActorTypeId: 'Provider' },
		rarelyUsed: true,
	}),
	/** The unit of a new space may not belong to a space of its customer yet. */
	unit: narrow('Location', { example: 'Suite 210' }),
};

/** Names of the types of records that a field of a form can refer to. */
export type RecordType =
	| Extract<(typeof views)[keyof typeof views], { recordType: string }>['recordType']
	| keyof typeof uses;

const byEntity = createTable<View | undefined>(views);

export const getEntityView = (entity: string): View =>
	byEntity[getEntity(entity)?.name ?? ''] ?? {};

/** Messages name a record in the words of the form, such as "work order". */
export const getNoun = (entity: string): string =>
	getEntityView(entity).singular?.replace(/ or .*/, '') ??
	lowerWords(getEntity(entity)?.label ?? entity);

/** An entity as a whole, or a narrower use of it, which has a noun of its own. */
export interface RecordView extends View {
	entity: string;
	noun?: string;
}

const buildRecordView = (entity: string, own: View & { noun?: string }): RecordView => ({
	where: getEntityView(entity).where,
	...own,
	entity,
});

export const recordViews: readonly RecordView[] = [
	...Object.entries<View>(views).map(([entity, view]) => buildRecordView(entity, view)),
	...Object.entries(uses).map(([recordType, use]) =>
		buildRecordView(use.entity, { ...use, recordType, noun: lowerWords(toTitle(recordType)) }),
	),
];

const byType = createTable<RecordView & { label: string }>(
	Object.fromEntries(
		recordViews.flatMap((row) =>
			row.recordType === undefined
				? []
				: [[row.recordType, { label: toTitle(row.recordType), ...row }]],
		),
	),
);

export const getRecordView = (type: RecordType) => byType[type];

export const isRecordType = (name: string): name is RecordType => name in byType;

export const recordTypes = Object.keys(byType).filter(isRecordType);
