import type { JsonObject } from '../../protocol/checks';
import { normalize } from '../../protocol/values';
import type { ItemContext } from '../../run/context';
import { lookUp, type LookUp } from '../../records/lookup';

interface Rows extends Omit<LookUp, 'by'> {
	/** The property that holds the Id of the order. */
	of: string;
}

/** The rows of an entity by the orders that they belong to; one that is there and has none has no rows. */
export async function byOrder(
	context: ItemContext,
	ids: number[],
	{ of, ...rows }: Rows,
): Promise<Map<number, JsonObject[]>> {
	const found = await lookUp(context, { ...rows, by: [of] }, ids);
	const quiet = ids.filter((id) => !found.has(normalize(id)));
	const there =
		quiet.length > 0 ? await lookUp(context, { entity: 'WorkOrder', by: ['Id'] }, quiet) : found;
	return new Map(
		ids
			.filter((id) => found.has(normalize(id)) || there.has(normalize(id)))
			.map((id) => [id, found.get(normalize(id)) ?? []]),
	);
}
