import { targetOn, type Target } from '../catalogue/targets';
import { chosen } from '../protocol/checks';
import { isNamed } from '../protocol/names';
import { valuesAt } from '../records/lookup';
import type { ItemContext } from '../run/context';
import { idIn, rowsIn } from '../run/resolve';

/** Names of contacts are looked up within their customer. */
export const contactOf = (customer: number | undefined): Target =>
	inside(targetOn('Contact'), 'CustomerId', customer);

export const subTypeOf = (category: string): Target =>
	inside(targetOn('WorkOrderType'), 'TypeId', category);

function inside(target: Target, property: string, value: unknown): Target {
	if (value === undefined) return target;
	const { otherwise } = target;
	return {
		...target,
		within: { property, values: [value] },
		...(otherwise && { otherwise: inside(otherwise, property, value) }),
	};
}

const SPACES: Target = { entity: 'Space', by: ['CustomerId'], read: ['Asset.Id'] };
const MODELS: Target = { entity: 'Location', by: ['Id'], read: ['ModelId'] };

/** A tag or serial number identifies one asset, while names recur in other places. */
const TAGS: Target = { ...targetOn('Location'), by: ['Info.TagId', 'Info.SerialNumber'] };

/** The assets of a customer are those in its spaces, which only AssetTree lists. */
const assetOf = (spaces: unknown[]): Target => ({
	entity: 'AssetTree',
	called: 'asset of the customer',
	by: ['Child.Name'],
	id: 'ChildId',
	within: { property: 'ParentId', values: spaces },
	otherwise: TAGS,
});

export function assetId(
	context: ItemContext,
	field: string,
	given: unknown,
	customer?: number,
): number {
	const anywhere = targetOn('Location');
	if (customer === undefined || !isNamed(chosen(given)))
		return idIn(context, field, given, anywhere);
	const rows = rowsIn(context)(SPACES, customer);
	const spaces = [...new Set(rows.flatMap((row) => valuesAt(row, 'Asset.Id')))];
	return idIn(context, field, given, spaces.length > 0 ? assetOf(spaces) : anywhere);
}

/** Many models have a task with the same name, so the model of the asset decides. */
export function taskId(context: ItemContext, field: string, given: unknown, asset: number): number {
	if (!isNamed(chosen(given))) return idIn(context, field, given, targetOn('Task'));
	const [model] = rowsIn(context)(MODELS, asset).flatMap((row) => valuesAt(row, 'ModelId'));
	return idIn(context, field, given, inside(targetOn('Task'), 'ModelId', model));
}
