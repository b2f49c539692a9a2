import type { Resource } from '../types';
import { create } from './create.operation';

export const space: Resource = {
	name: 'Space',
	value: 'space',
	operations: [create],
};
