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

type OperationName = keyof typeof OPERATIONS;

export const buildOperations = (subject: Subject, ...names: OperationName[]): Operation[] =>
	names.map((name): Operation => OPERATIONS[name](subject));

/** Builds what every entity has. Restore needs one whose deleted records Corrigo keeps. */
export const buildAllOperations = (subject: Subject, ...more: OperationName[]): Operation[] =>
	buildOperations(subject, 'create', 'delete', 'get', 'getMany', 'update', 'upsert', ...more);
