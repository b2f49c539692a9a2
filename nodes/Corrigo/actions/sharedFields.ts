import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import type { Resource } from '../run/operation';

/** A field, and the operations of each resource that have it. */
interface Shared {
	key: string;
	field: INodeProperties;
	places: Map<string, string[]>;
}

/**
 * The fields of all operations, each written once for all that have it alike: n8n sends the whole form
 * to the editor. Every operation has its own in their order.
 */
export function sharedFields(resources: readonly Resource[]): INodeProperties[] {
	const all: Shared[] = [];
	for (const { value: resource, operations } of resources) {
		for (const { value: operation, fields } of operations) {
			let before = 0;
			for (const field of fields) {
				const shared = sharedFrom(all, before, field);
				const { places } = shared;
				places.set(resource, [...(places.get(resource) ?? []), operation]);
				before = all.indexOf(shared) + 1;
			}
		}
	}
	return all.flatMap(shownIn);
}

/** Looks behind the fields that the operation has already, to keep their order. */
function sharedFrom(all: Shared[], from: number, field: INodeProperties): Shared {
	const key = JSON.stringify(field);
	const known = all.find((one, index) => index >= from && one.key === key);
	if (known !== undefined) return known;
	const shared = { key, field, places: new Map<string, string[]>() };
	all.splice(from, 0, shared);
	return shared;
}

/** Resources with the same operations go together: what a field is shown for are all pairs of both. */
function shownIn({ field, places }: Shared): INodeProperties[] {
	const resources = new Map<string, string[]>();
	for (const [resource, operations] of places) {
		const key = JSON.stringify(operations);
		resources.set(key, [...(resources.get(key) ?? []), resource]);
	}
	return [...resources].flatMap(([operations, resource]) =>
		updateDisplayOptions({ show: { resource, operation: JSON.parse(operations) as string[] } }, [
			field,
		]),
	);
}
