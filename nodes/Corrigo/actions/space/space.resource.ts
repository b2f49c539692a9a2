import { subjects } from '../../form/subjects';
import { operationsOn } from '../operations';
import type { Resource } from '../../run/operation';
import { create } from './create.operation';

export const space: Resource = {
	name: 'Space',
	value: 'space',
	description: 'Where service is delivered to a customer',
	operations: [
		create,
		...operationsOn(subjects.space, 'count', 'delete', 'get', 'getMany', 'update'),
	],
};
