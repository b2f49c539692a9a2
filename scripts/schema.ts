/** Output previews, which n8n shows before an operation has run. The build writes them. */
import { resources } from '../nodes/Corrigo/actions/resources';
import { isObject, type JsonObject } from '../nodes/Corrigo/values/objects';

/** n8n looks here, in the package, for the previews of a node with version 1. */
export const PREVIEW_FOLDER = 'nodes/Corrigo/__schema__/v1.0.0';

export type Schema =
	| { type: 'array'; items: Schema }
	| { type: 'boolean' | 'integer' | 'number' | 'string' }
	| { type: 'object'; properties: Record<string, Schema> };

/** Describes the type that all values have; objects may differ in their members. */
function describeType(values: unknown[]): Schema {
	const [value] = values;
	if (Array.isArray(value)) return { type: 'array', items: describeType(values.flat()) };
	if (isObject(value)) {
		const objects = values as JsonObject[];
		const names = [...new Set(objects.flatMap(Object.keys))];
		const describeMember = (name: string) =>
			describeType(objects.filter((one) => name in one).map((one) => one[name]));
		return {
			type: 'object',
			properties: Object.fromEntries(names.map((name) => [name, describeMember(name)])),
		};
	}
	if (typeof value === 'boolean') return { type: 'boolean' };
	if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
	return { type: 'string' };
}

/** Contents by file name. An operation whose answer is not published has no preview. */
export const previews = (): Map<string, string> =>
	new Map(
		resources.flatMap(({ value: resource, operations }) =>
			operations.flatMap(({ value, output }) => {
				const items = [output?.() ?? []].flat();
				if (items.length === 0) return [];
				const preview = { ...describeType(items), version: 1 };
				return [[`${resource}/${value}.json`, `${JSON.stringify(preview, null, '\t')}\n`] as const];
			}),
		),
	);
