import type { INodeProperties } from 'n8n-workflow';

import { entityNamed } from '../catalogue/entities';
import { subjectOf } from '../form/subjects';
import { inVersion } from '../form/versions';
import { asset } from './asset/asset.resource';
import { command } from './command/command.resource';
import { company } from './company/company.resource';
import { cost } from './cost/cost.resource';
import { customerNote } from './customerNote/customerNote.resource';
import { document } from './document/document.resource';
import { employee } from './employee/employee.resource';
import { plainResources } from './plain.resources';
import { invoice } from './invoice/invoice.resource';
import { note } from './note/note.resource';
import { record } from './record/record.resource';
import { space } from './space/space.resource';
import type { Operation, Resource } from '../run/operation';
import { restoreOperation } from './operations/write';
import { sharedFields } from './sharedFields';
import { workOrder } from './workOrder/workOrder.resource';

/** What was deleted can come back wherever the service keeps it; of a record that the user names, it knows. */
function withRestore(resource: Resource): Resource {
	const subject = subjectOf(resource.value);
	if (subject === undefined) return resource;
	const { entity } = subject;
	const isKept = entity === undefined || entityNamed(entity)?.softDelete;
	return isKept
		? { ...resource, operations: [...resource.operations, restoreOperation(subject)] }
		: resource;
}

const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name, 'en');

/** Everything the node can do, in the order of the menus. */
export const resources: readonly Resource[] = [
	asset,
	command,
	company,
	cost,
	customerNote,
	document,
	employee,
	invoice,
	note,
	record,
	space,
	workOrder,
	...plainResources,
]
	.map(withRestore)
	.map((resource) => ({ ...resource, operations: [...resource.operations].sort(byName) }))
	.sort(byName);

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

/**
 * What a form starts with where it cannot be making one. n8n leaves it out of what it saves, so it
 * stays what it is, whatever operations are added.
 */
const USUAL: Record<string, string> = {
	command: 'execute',
	company: 'discover',
	document: 'delete',
	invoice: 'changeApStatus',
	workZone: 'get',
};

const usual = (resource: string) => USUAL[resource] ?? 'create';

/** Where nodes of version 2 start with something else. */
const DEFAULT_NOW: Record<string, string> = { document: 'upload' };

function operationFields({ value: resource, ...others }: Resource): INodeProperties[] {
	const field = operationField({ value: resource, ...others }, usual(resource));
	const now = DEFAULT_NOW[resource];
	return now === undefined
		? [field]
		: [inVersion(2, { ...field, default: now }), inVersion(1, field)];
}

function operationField({ value: resource, operations }: Resource, first: string): INodeProperties {
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

/** The whole form. */
export const properties: INodeProperties[] = [
	resourceField,
	...resources.flatMap(operationFields),
	...sharedFields(resources),
];
