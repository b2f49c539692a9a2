import type { ActorType } from '../enumerations';
import type { EntityName, MemberName } from './names';

/** The contract does not say this of an entity. */
export interface EntityRow<Member extends string = string> {
	/** Singular, in words that users of Corrigo know. The default is the words of the name. */
	label?: string;
	/** Member with the name that people know. The default is DisplayAs. */
	display?: Member;
	/** Members that a plain create requires. A command that creates the entity has its own list. */
	required?: readonly Member[];
	/** Members that the service sets, or that only commands change. */
	readOnly?: readonly Member[];
	/** Types of the records for custom fields and attachments, the default first. */
	actorTypes?: readonly ActorType[];
	/** Operations that the service refuses, each with advice on what to use instead. */
	refuses?: Partial<Record<'create' | 'update' | 'delete', string>>;
}

const refuseAllWrites = (advice: string): EntityRow['refuses'] => ({
	create: advice,
	update: advice,
	delete: advice,
});

/** An entity without a row is described by the contract alone. */
export const rows: { readonly [Name in EntityName]?: EntityRow<MemberName<Name>> } = {
	WorkOrder: {
		display: 'Number',
		readOnly: [
			'CompletionNote',
			'Employee',
			'Estimate',
			'Flag',
			'FlagId',
			'InductionAndSafetyStatusID',
			'LastAction',
			'LastActionDate',
			'Number',
			'Quote',
			'StatusId',
			'TimeZone',
			'WonId',
			'WorkOrderCost',
		],
		actorTypes: ['WO'],
		refuses: {
			create: "Work orders are made by 'Create' of the Work Order resource (WoCreateCommand)",
			delete:
				"Work orders are not deleted. Use 'Cancel' of the Work Order resource (WoCancelCommand)",
		},
	},
	WoItem: { required: ['Asset', 'Task', 'WorkOrderId', 'SortOrderIdx'] },
	WoNote: { required: ['WorkOrderId', 'Body', 'NoteTypeId'] },
	WoVerification: {
		refuses: {
			delete:
				"Verifications cannot be deleted. Ratings are given by 'Verify' of the Work Order resource (VerifyWorkCommand)",
		},
	},
	WoPriority: {
		refuses: refuseAllWrites('Priorities are read only. They are kept in the Corrigo application'),
	},
	WpTree: { label: 'Work Plan Link' },
	WoLastAction: {
		refuses: refuseAllWrites(
			'The last action is read only. The service writes it when an operation of the Work Order resource is carried out',
		),
	},
	WoActionLog: {
		refuses: refuseAllWrites(
			'The action log is read only. The service writes it when an operation of the Work Order resource is carried out',
		),
	},
	WoActionReasonLookup: { label: 'Work Order Action Reason' },
	WoOnSite: { label: 'Work Order Check-In and Check-Out' },
	WorkOrderCost: {
		label: 'Vendor Invoice and Costs',
		display: 'Number',
		readOnly: [
			'ApStateId',
			'ApStatusId',
			'BillToType',
			'CostState',
			'CostStatusId',
			'CostsTotal',
			'ExpensesTotal',
			'ServiceFeesTotal',
			'TaxStatus',
			'TaxValidationNote',
			'VendorInvoiceTotal',
		],
		refuses: {
			create:
				"Each work order has its costs from the start. Change them with 'Update' of the Invoice resource",
			delete:
				"The costs of a work order cannot be deleted. Change them with 'Update', 'Change AP Status' or 'Change Cost Status' of the Invoice resource",
		},
	},
	ApInvoiceStatus: {
		refuses: refuseAllWrites(
			"AP statuses are read only. To give a work order another one, use 'Change AP Status' of the Invoice resource",
		),
	},
	InternalCostStatus: { display: 'Name' },
	ChargeCodeLookup: { label: 'Charge Code' },
	BillToOption: { label: 'Bill-To Option' },
	Invoice: {
		label: 'Customer Invoice',
		display: 'Number',
		refuses: refuseAllWrites(
			"Customer invoices are read only here. Use 'Execute' of the Command resource with UpdateInvoiceStateCommand, InvoiceDisputeCommand or InvoiceRecallCommand",
		),
	},
	InvoiceLine: { label: 'Customer Invoice Line' },
	InvoiceLog: { label: 'Customer Invoice Log' },
	Payment: { display: 'Number' },
	BillingAccount: { actorTypes: ['LeaseGroup'] },
	Contract: {
		refuses: refuseAllWrites('Contracts are read only. They are kept in the Corrigo application'),
	},
	Customer: {
		required: ['DisplayAs', 'Name', 'WorkZone', 'Dba', 'TenantCode', 'TaxExempt'],
		actorTypes: ['CommLease'],
	},
	Space: {
		actorTypes: ['CommLeaseSpace'],
		refuses: { create: "Spaces are made by 'Create' of the Space resource (SpaceCreateCommand)" },
	},
	Contact: { required: ['LastName'], actorTypes: ['LeaseUser'] },
	ContactInfo: { display: 'Address' },
	Address2: { label: 'Address', display: 'Street' },
	Address: { label: 'Address (Old Form)', display: 'Street' },
	Note: { required: ['ActorId', 'ActorTypeId'] },
	WorkZone: {
		actorTypes: ['Property'],
		refuses: {
			create: "Work zones are made by 'Create' of the Work Zone resource (WorkZoneCreateCommand)",
			delete:
				"Work zones are taken offline by 'Take Offline' of the Work Zone resource, or deleted by 'Execute' of the Command resource with WorkZoneDeleteCommand",
		},
	},
	Portfolio: {
		refuses: {
			delete:
				"Portfolios are deleted by 'Execute' of the Command resource with PortfolioDeleteCommand",
		},
	},
	LinkContactAndGroup: { label: 'Link of Contact and Customer Group' },
	LinkCustomerAndGroup: { label: 'Link of Customer and Customer Group' },
	ContactAddress: { display: 'Address' },
	Location: {
		label: 'Asset',
		display: 'Name',
		required: ['Name', 'ModelId', 'TypeId', 'ParentId'],
		readOnly: ['RootId'],
		actorTypes: ['Asset'],
	},
	AssetTree: {
		refuses: {
			delete:
				'Asset tree entries cannot be deleted. Change or delete the asset itself (entity Location)',
		},
	},
	AttributeDescriptor: { display: 'Name' },
	AttributeOption: { display: 'Value' },
	Model: { label: 'Asset Model' },
	Task: { required: ['ModelId', 'DisplayAs', 'Specialty', 'Priority'] },
	LinkProcedureCategoryAndTemplate: {
		label: 'Link of Procedure Category and Procedure Template',
	},
	LinkModelAndAttribute: { label: 'Link of Asset Model and Attribute' },
	Employee: {
		required: ['FirstName', 'DisplayAs', 'ActorTypeId', 'Role'],
		readOnly: [
			'DtPwdChange',
			'ProviderInvitedOn',
			'ProviderStatusId',
			'WonLocationId',
			'WonMemberId',
		],
		actorTypes: ['Employee', 'Provider'],
	},
	Organization: { actorTypes: ['Org'] },
	TimeCard: {
		refuses: {
			create:
				"Time cards are not made directly. Use 'Execute' of the Command resource with GetTimeCardCommand, then TimeCardActionCommand",
		},
	},
	Actor: {
		refuses: refuseAllWrites(
			'Actors are read only. Change the record the actor stands for, such as the Employee or the Contact',
		),
	},
	ToDoItem: { label: 'To-Do Item', readOnly: ['CompletedEmployeeId', 'CreatedEmployeeId'] },
	ToDoType: { label: 'To-Do Type' },
	Document: {
		display: 'Title',
		required: ['ActorId', 'ActorTypeId', 'Title', 'DocType', 'StorageTypeId', 'MimeType'],
		readOnly: ['Blob', 'ExtensionId', 'WonId', 'WonMemberId'],
	},
	Blob: { display: 'FileName' },
	CustomField2: {
		label: 'Custom Field',
		required: ['Descriptor', 'ObjectId', 'ObjectTypeId', 'Value'],
	},
	CustomFieldDescriptor: { display: 'Name', required: ['Name', 'ActorTypeId', 'Type'] },
	CustomFieldOption: { display: 'Value' },
	CustomFieldAutocompleteOption: { display: 'Value' },
	CustomField: { label: 'Custom Field (Old Form)' },
	Product: { actorTypes: ['MhProduct'] },
	StockLocation: { actorTypes: ['MhLocation'] },
	MaterialTransaction: {
		refuses: {
			delete:
				"Material transactions cannot be deleted. They are booked by 'Execute' of the Command resource with MaterialTransactionCommitCommand",
		},
	},
	ReplenishmentOrder: { label: 'Purchase Order', display: 'Number' },
	ReplenishmentOrderItem: { label: 'Purchase Order Item' },
	ProviderCoi: { label: 'Provider Certificate of Insurance' },
	LinkProviderAndService: { label: 'Link of Provider and Service' },
	LinkProviderPriceList: { label: 'Link of Provider and Price List' },
	OnCallRule: { label: 'On-Call Rule' },
	SlaValuesOverride: { label: 'SLA Values Override' },
	SpecDispatchRule: { label: 'Specialty Dispatch Rule' },
	PmItem: { label: 'PM Item' },
	PmSchedule: { label: 'PM Schedule' },
};
