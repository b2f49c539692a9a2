import { countOperation } from './count';
import { getOperation } from './get';
import { getManyOperation } from './getMany';
import type { Subject } from '../../form/subjects';
import type { Variant } from './search';
import { upsertOperation } from './upsertByColumns';
import { createOperation, deleteOperation, updateOperation } from './write';
import type { Operation } from '../../run/operation';

const OPERATIONS = {
	count: countOperation,
	create: createOperation,
	delete: deleteOperation,
	get: getOperation,
	getMany: getManyOperation,
	update: updateOperation,
	upsert: upsertOperation,
};

export const operationsOn = (
	subject: Subject,
	...names: Array<keyof typeof OPERATIONS>
): Operation[] => names.map((name): Operation => OPERATIONS[name](subject));

export const allOperationsOn = (subject: Subject): Operation[] =>
	operationsOn(subject, 'count', 'create', 'delete', 'get', 'getMany', 'update', 'upsert');

/** Some resources narrow their searches by fields of their own. */
export const searchesOn = (subject: Subject, variant: Variant): Operation[] => [
	countOperation(subject, variant),
	getManyOperation(subject, variant),
];
