import { subjects } from '../../descriptions/subjects';
import { operationsOn } from '../operations';
import type { Resource } from '../operations/operation';
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
