import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { advancedField, buildOptionsCollection, optionsField } from './options';

interface OperationFields {
	value: string;
	fields: readonly INodeProperties[];
}

interface ResourceForm {
	value: string;
	operations: readonly OperationFields[];
}

/** Builds one form of the forms of all operations; its fields say which operations show them. */
export const mergeForms = (resources: readonly ResourceForm[]): INodeProperties[] => [
	...mergeFields(resources, ({ fields }) => fields.slice(0, findOptions(fields))),
	mergeOptions(resources),
	...mergeFields(resources, ({ fields }) => fields.slice(findOptions(fields) + 1)),
];

/** A collection that several operations share hides from each of them what only the others offer. */
export const listOwnFields = ({ value, fields }: OperationFields): INodeProperties[] => {
	const isHidden = ({ displayOptions }: INodeProperties) =>
		displayOptions?.hide?.['/operation']?.includes(value) === true;
	return fields.map((field) => {
		if (field.type !== 'collection') return field;
		const options = field.options as INodeProperties[];
		return { ...field, options: options.filter((one) => !isHidden(one)) };
	});
};

/** Each operation has options, and what comes below them. */
function findOptions(fields: readonly INodeProperties[]): number {
	return fields.findIndex(({ name }) => name === optionsField.name);
}

/** One collection offers each option for the operations that have it. */
function mergeOptions(resources: readonly ResourceForm[]): INodeProperties {
	const getInner = (fields: readonly INodeProperties[], { name }: INodeProperties) =>
		(fields.find((field) => field.name === name)?.options ?? []) as INodeProperties[];
	const everyday = mergeFields(
		resources,
		({ fields }) =>
			getInner(fields, optionsField).filter(({ name }) => name !== advancedField.name),
		'/',
	);
	const advanced = mergeFields(
		resources,
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
	resources: readonly ResourceForm[],
	read: (operation: OperationFields) => readonly INodeProperties[],
	/** Leads from a field to the resource and the operation. */
	path = '',
): INodeProperties[] {
	const all: SharedField[] = [];
	// Small forms then find their fields, in the same order, in the large ones.
	const largestFirst = resources
		.flatMap(({ value: resource, operations }) =>
			operations.map((one) => {
				const fields = read(one).map((field) => ({ field, key: JSON.stringify(field) }));
				const size = fields.reduce((sum, { key }) => sum + key.length, fields.length);
				return { resource, operation: one.value, fields, size };
			}),
		)
		.sort((a, b) => b.size - a.size);
	for (const { resource, operation, fields } of largestFirst) {
		// The search starts after the previous field of the operation, so that the order is kept.
		let from = 0;
		for (const { field, key } of fields) {
			const known = all.findIndex((one, index) => index >= from && one.key === key);
			const index = known < 0 ? from : known;
			if (known < 0) all.splice(index, 0, { key, field, operationsByResource: new Map() });
			const { operationsByResource } = all[index];
			const before = operationsByResource.get(resource) ?? [];
			operationsByResource.set(resource, [...before, operation]);
			from = index + 1;
		}
	}
	return all.flatMap((shared) => toProperties(resources, shared, path));
}

/**
 * n8n shows a field for every pair of the listed resources and operations, so resources are grouped
 * only if every existing pair of the group has the field.
 */
function toProperties(
	resources: readonly ResourceForm[],
	{ field, operationsByResource }: SharedField,
	path: string,
): INodeProperties[] {
	const hasField = ({ value, operations }: ResourceForm, listed: ReadonlySet<string>) =>
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
		const isListed = ({ value }: OperationFields) => operation.has(value);
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
