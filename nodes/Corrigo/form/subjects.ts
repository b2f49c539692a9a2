import type { EntityName } from '../catalogue/entities';
import { rowOf, views } from '../catalogue/views';
import type { ReferenceKind } from './references';

/** The operations of a resource are about records of one entity, or of any that the user names. */
export interface Subject {
	entity?: EntityName;
	/** A reference of this type selects one of the records. */
	kind: ReferenceKind;
	/** "Work Order" */
	label: string;
	/** "a work order" */
	one: string;
	/** "work orders" */
	many: string;
}

type Views = typeof views;
type Described = {
	[Entity in keyof Views]: Views[Entity] extends { one: string } ? Entity : never;
}[keyof Views];

function subjectOn<Entity extends Described>(entity: Entity) {
	const { kind, one, many } = views[entity];
	return { entity, kind, label: rowOf(kind).label, one, many };
}

export const subjects = {
	asset: subjectOn('Location'),
	contact: subjectOn('Contact'),
	cost: subjectOn('FinancialItem'),
	customer: subjectOn('Customer'),
	customerNote: subjectOn('Note'),
	document: subjectOn('Document'),
	employee: subjectOn('Employee'),
	invoice: {
		...subjectOn('WorkOrder'),
		// A WorkOrderCost has the Id of its work order, so users choose the work order.
		entity: 'WorkOrderCost',
		one: 'the vendor invoice and costs of a work order',
		many: 'vendor invoices and costs',
	},
	note: subjectOn('WoNote'),
	purchaseOrder: subjectOn('ReplenishmentOrder'),
	record: { kind: 'record', label: 'Record', one: 'a record', many: 'records' },
	space: subjectOn('Space'),
	timeCard: subjectOn('TimeCardItem'),
	vendorInsurance: subjectOn('ProviderCoi'),
	workOrder: subjectOn('WorkOrder'),
	workZone: subjectOn('WorkZone'),
} as const satisfies Record<string, Subject>;

/** A resource without records, such as Company, has no subject. */
export const subjectOf = (resource: string): Subject | undefined =>
	(subjects as Readonly<Record<string, Subject | undefined>>)[resource];

/** The entity is undefined if the resource has no records, or if the user names the entity. */
export const entityOfResource = (resource = ''): EntityName | undefined =>
	subjectOf(resource)?.entity;
