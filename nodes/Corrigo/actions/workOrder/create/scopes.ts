import { getEntityTarget, type Target } from '../../../catalogue/targets';
import { unwrapLocator } from '../../../values/checks';
import { isNamed } from '../../../values/names';
import { collectValues } from '../../../records/query';
import type { ItemContext } from '../../../run/context';
import { resolveFieldId, getRecordFinder } from '../../../run/resolve';

/** Names of contacts are looked up within their customer. */
export const buildContactTarget = (customer: number | undefined): Target =>
	narrowTarget(getEntityTarget('Contact'), 'CustomerId', customer);

export const buildSubTypeTarget = (category: string): Target =>
	narrowTarget(getEntityTarget('WorkOrderType'), 'TypeId', category);

function narrowTarget(target: Target, property: string, value: unknown): Target {
	if (value === undefined) return target;
	const { otherwise } = target;
	return {
		...target,
		within: { property, values: [value] },
		...(otherwise && { otherwise: narrowTarget(otherwise, property, value) }),
	};
}

const SPACES: Target = { entity: 'Space', by: ['CustomerId'], read: ['Asset.Id'] };
const MODELS: Target = { entity: 'Location', by: ['Id'], read: ['ModelId'] };

/** A tag or serial number identifies one asset, while names recur in other places. */
const TAGS: Target = { ...getEntityTarget('Location'), by: ['Info.TagId', 'Info.SerialNumber'] };

/** The assets of a customer are those in its spaces, which only AssetTree lists. */
const buildAssetTarget = (spaces: unknown[]): Target => ({
	entity: 'AssetTree',
	noun: 'asset of the customer',
	by: ['Child.Name'],
	id: 'ChildId',
	within: { property: 'ParentId', values: spaces },
	otherwise: TAGS,
});

export function resolveAssetId(
	context: ItemContext,
	field: string,
	input: unknown,
	customer?: number,
): number {
	const allAssets = getEntityTarget('Location');
	if (customer === undefined || !isNamed(unwrapLocator(input)))
		return resolveFieldId(context, field, input, allAssets);
	const rows = getRecordFinder(context)(SPACES, customer);
	const spaces = [...new Set(rows.flatMap((row) => collectValues(row, 'Asset.Id')))];
	return resolveFieldId(
		context,
		field,
		input,
		spaces.length > 0 ? buildAssetTarget(spaces) : allAssets,
	);
}

/** Many models have a task with the same name, so the model of the asset decides. */
export function resolveTaskId(
	context: ItemContext,
	field: string,
	input: unknown,
	asset: number,
): number {
	if (!isNamed(unwrapLocator(input)))
		return resolveFieldId(context, field, input, getEntityTarget('Task'));
	const [model] = getRecordFinder(context)(MODELS, asset).flatMap((row) =>
		collectValues(row, 'ModelId'),
	);
	return resolveFieldId(
		context,
		field,
		input,
		narrowTarget(getEntityTarget('Task'), 'ModelId', model),
	);
}
