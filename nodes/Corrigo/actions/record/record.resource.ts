import { allOperationsOn, subjects } from '../entities';
import { restoreOperation } from '../entity/write';
import type { Resource } from '../types';

export const record: Resource = {
	name: 'Record',
	value: 'record',
	description: 'Any entity by its name',
	operations: [...allOperationsOn(subjects.record), restoreOperation(subjects.record)],
};
