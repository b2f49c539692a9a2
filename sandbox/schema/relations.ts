/** The kind by which notes, documents, custom fields and addresses refer to each entity. */
export const ACTOR_KINDS: Readonly<Record<string, string>> = {
	BillingAccount: 'LeaseGroup',
	Contact: 'LeaseUser',
	Customer: 'CommLease',
	Document: 'Document',
	Employee: 'Employee',
	Location: 'Asset',
	Organization: 'Org',
	Product: 'MhProduct',
	Space: 'CommLeaseSpace',
	StockLocation: 'MhLocation',
	Warranty: 'Warranty',
	WoEstimate: 'Estimate',
	WoQuote: 'Quote',
	WorkOrder: 'WO',
	WorkZone: 'Property',
};

/** Children of any kind of object, with the members that hold the Id and the kind of the parent. */
export const POLYMORPHIC: Readonly<Record<string, readonly [key: string, kind: string]>> = {
	Address2: ['ActorId', 'ActorTypeId'],
	ContactInfo: ['ActorId', 'ActorTypeId'],
	CustomField2: ['ObjectId', 'ObjectTypeId'],
	Document: ['ActorId', 'ActorTypeId'],
	Note: ['ActorId', 'ActorTypeId'],
	QuoteOrEstimateItem: ['ParentId', 'ParentTypeId'],
};

/** Members of a child that may hold the Id of its parent, the most likely first. */
export const parentKeys = (parent: string): string[] => [
	`${parent}Id`,
	...(parent === 'WorkOrder' || parent === 'WorkOrderCost' ? ['WorkOrderId', 'WoId'] : []),
	...(parent === 'Employee' ? ['UserId'] : []),
	...(parent === 'Location' ? ['AssetId'] : []),
	'ParentId',
];

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
	'Location.Address',
	'Employee.Address',
	'Organization.Address',
	'Document.Blob',
]);

/** Members that hold Ids of another entity and are checked on write. */
export const FOREIGN_KEYS: Readonly<Record<string, string>> = {
	CustomerId: 'Customer',
	WorkOrderId: 'WorkOrder',
	WoId: 'WorkOrder',
	ModelId: 'Model',
	WorkZoneId: 'WorkZone',
	TeamId: 'Team',
	SpecialtyId: 'Specialty',
};
