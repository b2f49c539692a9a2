import { subjects } from '../form/subjects';
import { allOperationsOn, operationsOn } from './operations';
import type { Operation, Resource } from '../run/operation';

const plain = (name: string, subject: keyof typeof subjects, ...operations: Operation[]) => ({
	name,
	value: subject,
	operations,
});

/** The resources that need nothing else. */
export const plainResources: readonly Resource[] = [
	plain('Contact', 'contact', ...allOperationsOn(subjects.contact)),
	plain('Customer', 'customer', ...allOperationsOn(subjects.customer)),
	plain(
		'Work Zone',
		'workZone',
		...operationsOn(subjects.workZone, 'get', 'getMany', 'count', 'update'),
	),
];
