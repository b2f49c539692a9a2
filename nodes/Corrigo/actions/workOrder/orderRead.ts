import type { INodeExecutionData } from 'n8n-workflow';

import { optionsField, type OptionName } from '../../form/options';
import { reference } from '../../form/references';
import { subjects } from '../../form/subjects';
import type { JsonObject } from '../../protocol/checks';
import { normalize } from '../../protocol/values';
import { lookUp, type LookUp } from '../../records/lookup';
import type { ItemContext } from '../../run/context';
import type { Operation } from '../../run/operation';
import { readTogether } from '../../run/readTogether';
import { formOf, titleOf, type MemberForm } from '../operations/members';
import { idOf } from '../operations/subject';

/** Operation that reads the work orders of all items of a run with few requests. */
interface OrderRead<Asked, Found> extends MemberForm {
	value: string;
	action: string;
	description: string;
	options?: OptionName[];
	/** Items with the same settings are read together. */
	asked: (context: ItemContext) => Asked;
	/** The result has the Ids of orders as its keys, and omits orders that do not exist. */
	read: (context: ItemContext, ids: number[], asked: Asked) => Promise<Map<number, Found>>;
	items: (found: Found) => INodeExecutionData[];
}

export const orderRead = <Asked, Found>({
	value,
	action,
	description,
	fields = [],
	ownOptions,
	options = [],
	asked,
	read,
	items,
}: OrderRead<Asked, Found>): Operation => ({
	name: titleOf(value),
	value,
	action,
	description,
	address: 'POST /query',
	fields: formOf(
		{ fields: [reference('workOrder', 'id', { required: true }), ...fields], ownOptions },
		optionsField(...options, 'parallelRequests', 'timeout'),
	),
	all: async (contexts) =>
		await readTogether(contexts, {
			label: subjects.workOrder.label,
			wanted: async (context) => ({
				context,
				asked: asked(context),
				id: await idOf(subjects.workOrder, context),
			}),
			key: (one) => JSON.stringify(one.asked),
			together: async (ids, [one]) => await read(one.context, ids, one.asked),
			items,
		}),
});

/**
 * Loads rows by the work order whose Id their member `orderMember` holds. Orders without rows are
 * looked up: those that exist get an empty list, and others are omitted.
 */
export async function rowsByOrder(
	context: ItemContext,
	ids: number[],
	{ of, ...rows }: Omit<LookUp, 'by'> & { of: string },
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
