import { buildCountOperation } from './read/count';
import { buildGetOperation } from './read/get';
import type { Subject } from '../form/subjects';
import { buildGetManyOperation, type SearchVariant } from './read/search';
import { buildUpsertOperation } from './upsert/upsert';
import { buildCreateOperation, buildDeleteOperation, buildUpdateOperation } from './write/write';
import type { Operation } from '../run/operation';

const OPERATIONS = {
	count: buildCountOperation,
	create: buildCreateOperation,
	delete: buildDeleteOperation,
	get: buildGetOperation,
	getMany: buildGetManyOperation,
	update: buildUpdateOperation,
	upsert: buildUpsertOperation,
};

export const buildOperations = (
	subject: Subject,
	...names: Array<keyof typeof OPERATIONS>
): Operation[] => names.map((name): Operation => OPERATIONS[name](subject));

export const buildAllOperations = (subject: Subject): Operation[] =>
	buildOperations(subject, 'count', 'create', 'delete', 'get', 'getMany', 'update', 'upsert');

/** Some resources narrow their searches by fields of their own. */
export const buildSearches = (subject: Subject, variant: SearchVariant): Operation[] => [
	buildCountOperation(subject, variant),
	buildGetManyOperation(subject, variant),
];
