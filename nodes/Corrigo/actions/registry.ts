import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { command } from './command/command.resource';
import { company } from './company/company.resource';
import { invoice } from './invoice/invoice.resource';
import { record } from './record/record.resource';
import { space } from './space/space.resource';
import type { Operation, Resource } from './types';
import { workOrder } from './workOrder/workOrder.resource';

/** Everything the node can do, in the order of the menu. */
export const resources: readonly Resource[] = [command, company, invoice, record, space, workOrder];

export function operationNamed(resource: string, operation: string): Operation {
	const found = resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
	if (found === undefined) {
		throw new TypeError(`The operation "${operation}" of the resource "${resource}" is not known`);
	}
	return found;
}

const resourceField: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: resources.map(({ name, value, description }) => ({ name, value, description })),
	default: 'workOrder',
};

function operationField({ value: resource, operations }: Resource): INodeProperties {
	const first = operations[0].value;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: operations.map(({ name, value, action, description }) => ({
			name,
			value,
			action,
			description,
		})),
		default: first,
	};
}

const operationFields = ({ value: resource, operations }: Resource): INodeProperties[] =>
	operations.flatMap(({ value: operation, fields }) =>
		updateDisplayOptions({ show: { resource: [resource], operation: [operation] } }, fields),
	);

/** The whole form. */
export const properties: INodeProperties[] = [
	resourceField,
	...resources.map(operationField),
	...resources.flatMap(operationFields),
];
