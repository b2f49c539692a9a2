/** The kind by which notes, documents, custom fields, addresses and rules refer to each entity. */
export const ACTOR_KINDS: Readonly<Record<string, string>> = {
	BillingAccount: 'LeaseGroup',
	Contact: 'LeaseUser',
	Customer: 'CommLease',
	Document: 'Document',
	Employee: 'Employee',
	Location: 'Asset',
	Organization: 'Org',
	Portfolio: 'Portfolio',
	Product: 'MhProduct',
	Space: 'CommLeaseSpace',
	StockLocation: 'MhLocation',
	Team: 'Team',
	Warranty: 'Warranty',
	WoEstimate: 'Estimate',
	WoQuote: 'Quote',
	WorkOrder: 'WO',
	WorkZone: 'Property',
};

/** Children of any kind of object, with the members that hold the Id and the kind of the parent. */
export const POLYMORPHIC: Readonly<Record<string, readonly [key: string, kind: string]>> = {
	Address2: ['ActorId', 'ActorTypeId'],
	ApprovalScope: ['ActorId', 'ActorTypeId'],
	BusinessHours: ['ActorId', 'ActorTypeId'],
	ContactInfo: ['ActorId', 'ActorTypeId'],
	CustomField2: ['ObjectId', 'ObjectTypeId'],
	Document: ['ActorId', 'ActorTypeId'],
	EscalationRule: ['ActorId', 'ActorTypeId'],
	Note: ['ActorId', 'ActorTypeId'],
	OnCallRule: ['ActorId', 'ActorTypeId'],
	QuoteOrEstimateItem: ['ParentId', 'ParentTypeId'],
	Responsibility: ['ActorId', 'ActorTypeId'],
	SlaValuesOverride: ['ActorId', 'ActorTypeId'],
	SpecDispatchRule: ['ActorId', 'ActorTypeId'],
};

/** Members of a child that may hold the Id of its parent, the most likely first. */
export const parentKeys = (parent: string): string[] => [
	`${parent}Id`,
	...(parent === 'WorkOrder' || parent === 'WorkOrderCost' ? ['WorkOrderId', 'WoId'] : []),
	...(parent === 'Employee' ? ['UserId', 'ProviderId'] : []),
	...(parent === 'BillingAccount' ? ['CustomerGroupId'] : []),
	...(parent === 'Location' ? ['AssetId'] : []),
	'ParentId',
];

/** Collections whose rows have these values of their parent, where no member has its Id. */
export const SHARED_VALUES: Readonly<Record<string, readonly string[]>> = {
	'AlertSubscription.SubscriptionScope': ['UserId', 'AlertTypeId'],
};

/** Parts of a record that share its Id. */
export const SHARED_ID: ReadonlySet<string> = new Set([
	'WorkOrder.WorkOrderCost',
	'WorkOrder.LastAction',
	'Location.Info',
]);

/** Records that belong to one other record: an update may write through the path to them. */
export const OWNED: ReadonlySet<string> = new Set([
	...SHARED_ID,
	'WorkOrder.Address',
	'WorkOrder.CompletionNote',
	'WorkOrder.ContactAddress',
	'WorkOrder.Estimate',
	'WorkOrder.Quote',
	'Location.Address',
	'Employee.Address',
	'Organization.Address',
	'Document.Blob',
]);

/** Members that hold Ids of another entity and are checked on write. */
export const FOREIGN_KEYS: Readonly<Record<string, string>> = {
	ApprovalTemplateId: 'ApprovalTemplate',
	CustomerId: 'Customer',
	PriceListId: 'PriceList',
	ProcedureTemplateId: 'ProcedureTemplate',
	ProviderId: 'Employee',
	ReplenishmentOrderId: 'ReplenishmentOrder',
	TaxRegionId: 'TaxRegion',
	WorkOrderId: 'WorkOrder',
	WoId: 'WorkOrder',
	ModelId: 'Model',
	WorkZoneId: 'WorkZone',
	TeamId: 'Team',
	SpecialtyId: 'Specialty',
};
