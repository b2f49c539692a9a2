import type { INodeExecutionData } from 'n8n-workflow';

import { buildOptions, type OptionName } from '../../../form/options';
import { buildReferenceField, subjects } from '../../../form/subjects';
import { type JsonObject, normalize } from '../../../values/checks';
import { lookUp, type LookUp } from '../../../records/lookup';
import type { ItemContext } from '../../../run/context';
import type { Operation } from '../../../run/operation';
import { readTogether } from '../../../run/readTogether';
import { buildForm, toTitle, type MemberForm } from '../../../operations/members';
import { resolveSubjectId } from '../../../operations/subject';

/** Operation that reads the work orders of all items of a run with few requests. */
interface OrderRead<Settings, Found> extends MemberForm {
	value: string;
	action: string;
	description: string;
	options?: OptionName[];
	/** Items with the same settings are read together. */
	readSettings: (context: ItemContext) => Settings;
	/** The result has the Ids of orders as its keys, and omits orders that do not exist. */
	read: (context: ItemContext, ids: number[], settings: Settings) => Promise<Map<number, Found>>;
	toItems: (found: Found) => INodeExecutionData[];
}

export const buildOrderRead = <Settings, Found>({
	value,
	action,
	description,
	fields = [],
	ownOptions,
	options = [],
	readSettings,
	read,
	toItems,
}: OrderRead<Settings, Found>): Operation => ({
	name: toTitle(value),
	value,
	action,
	description,
	address: 'POST /query',
	fields: buildForm(
		{ fields: [buildReferenceField('workOrder', 'id', { required: true }), ...fields], ownOptions },
		buildOptions([...options, 'parallelRequests', 'timeout'], 'WorkOrder'),
	),
	all: async (contexts) =>
		await readTogether(contexts, {
			label: subjects.workOrder.label,
			prepare: async (context) => ({
				context,
				settings: readSettings(context),
				id: await resolveSubjectId(subjects.workOrder, context),
			}),
			key: (one) => JSON.stringify(one.settings),
			readMany: async (ids, [one]) => await read(one.context, ids, one.settings),
			toItems,
		}),
});

/**
 * Loads rows by the work order whose Id their member `orderMember` holds. Orders without rows are
 * looked up: those that exist get an empty list, and others are omitted.
 */
export async function loadRowsByOrder(
	context: ItemContext,
	ids: number[],
	{ orderMember, ...rows }: Omit<LookUp, 'by'> & { orderMember: string },
): Promise<Map<number, JsonObject[]>> {
	const found = await lookUp(context, { ...rows, by: [orderMember] }, ids);
	const withoutRows = ids.filter((id) => !found.has(normalize(id)));
	const existing =
		withoutRows.length > 0
			? await lookUp(context, { entity: 'WorkOrder', by: ['Id'] }, withoutRows)
			: found;
	return new Map(
		ids
			.filter((id) => found.has(normalize(id)) || existing.has(normalize(id)))
			.map((id) => [id, found.get(normalize(id)) ?? []]),
	);
}
