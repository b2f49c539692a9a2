import { arrangeRecord } from '../../../records/names';
import { loadRecordsById, lookUp } from '../../../records/query';
import type { ItemContext } from '../../../run/context';
import { TEXT } from '../../../operations/specimens';
import { ignoreRefusal } from '../../../transport/errors';
import { normalize } from '../../../values/input';
import { isObject, type JsonObject } from '../../../values/objects';
import { buildPaths } from './orderRead';

const SHOWN = ['Id', 'Number', 'StatusId'];

/** A row links a work order with the one above it, with one that it waits for, or with both. */
const ROWS = {
	entity: 'WpTree',
	by: ['ChildWoId', 'ParentWorkOrder.Id'],
	properties: ['ParentWorkOrder', 'DependOnWorkOrder'].flatMap((one) => buildPaths(one, SHOWN)),
};

const ORDER = { Number: TEXT, Id: 1, Status: TEXT };

export const LINKED_ORDERS = { Parent: ORDER, Children: [ORDER], WaitsFor: [ORDER] };

/**
 * Loads the orders that work orders belong to, consist of and wait for, by the Ids of the work orders.
 * Undefined if the service user may not read the links.
 */
export async function loadLinkedOrders(
	context: ItemContext,
	orders: readonly JsonObject[],
): Promise<ReadonlyMap<string, JsonObject> | undefined> {
	const ids = orders.map(({ Id }) => Number(Id));
	const found = await lookUp(context, ROWS, ids).catch(ignoreRefusal);
	if (found === undefined) {
		context.run.addNotice(
			'Linked orders are left out: the service user of the credential may not read WpTree.',
		);
		return undefined;
	}
	const links = ids.map((id) => {
		const rows = found.get(normalize(id)) ?? [];
		const isAbove = ({ ChildWoId }: JsonObject) => Number(ChildWoId) === id;
		const below = rows.filter((row) => !isAbove(row)).map(({ ChildWoId }) => Number(ChildWoId));
		return { id, above: rows.filter(isAbove), below };
	});
	const known = { properties: SHOWN, isOptional: true };
	const all = links.flatMap(({ below }) => below);
	const children = await loadRecordsById(context, 'WorkOrder', all, known);
	return new Map(
		links.map(({ id, above, below }) => {
			const list = (member: string) =>
				above
					.map((row) => row[member])
					.filter(isOrder)
					.map(show);
			const [Parent = null] = list('ParentWorkOrder');
			const Children = below.map((one) => show(children.get(one) ?? { Id: one }));
			return [normalize(id), { Parent, Children, WaitsFor: list('DependOnWorkOrder') }];
		}),
	);
}

const show = (order: JsonObject) => arrangeRecord('WorkOrder', order);

const isOrder = (value: unknown): value is JsonObject => isObject(value) && Number(value.Id) > 0;
