import { getOperation } from './operations/get';
import { getManyOperation } from './operations/getMany';
import type { Subject } from './operations/subject';
import { createOperation, deleteOperation, updateOperation } from './operations/write';
import type { Operation, Resource } from './operations/operation';

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
	customer: {
		entity: 'Customer',
		kind: 'customer',
		label: 'Customer',
		one: 'a customer',
		many: 'customers',
	},
	document: {
		entity: 'Document',
		kind: 'document',
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

const OPERATIONS = {
	create: createOperation,
	delete: deleteOperation,
	get: getOperation,
	getMany: getManyOperation,
	update: updateOperation,
};

/** The operations that work alike on every entity. */
export const operationsOn = (
	subject: Subject,
	...names: Array<keyof typeof OPERATIONS>
): Operation[] => names.map((name): Operation => OPERATIONS[name](subject));

export const allOperationsOn = (subject: Subject): Operation[] =>
	operationsOn(subject, 'create', 'delete', 'get', 'getMany', 'update');

const plain = (name: string, subject: keyof typeof subjects, ...operations: Operation[]) => ({
	name,
	value: subject,
	operations,
});

/** The resources that need nothing else. */
export const plainResources: readonly Resource[] = [
	plain('Contact', 'contact', ...allOperationsOn(subjects.contact)),
	plain('Customer', 'customer', ...allOperationsOn(subjects.customer)),
	{
		...plain('Employee', 'employee', ...allOperationsOn(subjects.employee)),
		description: 'Staff and service providers',
	},
	plain('Work Zone', 'workZone', ...operationsOn(subjects.workZone, 'get', 'getMany', 'update')),
];
