import { subjects } from '../../form/subjects';
import { allOperationsOn } from '../operations';
import type { Resource } from '../../run/operation';

export const record: Resource = {
	name: 'Record',
	value: 'record',
	description: 'Any entity by its name',
	operations: allOperationsOn(subjects.record),
};
