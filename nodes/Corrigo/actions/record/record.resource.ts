import { subjects } from '../../form/subjects';
import type { Resource } from '../../run/operation';
import { buildAllOperations } from '../../operations';
import { describe } from './describe.operation';
import { restoreValues } from './restoreValues.operation';

export const record: Resource = {
	value: 'record',
	description: 'Records of any entity',
	operations: [...buildAllOperations(subjects.record, 'restore'), describe, restoreValues],
};
