import { subjects } from '../form/subjects';
import type { Resource } from '../run/operation';
import { buildAllOperations, buildOperations } from '../operations';

/** Resources that have only the common operations. */
export const plainResources: readonly Resource[] = [
	{ name: 'Contact', value: 'contact', operations: buildAllOperations(subjects.contact) },
	{ name: 'Customer', value: 'customer', operations: buildAllOperations(subjects.customer) },
	{
		name: 'Time Card',
		value: 'timeCard',
		description: 'Entries of time cards: the hours of employees',
		operations: buildAllOperations(subjects.timeCard),
	},
	{
		name: 'Vendor Insurance',
		value: 'vendorInsurance',
		description: 'Certificates of insurance of service providers',
		operations: buildAllOperations(subjects.vendorInsurance),
	},
	{
		name: 'Work Zone',
		value: 'workZone',
		operations: buildOperations(subjects.workZone, 'get', 'getMany', 'count', 'update'),
	},
];
