import { buildGetOperation } from './read/get';
import type { Subject } from '../form/subjects';
import { buildGetManyOperation } from './read/search';
import { buildUpsertOperation } from './upsert/upsert';
import {
	buildCreateOperation,
	buildDeleteOperation,
	buildRestoreOperation,
	buildUpdateOperation,
} from './write/write';
import type { Operation } from '../run/operation';

const OPERATIONS = {
	create: buildCreateOperation,
	delete: buildDeleteOperation,
	get: buildGetOperation,
	getMany: buildGetManyOperation,
	restore: buildRestoreOperation,
	update: buildUpdateOperation,
	upsert: buildUpsertOperation,
};

export const buildOperations = (
	subject: Subject,
	...names: Array<keyof typeof OPERATIONS>
): Operation[] => names.map((name): Operation => OPERATIONS[name](subject));

/** Builds all operations but Restore, which needs an entity whose deleted records Corrigo keeps. */
export const buildAllOperations = (subject: Subject): Operation[] =>
	buildOperations(subject, 'create', 'delete', 'get', 'getMany', 'update', 'upsert');
