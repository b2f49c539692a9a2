import type { INodeProperties } from 'n8n-workflow';

import { getEntity } from '../catalogue/entities';
import { findSubject } from '../form/subjects';
import { buildLabelExpression } from '../form/fields';
import { asset } from './asset/asset.resource';
import { command } from './command/command.resource';
import { company } from './company/company.resource';
import { cost } from './cost/cost.resource';
import { document } from './document/document.resource';
import { employee } from './employee/employee.resource';
import { plainResources } from './plain.resources';
import { invoice } from './invoice/invoice.resource';
import { customerNote, note } from './note/note.resources';
import { purchaseOrder } from './purchaseOrder/purchaseOrder.resource';
import { space } from './space/space.resource';
import { record } from './record/record.resource';
import type { Operation, Resource } from '../run/operation';
import { buildRestoreOperation } from '../operations/write/write';
import { buildSharedFields } from './sharedFields';
import { workOrder } from './workOrder/workOrder.resource';

/** Corrigo keeps the deleted records of some entities; the Record resource leaves it to Corrigo. */
function addRestore(resource: Resource): Resource {
	const subject = findSubject(resource.value);
	if (subject === undefined) return resource;
	const { entity } = subject;
	const isKept = entity === undefined || getEntity(entity)?.softDelete;
	return isKept
		? { ...resource, operations: [...resource.operations, buildRestoreOperation(subject)] }
		: resource;
}

const sortByName = <Named extends { name: string }>(list: readonly Named[]): Named[] =>
	[...list].sort((a, b) => a.name.localeCompare(b.name, 'en'));

const sortedResources = sortByName(
	[
		asset,
		command,
		company,
		cost,
		customerNote,
		document,
		employee,
		invoice,
		note,
		purchaseOrder,
		record,
		space,
		workOrder,
		...plainResources,
	].map(addRestore),
);

/** All resources and operations, in the order of the menus. */
export const resources: readonly Resource[] = sortedResources.map((resource) => ({
	...resource,
	operations: sortByName(resource.operations),
}));

export function requireOperation(resource: string, operation: string): Operation {
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

/** Create is the default; a resource without it defaults to the operation that it lists first. */
const getDefault = (operations: readonly Operation[]): string =>
	(operations.find(({ value }) => value === 'create') ?? operations[0]).value;

const buildOperationField = ({ value: resource, operations }: Resource): INodeProperties => ({
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: [resource] } },
	options: sortByName(operations).map(({ name, value, action, description }) => ({
		name,
		value,
		action,
		description,
	})),
	default: getDefault(operations),
});

const operations = resources.flatMap((resource) => resource.operations);

/** "Create: Work Order" */
export const subtitle = `={{ ${buildLabelExpression('operation', operations)} + ": " + ${buildLabelExpression('resource', resources)} }}`;

export const properties: INodeProperties[] = [
	resourceField,
	...sortedResources.map(buildOperationField),
	...buildSharedFields(resources),
];
