import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import type { Resource } from '../run/operation';

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
export function buildSharedFields(resources: readonly Resource[]): INodeProperties[] {
	const all: SharedField[] = [];
	for (const { value: resource, operations } of resources) {
		for (const { value: operation, fields } of operations) {
			let before = 0;
			for (const field of fields) {
				const shared = getOrAddShared(all, before, field, field === fields.at(-1));
				const { operationsByResource } = shared;
				operationsByResource.set(resource, [
					...(operationsByResource.get(resource) ?? []),
					operation,
				]);
				before = all.indexOf(shared) + 1;
			}
		}
	}
	const pairs = new Set(
		resources.flatMap(({ value, operations }) => operations.map((own) => `${value}:${own.value}`)),
	);
	const hasOperation = (resource: string, operation: string) =>
		pairs.has(`${resource}:${operation}`);
	return all.flatMap((shared) => toProperties(shared, hasOperation));
}

/** The search starts after the previous field of the operation, so that the order is kept. */
function getOrAddShared(
	all: SharedField[],
	from: number,
	field: INodeProperties,
	isLast: boolean,
): SharedField {
	const key = JSON.stringify(field);
	const known = all.find((one, index) => index >= from && one.key === key);
	if (known !== undefined) return known;
	const shared = { key, field, operationsByResource: new Map<string, string[]>() };
	// Options are the last field: they stay at the end, where later operations find them.
	all.splice(isLast ? all.length : from, 0, shared);
	return shared;
}

/**
 * n8n shows a field for every pair of the listed resources and operations, so resources are grouped
 * only if every existing pair of the group has the field.
 */
function toProperties(
	{ field, operationsByResource }: SharedField,
	hasOperation: (resource: string, operation: string) => boolean,
): INodeProperties[] {
	const hasField = (resource: string, operation: string) =>
		!hasOperation(resource, operation) || operationsByResource.get(resource)?.includes(operation);
	const groups: Array<{ resource: Set<string>; operation: Set<string> }> = [];
	for (const [resource, operations] of operationsByResource) {
		const fitting = groups.find((group) =>
			[...group.resource, resource].every((name) =>
				[...group.operation, ...operations].every((own) => hasField(name, own)),
			),
		);
		const group = fitting ?? { resource: new Set(), operation: new Set() };
		if (fitting === undefined) groups.push(group);
		group.resource.add(resource);
		for (const operation of operations) group.operation.add(operation);
	}
	return groups.flatMap(({ resource, operation }) =>
		updateDisplayOptions({ show: { resource: [...resource], operation: [...operation] } }, [field]),
	);
}
