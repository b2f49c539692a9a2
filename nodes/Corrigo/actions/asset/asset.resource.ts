import { operationsOn, subjects } from '../entities';
import type { Resource } from '../types';
import { getMany } from './tree';

export const asset: Resource = {
	name: 'Asset',
	value: 'asset',
	description: 'Buildings, units, rooms and equipment (entity Location)',
	operations: [...operationsOn(subjects.asset, 'create', 'delete', 'get', 'update'), getMany],
};
