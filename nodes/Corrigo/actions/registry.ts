import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { getEntity } from '../catalogue/entities';
import { toTitle } from '../catalogue/enumerations/labels';
import { buildLabelExpression, sortByName } from '../form/fields';
import { advancedField, buildOptionsCollection, optionsField } from '../form/options';
import { findSubject, subjects } from '../form/subjects';
import { buildAllOperations, buildOperations } from '../operations';
import { buildRestoreOperation } from '../operations/write/write';
import type { Operation, Resource } from '../run/operation';
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

/** Resources that have only the common operations. */
const plainResources: readonly Resource[] = [
	{ value: 'contact', operations: buildAllOperations(subjects.contact) },
	{ value: 'customer', operations: buildAllOperations(subjects.customer) },
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
	{
		value: 'workZone',
		operations: buildOperations(subjects.workZone, 'get', 'getMany', 'update'),
	},
];

/** Corrigo keeps the deleted records of some entities; the Record resource leaves it to Corrigo. */
function addRestore(resource: Resource): Resource {
	const subject = findSubject(resource.value);
	if (subject === undefined) return resource;
	const isKept = subject.entity === undefined || getEntity(subject.entity)?.softDelete;
	return isKept
		? { ...resource, operations: [...resource.operations, buildRestoreOperation(subject)] }
		: resource;
}

const addTitle = <Row extends { name?: string; value: string }>(row: Row) => ({
	...row,
	name: row.name ?? toTitle(row.value),
});

const addTitles = (resource: Resource) => ({
	...addTitle(resource),
	operations: resource.operations.map(addTitle),
});

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
	].map((resource) => addTitles(addRestore(resource))),
);

/** All resources and operations, in the order of the menus. */
export const resources = sortedResources.map((resource) => ({
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

/** A new node, and a new tool of an agent, reads unless the resource has nothing to read. */
const getDefault = (operations: readonly Operation[]): string =>
	(operations.find(({ value }) => value === 'getMany') ?? operations[0]).value;

const buildOperationField = ({
	value: resource,
	operations,
}: ReturnType<typeof addTitles>): INodeProperties => ({
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
	...mergeFields(({ fields }) => fields.slice(0, findOptions(fields))),
	mergeOptions(),
	...mergeFields(({ fields }) => fields.slice(findOptions(fields) + 1)),
];

/** Each operation has options, and what comes below them. */
function findOptions(fields: readonly INodeProperties[]): number {
	return fields.findIndex(({ name }) => name === optionsField.name);
}

/** One collection offers each option for the operations that have it. */
function mergeOptions(): INodeProperties {
	const getInner = (fields: readonly INodeProperties[], { name }: INodeProperties) =>
		(fields.find((field) => field.name === name)?.options ?? []) as INodeProperties[];
	const everyday = mergeFields(
		({ fields }) =>
			getInner(fields, optionsField).filter(({ name }) => name !== advancedField.name),
		'/',
	);
	const advanced = mergeFields(
		({ fields }) => getInner(getInner(fields, optionsField), advancedField),
		'/',
	);
	return buildOptionsCollection(everyday, advanced);
}

/** Field with the operations that have it, by resource. */
interface SharedField {
	key: string;
	field: INodeProperties;
	operationsByResource: Map<string, string[]>;
}

/**
 * Lists each field once for all operations that share it, because n8n sends the whole form to the
 * editor. The fields of each operation keep their order.
 */
function mergeFields(
	read: (operation: Operation) => readonly INodeProperties[],
	/** Leads from a field to the resource and the operation. */
	path = '',
): INodeProperties[] {
	const all: SharedField[] = [];
	// Small forms then find their fields, in the same order, in the large ones.
	const largestFirst = resources
		.flatMap(({ value: resource, operations }) =>
			operations.map((one) => ({ resource, operation: one.value, fields: read(one) })),
		)
		.sort((a, b) => JSON.stringify(b.fields).length - JSON.stringify(a.fields).length);
	for (const { resource, operation, fields } of largestFirst) {
		// The search starts after the previous field of the operation, so that the order is kept.
		let from = 0;
		for (const field of fields) {
			const key = JSON.stringify(field);
			const known = all.findIndex((one, index) => index >= from && one.key === key);
			const index = known < 0 ? from : known;
			if (known < 0) all.splice(index, 0, { key, field, operationsByResource: new Map() });
			const { operationsByResource } = all[index];
			const before = operationsByResource.get(resource) ?? [];
			operationsByResource.set(resource, [...before, operation]);
			from = index + 1;
		}
	}
	return all.flatMap((shared) => toProperties(shared, path));
}

/**
 * n8n shows a field for every pair of the listed resources and operations, so resources are grouped
 * only if every existing pair of the group has the field.
 */
function toProperties(
	{ field, operationsByResource }: SharedField,
	path: string,
): INodeProperties[] {
	const hasField = ({ value, operations }: Resource, listed: ReadonlySet<string>) =>
		operations.every(
			(one) => !listed.has(one.value) || operationsByResource.get(value)?.includes(one.value),
		);
	const groups: Array<{ resource: Set<string>; operation: Set<string> }> = [];
	for (const [resource, operations] of operationsByResource) {
		const fitting = groups.find((group) => {
			const listed = new Set([...group.operation, ...operations]);
			return resources
				.filter(({ value }) => value === resource || group.resource.has(value))
				.every((one) => hasField(one, listed));
		});
		const group = fitting ?? { resource: new Set(), operation: new Set() };
		if (fitting === undefined) groups.push(group);
		group.resource.add(resource);
		for (const operation of operations) group.operation.add(operation);
	}
	return groups.flatMap(({ resource, operation }) => {
		// A key that excludes nothing is left out.
		const isListed = ({ value }: Operation) => operation.has(value);
		const isForAll = resources.every(
			({ value, operations }) => resource.has(value) || !operations.some(isListed),
		);
		const isForEach = resources.every(({ operations }) => operations.every(isListed));
		const show = {
			...(isForAll ? {} : { [`${path}resource`]: [...resource] }),
			...(isForEach ? {} : { [`${path}operation`]: [...operation] }),
		};
		return Object.keys(show).length === 0 ? [field] : updateDisplayOptions({ show }, [field]);
	});
}
