import type { INodeProperties } from 'n8n-workflow';

import { toTitle } from '../catalogue/enumerations/labels';
import { buildLabelExpression, sortByName } from '../form/fields';
import { mergeForms } from '../form/mergeForms';
import { subjects } from '../form/subjects';
import { buildAllOperations } from '../operations';
import type { Resource } from '../run/operation';
import { asset } from './asset/asset.resource';
import { command } from './command/command.resource';
import { company } from './company/company.resource';
import { cost } from './cost/cost.resource';
import { document } from './document/document.resource';
import { employee } from './employee/employee.resource';
import { invoice } from './invoice/invoice.resource';
import { customerNote, note } from './note/note.resources';
import { purchaseOrder } from './purchaseOrder/purchaseOrder.resource';
import { record } from './record/record.resource';
import { space } from './space/space.resource';
import { workOrder } from './workOrder/workOrder.resource';
import { workZone } from './workZone/workZone.resource';

/** Resources that have only the common operations. */
const plainResources: readonly Resource[] = [
	{ value: 'contact', operations: buildAllOperations(subjects.contact, 'restore') },
	{ value: 'customer', operations: buildAllOperations(subjects.customer, 'restore') },
	{
		value: 'timeCard',
		description: 'Entries of time cards: the hours of employees',
		operations: buildAllOperations(subjects.timeCard),
	},
	{
		value: 'vendorInsurance',
		description: 'Certificates of insurance of vendors',
		operations: buildAllOperations(subjects.vendorInsurance),
	},
];

const addTitle = <Row extends { name?: string; value: string }>(row: Row) => ({
	...row,
	name: row.name ?? toTitle(row.value),
});

const addTitles = (resource: Resource) => ({
	...addTitle(resource),
	operations: sortByName(resource.operations.map(addTitle)),
});

/** All resources and operations, in the order of the menus. */
export const resources = sortByName(
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
		workZone,
		...plainResources,
	].map(addTitles),
);

const resourceField: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: resources.map(({ name, value, description }) => ({ name, value, description })),
	default: 'workOrder',
};

/** A new node, and a new tool of an agent, reads unless the resource has nothing to read. */
const getDefault = ({ defaultOperation, operations }: Resource): string =>
	defaultOperation ?? (operations.find(({ value }) => value === 'getMany') ?? operations[0]).value;

const buildOperationField = (resource: (typeof resources)[number]): INodeProperties => ({
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	description: `The <a href="https://github.com/n8n-nodes-corrigo/n8n-nodes-corrigo/blob/main/docs/operations/${resource.name.toLowerCase().replace(' ', '-')}.md" target="_blank">fields and the output</a> of each operation`,
	displayOptions: { show: { resource: [resource.value] } },
	options: resource.operations.map(({ name, value, action, description }) => ({
		name,
		value,
		action,
		description,
	})),
	default: getDefault(resource),
});

const operations = resources.flatMap((resource) => resource.operations);

/** "Create: Work Order" */
export const subtitle = `={{ ${buildLabelExpression('operation', operations)} + ": " + ${buildLabelExpression('resource', resources)} }}`;

export const nodeFields: INodeProperties[] = [
	resourceField,
	...resources.map(buildOperationField),
	...mergeForms(resources),
];
