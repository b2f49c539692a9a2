import { subjects } from '../form/subjects';
import type { Resource } from '../run/operation';
import { allOperationsOn, operationsOn } from './operations';

/** Resources that have only the common operations. */
export const plainResources: readonly Resource[] = [
	{ name: 'Contact', value: 'contact', operations: allOperationsOn(subjects.contact) },
	{ name: 'Customer', value: 'customer', operations: allOperationsOn(subjects.customer) },
	{
		name: 'Time Card',
		value: 'timeCard',
		description: 'Entries of time cards: the hours of employees',
		operations: allOperationsOn(subjects.timeCard),
	},
	{
		name: 'Vendor Insurance',
		value: 'vendorInsurance',
		description: 'Certificates of insurance of service providers',
		operations: allOperationsOn(subjects.vendorInsurance),
	},
	{
		name: 'Work Zone',
		value: 'workZone',
		operations: operationsOn(subjects.workZone, 'get', 'getMany', 'count', 'update'),
	},
];
