import { getOperation } from './get';
import { getManyOperation } from './getMany';
import type { Subject } from '../../descriptions/subjects';
import { createOperation, deleteOperation, updateOperation } from './write';
import type { Operation } from './operation';

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
