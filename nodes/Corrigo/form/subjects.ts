import type { EntityName } from '../catalogue/entities';
import type { ReferenceKind } from './references';

/** What the operations of a resource work on: one entity, or any that the user names. */
export interface Subject {
	entity?: EntityName;
	/** How its records are found in a list. */
	kind: ReferenceKind;
	/** Its list is long, and short for one work order. */
	ofOrders?: true;
	/** "Work Order" */
	label: string;
	/** "a work order" */
	one: string;
	/** "work orders" */
	many: string;
}

/** What the resources are about, by their names. */
export const subjects = {
	asset: {
		entity: 'Location',
		kind: 'asset',
		label: 'Asset',
		one: 'an asset',
		many: 'assets',
	},
	contact: {
		entity: 'Contact',
		kind: 'contact',
		label: 'Contact',
		one: 'a contact',
		many: 'contacts',
	},
	cost: {
		entity: 'FinancialItem',
		kind: 'cost',
		label: 'Cost',
		one: 'a work order cost',
		many: 'work order costs',
	},
	customer: {
		entity: 'Customer',
		kind: 'customer',
		label: 'Customer',
		one: 'a customer',
		many: 'customers',
	},
	customerNote: {
		entity: 'Note',
		kind: 'customerNote',
		label: 'Customer Note',
		one: 'a customer note',
		many: 'customer notes',
	},
	document: {
		entity: 'Document',
		kind: 'document',
		ofOrders: true,
		label: 'Document',
		one: 'a document',
		many: 'documents',
	},
	employee: {
		entity: 'Employee',
		kind: 'employee',
		label: 'Employee',
		one: 'an employee or provider',
		many: 'employees and providers',
	},
	/** Its Id is that of the work order. */
	invoice: {
		entity: 'WorkOrderCost',
		kind: 'workOrder',
		label: 'Work Order',
		one: 'the vendor invoice and costs of a work order',
		many: 'vendor invoices and costs',
	},
	note: {
		entity: 'WoNote',
		kind: 'note',
		ofOrders: true,
		label: 'Note',
		one: 'a work order note',
		many: 'work order notes',
	},
	record: { kind: 'record', label: 'Record', one: 'a record', many: 'records' },
	space: { entity: 'Space', kind: 'space', label: 'Space', one: 'a space', many: 'spaces' },
	workOrder: {
		entity: 'WorkOrder',
		kind: 'workOrder',
		label: 'Work Order',
		one: 'a work order',
		many: 'work orders',
	},
	workZone: {
		entity: 'WorkZone',
		kind: 'workZone',
		label: 'Work Zone',
		one: 'a work zone',
		many: 'work zones',
	},
} as const satisfies Record<string, Subject>;

/** Nothing where the resource is about no records. */
export const subjectOf = (resource: string): Subject | undefined =>
	(subjects as Readonly<Record<string, Subject | undefined>>)[resource];

/** Nothing where the resource has none, or the user names it. */
export const entityOfResource = (resource = ''): EntityName | undefined =>
	subjectOf(resource)?.entity;
