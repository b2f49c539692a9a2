import { operationsOn, subjects } from '../entities';
import type { Resource } from '../operations/operation';
import { getMany } from './getMany.operation';

export const asset: Resource = {
	name: 'Asset',
	value: 'asset',
	description: 'Buildings, units, rooms and equipment (entity Location)',
	operations: [...operationsOn(subjects.asset, 'create', 'delete', 'get', 'update'), getMany],
};
