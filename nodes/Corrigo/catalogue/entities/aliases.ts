import type { EntityName } from './names';
import { createTable } from '../table';

export interface Alias {
	name: EntityName;
	/** Values that narrow the entity, for example to one type of actor. */
	where?: Readonly<Record<string, string>>;
}

/**
 * People try these names although the service answers ENTITY_NOT_FOUND: property names, words of
 * the user interface, and members of ActorType.
 */
export const aliases = createTable<Alias>({
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
	Insurance: { name: 'ProviderCoi' },
	LeaseUser: { name: 'Contact' },
	Org: { name: 'Organization' },
	Priority: { name: 'WoPriority' },
	Property: { name: 'WorkZone' },
	Provider: { name: 'Employee', where: { ActorTypeId: 'Provider' } },
	PurchaseOrder: { name: 'ReplenishmentOrder' },
	PurchaseOrderItem: { name: 'ReplenishmentOrderItem' },
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
});
