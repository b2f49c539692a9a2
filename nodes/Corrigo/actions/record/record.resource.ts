import { allOperationsOn, subjects } from '../entities';
import { restoreOperation } from '../operations/write';
import type { Resource } from '../operations/operation';

export const record: Resource = {
	name: 'Record',
	value: 'record',
	description: 'Any entity by its name',
	operations: [...allOperationsOn(subjects.record), restoreOperation(subjects.record)],
};
