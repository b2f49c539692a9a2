import { subjects } from '../../form/subjects';
import { operationsOn } from '../operations';
import type { Resource } from '../../run/operation';
import { searches } from './search.operations';

export const asset: Resource = {
	name: 'Asset',
	value: 'asset',
	description: 'Buildings, units, rooms and equipment (entity Location)',
	operations: [
		...operationsOn(subjects.asset, 'create', 'delete', 'get', 'update', 'upsert'),
		...searches,
	],
};
