import type { INodeExecutionData } from 'n8n-workflow';

import { subjects } from '../../form/subjects';
import { batches } from '../../protocol/batches';
import { DEFAULT_READS, type ItemContext } from '../../run/context';
import { forEachLimit } from '../../run/mapLimit';
import { notFound } from '../../transport/errors';
import { hintOfMissing } from '../operations/get';
import { Outcomes, type Outcome } from '../../run/outcome';
import { idOf } from '../operations/subject';

/** What is read of work orders, for the items of a run together. */
interface Reading<Asked, Found> {
	/** What an item asks for beyond the order; items that ask for the same are read together. */
	asked: (context: ItemContext) => Asked;
	/** By the Id of the order; one that is not there is left out. */
	read: (context: ItemContext, ids: number[], asked: Asked) => Promise<Map<number, Found>>;
	items: (found: Found, context: ItemContext) => INodeExecutionData[];
}

interface Wanted<Asked> {
	context: ItemContext;
	id: number;
	asked: Asked;
}

/** Few requests for the orders of many items; each item has its own, or its own complaint. */
export async function ofOrders<Asked, Found>(
	contexts: ItemContext[],
	{ asked, read, items }: Reading<Asked, Found>,
): Promise<Outcome[]> {
	const [{ caller }] = contexts;
	const outcomes = new Outcomes(caller);
	const wanted: Array<Wanted<Asked>> = [];
	for (const context of contexts) {
		await outcomes.run(context, async () => {
			wanted.push({ context, asked: asked(context), id: await idOf(subjects.workOrder, context) });
			return [];
		});
		if (outcomes.isOver) return outcomes.list;
	}
	const groups = batches(wanted, {
		values: ({ id }) => [id],
		key: (one) => JSON.stringify(one.asked),
	});
	await forEachLimit(
		groups.length,
		contexts[0].concurrency(DEFAULT_READS),
		async (index) => {
			const group = groups[index];
			const ids = [...new Set(group.map(({ id }) => id))];
			const found = await read(group[0].context, ids, group[0].asked).catch((failure: unknown) => ({
				failure,
			}));
			for (const { context, id } of group) {
				await outcomes.run(context, async () => {
					if ('failure' in found) throw found.failure;
					const one = found.get(id);
					if (one === undefined)
						throw notFound(context.caller.getNode(), subjects.workOrder.label, id);
					return items(one, context);
				});
			}
		},
		() => outcomes.isOver,
	);
	hintOfMissing(contexts[0], outcomes);
	return outcomes.list;
}
