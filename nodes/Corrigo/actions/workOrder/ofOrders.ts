import type { INodeExecutionData } from 'n8n-workflow';

import { subjects } from '../../form/subjects';
import { batches } from '../../protocol/batches';
import { USUAL_READS, type Call } from '../../run/context';
import { inLanes } from '../../run/mapLimit';
import { notFound } from '../../transport/errors';
import { hintOfMissing } from '../operations/get';
import { Outcomes, type Outcome } from '../../run/outcome';
import { workOrderId } from './numbers';

/** What is read of work orders, for the items of a run together. */
interface Reading<Asked, Found> {
	/** What an item asks for beyond the order; items that ask for the same are read together. */
	asked: (call: Call) => Asked;
	/** By the Id of the order; one that is not there is left out. */
	read: (call: Call, ids: number[], asked: Asked) => Promise<Map<number, Found>>;
	items: (found: Found, call: Call) => INodeExecutionData[];
}

interface Wanted<Asked> {
	call: Call;
	id: number;
	asked: Asked;
}

/** Few requests for the orders of many items; each item has its own, or its own complaint. */
export async function ofOrders<Asked, Found>(
	calls: Call[],
	{ asked, read, items }: Reading<Asked, Found>,
): Promise<Outcome[]> {
	const [{ caller }] = calls;
	const outcomes = new Outcomes(caller);
	const wanted: Array<Wanted<Asked>> = [];
	for (const call of calls) {
		await outcomes.settle(call, async () => {
			wanted.push({ call, asked: asked(call), id: await workOrderId(call) });
			return [];
		});
		if (outcomes.areFinal) return outcomes.list;
	}
	const groups = batches(wanted, {
		values: ({ id }) => [id],
		key: (one) => JSON.stringify(one.asked),
	});
	await inLanes(
		groups.length,
		calls[0].lanes(USUAL_READS),
		async (index) => {
			const group = groups[index];
			const ids = [...new Set(group.map(({ id }) => id))];
			const found = await read(group[0].call, ids, group[0].asked).catch((failure: unknown) => ({
				failure,
			}));
			for (const { call, id } of group) {
				await outcomes.settle(call, async () => {
					if ('failure' in found) throw found.failure;
					const one = found.get(id);
					if (one === undefined)
						throw notFound(call.caller.getNode(), subjects.workOrder.label, id);
					return items(one, call);
				});
			}
		},
		() => outcomes.areFinal,
	);
	hintOfMissing(calls[0], outcomes);
	return outcomes.list;
}
