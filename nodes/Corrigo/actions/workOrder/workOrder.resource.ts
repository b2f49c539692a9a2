import { getOperation } from '../entity/get';
import { getManyOperation } from '../entity/getMany';
import type { Subject } from '../entity/subject';
import type { Resource } from '../types';
import { create } from './create.operation';
import { send } from './send.operation';
import { verify } from './verify.operation';

const workOrders: Subject = {
	entity: 'WorkOrder',
	label: 'Work Order',
	one: 'a work order',
	many: 'work orders',
};

export const workOrder: Resource = {
	name: 'Work Order',
	value: 'workOrder',
	operations: [create, getOperation(workOrders), getManyOperation(workOrders), send, verify],
};
