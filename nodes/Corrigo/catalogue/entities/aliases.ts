export interface Alias {
	name: string;
	/** What narrows the entity down to what was asked for, such as the kind of actor. */
	where?: Readonly<Record<string, string>>;
}

/**
 * Names the service answers with ENTITY_NOT_FOUND and that people try all the same: property names,
 * words of the user interface, members of ActorType.
 */
export const aliases: Readonly<Record<string, Alias>> = {
	ActionLogRecord: { name: 'WoActionLog' },
	Asset: { name: 'Location' },
	Assignment: { name: 'WoAssignment' },
	Attachment: { name: 'Document' },
	Building: { name: 'Location', where: { TypeId: 'Building' } },
	CheckInOut: { name: 'WoOnSite' },
	CommLease: { name: 'Customer' },
	CommLeaseSpace: { name: 'Space' },
	DocType: { name: 'DocumentType' },
	Equipment: { name: 'Location', where: { TypeId: 'Equipment' } },
	LeaseUser: { name: 'Contact' },
	Org: { name: 'Organization' },
	Priority: { name: 'WoPriority' },
	Property: { name: 'WorkZone' },
	Provider: { name: 'Employee', where: { ActorTypeId: 'Provider' } },
	Reason: { name: 'WoActionReasonLookup' },
	SubType: { name: 'WorkOrderType' },
	User: { name: 'Employee', where: { ActorTypeId: 'Employee' } },
	Vendor: { name: 'Employee', where: { ActorTypeId: 'Provider' } },
	VendorInvoice: { name: 'WorkOrderCost' },
	Verification: { name: 'WoVerification' },
	WO: { name: 'WorkOrder' },
	WorkOrderItem: { name: 'WoItem' },
	WorkOrderNote: { name: 'WoNote' },
	WorkPlan: { name: 'WpTree' },
};
