import { subjects } from '../../form/subjects';
import type { Resource } from '../../run/operation';
import { buildAllOperations } from '../../operations';
import { markExported } from './markExported.operation';
import { receive } from './receive.operation';

export const purchaseOrder: Resource = {
	name: 'Purchase Order',
	value: 'purchaseOrder',
	description: 'Orders of products for stock locations',
	operations: [...buildAllOperations(subjects.purchaseOrder), markExported, receive],
};
