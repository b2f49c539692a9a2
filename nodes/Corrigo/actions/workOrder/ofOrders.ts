import type { INodeExecutionData } from 'n8n-workflow';

import { subjects } from '../../form/subjects';
import type { ItemContext } from '../../run/context';
import type { Outcome } from '../../run/outcome';
import { readTogether } from '../../run/readTogether';
import { idOf } from '../operations/subject';

/** A read of work orders for all items of a run together. */
interface Reading<Asked, Found> {
	/** Settings of an item; items with the same settings are read together. */
	asked: (context: ItemContext) => Asked;
	/** By the Id of the order; one that is not there is left out. */
	read: (context: ItemContext, ids: number[], asked: Asked) => Promise<Map<number, Found>>;
	items: (found: Found, context: ItemContext) => INodeExecutionData[];
}

/** Few requests for the orders of many items. */
export const ofOrders = async <Asked, Found>(
	contexts: ItemContext[],
	{ asked, read, items }: Reading<Asked, Found>,
): Promise<Outcome[]> =>
	await readTogether(contexts, {
		label: subjects.workOrder.label,
		wanted: async (context) => ({
			context,
			asked: asked(context),
			id: await idOf(subjects.workOrder, context),
		}),
		key: (one) => JSON.stringify(one.asked),
		together: async (ids, [one]) => await read(one.context, ids, one.asked),
		items: (found, { context }) => items(found, context),
	});
