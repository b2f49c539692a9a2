import { subjects } from '../../form/subjects';
import type { Resource } from '../../run/operation';
import { allOperationsOn } from '../operations';
import { restoreValues } from './restoreValues.operation';

export const record: Resource = {
	name: 'Record',
	value: 'record',
	description: 'Records of any entity',
	operations: [...allOperationsOn(subjects.record), restoreValues],
};
