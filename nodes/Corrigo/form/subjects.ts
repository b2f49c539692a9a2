import type { EntityName } from '../catalogue/entities';
import { getRecordView, views } from '../catalogue/views';
import type { ReferenceType } from './references';

/** The operations of a resource are about records of one entity, or of any that the user names. */
export interface Subject {
	entity?: EntityName;
	/** A reference of this type selects one of the records. */
	kind: ReferenceType;
	/** "Work Order" */
	label: string;
	/** "a work order" */
	one: string;
	/** "work orders" */
	many: string;
}

type Views = typeof views;
type DescribedEntity = {
	[Entity in keyof Views]: Views[Entity] extends { one: string } ? Entity : never;
}[keyof Views];

function createSubject<Entity extends DescribedEntity>(entity: Entity) {
	const { kind: type, one, many } = views[entity];
	return { entity, kind: type, label: getRecordView(type).label, one, many };
}

export const subjects = {
	asset: createSubject('Location'),
	contact: createSubject('Contact'),
	cost: createSubject('FinancialItem'),
	customer: createSubject('Customer'),
	customerNote: createSubject('Note'),
	document: createSubject('Document'),
	employee: createSubject('Employee'),
	invoice: {
		...createSubject('WorkOrder'),
		// A WorkOrderCost has the Id of its work order, so users choose the work order.
		entity: 'WorkOrderCost',
		one: 'the vendor invoice and costs of a work order',
		many: 'vendor invoices and costs',
	},
	note: createSubject('WoNote'),
	purchaseOrder: createSubject('ReplenishmentOrder'),
	record: { kind: 'record', label: 'Record', one: 'a record', many: 'records' },
	space: createSubject('Space'),
	timeCard: createSubject('TimeCardItem'),
	vendorInsurance: createSubject('ProviderCoi'),
	workOrder: createSubject('WorkOrder'),
	workZone: createSubject('WorkZone'),
} as const satisfies Record<string, Subject>;

/** A resource without records, such as Company, has no subject. */
export const findSubject = (resource: string): Subject | undefined =>
	(subjects as Readonly<Record<string, Subject | undefined>>)[resource];

/** The entity is undefined if the resource has no records, or if the user names the entity. */
export const findResourceEntity = (resource = ''): EntityName | undefined =>
	findSubject(resource)?.entity;
