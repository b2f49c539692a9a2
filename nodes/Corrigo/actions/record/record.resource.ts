import { getOperation } from '../entity/get';
import { getManyOperation } from '../entity/getMany';
import type { Subject } from '../entity/subject';
import {
	createOperation,
	deleteOperation,
	restoreOperation,
	updateOperation,
} from '../entity/write';
import type { Resource } from '../types';

const anyEntity: Subject = { label: 'Record', one: 'a record', many: 'records' };

export const record: Resource = {
	name: 'Record',
	value: 'record',
	description: 'Any entity by its name',
	operations: [
		createOperation(anyEntity),
		deleteOperation(anyEntity),
		getOperation(anyEntity),
		getManyOperation(anyEntity),
		restoreOperation(anyEntity),
		updateOperation(anyEntity),
	],
};
